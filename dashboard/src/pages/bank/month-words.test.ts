/** Months, days and cut-offs by the clock of the bank. */
import { expect, it } from 'vitest';
import { nextCutOffOn } from './cut-off.ts';
import { clockIn, isMonth, lastDayOf, monthAfter, monthsOf, monthWord } from './month-words.ts';

it('knows months, their last day and the one after', () => {
  expect(['2028-02', '2027-02', '2026-12'].map(lastDayOf)).toEqual(['2028-02-29', '2027-02-28', '2026-12-31']);
  expect(['2026-12', '2026-01'].map(monthAfter)).toEqual(['2027-01', '2026-02']);
  expect(monthWord('2026-10')).toBe('October 2026');
});

it('leaves alone what is no month', () => {
  for (const text of ['', 'foo', '2026-13', '2026-00', '2026-1', '1999-01', '2026-10-01'])
    expect([isMonth(text), lastDayOf(text), monthAfter(text), monthWord(text)]).toEqual([false, text, text, text]);
});

it('a month begins where the bank is: in Auckland before Berlin, and in Los Angeles after it', () => {
  const now = Date.parse('2026-10-31T23:30:00Z');
  const newest = (zone: string) =>
    monthsOf({ time_zone: zone, books_from_on: '2026-10-02', created: 0 }, now).map(({ from }) => from);
  expect(newest('Europe/Berlin')).toEqual(['2026-11-01', '2026-10-01']);
  expect(newest('Pacific/Auckland')).toEqual(['2026-11-01', '2026-10-01']);
  expect(newest('America/Los_Angeles')).toEqual(['2026-10-01']);
  expect(clockIn('Europe/Berlin', now)).toEqual(['2026-11-01', '00:30']);
  expect(clockIn('Mars/Olympus', now)).toEqual(['2026-10-31', '23:30']);
});

it('without a statement the months begin when the account was made known', () => {
  const account = { time_zone: 'UTC', books_from_on: null, created: Date.parse('2026-09-20T00:00:00Z') / 1_000 };
  expect(monthsOf(account, Date.parse('2026-11-03T00:00:00Z')).map(({ word }) => word)).toEqual([
    'November 2026',
    'October 2026',
    'September 2026',
  ]);
});

it('the next cut-off is today until its minute, then on the next day that is no weekend and no holiday of the account', () => {
  const account = { cut_off: '14:30', time_zone: 'Europe/Berlin', holidays: ['2026-11-30'] };
  const next = (at: string) => nextCutOffOn(account, Date.parse(at));
  expect(next('2026-11-26T13:29:00Z')).toBe('2026-11-26');
  expect(next('2026-11-26T13:30:00Z')).toBe('2026-11-27');
  expect(next('2026-11-27T13:30:00Z')).toBe('2026-12-01');
});
