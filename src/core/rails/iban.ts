/** Tells an IBAN from another number of an account, by shape and check digits. Whether it exists is not asked. */
import { withoutBlanks } from './blanks.ts';
import { remainder97 } from './creditor-reference.ts';

/** With all its blanks. */
const MOST_CHARACTERS = 140;
/** Country and check digits count last. */
const CHECKED = 4;
const SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Upper case without blanks, or `null` where the text is no IBAN. */
export function ibanOf(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const iban = withoutBlanks(text).toUpperCase();
  if (!SHAPE.test(iban)) return null;
  return remainder97(iban, CHECKED) === 1 ? iban : null;
}
