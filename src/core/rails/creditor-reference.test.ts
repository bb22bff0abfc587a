/** Creditor references: vectors known from elsewhere, and that one wrong character is always seen. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseRf, rfReference, accountRange, depositReference, isDepositOf } from './creditor-reference.ts';
import { houseAccount } from '../house-accounts.ts';
import { idSource, uuidOf } from '../values/ids.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const body = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 21 });

describe('references', () => {
  it.each([
    ['539007547034', 'RF18539007547034'],
    ['2348231', 'RF712348231'],
    ['G72UUR', 'RF45G72UUR'],
  ])('%s has the check digits of %s', (text, whole) => {
    expect(rfReference(text)).toBe(whole);
    expect(parseRf(whole)).toBe(whole);
  });

  it('is read as people write it', () => {
    expect(parseRf('rf18 5390 0754 7034')).toBe('RF18539007547034');
    expect(parseRf(' RF18\u00a05390\t0754 7034\n')).toBe('RF18539007547034');
  });

  it.each([
    '',
    'RF',
    'RF18',
    'RF19539007547034',
    'RF1853900754703',
    '18539007547034',
    'XRF18539007547034',
    'RF18-5390-0754-7034',
    'RF18539007547034539007547034',
    'RF18Ä',
  ])('%j is none', (text) => expect(parseRf(text)).toBeNull());

  it('has one pair of check digits only, though others leave the same remainder', () => {
    const bodies = [...ALPHABET].flatMap((one) => [...ALPHABET].map((two) => one + two));
    const edges = ['02', '97', '98'].map((digits) =>
      bodies.map(rfReference).find((each) => each.slice(2, 4) === digits),
    );
    for (const whole of edges as string[]) {
      for (let digits = 0; digits < 100; digits++) {
        const text = `RF${String(digits).padStart(2, '0')}${whole.slice(4)}`;
        expect(parseRf(text), text).toBe(text === whole ? whole : null);
      }
    }
  });

  it('refuses a body that is not one', () => {
    for (const text of ['', 'a', 'A B', 'Ä', 'A'.repeat(22)]) expect(() => rfReference(text)).toThrow('body');
  });

  it('are read back, and with one other character are not', () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.constantFrom(...ALPHABET), (text, place, other) => {
        const whole = rfReference(text);
        expect(parseRf(whole)).toBe(whole);
        // The rule itself, with numbers as large as it takes.
        const number = [...(whole.slice(4) + whole.slice(0, 4))].map((each) => Number.parseInt(each, 36)).join('');
        expect(BigInt(number) % 97n).toBe(1n);
        const at = 2 + (place % (whole.length - 2));
        // A letter is two digits and a digit is one; like for like is what the standard promises to see.
        fc.pre(whole[at] !== other && /\d/.test(whole[at] as string) === /\d/.test(other));
        expect(parseRf(whole.slice(0, at) + other + whole.slice(at + 1))).toBeNull();
      }),
    );
  });
});

test('a reference leads to its account and to no other of the same batch, or of another instant', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.integer({ min: 0, max: 5_000 }), (atMs, skipped) => {
      const ids = idSource(atMs);
      for (let i = 0; i < skipped; i++) ids.next('trf');
      const [one, two] = [ids.next('acct'), ids.next('acct')];
      const reference = depositReference(one);
      expect(reference).toHaveLength(18);
      expect(parseRf(reference)).toBe(reference);
      const { from, to } = accountRange(reference) ?? { from: '', to: '' };
      expect(from <= uuidOf(one) && uuidOf(one) <= to).toBe(true);
      expect(from <= uuidOf(two) && uuidOf(two) <= to).toBe(false);
      expect(isDepositOf(reference, one)).toBe(true);
      expect(isDepositOf(reference, two)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test('other references lead nowhere', () => {
  expect(accountRange('RF18539007547034')).toBeNull(); // valid, of somebody else
  expect(accountRange('RF00ABC')).toBeNull();
  expect(accountRange('')).toBeNull();
  expect(accountRange(depositReference(houseAccount('fees', 'EUR')))).not.toBeNull(); // a range without accounts
});
