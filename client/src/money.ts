/**
 * Amounts without floats. On the wire an amount is a number in major units (`250.00`), here it is decimal text; beside it stands `amount_minor`, an
 * integer that every number of JavaScript holds exactly (at most 10^15). Calculate with minor units.
 */
import { CURRENCIES, UNUSUAL_DECIMALS } from './generated/operations.ts';

/** Major units as text: `'250.00'`. A JavaScript number is refused by the compiler: `0.1 + 0.2` is not `0.3`. */
export type Decimal = `${number}`;

const PLAIN = /^-?\d+(?:\.\d+)?$/;
const KNOWN: ReadonlySet<string> = new Set(CURRENCIES.split(' '));

/** The text as an amount. Throws `RangeError` where it is no plain decimal: blanks, separators, exponents. */
export function decimal(text: string): Decimal {
  if (!PLAIN.test(text)) throw new RangeError(`${JSON.stringify(text)} is not a plain decimal, such as 250.00`);
  return text as Decimal;
}

/** Decimals of a currency: JPY 0, EUR 2, KWD 3. Throws `RangeError` where the currency is unknown. */
export function decimalsOf(currency: string): number {
  const code = currency.toUpperCase();
  if (!KNOWN.has(code)) throw new RangeError(`${JSON.stringify(currency)} is not a currency that Bursar has`);
  const unusual = Object.entries(UNUSUAL_DECIMALS).find(([, codes]) => codes.split(' ').includes(code));
  return unusual === undefined ? 2 : Number(unusual[0]);
}

/** `('250.00', 'EUR')` → `25000n`. Throws `RangeError` where the currency has fewer decimals: nothing is rounded. */
export function toMinor(amount: Decimal, currency: string): bigint {
  const [whole = '', given = ''] = decimal(amount).split('.');
  const decimals = decimalsOf(currency);
  if (/[1-9]/.test(given.slice(decimals))) {
    throw new RangeError(`${amount} has more decimals than ${currency} has, which are ${decimals}`);
  }
  return BigInt(whole + given.slice(0, decimals).padEnd(decimals, '0'));
}

/** `(25000n, 'EUR')` → `'250.00'`. Throws `RangeError` where a number is not a safe integer. */
export function fromMinor(minor: bigint | number, currency: string): Decimal {
  if (typeof minor === 'number' && !Number.isSafeInteger(minor)) throw new RangeError(`${minor} is no exact integer`);
  const decimals = decimalsOf(currency);
  const digits = String(minor)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const sign = minor < 0 ? '-' : '';
  return `${sign}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}` as Decimal;
}
