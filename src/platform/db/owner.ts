/** Statements with the owner's rights, for what the server's role may not do: erase events, empty a sandbox. Never for a payment. */
import type { Log } from './embedded/embedded.ts';
import { connectPatiently } from './pool.ts';
import type { Row, Statement } from './wire/statement.ts';

export type Run = (
  statement: Statement,
) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;

/** Runs `work` in one transaction, which is rolled back when it rejects. After a lost connection the outcome is unknown. */
export async function asOwner<T>(url: string, log: Log, work: (run: Run) => Promise<T>): Promise<T> {
  const client = await connectPatiently(url, log);
  try {
    await client.query('BEGIN');
    const result = await work((statement) => client.query<Row>(statement));
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end(); // ends an open transaction
  }
}
