/** Refunds of payments, given / when / then: what goes back, to whom, and what a payout that does not arrive brings back. */
import { describe, expect, it } from 'vitest';
import type { Payment, PaymentLink } from './fields.ts';
import type { Payout, PayoutStatus } from '../../paying/payouts/fields.ts';
import type { StepPayout } from '../../paying/payouts/connector-decide.ts';
import { given } from '../../../test/support/harness/given.ts';
import {
  ACCOUNT,
  account,
  AT,
  BEFORE,
  idAt,
  LINK,
  PAYMENT,
  payment,
  paymentLink,
  payout,
  RECIPIENT,
  recipient,
} from '../../../test/support/harness/literals.ts';
import type { RefundPayment } from './refund.ts';

const IBAN = 'DE89370400440532013000';
const REFUND = idAt('po', 7);
const LINKS = paymentLink({ status: 'completed', paymentsCount: 1, received: 25_000n });

/** A payment of 250.00 that has received this from Grace. */
function received(amount: bigint, fields: Partial<Payment> = {}): Payment {
  const status = amount > 25_000n ? 'overpaid' : amount === 25_000n ? 'succeeded' : 'partially_paid';
  const payer = { payerName: 'Grace Hopper', payerIban: IBAN };
  const paidAt = amount < 25_000n ? null : BEFORE;
  return payment({ received: amount, status, transfer: idAt('trf', 7), paidAt, ...payer, ...fields });
}
const refund = (amount: string | null = null, fields: Partial<RefundPayment> = {}): RefundPayment => ({
  type: 'refund_payment',
  payment: PAYMENT,
  amount,
  recipient: null,
  settlementDelayMs: 3000,
  ...fields,
});
const linkNow = (outcome: { now(id: string): unknown }) => outcome.now(LINK) as PaymentLink;

/** The payer begins again. */
const NEXT = {
  type: 'start_payment',
  link: LINK,
  method: 'card',
  amount: null,
  token: 'next',
  reference: 'RF2',
} as const;

