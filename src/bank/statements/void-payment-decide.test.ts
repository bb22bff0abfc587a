/** An entry that paid a payment, or an expected one, is voided: money, fee, payment and link are as before it, whatever the link was. Others: `void-decide.test.ts`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BANK, bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { given, type Outcome } from '../../../test/support/harness/given.ts';
import {
  account,
  ACCOUNT,
  apiKey,
  idAt,
  LINK,
  PAYMENT,
  payment,
  paymentLink,
} from '../../../test/support/harness/literals.ts';
import {
  agreed,
  approve,
  ask,
  askBack,
  assign,
  entriesIn,
  faultsOf,
  imported,
  line,
  ONE,
  onlyOf,
  OTHER,
  reason,
  sumsOf,
  tried,
  voided,
} from '../../../test/support/bank/voids.ts';
import { sideOfBankAccount } from '../../core/house-accounts.ts';
import { paymentStatus } from '../../core/payments.ts';
import type { Stored } from '../../core/objects.ts';
import type { State } from '../../core/state.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { type BankEntry, NOTHING_EXPLAINED } from './fields.ts';

const WHOLE = 25_000n;
const { reference } = payment();
const OTHER_PAYMENT = idAt('pay', 2);
const eva = { ...NOTHING_EXPLAINED, name: 'Eva', account: 'NL91ABNA0417164300' };
const credit = (amount: bigint, id = 'c1', explanation = eva) =>
  imported([line(1, { amount, references: [reference], explanation })], id);

/** 1 percent, and 0.10 with the first money. */
const FEE = {
  id: idAt('fee', 1),
  on: 'payment',
  currency: 'EUR',
  basisPoints: 100n,
  fixed: 10n,
  method: null,
  paymentLink: null,
  minimum: null,
  maximum: null,
};

interface Before {
  readonly link?: Partial<Stored['payment_link']>;
  readonly payment?: Partial<Stored['payment']>;
  readonly others?: readonly Stored['payment'][];
  readonly fee?: boolean;
  readonly held?: bigint;
}

function world({ link = {}, payment: paid = {}, others = [], fee = false, held = 0n }: Before = {}) {
  const one = payment(paid);
  const isOpen = one.status === 'pending' && one.failureCode === null;
  const begun = given(
    apiKey(1),
    apiKey(2),
    bankAccount(),
    account({ balance: held }),
    paymentLink({ openCount: isOpen ? 1 : 0, ...link }),
    one,
    ...others,
  );
  if (fee) begun.state.environment = { ...begun.state.environment, fees: [FEE as never] };
  return begun;
}

const paymentIn = ({ tables }: State, id = PAYMENT) => tables.payment.get(id) as Stored['payment'];
const linkIn = ({ tables }: State) => tables.payment_link.get(LINK) as Stored['payment_link'];
const balanceIn = ({ tables }: State) => (tables.account.get(ACCOUNT) as Stored['account']).balance;

