/**
 * House accounts stand for the world outside; they keep no balance (a sum of transfers), so that they are no hot row.
 */
import { decodeIdInto, encodeId } from './values/ids.ts';

/** bank: money outside; in_transit: payouts on their way; fx: the two sides of exchanges; fees, unmatched: by name. */
export const HOUSE_KINDS = ['bank', 'in_transit', 'fx', 'fees', 'unmatched'] as const;
export type HouseKind = (typeof HOUSE_KINDS)[number];

const houseIds = new Map<string, string>();

/** A UUIDv8 that spells kind and currency, the same in every environment. No row exists for it. */
export function houseAccount(kind: HouseKind, currency: string): string {
  const name = `${kind} ${currency}`;
  const known = houseIds.get(name);
  if (known) return known;
  const bytes = new Uint8Array(16);
  bytes[6] = 0x80;
  bytes[8] = 0x80;
  bytes[12] = HOUSE_KINDS.indexOf(kind) + 1;
  for (let i = 0; i < 3; i++) bytes[13 + i] = currency.charCodeAt(i);
  const id = encodeId('acct', bytes);
  houseIds.set(name, id);
  return id;
}

/** Digit of an id that the version of its UUID decides: `g` and `h` for 8, the version of all that is no customer account. */
const VERSION_DIGIT = -16;

/** Whether a side of a transfer is no customer account: a house account, or a bank account of the operator. */
export function isOutside(accountId: string): boolean {
  const digit = accountId.at(VERSION_DIGIT);
  return digit === 'g' || digit === 'h';
}

/** A bank account as transfers name it, which know ids of accounts only; its own id is made of the same UUID. */
export const sideOfBankAccount = (id: string): string => `acct_${id.slice('ba_'.length)}`;

/** The id of the bank account that a side of a transfer stands for. */
export const bankAccountOf = (accountId: string): string => `ba_${accountId.slice('acct_'.length)}`;

/** Kind and currency of a house account; `undefined` for a customer account. */
export function houseOf(accountId: string): { kind: HouseKind; currency: string } | undefined {
  if (!accountId.startsWith('acct_0000000000')) return undefined;
  const bytes = new Uint8Array(16);
  decodeIdInto(accountId, bytes, 0);
  const kind = HOUSE_KINDS[(bytes[12] as number) - 1];
  return kind && { kind, currency: String.fromCharCode(...bytes.subarray(13)) };
}
