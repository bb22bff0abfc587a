/**
 * The entry of a bank that paid a payment is voided: the money leaves the account again, with the fee that it brought, and the payment and
 * its link are as if it had not come. Pure. Who voids: `bank/statements/void-decide.ts`. Why so: docs/decisions/0088.
 */
import { assert } from '../../core/values/assert.ts';
import { giveBackFees } from '../../core/charges.ts';
import { type Fee, sumOf } from '../../core/fees.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { checkFunds, move, reopened } from '../../core/ledger.ts';
import { formatMoney, MAX_HELD_MINOR } from '../../core/values/money.ts';
import { isOpen, paymentStatus } from '../../core/payments.ts';
import type { Draft } from '../../core/draft.ts';
import type { Account } from '../../core/account.ts';
import { PATIENCE_MS, reminderOf } from './decide.ts';
import type { Payment, PaymentFailure, PaymentLink } from './fields.ts';
import { reopenIfShort } from './link-decide.ts';

export interface TakenBack {
  /** Minor units, as they came. */
  readonly amount: bigint;
  /** The transfer that brought them. */
  readonly transfer: string;
  /** The transfer of the fee that was charged with them; `null`: none was. */
  readonly fee: string | null;
  /** The entry that is voided. */
  readonly entry: string;
  readonly description: string;
}

/** What the account must hold, minor units: the money less the fee that comes back first. */
export const neededFor = (payment: Payment, { amount, fee }: Pick<TakenBack, 'amount' | 'fee'>): bigint =>
  amount - sumOf(feesOf(payment, fee));

const feesOf = ({ fees }: Payment, transfer: string | null): readonly Fee[] =>
  fees.filter((each) => transfer !== null && each.transfer === transfer && each.reversal === null);

/**
 * Takes money back to `unmatched`. A payment that is not paid any more waits anew; one that was given up, or whose link waits for another
 * one, has failed. Answers the transfer. Refuses `bank_assignment_final` where a part of the payment went back to its payer, and
 * `balance_insufficient`, `balance_too_large`.
 */
export function takeBackPayment(draft: Draft, payment: Payment, taken: TakenBack): string | Refusal {
  const { amount, entry, description } = taken;
  const { id, currency, refunded, status } = payment;
  assert(amount > 0n && amount <= payment.received, `${id} has received ${amount}`);
  if (refunded > 0n) {
    const message = `Of payment ${id}, ${formatMoney(refunded, currency)} went back to the payer, so entry ${entry} cannot be voided.`;
    return refusal('bank_assignment_final', message, { current_status: status });
  }
  const account = draft.find('account', payment.account) as Account;
  const given = feesOf(payment, taken.fee);
  const [fee] = given;
  const unfunded =
    checkFunds({ debit: account, credit: 'unmatched', amount: neededFor(payment, taken) }) ??
    checkFunds({ debit: 'fees', credit: account, amount: sumOf(given) }, MAX_HELD_MINOR);
  if (unfunded) return unfunded;
  if (fee) reopened(draft, account);
  const [back] = giveBackFees(draft, account.id, given, { cause: 'payment_fee_reversal', causeId: id });
  const fees = payment.fees.map((each) => (each === fee ? (back ?? each) : each));
  const sides = { debit: draft.find('account', account.id) as Account, credit: 'unmatched' as const };
  const moved = move(draft, { ...sides, amount, currency, cause: 'payment_void', causeId: id, description });
  lessReceived(draft, payment, { ...taken, fees });
  return moved.id;
}

/** The payment and its link without the money, with an event for each that changes its state. */
function lessReceived(
  draft: Draft,
  payment: Payment,
  { amount, transfer, fees }: TakenBack & Pick<Payment, 'fees'>,
): void {
  const { status: before, duplicateOf } = payment;
  const link = draft.find('payment_link', payment.link) as PaymentLink;
  const received = payment.received - amount;
  const isPaid = received >= payment.amount;
  const sums = { ...payment, received, fees, failureCode: isPaid ? null : failureOf(payment, link) };
  const status = paymentStatus(sums);
  const isLast = payment.transfer === transfer;
  const after: Payment = {
    ...sums,
    status,
    transfer: received > 0n ? payment.transfer : null,
    // Who paid what is left is not known: a refund of it must not go to whoever paid what was taken back.
    ...((isLast || received === 0n) && { payerName: null, payerIban: null }),
    dueAt: status === 'pending' ? draft.atMs + PATIENCE_MS : null,
    remindAt: isPaid || !isOpen(sums) ? null : payment.paidAt === null ? payment.remindAt : reminderOf(draft),
    paidAt: isPaid ? payment.paidAt : null,
  };
  draft.update(after, status === 'failed' ? 'payment.failed' : 'payment.updated', {
    ...(status !== before && { status: before }),
    amount_received_minor: Number(payment.received),
  });
  const wasCounted = duplicateOf === null && payment.received >= payment.amount;
  const counted: PaymentLink = {
    ...link,
    received: link.received - amount,
    paymentsCount: link.paymentsCount - (wasCounted && !isPaid ? 1 : 0),
    openCount: link.openCount + openOf(after) - openOf(payment),
  };
  draft.update(counted);
  reopenIfShort(draft, counted);
}

const openOf = (payment: Payment): number => (isOpen(payment) ? 1 : 0);

/** Why nobody waits for the rest of it; `null`: it waits. A link for one payment waits for one at the most. */
function failureOf(payment: Payment, link: PaymentLink): PaymentFailure | null {
  if (payment.failureCode !== null) return payment.failureCode;
  if (payment.duplicateOf !== null || payment.refund !== null) return 'canceled';
  return !link.reusable && link.openCount > openOf(payment) ? 'canceled' : null;
}