describe('an entry that paid a payment', () => {
  it('is voided: the payment waits anew, and its link is open again, in one commit', () => {
    const paid = world().when(credit(WHOLE));
    paid.thenAccepts({
      now: { [PAYMENT]: { status: 'succeeded' }, [LINK]: { status: 'completed', paymentsCount: 1, openCount: 0 } },
    });
    const done = voided(paid);
    done.thenAccepts({
      transfers: [
        [ACCOUNT, 'unmatched', WHOLE, 'payment_void'],
        ['unmatched', sideOfBankAccount(BANK), WHOLE, 'bank_entry_void'],
      ],
      events: ['balance.updated', 'payment.updated', 'payment_link.updated', 'bank_entry.voided'],
      now: {
        [PAYMENT]: {
          status: 'pending',
          received: 0n,
          transfer: null,
          paidAt: null,
          failureCode: null,
          payerName: null,
          payerIban: null,
        },
        [LINK]: { status: 'active', endedAt: null, received: 0n, paymentsCount: 0, openCount: 1 },
        [ACCOUNT]: { balance: 0n },
      },
    });
    const [back] = done.transfers;
    expect(back).toMatchObject({ causeId: PAYMENT, description: reason });
    expect(onlyOf(done).assignments).toMatchObject([{ to: PAYMENT, undoneBy: back?.id }]);
    const { dueAt } = paymentIn(done.state);
    expect(dueAt).toBe((done.events[0]?.createdAt ?? 0) + 14 * DAY_MS);
    const said = Object.fromEntries(done.events.map(({ type, previous }) => [type, previous]));
    expect(said['payment.updated']).toEqual({ status: 'succeeded', amount_received_minor: 25_000 });
    expect(said['payment_link.updated']).toEqual({ status: 'completed', active: false });
    expect(faultsOf(done.state)).toEqual([]);
    const again = done.when(credit(WHOLE, 'c2'));
    again.thenAccepts({ now: { [PAYMENT]: { status: 'succeeded' }, [LINK]: { status: 'completed' } } });
  });

  it('counts again once two people agreed, and is assigned anew', () => {
    const done = voided(world().when(credit(WHOLE)));
    const back = agreed(done.when(askBack(onlyOf(done)), OTHER), ONE);
    back.thenAccepts({ events: ['bank_entry.unvoided'], now: { [PAYMENT]: { status: 'pending' } } });
    back.when(assign(onlyOf(back), PAYMENT)).thenAccepts({
      now: { [PAYMENT]: { status: 'succeeded', payerName: 'Eva' }, [LINK]: { status: 'completed' } },
    });
    expect(faultsOf(back.state)).toEqual([]);
  });

  it('gives the fee back that came with it, and needs only the rest', () => {
    const paid = world({ fee: true }).when(credit(WHOLE));
    expect(paymentIn(paid.state).fees).toMatchObject([{ amount: 260n, reversal: null }]);
    expect(balanceIn(paid.state)).toBe(WHOLE - 260n);
    const done = voided(paid);
    done.thenAccepts({
      transfers: [
        ['fees', ACCOUNT, 260n, 'payment_fee_reversal'],
        [ACCOUNT, 'unmatched', WHOLE, 'payment_void'],
        ['unmatched', sideOfBankAccount(BANK), WHOLE, 'bank_entry_void'],
      ],
      now: { [ACCOUNT]: { balance: 0n } },
    });
    expect(paymentIn(done.state).fees).toMatchObject([{ amount: 260n, reversal: done.transfers[0]?.id }]);
    expect(sumsOf(done.state).get('fees')).toBe(0n);
    // The next money is the first again, and pays the fixed part.
    expect(paymentIn(done.when(credit(WHOLE, 'c2')).state).fees).toMatchObject([{}, { amount: 260n, reversal: null }]);
  });

  it('gives back the fee of its own part, not of another', () => {
    const [first, second] = [10_000n, 15_000n];
    const parts = () => world({ fee: true }).when(credit(first)).when(credit(second, 'c2'));
    expect(paymentIn(parts().state).fees.map(({ amount }) => amount)).toEqual([110n, 150n]);
    const one = voided(parts(), 0);
    one.thenAccepts({
      now: { [PAYMENT]: { status: 'partially_paid', received: second }, [LINK]: { openCount: 1, paymentsCount: 0 } },
    });
    expect(paymentIn(one.state).fees.map(({ reversal }) => reversal !== null)).toEqual([true, false]);
    expect(balanceIn(one.state)).toBe(second - 150n);
    const other = voided(parts(), 1);
    expect(paymentIn(other.state).fees.map(({ reversal }) => reversal !== null)).toEqual([false, true]);
    // A fee that was not looked at, or that went back already, is not given back.
    voided(other, 0).thenAccepts({
      now: { [PAYMENT]: { status: 'pending', received: 0n }, [ACCOUNT]: { balance: 0n } },
    });
    expect(sumsOf(other.state).get('fees')).toBe(0n);
  });

  it('is refused with what is missing where its money was spent, and nothing moves', () => {
    const paid = world({ fee: true }).when(credit(WHOLE));
    const spent = {
      type: 'create_transfer',
      from: ACCOUNT,
      amount: '200.00',
      description: null,
      metadata: undefined,
    } as const;
    paid.state.put(account({ id: idAt('acct', 2), balance: 0n }));
    const less = paid.when({ ...spent, to: idAt('acct', 2) });
    less.thenAccepts({});
    const refused = voided(less);
    refused.thenRefuses('balance_insufficient', { available_minor: 4_740n, resource_id: ACCOUNT });
    expect(refused.refusal?.message).toContain('247.40 EUR is needed');
    expect(refused.refusal?.message).toContain('200.00 EUR is missing there.');
    expect(paymentIn(refused.state)).toMatchObject({ status: 'succeeded', received: WHOLE });
    expect(onlyOf(refused)).toMatchObject({ status: 'matched' });
  });

  it('is refused where a part of the payment went back to its payer', () => {
    const paid = world().when(credit(WHOLE));
    paid.state.put({ ...paymentIn(paid.state), refunded: 700n, refund: idAt('po', 1) });
    const refused = voided(paid);
    refused.thenRefuses('bank_assignment_final', { current_status: 'succeeded' });
    expect(refused.refusal?.message).toBe(
      `Of payment ${PAYMENT}, 7.00 EUR went back to the payer, so entry ${onlyOf(paid).id} cannot be voided.`,
    );
    // A refund that did not arrive is no refund, but who sent back has given up.
    paid.state.put({ ...paymentIn(paid.state), refunded: 0n });
    voided(paid).thenAccepts({
      events: ['balance.updated', 'payment.failed', 'payment_link.updated', 'bank_entry.voided'],
      now: {
        [PAYMENT]: { status: 'failed', failureCode: 'canceled', dueAt: null },
        [LINK]: { openCount: 0, status: 'active' },
      },
    });
  });

  it('is refused where what was looked at is not a payment', () => {
    const paid = world().when(credit(WHOLE));
    const asked = paid.when(ask(onlyOf(paid)), ONE);
    const seen = approve(asked.state, onlyOf(asked));
    const other = {
      ...seen,
      parts: seen.parts.map((part) => ({ ...part, payment: { id: idAt('pay', 9), fee: null } })),
    };
    asked.when(other, OTHER).thenRefuses('bank_assignment_final');
  });
});

