/** Patterns of rules, and what the codes of charges are. */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCharge, isLike, type RuleConditions, type RuledEntry, Rules } from './bank-rules.ts';

/** For what hangs: a slow machine does not decide the test. */
const PATIENCE_MS = 20_000;

describe('patterns', () => {
  it.each([
    ['card settlement*', 'Card  settlement\n2026-11-20', true],
    ['*rent*', 'November RENT, thank you', true],
    ['rent', 'rents', false],
    ['r?nt', 'rant', true],
    ['r?nt', 'rnt', false],
    ['*', '', true],
    ['', '', true],
    ['?', '', false],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'aXbXbX', false],
    ['.*', 'x', false],
    ['(a+)+$', 'aaaa', false],
    ['*😀?', 'ab😀c', true],
  ])('%j and %j: %j', (pattern, text, is) => expect(isLike(pattern, text)).toBe(is));

  it('are what an expression says', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(letters, texts, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i');
        expect(isLike(pattern, text)).toBe(expression.test(text));
      }),
      { numRuns: 5_000 },
    );
  });

  // In milliseconds: test/long/bank-files.test.ts.
  it('end, also where an expression would try for ever', () => {
    const work = () => isLike(`${'*a'.repeat(69)}b`, 'a'.repeat(2_000));
    expect(runInNewContext('work()', { work }, { timeout: PATIENCE_MS })).toBe(false);
    const expression = /^(?:.*a){69}b$/;
    const hopeless = () => expression.test('a'.repeat(2_000));
    expect(() => runInNewContext('hopeless()', { hopeless }, { timeout: 50 })).toThrow('timed out'); // control
  });
});

it('all rules together look at so many characters of an entry, and usual ones stay below that', () => {
  const text = 'a'.repeat(2_000);
  const found = (patterns: readonly string[]) =>
    new Rules([...patterns, '*'].map((textPattern) => ({ ...NONE, textPattern }))).find({ ...ENTRY, name: null, text });
  const usual = Array.from({ length: 99 }, (_, n) => `*card settlement ${n}*`);
  expect(found(usual)?.textPattern).toBe('*');
  // 69 stars take some 2,000 steps a rule, and a long word behind one star 250,000: one is read to its end, ninety-nine are not.
  const slow = `*${'a'.repeat(137)}b`;
  expect(found([slow])?.textPattern).toBe('*');
  expect(found(Array.from({ length: 99 }, () => slow))).toBeUndefined();
});

const ENTRY: RuledEntry = {
  bankAccount: 'ba_1',
  direction: 'debit',
  currency: 'EUR',
  amount: 500n,
  transactionCode: 'PMNT-CCRD-POSD',
  account: 'DE89 3704 0044 0532 0130 00',
  name: 'Card GmbH',
  text: 'Settlement 17',
};
const isMeant = (rule: RuleConditions, entry: RuledEntry) => new Rules([rule]).find(entry) !== undefined;
const NONE: RuleConditions = {
  bankAccount: null,
  direction: null,
  currency: null,
  transactionCode: null,
  iban: null,
  textPattern: null,
  least: null,
  most: null,
};
it.each<[Partial<RuleConditions>, boolean]>([
  [{}, true],
  [{ bankAccount: 'ba_2' }, false],
  [{ direction: 'credit' }, false],
  [{ currency: 'USD' }, false],
  [{ transactionCode: 'PMNT-CCRD-*' }, true],
  [{ transactionCode: 'PMNT' }, false],
  [{ iban: 'DE89370400440532013000' }, true],
  [{ iban: 'DE02120300000000202051' }, false],
  [{ textPattern: 'card*settlement*' }, true],
  [{ least: 500n, most: 500n }, true],
  [{ least: 501n }, false],
  [{ most: 499n }, false],
])('%o: %j', (conditions, is) => expect(isMeant({ ...NONE, ...conditions }, ENTRY)).toBe(is));
it('an entry without a text or code is meant by no rule that asks for one', () => {
  const bare = { ...ENTRY, text: null, name: null, transactionCode: null, account: null };
  expect(isMeant({ ...NONE, textPattern: '?*' }, bare)).toBe(false);
  expect(isMeant({ ...NONE, transactionCode: '*' }, bare)).toBe(false);
  expect(isMeant({ ...NONE, iban: 'DE89370400440532013000' }, bare)).toBe(false);
});

it.each([
  ['PMNT-MDOP-CHRG', true],
  ['ACMT-MDOP-FEES', true],
  ['NCHG+821', true],
  ['NTRF+808+0123', true],
  ['FCHG', true],
  ['FMSC+808', true],
  ['PMNT-RCDT-ESCT', false],
  ['NTRF', false],
  ['SCHG', false],
  ['CHRG', false],
  [null, false],
])('%j is a charge: %j', (code, is) => expect(isCharge(code)).toBe(is));
