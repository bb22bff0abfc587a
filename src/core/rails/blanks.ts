/** What does not count in numbers of banks: blanks, and what nobody sees and copies along from a page, a letter or a spreadsheet. Pure. */

/** Soft hyphens, zero-width characters and marks of direction beside blanks; `\s` has U+FEFF. */
export const BLANK = /[\s\u00ad\u200b-\u200f\u2060]/;
const BLANKS = new RegExp(BLANK, 'g');

/** The one way to read an IBAN, a BIC, an account number or a creditor reference that a person wrote. */
export const withoutBlanks = (text: string): string => text.replaceAll(BLANKS, '');
