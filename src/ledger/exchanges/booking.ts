/**
 * How an exchange is booked: which accounts, whether the money is there, and the two linked transfers. Pure, like the
 * decisions in `decide.ts` that end here. It prices nothing: amounts come with the price.
 */
import { charge, feesFor, ruleOf } from '../../core/charges.ts';
import { isRefusal } from '../../core/decision.ts';
import { type Fee, sumOf } from '../../core/fees.ts';
import { missing, type Refusal } from '../../core/values/errors.ts';
import { checkFunds, move, openAccount, openAccountNamed, payingAccount } from '../../core/ledger.ts';
import type { Metadata } from '../../core/objects.ts';
import { checkPositionLimit, exchangeValue, type Valuation } from './exposure.ts';
import type { Exchange, Price, Quote } from './fields.ts';
import type { Account } from '../../core/account.ts';
import type { Draft } from '../../core/draft.ts';
import type { Pair } from './rates.ts';

/** `null`: the oldest open account of the currency; on the buying side one is opened if there is none. */
export interface NamedAccounts {
  readonly sellAccount: string | null;
  readonly buyAccount: string | null;
}

/** The accounts of both sides; `buy` is `null` where one is to be opened. */
export interface Parties {
  readonly sell: Account;
  readonly buy: Account | null;
}

/** `resource_missing` for the first named account that does not exist: existence is checked before any state. */
export function namedAccountMissing(draft: Draft, { sellAccount, buyAccount }: NamedAccounts): Refusal | null {
  for (const [param, id] of Object.entries({ sell_account: sellAccount, buy_account: buyAccount }))
    if (id !== null && !draft.find('account', id)) return missing('account', id, param);
  return null;
}

/** Refuses `account_missing` (paying side only), `account_currency_mismatch`, `account_closed`. */
export function findParties(draft: Draft, named: NamedAccounts, pair: Pair): Parties | Refusal {
  const sell = payingAccount(draft, named.sellAccount, pair.sellCurrency, 'sell_account');
  if (isRefusal(sell)) return sell;
  if (named.buyAccount === null) return { sell, buy: draft.oldestOpenAccount(pair.buyCurrency) ?? null };
  const buy = openAccountNamed(draft, named.buyAccount, pair.buyCurrency, 'buy_account');
  return isRefusal(buy) ? buy : { sell, buy };
}

/** A price with its fees, and the rates of now, which value what it leaves open. */
export interface Booked {
  readonly price: Price;
  readonly fees: readonly Fee[];
  readonly rates: Valuation;
}

/** What an exchange at a price is charged, in the currency of the selling side. */
export const feesOfExchange = (
  draft: Draft,
  { sellCurrency: currency, buyCurrency, sellAmount }: Price,
): readonly Fee[] => feesFor(ruleOf(draft, { on: 'exchange', currency, buyCurrency }), sellAmount, currency);

/** Refuses what {@link book} could not move: `position_limit_exceeded`, `rate_unavailable`, `balance_insufficient`, `balance_too_large`. */
export function checkBooking(draft: Draft, { sell, buy }: Parties, { price, fees, rates }: Booked): Refusal | null {
  const { sellAmount, buyAmount } = price;
  return (
    checkPositionLimit(draft.fx, price, rates) ??
    checkFunds({ debit: sell, credit: 'fx', amount: sellAmount + sumOf(fees) }) ??
    (buy && checkFunds({ debit: 'fx', credit: buy, amount: buyAmount }))
  );
}

/** Moves both sides, takes the fees and uses up the quote. On a refusal, those of {@link checkBooking}, the draft is unchanged. */
export function book(
  draft: Draft,
  parties: Parties,
  booked: Booked,
  quote: Quote | null,
  metadata: Metadata,
): Exchange | Refusal {
  const { sell } = parties;
  const { price, fees: charged, rates } = booked;
  const paid = { debit: sell, credit: 'fx', amount: price.sellAmount } as const;
  const unfunded = checkBooking(draft, parties, booked);
  if (unfunded) return unfunded;

  const id = draft.newId('exc');
  const buy = parties.buy ?? openAccount(draft, { currency: price.buyCurrency });
  const received = { debit: 'fx', credit: buy, amount: price.buyAmount } as const;
  const baseValue = exchangeValue(draft.fx, price, rates);
  const link = { cause: 'exchange', causeId: id, baseValue } as const;
  const sellTransfer = move(draft, { ...paid, ...link, currency: price.sellCurrency });
  const buyTransfer = move(draft, { ...received, ...link, currency: price.buyCurrency });
  const fees = charge(draft, sell.id, charged, { cause: 'exchange_fee', causeId: id });
  const exchange: Exchange = {
    object: 'exchange',
    id,
    ...price,
    quoteId: quote && quote.id,
    sellAccount: sell.id,
    buyAccount: buy.id,
    sellTransfer: sellTransfer.id,
    buyTransfer: buyTransfer.id,
    fees,
    metadata,
    createdAt: draft.atMs,
  };
  draft.create(exchange, 'exchange.created');
  draft.emit('exchange.completed', exchange);
  if (quote) draft.update({ ...quote, exchangeId: id });
  return exchange;
}
