/**
 * Decisions about quotes and exchanges. A quote promises a price; an exchange moves both sides at once through the `fx`
 * house accounts. Pure: rates come with the command. Arithmetic: `rates.ts`. Booking: `booking.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { pairName } from '../../core/fx.ts';
import { countExchange } from '../../core/limits.ts';
import { formatMoney, majorOf, parseAmount } from '../../core/values/money.ts';
import { newMetadata } from '../../core/metadata.ts';
import type { Metadata } from '../../core/objects.ts';
import type { Valuation } from './exposure.ts';
import type { Exchange, Price, Quote, QuoteStatus } from './fields.ts';
import type { Draft } from '../../core/draft.ts';
import { updateMetadata } from '../../core/update.ts';
import { assert } from '../../core/values/assert.ts';
import { book, feesOfExchange, findParties, type NamedAccounts, namedAccountMissing } from './booking.ts';
import { type CurrentRate, type FixedSide, type NoRate, type Pair, price } from './rates.ts';

/** What is to be priced at the current rate. */
export interface Wanted extends Pair {
  /** Minor units of the fixed side's currency, already bounded. */
  readonly amount: bigint;
  readonly fixedSide: FixedSide;
  readonly rate: CurrentRate | NoRate;
  /** All present rates, for the open position. Left out or `null`: there are none. */
  readonly rates?: Valuation;
}

export interface CreateQuote extends Wanted {
  readonly type: 'create_quote';
  readonly expiresInMs: number;
  readonly metadata: Metadata | undefined;
}

interface Booking extends NamedAccounts {
  readonly type: 'create_exchange';
  readonly metadata: Metadata | undefined;
}

/** At the current rate. */
export interface ExchangeNow extends Booking, Wanted {
  readonly quote: null;
}

/** At a quote's price. What is given beside the quote must agree with it; `null` is not given. */
export interface ExchangeOnQuote extends Booking {
  readonly quote: string;
  readonly sellCurrency: string | null;
  readonly buyCurrency: string | null;
  /** Major-unit text; the quote's fixed side gives it its currency. */
  readonly amount: string | null;
  readonly fixedSide: FixedSide | null;
  readonly rates?: Valuation;
}

export type CreateExchange = ExchangeNow | ExchangeOnQuote;

export interface UpdateExchange {
  readonly type: 'update_exchange';
  readonly exchange: string;
  readonly metadata: Metadata | undefined;
}

/** `used` for ever, else `expired` after its last instant. */
export function quoteStatus(quote: Quote, atMs: number): QuoteStatus {
  if (quote.exchangeId !== null) return 'used';
  return atMs > quote.expiresAt ? 'expired' : 'active';
}

/** Refuses `currency_pair_invalid`, `rate_unavailable`, `amount_too_small`, `amount_too_large`. No event. */
export function createQuote(draft: Draft, command: CreateQuote): Decision {
  const unpriced = checkPair(command);
  if (unpriced) return unpriced;
  const priced = priceNow(draft, command);
  if (isRefusal(priced)) return priced;
  const quote: Quote = {
    object: 'exchange_quote',
    id: draft.newId('quo'),
    ...priced,
    fees: feesOfExchange(draft, priced),
    expiresAt: draft.atMs + command.expiresInMs,
    exchangeId: null,
    metadata: newMetadata(command.metadata),
    createdAt: draft.atMs,
  };
  return draft.create(quote);
}

/**
 * Refuses what {@link createQuote} does, `resource_missing`, `quote_already_used`, `quote_expired`, `quote_mismatch`,
 * `account_missing`, `account_currency_mismatch`, `account_closed`, `position_limit_exceeded`, `balance_insufficient`, `balance_too_large`
 * and `limit_exceeded`.
 */
export function createExchange(draft: Draft, command: CreateExchange): Decision {
  const exchange = command.quote === null ? exchangeNow(draft, command) : exchangeOnQuote(draft, command);
  if (isRefusal(exchange)) return exchange;
  const { sellAccount: account, sellAmount: amount, sellCurrency: currency } = exchange;
  return countExchange(draft, { account, amount, currency }) ?? exchange;
}

export function updateExchange(draft: Draft, command: UpdateExchange): Decision {
  const exchange = draft.find('exchange', command.exchange);
  if (!exchange) return missing('exchange', command.exchange, 'id');
  return updateMetadata(draft, exchange, command.metadata, 'exchange.updated');
}

function exchangeNow(draft: Draft, command: ExchangeNow): Exchange | Refusal {
  const unpriced = checkPair(command) ?? namedAccountMissing(draft, command);
  if (unpriced) return unpriced;
  const parties = findParties(draft, command, command);
  if (isRefusal(parties)) return parties;
  const price = priceNow(draft, command);
  if (isRefusal(price)) return price;
  const booked = { price, fees: feesOfExchange(draft, price), rates: command.rates ?? null };
  return book(draft, parties, booked, null, newMetadata(command.metadata));
}

