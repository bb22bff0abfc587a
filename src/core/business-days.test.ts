/** Business days against dates that were looked up, and Easter against a table. */
import { describe, expect, it } from 'vitest';
import { addBusinessDays, isBusinessDay } from './business-days.ts';

/** Easter Sundays, as the Church publishes them. */
const EASTER =
  '2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21 2031-04-13 2032-03-28 2033-04-17 2034-04-09 2035-03-25 2036-04-13 2038-04-25 2049-04-18';

const shift = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

describe('TARGET', () => {
  it.each(EASTER.split(' '))('closes on the Friday before and the Monday after Easter, %s', (easter) => {
    expect(isBusinessDay('target', shift(easter, -2))).toBe(false);
    expect(isBusinessDay('target', shift(easter, 1))).toBe(false);
    expect(isBusinessDay('target', shift(easter, -3))).toBe(true);
    expect(isBusinessDay('target', shift(easter, 2))).toBe(!['05-01'].includes(shift(easter, 2).slice(5)));
  });

  it.each([
    ['2026-12-24', 1, '2026-12-28'],
    ['2027-03-25', 1, '2027-03-30'],
    ['2026-12-31', 1, '2027-01-04'],
    ['2026-04-30', 1, '2026-05-04'], // 1 May, then a weekend
    ['2026-11-21', 0, '2026-11-23'], // a Saturday
    ['2026-11-23', 0, '2026-11-23'],
    ['2026-11-20', 2, '2026-11-24'],
  ])('%s and %d business days is %s', (day, count, then) => {
    expect(addBusinessDays('target', day, count)).toBe(then);
  });
});

it('other calendars know weekends only', () => {
  expect(isBusinessDay('weekdays', '2026-12-25')).toBe(true);
  expect(addBusinessDays('weekdays', '2026-12-24', 1)).toBe('2026-12-25');
  expect(addBusinessDays('weekdays', '2026-12-25', 1)).toBe('2026-12-28');
});
