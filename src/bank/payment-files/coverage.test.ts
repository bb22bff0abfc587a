/** What bank accounts do not cover. Of a whole export: `payroll.soak.test.ts`. */
import { expect, it } from 'vitest';
import { BANK, bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { shortfallsOf } from './coverage.ts';

const known = bankAccount({ balance: 1_000n, booksFrom: '2026-03-01' });
const of = (leaving: bigint, underWay: bigint, account = known) =>
  shortfallsOf([account], { leaving: new Map([[BANK, leaving]]), underWay: new Map([[BANK, underWay]]) });

it('is the sum that is missing once all is booked that has left or is to leave', () => {
  expect(of(600n, 400n)).toEqual([]);
  expect(of(600n, 401n)).toEqual([{ bankAccount: BANK, currency: 'EUR', balance: 1_000n, missing: 1n }]);
  expect(of(1n, 0n, { ...known, balance: -5n })).toMatchObject([{ balance: -5n, missing: 6n }]);
});
it('is not said of an account of which no statement came, nor of one from which nothing is to leave', () => {
  expect(of(600n, 401n, { ...known, booksFrom: null })).toEqual([]);
  expect(shortfallsOf([known], { leaving: new Map(), underWay: new Map([[BANK, 2_000n]]) })).toEqual([]);
});
