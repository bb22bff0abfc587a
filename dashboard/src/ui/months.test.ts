import { expect, it } from 'vitest';
import { monthsUntil } from './months.ts';

it('months are whole, newest first, and end with that of the opening', () => {
  const months = monthsUntil(Date.parse('2028-03-31T23:59:59Z'), Date.parse('2028-01-15T00:00:00Z'));
  expect(months).toEqual([
    { from: '2028-03-01', to: '2028-03-31', word: 'March 2028' },
    { from: '2028-02-01', to: '2028-02-29', word: 'February 2028' },
    { from: '2028-01-01', to: '2028-01-31', word: 'January 2028' },
  ]);
});

it('there is always one, and there are never more than 36', () => {
  const now = Date.parse('2028-03-01T00:00:00Z');
  expect(monthsUntil(now, now + 1_000)).toHaveLength(1);
  expect(monthsUntil(now, 0)).toHaveLength(36);
});
