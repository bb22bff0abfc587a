/**
 * Identifiers: a type prefix and a UUIDv7 in Crockford base 32 (TypeID 0.3): `po_01jd3…`. Text everywhere in
 * TypeScript, `uuid` in the database. Ids of one environment sort by creation: the environment's instant is strictly
 * increasing per batch (rule 10 of the path) and a counter orders the ids of one batch. Source: contract, section 2.
 */
import { randomFillSync } from 'node:crypto';

/** The prefixes of ids, and what the ids are of, in words. */
export const NAMES = {
  acct: 'account',
  trf: 'transfer',
  rcp: 'recipient',
  quo: 'exchange quote',
  exc: 'exchange',
  po: 'payout',
  pob: 'payout batch',
  plink: 'payment link',
  pay: 'payment',
  xp: 'expected payment',
  stm: 'daily statement',
  so: 'standing order',
  sor: 'standing order run',
  we: 'webhook endpoint',
  rep: 'webhook replay',
  evt: 'event',
  dlv: 'delivery',
  rst: 'restore',
  req: 'request',
  key: 'key',
  usr: 'user',
  ses: 'session',
  aud: 'audit entry',
  lim: 'limit',
  fee: 'fee rule',
  ba: 'bank account',
  sf: 'statement file',
  bs: 'bank statement',
  be: 'bank entry',
  br: 'bank rule',
  pf: 'payment file',
  bfc: 'content of a payment file',
  bwl: 'waiting lines of a bank statement',
  bed: 'details of a bank entry',
  bi: 'bank instruction',
  lus: 'usage of a limit',
  env: 'environment',
  mer: 'merchant',
} as const;
export type Prefix = keyof typeof NAMES;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DECODE = new Int8Array(128).fill(-1);
for (let i = 0; i < 32; i++) DECODE[ALPHABET.charCodeAt(i)] = i;

/** Ten bits to two characters: ids are rendered a dozen times a request. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`);

/** 16 bytes to 26 characters, most significant first: byte 0 alone (its top two bits of ten are zero), then fives. */
export function encodeId(prefix: Prefix, bytes: Uint8Array): string {
  let text = `${prefix}_${PAIRS[bytes[0] as number]}`;
  for (let i = 1; i < 16; i += 5) {
    const second = bytes[i + 1] as number;
    const third = bytes[i + 2] as number;
    const fourth = bytes[i + 3] as number;
    text += PAIRS[((bytes[i] as number) << 2) | (second >> 6)];
    text += PAIRS[((second & 63) << 4) | (third >> 4)];
    text += PAIRS[((third & 15) << 6) | (fourth >> 2)];
    text += PAIRS[((fourth & 3) << 8) | (bytes[i + 4] as number)];
  }
  return text;
}

/** Writes the 16 bytes behind an id into `target`. The id must have passed {@link isId} once, at the edge. */
export function decodeIdInto(id: string, target: Uint8Array, offset: number): void {
  const start = id.length - 26;
  let buffer = DECODE[id.charCodeAt(start)] as number;
  let bits = 3; // the first character carries three bits
  let written = 0;
  for (let i = 1; i < 26; i++) {
    buffer = ((buffer << 5) | (DECODE[id.charCodeAt(start + i)] as number)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      target[offset + written++] = (buffer >> bits) & 0xff;
    }
  }
}

