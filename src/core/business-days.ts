/**
 * Days on which banks move money. TARGET closes on weekends, 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December
 * (ECB). Other calendars know weekends only. Days are ISO dates; pure.
 */
import { DAY_MS, dayStartMs, isoDay } from './time.ts';

export const CALENDARS = ['target', 'weekdays'] as const;
export type Calendar = (typeof CALENDARS)[number];

/** Month and day, every year. */
const TARGET_HOLIDAYS = new Set(['01-01', '05-01', '12-25', '12-26']);

export function isBusinessDay(calendar: Calendar, day: string): boolean {
  const atMs = dayStartMs(day);
  const weekday = new Date(atMs).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  if (calendar === 'weekdays') return true;
  const easterMs = easterSunday(Number(day.slice(0, 4)));
  return !TARGET_HOLIDAYS.has(day.slice(5)) && atMs !== easterMs - 2 * DAY_MS && atMs !== easterMs + DAY_MS;
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

const nextDay = (day: string): string => isoDay(dayStartMs(day) + DAY_MS);

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
