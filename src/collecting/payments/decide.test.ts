/** Decisions about payments, given / when / then: start, money in every state, failure, sessions. Refunds: `refund.test.ts`. */
import { describe, expect, it } from 'vitest';
import { MAX_BALANCE_MINOR, MAX_HELD_MINOR } from '../../core/values/money.ts';
import type { Payment, PaymentLink, PaymentStatus } from './fields.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { given } from '../../../test/support/harness/given.ts';
import {
  ACCOUNT,
  AT,
  account,
  BEFORE,
  idAt,
  LINK,
  PAYMENT,
  payment,
  paymentLink,
} from '../../../test/support/harness/literals.ts';
import {
  type FailPayment,
  PATIENCE_MS,
  type PayPaymentLink,
  type ReceivePayment,
  type StartPayment,
} from './decide.ts';

const IBAN = 'DE89370400440532013000';
const PAYER = { payerName: 'Grace Hopper', payerIban: IBAN };
const TRANSFER = idAt('trf', 7);
const REFUND = idAt('po', 7);
const SESSION = 'cs_1';

const start = (fields: Partial<StartPayment> = {}): StartPayment => ({
  type: 'start_payment',
  link: LINK,
  method: 'bank_transfer',
  amount: null,
  token: 'new token',
  reference: 'RF45G72UUR',
  ...fields,
});
const receive = (amount: bigint, fields: Partial<ReceivePayment> = {}): ReceivePayment => ({
  type: 'receive_payment',
  payment: PAYMENT,
  method: 'bank_transfer',
  session: null,
  amount,
  ...PAYER,
  ...fields,
});
const card = (amount: bigint, session = SESSION): ReceivePayment =>
  receive(amount, { method: 'card', session, payerIban: null });
const pay = (amount: string | null = null, fields: Partial<PayPaymentLink['start']> = {}): PayPaymentLink => {
  const { type: _, amount: __, ...rest } = start(fields);
  return { type: 'pay_payment_link', start: rest, amount, ...PAYER };
};
const fail = (reason: FailPayment['reason'], session: string | null = null) =>
  ({ type: 'fail_payment', payment: PAYMENT, reason, session }) as const;
const attach = (session: string) => ({ type: 'attach_session', payment: PAYMENT, session }) as const;

/** A payment that has received this, as its link counts it. */
function received(amount: bigint, fields: Partial<Payment> = {}): Payment {
  const paid = amount >= 25_000n;
  const status = amount > 25_000n ? 'overpaid' : paid ? 'succeeded' : 'partially_paid';
  const came = { received: amount, transfer: TRANSFER, paidAt: paid ? BEFORE : null, ...PAYER };
  return payment({ ...came, status, ...fields });
}
const waitingLink = (fields: Partial<PaymentLink> = {}) => paymentLink({ openCount: 1, ...fields });
const paidLink = (fields: Partial<PaymentLink> = {}) =>
  paymentLink({ status: 'completed', paymentsCount: 1, received: 25_000n, ...fields });

