/**
 * Writer and bookkeeping connection keep one generic plan a statement. One made for a nearly empty table scans all of
 * it until PostgreSQL analyzes it (measured: 172 bookings a second instead of 1,700 at 20,000 deliveries).
 */
import type { Statement } from './wire/statement.ts';

/** Statements of a connection before its first plan refresh; the number doubles with each refresh. */
const FIRST = 64;

/**
 * `DISCARD PLANS` before the 64th, 128th, 256th … statement, or the next that has a name: a plan was made for at least
 * half of the table's size. Not before a ROLLBACK, which has no name: in a failed transaction both would fail.
 */
export function refreshingPlans<R>(run: (statement: Statement) => Promise<R>): (statement: Statement) => Promise<R> {
  let count = 0;
  let next = FIRST;
  return (statement) => {
    count += 1;
    if (count >= next && statement.name !== undefined) {
      next *= 2;
      run({ text: 'DISCARD PLANS', values: [] }).catch(() => undefined); // the transaction has already failed
    }
    return run(statement);
  };
}
