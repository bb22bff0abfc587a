/** What a payment is by the money that came and went; its status is never set by hand. Source: contract, section 8. */
import type { Stored } from './objects.ts';
import type { Draft } from './draft.ts';

type Payment = Stored['payment'];
type PaymentStatus = Payment['status'];
type Sums = Pick<Payment, 'amount' | 'received' | 'refunded' | 'failureCode'>;

export function paymentStatus({ amount, received, refunded, failureCode }: Sums): PaymentStatus {
  if (received === 0n) return failureCode === null ? 'pending' : 'failed';
  if (refunded === received) return 'refunded';
  if (received < amount) return 'partially_paid';
  return received === amount ? 'succeeded' : 'overpaid';
}

/** Whether money is still expected: only then does what comes in count towards the amount. Who sends back gives up. */
export function isUnpaid({ received, amount, duplicateOf, refund }: Omit<Payment, 'metadata'>): boolean {
  return duplicateOf === null && refund === null && received < amount;
}

/** Whether a payer is waited for. A failed payment has given its place on the link up for good, whatever comes late. */
export function isOpen(payment: Omit<Payment, 'metadata'>): boolean {
  return isUnpaid(payment) && payment.failureCode === null;
}

/**
 * Whether nothing came yet, and the payer may still pay as the page says: it waits, or another start took its place on the
 * link.
 */
export function isAwaited({ received, failureCode }: Pick<Payment, 'received' | 'failureCode'>): boolean {
  return received === 0n && (failureCode === null || failureCode === 'canceled');
}

/** A payout that refunds a payment did not arrive: the money is back in the account, so the payment has it again. */
export function returnRefund(
  draft: Draft,
  refund: { readonly refundOf: string | null; readonly amount: bigint },
): void {
  const payment = refund.refundOf === null ? undefined : draft.find('payment', refund.refundOf);
  if (!payment) return;
  const sums = { ...payment, refunded: payment.refunded - refund.amount };
  const after: Payment = { ...sums, status: paymentStatus(sums) };
  draft.update(after, 'payment.updated', {
    ...(after.status !== payment.status && { status: payment.status }),
    amount_refunded_minor: Number(payment.refunded),
  });
}
