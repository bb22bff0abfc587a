/** What the dialog of a refund holds, and what is sent of it: always the amount that was on the screen, and never more than is left. Pure. */
import type { Payment } from '../../../../client/src/generated/types.ts';
import { fromMinor } from '../../../../client/src/money.ts';
import { digitsOf } from '../../ui/digits.ts';
import { typedAmount } from '../../ui/typed-amount.ts';

export interface RefundValues {
  readonly isPart: boolean;
  /** As it was typed; counts for a part. */
  readonly amount: string;
  /** To the account that it came from, or to the recipient. */
  readonly isToOther: boolean;
  readonly recipient: string;
}

/** As the API takes it. */
export interface Refund {
  readonly amount: string;
  readonly recipient?: string;
}

export type AskedRefund =
  /** `rest`: what is left of the payment then. */
  | { readonly refund: Refund; readonly minor: bigint; readonly rest: bigint; readonly fault?: undefined }
  /** Something is missing yet, or why the amount is none, in words. */
  | { readonly refund: null; readonly fault?: string };

type Sums = Pick<Payment, 'amount_received_minor' | 'amount_refunded_minor' | 'currency'>;

/** What can still go back, in minor units. */
export const leftOf = ({ amount_received_minor: received, amount_refunded_minor: refunded }: Sums): bigint =>
  BigInt(received) - BigInt(refunded);

/** Whether the service knows the account that the money came from. A card names none. */
export const isPayerKnown = ({ payer }: Pick<Payment, 'payer'>): boolean =>
  payer.name !== null && payer.account_last4 !== null;

export function refundOf({ isPart, amount, isToOther, recipient }: RefundValues, payment: Sums): AskedRefund {
  const { currency } = payment;
  const left = leftOf(payment);
  if (left <= 0n || (isToOther && recipient === '')) return { refund: null };
  const asked = isPart ? typedAmount(amount, currency) : { amount: fromMinor(left, currency), minor: left };
  if (asked.amount === null) return asked.fault === undefined ? { refund: null } : { refund: null, fault: asked.fault };
  if (asked.minor > left)
    return { refund: null, fault: `At most ${digitsOf(left, currency)} ${currency} can go back.` };
  return {
    refund: { amount: asked.amount, ...(isToOther && { recipient }) },
    minor: asked.minor,
    rest: left - asked.minor,
  };
}
