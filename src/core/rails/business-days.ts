/**
 * Days on which banks move money, by the rule of each clearing. A holiday that a government adds once, or moves, is in no rule. Days are ISO
 * dates; pure. Which calendar belongs to an account: `usualCalendar`.
 *
 * - `target`: TARGET, for euro (ECB).
 * - `ch`: SIC, for Swiss francs: the bank holidays of Zurich.
 * - `gb`: bank holidays of England and Wales, on which CHAPS and Bacs are closed. Those on a weekend are kept on the next weekdays.
 * - `us`: Fedwire and FedACH: holidays of the Federal Reserve Banks. One on a Sunday is kept on Monday, one on a Saturday is not kept.
 * - `weekdays`: Monday to Friday.
 */
import { DAY_MS, dayStartMs, isoDay } from '../values/time.ts';

export const CALENDARS = ['target', 'ch', 'gb', 'us', 'weekdays'] as const;
export type Calendar = (typeof CALENDARS)[number];

/** Business days after execution until a person may resolve a payout. SEPA banks may take three to send money back. */
export const DAYS_OF_SILENCE = 5;

/** That of the clearing in which accounts of a country hold a currency; Monday to Friday where its rule is not known. */
export function usualCalendar(country: string, currency: string): Calendar {
  if (currency === 'EUR') return 'target';
  if (currency === 'CHF' && (country === 'CH' || country === 'LI')) return 'ch';
  if (currency === 'GBP' && country === 'GB') return 'gb';
  return currency === 'USD' && country === 'US' ? 'us' : 'weekdays';
}

export function isBusinessDay(calendar: Calendar, day: string): boolean {
  const weekday = new Date(dayStartMs(day)).getUTCDay();
  return weekday !== SUNDAY && weekday !== SATURDAY && !holidaysOf(calendar, Number(day.slice(0, 4))).has(day);
}

/** The day so many business days later; `count` 0: the day itself, or the next business day. */
export function addBusinessDays(calendar: Calendar, day: string, count: number): string {
  let at = day;
  while (!isBusinessDay(calendar, at)) at = nextDay(at);
  for (let left = count; left > 0; left--) {
    do at = nextDay(at);
    while (!isBusinessDay(calendar, at));
  }
  return at;
}

const nextDay = (day: string): string => daysBehind(dayStartMs(day), 1);
const daysBehind = (atMs: number, days: number): string => isoDay(atMs + days * DAY_MS);

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6] as const;
const LAST = -1;

const RULES: Readonly<Record<Calendar, (year: number) => readonly string[]>> = {
  target: (year) => [...on(year, '01-01', '05-01', '12-25', '12-26'), ...fromEaster(year, -2, 1)],
  // Good Friday, Easter Monday, Ascension Day, Whit Monday.
  ch: (year) => [...on(year, '01-01', '01-02', '05-01', '08-01', '12-25', '12-26'), ...fromEaster(year, -2, 1, 39, 50)],
  gb: (year) => [
    ...keptOnWeekdays(on(year, '01-01')),
    ...fromEaster(year, -2, 1),
    nth(year, 5, MONDAY, 1),
    nth(year, 5, MONDAY, LAST),
    nth(year, 8, MONDAY, LAST),
    ...keptOnWeekdays(on(year, '12-25', '12-26')),
  ],
  us: (year) => [
    ...on(year, '01-01', '06-19', '07-04', '11-11', '12-25').map(behindSunday),
    nth(year, 1, MONDAY, 3),
    nth(year, 2, MONDAY, 3),
    nth(year, 5, MONDAY, LAST),
    nth(year, 9, MONDAY, 1),
    nth(year, 10, MONDAY, 2),
    nth(year, 11, THURSDAY, 4),
  ],
  weekdays: () => [],
};

/** By calendar and year; a few years are asked for, again and again. */
const known = new Map<string, ReadonlySet<string>>();
const MOST_YEARS = 1_000;

function holidaysOf(calendar: Calendar, year: number): ReadonlySet<string> {
  const key = `${calendar}${year}`;
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MOST_YEARS) known.clear();
  const holidays = new Set(RULES[calendar](year));
  known.set(key, holidays);
  return holidays;
}

const on = (year: number, ...days: readonly string[]): string[] => days.map((day) => `${year}-${day}`);

const fromEaster = (year: number, ...days: readonly number[]): string[] =>
  days.map((count) => daysBehind(easterSunday(year), count));

/** The first, second … or last such weekday of a month. */
function nth(year: number, month: number, weekday: number, count: number): string {
  if (count === LAST) {
    const last = Date.UTC(year, month, 0);
    return daysBehind(last, -((new Date(last).getUTCDay() - weekday + 7) % 7));
  }
  const first = Date.UTC(year, month - 1, 1);
  return daysBehind(first, ((weekday - new Date(first).getUTCDay() + 7) % 7) + (count - 1) * 7);
}

/** A holiday on a weekend moves to the next weekday that is no holiday itself. */
function keptOnWeekdays(days: readonly string[]): string[] {
  const kept = new Set(days);
  for (const day of days) {
    if (isBusinessDay('weekdays', day)) continue;
    let at = day;
    do at = nextDay(at);
    while (kept.has(at) || !isBusinessDay('weekdays', at));
    kept.add(at);
  }
  return [...kept];
}

const behindSunday = (day: string): string => (new Date(dayStartMs(day)).getUTCDay() === SUNDAY ? nextDay(day) : day);

/** Its first instant, by the Gregorian calendar (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const corrected = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const h = (19 * a + corrected + 15) % 30;
  const lastMoon = h - Math.floor(h / 28) * (1 - Math.floor(29 / (h + 1)) * Math.floor((21 - a) / 11));
  const weekday = (year + Math.floor(year / 4) + lastMoon + 2 - century + Math.floor(century / 4)) % 7;
  const l = lastMoon - weekday;
  const month = 3 + Math.floor((l + 40) / 44);
  const day = l + 28 - 31 * Math.floor(month / 4);
  return Date.UTC(year, month - 1, day);
}
