/**
 * Standing orders while servers are killed: two processes, kill -9 of now one and now both in the middle of days that
 * come due, and every planned day has exactly one payout in the end. Control: with the run and its payout in different
 * commits, days are lost.
 */
import { expect, test } from 'vitest';
import { killStandingOrders, type Leap } from '../../support/faults/day-kills.ts';

const orders = 10;
const daysALeap = 4;
/** In the middle of a leap, which is forty runs. */
const LEAPS: readonly Leap[] = [
  { at: 'standing_orders.found' },
  { at: 'batch.written', time: 3 },
  { at: 'standing_order.run_committed', time: 15, both: true },
];
const ALL = orders * daysALeap * LEAPS.length;

test.concurrent('kill -9 in the middle of due days: one payout for each, none lost and none doubled', async () => {
  const { dueAtKills, ...outcome } = await killStandingOrders({ orders, daysALeap, leaps: LEAPS });
  expect(outcome).toEqual({ payouts: ALL, days: ALL, open: 0, complaints: [] });
  expect(dueAtKills).toEqual(LEAPS.map(() => orders)); // each had days before it
});

test.concurrent('control: notices days that are written down without their payouts', async () => {
  const options = { orders, daysALeap, leaps: [null], fault: 'lost_payouts', serverCount: 1 } as const;
  const { payouts, complaints } = await killStandingOrders(options);
  expect(payouts).toBeLessThan(orders * daysALeap);
  expect(complaints).not.toEqual([]);
});