describe('refund_payment', () => {
  it('sends all of it back to where it came from, by a payout', () => {
    const outcome = given(account(), LINKS, received(25_000n)).when(refund());
    outcome.thenAccepts({
      reply: { id: PAYMENT, received: 25_000n, refunded: 25_000n, status: 'refunded' },
      transfers: [[ACCOUNT, 'in_transit', 25_000n, 'payout']],
      events: ['recipient.created', 'balance.updated', 'payout.created', 'payment.refunded'],
      now: { [ACCOUNT]: { balance: 75_000n }, [LINK]: { received: 25_000n, paymentsCount: 1, openCount: 0 } },
    });
    const paidOut = outcome.now((outcome.reply as Payment).refund as string) as Payout;
    expect(paidOut).toMatchObject({
      amount: 25_000n,
      currency: 'EUR',
      account: ACCOUNT,
      refundOf: PAYMENT,
      reference: 'RF18539007547034',
      status: 'pending',
      dueAt: AT + 3000,
      batch: null,
    });
    expect(outcome.now(paidOut.recipient)).toMatchObject({
      name: 'Grace Hopper',
      type: 'individual',
      currency: 'EUR',
      country: 'DE',
      bankDetails: { iban: IBAN },
      status: 'active',
      version: 1,
    });
    expect(outcome.events[3]?.previous).toEqual({ status: 'succeeded', amount_refunded_minor: 0 });
  });

  it('sends a part back, then no more than is left', () => {
    const part = given(account(), LINKS, received(25_000n)).when(refund('100'));
    part.thenAccepts({ reply: { refunded: 10_000n, status: 'succeeded' } });
    expect(part.events.at(-1)?.previous).toEqual({ amount_refunded_minor: 0 });
    const tooMuch = part.when(refund('150.01'));
    tooMuch.thenRefuses('refund_too_large', { param: 'amount', available_minor: 15_000n });
    expect(tooMuch.refusal?.message).toContain('150.00 EUR');
    const rest = tooMuch.when(refund());
    rest.thenAccepts({
      reply: { refunded: 25_000n, status: 'refunded' },
      transfers: [[ACCOUNT, 'in_transit', 15_000n, 'payout']],
    });
    expect((rest.reply as Payment).refund).not.toBe((part.reply as Payment).refund);
    rest.when(refund()).thenRefuses('payment_state_invalid', {
      current_status: 'refunded',
      allowed: ['partially_paid', 'succeeded', 'overpaid'],
    });
  });

  it('sends what was too much back and leaves the rest paid', () => {
    given(account(), LINKS, received(26_000n))
      .when(refund('10'))
      .thenAccepts({ reply: { refunded: 1000n, status: 'overpaid' } });
  });

  it('sends a duplicate back and leaves what it duplicates', () => {
    const first = received(25_000n, { id: idAt('pay', 2) });
    const duplicate = received(25_000n, { token: null, duplicateOf: first.id, status: 'succeeded' });
    given(account(), LINKS, first, duplicate)
      .when(refund())
      .thenAccepts({ reply: { id: PAYMENT, status: 'refunded' }, now: { [first.id]: { ...first } } });
  });

  it.each(['10', null])('of a part, %s: nobody waits for the rest any more', (amount) => {
    const waiting = paymentLink({ openCount: 1, received: 2000n });
    const outcome = given(account(), waiting, received(2000n)).when(refund(amount));
    outcome.thenAccepts({
      reply: { status: amount === null ? 'refunded' : 'partially_paid' },
      now: { [LINK]: { openCount: 0, paymentsCount: 0, received: 2000n, status: 'active' } },
    });
    // A second part gives no second place back.
    if (amount !== null) expect(linkNow(outcome.when(refund()))).toMatchObject({ openCount: 0 });
    // The link can be paid anew, and money for the first comes on top.
    const more = {
      type: 'receive_payment',
      method: 'bank_transfer',
      session: null,
      payerName: null,
      payerIban: null,
    } as const;
    outcome.when({ ...more, payment: PAYMENT, amount: 25_000n }).thenAccepts({ reply: { duplicateOf: PAYMENT } });
    outcome.when(NEXT).thenAccepts({ events: ['payment.pending'], now: { [LINK]: { openCount: 1 } } });
  });

  it('keeps the places of others', () => {
    const link = paymentLink({ reusable: true, openCount: 3, received: 25_000n });
    expect(linkNow(given(account(), link, received(25_000n)).when(refund())).openCount).toBe(3);
    const late = received(2000n, { failureCode: 'expired' });
    expect(linkNow(given(account(), link, late).when(refund())).openCount).toBe(3);
  });

  it('needs a recipient when who paid is not known', () => {
    for (const unknown of [{ payerIban: null }, { payerName: null }]) {
      given(account(), LINKS, received(25_000n, unknown))
        .when(refund())
        .thenRefuses('refund_recipient_missing', { param: 'recipient' });
    }
    const outcome = given(account(), LINKS, received(25_000n, { payerIban: null }), recipient()).when(
      refund(null, { recipient: RECIPIENT }),
    );
    outcome.thenAccepts({ events: ['balance.updated', 'payout.created', 'payment.refunded'] });
    expect(outcome.now((outcome.reply as Payment).refund as string)).toMatchObject({ recipient: RECIPIENT });
  });

  it('goes to the named recipient though the payer is known', () => {
    const outcome = given(account(), LINKS, received(25_000n), recipient()).when(refund('1', { recipient: RECIPIENT }));
    outcome.thenAccepts({ events: ['balance.updated', 'payout.created', 'payment.refunded'] });
    expect([...outcome.state.tables.recipient.keys()]).toEqual([RECIPIENT]);
  });

  it('checks existence, state, amount, recipient, and then what a payout needs', () => {
    given().when(refund('x')).thenRefuses('resource_missing');
    const failed = payment({ status: 'failed', failureCode: 'declined' });
    for (const each of [payment(), failed]) {
      given(account(), LINKS, each)
        .when(refund('x'))
        .thenRefuses('payment_state_invalid', { current_status: each.status });
    }
    const paid = received(25_000n, { payerIban: null });
    given(account(), LINKS, paid).when(refund('x')).thenRefuses('amount_invalid', { param: 'amount' });
    given(account(), LINKS, paid).when(refund('0')).thenRefuses('amount_too_small', { param: 'amount' });
    given(account(), LINKS, paid).when(refund('250.01')).thenRefuses('refund_too_large', { available_minor: 25_000n });
    const named = refund(null, { recipient: RECIPIENT });
    given(account(), LINKS, paid).when(named).thenRefuses('resource_missing', { param: 'recipient' });
    given(account(), LINKS, paid, recipient({ status: 'archived' }))
      .when(named)
      .thenRefuses('recipient_archived', { param: 'recipient' });
    given(account(), LINKS, paid, recipient({ currency: 'USD' }))
      .when(named)
      .thenRefuses('recipient_currency_mismatch', { param: 'currency' });
    given(account({ status: 'closed', balance: 0n }), LINKS, paid, recipient())
      .when(named)
      .thenRefuses('account_closed', { param: 'account' });
  });

  it('refuses when the money has been spent, and leaves no recipient behind', () => {
    const outcome = given(account({ balance: 24_999n }), LINKS, received(25_000n)).when(refund());
    outcome.thenRefuses('balance_insufficient', { available_minor: 24_999n, resource_id: ACCOUNT });
    expect(outcome.state.tables.recipient.size).toBe(0);
    given(account({ balance: 24_999n }), LINKS, received(25_000n))
      .when(refund('249.99'))
      .thenAccepts({ now: { [ACCOUNT]: { balance: 0n } } });
  });
});

