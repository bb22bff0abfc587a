/** Which bank account pays, and what is left there. */
import { expect, it } from 'vitest';
import { leftAtBanks, type PayingBank, payingBanks } from './paying.ts';

const bank = (id: string, more: Partial<PayingBank> = {}): PayingBank => ({
  id,
  name: `Bank ${id}`,
  holder: 'Engines Ltd',
  currency: 'EUR',
  balance: 100_000,
  created: 10,
  status: 'open',
  uses: ['payouts'],
  ...more,
});
const total = (currency: string, minor: number) => ({
  currency,
  payouts_count: 2,
  amount_minor: minor,
  fees_minor: 5,
  held_count: 0,
});

const BANKS = payingBanks([
  bank('b'),
  bank('closed', { status: 'closed', created: 1 }),
  bank('in', { uses: ['collections'], created: 1 }),
  bank('a', { created: 5, name: null, balance: 9_007_199_254_740_991 }),
  bank('gbp', { currency: 'GBP', balance: 10 }),
]);

it('the oldest open one that pays, unless another one of the currency is chosen', () => {
  expect(BANKS.map(({ id }) => id)).toEqual(['a', 'b', 'gbp']);
  const named = (chosen: string) => leftAtBanks([total('EUR', 1)], BANKS, chosen).map(({ name }) => name);
  expect([named(''), named('b'), named('gbp'), named('closed')]).toEqual([
    ['Engines Ltd'],
    ['Bank b'],
    ['Engines Ltd'],
    ['Engines Ltd'],
  ]);
});

it('what is left is exact, below zero too, by currency, without fees, and not said where no bank pays', () => {
  expect(leftAtBanks([total('EUR', 1), total('GBP', 25), total('JPY', 3)], BANKS, '')).toEqual([
    { name: 'Engines Ltd', currency: 'EUR', before: 9_007_199_254_740_991n, after: 9_007_199_254_740_990n },
    { name: 'Bank gbp', currency: 'GBP', before: 10n, after: -15n },
  ]);
});