describe('start_payment', () => {
  it('makes a payment that waits for its money for fourteen days', () => {
    const outcome = given(account(), paymentLink()).when(start());
    outcome.thenAccepts({
      reply: {
        link: LINK,
        token: 'new token',
        reference: 'RF45G72UUR',
        account: ACCOUNT,
        method: 'bank_transfer',
        currency: 'EUR',
        amount: 25_000n,
        received: 0n,
        refunded: 0n,
        status: 'pending',
        session: null,
        transfer: null,
        dueAt: AT + PATIENCE_MS,
        paidAt: null,
        createdAt: AT,
      },
      transfers: [],
      events: ['payment.pending'],
      now: { [LINK]: { openCount: 1, paymentsCount: 0, received: 0n, status: 'active' } },
    });
    expect(PATIENCE_MS).toBe(14 * DAY_MS);
    expect(outcome.events[0]).toMatchObject({ object: outcome.reply, previous: null });
  });

  it('goes on with the one payment of a link for one payment', () => {
    for (const [link, waiting, amount] of [
      [{}, payment(), 1n],
      [{ amount: null }, payment(), null],
      [{ amount: null }, received(100n), 1n],
    ] as const) {
      given(account(), waitingLink(link), waiting)
        .when(start({ amount }))
        .thenAccepts({ reply: { id: PAYMENT, token: 'token of the payment', amount: 25_000n }, events: [] });
    }
  });

  it('lets nobody choose the amount of another: who chooses anew takes the place of what has no money', () => {
    const stranger = payment({ amount: 1n });
    const waiting = given(account(), waitingLink({ amount: null, minimum: 1n }), stranger);
    waiting.when(start({ amount: 0n })).thenRefuses('amount_too_small');
    const honest = waiting.when(start({ amount: 10_000n }));
    honest.thenAccepts({
      reply: { amount: 10_000n, token: 'new token', reference: 'RF45G72UUR', status: 'pending' },
      transfers: [],
      events: ['payment.failed', 'payment.pending'],
      now: { [PAYMENT]: { status: 'failed', failureCode: 'canceled', dueAt: null }, [LINK]: { openCount: 1 } },
    });
    const { id } = honest.reply as Payment;
    honest.when({ ...receive(10_000n), payment: id }).thenAccepts({
      reply: { id, status: 'succeeded', received: 10_000n },
      now: { [LINK]: { status: 'completed', paymentsCount: 1, openCount: 0, received: 10_000n } },
    });
  });

  it('takes the money of who was replaced as that of the payment and the amount that they were shown', () => {
    const sent = payment({ method: 'card', session: SESSION });
    const replaced = given(account(), waitingLink({ amount: null }), sent).when(start({ amount: 1n }));
    replaced.when(attach('cs_2')).thenAccepts({ reply: { id: PAYMENT, session: 'cs_2', amount: 25_000n } });
    const paid = replaced.when(card(25_000n));
    paid.thenAccepts({
      reply: { id: PAYMENT, amount: 25_000n, received: 25_000n, status: 'succeeded', failureCode: null },
      transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
      now: { [LINK]: { status: 'completed', paymentsCount: 1, openCount: 1, received: 25_000n } },
    });
    paid.when(card(25_000n)).thenAccepts({ reply: { id: PAYMENT }, transfers: [], events: [] });
  });

  it('lets who comes back pay another way, until something came', () => {
    const outcome = given(account(), waitingLink(), payment({ session: null })).when(start({ method: 'card' }));
    outcome.thenAccepts({ reply: { id: PAYMENT, method: 'card' }, events: ['payment.updated'] });
    expect(outcome.events[0]?.previous).toEqual({ method: 'bank_transfer' });
    given(account(), waitingLink(), received(100n))
      .when(start({ method: 'card' }))
      .thenAccepts({ reply: { method: 'bank_transfer' }, events: [] });
  });

  it('makes one payment after another on a reusable link', () => {
    const first = given(account(), paymentLink({ reusable: true })).when(start());
    const second = first.when(start({ token: 'another', reference: 'RF2' }));
    second.thenAccepts({ events: ['payment.pending'], now: { [LINK]: { openCount: 2 } } });
    expect((second.reply as Payment).id).not.toBe((first.reply as Payment).id);
  });

  it('refuses what is unknown or ended, and what should have ended by now', () => {
    given().when(start()).thenRefuses('resource_missing');
    for (const status of ['completed', 'expired', 'canceled'] as const) {
      given(account(), paymentLink({ status, openCount: 1 }), payment())
        .when(start())
        .thenRefuses('payment_link_ended', { current_status: status, allowed: ['active'] });
    }
    given(account(), paymentLink({ expiresAt: AT }))
      .when(start())
      .thenRefuses('payment_link_ended', { current_status: 'expired' });
    given(account(), paymentLink({ expiresAt: AT + 1 }))
      .when(start())
      .thenAccepts({ events: ['payment.pending'] });
  });

  it('is locked by nobody who only starts, on a link with a limit and on one without', () => {
    for (const maxPayments of [1, 2, null]) {
      given(account(), paymentLink({ reusable: true, maxPayments, openCount: 1_000 }))
        .when(start())
        .thenAccepts({ events: ['payment.pending'], now: { [LINK]: { openCount: 1_001 } } });
    }
  });

  it('has the place for the first that pays; the money of the second is credited all the same', () => {
    const other = payment({ id: idAt('pay', 2), token: 'other', reference: 'RF2' });
    const both = given(account(), waitingLink({ reusable: true, maxPayments: 1, openCount: 2 }), payment(), other);
    const first = both.when(receive(25_000n));
    first.thenAccepts({ now: { [LINK]: { status: 'completed', paymentsCount: 1, openCount: 1 } } });
    first.when(start()).thenRefuses('payment_link_ended', { current_status: 'completed' });
    first.when({ ...attach(SESSION), payment: other.id }).thenRefuses('payment_link_ended');
    first.when({ ...receive(25_000n), payment: other.id }).thenAccepts({
      reply: { id: other.id, status: 'succeeded' },
      transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
      events: ['balance.updated', 'payment.succeeded'],
      now: { [LINK]: { status: 'completed', paymentsCount: 2, openCount: 0, received: 50_000n } },
    });
  });

  it('gives the place of a failed payment to a new one', () => {
    const outcome = given(account(), paymentLink(), payment({ status: 'failed', failureCode: 'declined' })).when(
      start(),
    );
    outcome.thenAccepts({ events: ['payment.pending'], now: { [LINK]: { openCount: 1 } } });
    expect((outcome.reply as Payment).id).not.toBe(PAYMENT);
  });

  it('keeps an open amount between its bounds', () => {
    const bounds = paymentLink({ amount: null, minimum: 100n, maximum: 500n });
    given(account(), bounds).when(start()).thenRefuses('amount_invalid', { param: 'amount' });
    const low = given(account(), bounds).when(start({ amount: 99n }));
    low.thenRefuses('amount_too_small', { param: 'amount' });
    expect(low.refusal?.message).toBe('amount is 0.99 EUR; this link takes at least 1.00 EUR.');
    const high = given(account(), bounds).when(start({ amount: 501n }));
    high.thenRefuses('amount_too_large', { param: 'amount' });
    expect(high.refusal?.message).toBe('amount is 5.01 EUR; this link takes at most 5.00 EUR.');
    for (const amount of [100n, 500n]) {
      given(account(), bounds).when(start({ amount })).thenAccepts({ reply: { amount } });
    }
    given(account(), paymentLink({ amount: null }))
      .when(start({ amount: 1n }))
      .thenAccepts({ reply: { amount: 1n } });
  });

  it('asks for the fixed amount, whatever the payer says', () => {
    given(account(), paymentLink())
      .when(start({ amount: 1n }))
      .thenAccepts({ reply: { amount: 25_000n } });
  });
});

