/**
 * The days on which a standing order runs, by the service's own calendar and by nothing else: the 31st, leap years and the end are decided
 * there once. Days are ISO dates, UTC. Pure.
 */
import { addBusinessDays, usualCalendar } from '../../../../src/core/rails/business-days.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../../../src/core/values/time.ts';
import { indexFrom, type Plan as Rhythm, plannedDayWithin } from '../../../../src/paying/standing-orders/calendar.ts';

/** What the API says of the days of an order. */
export interface Plan {
  readonly starts_on: string;
  readonly interval: Rhythm['interval'];
  readonly interval_count: number;
  readonly ends_on: string | null;
  readonly count: number | null;
}

const planOf = ({ starts_on, interval, interval_count, ends_on, count }: Plan) => ({
  first: starts_on,
  interval,
  intervalCount: interval_count,
  last: ends_on,
  count,
});

export interface Days {
  readonly days: readonly string[];
  /** Whether days follow that are not among them. */
  readonly hasMore: boolean;
}

/** At most `most` planned days from a day on, that day included. */
export function daysFrom(of: Plan, day: string, most: number): Days {
  const plan = planOf(of);
  const days: string[] = [];
  for (let index = indexFrom(plan, 0, day); days.length <= most; index += 1) {
    const planned = plannedDayWithin(plan, index);
    if (planned === null) break;
    days.push(planned);
  }
  return { days: days.slice(0, most), hasMore: days.length > most };
}

/** The first day on which an order that is resumed now would run: what has come is left out. `null`: its end is behind it. `today`: UTC. */
export function nextIfResumed(of: Plan & { readonly next_run_on: string | null }, today: string): string | null {
  const { next_run_on: next } = of;
  if (next === null || next > today) return next;
  const tomorrow = isoDay(dayStartMs(today) + DAY_MS);
  return daysFrom(of, tomorrow, 1).days[0] ?? null;
}

/**
 * When banks of that currency are closed on the day, the next one on which they work; `null`: they work, or the payout is an instant one, which
 * leaves on any day. A bank account may have other days of its own.
 */
export function leavesLater(day: string, currency: string, speed: string): string | null {
  if (speed === 'instant') return null;
  const next = addBusinessDays(usualCalendar(currency), day, 0);
  return next === day ? null : next;
}
