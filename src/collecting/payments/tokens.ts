/** Chance for decisions, which have none: tokens that nobody guesses, and references that payers can type. */
import { randomBytes } from 'node:crypto';
import { rfReference } from '../../core/rails/creditor-reference.ts';

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 142 bits. */
const TOKEN_CHARACTERS = 24;
/** Crockford's base 32: no I, L, O, U that look or read like others. */
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 65 bits: with a hundred million payments, two alike have a chance of one in seven thousand; the index refuses them. */
const REFERENCE_CHARACTERS = 13;

/** The last part of a page's address. */
export function newToken(): string {
  return randomText(BASE_62, TOKEN_CHARACTERS);
}

/** Whether a text can be a token: what cannot is not looked for. */
export function isToken(text: string): boolean {
  return /^[0-9A-Za-z]{24}$/.test(text);
}

/** What a payer names in a transfer: ISO 11649, 17 characters. */
export function newReference(): string {
  return rfReference(randomText(BASE_32, REFERENCE_CHARACTERS));
}

/** Bytes that would favour the first characters are thrown away. */
function randomText(alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
