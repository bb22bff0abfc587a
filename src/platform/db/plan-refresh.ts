/**
 * Plan refresh. The writer and the bookkeeping connection keep one generic plan a statement. A plan made for a nearly empty
 * table scans the whole table for every update, until PostgreSQL analyzes the table a minute or more later (measured:
 * 172 bookings a second instead of 1,700 at 20,000 deliveries).
 */
import type { Statement } from './wire/statement.ts';

/** Statements of a connection before its first plan refresh; the number doubles with each refresh. */
const FIRST = 64;

/**
 * `run`, with `DISCARD PLANS` before the 64th, 128th, 256th … statement, or the next one that has a name and so a plan. A
 * table grows with the statements, so a plan was made for at least half of the table's size. `DISCARD PLANS` is allowed in
 * a transaction, but not in a failed one: before a ROLLBACK, which has no name, it would fail together with the ROLLBACK.
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