function exchangeOnQuote(draft: Draft, command: ExchangeOnQuote): Exchange | Refusal {
  const quote = draft.find('exchange_quote', command.quote);
  if (!quote) return missing('exchange quote', command.quote, 'quote');
  const unusable = namedAccountMissing(draft, command) ?? checkQuote(draft, quote) ?? checkAgreement(command, quote);
  if (unusable) return unusable;
  const parties = findParties(draft, command, quote);
  if (isRefusal(parties)) return parties;
  const booked = { price: priceOf(quote), fees: quote.fees, rates: command.rates ?? null };
  return book(draft, parties, booked, quote, newMetadata(command.metadata));
}

export function checkPair({ sellCurrency, buyCurrency, rate }: Wanted): Refusal | null {
  if (sellCurrency === buyCurrency) {
    const both = `buy_currency is ${buyCurrency}, as is sell_currency; an exchange needs two currencies.`;
    return refusal('currency_pair_invalid', both, { param: 'buy_currency' });
  }
  if (!('unavailable' in rate)) return null;
  const message = `There is no current rate from ${sellCurrency} to ${buyCurrency}: ${rate.unavailable}. Try again later.`;
  return refusal('rate_unavailable', message);
}

/** The pair must have passed {@link checkPair}. The environment's own markup of a pair counts before that of the source. */
export function priceNow(draft: Draft, wanted: Wanted): Price | Refusal {
  const { sellCurrency, buyCurrency, fixedSide, amount: amountMinor, rate } = wanted;
  assert(!('unavailable' in rate), 'a pair without a rate was refused');
  const { midRate, source: rateSource, at: rateAt } = rate;
  const markupBps = draft.fx.markups[pairName(sellCurrency, buyCurrency)] ?? rate.markupBps;
  const priced = price({ midRate, markupBps, sellCurrency, buyCurrency, fixedSide, amountMinor });
  if (typeof priced !== 'string') return { ...priced, rateSource, rateAt };
  const [fixed, computed] = fixedSide === 'sell' ? [sellCurrency, buyCurrency] : [buyCurrency, sellCurrency];
  const bound = priced === 'too_small' ? 'less than the smallest' : 'more than the largest';
  const message = `amount is ${formatMoney(amountMinor, fixed)}, which comes to ${bound} amount of ${computed}. Send ${priced === 'too_small' ? 'more' : 'less'}.`;
  return refusal(`amount_${priced}`, message, { param: 'amount' });
}

export function checkQuote(draft: Draft, quote: Quote): Refusal | null {
  const { id, exchangeId } = quote;
  const status = quoteStatus(quote, draft.atMs);
  if (status === 'active') return null;
  const details = { param: 'quote', current_status: status };
  if (exchangeId !== null) {
    const message = `Quote ${id} was used by exchange ${exchangeId}. For another exchange, ask for a new quote.`;
    return refusal('quote_already_used', message, { ...details, resource_id: exchangeId });
  }
  const message = `Quote ${id} expired at ${new Date(quote.expiresAt).toISOString()}. Ask for a new one.`;
  return refusal('quote_expired', message, details);
}

/** Every parameter given beside the quote says what the quote says. */
function checkAgreement(command: ExchangeOnQuote, quote: Quote): Refusal | null {
  const texts = [
    ['sell_currency', command.sellCurrency, quote.sellCurrency],
    ['buy_currency', command.buyCurrency, quote.buyCurrency],
    ['fixed_side', command.fixedSide, quote.fixedSide],
  ] as const;
  for (const [param, given, promised] of texts) {
    if (given !== null && given !== promised) return mismatch(quote, param, given, promised);
  }
  if (command.amount === null) return null;
  const [code, promised] =
    quote.fixedSide === 'sell' ? [quote.sellCurrency, quote.sellAmount] : [quote.buyCurrency, quote.buyAmount];
  const currency = currencyOf(code);
  assert(currency, `${code} is an ISO 4217 currency`);
  const amount = parseAmount(command.amount, currency);
  if (typeof amount !== 'bigint') return { ...amount, details: { ...amount.details, param: 'amount' } };
  if (amount === promised) return null;
  return mismatch(quote, 'amount', majorOf(amount, code), majorOf(promised, code));
}

export function mismatch(quote: Quote, param: string, given: string, promised: string): Refusal {
  const message = `${param} is ${given}, but quote ${quote.id} says ${promised}. Leave it out or repeat it exactly.`;
  return refusal('quote_mismatch', message, { param, allowed: [promised], resource_id: quote.id });
}

/** The price alone, without what else a quote holds. */
export function priceOf(quote: Quote): Price {
  const { sellCurrency, buyCurrency, sellAmount, buyAmount, fixedSide, rate, inverseRate } = quote;
  const { midMarketRate, markupBps, rateSource, rateAt } = quote;
  const amounts = { sellCurrency, buyCurrency, sellAmount, buyAmount, fixedSide };
  return { ...amounts, rate, inverseRate, midMarketRate, markupBps, rateSource, rateAt };
}
