/**
 * Limits in all currencies, given / when / then: values in currencies of none, two and three decimals, what is given back after a rate has
 * moved, and what is refused without one. A random life: `limits-currencies-random-decide.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { NO_RULES, rulesFromJson, rulesToJson } from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import { MAX_AMOUNT_MINOR } from '../../core/values/money.ts';
import type { Command } from '../../write/slices.ts';
import {
  approve,
  cancel,
  converted,
  EUROS,
  limit,
  limited,
  pay,
  sell,
  setRates,
  step,
  TO,
  YEN,
} from '../../../test/support/harness/currencies.ts';
import { AT, idAt, LIMIT } from '../../../test/support/harness/literals.ts';

const used = ({ tables }: State, id = LIMIT) =>
  [...tables.limit_usage.values()].filter(({ limit: of }) => of === id).map((usage) => usage.usedAmount);
const RATES = { JPY: '160', KWD: '0.36', USD: '1.10' };

describe('a value', () => {
  it.each([
    ['EUR', 1, 1n, 1n], // 1 JPY is 0.00625 EUR
    ['EUR', 1, 160n, 100n],
    ['EUR', 1, 161n, 101n], // 1.00625 EUR
    ['EUR', 2, 360n, 100n], // 0.360 KWD
    ['EUR', 2, 1n, 1n], // 0.001 KWD is 0.0027… EUR
    ['JPY', 0, 1n, 2n], // 0.01 EUR is 1.6 JPY
    ['JPY', 0, 10n, 16n],
    ['JPY', 2, 360n, 160n],
    ['KWD', 0, 1n, 4n], // 0.01 EUR is 0.0036 KWD
    ['KWD', 1, 160n, 360n],
    ['USD', 0, 10_000n, 11_000n],
    ['EUR', 0, 12_345n, 12_345n],
  ] as const)('in %s, of %i: %i minor units count as %i', (currency, which, amount, counted) => {
    const { state } = limited([limit({ currency })], RATES).when(pay(which, amount));
    expect(used(state)).toEqual([counted]);
  });

  it('is exact in the own currency, which needs no rate', () => {
    const world = limited([limit({ amount: 12_345n })], null);
    expect(used(world.when(pay(0, 12_345n)).state)).toEqual([12_345n]);
    world.when(pay(0, 1n)).thenRefuses('limit_exceeded', { available_minor: 0n });
  });

  it('that passes the limit is refused, and the message says the value and the money', () => {
    const world = limited([limit({ amount: 10_000n })], RATES);
    const refused = world.when(pay(1, 12_000n)).when(pay(1, 4_001n));
    refused.thenRefuses('limit_exceeded', { available_minor: 2_500n, resource_id: LIMIT });
    expect(refused.refusal?.message).toBe(
      `Limit ${LIMIT} (per environment and day) would be passed: 75.00 EUR of 100.00 EUR are used today, and this one is over 25.01 EUR (4001 JPY). Send less, or wait for the next day.`,
    );
    refused.when(pay(1, 4_000n)).thenAccepts({});
  });

  it('is held where the limit holds, and counts at the rate of its approval', () => {
    const outcome = limited([limit({ amount: 100n, action: 'hold' })], RATES).when(pay(1, 16_000n));
    outcome.thenAccepts({ reply: { release: { status: 'held', reasons: [LIMIT] }, shares: null } });
    setRates(outcome.state, { JPY: '100' });
    expect(used(outcome.when(approve(outcome.reply.id)).state)).toEqual([16_000n]);
  });

  it('of more than any limit counts as just that, so that sums stay numbers of the database', () => {
    const rich = limited([limit({ currency: 'JPY', amount: MAX_AMOUNT_MINOR })], { JPY: '1000000000' });
    rich.when(pay(0, 999_999_999n)).thenRefuses('limit_exceeded');
    const holding = limited([limit({ currency: 'JPY', amount: 1n, action: 'hold' })], { JPY: '1000000000' });
    const outcome = holding.when(pay(0, 999_999_999n));
    expect(used(outcome.when(approve(outcome.reply.id)).state)).toEqual([MAX_AMOUNT_MINOR + 1n]);
  });
});

describe('whose money it is', () => {
  it.each([
    ['environment', null],
    ['key', null],
    ['account', YEN.id],
    ['recipient', TO[1].id],
  ] as const)('a limit per %s values what leaves or arrives', (per, of) => {
    const world = limited([limit({ per, of })], RATES);
    const outcome = world.when(pay(1, 1_600n));
    expect(used(outcome.state)).toEqual([1_000n]);
    const another = outcome.when(pay(2, 360n));
    expect(used(another.state)).toEqual([of === null ? 1_100n : 1_000n]);
  });

  it('an exchange leaves only its account: what was bought counts when it is paid', () => {
    const limits = [limit(), limit({ id: idAt('lim', 2), per: 'key' }), limit({ id: idAt('lim', 3), per: 'account' })];
    const world = limited(limits, RATES);
    const sold = world.when(sell(10_000n)).thenAccepts({});
    expect(limits.map(({ id }) => used(sold.state, id))).toEqual([[], [], [10_000n]]);
    const paid = sold.when(converted(15_000n));
    expect(limits.map(({ id }) => used(paid.state, id))).toEqual([[9_375n], [9_375n], [20_000n, 0n]]);
    const canceled = paid.when(cancel(paid.reply.id));
    expect(limits.map(({ id }) => used(canceled.state, id))).toEqual([[0n], [0n], [20_000n, 0n]]);
  });
});

describe('after the rate has moved', () => {
  it.each([
    ['canceled', cancel],
    ['failed', (payout: string) => step(payout, 'failed')],
  ])('a payout that is %s gives back exactly what was counted', (_, end) => {
    const outcome = limited([limit()], RATES).when(pay(1, 1_600n));
    const other = outcome.when(pay(1, 3_200n));
    expect(used(other.state)).toEqual([3_000n]);
    setRates(other.state, { JPY: '80' });
    expect(used(other.when(end(outcome.reply.id)).state)).toEqual([2_000n]);
    expect(used(other.when(pay(1, 1_600n)).state)).toEqual([4_000n]);
  });

  it('or is not known any more, it gives back the same, and one that was counted leaves', () => {
    const outcome = limited([limit({ createdAt: AT - 1 })], RATES).when(pay(1, 1_600n));
    const other = outcome.when(pay(1, 3_200n));
    setRates(other.state, null);
    const left = other.when(step(outcome.reply.id, 'in_transit')).thenAccepts({ reply: { status: 'in_transit' } });
    expect(used(left.when(cancel(other.reply.id)).state)).toEqual([1_000n]);
  });
});

describe('without a rate', () => {
  it.each(['refuse', 'hold'] as const)(
    'a payout is refused, also by a limit with action=%s, and nothing is done',
    (action) => {
      const world = limited([limit({ action })], { KWD: '0.36' });
      const refused = world.when(pay(1, 1n)).thenRefuses('rate_unavailable', { resource_id: LIMIT });
      expect(refused.refusal?.message).toBe(
        `Limit ${LIMIT} counts all currencies in EUR, and no rate from JPY to EUR is known to value this one at.`,
      );
      expect(used(refused.state)).toEqual([]);
      refused.when(pay(2, 1n)).thenAccepts({});
    },
  );

  it('an exchange is refused by a limit of its account, and a payout elsewhere is not', () => {
    const world = limited([limit({ currency: 'KWD', per: 'account', of: EUROS.id })], null);
    world.when(sell(1n)).thenRefuses('rate_unavailable');
    world.when(pay(1, 1n)).thenAccepts({});
  });

  it('a waiting payout goes on waiting, and a held one stays held', () => {
    const rules = { holdNewRecipientsHours: 720 };
    const outcome = limited([limit()], RATES, rules).when(pay(1, 1_600n));
    outcome.thenAccepts({ reply: { release: { status: 'held' } } });
    setRates(outcome.state, null);
    outcome.when(approve(outcome.reply.id)).thenRefuses('rate_unavailable');
    const waiting = limited([limit()], RATES);
    waiting.state.put({ ...YEN, balance: 0n });
    const waits = waiting.when(pay(1, 1_600n, { waiting: { until: null } }));
    waits.state.put(YEN);
    setRates(waits.state, null);
    const fund: Command = { type: 'fund_payout', payout: waits.reply.id, settlementDelayMs: 3000 };
    waits.when(fund).thenRefuses('rate_unavailable');
    setRates(waits.state, RATES);
    waits.when(fund).thenAccepts({ reply: { status: 'pending' } });
  });

  it('a count alone needs none', () => {
    limited([limit({ currency: null, amount: null, count: 1 })], null)
      .when(pay(1, 1n))
      .thenAccepts({});
  });
});

it('a limit that was stored before says whether it is in all currencies', () => {
  const { allCurrencies: _, ...old } = limit();
  const stored = (fields: object) => JSON.stringify({ limits: [{ ...old, amount: '1', ...fields }] });
  const said = (json: string) => rulesFromJson(json).limits.map((each) => each.allCurrencies);
  expect(said(stored({}))).toEqual([false]);
  expect(said(stored({ currency: null }))).toEqual([true]);
  expect(said(rulesToJson({ ...NO_RULES, limits: [limit()] }))).toEqual([true]);
});
