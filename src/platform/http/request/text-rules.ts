/**
 * What text may be stored: valid Unicode in NFC without control characters; in text for people no card number, in names
 * nothing unseen. Pure. A message never holds the refused text. Next: `params.ts`.
 */
import type { Code } from '../../../core/values/errors.ts';
import { paramError } from './param.ts';

/** `prose` and `name` are for people; `code` is for programs: metadata, filters; `id` is unique, so no two look the same. */
export type TextKind = 'prose' | 'name' | 'code' | 'id';

const isForPeople = (kind: TextKind): boolean => kind === 'prose' || kind === 'name';

export const textCodes = (kind: TextKind): readonly Code[] =>
  isForPeople(kind) ? ['text_invalid', 'text_too_long', 'card_number_refused'] : ['text_invalid', 'text_too_long'];

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
// Lone surrogates; C0, DEL and C1 controls; line and paragraph separators; bidirectional embeddings and isolates.
const UNSAFE = /[\p{Surrogate}\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;
// Zero-width characters, tags and the like: two names that look the same must be the same. What selects a form of the
// character before it can be seen, and Japanese names need it.
const UNSEEN = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;
// Copied from a sheet or a page with what nobody sees, an id would be another one, and its payment be made twice.
const UNSEEN_IN_ID = /^ | $|[^\S ]|\p{Default_Ignorable_Code_Point}/u;
const ENOUGH_DIGITS = /\d(?:[ \p{Pd}]?\d){12}/u;
const DIGIT_RUN = /\d+(?:[ \p{Pd}]\d+)*/gu;
const SEPARATOR = /[ \p{Pd}]/u;
// A plus sign begins a telephone number.
const WORD_CHARACTER = /[\p{L}\p{N}_+]/u;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const MOST_CARD_DIGITS = 19; // ISO/IEC 7812-1

const LONG = [16, 17, 18, 19];
/** Beginnings and lengths of the numbers of the card brands, as the brands publish them. */
const BRANDS: readonly (readonly [beginning: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [16, 18, 19]], // Visa; those of 13 digits are long gone, and German telephone numbers look like them
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]], // Mastercard
  [/^3[47]/, [15]], // American Express
  [/^(?:30[0-5]|3095|36|38|39)/, [14, ...LONG]], // Diners Club
  [/^(?:6011|64[4-9]|65|62|81)/, LONG], // Discover, UnionPay
  [/^35(?:2[89]|[3-8])/, LONG], // JCB
  [/^220[0-4]/, LONG], // Mir
  [/^(?:50|5[6-8]|63|67)/, [13, 14, 15, ...LONG]], // Maestro
];

/** NFC, at most `max` code points. `text_invalid`, `text_too_long` or, unless it is a `code`, `card_number_refused`. */
export function safeText(text: string, path: string, max: number, kind: TextKind): string {
  let kept = text;
  if (!PLAIN_ASCII.test(text)) {
    refuseUnsafe(text, path);
    if (kind === 'name') refuse(UNSEEN.exec(text), path, 'Characters that cannot be seen are not allowed in names.');
    kept = text.normalize('NFC');
  }
  if (kind === 'id') {
    const what = 'Blanks at an end, other blanks than the usual one, and what cannot be seen are not allowed in ids.';
    refuse(UNSEEN_IN_ID.exec(text), path, what);
  }
  if (kept.length > max) {
    // Counted only here: a text never has more code points than code units.
    const points = kept.length > 2 * max ? kept.length : Array.from(kept).length;
    if (points > max) {
      throw paramError('text_too_long', path, `${path} has ${points} characters; at most ${max} are allowed.`);
    }
  }
  if (isForPeople(kind) && holdsCardNumber(kept)) {
    const message = `${path} looks like it holds a card number. Card numbers are never stored; leave it out.`;
    throw paramError('card_number_refused', path, message);
  }
  return kept;
}

/** Throws `text_invalid` naming `path` for characters that no text may hold. */
export function refuseUnsafe(text: string, path: string): void {
  const what = 'Control characters, line breaks, bidirectional overrides and broken surrogates are not allowed.';
  refuse(UNSAFE.exec(text), path, what);
}

function refuse(found: RegExpExecArray | null, path: string, message: string): void {
  if (!found) return;
  const point = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw paramError('text_invalid', path, `${path} holds U+${point}. ${message}`);
}

/**
 * Whether the number of a card stands in the text: the beginning and length of a brand, right by Luhn, together or in groups
 * of a card's shape, and not inside of a longer word or a UUID. Other long numbers pass: orders, accounts, telephone numbers.
 */
export function holdsCardNumber(text: string): boolean {
  if (text.length < 13) return false;
  const folded = PLAIN_ASCII.test(text) ? text : text.normalize('NFKC'); // full-width digits, no-break blanks
  if (!ENOUGH_DIGITS.test(folded)) return false;
  const scanned = folded.replace(UUID, ' ');
  for (const { 0: run, index } of scanned.matchAll(DIGIT_RUN)) {
    const groups = run.split(SEPARATOR);
    // A group that touches a letter belongs to a longer word.
    if (WORD_CHARACTER.test(scanned.charAt(index - 1))) groups[0] = '';
    if (WORD_CHARACTER.test(scanned.charAt(index + run.length))) groups[groups.length - 1] = '';
    if (groups.every((group) => group !== '') && isCard(groups.join(''))) return true;
    for (let start = 0; start < groups.length; start++) {
      let digits = '';
      for (let end = start; end < groups.length && digits.length <= MOST_CARD_DIGITS; end++) {
        digits += groups[end] as string;
        if (isCard(digits)) return true;
        // Cards are written in groups of four to six digits, the last may be shorter; other short groups are dates and counters.
        if ((groups[end] as string).length < 4) break;
      }
    }
  }
  return false;
}

function isCard(digits: string): boolean {
  if (!BRANDS.some(([beginning, lengths]) => lengths.includes(digits.length) && beginning.test(digits))) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}
