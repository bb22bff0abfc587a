/** The schedule, every line of it, and what `Retry-After` and jitter may do to it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../core/values/time.ts';
import { type Failure, nextAttemptAt, RETRY_DELAYS_MS } from './retry.ts';

const AT = Date.parse('2026-11-21T16:00:00Z');
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds until the next attempt. */
function delay(failure: Partial<Failure>): number | null {
  const next = nextAttemptAt({ failures: 1, failedAtMs: AT, retryAfter: null, chance: 0, ...failure });
  return next === null ? null : next - AT;
}

describe('the schedule', () => {
  it.each([
    [1, 5 * SECOND_MS],
    [2, MINUTE_MS],
    [3, 5 * MINUTE_MS],
    [4, 30 * MINUTE_MS],
    [5, 2 * HOUR_MS],
    [6, 5 * HOUR_MS],
    [7, 10 * HOUR_MS],
    [8, 14 * HOUR_MS],
    [9, 20 * HOUR_MS],
    [10, 24 * HOUR_MS],
    [11, 24 * HOUR_MS],
    [12, 24 * HOUR_MS],
    [13, 24 * HOUR_MS],
    [14, 24 * HOUR_MS],
    [15, 24 * HOUR_MS],
    [16, null],
    [17, null],
  ])('after %i failures: %s ms', (failures, expected) => {
    expect(delay({ failures })).toBe(expected);
  });
  it('has sixteen attempts, the first at once', () => {
    expect(RETRY_DELAYS_MS).toHaveLength(16);
    expect(RETRY_DELAYS_MS[0]).toBe(0);
  });
  it('adds up to ten per cent', () => {
    expect(delay({ failures: 2, chance: 0.5 })).toBe(63_000);
    expect(delay({ failures: 2, chance: 0.999_999 })).toBe(65_999);
  });
  it('does not take what is impossible', () => {
    for (const impossible of [{ failures: 0 }, { failures: 1.5 }, { chance: 1 }, { chance: -0.1 }, { chance: NaN }]) {
      expect(() => delay(impossible)).toThrow('Assertion failed');
    }
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 120 ', 120_000],
    ['86400', DAY_MS],
    ['86401', DAY_MS],
    ['9'.repeat(400), DAY_MS],
    ['Sat, 21 Nov 2026 16:02:00 GMT', 120_000],
    ['Saturday, 21-Nov-26 16:02:00 GMT', 120_000],
    ['Sat Nov 21 16:02:00 2026', 120_000],
    ['Fri, 01 Jan 2027 00:00:00 GMT', DAY_MS],
  ])('%j is honoured', (retryAfter, expected) => expect(delay({ retryAfter })).toBe(expected));

  it.each([
    '',
    '0',
    '4',
    'soon',
    '-120',
    '+120',
    '1e9',
    '120.5',
    '120, 240',
    '0x78',
    '2026-11',
    '2026-11-21T16:02:00Z',
    'Sat, 21 Nov 2026 16:02:00',
    'Sat, 21 Nov 2026 16:02:00 CET',
    'Sat, 99 Nov 2026 16:02:00 GMT',
    'Xyz, 21 Xyz 2026 16:02:00 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT',
  ])('%j leaves the schedule alone', (retryAfter) => expect(delay({ retryAfter })).toBe(5_000));

  it('never shortens the schedule', () => expect(delay({ failures: 6, retryAfter: '60' })).toBe(5 * HOUR_MS));
  it('does not open a schedule that is exhausted', () => expect(delay({ failures: 16, retryAfter: '60' })).toBe(null));
});

describe('for any failure', () => {
  const failure = fc.record({
    failures: fc.integer({ min: 1, max: 15 }),
    failedAtMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    retryAfter: fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toUTCString()),
    ),
    chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  it('the next attempt is never early, and late by jitter or Retry-After alone', () => {
    fc.assert(
      fc.property(failure, (each) => {
        const scheduled = RETRY_DELAYS_MS[each.failures] as number;
        const next = (nextAttemptAt(each) as number) - each.failedAtMs;
        expect(Number.isInteger(next)).toBe(true);
        expect(next).toBeGreaterThanOrEqual(scheduled);
        expect(next).toBeLessThanOrEqual(Math.max(Math.ceil(scheduled * 1.1), DAY_MS));
        if (each.retryAfter === null) expect(next).toBeLessThanOrEqual(Math.ceil(scheduled * 1.1));
      }),
      { numRuns: 2000 },
    );
  });
  it('seconds and the date they lead to mean the same', () => {
    fc.assert(
      fc.property(failure, fc.nat(200_000), (each, seconds) => {
        const failedAtMs = each.failedAtMs - (each.failedAtMs % 1000);
        const date = new Date(failedAtMs + seconds * 1000).toUTCString();
        const bySeconds = nextAttemptAt({ ...each, failedAtMs, retryAfter: String(seconds) });
        expect(nextAttemptAt({ ...each, failedAtMs, retryAfter: date })).toBe(bySeconds);
      }),
    );
  });
});
