/**
 * Days on which banks move money, by the rule of each clearing: no table that somebody must bring up to date, but for Hungary. What a
 * government adds once is in no rule: an operator adds it to the bank account (`holidays`). Days are ISO dates; pure. Decision 0087.
 */
import { DAY_MS, dayStartMs, isoDay } from '../values/time.ts';

export const CALENDARS = ['target', 'ch', 'gb', 'us', 'pl', 'se', 'dk', 'no', 'cz', 'hu', 'ro', 'weekdays'] as const;
export type Calendar = (typeof CALENDARS)[number];

/** Business days after execution until a person may resolve a payout. SEPA banks may take three to send money back. */
export const DAYS_OF_SILENCE = 5;

const OF_CURRENCIES: Readonly<Record<string, Calendar>> = {
  EUR: 'target',
  CHF: 'ch',
  GBP: 'gb',
  USD: 'us',
  PLN: 'pl',
  SEK: 'se',
  DKK: 'dk',
  NOK: 'no',
  CZK: 'cz',
  HUF: 'hu',
  RON: 'ro',
};

/** That of the clearing of a currency, wherever the account is: dollars move when Fedwire is open. Monday to Friday where none is known. */
export const usualCalendar = (currency: string): Calendar => OF_CURRENCIES[currency] ?? 'weekdays';

const NONE: readonly string[] = [];

/** `closed`: days on which the bank does not work either, whatever its calendar says. */
export function isBusinessDay(calendar: Calendar, day: string, closed = NONE): boolean {
  const weekday = new Date(dayStartMs(day)).getUTCDay();
  if (weekday === SUNDAY || weekday === SATURDAY || closed.includes(day)) return false;
  return !holidaysOf(calendar, Number(day.slice(0, 4))).has(day);
}

/** The day so many business days later; `count` 0: the day itself, or the next business day. */
export function addBusinessDays(calendar: Calendar, day: string, count: number, closed = NONE): string {
  let at = day;
  while (!isBusinessDay(calendar, at, closed)) at = nextDay(at);
  for (let left = count; left > 0; left--) {
    do at = nextDay(at);
    while (!isBusinessDay(calendar, at, closed));
  }
  return at;
}

const nextDay = (day: string): string => daysBehind(dayStartMs(day), 1);
const daysBehind = (atMs: number, days: number): string => isoDay(atMs + days * DAY_MS);

const [SUNDAY, MONDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 4, 5, 6] as const;
const LAST = -1;

/** Behind Easter Sunday. */
const [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY, CORPUS_CHRISTI] = [-3, -2, 1, 39, 50, 60];

/**
 * Rest days that Hungary moves to another weekday, a decree a year: 11/2024 (IV. 8.) and 10/2025 (IV. 30.) NGM. The Saturdays on which it
 * works instead are none here: banks differ on whether they pay then.
 */
const MOVED_IN_HUNGARY: Readonly<Record<number, readonly string[]>> = {
  2025: ['05-02', '10-24', '12-24'],
  2026: ['01-02', '08-21', '12-24'],
};