describe('the payment', () => {
  const late = { status: 'failed', failureCode: 'expired', dueAt: null } as const;

  it.each<[string, Before, readonly bigint[], number, object, object]>([
    [
      'with one of two parts has the other',
      {},
      [10_000n, 15_000n],
      0,
      { status: 'partially_paid', received: 15_000n },
      { openCount: 1 },
    ],
    [
      'with a part waits anew',
      {},
      [10_000n],
      0,
      { status: 'pending', received: 0n },
      { openCount: 1, status: 'active' },
    ],
    [
      'that was overpaid has the rest',
      {},
      [10_000n, 20_000n],
      1,
      { status: 'partially_paid', received: 10_000n },
      { openCount: 1 },
    ],
    [
      'that had failed has failed again',
      { payment: late },
      [10_000n],
      0,
      { status: 'failed', failureCode: 'expired', dueAt: null },
      { openCount: 0 },
    ],
    [
      'that had failed and was paid late waits anew',
      { payment: late },
      [WHOLE],
      0,
      { status: 'pending', failureCode: null },
      { openCount: 1 },
    ],
  ])('%s', (_, before, amounts, index, after, link) => {
    let now: Outcome | undefined;
    for (const [n, amount] of amounts.entries()) now = (now ?? world(before)).when(credit(amount, `c${n}`));
    const done = voided(now as Outcome, index);
    done.thenAccepts({ now: { [PAYMENT]: after, [LINK]: { ...link, status: 'active', paymentsCount: 0 } } });
    expect(faultsOf(done.state)).toEqual([]);
  });

  it('that was paid late gives way to the one that its link waits for', () => {
    const waiting = payment({ id: OTHER_PAYMENT, reference: 'RF28K3W2M6R5T7XA1', token: 'other' });
    const before = { payment: late, others: [waiting], link: { openCount: 1 } };
    const paid = world(before).when(credit(WHOLE));
    paid.thenAccepts({ now: { [LINK]: { status: 'completed', openCount: 1 } } });
    voided(paid).thenAccepts({
      now: { [PAYMENT]: { status: 'failed', failureCode: 'canceled' }, [LINK]: { status: 'active', openCount: 1 } },
    });
    const parts = world(before).when(credit(10_000n)).when(credit(15_000n, 'c2'));
    voided(parts, 1).thenAccepts({
      events: ['balance.updated', 'payment.updated', 'payment_link.updated', 'bank_entry.voided'],
      now: { [PAYMENT]: { status: 'partially_paid', failureCode: 'canceled' }, [LINK]: { openCount: 1 } },
    });
    voided(parts, 0).thenAccepts({
      events: ['balance.updated', 'payment.failed', 'bank_entry.voided'],
      now: { [PAYMENT]: { status: 'failed', failureCode: 'canceled' }, [LINK]: { openCount: 1 } },
    });
  });

  it('forgets who paid where that is not known of the rest', () => {
    const otto = { ...eva, name: 'Otto' };
    const parts = () =>
      world()
        .when(credit(10_000n))
        .when(credit(5_000n, 'c2', otto));
    expect(paymentIn(parts().state).payerName).toBe('Otto');
    expect(paymentIn(voided(parts(), 0).state)).toMatchObject({ payerName: 'Otto', payerIban: eva.account });
    expect(paymentIn(voided(parts(), 1).state)).toMatchObject({ payerName: null, payerIban: null });
  });

  it('is reminded of anew', () => {
    const settings = { id: world().state.environment.id, object: 'settings', paymentReminderDays: 3 };
    const paid = world().when(credit(WHOLE));
    paid.state.put(settings as never);
    const done = voided(paid);
    expect(paymentIn(done.state).remindAt).toBe((done.events[0]?.createdAt ?? 0) + 3 * DAY_MS);
  });

  it('twice: the entry of the duplicate is voided, and the payment stays paid', () => {
    const twice = () => world({ fee: true }).when(credit(WHOLE)).when(credit(300n, 'c2'));
    const copyIn = ({ tables }: State) => [...tables.payment.values()].find(({ duplicateOf }) => duplicateOf !== null);
    const duplicate = copyIn(twice().state);
    expect(duplicate).toMatchObject({
      status: 'succeeded',
      received: 300n,
      duplicateOf: expect.stringMatching(/^pay_/),
    });
    const done = voided(twice(), 1);
    done.thenAccepts({
      events: ['balance.updated', 'balance.updated', 'payment.failed', 'bank_entry.voided'],
      now: {
        [PAYMENT]: { status: 'succeeded', received: WHOLE },
        [LINK]: { status: 'completed', received: WHOLE, paymentsCount: 1 },
        [ACCOUNT]: { balance: WHOLE - 260n },
      },
    });
    expect(copyIn(done.state)).toMatchObject({ status: 'failed', failureCode: 'canceled', received: 0n, paidAt: null });
    const first = voided(twice(), 0);
    first.thenAccepts({ now: { [PAYMENT]: { status: 'pending' }, [LINK]: { status: 'active', received: 300n } } });
    expect(copyIn(first.state)).toMatchObject({
      status: 'succeeded',
      received: 300n,
      duplicateOf: expect.stringMatching(/^pay_/),
    });
  });

  it('which a person named, and which was paid already: it is the duplicate that is taken back', () => {
    const twice = world()
      .when(credit(WHOLE))
      .when(imported([line(1, { amount: 300n })], 'c2'));
    const named = twice.when(assign(entriesIn(twice.state)[1] as BankEntry, PAYMENT));
    expect(entriesIn(named.state)[1]?.assignments).toMatchObject([{ to: PAYMENT }]);
    voided(named, 1).thenAccepts({
      now: { [PAYMENT]: { status: 'succeeded', received: WHOLE }, [LINK]: { received: WHOLE } },
    });
  });
});

