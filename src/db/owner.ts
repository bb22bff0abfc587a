/**
 * Work with the owner's rights, in one transaction on a connection of its own: what the server's own role may not do
 * (erase old events, empty a sandbox). Never on the path of a payment.
 */
import type { Log } from './embedded/embedded.ts';
import { connectPatiently } from './pool.ts';
import type { Statement } from './wire/statement.ts';

/** Runs the statements in order, all or nothing. Returns how many rows the last one changed. */
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
