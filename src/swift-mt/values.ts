/**
 * Values in fields of SWIFT MT messages: days, amounts, balances, the account, the numbers of a statement. What cannot be read is `null`.
 * Amounts are decimal text with a point; who knows the decimals of the currency makes minor units of it. Source: SWIFT User Handbook,
 * Category 9, MT 940 and MT 942 (Standards Release 2006). Pure.
 */
import { withoutBlanks } from '../core/rails/blanks.ts';
import { ibanOf } from '../core/rails/iban.ts';
import { currencyOf } from '../core/values/currencies.ts';
import { dayStartMs, isoDay } from '../core/values/time.ts';

/** Two digits of a year: 80 to 99 are of the last century. */
const CENTURY_TURNS = 80;
const DAY = /^(\d{2})(\d{2})(\d{2})$/;

/** `261131`, as written; it need not be a day of the calendar: German banks count thirty days a month for interest. */
export function yearOf(text: string): number {
  const year = Number(text.slice(0, 2));
  return year < CENTURY_TURNS ? 2_000 + year : 1_900 + year;
}

function dayOfCalendar(year: number, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const startMs = dayStartMs(text);
  return Number.isNaN(startMs) || isoDay(startMs) !== text ? null : text;
}

/** `YYMMDD`. */
export function dayOf(text: string): string | null {
  const [, , month = '', day = ''] = DAY.exec(text) ?? [];
  return month === '' ? null : dayOfCalendar(yearOf(text), month, day);
}

/** `MMDD` in the year in which it is nearest to a day, `YYMMDD`: a booking of 30 December may have its value in January. */
export function dayBeside(text: string, other: string): string | null {
  const year = yearOf(other);
  const months = Number(text.slice(0, 2)) - Number(other.slice(2, 4));
  const turned = months > HALF_A_YEAR ? year - 1 : months < -HALF_A_YEAR ? year + 1 : year;
  return dayOfCalendar(turned, text.slice(0, 2), text.slice(2, 4));
}
const HALF_A_YEAR = 6;

/** `YYMMDDhhmm+hhmm` of `:13D:`, or without the offset. */
export function instantOf(text: string): string | null {
  const [, date = '', hours = '', minutes = '', offset = ''] =
    /^(\d{6})([01]\d|2[0-3])([0-5]\d)([+-]\d{4})?\s*$/.exec(text) ?? [];
  const day = date === '' ? null : dayOf(date);
  const zone = offset === '' ? '' : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  return day === null ? null : `${day}T${hours}:${minutes}:00${zone}`;
}

/** The comma is there even without decimals, so says SWIFT; some banks leave it out then. */
export const AMOUNT = '\\d{1,20}(?:,\\d{0,12})?|,\\d{1,12}';

/** With a point, and without zeros that the currency may not have. */
export function decimalOf(amount: string): string {
  const [whole = '', decimals = ''] = amount.split(',');
  return `${whole === '' ? '0' : whole}.${decimals.replace(/0+$/, '')}`;
}

export interface Balance {
  readonly isDebit: boolean;
  readonly day: string | null;
  /** As written. */
  readonly currency: string;
  /** Decimal text. */
  readonly amount: string;
}

const BALANCE = new RegExp(`^([CD])(\\d{6})([A-Z]{3})(${AMOUNT})\\s*$`);

/** `C261126EUR1234,56`. */
export function balanceOf(text: string): Balance | null {
  const [, mark, day = '', currency = '', amount = ''] = BALANCE.exec(text) ?? [];
  return mark === undefined ? null : { isDebit: mark === 'D', day: dayOf(day), currency, amount: decimalOf(amount) };
}

const FLOOR = new RegExp(`^([A-Z]{3})[CD]?(?:${AMOUNT})\\s*$`);

/** The currency of `:34F:EURD0,`: only larger entries are reported. */
export const floorCurrencyOf = (text: string): string | null => FLOOR.exec(text)?.[1] ?? null;

export interface Total {
  readonly count: bigint;
  readonly currency: string;
  readonly amount: string;
}

const TOTAL = new RegExp(`^(\\d{1,9})([A-Z]{3})(${AMOUNT})\\s*$`);

/** `:90D:12EUR345,67`: what the bank counted. */
export function totalOf(text: string): Total | null {
  const [, count, currency = '', amount = ''] = TOTAL.exec(text) ?? [];
  return count === undefined ? null : { count: BigInt(count), currency, amount: decimalOf(amount) };
}

/** `:28C:12/1`: the number of the statement, and of the message in it. A number of zeros is none. */
export function numbersOf(text: string): { readonly statement: bigint | null; readonly page: bigint | null } {
  const [, statement = '0', page = '0'] = /^\s*(\d{1,18})(?:\/(\d{1,18}))?\s*$/.exec(text) ?? [];
  const numberOf = (digits: string) => (/^0+$/.test(digits) ? null : BigInt(digits));
  return { statement: numberOf(statement), page: numberOf(page) };
}

export interface NamedAccount {
  /** Upper case, without blanks. */
  readonly iban: string | null;
  /** A number that is no IBAN, with the number of the bank in front if there is one: `37040044/0532013000`. */
  readonly other: string | null;
  readonly currency: string | null;
  readonly bic: string | null;
}

/** The account that a message is about: `:25:` with an IBAN, a number, bank and number, and the currency behind it; the BIC of `:25P:`. */
export function accountOf([first = '', second = '']: readonly string[]): NamedAccount {
  const parts = first.split('/').map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  const last = given.at(-1) ?? '';
  const [number, currency] = given.length > 1 && currencyOf(last) ? [null, last] : currencyBehind(last);
  const named = [...given.slice(0, -1), ...(number === null ? [] : [number])];
  const bic =
    named.find((part, at) => at < named.length - 1 && isBic(part)) ?? (isBic(second.trim()) ? second.trim() : null);
  const rest = named.filter((part) => part !== bic).join('/');
  const iban = ibanOf(rest);
  return { iban, other: iban === null && rest !== '' ? withoutBlanks(rest) : null, currency, bic };
}

/** `NL69INGB0123456789EUR`; letters that belong to an IBAN are no currency. */
function currencyBehind(text: string): readonly [number: string, currency: string | null] {
  const code = text.slice(-3);
  const number = text.slice(0, -3).trim();
  const isBehind = ibanOf(text) === null && /\d$/.test(number) && currencyOf(code) !== undefined;
  return isBehind ? [number, code] : [text, null];
}

export const isBic = (text: string): boolean => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text);
