/**
 * The decision that refunds a payment by a payout. Pure. What becomes of one that does not arrive: `core/payments.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { amountOf } from '../../core/ledger.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Payment, PaymentLink } from './fields.ts';
import type { Recipient } from '../../paying/recipients/fields.ts';
import type { Account } from '../../core/account.ts';
import { isOpen, paymentStatus } from '../../core/payments.ts';
import { bankSummaryOf } from '../../core/rails/destination.ts';
import type { Draft } from '../../core/draft.ts';
import { orderPayout } from '../../paying/payouts/decide.ts';
import { paymentMissing, paymentStateInvalid, rewrite } from './decide.ts';

export interface RefundPayment {
  readonly type: 'refund_payment';
  readonly payment: string;
  /** Major-unit text in the payment's currency; `null`: all that is left. */
  readonly amount: string | null;
  /** `null`: the account that the payment came from. */
  readonly recipient: string | null;
  readonly settlementDelayMs: number | null;
}

/**
 * A payout to the account that the payment came from, or to the named recipient. Refuses `resource_missing`,
 * `payment_state_invalid`, `refund_too_large`, `refund_recipient_missing`, and what a payout can be refused for.
 */
export function refundPayment(draft: Draft, command: RefundPayment): Decision {
  const payment = draft.find('payment', command.payment);
  if (!payment) return paymentMissing(command.payment);
  const left = payment.received - payment.refunded;
  if (left === 0n) return paymentStateInvalid(payment, ['partially_paid', 'succeeded', 'overpaid']);
  const source = draft.find('account', payment.account) as Account;
  const amount = command.amount === null ? left : amountOf(source, command.amount);
  if (typeof amount !== 'bigint') return amount;
  if (amount > left) {
    const message = `amount is ${formatMoney(amount, payment.currency)}; of payment ${payment.id}, at most ${formatMoney(left, payment.currency)} can be refunded.`;
    return refusal('refund_too_large', message, { param: 'amount', available_minor: left });
  }
  const recipient = command.recipient ?? payerOf(draft, payment);
  if (typeof recipient !== 'string') return recipient;
  const { account, currency, id, reference } = payment;
  const text = { reference, statementDescriptor: null, externalId: null, scheduledOn: null, metadata: undefined };
  const order = { amount, currency, recipient, account, ...text, refundOf: id };
  const payout = orderPayout(draft, order, null, command.settlementDelayMs);
  if (isRefusal(payout)) return payout;
  const sums = { ...payment, refunded: payment.refunded + amount };
  const after = rewrite(draft, sums, { status: paymentStatus(sums), refund: payout.id });
  if (isOpen(payment)) {
    const link = draft.find('payment_link', payment.link) as PaymentLink;
    draft.update({ ...link, openCount: link.openCount - 1 });
  }
  draft.emit('payment.refunded', after, {
    ...(after.status !== payment.status && { status: payment.status }),
    amount_refunded_minor: Number(payment.refunded),
  });
  return after;
}

function payerOf(draft: Draft, { id, payerName, payerIban, currency }: Payment): string | Refusal {
  if (payerIban === null || payerName === null) {
    const message = `The account that payment ${id} came from is not known. Name a recipient.`;
    return refusal('refund_recipient_missing', message, { param: 'recipient' });
  }
  return senderAsRecipient(draft, { name: payerName, iban: payerIban, currency });
}

/** Who sent money, as a recipient that is made to send it back. Answers its id. */
export function senderAsRecipient(
  draft: Draft,
  { name, iban, currency }: { readonly name: string; readonly iban: string; readonly currency: string },
): string {
  const account = { currency, country: iban.slice(0, 2), bankDetails: { iban } };
  const recipient: Recipient = {
    object: 'recipient',
    id: draft.newId('rcp'),
    version: 1,
    name,
    type: 'individual',
    ...account,
    email: null,
    address: null,
    latinName: null,
    categoryPurpose: null,
    purpose: null,
    bankAccount: null,
    duplicateOf: null,
    bankSummary: bankSummaryOf(account),
    bankDetailsChangedAt: null,
    changedAt: null,
    status: 'active',
    createdBy: draft.actor,
    metadata: {},
    createdAt: draft.atMs,
  };
  draft.create(recipient, 'recipient.created');
  return recipient.id;
}
