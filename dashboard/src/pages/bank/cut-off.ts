/** When the day of a bank ends next, by its own clock. Pure. */
import type { BankAccount } from '../../../../client/src/generated/types.ts';
import { clockIn } from './month-words.ts';

type Clock = Pick<BankAccount, 'cut_off' | 'time_zone' | 'holidays'>;

const DAY_MS = 86_400_000;

/**
 * The day of the next end, `2026-11-30`. Saturdays, Sundays and the days that the account names are left out; the holidays of its calendar
 * are known to the service alone.
 */
export function nextCutOffOn({ cut_off: cutOff, time_zone: zone, holidays }: Clock, nowMs: number): string {
  const [today, time] = clockIn(zone, nowMs);
  const isClosed = (day: string) => holidays.includes(day) || [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
  let day = today;
  if (time >= cutOff) day = dayAfter(day);
  while (isClosed(day)) day = dayAfter(day);
  return day;
}

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