describe('receive_payment', () => {
  it('books the whole amount and completes the link', () => {
    const outcome = given(account(), waitingLink(), payment()).when(receive(25_000n));
    outcome.thenAccepts({
      reply: { id: PAYMENT, received: 25_000n, status: 'succeeded', dueAt: null, paidAt: AT, ...PAYER },
      transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
      events: ['balance.updated', 'payment.succeeded', 'payment_link.completed'],
      now: {
        [ACCOUNT]: { balance: 125_000n },
        [LINK]: { status: 'completed', paymentsCount: 1, openCount: 0, received: 25_000n, endedAt: AT },
      },
    });
    const [transfer] = outcome.transfers;
    expect(transfer).toMatchObject({ causeId: PAYMENT, creditBalanceAfter: 125_000n });
    expect(outcome.reply).toMatchObject({ transfer: transfer?.id });
    expect(outcome.events.slice(1).map(({ previous }) => previous)).toEqual([
      { status: 'pending', amount_received_minor: 0 },
      { status: 'active', active: true },
    ]);
  });

  it('books a part, and what is missing later', () => {
    const part = given(account(), waitingLink(), payment()).when(receive(24_999n));
    part.thenAccepts({
      reply: { received: 24_999n, status: 'partially_paid', dueAt: null, paidAt: null },
      events: ['balance.updated', 'payment.partially_paid'],
      now: { [LINK]: { status: 'active', paymentsCount: 0, openCount: 1, received: 24_999n } },
    });
    const rest = part.when(receive(1n));
    rest.thenAccepts({
      reply: { received: 25_000n, status: 'succeeded', paidAt: AT + 60_000 },
      events: ['balance.updated', 'payment.succeeded', 'payment_link.completed'],
      now: { [LINK]: { paymentsCount: 1, openCount: 0, received: 25_000n } },
    });
    expect(rest.events[1]?.previous).toEqual({ status: 'partially_paid', amount_received_minor: 24_999 });
    expect(rest.transfers.map(({ id }) => id)).toEqual([(rest.reply as Payment).transfer]);
  });

  it('keeps what came on top in the same credit: overpaid', () => {
    given(account(), waitingLink(), payment())
      .when(receive(25_001n))
      .thenAccepts({
        reply: { received: 25_001n, status: 'overpaid' },
        events: ['balance.updated', 'payment.succeeded', 'payment_link.completed'],
        now: { [LINK]: { received: 25_001n, paymentsCount: 1 } },
      });
  });

  /** Of every state: what becomes of the payment when 10.00 more come, and whether they are a duplicate. */
  const STATES: readonly [string, Payment, becomes: PaymentStatus | 'duplicate'][] = [
    ['pending', payment(), 'partially_paid'],
    ['partially_paid', received(24_000n), 'succeeded'],
    ['failed', payment({ status: 'failed', failureCode: 'expired' }), 'partially_paid'],
    ['succeeded', received(25_000n), 'duplicate'],
    ['overpaid', received(26_000n), 'duplicate'],
    ['refunded', received(25_000n, { refunded: 25_000n, refund: REFUND, status: 'refunded' }), 'duplicate'],
    ['duplicate', received(500n, { amount: 500n, duplicateOf: idAt('pay', 0), token: null }), 'duplicate'],
  ];
  it.each(STATES)('while %s', (_, before, becomes) => {
    const outcome = given(account(), paymentLink({ reusable: true, openCount: 1 }), before).when(receive(1000n));
    outcome.thenAccepts({
      reply: { status: becomes === 'duplicate' ? 'succeeded' : becomes },
      transfers: [['bank', ACCOUNT, 1000n, 'payment']],
      now: { [LINK]: { received: 1000n } },
    });
    if (becomes !== 'duplicate') {
      outcome.thenAccepts({ reply: { id: PAYMENT, received: before.received + 1000n } });
      return;
    }
    expect(outcome.now(PAYMENT)).toEqual(before);
    expect(outcome.reply).toMatchObject({
      duplicateOf: before.duplicateOf ?? PAYMENT,
      token: null,
      reference: before.reference,
      amount: 1000n,
      received: 1000n,
      refunded: 0n,
      refund: null,
      dueAt: null,
      paidAt: AT,
      createdAt: AT,
      metadata: {},
    });
    outcome.thenAccepts({
      events: ['balance.updated', 'payment.duplicate'],
      now: { [LINK]: { paymentsCount: 0, openCount: 1 } },
    });
    expect(outcome.transfers[0]?.causeId).toBe((outcome.reply as Payment).id);
  });

  it('keeps who paid a duplicate, and the merchant’s notes with the first', () => {
    const first = received(25_000n, { metadata: { order: '7' }, session: SESSION, method: 'card' });
    given(account(), paidLink(), first)
      .when(receive(300n, { payerName: 'Ada', payerIban: null }))
      .thenAccepts({
        reply: { payerName: 'Ada', payerIban: null, method: 'bank_transfer', session: null, metadata: {} },
        now: { [PAYMENT]: { payerName: 'Grace Hopper', metadata: { order: '7' } } },
      });
  });

  it.each(['expired', 'canceled'] as const)('completes a link that was %s when money comes late', (status) => {
    const outcome = given(account(), waitingLink({ status }), payment()).when(receive(25_000n));
    outcome.thenAccepts({
      events: ['balance.updated', 'payment.succeeded', 'payment_link.completed'],
      now: { [LINK]: { status: 'completed', openCount: 0, paymentsCount: 1, endedAt: BEFORE } },
    });
    // It had not been active any more: that did not change.
    expect(outcome.events[2]?.previous).toEqual({ status });
    given(account(), waitingLink({ status }), payment())
      .when(receive(1n))
      .thenAccepts({
        events: ['balance.updated', 'payment.partially_paid'],
        now: { [LINK]: { status, openCount: 1 } },
      });
  });

  it('completes a reusable link with its last payment, not before, and not without a limit', () => {
    const link = (fields: Partial<PaymentLink>) => waitingLink({ reusable: true, paymentsCount: 1, ...fields });
    const status = (fields: Partial<PaymentLink>) =>
      (given(account(), link(fields), payment()).when(receive(25_000n)).now(LINK) as PaymentLink).status;
    expect(status({ maxPayments: 2 })).toBe('completed');
    expect(status({ maxPayments: 3 })).toBe('active');
    expect(status({ maxPayments: null, paymentsCount: 1_000_000 })).toBe('active');
  });

  it('takes money for what failed, which keeps no place until it is paid', () => {
    const failed = payment({ status: 'failed', failureCode: 'expired' });
    // Meanwhile the payer has started another payment of the same link.
    const other = payment({ id: idAt('pay', 2), token: 'other', reference: 'RF2' });
    const part = given(account(), waitingLink(), failed, other).when(receive(100n));
    part.thenAccepts({
      reply: { id: PAYMENT, status: 'partially_paid', failureCode: 'expired' },
      events: ['balance.updated', 'payment.partially_paid'],
      now: { [LINK]: { openCount: 1, paymentsCount: 0 }, [other.id]: { status: 'pending' } },
    });
    part.when(start()).thenAccepts({ reply: { id: other.id }, events: [] });
    part.when(receive(24_900n)).thenAccepts({
      reply: { id: PAYMENT, status: 'succeeded', failureCode: null },
      now: { [LINK]: { openCount: 1, paymentsCount: 1, status: 'completed' } },
    });
  });

  it('opens a closed account again: only an empty account is closed', () => {
    given(account({ status: 'closed', balance: 0n }), waitingLink(), payment())
      .when(receive(100n))
      .thenAccepts({
        events: ['account.updated', 'balance.updated', 'payment.partially_paid'],
        now: { [ACCOUNT]: { status: 'open', closedAt: null, balance: 100n } },
      });
  });

  it('refuses what is unknown, and more than the column of a balance holds', () => {
    given().when(receive(1n)).thenRefuses('resource_missing');
    const full = account({ balance: MAX_HELD_MINOR });
    for (const each of [payment(), received(25_000n)]) {
      const outcome = given(full, waitingLink(), each).when(receive(1n));
      outcome.thenRefuses('balance_too_large', { resource_id: ACCOUNT });
      expect(outcome.now(PAYMENT)).toEqual(each);
    }
    given(account({ balance: MAX_BALANCE_MINOR }), waitingLink(), payment())
      .when(receive(1n))
      .thenAccepts({ now: { [ACCOUNT]: { balance: MAX_BALANCE_MINOR + 1n } } });
  });
});

