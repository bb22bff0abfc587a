/** Digits of amounts and counts, by the reader's own separators. Nothing passes through a float. */
import { decimalsOf } from '../../../client/src/money.ts';

const MINUS = '\u2212';

/** As `separators`, for tests that name the reader's language. */
export function separatorsOf(locale: string | undefined): { readonly group: string; readonly point: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1234.5);
  const of = (type: string, usual: string) => parts.find((part) => part.type === type)?.value ?? usual;
  return { group: of('group', ','), point: of('decimal', '.') };
}

const OWN = separatorsOf(undefined);

/** Decimals of a currency: JPY 0, EUR 2, KWD 3; 2 for one that this build does not know. */
export function decimalsIn(currency: string): number {
  try {
    return decimalsOf(currency);
  } catch {
    return 2;
  }
}

/** `(-123450, 'EUR')` → `−1,234.50`. Throws `SyntaxError` for what is no integer. */
export function digitsOf(minor: number | string | bigint, currency: string, signed = false, separators = OWN): string {
  const value = BigInt(minor);
  const decimals = decimalsIn(currency);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const whole = grouped(digits.slice(0, at), separators.group);
  const sign = value < 0n ? MINUS : signed && value > 0n ? '+' : '';
  return `${sign}${whole}${decimals === 0 ? '' : `${separators.point}${digits.slice(at)}`}`;
}

/** `1988` → `1,988`. */
export const countOf = (count: number): string => grouped(String(count), OWN.group);

const grouped = (whole: string, group: string): string => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);

/**
 * A sentence of the API with its amounts as the reader writes them: `(…, ['2232.28 EUR'])` makes `2232.28 EUR` `2,232.28 EUR`. What is a part
 * of a longer number stays.
 */
export function withAmounts(text: string, amounts: readonly string[], { group, point } = OWN): string {
  const plain = amounts.filter((each) => /^\d+(?:\.\d+)? [A-Z]{3}$/.test(each));
  if (plain.length === 0) return text;
  // In one pass, so that nothing is written twice.
  const form = new RegExp(`(?<![\\d.])(?:${plain.map((each) => each.replace('.', String.raw`\.`)).join('|')})\\b`, 'g');
  return text.replaceAll(form, (found) => {
    const [, whole = '', part = '', currency = ''] = /^(\d+)(?:\.(\d+))? (.*)$/.exec(found) ?? [];
    return `${grouped(whole, group)}${part === '' ? '' : `${point}${part}`} ${currency}`;
  });
}
