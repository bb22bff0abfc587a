/**
 * What text may be stored: valid Unicode in NFC without control characters, bidirectional overrides and card numbers.
 * Pure. A message never holds the refused text, which may contain what must not reach a log. Next: `params.ts`.
 */
import { parseRf } from '../../core/creditor-reference.ts';
import { paramError } from './param.ts';

/** What {@link safeText} refuses with. */
export const TEXT_CODES = ['text_invalid', 'text_too_long', 'card_number_refused'] as const;

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
// Lone surrogates; C0, DEL and C1 controls; line and paragraph separators; bidirectional embeddings and isolates.
const UNSAFE = /[\p{Surrogate}\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;
const ENOUGH_DIGITS = /\d(?:[ \p{Pd}]?\d){12}/u;
const DIGIT_RUN = /\d+(?:[ \p{Pd}]\d+)*/gu;
const SEPARATOR = /[ \p{Pd}]/u;
/** ISO 11649 references of invoices: one in ten would pass as a card number, so their own check digits are verified. */
const CREDITOR_REFERENCE = /\bRF\d{2}[0-9A-Za-z]{1,21}\b/g;
const CARD_DIGITS = { min: 13, max: 19 }; // ISO/IEC 7812-1

/**
 * The text as it is stored, normalised to NFC, of at most `max` code points.
 * Throws `text_invalid`, `text_too_long` or `card_number_refused` naming `path`.
 */
export function safeText(text: string, path: string, max: number): string {
  let kept = text;
  if (!PLAIN_ASCII.test(text)) {
    refuseUnsafe(text, path);
    kept = text.normalize('NFC');
  }
  if (kept.length > max) {
    // Counted only here: a text never has more code points than code units.
    const points = kept.length > 2 * max ? kept.length : Array.from(kept).length;
    if (points > max) {
      throw paramError('text_too_long', path, `${path} has ${points} characters; at most ${max} are allowed.`);
    }
  }
  if (kept.length >= CARD_DIGITS.min && holdsCardNumber(kept)) {
    const message = `${path} looks like it holds a card number. Card numbers are never stored; leave it out.`;
    throw paramError('card_number_refused', path, message);
  }
  return kept;
}

/** Throws `text_invalid` naming `path` for characters that no text may hold. */
export function refuseUnsafe(text: string, path: string): void {
  const unsafe = UNSAFE.exec(text);
  if (!unsafe) return;
  const point = (unsafe[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const message = `${path} holds U+${point}. Control characters, line breaks, bidirectional overrides and broken surrogates are not allowed.`;
  throw paramError('text_invalid', path, message);
}

/** Whether 13 to 19 digits that pass the Luhn check stand in the text, together or in groups of a card's shape. */
export function holdsCardNumber(text: string): boolean {
  const folded = PLAIN_ASCII.test(text) ? text : text.normalize('NFKC'); // full-width digits, no-break blanks
  if (!ENOUGH_DIGITS.test(folded)) return false;
  const scanned = folded.replace(CREDITOR_REFERENCE, (each) => (parseRf(each) === null ? each : ' '));
  for (const [run] of scanned.matchAll(DIGIT_RUN)) {
    const groups = run.split(SEPARATOR);
    if (isCard(groups.join(''))) return true;
    for (let start = 0; start < groups.length; start++) {
      let digits = '';
      for (let end = start; end < groups.length && digits.length <= CARD_DIGITS.max; end++) {
        digits += groups[end] as string;
        if (isCard(digits)) return true;
        // Cards are written in groups of four to six digits; shorter groups are dates and counters.
        if ((groups[end] as string).length < 4) break;
      }
    }
  }
  return false;
}

function isCard(digits: string): boolean {
  if (digits.length < CARD_DIGITS.min || digits.length > CARD_DIGITS.max) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}
