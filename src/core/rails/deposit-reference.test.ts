import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountRange, depositReference, isDepositOf } from './deposit-reference.ts';
import { parseRf } from './creditor-reference.ts';
import { houseAccount } from '../house-accounts.ts';
import { idSource, uuidOf } from '../values/ids.ts';

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
