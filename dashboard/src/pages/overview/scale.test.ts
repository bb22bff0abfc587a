import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allDays, linesOf, shortAmount } from './scale.ts';

describe('the scale of the bars', () => {
  it('has a few round lines, of which the last is no lower than the most', () => {
    expect(linesOf(287_000)).toEqual([100_000, 200_000, 300_000]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 15 }), (most) => {
        const lines = linesOf(most);
        expect(lines.length).toBeLessThanOrEqual(4);
        expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
      }),
    );
  });

  it.each([
    [50, '50'],
    [1_500, '1.5K'],
    [2_000_000, '2M'],
  ])('%s is %s', (major, expected) => {
    expect(shortAmount(major)).toBe(expected);
  });

  it('has every day once, also those on which nothing moved', () => {
    const moved = { day: '2026-02-28', in_minor: 1, in_count: 1, out_minor: 0, out_count: 0 };
    const days = allDays('2026-02-27', '2026-03-02', [moved]);
    expect(days.map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(days[1]).toBe(moved);
  });
});
