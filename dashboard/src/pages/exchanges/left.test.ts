/** How long a quote is good, whatever the reader's clock says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockText, secondsLeft } from './left.ts';

const QUOTED_S = 1_800_000_000;
const HOUR_MS = 3_600_000;
/** `wrongMs`: of the reader's machine. The quote was asked for at once. */
const quoted = (wrongMs: number) => ({ nowS: QUOTED_S, askedMs: QUOTED_S * 1_000 + wrongMs });
const left = (wrongMs: number, afterMs: number, ...more: { nowS: number; askedMs: number }[]) =>
  secondsLeft(QUOTED_S + 30, [quoted(wrongMs), ...more], QUOTED_S * 1_000 + wrongMs + afterMs);

describe('seconds left', () => {
  it.each([0, HOUR_MS, -HOUR_MS, 400 * 24 * HOUR_MS])('are right on a machine that is wrong by %d ms', (wrongMs) => {
    expect([0, 1, 1_000, 29_001, 30_000, 90_000].map((after) => left(wrongMs, after))).toEqual([30, 30, 29, 1, 0, 0]);
  });
  it('control: by the clock of the machine they would be an hour wrong', () => {
    const here = QUOTED_S + HOUR_MS / 1_000;
    expect(QUOTED_S + 30 - here).toBe(30 - 3_600);
  });
  it('are none once somebody moved the clock of the sandbox past its end', () => {
    const me = { nowS: QUOTED_S + 86_400, askedMs: QUOTED_S * 1_000 + 3_000 };
    expect([left(0, 4_000), left(0, 4_000, me)]).toEqual([26, 0]);
  });
  it('never last longer than the server lets it, and at most as much shorter as the answer took, and two seconds', () => {
    const ms = fc.integer({ min: 0, max: 20_000 });
    const some = fc.record({
      on: ms,
      way: ms,
      later: ms,
      wait: ms,
      wrong: fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
    });
    fc.assert(
      fc.property(some, ({ on, way, later, wait, wrong }) => {
        // By the server: it was asked at 0, quoted at `way`, and asked once more `later` behind it; whole seconds are shown, cut off.
        const startMs = QUOTED_S * 1_000 + on;
        const seen = (askedAt: number, answeredAt: number) => ({
          nowS: Math.floor((startMs + answeredAt) / 1_000),
          askedMs: startMs + askedAt + wrong,
        });
        const endMs = startMs + way + 60_000;
        const both = [seen(0, way), seen(way + later, way + later)];
        const atMs = startMs + way + later + wait;
        const shown = secondsLeft(Math.floor(endMs / 1_000), both, atMs + wrong);
        expect(shown * 1_000).toBeLessThan(Math.max(1, endMs - atMs + 1_000));
        expect(shown * 1_000).toBeGreaterThanOrEqual(Math.max(0, endMs - atMs - way - 2_000));
      }),
    );
  });
});

it.each([
  [0, '0:00'],
  [9, '0:09'],
  [61, '1:01'],
  [1_800, '30:00'],
  [3_600, '1:00:00'],
  [86_399, '23:59:59'],
])('%d seconds are %s', (seconds, text) => expect(clockText(seconds)).toBe(text));
