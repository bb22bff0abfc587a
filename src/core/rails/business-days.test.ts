/** Business days against dates that were looked up, and Easter against a table. */
import { describe, expect, it } from 'vitest';
import { addBusinessDays, type Calendar, isBusinessDay, usualCalendar } from './business-days.ts';

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

/**
 * Weekdays on which each is closed. As published: those of England and Wales until 2028 (GOV.UK) and of the Federal Reserve Banks until 2027;
 * `dk` 2026 and 2027 (Danmarks Nationalbank, Banklukkedage); `se` 2026 (Riksbank, Holidays 2026); `hu` 2025 and 2026, moved days (two decrees).
 * KIR announced for Elixir, which is `pl`: 1 May, 15 August and 24 December 2025, 6 January 2026. `hu` and `ro` 2026 and `cz` 2027 were compared
 * with lists of others, `ch` with the days that the exchange in Zurich named in 2001. The other years of `dk` to `se` were written down by hand
 * from the acts on holidays, those of TARGET and SIC counted by another program, with the table of Easter above.
 */
const CLOSED: Readonly<Record<Exclude<Calendar, 'weekdays'>, string>> = {
  target: `
    2025: 01-01 04-18 04-21 05-01 12-25 12-26
    2026: 01-01 04-03 04-06 05-01 12-25
    2027: 01-01 03-26 03-29
    2028: 04-14 04-17 05-01 12-25 12-26
    2029: 01-01 03-30 04-02 05-01 12-25 12-26
    2030: 01-01 04-19 04-22 05-01 12-25 12-26
    2031: 01-01 04-11 04-14 05-01 12-25 12-26
    2032: 01-01 03-26 03-29
    2033: 04-15 04-18 12-26
    2034: 04-07 04-10 05-01 12-25 12-26
    2035: 01-01 03-23 03-26 05-01 12-25 12-26
    2036: 01-01 04-11 04-14 05-01 12-25 12-26`,
  ch: `
    2025: 01-01 01-02 04-18 04-21 05-01 05-29 06-09 08-01 12-25 12-26
    2026: 01-01 01-02 04-03 04-06 05-01 05-14 05-25 12-25
    2027: 01-01 03-26 03-29 05-06 05-17
    2028: 04-14 04-17 05-01 05-25 06-05 08-01 12-25 12-26
    2029: 01-01 01-02 03-30 04-02 05-01 05-10 05-21 08-01 12-25 12-26
    2030: 01-01 01-02 04-19 04-22 05-01 05-30 06-10 08-01 12-25 12-26
    2031: 01-01 01-02 04-11 04-14 05-01 05-22 06-02 08-01 12-25 12-26
    2032: 01-01 01-02 03-26 03-29 05-06 05-17
    2033: 04-15 04-18 05-26 06-06 08-01 12-26
    2034: 01-02 04-07 04-10 05-01 05-18 05-29 08-01 12-25 12-26
    2035: 01-01 01-02 03-23 03-26 05-01 05-03 05-14 08-01 12-25 12-26
    2036: 01-01 01-02 04-11 04-14 05-01 05-22 06-02 08-01 12-25 12-26`,
  gb: `
    2025: 01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26
    2026: 01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28
    2027: 01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28
    2028: 01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26
    2029: 01-01 03-30 04-02 05-07 05-28 08-27 12-25 12-26
    2030: 01-01 04-19 04-22 05-06 05-27 08-26 12-25 12-26
    2031: 01-01 04-11 04-14 05-05 05-26 08-25 12-25 12-26
    2032: 01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28
    2033: 01-03 04-15 04-18 05-02 05-30 08-29 12-26 12-27
    2034: 01-02 04-07 04-10 05-01 05-29 08-28 12-25 12-26
    2035: 01-01 03-23 03-26 05-07 05-28 08-27 12-25 12-26
    2036: 01-01 04-11 04-14 05-05 05-26 08-25 12-25 12-26`,
  us: `
    2025: 01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25
    2026: 01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25
    2027: 01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25
    2028: 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25
    2029: 01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25
    2030: 01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25
    2031: 01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25
    2032: 01-01 01-19 02-16 05-31 07-05 09-06 10-11 11-11 11-25
    2033: 01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26
    2034: 01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25
    2035: 01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25
    2036: 01-01 01-21 02-18 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25`,
  pl: `
    2025: 01-01 01-06 04-21 05-01 06-19 08-15 11-11 12-24 12-25 12-26
    2026: 01-01 01-06 04-06 05-01 06-04 11-11 12-24 12-25
    2027: 01-01 01-06 03-29 05-03 05-27 11-01 11-11 12-24`,
  se: `
    2025: 01-01 01-06 04-18 04-21 05-01 05-29 06-06 06-20 12-24 12-25 12-26 12-31
    2026: 01-01 01-06 04-03 04-06 05-01 05-14 06-19 12-24 12-25 12-31
    2027: 01-01 01-06 03-26 03-29 05-06 06-25 12-24 12-31`,
  dk: `
    2025: 01-01 04-17 04-18 04-21 05-29 05-30 06-05 06-09 12-24 12-25 12-26 12-31
    2026: 01-01 04-02 04-03 04-06 05-14 05-15 05-25 06-05 12-24 12-25 12-31
    2027: 01-01 03-25 03-26 03-29 05-06 05-07 05-17 12-24 12-31`,
  no: `
    2025: 01-01 04-17 04-18 04-21 05-01 05-29 06-09 12-24 12-25 12-26
    2026: 01-01 04-02 04-03 04-06 05-01 05-14 05-25 12-24 12-25
    2027: 01-01 03-25 03-26 03-29 05-06 05-17 12-24`,
  cz: `
    2025: 01-01 04-18 04-21 05-01 05-08 10-28 11-17 12-24 12-25 12-26
    2026: 01-01 04-03 04-06 05-01 05-08 07-06 09-28 10-28 11-17 12-24 12-25
    2027: 01-01 03-26 03-29 07-05 07-06 09-28 10-28 11-17 12-24`,
  hu: `
    2025: 01-01 04-18 04-21 05-01 05-02 06-09 08-20 10-23 10-24 12-24 12-25 12-26
    2026: 01-01 01-02 04-03 04-06 05-01 05-25 08-20 08-21 10-23 12-24 12-25
    2027: 01-01 03-15 03-26 03-29 05-17 08-20 11-01`,
  ro: `
    2025: 01-01 01-02 01-06 01-07 01-24 04-18 04-21 05-01 06-09 08-15 12-01 12-25 12-26
    2026: 01-01 01-02 01-06 01-07 04-10 04-13 05-01 06-01 11-30 12-01 12-25
    2027: 01-01 01-06 01-07 04-30 05-03 06-01 06-21 11-30 12-01`,
};

