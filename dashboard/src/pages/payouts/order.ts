/** What the form of a payout holds, and what is sent of it. Pure. */
import { HALF } from '../../ui/half.ts';
import { typedAmount } from '../../ui/typed-amount.ts';

export interface Values {
  readonly recipient: string;
  /** That of the recipient. */
  readonly currency: string;
  /** As it was typed. */
  readonly amount: string;
  /** Nobody typed it: it is as the API writes amounts. */
  readonly isPlain: boolean;
  readonly account: string;
  readonly reference: string;
  /** `2026-12-01`; `''`: as soon as it can; `HALF`. */
  readonly day: string;
  /** Codes of ISO 20022, of a payout that is made again; `''`: none. A salary stays one: it says who may see whom it pays. */
  readonly category: string;
  readonly purpose: string;
}

/** As the API takes it. */
export interface Order {
  readonly recipient: string;
  readonly currency: string;
  readonly amount: string;
  readonly account?: string;
  readonly reference?: string;
  readonly scheduled_on?: string;
  readonly category_purpose?: string;
  readonly purpose?: string;
}

export type Asked =
  | { readonly order: Order; readonly minor: bigint; readonly fault?: undefined }
  /** Something is missing yet. */
  | { readonly order: null; readonly fault?: undefined }
  /** Why the amount is none, in words. */
  | { readonly order: null; readonly fault: string };

/** The order, once recipient and amount are there, and no half of a day. */
export function orderOf(values: Values): Asked {
  const { recipient, currency, amount, isPlain, account, reference, day, category, purpose } = values;
  if (recipient === '' || currency === '') return { order: null };
  const read = typedAmount(amount, currency, isPlain);
  if (read.amount === null) return read.fault === undefined ? { order: null } : { order: null, fault: read.fault };
  if (day === HALF) return { order: null };
  return {
    order: {
      recipient,
      currency,
      amount: read.amount,
      ...(account !== '' && { account }),
      ...(reference.trim() !== '' && { reference: reference.trim() }),
      ...(day !== '' && { scheduled_on: day }),
      ...(category !== '' && { category_purpose: category }),
      ...(purpose !== '' && { purpose }),
    },
    minor: read.minor,
  };
}

interface Cost {
  readonly amount_minor: number;
  readonly fees: readonly { readonly amount_minor: number }[];
}

/** What the account would hold behind it, in minor units. */
export const balanceAfter = (balance: number, { amount_minor, fees }: Cost): bigint =>
  fees.reduce((left, fee) => left - BigInt(fee.amount_minor), BigInt(balance) - BigInt(amount_minor));