describe('the link', () => {
  const AGO = 1;
  it.each<[string, Partial<Stored['payment_link']>, object]>([
    ['that was active is active', {}, { status: 'active', endedAt: null }],
    ['whose time is not over is active', { expiresAt: Number.MAX_SAFE_INTEGER }, { status: 'active' }],
    ['whose time is over has expired', { expiresAt: AGO }, { status: 'expired', endedAt: expect.any(Number) }],
    ['that had been canceled is canceled', { status: 'canceled', endedAt: AGO }, { status: 'canceled', endedAt: AGO }],
    ['that had expired has expired', { status: 'expired', endedAt: AGO }, { status: 'expired', endedAt: AGO }],
  ])('%s', (_, before, after) => {
    const paid = world({ link: before }).when(credit(WHOLE));
    paid.thenAccepts({ now: { [LINK]: { status: 'completed' } } });
    const done = voided(paid);
    done.thenAccepts({ now: { [LINK]: { ...after, endedAs: null } } });
    const said = done.events.filter(({ type }) => type.startsWith('payment_link.')).map(({ type }) => type);
    expect(said).toEqual([
      'expiresAt' in before && before.expiresAt === AGO ? 'payment_link.expired' : 'payment_link.updated',
    ]);
  });

  it('for several payments is open again below its limit only', () => {
    const reusable = { reusable: true, maxPayments: 2 };
    const one = world({ link: { ...reusable, paymentsCount: 1 } }).when(credit(WHOLE));
    one.thenAccepts({ now: { [LINK]: { status: 'completed', paymentsCount: 2 } } });
    voided(one).thenAccepts({ now: { [LINK]: { status: 'active', paymentsCount: 1, openCount: 1 } } });
    const over = world({ link: { ...reusable, paymentsCount: 2, status: 'completed', endedAt: AGO } }).when(
      credit(WHOLE),
    );
    over.thenAccepts({ now: { [LINK]: { status: 'completed', paymentsCount: 3 } } });
    voided(over).thenAccepts({ now: { [LINK]: { status: 'completed', paymentsCount: 2 } } });
  });
});

