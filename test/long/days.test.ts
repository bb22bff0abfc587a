/**
 * Standing orders and daily statements whose workers are killed, with many orders and days: the promises of
 * `test/long/small/standing-orders.test.ts` and `test/long/daily-statements.test.ts`, with kills at more places.
 */
import { expect, test } from 'vitest';
import { killStandingOrders, killStatements, type Leap } from '../support/faults/day-kills.ts';

/** Every point, early, in the middle and late in a leap, each once with one server and once with both. */
const leapsAt = (found: Leap['at'], committed: Leap['at'], times: readonly number[]): Leap[] =>
  [
    { at: found },
    ...times.flatMap((time): Leap[] => [
      { at: committed, time },
      { at: 'batch.written', time: 3 },
    ]),
  ].map((leap, number) => ({ ...leap, both: number % 2 === 0 }));

test('40 standing orders of 60 days: one payout for each day, none lost and none doubled', async () => {
  const leaps = leapsAt('standing_orders.found', 'standing_order.run_committed', [1, 200]);
  const [orders, daysALeap] = [40, 12];
  const { dueAtKills, ...outcome } = await killStandingOrders({ orders, daysALeap, leaps });
  const all = orders * daysALeap * leaps.length;
  expect(outcome).toEqual({ payouts: all, days: all, open: 0, complaints: [] });
  expect(dueAtKills).toEqual(leaps.map(() => orders));
});

test('200 daily statements: one statement and one event for each day, none lost and none doubled', async () => {
  const leaps = leapsAt('daily_statements.found', 'daily_statement.committed', [1, 20]);
  const daysALeap = 40;
  const { counts, dueAtKills, complaints } = await killStatements({ daysALeap, leaps });
  const all = daysALeap * leaps.length;
  expect(counts).toEqual({ statements: all, days: all, span: all, announced: all, events: all });
  expect(complaints).toEqual([]);
  expect(dueAtKills).toEqual(leaps.map(() => 1));
});
