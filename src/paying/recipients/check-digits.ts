/**
 * Check digits of ABA routing numbers and CLABEs. Callers pass digits only, of the right length. IBANs are checked by
 * `ibantools`. Sort codes have a modulus check too, but its tables are licensed, so only their form is checked.
 */

const WEIGHTS = [3, 7, 1];

function weighted(digit: string, place: number): number {
  return Number(digit) * (WEIGHTS[place % WEIGHTS.length] ?? 0);
}

function sumOf(digits: string, term: (digit: string, place: number) => number): number {
  return digits.split('').reduce((sum, digit, place) => sum + term(digit, place), 0);
}

/** ABA routing number, nine digits: the sum weighted 3, 7, 1 is a multiple of ten. Source: ABA key to routing numbers. */
export function isAbaNumber(digits: string): boolean {
  return sumOf(digits, weighted) % 10 === 0;
}

/** The 18th digit of a CLABE from the first 17: weights 3, 7, 1, each product modulo ten. Source: Banco de México. */
export function clabeCheckDigit(first17: string): string {
  const sum = sumOf(first17, (digit, place) => weighted(digit, place) % 10);
  return String((10 - (sum % 10)) % 10);
}