const RULES: Readonly<Record<Calendar, (year: number) => readonly string[]>> = {
  // TARGET, euro: the long-term calendar of closing days, ECB, 2000.
  target: (year) => [...on(year, '01-01', '05-01', '12-25', '12-26'), ...fromEaster(year, GOOD_FRIDAY, EASTER_MONDAY)],
  // SIC, Swiss francs: the bank holidays of Zurich, no value days of francs by a notice of its exchange (SWX, 2001). SIX has the list of a year.
  ch: (year) => [
    ...on(year, '01-01', '01-02', '05-01', '08-01', '12-25', '12-26'),
    ...fromEaster(year, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY),
  ],
  // CHAPS and Bacs, pounds: bank holidays of England and Wales, GOV.UK, until 2028. Those on a weekend are kept on the next weekdays.
  gb: (year) => [
    ...keptOnWeekdays(on(year, '01-01')),
    ...fromEaster(year, GOOD_FRIDAY, EASTER_MONDAY),
    nth(year, 5, MONDAY, 1),
    nth(year, 5, MONDAY, LAST),
    nth(year, 8, MONDAY, LAST),
    ...keptOnWeekdays(on(year, '12-25', '12-26')),
  ],
  // Fedwire and FedACH, dollars: Federal Reserve Banks, until 2027. A holiday on a Sunday is kept on Monday, one on a Saturday is not kept.
  us: (year) => [
    ...on(year, '01-01', '06-19', '07-04', '11-11', '12-25').map(behindSunday),
    nth(year, 1, MONDAY, 3),
    nth(year, 2, MONDAY, 3),
    nth(year, 5, MONDAY, LAST),
    nth(year, 9, MONDAY, 1),
    nth(year, 10, MONDAY, 2),
    nth(year, 11, THURSDAY, 4),
  ],
  // SORBNET and Elixir, zlotys: the act on days free from work, with Christmas Eve since 2025. KIR closed Elixir on 24 December 2025.
  pl: (year) => [
    ...on(year, '01-01', '01-06', '05-01', '05-03', '08-15', '11-01', '11-11', '12-24', '12-25', '12-26'),
    ...fromEaster(year, EASTER_MONDAY, CORPUS_CHRISTI),
  ],
  // RIX, Swedish kronor: holidays of the Riksbank, 2026.
  se: (year) => [
    ...on(year, '01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'),
    ...fromEaster(year, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION),
    weekdayFrom(`${year}-06-19`, FRIDAY), // Midsummer Eve
  ],
  // Kronos, Danish kroner: bank closing days of Danmarks Nationalbank, 2026 and 2027.
  dk: (year) => [
    ...on(year, '01-01', '06-05', '12-24', '12-25', '12-26', '12-31'),
    ...fromEaster(year, MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, ASCENSION + 1, WHIT_MONDAY),
  ],
  // NBO, Norwegian kroner: settlement days of Norges Bank, 2017 and 2019. Christmas Eve is among the closed ones.
  no: (year) => [
    ...on(year, '01-01', '05-01', '05-17', '12-24', '12-25', '12-26'),
    ...fromEaster(year, MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY),
  ],
  // CERTIS, Czech korunas: act 245/2000 on public holidays, with Good Friday since 2016.
  cz: (year) => [
    ...on(year, '01-01', '05-01', '05-08', '07-05', '07-06', '09-28', '10-28', '11-17', '12-24', '12-25', '12-26'),
    ...fromEaster(year, GOOD_FRIDAY, EASTER_MONDAY),
  ],
  // VIBER and GIRO, forints: labour code, section 102 (act I of 2012), with Good Friday since 2017.
  hu: (year) => [
    ...on(year, '01-01', '03-15', '05-01', '08-20', '10-23', '11-01', '12-25', '12-26'),
    ...fromEaster(year, GOOD_FRIDAY, EASTER_MONDAY, WHIT_MONDAY),
    ...on(year, ...(MOVED_IN_HUNGARY[year] ?? [])),
  ],
  // ReGIS and SENT, lei: labour code, article 139 (act 53/2003), with 6 and 7 January since 2024, as banks have them in 2026. Orthodox Easter.
  ro: (year) => [
    ...on(year, '01-01', '01-02', '01-06', '01-07', '01-24', '05-01', '06-01', '08-15', '11-30', '12-01'),
    ...on(year, '12-25', '12-26'),
    ...[GOOD_FRIDAY, EASTER_MONDAY, WHIT_MONDAY].map((days) => daysBehind(orthodoxEaster(year), days)),
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

/** The first such weekday from a day on. */
function weekdayFrom(day: string, weekday: number): string {
  const atMs = dayStartMs(day);
  return daysBehind(atMs, (weekday - new Date(atMs).getUTCDay() + 7) % 7);
}

/** The first, second … or last such weekday of a month. */
const nth = (year: number, month: number, weekday: number, count: number): string =>
  weekdayFrom(isoDay(count === LAST ? Date.UTC(year, month, -6) : Date.UTC(year, month - 1, count * 7 - 6)), weekday);

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

/** The same by the Julian calendar (Meeus). */
function orthodoxEaster(year: number): number {
  const d = (19 * (year % 19) + 15) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7;
  const month = Math.floor((d + e + 114) / 31);
  const day = ((d + e + 114) % 31) + 1;
  const century = Math.floor(year / 100);
  return Date.UTC(year, month - 1, day + century - Math.floor(century / 4) - 2);
}
