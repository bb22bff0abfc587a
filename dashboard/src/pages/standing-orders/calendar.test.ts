/** The calendar that people see is that of the service, which plans the days; beside it only whether banks work. */
import { expect, it } from 'vitest';
import { daysFrom, leavesLater, nextIfResumed, type Plan } from './calendar.ts';

const MONTHLY: Plan = { starts_on: '2026-12-31', interval: 'month', interval_count: 1, ends_on: null, count: null };

it('the 31st is the last day of a shorter month, and the 31st again afterwards', () =>
  expect(daysFrom(MONTHLY, '2026-12-31', 4)).toEqual({
    days: ['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31'],
    hasMore: true,
  }));

it('29 February is the 28th in years without one', () =>
  expect(daysFrom({ ...MONTHLY, starts_on: '2028-02-29', interval: 'year' }, '2028-02-29', 5).days).toEqual([
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ]));

it.each([
  [{ ends_on: '2027-02-27' }, ['2026-12-31', '2027-01-31']],
  [{ ends_on: '2027-02-28' }, ['2026-12-31', '2027-01-31', '2027-02-28']],
  [{ count: 2 }, ['2026-12-31', '2027-01-31']],
])('ends by %j', (end, days) =>
  expect(daysFrom({ ...MONTHLY, ...end }, '2026-12-31', 4)).toEqual({ days, hasMore: false }),
);

it('days that are behind count, and are not shown', () => {
  expect(daysFrom({ ...MONTHLY, count: 4 }, '2027-02-28', 12).days).toEqual(['2027-02-28', '2027-03-31']);
  expect(daysFrom({ ...MONTHLY, count: 2 }, '2027-02-28', 12)).toEqual({ days: [], hasMore: false });
  expect(daysFrom({ ...MONTHLY, interval: 'week', interval_count: 2 }, '2027-01-01', 2).days).toEqual([
    '2027-01-14',
    '2027-01-28',
  ]);
});

it.each([
  ['2027-01-30', null, '2027-01-31'],
  ['2027-01-31', null, '2027-02-28'],
  ['2027-02-27', null, '2027-02-28'],
  ['2027-04-30', null, '2027-05-31'],
  ['2027-01-31', '2027-01-31', null],
])('resumed on %s with the end %s it runs on %j', (today, ends_on, next) =>
  expect(nextIfResumed({ ...MONTHLY, ends_on, next_run_on: '2027-01-31' }, today)).toBe(next),
);

it.each([
  ['2027-03-26', 'EUR', 'standard', '2027-03-30'], // Good Friday, and Easter Monday behind it
  ['2027-01-01', 'EUR', 'standard', '2027-01-04'],
  ['2027-01-01', 'EUR', 'instant', null],
  ['2027-11-25', 'USD', 'standard', '2027-11-26'], // Thanksgiving
  ['2027-11-25', 'EUR', 'standard', null],
])('of %s a payout in %s that is %s leaves later: %j', (day, currency, speed, later) =>
  expect(leavesLater(day, currency, speed)).toBe(later),
);
