/** How much of what is asked is kept, by a clock of the test. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget, type Limits, shares } from './budget.ts';

const LIMITS: Limits = { burstEntries: 100, entriesPerSecond: 10, mostEntriesPerSecond: 50, waitingEntries: 40 };

function budgetOf(limits: Partial<Limits> = {}) {
  const left = { budget: 0, full: 0 };
  const budget = new Budget<string>({ ...LIMITS, ...limits }, (reason, count) => (left[reason] += count));
  const offer = (environment: string, count: number, nowMs: number) => {
    let added = 0;
    for (let i = 0; i < count; i++) {
      if (!budget.hasRoom(environment, nowMs)) continue;
      budget.add(environment, environment);
      added += 1;
    }
    return added;
  };
  const round = (nowMs: number) => {
    const counts: Record<string, number> = {};
    for (const each of budget.take(nowMs)) counts[each] = (counts[each] ?? 0) + 1;
    return counts;
  };
  return { offer, round, left };
}

describe('a budget', () => {
  it('keeps everything while there is little', () => {
    const { offer, round, left } = budgetOf();
    expect(offer('a', 5, 0)).toBe(5);
    expect(round(1000)).toEqual({ a: 5 });
    expect(round(2000)).toEqual({});
    expect(left).toEqual({ budget: 0, full: 0 });
  });

  it('spends its burst at a pace, then goes on at its rate', () => {
    const { offer, round } = budgetOf({ waitingEntries: 1000 });
    const kept = Array.from({ length: 8 }, (_, second) => {
      offer('a', 500, second * 1000);
      return round(second * 1000 + 999)['a'];
    });
    expect(kept).toEqual([50, 50, 20, 10, 10, 10, 10, 10]);
    offer('a', 40, 60_000);
    expect(round(60_000)).toEqual({ a: 40 });
  });

  it('counts what is left out', () => {
    const { offer, round, left } = budgetOf({ burstEntries: 3, waitingEntries: 1000 });
    expect(offer('a', 20, 0)).toBe(13); // ten more may be kept in a second
    expect(left).toEqual({ budget: 7, full: 0 });
    expect(round(0)).toEqual({ a: 3 });
    expect(left).toEqual({ budget: 17, full: 0 });
  });

  it('has a place for another environment while one fills all it may', () => {
    const { offer, left } = budgetOf();
    expect(offer('loud', 1000, 0)).toBe(20);
    expect(left.full).toBe(980);
    expect(offer('quiet', 1, 0)).toBe(1);
    expect(offer('third', 1000, 0)).toBe(10);
  });

  it.each([0, 500, 998])(
    'a loud environment does not push out a quiet one that asks %i ms behind a round',
    (behindMs) => {
      const { offer, round } = budgetOf();
      let quiet = 0;
      let loud = 0;
      for (let second = 0; second < 100; second++) {
        offer('loud', 5000, second * 1000);
        offer('quiet', 2, second * 1000 + behindMs);
        const kept = round(second * 1000 + 999);
        quiet += kept['quiet'] ?? 0;
        loud += kept['loud'] ?? 0;
      }
      expect(quiet).toBe(200);
      expect(loud).toBeGreaterThan(800); // all that the quiet one leaves
    },
  );

  it('holds nothing behind a round, so what waits is never old', () => {
    const { offer, round } = budgetOf({ burstEntries: 4 });
    offer('a', 4, 0);
    offer('b', 4, 0);
    expect(round(0)).toEqual({ a: 2, b: 2 });
    expect(round(10_000)).toEqual({});
  });

  it('a clock that stands still or goes back gives nothing', () => {
    const { offer, round } = budgetOf({ burstEntries: 3 });
    offer('a', 3, 5000);
    expect(round(5000)).toEqual({ a: 3 });
    offer('a', 1, 4000);
    expect(round(4000)).toEqual({});
  });
});

describe('shares', () => {
  it.each([
    [[5, 5], 4, [2, 2]],
    [[1, 100], 10, [1, 9]],
    [[3, 3, 3], 100, [3, 3, 3]],
    [[], 5, []],
    [[2, 2, 2], 1, [1, 0, 0]],
  ])('of %j from %i: %j', (wanted, total, expected) => expect(shares(wanted, total)).toEqual(expected));

  it('gives all there is, to nobody more than it wants, and to none less than to another but for what it wants', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 8 }), fc.nat(300), (wanted, total) => {
        const given = shares(wanted, total);
        const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);
        expect(sum(given)).toBe(Math.min(sum(wanted), total));
        for (const [at, each] of given.entries()) {
          expect(each).toBeLessThanOrEqual(wanted[at] as number);
          if (each < (wanted[at] as number)) expect(each).toBeGreaterThanOrEqual(Math.max(0, ...given) - 1);
        }
      }),
    );
  });
});
