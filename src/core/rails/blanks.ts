/** What does not count in numbers of banks: blanks, and what nobody sees and copies along from a page, a letter or a spreadsheet. Pure. */

/**
 * Soft hyphens, zero-width characters and marks of direction beside blanks; `\s` has U+FEFF. Overrides of direction (U+202D,
 * U+202E) are none: a number that holds one is read in another order than it is shown in.
 */
export const BLANK = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060-\u2064\u2066-\u2069]/;
const BLANKS = new RegExp(BLANK, 'g');

/** The one way to read an IBAN, a BIC, an account number or a creditor reference that a person wrote. */
export const withoutBlanks = (text: string): string => text.replaceAll(BLANKS, '');
