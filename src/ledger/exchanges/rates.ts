/**
 * Pricing: what one side of an exchange comes to, from exact decimal text and in integers only, without floats, clock or I/O. {@link divide}
 * alone rounds, always against the client, and every figure follows from a printed one, so that a client can check the chain: mid-market
 * rate and markup give the rate, the rate gives the amounts. Where rates come from: `rate-source.ts`. Who uses prices: `decide.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import { formatMinor, MAX_AMOUNT_MINOR } from '../../core/values/money.ts';
import type { Price } from './fields.ts';

/** A rate as its source gave it. */
export interface CurrentRate {
  /** Decimal text, buy units per one sell unit, without markup. */
  readonly midRate: string;
  readonly markupBps: number;
  readonly source: string;
  /** When the source fixed it, milliseconds. */
  readonly at: number;
}

/** That there is no rate now, and why, as the end of a sentence. Clients read it: no paths, no addresses. */
export interface NoRate {
  readonly unavailable: string;
}

/** A positive rational number. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export type FixedSide = Price['fixedSide'];
type Rounding = 'down' | 'up';

/** More is not a markup but a typing error: half of the money. */
export const MAX_MARKUP_BPS = 5_000;
const BPS = 10_000n;

/** Of a printed rate. Ten keep the error below one part in 10⁹, a minor unit on ten million EUR, and fit into a spreadsheet. */
export const SIGNIFICANT_DIGITS = 10;

// Wide enough for every rate that is printed here: crosses of rates from 10^-9 to 10^9, with ten significant digits.
const RATE_TEXT = /^(\d{1,20})(?:\.(\d{1,32}))?$/;

/** The exact value of a plain decimal above zero; `null` for anything else. */
export function parseRate(text: string): Ratio | null {
  const match = RATE_TEXT.exec(text);
  if (!match) return null;
  const decimals = match[2] ?? '';
  const numerator = BigInt(`${match[1]}${decimals}`);
  return numerator === 0n ? null : { numerator, denominator: 10n ** BigInt(decimals.length) };
}

/** The quotient of two positive integers. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  return rounding === 'up' && numerator % denominator !== 0n ? quotient + 1n : quotient;
}

/** Decimal text of a ratio with {@link SIGNIFICANT_DIGITS}; zeros at the end of the fraction are left out. */
export function printRate({ numerator, denominator }: Ratio, rounding: Rounding): string {
  // The quotient lies between 10^(magnitude - 1) and 10^(magnitude + 1): scaled, it has ten digits or eleven.
  const magnitude = numerator.toString().length - denominator.toString().length;
  const shift = SIGNIFICANT_DIGITS - magnitude;
  const long = scaled(numerator, denominator, shift, 'down') >= 10n ** BigInt(SIGNIFICANT_DIGITS);
  const decimals = long ? shift - 1 : shift;
  const digits = scaled(numerator, denominator, decimals, rounding);
  if (decimals <= 0) return (digits * 10n ** BigInt(-decimals)).toString();
  return formatMinor(digits, decimals).replace(/\.?0+$/, '');
}

function scaled(numerator: bigint, denominator: bigint, decimals: number, rounding: Rounding): bigint {
  const power = 10n ** BigInt(Math.abs(decimals));
  return decimals >= 0
    ? divide(numerator * power, denominator, rounding)
    : divide(numerator, denominator * power, rounding);
}

/** What a client gets of a mid-market rate. */
type ClientRate = Pick<Price, 'rate' | 'inverseRate'>;

/** Rates change far less often than they are asked for: worked out once (measured: a tenth of an exchange's time). */
const worked = new Map<string, ClientRate>();
const MAX_WORKED = 10_000;

export function clientRate(midRate: string, markupBps: number): ClientRate {
  const key = `${midRate} ${markupBps}`;
  const known = worked.get(key);
  if (known) return known;
  assert(Number.isInteger(markupBps) && markupBps >= 0 && markupBps <= MAX_MARKUP_BPS, `${markupBps} bps is a markup`);
  const mid = exact(midRate);
  const numerator = mid.numerator * (BPS - BigInt(markupBps));
  const rate = printRate({ numerator, denominator: mid.denominator * BPS }, 'down');
  const { numerator: above, denominator: below } = exact(rate);
  const fresh = { rate, inverseRate: printRate({ numerator: below, denominator: above }, 'up') };
  if (worked.size >= MAX_WORKED) worked.clear();
  worked.set(key, fresh);
  return fresh;
}

function exact(text: string): Ratio {
  const ratio = parseRate(text);
  assert(ratio, `${text} is a rate`);
  return ratio;
}

export interface Pair {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
}

/** The other side, minor units: a buy side rounded down, a sell side up, never in the client's favour. A buy side may be zero. */
export function computedSide(rate: string, pair: Pair, fixedSide: FixedSide, amountMinor: bigint): bigint {
  const { numerator, denominator } = exact(rate);
  const sellUnit = minorUnits(pair.sellCurrency);
  const buyUnit = minorUnits(pair.buyCurrency);
  return fixedSide === 'sell'
    ? divide(amountMinor * numerator * buyUnit, denominator * sellUnit, 'down')
    : divide(amountMinor * denominator * sellUnit, numerator * buyUnit, 'up');
}

export function minorUnits(code: string): bigint {
  const currency = currencyOf(code);
  assert(currency, `${code} is an ISO 4217 currency`);
  return 10n ** BigInt(currency.exponent);
}

interface PriceRequest extends Pair, Pick<Price, 'markupBps' | 'fixedSide'> {
  readonly midRate: string;
  /** Minor units of the fixed side's currency. */
  readonly amountMinor: bigint;
}

/** A price without where its rate came from. */
export type Priced = Omit<Price, 'rateSource' | 'rateAt'>;

/** Both sides at a rate, or why there are none: the computed side is zero, or above the largest amount. */
export function price(request: PriceRequest): Priced | 'too_small' | 'too_large' {
  const { midRate, markupBps, sellCurrency, buyCurrency, fixedSide, amountMinor } = request;
  const { rate, inverseRate } = clientRate(midRate, markupBps);
  const computed = computedSide(rate, request, fixedSide, amountMinor);
  if (computed === 0n) return 'too_small';
  if (computed > MAX_AMOUNT_MINOR) return 'too_large';
  return {
    sellCurrency,
    buyCurrency,
    sellAmount: fixedSide === 'sell' ? amountMinor : computed,
    buyAmount: fixedSide === 'buy' ? amountMinor : computed,
    fixedSide,
    rate,
    inverseRate,
    midMarketRate: midRate,
    markupBps,
  };
}
