import { describe, expect, it } from 'vitest';
import { dueOf, type Known } from './due.ts';

const LOOK = 3_000;
const NONE = new Set<string>();
const query = (hash: string, change: Partial<Known> = {}): Known => ({
  hash,
  isBeingRead: false,
  pages: 1,
  readAtMs: 0,
  ...change,
});

describe('what is read again', () => {
  it('is everything when something changed, and nothing when nothing did', () => {
    const known = [query('a'), query('b')];
    expect(dueOf(known, true, NONE, LOOK, LOOK)).toEqual({ now: new Set(['a', 'b']), owed: NONE });
    expect(dueOf(known, false, NONE, LOOK, LOOK)).toEqual({ now: NONE, owed: NONE });
  });

  it('is never what is being read: that comes at the next look, whether or not anything changed since', () => {
    const reading = [query('a', { isBeingRead: true })];
    const first = dueOf(reading, true, NONE, LOOK, LOOK);
    expect(first).toEqual({ now: NONE, owed: new Set(['a']) });
    expect(dueOf(reading, false, first.owed, LOOK, LOOK).owed).toEqual(new Set(['a']));
    expect(dueOf([query('a')], false, first.owed, LOOK, LOOK)).toEqual({ now: new Set(['a']), owed: NONE });
  });

  it('is a list of many pages once in as many looks', () => {
    const long = query('a', { pages: 20, readAtMs: 0 });
    expect(dueOf([long], true, NONE, 19 * LOOK, LOOK)).toEqual({ now: NONE, owed: new Set(['a']) });
    expect(dueOf([long], true, NONE, 20 * LOOK, LOOK)).toEqual({ now: new Set(['a']), owed: NONE });
  });
});
