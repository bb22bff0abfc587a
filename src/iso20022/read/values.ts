/**
 * Texts of statement files as values. What books money (amounts and signs of entries and balances) is read exactly or refused; what only
 * explains is left out with a note. A sentence never quotes the file, but for a day and a currency in the shape of one. Next: `entry.ts`.
 */
import { type Currency, currencyOf } from '../../core/values/currencies.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import { StatementFileError } from './bank-file-error.ts';
import { withoutBlanks } from '../../core/rails/blanks.ts';
import { ibanOf } from '../../core/rails/iban.ts';
import type { AccountNumber, Amount, Page, Sign } from './items.ts';
import type { Notes } from './notes.ts';
import { all, at, cut, type Element, placeOf, textAt } from './tree.ts';

const MAX_AMOUNT_CHARACTERS = 60;
/** As `xs:decimal` without a sign, but that zero may have one too: it is at least zero. */
const DECIMAL = /^(?:\+|-(?=[0.]+$))?(?=\.?\d)(\d*)(?:\.(\d*))?$/;

export function refuse(element: Element, sentence: string): never {
  throw new StatementFileError('value', sentence, placeOf(element));
}

/** The child of a name of which there may be one: two amounts of one entry must never be a choice. */
export function single(element: Element, name: string): Element | undefined {
  const [first, second] = all(element, name);
  if (second !== undefined) refuse(second, `${name} stands here twice.`);
  return first;
}

/** Major units with a point to minor units; or the fault, as a sentence. Zeros behind the decimals of the currency say nothing. */
export function minorOf(text: string, code: string, exponent: number): bigint | string {
  const match = text.length <= MAX_AMOUNT_CHARACTERS ? DECIMAL.exec(text) : null;
  if (!match) return 'This is not an amount: digits and at most one point, without a sign.';
  const decimals = match[2] ?? '';
  const kept = decimals.slice(0, exponent);
  if (/[1-9]/.test(decimals.slice(exponent))) {
    const plural = decimals.length === 1 ? '' : 's';
    return `The amount has ${decimals.length} decimal${plural}, and ${code} has ${exponent}.`;
  }
  const minor = BigInt(`${match[1]}${kept.padEnd(exponent, '0')}`);
  return minor > MAX_HELD_MINOR ? 'The amount is larger than any account can hold.' : minor;
}

function minorIn({ text, line }: Element, { code, exponent }: Currency, notes: Notes): bigint | string {
  const minor = minorOf(text, code, exponent);
  if (typeof minor === 'bigint' && (text.split('.')[1]?.length ?? 0) > exponent) notes.add('trailing_zeros', line);
  return minor;
}

/** Why an amount cannot be read. Named is only what looks like a code: anything else may be a name or an account number. */
export function unknownCurrency(given: string): string {
  const which = /^[A-Za-z]{3}$/.test(given)
    ? `${given}, which is not a known currency`
    : 'a currency that is not known';
  return `The amount is in ${which}, so its decimals are not known.`;
}

function readAmount(element: Element, notes: Notes): Amount | string {
  if (element.currency === undefined) return 'The amount has no currency.';
  const currency = currencyOf(element.currency);
  if (!currency) return unknownCurrency(element.currency);
  const minor = minorIn(element, currency, notes);
  if (typeof minor === 'string') return minor;
  if (/^[+-]?0\d/.test(element.text)) notes.add('leading_zeros', element.line);
  return { minor, currency: currency.code };
}

/** An amount that books or proves: exact, or the file is refused. */
export function exactAmount(element: Element, notes: Notes): Amount {
  const amount = readAmount(element, notes);
  return typeof amount === 'string' ? refuse(element, amount) : amount;
}

/** An amount that explains: `null` with a note where it cannot be read. */
export function explainingAmount(element: Element | undefined, notes: Notes): Amount | null {
  if (element === undefined) return null;
  const amount = readAmount(element, notes);
  if (typeof amount !== 'string') return amount;
  notes.add('amount_left_out', element.line);
  return null;
}

/** A sum without a currency of its own, in minor units of one. */
export function explainingSum(element: Element | undefined, currency: string | null, notes: Notes): bigint | null {
  const known = currency === null ? undefined : currencyOf(currency);
  if (element === undefined || !known) return null;
  const minor = minorIn(element, known, notes);
  if (typeof minor === 'bigint') return minor;
  notes.add('amount_left_out', element.line);
  return null;
}

export function signOf(element: Element): Sign {
  if (element.text === 'CRDT') return 'credit';
  if (element.text === 'DBIT') return 'debit';
  return refuse(element, 'This must be CRDT or DBIT.');
}

