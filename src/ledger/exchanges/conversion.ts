/**
 * The exchange behind a payout in another currency: priced first, so that the payout can be checked with its amount, and booked
 * with it in the same draft. Pure. Who calls this: `paying/payouts/decide.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { amountWithin, feeFor, type FeeRule } from '../../core/fee-rules.ts';
import type { Outflow } from '../../core/limits.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { majorOf } from '../../core/values/money.ts';
import {
  book,
  type Booked,
  checkBooking,
  feesOfExchange,
  findParties,
  type NamedAccounts,
  namedAccountMissing,
  type Parties,
} from './booking.ts';
import { checkPair, checkQuote, mismatch, priceNow, priceOf, type Wanted } from './decide.ts';
import type { Valuation } from './exposure.ts';
import type { Exchange, Quote } from './fields.ts';

/** What the payout says beside a quote; `null` is not given. */
interface Beside {
  readonly sellCurrency: string | null;
  readonly buyCurrency: string;
  readonly amount: bigint | null;
}

/** Paid from an account in another currency; `account` `null`: the oldest open one of it. */
export type Conversion = { readonly account: string | null; readonly rates?: Valuation } & (
  | ({ readonly quote: null } & Wanted)
  | ({ readonly quote: string } & Beside)
);

export interface Priced {
  readonly parties: Parties;
  readonly booked: Booked;
  readonly quote: Quote | null;
  /** Minor units that the payout can be of: what is bought less its own fee. */
  readonly arrives: bigint;
}

/**
 * What the conversion comes to; changes nothing. `buyAccount`: the account that the payout is made from, `null` the oldest open one of
 * its currency. `rule`: what the payout will be charged, which is bought with it. Refuses what `createExchange` does, by the names that
 * parameters have on a payout, and `amount_too_small` where the fee leaves nothing.
 */
export function priceConversion(
  draft: Draft,
  conversion: Conversion,
  buyAccount: string | null,
  rule: FeeRule | null,
): Priced | Refusal {
  const priced = priceOrRefuse(draft, conversion, { sellAccount: conversion.account, buyAccount }, rule);
  if (!isRefusal(priced)) return priced;
  const { param } = priced.details;
  const name =
    param === 'amount' && conversion.quote === null && conversion.fixedSide === 'sell' ? 'source_amount' : param;
  if (name === undefined) return priced;
  return { ...priced, details: { ...priced.details, param: NAMES_ON_PAYOUTS[name] ?? name } };
}

const NAMES_ON_PAYOUTS: Readonly<Record<string, string>> = {
  sell_currency: 'source_currency',
  sell_account: 'source_account',
  buy_currency: 'currency',
  buy_account: 'account',
};

/** Accounts come before the price, as in an exchange alone. */
function priceOrRefuse(
  draft: Draft,
  conversion: Conversion,
  named: NamedAccounts,
  rule: FeeRule | null,
): Priced | Refusal {
  const wanted = namedAccountMissing(draft, named) ?? wantedBy(draft, conversion, rule);
  if (isRefusal(wanted)) return wanted;
  const parties = findParties(draft, named, wanted);
  if (isRefusal(parties)) return parties;
  const quote = 'object' in wanted ? wanted : null;
  const price = 'object' in wanted ? priceOf(wanted) : priceNow(draft, wanted);
  if (isRefusal(price)) return price;
  const { rates = null } = conversion;
  const booked = { price, fees: quote?.fees ?? feesOfExchange(draft, price), rates };
  const unfunded = checkBooking(draft, parties, booked);
  if (unfunded) return unfunded;
  const arrives = amountWithin(rule, price.buyAmount);
  if (arrives > 0n) return { parties, booked, quote, arrives };
  return refusal('amount_too_small', 'The fee is as much as is bought.', { param: 'amount' });
}

/** The quote, or what is to be priced now with the fee of the payout in it. */
function wantedBy(draft: Draft, conversion: Conversion, rule: FeeRule | null): Quote | Wanted | Refusal {
  if (conversion.quote !== null) return quoteFor(draft, conversion.quote, conversion, rule);
  if (conversion.sellCurrency === conversion.buyCurrency) {
    const message = `The payout is in ${conversion.buyCurrency} itself. Leave out where it is converted from.`;
    return refusal('currency_pair_invalid', message, { param: 'source_currency' });
  }
  const { amount, fixedSide } = conversion;
  const wanted = fixedSide === 'buy' ? { ...conversion, amount: amount + feeFor(rule, amount) } : conversion;
  return checkPair(wanted) ?? wanted;
}

/** The quote, if it can be used and agrees with what the payout says. */
function quoteFor(
  draft: Draft,
  id: string,
  { sellCurrency, buyCurrency, amount }: Beside,
  rule: FeeRule | null,
): Quote | Refusal {
  const quote = draft.find('exchange_quote', id);
  if (!quote) return missing('exchange quote', id, 'quote');
  const unusable = checkQuote(draft, quote);
  if (unusable) return unusable;
  if (buyCurrency !== quote.buyCurrency) return mismatch(quote, 'buy_currency', buyCurrency, quote.buyCurrency);
  if (sellCurrency !== null && sellCurrency !== quote.sellCurrency) {
    return mismatch(quote, 'sell_currency', sellCurrency, quote.sellCurrency);
  }
  const arrives = amountWithin(rule, quote.buyAmount);
  if (amount === null || amount === arrives) return quote;
  return mismatch(quote, 'amount', majorOf(amount, buyCurrency), majorOf(arrives, buyCurrency));
}

/** What the conversion takes from the account that sells. */
export const soldIn = ({ parties, booked: { price } }: Priced): Pick<Outflow, 'account' | 'amount' | 'currency'> => ({
  account: parties.sell.id,
  amount: price.sellAmount,
  currency: price.sellCurrency,
});

/** What the account that sells must hold for it. */
export const costOf = ({ booked: { price, fees } }: Priced) => ({ amount: price.sellAmount, fees });

/** Books what {@link priceConversion} priced in the same draft. */
export function bookConversion(draft: Draft, { parties, booked, quote }: Priced): Exchange {
  const exchange = book(draft, parties, booked, quote, {});
  assert(!isRefusal(exchange), 'what was priced in the same draft can be booked');
  return exchange;
}
