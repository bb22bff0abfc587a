/**
 * Statements with the rights of the tables' owner, for what the role of the server may not do: erase old events, empty a
 * sandbox. Never used for a payment.
 */
import type { Log } from './embedded/embedded.ts';
import { connectPatiently } from './pool.ts';
import type { Statement } from './wire/statement.ts';

/** Runs the statements in order in one transaction. Returns the number of rows that the last one changed. */
export async function asOwner(url: string, log: Log, statements: readonly Statement[]): Promise<number> {
  const client = await connectPatiently(url, log);
  try {
    await client.query('BEGIN');
    let changed = 0;
    for (const statement of statements) changed = (await client.query(statement)).rowCount ?? 0;
    await client.query('COMMIT');
    return changed;
  } finally {
    await client.end();
  }
}
