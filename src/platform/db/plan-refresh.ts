/**
 * Writer and bookkeeping connection keep one generic plan a statement. One made for a nearly empty table reads all of it, or all of an
 * environment, until PostgreSQL analyzes it (measured: 172 bookings a second instead of 1,700 at 20,000 deliveries).
 */
import type { Statement } from './wire/statement.ts';

/** Of a statement: how often it ran before its first plan refresh. */
const FIRST = 4;

interface Runs {
  count: number;
  /** Plans are refreshed before the run of this number. */
  next: number;
}

/**
 * `DISCARD PLANS` as soon as a statement has run twice as often as at the last refresh: a plan was made for about half of the size of the
 * tables that the statement fills. Each statement counts by itself: an export fills tables that were empty through a million payouts.
 * Not before a ROLLBACK, which has no name: in a failed transaction both would fail.
 */
export function refreshingPlans<R>(run: (statement: Statement) => Promise<R>): (statement: Statement) => Promise<R> {
  const runs = new Map<string, Runs>();
  return (statement) => {
    if (statement.name !== undefined && isDue(runs, statement.name)) {
      for (const each of runs.values()) each.next = Math.max(FIRST, 2 * each.count);
      run({ text: 'DISCARD PLANS', values: [] }).catch(() => undefined); // the transaction has already failed
    }
    return run(statement);
  };
}

/** Counts a run of the statement. */
function isDue(runs: Map<string, Runs>, name: string): boolean {
  const found = runs.get(name) ?? { count: 0, next: FIRST };
  found.count += 1;
  runs.set(name, found);
  return found.count >= found.next;
}
