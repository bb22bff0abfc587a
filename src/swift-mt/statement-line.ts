/**
 * The line of one booking, `:61:`, as far as it says itself what it is. What explains it stands in `:86:` (`information.ts`). Source: SWIFT
 * User Handbook, Category 9, MT 942, field 61 (Standards Release 2006). Pure.
 */
import { AMOUNT, dayBeside, dayOf, decimalOf } from './values.ts';

export interface StatementLine {
  /** Of the calendar; `null` for 30 February, which occurs. */
  readonly valueDay: string | null;
  /** The day on which it was booked. SWIFT has it only where it differs from the value day. */
  readonly entryDay: string;
  /** Of what this line moves: the reversal of a credit (`RC`) is a debit. */
  readonly isDebit: boolean;
  readonly isReversal: boolean;
  /** `EC` and `ED` of an MT942. */
  readonly isExpected: boolean;
  /** Decimal text. */
  readonly amount: string;
  /** The comma was missing. */
  readonly isWhole: boolean;
  /** `NTRF`, `S103`; without blanks. */
  readonly type: string;
  /** Of the owner of the account, and of the bank. */
  readonly ownReference: string | null;
  readonly bankReference: string | null;
  /** The second line. */
  readonly supplement: string;
}

/**
 * Value date, entry date, mark, third letter of the currency, amount, type. Banks put blanks around the amount. What follows it is no part
 * of a number, or `1.000,00` would be one.
 */
const LINE = new RegExp(
  `^(\\d{6})(\\d{4})?(R?[CD]|E[CD])([A-Z])?\\s?(${AMOUNT})(?=\\s*(?:[A-Z/]|$))\\s?([A-Z][A-Z0-9 ]{3})?(.*)$`,
);

/** `null` where it cannot be read: then nobody knows what it books. */
export function statementLineOf([first = '', ...more]: readonly string[]): StatementLine | null {
  const [, value, entry, mark = '', , amount = '', type = '', references = ''] = LINE.exec(first) ?? [];
  if (value === undefined) return null;
  const valueDay = dayOf(value);
  const entryDay = entry === undefined ? valueDay : dayBeside(entry, value);
  if (entryDay === null) return null;
  const [own = '', ...bank] = references.split('//');
  return {
    valueDay,
    entryDay,
    isDebit: mark === 'D' || mark === 'RC' || mark === 'ED',
    isReversal: mark.startsWith('R'),
    isExpected: mark.startsWith('E'),
    amount: decimalOf(amount),
    isWhole: !amount.includes(','),
    type: type.trim(),
    ownReference: referenceOf(own),
    bankReference: referenceOf(bank.join('//')),
    supplement: more.join('').trim(),
  };
}

/** Words that stand where a reference would: none, or one that is in `:86:`. */
const NO_REFERENCE: ReadonlySet<string> = new Set([
  'NONREF',
  'NOREF',
  'NOTPROVIDED',
  'EREF',
  'EREF+',
  'KREF',
  'KREF+',
  'PREF',
  'MREF',
  'MREF+',
  'MARF',
]);

function referenceOf(text: string): string | null {
  const reference = text.trim();
  return reference === '' || NO_REFERENCE.has(reference.toUpperCase()) ? null : reference;
}