describe('the sessions of an acquirer', () => {
  it('are attached while the payment is pending; only how it is paid is told', () => {
    const outcome = given(waitingLink(), payment()).when(attach(SESSION));
    outcome.thenAccepts({
      reply: { session: SESSION, method: 'card', status: 'pending' },
      events: ['payment.updated'],
    });
    expect(outcome.events[0]?.previous).toEqual({ method: 'bank_transfer' });
    outcome.when(attach('cs_2')).thenAccepts({ reply: { session: 'cs_2' }, events: [] });
    given().when(attach(SESSION)).thenRefuses('resource_missing');
    for (const ended of [{ status: 'canceled' }, { expiresAt: AT }] as const)
      given(waitingLink(ended), payment()).when(attach(SESSION)).thenRefuses('payment_link_ended');
    for (const each of [received(1n), received(25_000n), payment({ status: 'failed', failureCode: 'declined' })]) {
      given(each)
        .when(attach(SESSION))
        .thenRefuses('payment_state_invalid', { current_status: each.status, allowed: ['pending'] });
    }
  });

  it('bring their money once, however often it is told', () => {
    const once = given(account(), waitingLink(), payment()).when(attach(SESSION)).when(card(25_000n));
    once.thenAccepts({
      reply: { id: PAYMENT, session: SESSION, method: 'card', status: 'succeeded' },
      transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
    });
    const reported = once.when(card(25_000n));
    reported.thenAccepts({ reply: { id: PAYMENT, received: 25_000n }, transfers: [], events: [] });
    reported.when(card(25_000n)).thenAccepts({ transfers: [], events: [], now: { [LINK]: { received: 25_000n } } });
  });

  it('are a duplicate of each other, each once', () => {
    const both = given(account(), waitingLink(), payment()).when(card(25_000n)).when(card(25_000n, 'cs_2'));
    both.thenAccepts({
      reply: { session: 'cs_2', status: 'succeeded', duplicateOf: PAYMENT },
      transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
    });
    const { id } = both.reply as Payment;
    const again = both.when(card(25_000n, 'cs_2'));
    again.thenAccepts({ reply: { id }, transfers: [] });
    again.when(card(25_000n)).thenAccepts({ reply: { id: PAYMENT }, transfers: [] });
  });

  it('bring their money also when they were only begun before a bank paid', () => {
    for (const came of [25_000n, 100n]) {
      const banked = given(account(), waitingLink(), payment({ session: SESSION, method: 'card' })).when(receive(came));
      banked.thenAccepts({ reply: { id: PAYMENT, method: 'bank_transfer' } });
      const both = banked.when(card(25_000n));
      both.thenAccepts({
        reply: came === 100n ? { id: PAYMENT, status: 'overpaid' } : { duplicateOf: PAYMENT, session: SESSION },
        transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
      });
      both.when(card(25_000n)).thenAccepts({ reply: { id: (both.reply as Payment).id }, transfers: [], events: [] });
    }
  });

  it('of another payment are other money', () => {
    const other = received(25_000n, { id: idAt('pay', 2), session: SESSION, method: 'card', link: idAt('plink', 2) });
    given(account(), waitingLink(), payment(), other)
      .when(card(25_000n))
      .thenAccepts({ reply: { id: PAYMENT }, transfers: [['bank', ACCOUNT, 25_000n, 'payment']] });
  });
});

