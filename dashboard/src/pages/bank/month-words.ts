/** Months and days where a bank is: a month begins and ends at midnight by its clock, and not by the reader's. Pure. */
import type { BankAccount } from '../../../../client/src/generated/types.ts';
import { type Month, monthsUntil } from '../../ui/months.ts';

const MONTH = /^20\d\d-(?:0[1-9]|1[0-2])$/;

/** Whether it is a month as the API names one, `2026-11`. */
export const isMonth = (text: string): boolean => MONTH.test(text);

/** `2026-11` → `2026-11-30`. What is no month stays as it is, here and below. */
export function lastDayOf(month: string): string {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return isMonth(month) ? new Date(Date.UTC(year, of, 0)).toISOString().slice(0, 10) : month;
}

/** `2026-12` → `2027-01`. */
export function monthAfter(month: string): string {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return isMonth(month) ? new Date(Date.UTC(year, of, 1)).toISOString().slice(0, 7) : month;
}

/** `2026-11` → `November 2026`. */
export function monthWord(month: string): string {
  if (!isMonth(month)) return month;
  const ms = Date.parse(`${month}-01T12:00:00Z`);
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(ms);
}

/** Day and time in a time zone: `['2026-11-30', '14:30']`. A zone that this browser does not know counts as UTC. */
export function clockIn(zone: string, nowMs: number): readonly [day: string, time: string] {
  const shown = (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(nowMs);
  const both = (() => {
    try {
      return shown(zone);
    } catch {
      return shown('UTC');
    }
  })();
  const [day = '', time = ''] = both.split(' ');
  return [day, time];
}

/** Months of its books, newest first; the first one is not over. From the first day of a statement, else from when it was made known. */
export function monthsOf(
  account: Pick<BankAccount, 'time_zone' | 'books_from_on' | 'created'>,
  nowMs: number,
): readonly Month[] {
  const { time_zone: zone, books_from_on: from, created } = account;
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
  return monthsUntil(noon(clockIn(zone, nowMs)[0]), from === null ? created * 1_000 : noon(from));
}
