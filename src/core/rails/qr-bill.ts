/**
 * The payload of a Swiss QR code, and the cross in its middle. Source: SIX, Swiss Implementation Guidelines QR-bill, version 2.3, with
 * structured addresses only. A QR-IBAN takes a QR reference, which stands for ours; another IBAN takes ours itself. Next: `epc.ts`.
 */
import { withoutBlanks } from './blanks.ts';
import { parseRf, rfReference } from './creditor-reference.ts';
import { isQrIban, parseReference, qrReference } from './structured-references.ts';
import { formatMinor } from '../values/money.ts';

export interface QrBill {
  readonly accountHolder: string;
  /** Of the account holder: `line1`, `postal_code`, `city`, `country`. */
  readonly address: Readonly<Record<string, string | undefined>>;
  readonly iban: string | undefined;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 11649, without blanks. */
  readonly rf: string;
}

/** CHF 999999999.99. */
const MAX_AMOUNT = 99_999_999_999n;
const [MAX_NAME, MAX_STREET, MAX_CODE, MAX_TOWN] = [70, 70, 16, 35];
/** Basic Latin, Latin-1, Latin Extended-A, four Romanian letters, the euro sign. */
const TAKEN = /^[ -~\u00a0-\u017f\u0218-\u021b\u20ac]*$/;

/**
 * 31 lines joined by `\n`. `null` for another currency than CHF, no Swiss or Liechtenstein IBAN, no address with a postal code, an amount of
 * zero or above 999999999.99, and letters that the code does not take.
 */
export function qrBillPayload({ accountHolder, address, iban, currency, amount, rf }: QrBill): string | null {
  const account = withoutBlanks(iban ?? '').toUpperCase();
  if (currency !== 'CHF' || !/^(?:CH|LI)\d{7}[A-Z0-9]{12}$/.test(account)) return null;
  if (amount <= 0n || amount > MAX_AMOUNT) return null;
  const { line1: street = '', postal_code: code = '', city = '', country = '' } = address;
  const [name, town] = [cut(accountHolder, MAX_NAME), cut(city, MAX_TOWN)];
  // The number of the house stands with the street.
  const holder = [name, cut(street, MAX_STREET), '', cut(code, MAX_CODE), town, country];
  if ([name, code, town, country].includes('') || holder.some((line) => !TAKEN.test(line))) return null;
  const reference = referenceFor(account, rf);
  const type = isQrIban(account) ? 'QRR' : 'SCOR';
  const nobody = Array.from({ length: 7 }, () => '');
  const money = [formatMinor(amount, 2), 'CHF'];
  return ['SPC', '0200', '1', account, 'S', ...holder, ...nobody, ...money, ...nobody, type, reference, '', 'EPD'].join(
    '\n',
  );
}

/** A line end would shift every line after it. */
const cut = (text: string, max: number): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .trim();

/** What a payer to this account names: the reference, or what stands for it at a QR-IBAN. */
export const referenceFor = (iban: string | undefined, rf: string): string =>
  isQrIban(withoutBlanks(iban ?? '').toUpperCase()) ? qrReferenceOf(rf) : rf;

/** Length of the body of a reference, then the body as a number in base 36: 2 and 24 digits. */
const LENGTH_DIGITS = 2;
const BODY_DIGITS = 24;

/** The QR reference that stands for a reference of ours, whose body has at most 15 characters. */
export function qrReferenceOf(rf: string): string {
  const body = rf.slice(4);
  let number = 0n;
  for (const letter of body) number = number * 36n + BigInt(Number.parseInt(letter, 36));
  return qrReference(String(body.length).padStart(LENGTH_DIGITS, '0') + String(number).padStart(BODY_DIGITS, '0'));
}

/** Bodies of our references: of payments, and of accounts. */
const OUR_BODIES: readonly number[] = [13, 14];

/** The reference of ours that a QR reference stands for; `null`: it is somebody else's. */
export function rfOfQrReference(text: string): string | null {
  const digits = parseReference('qrr', text);
  const length = Number(digits?.slice(0, LENGTH_DIGITS));
  if (digits === null || !OUR_BODIES.includes(length)) return null;
  const body = BigInt(digits.slice(LENGTH_DIGITS, -1)).toString(36).toUpperCase().padStart(length, '0');
  return body.length === length ? parseRf(rfReference(body)) : null;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isDark: boolean;
}

/** Of the cross, in 19.8ths of its side: a white square, a black one in it, and the two white bars. */
const CROSS = [
  [0, 0, 19.8, 19.8, false],
  [0.7, 0.7, 18.4, 18.4, true],
  [8.25, 4.4, 3.3, 11, false],
  [4.4, 8.25, 11, 3.3, false],
] as const;

/** The Swiss cross in the middle of a code of so many modules, from back to front: 7 of the 46 millimetres of a side. */
export function swissCross(modules: number): readonly Rectangle[] {
  const side = (modules * 7) / 46;
  const [start, unit] = [(modules - side) / 2, side / 19.8];
  return CROSS.map(([x, y, width, height, isDark]) => ({
    x: start + x * unit,
    y: start + y * unit,
    width: width * unit,
    height: height * unit,
    isDark,
  }));
}
