/**
 * Where the money of a payout comes from when it is in another currency: `source_currency`, `source_account` or `quote`. The
 * currency of a named account is looked up, since a rate is asked for before the command is decided.
 */
import type { RatesNow } from '../../ledger/exchanges/rate-source.ts';
import { currencyOf, type Currency } from '../../core/values/currencies.ts';
import { RequestError } from '../../core/values/errors.ts';
import { paramError, pathOf } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import type { Parsed } from '../../platform/http/request/params.ts';
import type { Fault, NamedOrder } from './batch-faults.ts';
import type { PayoutOrder } from './decide.ts';

/** The parameters, beside those of every payout. */
export const sourceFields = param.optional({
  source_currency: param.currency({
    description:
      'Pays from an account in this currency: the exchange is booked in the same commit, at the current rate or `quote`.',
    example: 'GBP',
  }),
  source_account: param.id('acct', {
    description: 'The account that pays for the exchange; by default the oldest open one of `source_currency`.',
  }),
  source_amount: param.amount({
    description:
      'Instead of `amount`: the amount taken from the source, in major units of its currency. The recipient gets what that buys.',
    example: 250,
  }),
  quote: param.id('quo', { description: 'Books the exchange at this quote’s price. `amount` may be left out then.' }),
});

type Fields = Parsed<typeof sourceFields>;

export interface Source {
  readonly currency: Fields['source_currency'];
  readonly account: string | undefined;
  /** Major-unit text. */
  readonly amount: string | undefined;
  readonly quote: string | undefined;
  /** Of the order, if it is an item of a batch: `payouts[3]`; else empty. */
  readonly path: string;
}

export type AskedOrder = Omit<PayoutOrder, 'conversion'> & { readonly source: Source | null };
/** The same of an item of a batch, which may name a payee. */
export type AskedItem = AskedOrder | (Omit<NamedOrder, 'conversion'> & { readonly source: Source | null });

/** `null`: the money is in the payout's currency. `path`: as in {@link Source}. Throws `parameter_missing` and `parameter_conflict`. */
export function sourceFrom(given: Fields & { readonly amount: string | undefined }, path: string): Source | null {
  const at = (name: string) => pathOf(path, name);
  const { source_currency: currency, source_account: account, source_amount: amount, quote } = given;
  const isConverted = currency !== undefined || account !== undefined || amount !== undefined || quote !== undefined;
  if (given.amount === undefined && amount === undefined && quote === undefined) {
    throw paramError('parameter_missing', at('amount'), `${at('amount')} is required.`);
  }
  if (!isConverted) return null;
  if (amount !== undefined && given.amount !== undefined) {
    const message = 'amount is what arrives and source_amount what is taken; send one of them.';
    throw paramError('parameter_conflict', at('source_amount'), message);
  }
  if (amount !== undefined && quote !== undefined) {
    throw paramError('parameter_conflict', at('source_amount'), 'A quote names both amounts. Leave source_amount out.');
  }
  if (currency === undefined && account === undefined && quote === undefined) {
    const message = 'source_amount needs source_currency or source_account.';
    throw paramError('parameter_missing', at('source_currency'), message);
  }
  return { currency, account, amount, quote, path };
}

/**
 * The order, with the rate of its exchange. `currencies`: by account, of those named without a currency; an account that does not exist
 * is refused by the decision. Throws the faults of an amount.
 */
export function pricedOrder(asked: AskedOrder, rates: RatesNow, currencies: ReadonlyMap<string, string>): PayoutOrder;
export function pricedOrder(
  asked: AskedItem,
  rates: RatesNow,
  currencies: ReadonlyMap<string, string>,
): PayoutOrder | NamedOrder;
export function pricedOrder(
  { source, ...order }: AskedItem,
  rates: RatesNow,
  currencies: ReadonlyMap<string, string>,
): PayoutOrder | NamedOrder {
  if (source === null) return order;
  const { account = null, quote = null } = source;
  const { currency: buyCurrency, amount } = order;
  const sellCurrency = source.currency?.code ?? (account === null ? null : (currencies.get(account) ?? null));
  if (quote !== null)
    return { ...order, conversion: { quote, account, sellCurrency, buyCurrency, amount, rates: rates.all } };
  const sell = sellCurrency ?? buyCurrency;
  const rate = rates.of(sell, buyCurrency);
  const pair = { quote: null, account, sellCurrency: sell, buyCurrency, rate, rates: rates.all } as const;
  if (amount !== null) return { ...order, conversion: { ...pair, amount, fixedSide: 'buy' } };
  const path = pathOf(source.path, 'source_amount');
  const taken = param.amountIn(currencyOf(sell) as Currency, source.amount as string, path);
  return { ...order, conversion: { ...pair, amount: taken, fixedSide: 'sell' } };
}

/** What `parse` gives, or the fault of the item `path` that it threw. */
export function attempt<T>(parse: () => T, path: string): { readonly value: T } | { readonly fault: Fault } {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message, details } = error;
    const at = details.param;
    // `payouts[3][metadata][a]` is `metadata[a]` of the item.
    const name = at?.startsWith(`${path}[`) ? at.slice(path.length + 1).replace(']', '') : at;
    return { fault: { code, message, ...(name !== undefined && { param: name }) } };
  }
}
