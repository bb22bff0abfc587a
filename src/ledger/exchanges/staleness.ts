/**
 * How long a rate is good: to the end of a business day (UTC) behind the day it was fixed on, by the calendar of TARGET, on whose days the ECB
 * and most markets in euro fix. So Friday's rate is good on Monday, and Maundy Thursday's on the Tuesday after Easter. Pure.
 */
import { addBusinessDays } from '../../core/rails/business-days.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';

/** How far the clock of a source may be ahead of ours. A rate of next year would never grow stale. */
const AHEAD_TOLERANCE_MS = 300_000;

/** The last day, an ISO date, of a rate fixed at `atMs`; `businessDays` 0: its own day. */
export function lastGoodDay(atMs: number, businessDays: number): string {
  return businessDays === 0 ? isoDay(atMs) : addBusinessDays('target', isoDay(atMs + DAY_MS), businessDays - 1);
}

/** Why a rate fixed at `atMs` is not good at `nowMs`, as the end of a sentence; `null` where it is. */
export function whyNotGood(atMs: number, nowMs: number, businessDays: number): string | null {
  const at = new Date(atMs).toISOString();
  if (atMs > nowMs + AHEAD_TOLERANCE_MS) return `the newest rates are of ${at}, which has not come yet`;
  const last = lastGoodDay(atMs, businessDays);
  if (nowMs < dayStartMs(last) + DAY_MS) return null;
  return `the newest rates are of ${at} and were good until the end of ${last} (UTC)`;
}
