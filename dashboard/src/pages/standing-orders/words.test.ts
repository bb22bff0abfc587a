/** Standing orders in words. */
import { expect, it } from 'vitest';
import type { StandingOrderRun } from '../../../../client/src/generated/types.ts';
import { orderState, rhythmOf, runWords, whyText } from './words.ts';

it.each([
  ['day', 1, '2026-12-31', 'Every day'],
  ['day', 10, '2026-12-31', 'Every 10 days'],
  ['week', 2, '2026-12-31', 'Every 2 weeks on Thursday'],
  ['month', 1, '2026-12-01', 'Every month on the 1st'],
  ['month', 3, '2026-12-12', 'Every 3 months on the 12th'],
  ['month', 1, '2026-12-22', 'Every month on the 22nd'],
  ['month', 1, '2026-12-31', 'Every month on the 31st, or on the last day of a shorter month'],
  ['year', 1, '2028-02-29', 'Every year on 29 Feb, or on 28 February in other years'],
  ['year', 1, '2028-03-01', 'Every year on 1 Mar'],
] as const)('every %s by %s from %s: %s', (interval, interval_count, starts_on, words) =>
  expect(rhythmOf({ interval, interval_count, starts_on })).toBe(words),
);

it.each([
  ['paused', 'requested', 'wait'],
  ['paused', 'failures', 'bad'],
  ['active', null, 'done'],
  ['canceled', null, 'off'],
] as const)('%s by %s has the mark %s', (status, paused_reason, mark) =>
  expect(orderState({ status, paused_reason }).mark).toBe(mark),
);

it.each([
  [{ status: 'succeeded', made_up: false }, 'Payout made'],
  [{ status: 'succeeded', made_up: true }, 'Payout made, later'],
  [{ status: 'failed', message: 'The account holds 0.00 EUR.' }, 'No payout: The account holds 0.00 EUR.'],
  [{ status: 'failed', code: 'balance_insufficient' }, 'No payout: balance_insufficient'],
  // A salary is not shown to everybody.
  [{ status: 'failed' }, 'No payout'],
  [{ status: 'skipped', message: 'The standing order was paused.' }, 'Left out: The standing order was paused.'],
] as const)('a run that %j: %s', (run, text) =>
  expect(runWords({ message: null, code: null, made_up: false, ...run } as StandingOrderRun).text).toBe(text),
);

it('why a day made no payout leaves out what is for programs alone', () => {
  const message =
    'Account acct_01m8m8npyzerhbzjja652mc0da holds 236507.46 GBP, and 990000.00 GBP is needed. Add money to the account, or send less, and use a new Idempotency-Key.';
  expect(whyText(message)).toMatch(/^The account holds 236.507.46 GBP, and 990.000.00 GBP is needed\.$/);
  expect(whyText('Payouts are frozen.')).toBe('Payouts are frozen.');
});
