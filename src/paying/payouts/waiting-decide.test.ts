/** Who may take the money of an account while payouts wait for it, given / when / then. All interleavings: `waiting-random-decide.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../../core/objects.ts';
import { NO_RULES } from '../../core/payout-rules.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { given, type Outcome } from '../../../test/support/harness/given.ts';
import { ACCOUNT, AT, account, idAt, payout, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import type { PayoutOrder } from './decide.ts';
import type { Payout } from './fields.ts';

const OLD = idAt('po', 1);
const YOUNG = idAt('po', 2);
const waiting = (fields: Partial<Payout> = {}) =>
  payout({
    status: 'waiting',
    transfer: null,
    amount: 60_000n,
    waitUntilOn: '2026-04-13',
    dueAt: AT + DAY_MS,
    ...fields,
  });
const crowded = (amount: string, count = 1, balance = 50_000n) => account({ balance, waiting: { count, amount } });
const create = (fields: Partial<PayoutOrder> = {}) =>
  ({ type: 'create_payout', order: payoutOrder(fields), settlementDelayMs: 3000 }) as const;
const fund = (id: string) => ({ type: 'fund_payout', payout: id, settlementDelayMs: 3000 }) as const;
const WAIT = { waiting: { until: null } };

/** A balance of 500.00 for which a payout of 600.00 waits. */
const inLine = (...more: readonly StoredObject[]) => given(crowded('60000'), recipient(), waiting(), ...more);
const passing = <T extends { readonly state: Outcome['state'] }>(outcome: T): T => {
  const { state } = outcome;
  state.environment = { ...state.environment, payoutRules: { ...NO_RULES, waitingPayouts: 'may_be_passed' } };
  return outcome;
};
const RULES = {
  type: 'update_payout_rules',
  frozen: undefined,
  holdNewRecipientsHours: undefined,
  holdBankAccounts: undefined,
  approvalsRequired: undefined,
  routes: undefined,
  timeZone: undefined,
} as const;

describe('in order, a new payout', () => {
  it('waits behind the older one, although the balance is enough for it', () =>
    void inLine()
      .when(create({ amount: 10_000n, ...WAIT }))
      .thenAccepts({
        reply: { status: 'waiting', transfer: null },
        transfers: [],
        events: ['payout.created'],
        now: { [ACCOUNT]: { balance: 50_000n, waiting: { count: 2, amount: '70000' } } },
      }));

  it('is refused where it may not wait, and told for whom the money is and what to do', () => {
    const outcome = inLine().when(create({ amount: 10_000n }));
    outcome.thenRefuses('balance_insufficient', { available_minor: 0n, resource_id: ACCOUNT });
    expect(outcome.refusal?.message).toBe(
      `Account ${ACCOUNT} holds 500.00 EUR, and 1 payout waits for 600.00 EUR of it, the oldest is ${OLD}: 0.00 EUR is free, 100.00 EUR is needed. Wait too with on_insufficient_funds=wait, cancel what waits, or let it be passed with waiting_payouts of the payout rules.`,
    );
  });

  it('is made where the balance is enough for all, and not for a cent more', () => {
    const one = () => given(crowded('60000', 1, 100_000n), recipient(), waiting());
    one()
      .when(create({ amount: 40_000n }))
      .thenAccepts({ reply: { status: 'pending' }, now: { [ACCOUNT]: { balance: 60_000n } } });
    one()
      .when(create({ amount: 40_001n }))
      .thenRefuses('balance_insufficient', { available_minor: 40_000n });
  });

  it.each<[string, Partial<PayoutOrder>]>([
    ['scheduled, because it is debited at once', { scheduledOn: '2026-03-20' }],
    ['instant', { speed: 'instant' }],
    ['of a standing order', { standingOrder: idAt('so', 1), scheduledOn: '2026-03-14' }],
  ])(
    'is refused as well if it is %s',
    (_, fields) =>
      void inLine()
        .when(create({ amount: 10_000n, ...fields }))
        .thenRefuses('balance_insufficient'),
  );

  it('is refused as well if a rule would hold it, because it is debited before it is approved', () => {
    const start = inLine(recipient({ createdAt: AT }));
    start.state.environment = {
      ...start.state.environment,
      payoutRules: { ...NO_RULES, holdNewRecipientsHours: 24 },
    };
    start.when(create({ amount: 10_000n })).thenRefuses('balance_insufficient');
    start
      .when(create({ amount: 10_000n, ...WAIT }))
      .thenAccepts({ reply: { status: 'waiting', release: { status: 'held' } } });
  });

  it('passes where it sends money back: a refund and a return are no new payments', () => {
    for (const back of [{ refundOf: idAt('pay', 1) }, { isReturn: true }])
      inLine()
        .when(create({ amount: 10_000n, ...back }))
        .thenAccepts({ reply: { status: 'pending' } });
  });

  it('of another account is not concerned', () =>
    void inLine(account({ id: idAt('acct', 2) }))
      .when(create({ amount: 10_000n, account: idAt('acct', 2) }))
      .thenAccepts({ reply: { status: 'pending' } }));

  it('needs what it says again once what waits is canceled', () =>
    void inLine()
      .when({ type: 'cancel_payout', payout: OLD })
      .thenAccepts({ reply: { status: 'canceled' }, now: { [ACCOUNT]: { waiting: null } } })
      .when(create({ amount: 50_000n }))
      .thenAccepts({ reply: { status: 'pending' } }));
});

