/**
 * The calendar of a standing order. Every planned day is computed from the first one, never from the one before: the 31st
 * runs on the last day of a shorter month and comes back to the 31st afterwards. Days are UTC, as ISO dates. Pure.
 */
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';

export const INTERVALS = ['day', 'week', 'month', 'year'] as const;

export interface Plan {
  /** ISO date of the first run. */
  readonly first: string;
  readonly interval: (typeof INTERVALS)[number];
  /** Every so many intervals; from 1. */
  readonly intervalCount: number;
}

const DAYS = { day: 1, week: 7 } as const;
const MONTHS = { month: 1, year: 12 } as const;

/** The planned day number `index`; 0 is the first. */
export function plannedDay({ first, interval, intervalCount }: Plan, index: number): string {
  const steps = index * intervalCount;
  if (interval === 'day' || interval === 'week') return isoDay(dayStartMs(first) + steps * DAYS[interval] * DAY_MS);
  const [year, month, day] = first.split('-').map(Number) as [number, number, number];
  const months = month - 1 + steps * MONTHS[interval];
  const lastOfMonth = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return isoDay(Date.UTC(year, months, Math.min(day, lastOfMonth)));
}

/** The end of a plan: a last day, a number of planned days, or neither. */
export interface End {
  readonly last: string | null;
  readonly count: number | null;
}

/** The planned day number `index`, or `null` where the plan has ended before. */
export function plannedDayWithin(plan: Plan & End, index: number): string | null {
  if (plan.count !== null && index >= plan.count) return null;
  const day = plannedDay(plan, index);
  return plan.last !== null && day > plan.last ? null : day;
}

/** The number, from `index` on, of the first planned day that is not before `day`; the number behind the last one where the plan ends before. */
export function indexFrom(plan: Plan & End, index: number, day: string): number {
  for (let found = index; ; found += 1) {
    const planned = plannedDayWithin(plan, found);
    if (planned === null || planned >= day) return found;
  }
}
