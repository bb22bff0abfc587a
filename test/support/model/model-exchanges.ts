/** Exchanges in the model, and payouts that are paid for by one: what the exchange comes to, and then what a payout of its money does. */
import type { Conversion } from '../../../src/ledger/exchanges/conversion.ts';
import type { CreateExchange } from '../../../src/ledger/exchanges/decide.ts';
import type { PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import type { Model } from './model.ts';
import type { Expectation } from './model-objects.ts';
import { disagreement, priceOf } from './model-prices.ts';
import { freeOn } from './model-waiting.ts';

export function exchanged(model: Model, command: CreateExchange, atMs: number): Expectation {
  const quote = command.quote === null ? null : model.quotes.get(command.quote);
  if (quote === undefined) return { refused: 'resource_missing' };
  if (command.quote === null && command.sellCurrency === command.buyCurrency)
    return { refused: 'currency_pair_invalid' };
  if (command.quote === null && 'unavailable' in command.rate) return { refused: 'rate_unavailable' };
  const named = [command.sellAccount, command.buyAccount];
  if (named.some((id) => id !== null && !model.accounts.has(id))) return { refused: 'resource_missing' };
  if (quote?.used) return { refused: 'quote_already_used' };
  if (quote && atMs > quote.expiresAt) return { refused: 'quote_expired' };
  const disagreeing = quote && command.quote !== null ? disagreement(command, quote) : null;
  if (disagreeing) return { refused: disagreeing };

  const [sellCurrency, buyCurrency] = quote
    ? quote.pair
    : [command.sellCurrency as string, command.buyCurrency as string];
  const sell = command.sellAccount ?? model.oldest(sellCurrency);
  if (sell === null) return { refused: 'account_missing' };
  const buy = command.buyAccount ?? model.oldest(buyCurrency);
  const unusable = model.usable(sell, sellCurrency) ?? (buy === null ? null : model.usable(buy, buyCurrency));
  if (unusable) return { refused: unusable };
  const amounts = quote ? quote.amounts : priceOf(command as Extract<CreateExchange, { quote: null }>);
  if (typeof amounts === 'string') return { refused: amounts };
  const [paid, received] = amounts;
  const fee = quote?.fee ?? model.fees.on({ on: 'exchange', currency: sellCurrency, buyCurrency }, paid);
  const unfunded = model.short(sell, paid + fee) ?? model.overfull(buy, received);
  if (unfunded) return { refused: unfunded };
  return {
    accepted: ({ id, buyAccount = '' }) => {
      if (buy === null) model.open(buyAccount, buyCurrency);
      model.move(sell, 'fx', paid, 'exchange');
      model.move('fx', buy ?? buyAccount, received, 'exchange');
      model.charge(sell, fee, 'exchange_fee');
      if (quote) quote.used = true;
      model.exchanges.set(id, { tag: undefined });
      model.event(`exchange.created ${id}`);
      model.event(`exchange.completed ${id}`);
    },
  };
}

export function convertedPayout(model: Model, order: PayoutOrder, conversion: Conversion, atMs: number): Expectation {
  const misdirected = model.misdirected(order);
  if (misdirected) return { refused: misdirected };
  if (conversion.account !== null && !model.accounts.has(conversion.account)) return { refused: 'resource_missing' };
  const command = withFee(model, exchangeOf(order, conversion), order.currency);
  const exchange = exchanged(model, command, atMs);
  const quote = command.quote === null ? undefined : model.quotes.get(command.quote);
  const payable = (bought: bigint) => model.fees.payableOf(order.currency, bought);
  const isOtherAmount = quote !== undefined && order.amount !== null && order.amount !== payable(quote.amounts[1]);
  const isUsable = quote !== undefined && !quote.used && atMs <= quote.expiresAt;
  if (isOtherAmount && isUsable) return { refused: 'quote_mismatch' };
  if ('refused' in exchange) return exchange;
  const [, received] =
    quote?.amounts ?? (priceOf(command as Extract<CreateExchange, { quote: null }>) as [bigint, bigint]);
  const amount = payable(received);
  if (amount === 0n) return { refused: 'amount_too_small' };
  const misplanned = model.misplanned(order, atMs);
  if (misplanned) return { refused: misplanned };
  if (takesWhatIsKept(model, command)) return { refused: 'balance_insufficient' };
  return {
    accepted: ({ id, exchange: exchangeId = '', buyAccount = '' }) => {
      exchange.accepted({ id: exchangeId, buyAccount });
      model.pay({ ...order, amount, account: buyAccount }, id, null, atMs);
    },
  };
}

/** A payout is held back on the account that sells; an exchange alone is not. */
function takesWhatIsKept(model: Model, command: CreateExchange): boolean {
  const quote = command.quote === null ? undefined : model.quotes.get(command.quote);
  const [sellCurrency, buyCurrency] = quote?.pair ?? [command.sellCurrency as string, command.buyCurrency as string];
  const [paid] = quote?.amounts ?? (priceOf(command as Extract<CreateExchange, { quote: null }>) as [bigint, bigint]);
  const fee = quote?.fee ?? model.fees.on({ on: 'exchange', currency: sellCurrency, buyCurrency }, paid);
  return freeOn(model, command.sellAccount ?? (model.oldest(sellCurrency) as string)) < paid + fee;
}

/** What is to arrive is bought with the fee of the payout. */
function withFee(model: Model, command: CreateExchange, currency: string): CreateExchange {
  if (command.quote !== null || command.fixedSide === 'sell') return command;
  return { ...command, amount: command.amount + model.fees.on({ on: 'payout', currency }, command.amount) };
}

function exchangeOf(order: PayoutOrder, conversion: Conversion): CreateExchange {
  const booking = {
    type: 'create_exchange',
    sellAccount: conversion.account,
    buyAccount: order.account,
    metadata: undefined,
  } as const;
  if (conversion.quote === null) return { ...booking, ...conversion };
  const { quote, sellCurrency, buyCurrency } = conversion;
  return { ...booking, quote, sellCurrency, buyCurrency, amount: null, fixedSide: null };
}
