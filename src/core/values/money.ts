/** Money as text and as integers (`bigint` minor units), exact, never through a float. Source: contract, section 2. */
import { type Currency, currencyOf } from './currencies.ts';
import { type Refusal, refusal } from './errors.ts';

export interface Money {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

/** Largest amount of one movement, in minor units: exact in every JSON reader, also ten times over. */
export const MAX_AMOUNT_MINOR = 999_999_999_999_999n;
/**
 * Largest balance that an order of a client may lead to, in minor units. A ninth of 2^53, so that money which comes in or
 * back, and is not refused (decision 0027), as a rule leaves a balance that every JSON reader takes exactly.
 */
export const MAX_BALANCE_MINOR = 999_999_999_999_999n;
/** Largest balance at all: what the column holds. Thousands of the largest payouts have to come back to one account before. */
export const MAX_HELD_MINOR = 9_223_372_036_854_775_807n;

// 15 digits of minor units at the most, so that anything longer than this is refused before BigInt sees it.
const MAX_TEXT_LENGTH = 40;
const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * Major-unit text (`250`, `250.0`, `250.00`) to minor units. Refuses all but digits and one point, decimals that the
 * currency lacks (`100.00` JPY passes, `100.50` JPY does not), `amount_too_small` for zero, and `amount_too_large`. `param`: as messages name it.
 */
export function parseAmount(text: string, currency: Currency, param = 'amount'): bigint | Refusal {
  const match = text.length <= MAX_TEXT_LENGTH ? PLAIN_DECIMAL.exec(text) : null;
  if (!match) {
    if (/^\d{41,}$/.test(text)) return tooLarge(text, currency, param);
    return refusal(
      'amount_invalid',
      `${param} is ${quoted(text)}, which is no amount. Send a plain decimal in major units, such as ${formatMinor(25_000n, currency.exponent)}: digits and at most one point, no sign, blanks, separators or exponent.`,
    );
  }
  const whole = match[1] as string;
  const decimals = match[2] ?? '';
  const kept = decimals.slice(0, currency.exponent).padEnd(currency.exponent, '0');
  if (/[1-9]/.test(decimals.slice(currency.exponent))) {
    return refusal(
      'amount_invalid',
      `${param} is ${quoted(text)}, and ${currency.code} has at most ${currency.exponent} decimals.`,
    );
  }
  const minor = BigInt(whole + kept);
  if (minor === 0n) return refusal('amount_too_small', `${param} must be above zero, got ${quoted(text)}.`);
  return minor > MAX_AMOUNT_MINOR ? tooLarge(text, currency, param) : minor;
}

function tooLarge(text: string, currency: Currency, param: string): Refusal {
  return refusal(
    'amount_too_large',
    `${param} is ${quoted(text)}, and the largest amount is ${formatMinor(MAX_AMOUNT_MINOR, currency.exponent)} ${currency.code}.`,
  );
}

/** Minor units to the exact decimal literal in major units: 25000n with 2 decimals is `250.00`. */
export function formatMinor(minor: bigint, exponent: number): string {
  if (exponent === 0) return minor.toString();
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(exponent + 1, '0');
  const cut = digits.length - exponent;
  return `${negative ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** The same for the code of a currency: 25000n of EUR is `250.00`. */
export const majorOf = (minor: bigint, code: string): string => formatMinor(minor, currencyOf(code)?.exponent ?? 0);

/** In sentences: `250.00 EUR`. */
export const formatMoney = (minor: bigint, code: string): string => `${majorOf(minor, code)} ${code}`;

/** A value of a request, for a message: quoted, shortened, control characters shown as escapes. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}

/** As JSON members: `"amount":250.00,"amount_minor":25000`. `prefix`: `sell_` makes `sell_amount`. */
export function amountMembers(minor: bigint, code: string, prefix = ''): string {
  return moneyMembers(`${prefix}amount`, minor, code);
}

/** The same under another name; `null`: there is no amount. */
export function moneyMembers(name: string, minor: bigint | null, code: string): string {
  return `"${name}":${minor === null ? 'null' : majorOf(minor, code)},"${name}_minor":${minor}`;
}
