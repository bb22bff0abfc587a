/**
 * Creditor references: `RF`, two check digits, a body. A payer's bank carries them through, so money finds its payment.
 * It must never repair what somebody wrote: one wrong character is another payment. Source: ISO 11649, check digits by
 * ISO 7064 mod 97-10. Next: `epc.ts`, where the reference goes into a picture.
 */
import { assert } from '../values/assert.ts';

const BODY = /^[A-Z0-9]{1,21}$/;
const WHOLE = /^RF([0-9]{2})([A-Z0-9]{1,21})$/;

/** `body` is 1 to 21 of A-Z and 0-9. */
export function rfReference(body: string): string {
  assert(BODY.test(body), 'the body of a reference is 1 to 21 of A-Z and 0-9');
  return `RF${checkDigits(body)}${body}`;
}

/** Without blanks and in upper case, or `null`: not such a reference, or its check digits are wrong. */
export function parseRf(text: string): string | null {
  const written = text.replace(/\s/g, '');
  if (!/^[A-Za-z0-9]*$/.test(written)) return null; // in upper case some foreign letters are those of ASCII
  const reference = written.toUpperCase();
  const parts = WHOLE.exec(reference);
  // Compared, not divided: by the remainder alone 00, 01 and 99 would pass for 97, 98 and 02.
  return parts !== null && parts[1] === checkDigits(parts[2] as string) ? reference : null;
}

function checkDigits(body: string): string {
  return String(98 - remainder97(`${body}RF00`)).padStart(2, '0');
}

/** The text as a number, letters as 10 to 35, modulo 97: one character at a time, so that it stays small. */
function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