export function explainingSign(element: Element | undefined): Sign | null {
  return element?.text === 'CRDT' ? 'credit' : element?.text === 'DBIT' ? 'debit' : null;
}

/** `null` where it is not there or neither. */
export function flagOf(element: Element | undefined): boolean | null {
  const text = element?.text.toLowerCase();
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : null;
}

/** A count or number of a sequence, of at most 18 digits. */
export function numberOf(element: Element | undefined, notes: Notes): bigint | null {
  if (element === undefined || element.text === '') return null;
  if (!/^\d{1,18}$/.test(element.text)) {
    notes.add('value_left_out', element.line);
    return null;
  }
  if (/^0\d/.test(element.text)) notes.add('leading_zeros', element.line);
  return BigInt(element.text);
}

/** Decimal text, as written. */
export function decimalOf(element: Element | undefined, notes: Notes): string | null {
  if (element === undefined || element.text === '') return null;
  if (element.text.length <= MAX_AMOUNT_CHARACTERS && DECIMAL.test(element.text)) return element.text;
  notes.add('value_left_out', element.line);
  return null;
}

/** As in XML Schema 1.0 part 2, 3.2.7, but that seconds may be missing: `24:00` is a time of day, an offset has at most 14 hours. */
const ZONE = '(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?';
const TIME = '(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,12})?)?|24:00(?::00(?:\\.0{1,12})?)?)';
const DAY = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})${ZONE}$`);
const INSTANT = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})T${TIME}${ZONE}$`);

/**
 * The day of `BookgDt`, `ValDt` or `Dt`: under `Dt`, under `DtTm`, or directly. `null` where there is none. An instant stays one: which day
 * it is depends on the bank account.
 */
export function dayOf(element: Element | undefined, notes: Notes): string | null {
  if (element === undefined) return null;
  const holder = at(element, 'Dt') ?? at(element, 'DtTm') ?? element;
  if (holder.text === '') return null;
  const day = DAY.exec(holder.text);
  const match = day ?? INSTANT.exec(holder.text);
  if (!match || !isDay(match)) return refuse(holder, notADay(holder.text));
  if (day) return holder.text.slice(0, 10);
  notes.add('instant_for_day', holder.line);
  return holder.text;
}

/** What somebody meant as a day: `31.03.2026`, `20260331`, `2026-02-30T12:00:00+01:00`. Neither words nor longer numbers. */
const MEANT_AS_DAY = /^(?:(?:19|20)\d{6}|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ][\d:.]{1,15}(?:Z|[+-][\d:]{1,5})?)?)$/;

function notADay(given: string): string {
  const which = MEANT_AS_DAY.test(given) ? JSON.stringify(given) : 'This';
  return `${which} is not a day: write it as YYYY-MM-DD, one that exists.`;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** By hand: a `Date` for each day took a twentieth of the time. */
function isDay([, yearText, monthText, dayText]: RegExpExecArray): boolean {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
  return year > 0 && day > 0 && day <= days;
}

/** An instant or a day, as written. */
export function instantOf(element: Element | undefined, notes: Notes): string | null {
  if (element === undefined || element.text === '') return null;
  const match = INSTANT.exec(element.text) ?? DAY.exec(element.text);
  if (match && isDay(match)) return element.text;
  notes.add('value_left_out', element.line);
  return null;
}

export function pageOf(element: Element | undefined, notes: Notes): Page | null {
  const number = numberOf(at(element, 'PgNb'), notes);
  return number === null ? null : { number, last: flagOf(at(element, 'LastPgInd')) };
}

/** The number in `Acct/Id`, in the shapes of all versions. */
export function accountNumberOf(account: Element | undefined, notes: Notes): AccountNumber {
  const id = at(account, 'Id');
  const written = textAt(id, 'IBAN');
  if (written !== null) return { iban: withoutBlanks(written).toUpperCase(), other: null };
  const element = at(id, 'Othr', 'Id') ?? at(id, 'BBAN') ?? at(id, 'PrtryAcct', 'Id') ?? at(id, 'UPIC');
  const other = cut(element?.text ?? '');
  const iban = ibanOf(other);
  if (iban !== null && element !== undefined) notes.add('iban_under_other', element.line);
  return { iban, other: iban === null && other !== '' ? other : null };
}

/** The BIC of an agent, in the shapes of all versions. */
export function bicOf(agent: Element | undefined): string | null {
  const institution = at(agent, 'FinInstnId');
  return textAt(institution, 'BICFI') ?? textAt(institution, 'BIC') ?? textAt(institution, 'CmbndId', 'BIC');
}
