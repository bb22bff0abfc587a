/** Decisions under limits, given / when / then: what counts, how much, on which day, and what is given back. */
import { describe, expect, it } from 'vitest';
import type { LimitUsage } from '../../core/limits.ts';
import type { StoredObject } from '../../core/objects.ts';
import { type Limit, NO_RULES, type PayoutRules } from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import { given } from '../../../test/support/harness/given.ts';
import { ACCOUNT, AT, account, idAt, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import type { StepPayout } from './connector-decide.ts';
import type { CreatePayout, PayoutOrder } from './decide.ts';
import type { CreateExchange } from '../../ledger/exchanges/decide.ts';

const LIMIT = idAt('lim', 1);
/** 500.00 EUR a day of the environment. */
const limit = (fields: Partial<Limit> = {}): Limit => ({
  id: LIMIT,
  currency: 'EUR',
  amount: 50_000n,
  count: null,
  per: 'environment',
  of: null,
  action: 'refuse',
  createdAt: AT,
  ...fields,
});
function limited(limits: readonly Limit[], objects: readonly StoredObject[] = [], rules: Partial<PayoutRules> = {}) {
  const world = given(account(), recipient(), ...objects);
  world.state.environment = { ...world.state.environment, payoutRules: { ...NO_RULES, ...rules, limits } };
  world.state.hasUsages = true;
  return world;
}
/** What is used of the limits, by limit and day. */
const used = (state: State, id = LIMIT) =>
  [...state.tables.limit_usage.values()]
    .filter((usage: LimitUsage) => usage.limit === id)
    .map(({ day, usedAmount, usedCount }) => [day, usedAmount, usedCount]);
const TODAY = '2026-03-14';
const pay = (fields: Partial<PayoutOrder> = {}): CreatePayout => ({
  type: 'create_payout',
  order: payoutOrder(fields),
  settlementDelayMs: 3000,
});
const pounds = account({ id: idAt('acct', 2), currency: 'GBP' });
const rate = { midRate: '1.25', markupBps: 0, source: 'sandbox', at: AT };
const pair = { sellCurrency: 'GBP', buyCurrency: 'EUR', rate } as const;
const exchange = (amount: bigint): CreateExchange => ({
  type: 'create_exchange',
  quote: null,
  ...pair,
  amount,
  fixedSide: 'sell',
  sellAccount: null,
  buyAccount: null,
  metadata: undefined,
});
const converted = (amount: bigint) =>
  pay({ amount, conversion: { account: null, quote: null, ...pair, amount, fixedSide: 'buy' } });
const inPounds = (fields: Partial<Limit> = {}) => limit({ currency: 'GBP', ...fields });

describe('what leaves', () => {
  it.each([
    ['an environment', inPounds()],
    ['an account', inPounds({ per: 'account', of: pounds.id })],
    ['each key', inPounds({ per: 'key' })],
  ])('%s is what is sold: by an exchange, and by a payout that is converted', (_, only) => {
    const one = limited([only], [pounds]).when(exchange(30_000n));
    expect(used(one.state)).toEqual([[TODAY, 30_000n, 0]]);
    const two = one.when(converted(20_000n)); // sells 160.00 GBP
    expect(used(two.state)).toEqual([[TODAY, 46_000n, 1]]);
    two.when(converted(5_001n)).thenRefuses('limit_exceeded', { available_minor: 4_000n, resource_id: LIMIT });
    two.when(exchange(4_001n)).thenRefuses('limit_exceeded', { available_minor: 4_000n });
    two.when(exchange(4_000n)).thenAccepts({});
  });

  it('in the bought currency is nothing, of the account that buys too', () => {
    const of = { amount: 1n, of: ACCOUNT, per: 'account' } as const;
    const done = limited([limit({ amount: 1n }), limit({ id: idAt('lim', 2), ...of })], [pounds]).when(
      exchange(1_000n),
    );
    done.thenAccepts({}).when(converted(1_000n)).thenAccepts({});
    expect(used(done.state)).toEqual([]);
  });

  it('to a recipient is what arrives', () => {
    const done = limited([limit({ per: 'recipient' }), inPounds({ id: idAt('lim', 2), per: 'recipient' })], [pounds]);
    const after = done.when(exchange(1_000n)).when(converted(20_000n));
    expect(used(after.state)).toEqual([[TODAY, 20_000n, 1]]);
    expect(used(after.state, idAt('lim', 2))).toEqual([]);
  });

  it('is refused where an exchange would have to wait for a second person; a count does not count it', () => {
    const holding = [
      inPounds({ action: 'hold' }),
      inPounds({ id: idAt('lim', 2), amount: null, count: 0, action: 'hold' }),
    ];
    const world = limited(holding, [pounds]);
    world.when(exchange(50_000n)).thenAccepts({}).when(exchange(1n)).thenRefuses('limit_exceeded');
  });
});

describe('what never left', () => {
  const step = (payout: string, to: StepPayout['to']): StepPayout => ({
    type: 'step_payout',
    payout,
    to,
    failureCode: to === 'failed' || to === 'returned' ? 'account_closed' : null,
    nextDelayMs: null,
  });
  const made = (world = limited([limit()])) => {
    const outcome = world.when(pay({ amount: 20_000n })).when(pay({ amount: 30_000n }));
    expect(used(outcome.state)).toEqual([[TODAY, 50_000n, 2]]);
    return { outcome, id: outcome.reply.id };
  };

  it('gives its share back: canceled, or failed before it left', () => {
    const { outcome, id } = made();
    outcome.when(pay({ amount: 1n })).thenRefuses('limit_exceeded');
    const canceled = outcome.when({ type: 'cancel_payout', payout: id });
    expect(used(canceled.state)).toEqual([[TODAY, 20_000n, 1]]);
    const again = canceled.when(pay({ amount: 30_000n })).when(pay({ amount: 1n }));
    again.thenRefuses('limit_exceeded');
    const other = made();
    expect(used(other.outcome.when(step(other.id, 'failed')).state)).toEqual([[TODAY, 20_000n, 1]]);
  });

  it('gives it back where it was rejected', () => {
    const world = limited([limit({ action: 'hold', amount: 20_000n })]);
    const { outcome, id } = made(world);
    const rejected = outcome.when({ type: 'reject_payout', payout: id, reason: null });
    expect(used(rejected.state)).toEqual([[TODAY, 20_000n, 1]]);
  });

  it('but not what failed or came back after it had left', () => {
    for (const to of ['failed', 'returned'] as const) {
      const { outcome, id } = made();
      const left = outcome.when(step(id, to === 'failed' ? 'in_transit' : 'paid')).when(step(id, to));
      left.thenAccepts({ now: { [id]: { status: to } } });
      expect(used(left.state)).toEqual([[TODAY, 50_000n, 2]]);
    }
  });

  it('gives back its count, but not what was sold for it: the exchange stands', () => {
    const outcome = limited([inPounds(), limit({ id: idAt('lim', 2), per: 'recipient' })], [pounds]).when(
      converted(20_000n),
    );
    const canceled = outcome.when({ type: 'cancel_payout', payout: outcome.reply.id });
    expect(used(canceled.state)).toEqual([[TODAY, 16_000n, 0]]);
    expect(used(canceled.state, idAt('lim', 2))).toEqual([[TODAY, 0n, 0]]);
  });

  it('of a limit that is gone, or that came later, changes nothing', () => {
    const { outcome, id } = made();
    const rules = outcome.state.environment.payoutRules ?? NO_RULES;
    outcome.state.environment = {
      ...outcome.state.environment,
      payoutRules: { ...rules, limits: [limit({ id: idAt('lim', 2) })] },
    };
    outcome.when({ type: 'cancel_payout', payout: id }).thenAccepts({ now: { [id]: { status: 'canceled' } } });
    expect(used(outcome.state, idAt('lim', 2))).toEqual([]);
  });
});
