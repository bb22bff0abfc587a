/** What the form of an exchange holds, what is sent of it, and what the accounts hold behind it. Pure. */
import { typedAmount } from '../../ui/typed-amount.ts';

export type Side = 'sell' | 'buy';

export interface Values {
  /** The account that pays. */
  readonly sell: string;
  /** The account that receives, or a currency of which one is opened. */
  readonly buy: string;
  /** The side that was typed; the other one follows from the price. */
  readonly side: Side;
  readonly amount: string;
}

/** Of an account, what the form needs. */
export interface Held {
  readonly id: string;
  readonly currency: string;
  readonly status: string;
}

/** As the API takes it. */
export interface Order {
  readonly sell_account: string;
  readonly sell_currency: string;
  readonly buy_account?: string;
  readonly buy_currency: string;
  readonly amount: string;
  readonly fixed_side: Side;
}

export type Asked =
  | { readonly order: Order; readonly fault?: undefined }
  /** Why the amount is none, in words; without: something is missing yet. */
  | { readonly order: null; readonly fault?: string };

/** The currencies of both sides; `''` where none is chosen. */
export function currenciesOf({ sell, buy }: Values, accounts: readonly Held[]): Readonly<Record<Side, string>> {
  const of = (id: string) => accounts.find((each) => each.id === id)?.currency;
  return { sell: of(sell) ?? '', buy: of(buy) ?? (isCurrency(buy) ? buy : '') };
}

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

/** The order, once both sides and an amount are there. An amount that can be read in two ways is asked about, never guessed. */
export function orderOf(values: Values, accounts: readonly Held[]): Asked {
  const { sell, buy } = currenciesOf(values, accounts);
  if (sell === '' || buy === '' || sell === buy) return { order: null };
  const read = typedAmount(values.amount, values.side === 'sell' ? sell : buy);
  if (read.amount === null) return { order: null, ...(read.fault !== undefined && { fault: read.fault }) };
  return {
    order: {
      sell_account: values.sell,
      sell_currency: sell,
      ...(!isCurrency(values.buy) && { buy_account: values.buy }),
      buy_currency: buy,
      amount: read.amount,
      fixed_side: values.side,
    },
  };
}

/** Another paying account. What is bought is chosen anew where both would be of one currency. */
export function withSell(values: Values, sell: string, accounts: readonly Held[]): Values {
  const next = { ...values, sell };
  const { sell: from, buy: to } = currenciesOf(next, accounts);
  return from === to ? { ...next, buy: '' } : next;
}

/** Currencies that can be bought and that no open account has. */
export const newCurrencies = (rates: readonly { readonly buy_currency: string }[], accounts: readonly Held[]) => {
  const held = new Set(accounts.filter(({ status }) => status === 'open').map(({ currency }) => currency));
  return rates.map(({ buy_currency: currency }) => currency).filter((currency) => !held.has(currency));
};

/** Of a quote, an exchange or what was tried. */
export interface Price {
  readonly sell_amount_minor: number;
  readonly buy_amount_minor: number;
  readonly fees: readonly { readonly amount_minor: number }[];
}

/** What the paying account holds behind it, in minor units. Below zero: it would be refused. */
export const leftBehind = (balance: number, { sell_amount_minor: sold, fees }: Price): bigint =>
  fees.reduce((left, fee) => left - BigInt(fee.amount_minor), BigInt(balance) - BigInt(sold));

/** What the receiving account holds behind it, in minor units. */
export const heldBehind = (balance: number, { buy_amount_minor: bought }: Price): bigint =>
  BigInt(balance) + BigInt(bought);
