/**
 * When a failed delivery is tried again. Pure. When an endpoint is disabled: `bookkeeping.ts`. For users:
 * `docs/webhooks.md`.
 */
import { assert } from '../../core/values/assert.ts';
import { DAY_MS } from '../../core/values/time.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Milliseconds before each attempt, from the failure of the one before. Sixteen in a little over eight days. Contract,
 * section 10.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  ...Array.from({ length: 6 }, () => DAY_MS),
];

/** The largest share of a delay that is added to it, so that deliveries which failed together are not retried together. */
const JITTER = 0.1;

/** The longest delay that a receiver can ask for with `Retry-After`. */
const RETRY_AFTER_LIMIT_MS = DAY_MS;

/** A delivery that has just failed again. */
export interface Failure {
  /** Failed attempts of the schedule, this one included; at least 1. */
  readonly failures: number;
  readonly failedAtMs: number;
  /** The header of the answer; `null` if there was none. A header that cannot be read counts as absent. */
  readonly retryAfter: string | null;
  /** From 0 (no jitter) to below 1 (10 %). */
  readonly chance: number;
}

/**
 * Unix milliseconds: the later of the schedule with its jitter and `Retry-After`; `null` when the schedule is used up.
 */
export function nextAttemptAt({ failures, failedAtMs, retryAfter, chance }: Failure): number | null {
  assert(Number.isInteger(failures) && failures >= 1, 'nothing has failed yet');
  assert(chance >= 0 && chance < 1, 'chance is from 0 to below 1');
  const delayMs = RETRY_DELAYS_MS[failures];
  if (delayMs === undefined) return null;
  const scheduledMs = Math.floor(delayMs * (1 + JITTER * chance));
  const askedMs = retryAfter === null ? 0 : Math.min(askedDelayMs(retryAfter, failedAtMs), RETRY_AFTER_LIMIT_MS);
  return failedAtMs + Math.max(scheduledMs, askedMs);
}

/** The three forms of a date in HTTP, all in GMT; the third does not name it. Source: RFC 9110, 5.6.7. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** The delay that `Retry-After` asks for, as seconds or a date; 0 if it cannot be read. Source: RFC 9110, 10.2.3. */
function askedDelayMs(retryAfter: string, fromMs: number): number {
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  // `Date.parse` alone accepts nearly anything as a date: `-5`, `soon 3`.
  if (!HTTP_DATES.some((form) => form.test(text))) return 0;
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? 0 : atMs - fromMs;
}
