/** What the model knows of prices and quotes: exact arithmetic of its own, on rates that print as they are. */
import { currencyOf } from '../../../src/core/values/currencies.ts';
import type { Code } from '../../../src/core/values/errors.ts';
import { MAX_AMOUNT_MINOR, parseAmount } from '../../../src/core/values/money.ts';
import type { CreateExchange, CreateQuote } from '../../../src/ledger/exchanges/decide.ts';

export interface ModelQuote {
  readonly pair: readonly [sell: string, buy: string];
  readonly amounts: readonly [sell: bigint, buy: bigint];
  /** Promised with it, in the currency that is sold. */
  readonly fee: bigint;
  readonly fixedSide: 'sell' | 'buy';
  readonly expiresAt: number;
  used: boolean;
}

const digits = (currency: string) => currencyOf(currency)?.exponent ?? 0;

/** Major-unit text as minor units, or why not. */
export function readAmount(text: string, code: string): bigint | Code {
  const currency = currencyOf(code);
  if (!currency) throw new Error(`${code} is not a currency of the model`);
  const amount = parseAmount(text, currency);
  return typeof amount === 'bigint' ? amount : amount.code;
}

/** Both sides, computed from the rate with integers: the buy side rounded down, the sell side up. */
export function priceOf(
  wanted: Pick<CreateQuote, 'sellCurrency' | 'buyCurrency' | 'amount' | 'fixedSide' | 'rate'>,
): [bigint, bigint] | Code {
  const { sellCurrency, buyCurrency, amount, fixedSide, rate } = wanted;
  if (sellCurrency === buyCurrency) return 'currency_pair_invalid';
  if ('unavailable' in rate) return 'rate_unavailable';
  const [whole = '', decimals = ''] = rate.midRate.split('.');
  const per = BigInt(whole + decimals) * 10n ** BigInt(digits(buyCurrency));
  const one = 10n ** BigInt(decimals.length + digits(sellCurrency));
  const computed = fixedSide === 'sell' ? (amount * per) / one : (amount * one + per - 1n) / per;
  if (computed === 0n) return 'amount_too_small';
  if (computed > MAX_AMOUNT_MINOR) return 'amount_too_large';
  return fixedSide === 'sell' ? [amount, computed] : [computed, amount];
}

/** Whether what is said beside the quote contradicts it. */
export function disagreement(command: Extract<CreateExchange, { quote: string }>, quote: ModelQuote): Code | null {
  const { sellCurrency, buyCurrency, fixedSide, amount } = command;
  const [sell, buy] = quote.pair;
  const given = [sellCurrency ?? sell, buyCurrency ?? buy, fixedSide ?? quote.fixedSide];
  if (given.join() !== [sell, buy, quote.fixedSide].join()) return 'quote_mismatch';
  if (amount === null) return null;
  const side = quote.fixedSide === 'sell' ? 0 : 1;
  const read = readAmount(amount, quote.pair[side]);
  if (typeof read !== 'bigint') return read;
  return read === quote.amounts[side] ? null : 'quote_mismatch';
}