describe('pay_payment_link', () => {
  it('starts and pays at once', () => {
    const outcome = given(account(), paymentLink()).when(pay());
    outcome.thenAccepts({
      reply: { received: 25_000n, status: 'succeeded', ...PAYER, token: 'new token' },
      transfers: [['bank', ACCOUNT, 25_000n, 'payment']],
      events: ['payment.pending', 'balance.updated', 'payment.succeeded', 'payment_link.completed'],
      now: { [LINK]: { openCount: 0, paymentsCount: 1, received: 25_000n, status: 'completed' } },
    });
    outcome.when(pay()).thenRefuses('payment_link_ended', { current_status: 'completed' });
  });

  it('pays a part of what waits, also where payers choose the amount', () => {
    given(account(), waitingLink({ amount: null }), payment())
      .when(pay('100'))
      .thenAccepts({
        reply: { id: PAYMENT, amount: 25_000n, received: 10_000n, status: 'partially_paid' },
        events: ['balance.updated', 'payment.partially_paid'],
      });
  });

  it('pays what is given, and of what waits already what is missing', () => {
    const part = given(account(), paymentLink()).when(pay('100'));
    part.thenAccepts({ reply: { amount: 25_000n, received: 10_000n, status: 'partially_paid' } });
    part.when(pay()).thenAccepts({
      reply: { id: (part.reply as Payment).id, received: 25_000n },
      transfers: [['bank', ACCOUNT, 15_000n, 'payment']],
    });
  });

  it('pays an open amount in full', () => {
    const open = paymentLink({ amount: null, minimum: 100n, maximum: 500n });
    given(account(), open)
      .when(pay('3'))
      .thenAccepts({ reply: { amount: 300n, received: 300n, status: 'succeeded' } });
    given(account(), open).when(pay()).thenRefuses('amount_invalid', { param: 'amount' });
    given(account(), open).when(pay('0.99')).thenRefuses('amount_too_small', { param: 'amount' });
    given(account(), open).when(pay('5.01')).thenRefuses('amount_too_large', { param: 'amount' });
  });

  it('refuses what cannot be read, started or booked', () => {
    given().when(pay()).thenRefuses('resource_missing');
    given(account(), paymentLink()).when(pay('1e3')).thenRefuses('amount_invalid', { param: 'amount' });
    given(account(), paymentLink({ status: 'canceled' }))
      .when(pay())
      .thenRefuses('payment_link_ended');
    const full = given(account({ balance: MAX_HELD_MINOR }), paymentLink()).when(pay());
    full.thenRefuses('balance_too_large', { resource_id: ACCOUNT });
    expect(full.state.tables.payment.size).toBe(0);
  });
});