describe.each(Object.entries(CLOSED))('the calendar %s', (calendar, text) => {
  it.each(text.trim().split('\n'))('%s', (line) => {
    const [year = '', closed = ''] = line.trim().split(': ');
    const found: string[] = [];
    for (let day = `${year}-01-01`; day.startsWith(year); day = shift(day, 1)) {
      const isOpen = isBusinessDay(calendar as Calendar, day);
      if (!isBusinessDay('weekdays', day)) expect(isOpen).toBe(false);
      else if (!isOpen) found.push(day.slice(5));
    }
    expect(found.join(' ')).toBe(closed);
  });
});

it('each currency with a calendar has it, and others Monday to Friday', () => {
  const of = (currencies: string) => currencies.split(' ').map(usualCalendar).join(' ');
  expect(of('EUR CHF GBP USD PLN SEK DKK NOK CZK HUF RON')).toBe('target ch gb us pl se dk no cz hu ro');
  expect(of('JPY BGN ISK')).toBe('weekdays weekdays weekdays');
});

/** As the Orthodox churches publish them. */
it.each('2024-05-05 2025-04-20 2026-04-12 2027-05-02 2028-04-16 2029-04-08 2030-04-28 2031-04-13'.split(' '))(
  'Romania closes on the Friday before and the Monday after Orthodox Easter, %s',
  (easter) => {
    const open = [-3, -2, 1, 2].map((days) => isBusinessDay('ro', shift(easter, days)));
    expect(open).toEqual([true, false, false, true]);
  },
);

describe('days that an operator adds', () => {
  const closed = ['2027-03-31', '2027-04-02'];

  it('are closed too, on any calendar', () => {
    expect(isBusinessDay('target', '2027-03-31', closed)).toBe(false);
    expect(isBusinessDay('target', '2027-03-31')).toBe(true);
    expect(isBusinessDay('weekdays', '2027-04-02', closed)).toBe(false);
    expect(isBusinessDay('target', '2027-03-29', closed)).toBe(false); // Easter Monday
  });

  it('do not count between two days', () => {
    expect(addBusinessDays('target', '2027-03-31', 0, closed)).toBe('2027-04-01');
    expect(addBusinessDays('target', '2027-03-30', 2, closed)).toBe('2027-04-05');
    expect(addBusinessDays('target', '2027-03-30', 2)).toBe('2027-04-01');
  });
});

it('where no rule is known, weekends only', () => {
  expect(isBusinessDay('weekdays', '2026-12-25')).toBe(true);
  expect(addBusinessDays('weekdays', '2026-12-24', 1)).toBe('2026-12-25');
  expect(addBusinessDays('weekdays', '2026-12-25', 1)).toBe('2026-12-28');
});