describe('a refund that does not arrive', () => {
  const step = (to: StepPayout['to']): StepPayout => ({
    type: 'step_payout',
    payout: REFUND,
    to,
    failureCode: null,
    nextDelayMs: null,
  });
  const refunded = received(25_000n, { refunded: 25_000n, status: 'refunded', refund: REFUND });
  const of = (status: PayoutStatus, fields: Partial<Payout> = {}) =>
    payout({ id: REFUND, refundOf: PAYMENT, status, ...fields });

  it.each([
    ['failed', 'in_transit', step('failed'), 'in_transit'],
    ['canceled', 'pending', { type: 'cancel_payout', payout: REFUND } as const, 'in_transit'],
    ['returned', 'paid', step('returned'), 'bank'],
  ] as const)('gives the payment its money again when %s', (status, before, command, from) => {
    const outcome = given(account(), recipient(), LINKS, refunded, of(before)).when(command);
    outcome.thenAccepts({
      transfers: [[from, ACCOUNT, 25_000n, 'payout_reversal']],
      events: ['balance.updated', `payout.${status}`, 'payment.updated'],
      now: {
        [ACCOUNT]: { balance: 125_000n },
        [PAYMENT]: { refunded: 0n, status: 'succeeded', refund: REFUND },
        [LINK]: { ...LINKS },
      },
    });
    expect(outcome.events[2]?.previous).toEqual({ status: 'refunded', amount_refunded_minor: 25_000 });
    outcome
      .when(refund())
      .thenAccepts({ reply: { refunded: 25_000n, status: 'refunded' }, now: { [ACCOUNT]: { balance: 100_000n } } });
  });

  it('is one of two: the other stays', () => {
    const part = of('in_transit', { amount: 10_000n });
    given(account(), recipient(), LINKS, refunded, part)
      .when(step('failed'))
      .thenAccepts({ now: { [PAYMENT]: { refunded: 15_000n, status: 'succeeded' } } })
      .when(refund('100.01'))
      .thenRefuses('refund_too_large', { available_minor: 10_000n });
  });

  it('does not make anybody wait for a payment that was partly paid', () => {
    const part = received(2000n, { refunded: 2000n, status: 'refunded', refund: REFUND });
    const outcome = given(account(), recipient(), paymentLink(), part, of('in_transit', { amount: 2000n })).when(
      step('failed'),
    );
    outcome.thenAccepts({ now: { [PAYMENT]: { status: 'partially_paid', refunded: 0n }, [LINK]: { openCount: 0 } } });
    outcome.when(NEXT).thenAccepts({ events: ['payment.pending'], now: { [LINK]: { openCount: 1 } } });
  });

  it('leaves the payment alone on its way, and payments of other payouts', () => {
    for (const to of ['in_transit', 'paid'] as const) {
      const outcome = given(account(), recipient(), LINKS, refunded, of('pending')).when(step(to));
      expect(outcome.now(PAYMENT)).toEqual(refunded);
    }
    const outcome = given(account(), recipient(), LINKS, refunded, of('in_transit', { refundOf: null })).when(
      step('failed'),
    );
    outcome.thenAccepts({ events: ['balance.updated', 'payout.failed'] });
    expect(outcome.now(PAYMENT)).toEqual(refunded);
  });
});
