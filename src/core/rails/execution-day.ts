/**
 * The day on which a bank executes a payment file that it gets now: today until the cut-off of a business day, else the next one. The
 * cut-off is in the time zone of the bank, across the change of the clocks. Pure.
 */
import { addBusinessDays, type Calendar, isBusinessDay } from './business-days.ts';
import type { Speed } from './payment-schemes.ts';
import { DAY_MS, dayStartMs, isoDay } from '../values/time.ts';

export interface CutOff {
  readonly calendar: Calendar;
  /** Days on which it is closed too; left out: none. */
  readonly holidays?: readonly string[];
  /** `HH:MM`. */
  readonly cutOff: string;
  /** An IANA name. */
  readonly timeZone: string;
}

/** An ISO date. */
export function executionDay(nowMs: number, { calendar, holidays, cutOff, timeZone }: CutOff): string {
  const { day, time } = localTime(nowMs, timeZone);
  if (time < cutOff && isBusinessDay(calendar, day, holidays)) return day;
  return addBusinessDays(calendar, isoDay(dayStartMs(day) + DAY_MS), 0, holidays);
}

/** The same for a payment that is to leave on a day, or at once (`null`). An instant one is executed when it is handed in, on any day. */
export function executionDayOf(
  nowMs: number,
  bank: CutOff,
  { speed, scheduledOn }: { readonly speed: Speed; readonly scheduledOn: string | null },
): string {
  const today = localTime(nowMs, bank.timeZone).day;
  const isLater = scheduledOn !== null && scheduledOn > today;
  if (speed === 'instant') return isLater ? scheduledOn : today;
  return isLater ? addBusinessDays(bank.calendar, scheduledOn, 0, bank.holidays) : executionDay(nowMs, bank);
}

/** How long before the cut-off scheduled files leave: time enough to carry them to the bank. */
export const LEAD_MINUTES = 30;

/** When the half hour before the cut-off of this business day began; `null` outside of it. Not across midnight. */
export function exportWindow(nowMs: number, { calendar, holidays, cutOff, timeZone }: CutOff): number | null {
  const { day, time } = localTime(nowMs, timeZone);
  const [now, end] = [minutesOf(time), minutesOf(cutOff)];
  const start = Math.max(end - LEAD_MINUTES, 0);
  if (now < start || now >= end || !isBusinessDay(calendar, day, holidays)) return null;
  return nowMs - (nowMs % MINUTE_MS) - (now - start) * MINUTE_MS;
}

/** When the last of these half hours began that was over within a time; `null`: none was. */
export function passedWindow(fromMs: number, untilMs: number, bank: CutOff): number | null {
  for (let dayMs = dayStartMs(localTime(untilMs, bank.timeZone).day); ; dayMs -= DAY_MS) {
    const endMs = dayEndMs(isoDay(dayMs - DAY_MS), bank.timeZone) + minutesOf(bank.cutOff) * MINUTE_MS;
    if (endMs <= fromMs) return null;
    const startMs = endMs <= untilMs ? exportWindow(endMs - MINUTE_MS, bank) : null;
    if (startMs !== null) return startMs;
  }
}

const MINUTE_MS = 60_000;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The calendar day and the time of day, `HH:MM`, in a time zone. */
export function localTime(atMs: number, timeZone: string): LocalTime {
  const minute = Math.floor(atMs / MINUTE_MS);
  const last = latest.get(timeZone);
  if (last?.minute === minute) return last.local;
  const local = formatted(atMs, timeZone);
  latest.set(timeZone, { minute, local });
  return local;
}

/** The first instant after a day in a time zone, to the minute. */
export function dayEndMs(day: string, timeZone: string): number {
  const end = dayStartMs(day) + DAY_MS;
  let [within, after] = [end - DAY_MS, end + DAY_MS]; // no time zone is a day away from UTC
  while (after - within > MINUTE_MS) {
    const middle = within + Math.floor((after - within) / 2 / MINUTE_MS) * MINUTE_MS;
    if (formatted(middle, timeZone).day > day) after = middle;
    else within = middle;
  }
  return after;
}

interface LocalTime {
  readonly day: string;
  readonly time: string;
}

/** Of the last minute that was asked for, by time zone: a batch of payouts asks for the same one, and formatting takes microseconds. */
const latest = new Map<string, { readonly minute: number; readonly local: LocalTime }>();

function formatted(atMs: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  return { day: `${parts['year']}-${parts['month']}-${parts['day']}`, time: `${parts['hour']}:${parts['minute']}` };
}

/** They are dear to make, and there are few time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}