describe('in order, a payout from another currency', () => {
  const POUNDS = idAt('acct', 2);
  const pounds = (amount: string) =>
    account({ id: POUNDS, currency: 'GBP', balance: 50_000n, waiting: { count: 1, amount } });
  const rate = { midRate: '1.25', markupBps: 0, source: 'sandbox', at: AT };
  const converted = create({
    amount: 12_500n,
    account: ACCOUNT,
    conversion: {
      account: POUNDS,
      quote: null,
      sellCurrency: 'GBP',
      buyCurrency: 'EUR',
      rate,
      amount: 12_500n,
      fixedSide: 'buy',
    },
  });
  it('is refused where payouts wait for the money that it sells', () =>
    void given(account(), pounds('40001'), recipient())
      .when(converted)
      .thenRefuses('balance_insufficient', { resource_id: POUNDS, available_minor: 9_999n }));
  it('is made where that account has enough for both', () =>
    void given(account(), pounds('40000'), recipient())
      .when(converted)
      .thenAccepts({ reply: { status: 'pending' } }));
  it('is made where others wait on the account through which its money goes: it takes nothing of that', () =>
    void given(crowded('60000'), account({ id: POUNDS, currency: 'GBP' }), recipient())
      .when(converted)
      .thenAccepts({ reply: { status: 'pending' }, now: { [ACCOUNT]: { balance: 50_000n } } }));
});

describe('what is no payout is not held back', () => {
  it('a transfer takes what payouts wait for', () =>
    void inLine(account({ id: idAt('acct', 2), balance: 0n }))
      .when({
        type: 'create_transfer',
        from: ACCOUNT,
        to: idAt('acct', 2),
        amount: '500.00',
        description: null,
        metadata: undefined,
      })
      .thenAccepts({ now: { [ACCOUNT]: { balance: 0n, waiting: { count: 1, amount: '60000' } } } }));
});

describe('a batch is its payouts one by one', () => {
  const batch = (orders: readonly PayoutOrder[], mode: 'atomic' | 'partial') =>
    ({
      type: 'create_payout_batch',
      orders,
      places: null,
      mode,
      externalId: null,
      metadata: undefined,
      settlementDelayMs: 3000,
    }) as const;
  const LARGE = payoutOrder({ amount: 60_000n, ...WAIT });
  const SMALL = payoutOrder({ amount: 10_000n });
  const empty = () => given(account({ balance: 50_000n }), recipient());
  it('one that waits holds back the next, and not the one before', () => {
    const statuses = (orders: readonly PayoutOrder[]) => {
      const { results } = empty().when(batch(orders, 'partial')).reply as unknown as {
        results: { status: string; payout?: Payout; refusal?: { code: string } }[];
      };
      return results.map(({ payout: made, refusal }) => made?.status ?? refusal?.code);
    };
    expect(statuses([SMALL, LARGE, SMALL])).toEqual(['pending', 'waiting', 'balance_insufficient']);
    expect(statuses([LARGE, { ...SMALL, ...WAIT }])).toEqual(['waiting', 'waiting']);
  });
  it('all or nothing names what is kept', () => {
    const outcome = empty().when(batch([LARGE, SMALL], 'atomic'));
    outcome.thenRefuses('batch_invalid');
    expect(outcome.refusal?.details.errors).toEqual([
      {
        index: 1,
        param: 'amount',
        code: 'balance_insufficient',
        message: `Account ${ACCOUNT} holds 500.00 EUR, and 600.00 EUR is kept for payouts that wait; the batch as a whole needs 100.00 EUR of it.`,
        account: ACCOUNT,
        available_minor: 0n,
        needed_minor: 10_000n,
      },
    ]);
  });
  it('with a fault and without money for it, the fault of the account tells of what is kept too', () => {
    const outcome = inLine().when(batch([{ ...SMALL, recipient: idAt('rcp', 9) }], 'atomic'));
    const errors = outcome.refusal?.details.errors ?? [];
    expect(errors.map(({ code }) => code)).toEqual(['resource_missing', 'balance_insufficient']);
    expect(errors[1]).toMatchObject({ available_minor: 0n });
  });
});