const SHAPE = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` is a well-formed id of that type. Says nothing about existence. */
export function isId(prefix: Prefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && SHAPE.test(text.slice(-26));
}

/** The uuid behind an id, as PostgreSQL takes it. */
export function uuidOf(id: string): string {
  decodeIdInto(id, scratch, 0);
  return uuidText(scratch);
}

export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const scratch = Buffer.alloc(16);
/** Values of hexadecimal digits by character code; 0 elsewhere. */
const HEX_VALUE = new Uint8Array(128);
for (let i = 0; i < 16; i++) HEX_VALUE['0123456789abcdef'.charCodeAt(i)] = i;

/** The id of a uuid as PostgreSQL prints it: lower case, with hyphens. */
export function idOf(prefix: Prefix, uuid: string): string {
  for (let i = 0, at = 0; i < 16; i++, at += 2) {
    if (uuid.charCodeAt(at) === 45) at++;
    scratch[i] = ((HEX_VALUE[uuid.charCodeAt(at)] as number) << 4) | (HEX_VALUE[uuid.charCodeAt(at + 1)] as number);
  }
  return encodeId(prefix, scratch);
}

const POOL_BYTES = 8 * 512;
const pool = new Uint8Array(POOL_BYTES);
let poolAt = POOL_BYTES;

/** Eight random bytes written into `target`, from a refilled pool (one system call for 512 ids). */
function randomInto(target: Uint8Array, offset: number): void {
  if (poolAt === POOL_BYTES) {
    randomFillSync(pool);
    poolAt = 0;
  }
  for (let i = 0; i < 8; i++) target[offset + i] = pool[poolAt++] as number;
}

/** Ids that stand in one column with those of another kind, which have the version 7. */
const VERSION_8: ReadonlySet<Prefix> = new Set(['ba', 'usr']);

/** A batch that begins at any of these stays within 20 bits. */
const FIRST_COUNTERS = 2 ** 20 - 2 ** 16;

/** Makes ids for one batch: same instant, rising counter. An input of every decision, so that decisions stay pure. */
export interface IdSource {
  next(prefix: Prefix): string;
  /** An event's id carries its sequence in the low 40 bits, so that an event is found by its primary key alone. */
  event(sequence: bigint): string;
}

/**
 * Ids at `atMs`, UUIDv7; those of bank accounts have the version 8, so that the ledger tells them from accounts (`core/house-accounts.ts`), and
 * those of users, so that they are told from keys (`core/actor.ts`): 48 bits of time, a 20-bit counter (12 in rand_a, 8 at the top of rand_b; a batch has at most 4,096
 * changes), 54 random bits. RFC 9562, section 6.2, method 1. The counter begins anywhere, since instant and counter alone make the deposit references
 * of accounts, and two environments may have a batch in the same millisecond.
 */
export function idSource(atMs: number): IdSource {
  const bytes = Buffer.alloc(16);
  randomInto(bytes, 8);
  let counter = bytes.readUInt32BE(8) % FIRST_COUNTERS;
  /** `version`: of the UUID. */
  const fill = (version: number) => {
    bytes.writeUIntBE(atMs, 0, 6);
    randomInto(bytes, 8);
    counter += 1;
    bytes[6] = (version << 4) | ((counter >> 16) & 0x0f);
    bytes[7] = (counter >> 8) & 0xff;
    bytes[8] = 0x80 | ((counter >> 2) & 0x3f);
    bytes[9] = ((counter & 3) << 6) | ((bytes[9] as number) & 0x3f);
  };
  return {
    next(prefix) {
      fill(VERSION_8.has(prefix) ? 8 : 7);
      return encodeId(prefix, bytes);
    },
    event(sequence) {
      fill(7);
      bytes.writeUIntBE(Number(sequence), 11, 5);
      return encodeId('evt', bytes);
    },
  };
}

/** The instant inside an id, in milliseconds: that of the batch which made it, environment clock. */
export function instantOf(id: string): number {
  decodeIdInto(id, scratch, 0);
  return scratch.readUIntBE(0, 6);
}

/** The sequence inside the id of an event or delivery. Compare the whole id of the row that it finds. */
export function sequenceOf(eventId: string): bigint {
  decodeIdInto(eventId, scratch, 0);
  return BigInt(scratch.readUIntBE(11, 5));
}

/** Time and sequence of the event, with 34 random bits of the endpoint: nothing to store, found by primary key. */
export function deliveryIdOf(eventId: string, endpointId: string): string {
  const bytes = new Uint8Array(16);
  const endpoint = new Uint8Array(16);
  decodeIdInto(eventId, bytes, 0);
  decodeIdInto(endpointId, endpoint, 0);
  bytes[6] = 0x70 | ((endpoint[15] as number) & 0x0f);
  bytes[7] = endpoint[14] as number;
  bytes[8] = 0x80 | ((endpoint[13] as number) & 0x3f);
  bytes[9] = endpoint[12] as number;
  bytes[10] = endpoint[11] as number;
  return encodeId('dlv', bytes);
}

/** A fresh id outside the write path (requests, keys, environments), at the process clock. */
export function newId(prefix: Prefix): string {
  return idSource(Date.now()).next(prefix);
}

/** The id of the object of another kind with the same uuid: of a payout, the instruction to the bank. */
export const idAs = (prefix: Prefix, id: string): string => `${prefix}${id.slice(id.indexOf('_'))}`;

export const exampleId = (prefix: Prefix): string =>
  `${prefix}_01jd3v9q4n${prefix === 'usr' ? 'g' : 'e'}8v8k3w2m6r5t7xa`;
