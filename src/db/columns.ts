/**
 * Columns of rows as PostgreSQL arrays in binary form: one parameter carries one column of a whole batch. Binary because
 * text arrays must be quoted and parsed again: measured 1.3 times as many payouts a second for the hot statements
 * (ARCHITECTURE.md, "Measured"). Used with `unnest($1::uuid[], $2::int8[], …)`.
 */
import { decodeIdInto } from '../core/ids.ts';

const HEADER_BYTES = 20;
const OID = { int2: 21, int4: 23, int8: 20, text: 25, timestamptz: 1184, uuid: 2950 } as const;
/** PostgreSQL counts timestamps from 2000-01-01. */
const EPOCH_2000_MS = 946_684_800_000;
const MINUS_INFINITY = -(2n ** 63n);

function header(oid: number, count: number, bytes: number, hasNull: boolean): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(hasNull ? 1 : 0, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

/** A column of fixed width. `write` puts one value at an offset. */
function fixed<T>(
  oid: number,
  width: number,
  values: readonly (T | null)[],
  write: (buffer: Buffer, value: T, offset: number) => void,
): Buffer {
  let nulls = 0;
  for (const value of values) if (value === null) nulls++;
  const buffer = header(oid, values.length, values.length * 4 + (values.length - nulls) * width, nulls > 0);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      buffer.writeInt32BE(-1, at);
      at += 4;
      continue;
    }
    buffer.writeInt32BE(width, at);
    write(buffer, value, at + 4);
    at += 4 + width;
  }
  return buffer;
}

/** Typed ids (`po_…`) as uuids. Runs of one id, such as the environment's, are decoded once. */
export function uuids(ids: readonly (string | null)[]): Buffer {
  let last: string | null = null;
  let lastAt = 0;
  return fixed(OID.uuid, 16, ids, (buffer, id, offset) => {
    if (id === last) buffer.copyWithin(offset, lastAt, lastAt + 16);
    else decodeIdInto(id, buffer, offset);
    last = id;
    lastAt = offset;
  });
}

export function int8s(values: readonly (bigint | null)[]): Buffer {
  return fixed(OID.int8, 8, values, (buffer, value, offset) => buffer.writeBigInt64BE(value, offset));
}

export function int4s(values: readonly (number | null)[]): Buffer {
  return fixed(OID.int4, 4, values, (buffer, value, offset) => buffer.writeInt32BE(value, offset));
}

export function int2s(values: readonly (number | null)[]): Buffer {
  return fixed(OID.int2, 2, values, (buffer, value, offset) => buffer.writeInt16BE(value, offset));
}

/** Milliseconds since 1970 as timestamptz; `-Infinity` is PostgreSQL's. */
export function timestamps(values: readonly (number | null)[]): Buffer {
  return fixed(OID.timestamptz, 8, values, (buffer, value, offset) => {
    const micros = value === Number.NEGATIVE_INFINITY ? MINUS_INFINITY : BigInt(value - EPOCH_2000_MS) * 1000n;
    buffer.writeBigInt64BE(micros, offset);
  });
}

/** Text without NUL (refused at the edge). Also for jsonb, date and other types with a cast in the statement. */
export function texts(values: readonly (string | null)[]): Buffer {
  let bytes = 0;
  let hasNull = false;
  const lengths = new Array<number>(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as string | null;
    lengths[i] = value === null ? -1 : Buffer.byteLength(value);
    if (value === null) hasNull = true;
    else bytes += lengths[i] as number;
  }
  const buffer = header(OID.text, values.length, values.length * 4 + bytes, hasNull);
  let at = HEADER_BYTES;
  for (let i = 0; i < values.length; i++) {
    const length = lengths[i] as number;
    buffer.writeInt32BE(length, at);
    at += 4;
    if (length > 0) at += buffer.write(values[i] as string, at, length, 'utf8');
  }
  return buffer;
}