describe('fail_payment', () => {
  it('ends a payment that waits and gives its place back', () => {
    const outcome = given(waitingLink(), payment()).when(fail('declined'));
    outcome.thenAccepts({
      reply: { status: 'failed', failureCode: 'declined', dueAt: null },
      transfers: [],
      events: ['payment.failed'],
      now: { [LINK]: { openCount: 0, status: 'active' } },
    });
    expect(outcome.events[0]?.previous).toEqual({ status: 'pending' });
  });

  it('expires a payment when its time has come', () => {
    const due = (dueAt: number) => given(waitingLink(), payment({ dueAt }));
    due(AT + 1)
      .when(fail('expired'))
      .thenAccepts({ reply: { status: 'pending' }, events: [] });
    due(AT)
      .when(fail('expired'))
      .thenAccepts({ reply: { failureCode: 'expired' }, events: ['payment.failed'] });
    // The acquirer's session expired: that is its time.
    given(waitingLink(), payment({ session: SESSION, method: 'card' }))
      .when(fail('expired', SESSION))
      .thenAccepts({ reply: { failureCode: 'expired' } });
  });

  it('means the session the payer is sent to, and no other', () => {
    const sent = payment({ session: 'cs_2', method: 'card' });
    for (const session of [SESSION, 'cs_3']) {
      given(waitingLink(), sent).when(fail('canceled', session)).thenAccepts({ reply: sent, events: [] });
    }
    given(waitingLink(), sent)
      .when(fail('canceled', 'cs_2'))
      .thenAccepts({ reply: { failureCode: 'canceled' }, events: ['payment.failed'] });
  });

  it('leaves alone who has chosen a bank transfer since: that money may be on its way', () => {
    given(account(), waitingLink(), payment())
      .when(attach(SESSION))
      .when(start({ method: 'bank_transfer' }))
      .when(fail('expired', SESSION))
      .thenAccepts({
        reply: { status: 'pending', method: 'bank_transfer' },
        events: [],
        now: { [LINK]: { openCount: 1 } },
      });
  });

  it('leaves alone what money came for, and what failed', () => {
    for (const each of [received(1n), received(25_000n), payment({ status: 'failed', failureCode: 'expired' })]) {
      const outcome = given(waitingLink(), each).when(fail('declined'));
      outcome.thenAccepts({ reply: each, events: [], now: { [LINK]: { openCount: 1 } } });
    }
    given().when(fail('declined')).thenRefuses('resource_missing');
  });
});

describe('update_payment', () => {
  const update = (metadata: Record<string, string>) =>
    ({ type: 'update_payment', payment: PAYMENT, metadata }) as const;

  it('changes metadata only, in any state', () => {
    const outcome = given(received(25_000n, { metadata: { a: '1' } })).when(update({ a: '', b: '2' }));
    outcome.thenAccepts({ reply: { metadata: { b: '2' }, status: 'succeeded' }, events: ['payment.updated'] });
    expect(outcome.events[0]?.previous).toEqual({ metadata: { a: '1', b: null } });
    outcome.when(update({ b: '2' })).thenAccepts({ events: [] });
  });

  it('refuses the unknown and more than fifty keys', () => {
    given().when(update({})).thenRefuses('resource_missing');
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    given(payment({ metadata: { one: 'more' } }))
      .when(update(fifty))
      .thenRefuses('metadata_invalid', { param: 'metadata' });
  });
});
