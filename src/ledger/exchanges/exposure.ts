/**
 * What open positions are worth at mid-market rates, and whether an exchange may open more. The open position is the
 * larger of all held and all owed in other currencies (shorthand method of the Basel Committee). Pure.
 */
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { type Fx, withFxMoved } from '../../core/fx.ts';
import { formatMoney, type Money } from '../../core/values/money.ts';
import type { Price } from './fields.ts';
import type { RateTable } from './rate-table.ts';
import { divide, minorUnits, parseRate } from './rates.ts';

/** The mid-market rates of now; `null`: there are none. */
export type Valuation = RateTable | null;

/** Minor units of `base`, signed as the amount, its size rounded as said; `null` without a rate. */
export function valueIn(
  base: string,
  { currency, amount }: Money,
  rates: Valuation,
  rounding: 'down' | 'up' = 'down',
): bigint | null {
  if (currency === base) return amount;
  const rate = rates?.rate(currency, base, 0)?.midRate;
  const ratio = rate === undefined ? null : parseRate(rate);
  if (ratio === null) return null;
  const size = amount < 0n ? -amount : amount;
  const numerator = size * ratio.numerator * minorUnits(base);
  const value = divide(numerator, ratio.denominator * minorUnits(currency), rounding);
  return amount < 0n ? -value : value;
}

/** The open position, minor units of the base, rounded up; or the currency that has no rate. */
export function openPosition({ base, positions }: Fx, rates: Valuation): bigint | string {
  let [held, owed] = [0n, 0n];
  for (const [currency, { amount }] of Object.entries(positions)) {
    if (currency === base) continue;
    const value = valueIn(base, { currency, amount }, rates, 'up');
    if (value === null) return currency;
    if (value > 0n) held += value;
    else owed -= value;
  }
  return held > owed ? held : owed;
}

type Amounts = Pick<Price, 'sellCurrency' | 'buyCurrency' | 'sellAmount' | 'buyAmount'>;

/** The value of an exchange in the base currency: its side in that currency, else its sold side at the mid-market rate. */
export function exchangeValue(
  { base }: Fx,
  { sellCurrency, buyCurrency, sellAmount, buyAmount }: Amounts,
  rates: Valuation,
) {
  if (buyCurrency === base) return buyAmount;
  return valueIn(base, { currency: sellCurrency, amount: sellAmount }, rates);
}

/**
 * Refuses `position_limit_exceeded`, and `rate_unavailable` where a position cannot be valued. An exchange that makes the open position
 * smaller is never refused, even above the limit.
 */
export function checkPositionLimit(fx: Fx, amounts: Amounts, rates: Valuation): Refusal | null {
  const { base, positionLimit: limit } = fx;
  if (limit === null) return null;
  const value = exchangeValue(fx, amounts, rates);
  const sold = withFxMoved(fx, amounts.sellCurrency, amounts.sellAmount, value);
  const after = openPosition(withFxMoved(sold, amounts.buyCurrency, -amounts.buyAmount, negative(value)), rates);
  const before = openPosition(fx, rates);
  if (typeof before === 'string' || typeof after === 'string') {
    const unknown = typeof before === 'string' ? before : after;
    const message = `The open position has a limit, and no current rate of ${unknown} is there to value it at. Try again later.`;
    return refusal('rate_unavailable', message);
  }
  if (after <= limit || after < before) return null;
  const written = (minor: bigint) => formatMoney(minor, base);
  const message = `The open position is ${written(before)} and would be ${written(after)}; position_limit is ${written(limit)}. Exchange less, or raise position_limit with POST /v1/settings/exchanges.`;
  return refusal('position_limit_exceeded', message);
}

export const negative = (value: bigint | null): bigint | null => value && -value;

/** The positions in another base currency, with book values at present rates. Or the currency that has no rate. */
export function rebased(fx: Fx, base: string, rates: Valuation): Fx | string {
  const positions: Record<string, Fx['positions'][string]> = {};
  for (const [currency, { amount }] of Object.entries(fx.positions)) {
    const book = currency === base ? 0n : valueIn(base, { currency, amount }, rates);
    if (book === null) return currency;
    positions[currency] = { amount, book };
  }
  return { ...fx, base, positions };
}
