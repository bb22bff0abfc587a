/**
 * The creditor reference of an account: who names it in a transfer to the bank account of its currency pays into it. It is made of the
 * account's id, of the instant and the counter in it (68 bits), which no two accounts of an environment share: nothing is stored, and the
 * account is found by a range of its primary key.
 */
import { parseRf, rfReference } from './creditor-reference.ts';
import { decodeIdInto } from '../values/ids.ts';

/** Of 68 bits in base 36. */
const DIGITS = 14;

/** `RF`, two check digits and 14 characters. `accountId` begins with `acct_`. */
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

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
