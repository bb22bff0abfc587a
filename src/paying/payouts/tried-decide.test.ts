/**
 * What a dry run says beside its payouts. Random batches: sums are those of the payouts, to the cent, and accounts lose what they say. The
 * controls are sums that forget the fees, and one that adds numbers as JavaScript does.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { ACCOUNT, AT, account, idAt, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import { type CreatePayoutBatch, repeatedIn, totalsOf } from './batch.ts';
import type { PayoutOrder } from './decide.ts';
import type { ItemResult, Payout, TriedBatch } from './fields.ts';

const BOB = idAt('rcp', 5);
const TOMORROW = isoDay(AT + DAY_MS);
const batch = (orders: readonly PayoutOrder[], more: Partial<CreatePayoutBatch> = {}): CreatePayoutBatch => ({
  type: 'create_payout_batch',
  orders,
  places: null,
  externalId: null,
  mode: 'atomic',
  metadata: undefined,
  settlementDelayMs: null,
  tried: { seesBalances: true },
  ...more,
});

function tryOut(orders: readonly PayoutOrder[], more: Partial<CreatePayoutBatch> = {}) {
  const outcome = given(account(), recipient(), recipient({ id: BOB })).when(batch(orders, more));
  if (outcome.reply.object !== 'payout_batch_results') throw new Error('a batch answers with results');
  return { tried: outcome.reply.tried, results: outcome.reply.results };
}
const triedOf = (orders: readonly PayoutOrder[], more: Partial<CreatePayoutBatch> = {}) =>
  tryOut(orders, more).tried as TriedBatch;

describe('a batch that is tried', () => {
  it('has sums by currency, and what becomes of the account', () => {
    expect(triedOf([payoutOrder({ amount: 60_000n }), payoutOrder({ amount: 1n })])).toEqual({
      totals: [{ currency: 'EUR', count: 2, amount: 60_001n, fees: 0n, heldCount: 0, heldBy: [] }],
      accounts: [{ account: ACCOUNT, currency: 'EUR', before: 100_000n, after: 39_999n }],
      repeated: [],
    });
  });
  it('says nothing of balances to who may not see them', () => {
    expect(triedOf([payoutOrder({ amount: 1n })], { tried: { seesBalances: false } }).accounts).toBeNull();
  });
  it('counts in partial mode only what would be made', () => {
    const tried = triedOf([payoutOrder({ amount: 5n }), payoutOrder({ amount: 6n, recipient: idAt('rcp', 9) })], {
      mode: 'partial',
    });
    expect(tried.totals).toMatchObject([{ count: 1, amount: 5n }]);
    expect(tried.accounts).toMatchObject([{ before: 100_000n, after: 99_995n }]);
  });
  it('is nothing of a batch that is made', () => {
    expect(tryOut([payoutOrder({ amount: 1n })], { tried: null }).tried).toBeNull();
  });
});

describe('a row that stands twice', () => {
  const order = (fields: Partial<PayoutOrder> = {}) => payoutOrder({ amount: 5n, ...fields });
  it('is named with the first, whatever its reference', () => {
    const orders = [order(), order({ reference: 'November' }), order({ recipient: BOB }), order()];
    expect(triedOf(orders).repeated).toEqual([
      { index: 1, first: 0 },
      { index: 3, first: 0 },
    ]);
  });
  it('is none with another amount, to somebody else, or on another day', () => {
    const orders = [order(), order({ amount: 6n }), order({ recipient: BOB }), order({ scheduledOn: TOMORROW })];
    expect(triedOf(orders).repeated).toEqual([]);
  });
  it('is none where the row before it was rejected', () => {
    const rejected: ItemResult = {
      status: 'rejected',
      refusal: { code: 'parameter_invalid', message: '', details: {} },
    };
    const [made] = tryOut([order()]).results as [ItemResult];
    expect(repeatedIn([rejected, made, rejected, made])).toEqual([{ index: 3, first: 1 }]);
  });
});

describe('random batches', () => {
  const fee = fc.bigInt(1n, 10n ** 6n);
  const payout = fc.record({
    currency: fc.constantFrom('EUR', 'JPY', 'USD'),
    amount: fc.bigInt(1n, 999_999_999_999_999n),
    fees: fc.array(fee, { maxLength: 2 }),
    held: fc.boolean(),
  });
  type Sums = (payouts: readonly Payout[]) => readonly { currency: string; amount: bigint; fees: bigint }[];
  /** That the sums of all currencies are those of all payouts, and each currency has what is its own. */
  const holds = (sums: Sums) =>
    fc.check(
      fc.property(fc.array(payout, { maxLength: 40 }), (given) => {
        const payouts = given.map(({ fees, held, ...each }) => ({
          ...each,
          fees: fees.map((amount) => ({ amount })),
          release: held ? { status: 'held', reasons: ['new_recipient'] } : null,
        })) as unknown as readonly Payout[];
        const totals = sums(payouts);
        let left = payouts.length;
        for (const { currency, amount, fees } of totals) {
          const own = given.filter((each) => each.currency === currency);
          let [needed, charged] = [0n, 0n];
          for (const each of own) {
            needed += each.amount;
            for (const one of each.fees) charged += one;
          }
          left -= own.length;
          if (amount !== needed || fees !== charged) return false;
        }
        return left === 0;
      }),
    ).failed;

  it('have sums that come to the cent', () => {
    expect(holds(totalsOf)).toBe(false);
  });
  it('control: sums without fees, or in floating point, do not', () => {
    expect(holds((payouts) => totalsOf(payouts).map((each) => ({ ...each, fees: 0n })))).toBe(true);
    const inexact = (value: bigint) => BigInt(Math.fround(Number(value)));
    expect(holds((payouts) => totalsOf(payouts).map((each) => ({ ...each, amount: inexact(each.amount) })))).toBe(true);
  });
  it('take from the account what they say', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 2_000n), { minLength: 1, maxLength: 40 }), (amounts) => {
        const { totals, accounts } = triedOf(amounts.map((amount) => payoutOrder({ amount })));
        const [total] = totals as [TriedBatch['totals'][number]];
        const [{ before, after }] = accounts as unknown as [{ before: bigint; after: bigint }];
        return before - after === total.amount + total.fees && total.count === amounts.length;
      }),
    );
  });
});
