/**
 * Creditor references: `RF`, two check digits, a body. A payer's bank carries them through, so money finds its payment.
 * It must never repair what somebody wrote: one wrong character is another payment. Source: ISO 11649, check digits by
 * ISO 7064 mod 97-10. An account has one too, under which anybody can pay into it. Next: `epc.ts`.
 */
import { withoutBlanks } from './blanks.ts';
import { assert } from '../values/assert.ts';
import { decodeIdInto, uuidText } from '../values/ids.ts';

const BODY = /^[A-Z0-9]{1,21}$/;
const WHOLE = /^RF([0-9]{2})([A-Z0-9]{1,21})$/;

/** `body` is 1 to 21 of A-Z and 0-9. */
export function rfReference(body: string): string {
  assert(BODY.test(body), 'the body of a reference is 1 to 21 of A-Z and 0-9');
  return `RF${checkDigits(body)}${body}`;
}

/** Without blanks and in upper case, or `null`: not such a reference, or its check digits are wrong. */
export function parseRf(text: string): string | null {
  const written = withoutBlanks(text);
  if (!/^[A-Za-z0-9]*$/.test(written)) return null; // in upper case some foreign letters are those of ASCII
  const reference = written.toUpperCase();
  const parts = WHOLE.exec(reference);
  // Compared, not divided: by the remainder alone 00, 01 and 99 would pass for 97, 98 and 02.
  return parts !== null && parts[1] === checkDigits(parts[2] as string) ? reference : null;
}

function checkDigits(body: string): string {
  return String(98 - remainder97(`${body}RF00`)).padStart(2, '0');
}

const [ZERO, A] = ['0', 'A'].map((each) => each.charCodeAt(0)) as [number, number];

/**
 * The text, of 0-9 and A-Z, from a place on and then from its beginning, as a number, letters as 10 to 35, modulo 97: one character at a
 * time, so that it stays small. It is 1 for an IBAN or a reference whose check digits are right, from the fifth character on.
 */
export function remainder97(text: string, from = 0): number {
  let remainder = 0;
  for (let n = 0; n < text.length; n += 1) {
    const code = text.charCodeAt((from + n) % text.length);
    const value = code < A ? code - ZERO : code - A + 10;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** Of the 68 bits of an account's reference, in base 36. */
const DIGITS = 14;

/**
 * The reference of an account: `RF`, two check digits and 14 characters. They hold the instant and the counter of the account's id
 * (68 bits), which no two accounts of an environment share. So nothing is stored, and a range of the primary key finds the account.
 */
export function depositReference(accountId: string): string {
  const bytes = Buffer.alloc(16);
  decodeIdInto(accountId, bytes, 0);
  return rfReference(partsOf(bytes).toString(36).toUpperCase().padStart(DIGITS, '0'));
}

export const isDepositOf = (reference: string, accountId: string): boolean => depositReference(accountId) === reference;

/** Accounts are made between these. */
const FIRST_MS = Date.UTC(2020, 0, 1);
const LAST_MS = Date.UTC(2120, 0, 1);

/** Whether it may be the reference of an account: its check digits are right, and the instant in it is of our time. */
export function isDepositReference(reference: string): boolean {
  const range = accountRange(reference);
  if (range === null) return false;
  const atMs = Number.parseInt(range.from.slice(0, 13).replace('-', ''), 16);
  return atMs >= FIRST_MS && atMs < LAST_MS;
}

/** The uuids between which the account's lies, both included; `null`: it is no such reference. */
export function accountRange(reference: string): { readonly from: string; readonly to: string } | null {
  const body = parseRf(reference)?.slice(4);
  if (body?.length !== DIGITS) return null;
  let parts = 0n;
  for (const digit of body) parts = parts * 36n + BigInt(Number.parseInt(digit, 36));
  if (parts >= 1n << 68n) return null;
  const counter = Number(parts & 0xfffffn);
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Number(parts >> 20n), 0, 6);
  bytes[6] = 0x70 | (counter >> 16);
  bytes[7] = (counter >> 8) & 0xff;
  bytes[8] = 0x80 | ((counter >> 2) & 0x3f);
  bytes[9] = (counter & 3) << 6;
  const last = Buffer.from(bytes).fill(0xff, 10);
  last[9] = bytes[9] | 0x3f;
  return { from: uuidText(bytes), to: uuidText(last) };
}

/** Instant and counter, as `core/values/ids.ts` lays them out. */
function partsOf(bytes: Buffer): bigint {
  const counter =
    (((bytes[6] as number) & 0x0f) << 16) |
    ((bytes[7] as number) << 8) |
    (((bytes[8] as number) & 0x3f) << 2) |
    ((bytes[9] as number) >> 6);
  return (BigInt(bytes.readUIntBE(0, 6)) << 20n) | BigInt(counter);
}
