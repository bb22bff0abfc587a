/** What a way to read a statement would book, and what is sent for it: positions, so that it is what stood on the screen. */
import { describe, expect, it } from 'vitest';
import { differs, positionsIn, positionsOf, sumsOf, waysOf } from './readings.ts';
import { entryState, statementState } from './statement-words.ts';

describe('positions', () => {
  it('are ranges, and back', () => {
    expect(positionsOf([7, 1, 3, 2])).toBe('1-3,7');
    expect(positionsOf([])).toBe('none');
    expect([0, 1, 3, 4, 7].map(positionsIn('1-3,7'))).toEqual([false, true, true, false, true]);
    expect(positionsIn('')(0)).toBe(false);
  });

  it('come back as they were, for every choice of eight', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    for (let bits = 1; bits < 256; bits++) {
      const some = all.filter((position) => (bits >> (position - 1)) & 1);
      expect(all.filter(positionsIn(positionsOf(some)))).toEqual(some);
    }
  });
});

describe('ways', () => {
  const readings = [
    { entries: '1,3', count: 2 },
    { entries: '', count: 0 },
  ];
  const entries = [
    { position: 1, direction: 'credit' as const, amount_minor: 1_000 },
    { position: 2, direction: 'credit' as const, amount_minor: 500 },
    { position: 3, direction: 'debit' as const, amount_minor: 250 },
  ];

  it('are the readings and one’s own; none is new stands there once', () => {
    const sent = (of: typeof readings) => waysOf(of, new Set([2])).map(({ key, newEntries }) => `${key} ${newEntries}`);
    expect(sent(readings)).toEqual(['1 1,3', '2 none', 'own 2']);
    expect(sent(readings.slice(0, 1))).toEqual(['1 1,3', 'none none', 'own 2']);
    expect(sent([])).toEqual(['none none', 'own 2']);
  });

  it('book what they say, in and out apart', () => {
    expect(waysOf(readings, new Set([2])).map((way) => sumsOf(entries, way))).toEqual([
      { count: 2, came: 1_000n, went: 250n },
      { count: 0, came: 0n, went: 0n },
      { count: 1, came: 500n, went: 0n },
    ]);
  });

  it('are at odds about an entry that only some take for new', () =>
    expect([[], [1], [1, 2]].map((numbers) => differs({ new_in: numbers }, 2))).toEqual([false, true, false]));
});

it('a statement that is not booked proves nothing, whatever its balances say', () => {
  expect(statementState({ status: 'imported', proof: 'ok' })).toEqual({ mark: 'done', word: 'Agrees' });
  for (const status of ['importing', 'needs_review', 'before_opening', 'superseded'] as const)
    expect(statementState({ status, proof: 'ok' }).mark).not.toBe('done');
  expect(statementState({ status: 'of_later' as never, proof: 'ok' }).word).toBe('of_later');
});

it('a change that waits for a second person comes before what the entry is', () => {
  const pending = {} as never;
  expect(entryState({ status: 'matched', pending_changes: null }).word).toBe('Has its place');
  expect(entryState({ status: 'matched', pending_changes: pending }).word).toBe('To be voided');
  expect(entryState({ status: 'voided', pending_changes: pending }).word).toBe('To be restored');
});
