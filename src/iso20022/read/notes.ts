/** Tolerated oddities of one document. None changes money: those that would are refused (`values.ts`). */
import type { Note } from './items.ts';

const SENTENCES = {
  account_missing: 'A statement names no account.',
  amount_left_out: 'An amount that only explains could not be read, and was left out.',
  amount_without_comma: 'An amount has no comma: its digits were read as whole units of the currency.',
  balance_day_missing: 'A balance has no day.',
  balance_sign_missing: 'A balance does not say whether it is credit or debit: it was read as credit.',
  blank_before_xml: 'There are blanks before the XML declaration.',
  booking_day_missing: 'An entry has no booking day.',
  encoding_assumed:
    'The file says no encoding, and not all of its lines are UTF-8: those that are not were read as windows-1252.',
  encoding_differs: 'The bytes are in another encoding than the XML declaration says: the bytes were believed.',
  encoding_doubtful:
    'The XML declaration names another encoding than UTF-8, and the bytes are UTF-8: the declaration was believed. If letters are wrong, import the next file with encoding=utf-8.',
  encoding_given: 'The file was read in the encoding that was given with it; by itself it says another one.',
  envelope: 'The document stands within an envelope, of which nothing was read.',
  iban_under_other: 'An IBAN stands under Othr: it was read as an IBAN.',
  instant_for_day:
    'An instant stands where a day is meant: it is the day in the time zone of the bank account, or as written where it has no offset.',
  leading_zeros: 'A number has leading zeros.',
  namespace_missing: 'The document has no namespace of ISO 20022: the message was told by its first element.',
  out_of_order: 'Elements stand in another order than the schema has.',
  padding_behind_xml: 'There are blanks, NULs or Ctrl-Z behind the XML.',
  status_as_code: 'The status is written as in later versions, in Sts/Cd.',
  status_as_text: 'The status is written as in earlier versions, directly in Sts.',
  status_missing: 'An entry has no status: in a camt.053 that means booked, in other messages it does not book.',
  status_unknown: 'An entry has a status that is not known: it does not book.',
  text_long: 'A text is longer than any of these messages should have: its end was left out.',
  text_unsafe: 'A text holds control characters or marks of direction: each was replaced by a mark that can be seen.',
  trailing_zeros: 'An amount has more decimals than its currency, all of them zero.',
  value_left_out: 'A count, number, time or rate could not be read, and was left out.',
  version_unknown: 'The version of the message is none of those that were tried.',
  zero_entry: 'An entry is over zero: it was left out.',
} as const;

export type NoteCode = keyof typeof SENTENCES;

export class Notes {
  readonly #found = new Map<NoteCode, { count: number; line: number }>();

  /** One more. The first line is kept. */
  add(code: NoteCode, line: number): void {
    const known = this.#found.get(code);
    if (known) known.count += 1;
    else this.#found.set(code, { count: 1, line });
  }

  all(): Note[] {
    return [...this.#found].map(([code, { count, line }]) => ({ code, sentence: SENTENCES[code], count, line }));
  }
}
