/**
 * The exchange behind a payout in another currency: priced first, so that the payout can be checked with its amount, and booked
 * with it in the same draft. Pure. Who calls this: `paying/payouts/decide.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { amountWithin, feeFor, type FeeRule } from '../../core/fee-rules.ts';
import type { Fee } from '../../core/fees.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { majorOf } from '../../core/values/money.ts';
import { book, checkBooking, feesOfExchange, findParties, namedAccountMissing, type Parties } from './booking.ts';
import { checkPair, checkQuote, mismatch, priceNow, priceOf, type Wanted } from './decide.ts';
import type { Valuation } from './exposure.ts';
import type { Exchange, Price, Quote } from './fields.ts';
import type { Pair } from './rates.ts';

/** Paid from an account in another currency; `account` `null`: the oldest open one of it. */
export type Conversion = { readonly account: string | null; readonly rates?: Valuation } & (
  | ({ readonly quote: null } & Wanted)
  | {
      readonly quote: string;
      /** What the payout says beside the quote; `null` is not given. */
      readonly sellCurrency: string | null;
      readonly buyCurrency: string;
      readonly amount: bigint | null;
    }
);

/** A conversion that can be booked. */
export interface Priced {
  readonly parties: Parties;
  readonly price: Price;
  readonly quote: Quote | null;
  /** What the exchange is charged, not taken yet. */
  readonly fees: readonly Fee[];
  readonly rates: Valuation;
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
  return name === undefined ? priced : { ...priced, details: { ...priced.details, param: NAMES[name] ?? name } };
}

/** Parameters of an exchange, as a payout calls them. */
const NAMES: Readonly<Record<string, string>> = {
  sell_currency: 'source_currency',
  sell_account: 'source_account',
  buy_currency: 'currency',
  buy_account: 'account',
};

function priceOrRefuse(draft: Draft, conversion: Conversion, named: Named, rule: FeeRule | null): Priced | Refusal {
  const absent = namedAccountMissing(draft, named);
  if (absent) return absent;
  const { rates = null } = conversion;
  if (conversion.quote !== null) {
    const quote = quoteFor(draft, conversion.quote, conversion, rule);
    return isRefusal(quote) ? quote : priceBetween(draft, named, quote, () => priceOf(quote), { quote, rule, rates });
  }
  if (conversion.sellCurrency === conversion.buyCurrency) {
    const message = `The payout is in ${conversion.buyCurrency} itself. Leave out where it is converted from.`;
    return refusal('currency_pair_invalid', message, { param: 'source_currency' });
  }
  const { amount, fixedSide } = conversion;
  const wanted = fixedSide === 'buy' ? { ...conversion, amount: amount + feeFor(rule, amount) } : conversion;
  return (
    checkPair(wanted) ??
    priceBetween(draft, named, wanted, () => priceNow(draft, wanted), {
      quote: null,
      rule,
      rates,
    })
  );
}

interface Named {
  readonly sellAccount: string | null;
  readonly buyAccount: string | null;
}

/** Accounts come before the price, as in an exchange alone. */
function priceBetween(
  draft: Draft,
  named: Named,
  pair: Pair,
  priced: () => Price | Refusal,
  { quote, rule, rates }: { readonly quote: Quote | null; readonly rule: FeeRule | null; readonly rates: Valuation },
): Priced | Refusal {
  const parties = findParties(draft, named, pair);
  if (isRefusal(parties)) return parties;
  const price = priced();
  if (isRefusal(price)) return price;
  const fees = quote?.fees ?? feesOfExchange(draft, price);
  const unfunded = checkBooking(draft, parties, { price, fees, rates });
  if (unfunded) return unfunded;
  const arrives = amountWithin(rule, price.buyAmount);
  if (arrives > 0n) return { parties, price, quote, fees, rates, arrives };
  return refusal('amount_too_small', 'The fee is as much as is bought.', { param: 'amount' });
}

interface Beside {
  readonly sellCurrency: string | null;
  readonly buyCurrency: string;
  readonly amount: bigint | null;
}

/** The quote, if it can be used and agrees with what the payout says. */
function quoteFor(
  draft: Draft,
  id: string,
  { sellCurrency, buyCurrency, amount }: Beside,
  rule: FeeRule | null,
): Quote | Refusal {
  const quote = draft.find('quote', id);
  if (!quote) return missing('quote', id, 'quote');
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

/** Books what {@link priceConversion} priced in the same draft. */
export function bookConversion(draft: Draft, { parties, price, quote, fees, rates }: Priced): Exchange {
  const exchange = book(draft, parties, { price, fees, rates }, quote?.id ?? null, {});
  assert(!isRefusal(exchange), 'what was priced in the same draft can be booked');
  if (quote !== null) draft.update({ ...quote, exchangeId: exchange.id });
  return exchange;
}
