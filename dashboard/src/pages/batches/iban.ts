/** What of an IBAN can be seen at once, so that a typing error is shown before anything is sent. Who judges it is the service. Pure. */

/** As far as people write them: blanks, hyphens, and the word in front do not count. Upper case. */
export const compactIban = (text: string): string =>
  text
    .replace(/^IBAN[:\s]*/i, '')
    .replaceAll(/[\s\u00a0\u202f.-]/g, '')
    .toUpperCase();

export const isIbanShaped = (text: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(compactIban(text));

/** Why it is none, in words; `null`: it may be one. */
export function ibanFault(text: string): string | null {
  if (text === '') return 'The IBAN is missing.';
  if (/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(text))
    return 'The account was shortened by the spreadsheet. Write all digits, as text.';
  if (/[*•]/.test(text) || /x{4}/i.test(text)) return 'The IBAN is masked. Write all of it.';
  const iban = compactIban(text);
  if (!isIbanShaped(iban)) return 'This is no IBAN: two letters, two digits, and 10 to 30 more.';
  return remainder(iban) === 1 ? null : 'The check digits of the IBAN are wrong.';
}

/** ISO 7064, mod 97-10: letters count from 10, and the first four characters stand last. */
function remainder(iban: string): number {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
