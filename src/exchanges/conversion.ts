/**
 * The exchange behind a payout in another currency: priced first, so that the payout can be checked with its amount, and booked
 * with it in the same draft. Pure. Who calls this: `payouts/decide.ts`.
 */
import { assert } from '../core/assert.ts';
import { currencyOf } from '../core/currencies.ts';
import { isRefusal } from '../core/decision.ts';
import type { Draft } from '../core/draft.ts';
import { missing, type Refusal, refusal } from '../core/errors.ts';
import { formatMinor } from '../core/money.ts';
import { book, checkBooking, findParties, namedAccountMissing, type Parties } from './booking.ts';
import { checkPair, checkQuote, mismatch, priceNow, priceOf, type Wanted } from './decide.ts';
import type { Exchange, Price, Quote } from './fields.ts';
import type { Pair } from './rates.ts';

/** Paid from an account in another currency; `account` `null`: the oldest open one of it. */
export type Conversion = { readonly account: string | null } & (
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
}

/**
 * What the conversion comes to; changes nothing. `buyAccount`: the account that the payout is made from, `null` the oldest open one of
 * its currency. Refuses what `createExchange` does, by the names that parameters have on a payout.
 */
export function priceConversion(draft: Draft, conversion: Conversion, buyAccount: string | null): Priced | Refusal {
  const priced = priceOrRefuse(draft, conversion, { sellAccount: conversion.account, buyAccount });
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

function priceOrRefuse(
  draft: Draft,
  conversion: Conversion,
  named: { readonly sellAccount: string | null; readonly buyAccount: string | null },
): Priced | Refusal {
  const absent = namedAccountMissing(draft, named);
  if (absent) return absent;
  if (conversion.quote !== null) {
    const quote = quoteFor(draft, conversion.quote, conversion);
    return isRefusal(quote) ? quote : priceBetween(draft, named, quote, () => priceOf(quote), quote);
  }
  if (conversion.sellCurrency === conversion.buyCurrency) {
    const message = `The payout is in ${conversion.buyCurrency} itself. Leave out where it is converted from.`;
    return refusal('currency_pair_invalid', message, { param: 'source_currency' });
  }
  return checkPair(conversion) ?? priceBetween(draft, named, conversion, () => priceNow(conversion), null);
}

/** Accounts come before the price, as in an exchange alone. */
function priceBetween(
  draft: Draft,
  named: { readonly sellAccount: string | null; readonly buyAccount: string | null },
  pair: Pair,
  priced: () => Price | Refusal,
  quote: Quote | null,
): Priced | Refusal {
  const parties = findParties(draft, named, pair);
  if (isRefusal(parties)) return parties;
  const price = priced();
  if (isRefusal(price)) return price;
  return checkBooking(parties, price) ?? { parties, price, quote };
}

interface Beside {
  readonly sellCurrency: string | null;
  readonly buyCurrency: string;
  readonly amount: bigint | null;
}

/** The quote, if it can be used and agrees with what the payout says. */
function quoteFor(draft: Draft, id: string, { sellCurrency, buyCurrency, amount }: Beside): Quote | Refusal {
  const quote = draft.find('quote', id);
  if (!quote) return missing('quote', id, 'quote');
  const unusable = checkQuote(draft, quote);
  if (unusable) return unusable;
  if (buyCurrency !== quote.buyCurrency) return mismatch(quote, 'buy_currency', buyCurrency, quote.buyCurrency);
  if (sellCurrency !== null && sellCurrency !== quote.sellCurrency) {
    return mismatch(quote, 'sell_currency', sellCurrency, quote.sellCurrency);
  }
  if (amount === null || amount === quote.buyAmount) return quote;
  const exponent = currencyOf(buyCurrency)?.exponent ?? 0;
  return mismatch(quote, 'amount', formatMinor(amount, exponent), formatMinor(quote.buyAmount, exponent));
}

/** Books what {@link priceConversion} priced in the same draft. */
export function bookConversion(draft: Draft, { parties, price, quote }: Priced): Exchange {
  const exchange = book(draft, parties, price, quote?.id ?? null, {});
  assert(!isRefusal(exchange), 'what was priced in the same draft can be booked');
  if (quote !== null) draft.update({ ...quote, exchangeId: exchange.id });
  return exchange;
}
