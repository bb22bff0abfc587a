/**
 * Amounts and instants as people write and type them. No amount becomes a float: `Intl` formats decimal text exactly.
 * Next: `render.ts`.
 */
import { currencyOf } from '../../../core/values/currencies.ts';
import { formatMinor } from '../../../core/values/money.ts';
import { LOCALES } from './languages.ts';
import type { Language } from './view.ts';

// Bounded by languages times currencies. Kept, because making a formatter takes 50 us and more.
const formats = new Map<string, Intl.NumberFormat>();
const clocks = new Map<Language, Intl.DateTimeFormat>();

/** With the currency's sign: `1.234,50 €`. As many decimals as the currency has (ISO 4217, not `Intl`). */
export function showAmount(minor: bigint, currency: string, language: Language): string {
  const exponent = exponentOf(currency);
  let format = formats.get(language + currency);
  if (!format) {
    const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
    format = new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency, ...digits });
    formats.set(language + currency, format);
  }
  return format.format(formatMinor(minor, exponent) as Intl.StringNumericLiteral);
}

/** Digits and the language's decimal sign only, as a bank's form takes an amount. */
export function typedAmount(minor: bigint, currency: string, language: Language): string {
  return formatMinor(minor, exponentOf(currency)).replace('.', SEPARATORS[language].decimal);
}

/** An amount to type, with as many decimals as the currency has: `12.50`, in yen `1250`. */
export function exampleAmount(currency: string, language: Language): string {
  const exponent = exponentOf(currency);
  return typedAmount(exponent === 0 ? 1250n : (125n * 10n ** BigInt(exponent)) / 10n, currency, language);
}

/** Whether an amount of the currency has decimals. */
export const hasDecimals = (currency: string): boolean => exponentOf(currency) > 0;

/** Date and time of day in UTC, with `UTC` behind. */
export function showInstant(atMs: number, language: Language): string {
  let clock = clocks.get(language);
  if (!clock) {
    clock = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    clocks.set(language, clock);
  }
  return `${clock.format(atMs)} UTC`;
}

/** The same in a time zone of the tz database, named behind. One that is unknown: in UTC. */
export function showInstantIn(atMs: number, language: Language, timeZone: string): string {
  try {
    const shape = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(LOCALES[language], { ...shape, timeZone, timeZoneName: 'short' }).format(atMs);
  } catch {
    return showInstant(atMs, language);
  }
}

function exponentOf(currency: string): number {
  return currencyOf(currency)?.exponent ?? 2;
}

/** `groups`: separators of thousands. Every kind of blank counts as a space. */
const SEPARATORS: Readonly<Record<Language, { readonly decimal: '.' | ','; readonly groups: string }>> = {
  en: { decimal: '.', groups: ", '" },
  de: { decimal: ',', groups: ". '" },
  fr: { decimal: ',', groups: ". '" },
  es: { decimal: ',', groups: ". '" },
};
const BLANKS = /[\s\u00a0\u2007\u2009\u202f]/g;
/** Of a typed amount: room for the 15 digits of the largest amount and separators. */
export const MAX_CHARACTERS = 40;

/**
 * What a payer typed as canonical decimal text (`12,50` in German is `12.50`), or `null`. Groups have three digits, the first
 * one to three, and one kind of separator. A single `.` or `,` before one or two last digits is the decimal sign in every
 * language (`12.50` in German): it cannot separate thousands.
 */
export function readAmount(text: string, language: Language): string | null {
  const written = text.replace(BLANKS, ' ').replace(/’/g, "'").trim();
  if (written === '' || written.length > MAX_CHARACTERS) return null;
  if (/^\d+[.,]\d{1,2}$/.test(written)) return written.replace(',', '.');
  const { decimal, groups } = SEPARATORS[language];
  const [whole = '', fraction, ...more] = written.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null;
  const digits = ungrouped(whole, groups);
  return digits === null ? null : digits + (fraction === undefined ? '' : `.${fraction}`);
}

function ungrouped(whole: string, groups: string): string | null {
  if (/^\d+$/.test(whole)) return whole;
  for (const separator of groups) {
    const [first = '', ...rest] = whole.split(separator);
    if (rest.length > 0 && /^\d{1,3}$/.test(first) && rest.every((each) => /^\d{3}$/.test(each))) {
      return first + rest.join('');
    }
  }
  return null;
}