describe('a waiting payout gets its money', () => {
  /** 650.00 for 600.00 and 50.00, as they are loaded. */
  const both = (balance: bigint) => {
    const start = given(crowded('65000', 2, balance), recipient(), waiting(), waiting({ id: YOUNG, amount: 5_000n }));
    start.state.neededBefore.set(OLD, 0n).set(YOUNG, 60_000n);
    return start;
  };
  it('the older one first, then the younger', () =>
    void both(65_000n)
      .when(fund(OLD))
      .thenAccepts({
        events: ['balance.updated', 'payout.funded'],
        now: { [ACCOUNT]: { waiting: { count: 1, amount: '5000' } } },
      })
      .when(fund(YOUNG))
      .thenAccepts({ now: { [ACCOUNT]: { balance: 0n, waiting: null } } }));
  it('the younger one does not pass where money left since the worker looked', () =>
    void both(50_000n).when(fund(YOUNG)).thenRefuses('balance_insufficient', { available_minor: 0n }));
  it('nor where nobody looked what older ones need', () =>
    void given(crowded('65000', 2), recipient(), waiting(), waiting({ id: YOUNG, amount: 5_000n }))
      .when(fund(YOUNG))
      .thenRefuses('balance_insufficient'));
  it('the younger one goes on where the older is canceled in the same batch', () =>
    void both(50_000n)
      .when({ type: 'cancel_payout', payout: OLD })
      .when(fund(YOUNG))
      .thenAccepts({ reply: { status: 'pending' }, now: { [ACCOUNT]: { balance: 45_000n, waiting: null } } }));
  it('the younger one passes where that is the rule', () =>
    void passing(both(50_000n))
      .when(fund(YOUNG))
      .thenAccepts({ now: { [ACCOUNT]: { balance: 45_000n, waiting: { count: 1, amount: '60000' } } } }));
  it('counts its fees', () => {
    const fees = [{ rule: idAt('fee', 1), amount: 200n, currency: 'EUR', transfer: null, reversal: null }];
    const start = given(crowded('60200', 1, 60_200n), recipient(), waiting({ fees }));
    start.state.neededBefore.set(OLD, 0n);
    start.when(fund(OLD)).thenAccepts({ now: { [ACCOUNT]: { balance: 0n, waiting: null } } });
  });
});

describe('the rule', () => {
  it('lets new payouts pass, and is in the audit log', () => {
    const changed = inLine().when({ ...RULES, waitingPayouts: 'may_be_passed' });
    changed.thenAccepts({ events: ['payout_rules.updated'] });
    expect(changed.audits).toMatchObject([
      { action: 'payout_rules.updated', details: { waiting_payouts: ['in_order', 'may_be_passed'] } },
    ]);
    changed
      .when(create({ amount: 10_000n }))
      .thenAccepts({
        reply: { status: 'pending' },
        now: { [ACCOUNT]: { balance: 40_000n, waiting: { count: 1, amount: '60000' } } },
      })
      .when(create({ amount: 40_001n }))
      .thenRefuses('balance_insufficient', { available_minor: 40_000n })
      .when({ ...RULES, waitingPayouts: 'in_order' })
      .when(create({ amount: 10_000n }))
      .thenRefuses('balance_insufficient', { available_minor: 0n });
  });
});
