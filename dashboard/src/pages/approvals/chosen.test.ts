import { describe, expect, it } from 'vitest';
import { all, type Choosable, chosenOf, isChosen, sumsOf, toggled } from './chosen.ts';
import { flagsInWords } from './flags.ts';

const row = (id: string, more: Partial<Choosable> = {}): Choosable => ({
  id,
  fingerprint: `of ${id}`,
  unfit: null,
  minor: 100,
  currency: 'EUR',
  ...more,
});

describe('what is chosen', () => {
  it('is chosen as it was on the screen, and no more once it has changed', () => {
    const chosen = all([row('a'), row('b')]);
    const now = [row('a'), row('b', { fingerprint: 'changed' }), row('c')];
    expect(chosenOf(chosen, now).map(({ id }) => id)).toEqual(['a']);
  });

  it('is nothing that the person may not approve', () => {
    const own = row('a', { unfit: 'You asked for it.' });
    expect(all([own, row('b')])).toEqual(new Map([['b', 'of b']]));
    expect(toggled(new Map(), own)).toEqual(new Map());
    expect(isChosen(new Map([['a', 'of a']]), own)).toBe(false);
  });

  it('goes on and off', () => {
    const once = toggled(new Map(), row('a'));
    expect([isChosen(once, row('a')), isChosen(toggled(once, row('a')), row('a'))]).toEqual([true, false]);
  });

  it('is at most what one request takes', () => {
    const many = Array.from({ length: 1_200 }, (_, n) => row(`${n}`));
    expect([all(many).size, chosenOf(new Map(many.map((each) => [each.id, each.fingerprint])), many).length]).toEqual([
      1_000, 1_000,
    ]);
  });

  it('adds up by currency, exactly', () => {
    const rows = [row('a', { minor: 9_007_199_254_740_991 }), row('b', { minor: 2 }), row('c', { currency: 'CHF' })];
    expect(sumsOf(rows)).toEqual([
      { currency: 'CHF', minor: 100n },
      { currency: 'EUR', minor: 9_007_199_254_740_993n },
    ]);
  });
});

describe('flags', () => {
  it.each([
    [[], []],
    [
      ['new_recipient', 'unusual_amount'],
      ['New recipient', 'Unusual amount'],
    ],
    [['first_payment'], ['First payment']],
    [['first_payment', 'first_payment_to_country'], ['First payment to this country']],
    [['of_next_year'], ['Of next year']],
  ])('%j says %j', (flags, words) => expect(flagsInWords(flags)).toEqual(words));
});
