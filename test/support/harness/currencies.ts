/** Worlds with limits in all currencies, at literal rates: an account and a recipient in each of three currencies. */
import { type Limit, NO_RULES, type PayoutRules } from '../../../src/core/payout-rules.ts';
import type { State } from '../../../src/core/state.ts';
import { valueIn } from '../../../src/ledger/exchanges/exposure.ts';
import { RateTable } from '../../../src/ledger/exchanges/rate-table.ts';
import type { CreateExchange } from '../../../src/ledger/exchanges/decide.ts';
import type { StepPayout } from '../../../src/paying/payouts/connector-decide.ts';
import type { CreatePayout, PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import type { Command } from '../../../src/write/slices.ts';
import { given } from './given.ts';
import { AT, account, dayLimit, idAt, payoutOrder, recipient } from './literals.ts';

const BALANCE = 10_000_000_000n;
export const EUROS = account({ balance: BALANCE });
export const YEN = account({ id: idAt('acct', 2), currency: 'JPY', balance: BALANCE });
const DINARS = account({ id: idAt('acct', 3), currency: 'KWD', balance: BALANCE });
const ACCOUNTS = [EUROS, YEN, DINARS] as const;
export const TO = [
  recipient(),
  recipient({ id: idAt('rcp', 2), currency: 'JPY', country: 'JP', bankDetails: { account_number: '1234567' } }),
  recipient({ id: idAt('rcp', 3), currency: 'KWD', country: 'KW', bankDetails: { account_number: '7654321' } }),
] as const;

/** Units per EUR as text. */
type Rates = Readonly<Record<string, string>>;
export const setRates = (state: State, rates: Rates | null, rounding: 'up' | 'down' = 'up') => {
  const table = rates && new RateTable({ source: 'test', base: 'EUR', markupBps: 0, rates });
  state.valueIn = (currency, money) => valueIn(currency, money, table, rounding);
};

export const limit = (fields: Partial<Limit> = {}): Limit =>
  dayLimit({ allCurrencies: true, amount: 100_000n, ...fields });
export function limited(limits: readonly Limit[], rates: Rates | null, rules: Partial<PayoutRules> = {}) {
  const world = given(...ACCOUNTS, ...TO);
  world.state.environment = { ...world.state.environment, payoutRules: { ...NO_RULES, ...rules, limits } };
  world.state.hasUsages = true;
  setRates(world.state, rates);
  return world;
}
export const pay = (which: 0 | 1 | 2, amount: bigint, fields: Partial<PayoutOrder> = {}): CreatePayout => ({
  type: 'create_payout',
  order: payoutOrder({ amount, currency: TO[which].currency, recipient: TO[which].id, ...fields }),
  settlementDelayMs: 3000,
});
export const cancel = (payout: string): Command => ({ type: 'cancel_payout', payout });
export const step = (payout: string, to: StepPayout['to']): StepPayout => ({
  type: 'step_payout',
  payout,
  to,
  failureCode: to === 'failed' || to === 'returned' ? 'account_closed' : null,
  nextDelayMs: null,
});
export const approve = (payout: string): Command => ({
  type: 'approve_payout',
  payout,
  fingerprint: null,
  settlementDelayMs: 3000,
  as: 'second_person',
});
const pair = {
  sellCurrency: 'EUR',
  buyCurrency: 'JPY',
  rate: { midRate: '150', markupBps: 0, source: 'test', at: AT },
};
export const sell = (amount: bigint): CreateExchange => ({
  type: 'create_exchange',
  quote: null,
  ...pair,
  amount,
  fixedSide: 'sell',
  sellAccount: EUROS.id,
  buyAccount: YEN.id,
  metadata: undefined,
});
export const converted = (amount: bigint, fields: Partial<PayoutOrder> = {}) =>
  pay(1, amount, { conversion: { account: EUROS.id, quote: null, ...pair, amount, fixedSide: 'buy' }, ...fields });
