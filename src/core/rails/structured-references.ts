/**
 * Structured references: numbers that a payee gives his payers, and that banks carry through unchanged. Each kind has check digits of its
 * own. One that was mistyped is refused and never repaired, because it is another payment. Pure. Ours: `creditor-reference.ts`; in files:
 * `iso20022/write/remittance.ts`.
 */
import { withoutBlanks } from './blanks.ts';
import { parseRf, remainder97 } from './creditor-reference.ts';
import { parseSi } from './slovenian-reference.ts';

/**
 * `rf`: ISO 11649. `qrr`: the reference of Swiss QR-bills. `bba`: the structured communication of Belgium. `kid`: the customer
 * identification of Norway. `fi`: the national reference of Finland. `si`: that of Slovenia. `text`: no reference but words.
 */
export const REFERENCE_TYPES = ['text', 'rf', 'qrr', 'bba', 'kid', 'fi', 'si'] as const;
export type ReferenceType = (typeof REFERENCE_TYPES)[number];
type Structured = Exclude<ReferenceType, 'text'>;

interface Kind {
  /** As banks take it; `null`: its form or its check digits are wrong. */
  readonly parse: (text: string) => string | null;
  readonly form: string;
}

const KINDS: Readonly<Record<Structured, Kind>> = {
  rf: { parse: parseRf, form: 'RF, two check digits and 1 to 21 letters or digits' },
  qrr: { parse: parseQrr, form: '27 digits, the last a check digit' },
  bba: { parse: parseBba, form: '12 digits, the last two check digits, such as +++090/9337/55493+++' },
  kid: { parse: parseKid, form: '2 to 25 digits, the last a check digit or a hyphen' },
  fi: { parse: parseFi, form: '4 to 20 digits, the last a check digit' },
  si: { parse: parseSi, form: 'SI, the number of a model and what the model asks for, such as SI12 1234567890120' },
};

/** As banks take it; `null`: its form or its check digits are wrong. */
export const parseReference = (type: Structured, text: string): string | null => KINDS[type].parse(text);
export const formOf = (type: Structured): string => KINDS[type].form;

/** Kinds that a text shows by itself, by the country of the payee. Digits alone may be anything, so `kid` and `fi` must be said. */
const SHOWN: Readonly<Record<string, { readonly type: Structured; readonly looks: RegExp }>> = {
  CH: { type: 'qrr', looks: /^\d/ },
  LI: { type: 'qrr', looks: /^\d/ },
  BE: { type: 'bba', looks: /^(?:\+{3}|\*{3})/ },
  SI: { type: 'si', looks: /^SI/i },
};

/** What a text is for a payee in a country, where nobody says it. */
export function referenceTypeOf(text: string, country: string): ReferenceType {
  if (parseRf(text) !== null) return 'rf';
  const shown = SHOWN[country];
  return shown !== undefined && shown.looks.test(text) && parseReference(shown.type, text) !== null
    ? shown.type
    : 'text';
}

/** The number of a Swiss or Liechtenstein bank in an IBAN is one of those for QR references (SIX, Swiss Implementation Guidelines QR-bill 2.3). */
export const isQrIban = (iban: string | undefined): boolean => /^(?:CH|LI)\d{2}3[01]\d{3}/.test(iban ?? '');

export const mayHaveQrIban = (country: string): boolean => country === 'CH' || country === 'LI';

/** Modulo 10, recursive: the carry after each digit (SIX, Swiss Implementation Guidelines QR-bill 2.3). */
const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const;
const carryOf = (digits: string): number =>
  [...digits].reduce((carry, digit) => CARRIES[(carry + Number(digit)) % 10] as number, 0);

/** 26 digits and their check digit. */
export const qrReference = (digits: string): string => `${digits}${(10 - carryOf(digits)) % 10}`;

function parseQrr(text: string): string | null {
  const digits = withoutBlanks(text);
  return /^\d{27}$/.test(digits) && !/^0+$/.test(digits) && carryOf(digits) === 0 ? digits : null;
}

/** The first ten digits modulo 97, where 0 is written 97 (Febelfin, AOS1 of the SEPA credit transfer). */
function parseBba(text: string): string | null {
  const [, , number] = /^(\+{3}|\*{3}|)([\d/]+)\1$/.exec(withoutBlanks(text)) ?? [];
  const digits = number?.replaceAll('/', '') ?? '';
  if (!/^\d{12}$/.test(digits)) return null;
  return (remainder97(digits.slice(0, 10)) || 97) === Number(digits.slice(10)) ? digits : null;
}

/** The payee and his bank agree on one of two check digits: modulo 10 (Luhn) or modulo 11, where ten is a hyphen (Bits, KID). */
function parseKid(text: string): string | null {
  const kid = withoutBlanks(text);
  if (!/^\d{1,24}[\d-]$/.test(kid)) return null;
  const [body, check] = [kid.slice(0, -1), kid.slice(-1)];
  return check === luhnOf(body) || check === modulo11Of(body) ? kid : null;
}

/** From right to left, the weights again and again. */
const weighted = (digits: string, weights: readonly number[], add = (product: number) => product): number =>
  [...digits].reduceRight(
    (sum, digit, at) => sum + add(Number(digit) * (weights[(digits.length - 1 - at) % weights.length] as number)),
    0,
  );
const toTen = (sum: number): string => String((10 - (sum % 10)) % 10);
const luhnOf = (body: string): string =>
  toTen(weighted(body, [2, 1], (product) => (product > 9 ? product - 9 : product)));
function modulo11Of(body: string): string {
  const check = (11 - (weighted(body, [2, 3, 4, 5, 6, 7]) % 11)) % 11;
  return check === 10 ? '-' : String(check);
}

/** Weights 7, 3, 1 (Finance Finland, structure of the Finnish national reference). */
function parseFi(text: string): string | null {
  const digits = withoutBlanks(text);
  if (!/^\d{4,20}$/.test(digits) || /^0+$/.test(digits)) return null;
  return digits.endsWith(toTen(weighted(digits.slice(0, -1), [7, 3, 1]))) ? digits : null;
}