describe('an entry that paid an expected payment', () => {
  const XP = idAt('xp', 1);
  const reference = 'RF28K3W2M6R5T7XA1';
  const expected = (fields: Partial<Stored['expected_payment']> = {}): Stored['expected_payment'] => ({
    object: 'expected_payment',
    id: XP,
    account: ACCOUNT,
    amount: 500n,
    received: 0n,
    currency: 'EUR',
    status: 'open',
    reference,
    payerName: null,
    description: null,
    dueOn: '2026-03-20',
    dueAt: DUE_AT,
    transfer: null,
    paidAt: null,
    metadata: {},
    createdAt: 0,
    ...fields,
  });
  const DUE_AT = Date.UTC(2026, 2, 21);
  const credited = (amount: bigint, before = expected()) =>
    given(apiKey(1), apiKey(2), bankAccount(), account({ balance: 0n }), before).when(
      imported([line(1, { amount, references: [reference] })]),
    );
  const voidedIn = (done: Outcome) => agreed(done.when(ask(onlyOf(done)), ONE));

  it.each([
    ['all of it', 500n, {}, 'paid', { status: 'open', received: 0n, transfer: null, paidAt: null, dueAt: DUE_AT }],
    ['a part of it', 200n, {}, 'partially_paid', { status: 'open', received: 0n, transfer: null, dueAt: DUE_AT }],
    [
      'the rest of it',
      300n,
      { received: 200n, status: 'partially_paid' },
      'paid',
      { status: 'partially_paid', received: 200n, dueAt: DUE_AT },
    ],
    [
      'too much',
      300n,
      { received: 500n, status: 'paid', paidAt: 1, dueAt: null },
      'paid',
      { status: 'paid', received: 500n, paidAt: 1 },
    ],
    ['late', 200n, { status: 'overdue', dueAt: null }, 'overdue', { status: 'overdue', received: 0n, dueAt: null }],
  ] as const)('with %s: it is as before', (_, amount, before, status, after) => {
    const paid = credited(amount, expected(before));
    paid.thenAccepts({ now: { [XP]: { status } } });
    const done = voidedIn(paid);
    done.thenAccepts({
      transfers: [
        [ACCOUNT, 'unmatched', amount, 'bank_assignment'],
        ['unmatched', sideOfBankAccount(BANK), amount, 'bank_entry_void'],
      ],
      events: ['balance.updated', 'expected_payment.updated', 'bank_entry.voided'],
      now: { [XP]: after },
    });
    expect(faultsOf(done.state)).toEqual([]);
  });

  it('is refused with what is missing on the account of it', () => {
    const paid = credited(500n);
    const spent = paid.state.tables.account.get(ACCOUNT) as Stored['account'];
    paid.state.put({ ...spent, balance: 100n });
    const refused = voidedIn(paid);
    refused.thenRefuses('balance_insufficient', { available_minor: 100n, resource_id: ACCOUNT });
    expect(refused.refusal?.message).toContain('4.00 EUR is missing there.');
  });
});

