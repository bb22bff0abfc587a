/** Tells an IBAN from another number of an account, by shape and check digits. Whether it exists is not asked. */

const SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Upper case without blanks, or `null` where the text is no IBAN. */
export function ibanOf(text: string): string | null {
  if (text.length > 42) return null;
  const iban = text.replaceAll(' ', '').toUpperCase();
  if (!SHAPE.test(iban)) return null;
  const turned = iban.slice(4) + iban.slice(0, 4);
  let rest = 0;
  for (const sign of turned) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1 ? iban : null;
}