describe('in any order of money, voids and what undoes them', () => {
  const step = fc.record({
    what: fc.constantFrom('pay', 'pay', 'void', 'unvoid', 'assign'),
    which: fc.nat(7),
    amount: fc.constantFrom(1n, 9_000n, WHOLE, 30_000n),
  });
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  /** What of payment and link is not as the entries say. */
  function faults(state: State): string[] {
    const link = linkIn(state);
    const all = [...state.tables.payment.values()];
    const brought = (to: string) =>
      entriesIn(state).reduce((sum, { assignments }) => {
        const parts = assignments.filter(({ undoneBy, transfer }) => {
          const moved = state.transfers.find(({ id }) => id === transfer);
          return undoneBy === null && moved?.causeId === to;
        });
        return parts.reduce((total, part) => total + part.amount, sum);
      }, 0n);
    const kept = all.flatMap(({ fees }) => fees).filter(({ reversal }) => reversal === null);
    const isPaid = (each: Stored['payment']) => each.duplicateOf === null && each.received >= each.amount;
    const checks = {
      'payments received what entries brought': all.every((each) => each.received === brought(each.id)),
      'states are those of the sums': all.every((each) => each.status === paymentStatus(each)),
      'a payment waits for an instant while it is pending': all.every(
        (each) => (each.dueAt !== null) === (each.status === 'pending'),
      ),
      'it is paid at an instant while it is paid': all.every(
        (each) => (each.paidAt !== null) === each.received >= each.amount,
      ),
      'it has a transfer while it has money': all.every((each) => (each.transfer !== null) === each.received > 0n),
      'the link counts its payments': link.paymentsCount === all.filter(isPaid).length,
      'and those that wait':
        link.openCount ===
        all.filter(
          ({ status, failureCode }) => (status === 'pending' || status === 'partially_paid') && failureCode === null,
        ).length,
      'and their money': link.received === all.reduce((sum, { received }) => sum + received, 0n),
      'it is completed while one is paid': (link.status === 'completed') === link.paymentsCount >= 1,
      'it has ended while it is not active': (link.status === 'active') === (link.endedAt === null),
      'fees are those that were kept':
        (sumsOf(state).get('fees') ?? 0n) === kept.reduce((sum, { amount }) => sum + amount, 0n),
    };
    return [...faultsOf(state), ...Object.entries(checks).flatMap(([name, isSo]) => (isSo ? [] : name))];
  }

  function run(steps: readonly Step[], after: (state: State) => void): number {
    const [first, ...others] = steps;
    let now = world({ fee: true }).when(credit(first?.amount ?? 1n, 'c'));
    let voids = 0;
    for (const [n, { what, which, amount }] of others.entries()) {
      const entry = entriesIn(now.state)[which % entriesIn(now.state).length] as BankEntry;
      if (what === 'pay') now = now.when(credit(amount, `c${n}`));
      else if (what === 'assign') now = now.when(assign(entry, PAYMENT));
      else {
        now = tried(now, what === 'void' ? ask(entry) : askBack(entry));
        voids += now.transfers.filter(({ cause }) => cause === 'payment_void').length;
      }
      after(now.state);
    }
    return voids;
  }
  const steps = fc.array(step, { minLength: 5, maxLength: 20 });

  it('payment, link, fees and books agree with the entries', () => {
    let voids = 0;
    fc.assert(fc.property(steps, (all) => void (voids += run(all, (state) => expect(faults(state)).toEqual([])))));
    expect(voids).toBeGreaterThan(50);
  });

  it('control: a void that forgets payment and link is noticed', () => {
    const paid = world({ fee: true }).when(credit(WHOLE));
    const [before, link] = [paymentIn(paid.state), linkIn(paid.state)];
    const done = voided(paid);
    expect(faults(done.state)).toEqual([]);
    done.state.put(before);
    done.state.put(link);
    expect(faults(done.state)).toEqual(['payments received what entries brought', 'fees are those that were kept']);
  });
});
