/** Columns in binary form, there and back through real PostgreSQL. */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeId, uuidOf } from '../../../core/values/ids.ts';
import { createDatabase, type Database } from '../../../../test/support/harness/database.ts';
import { int2s, int4s, int8s, texts, timestamps, uuids } from './columns.ts';
import { unnest, type WireType } from './unnest.ts';
import { TYPES } from './types.ts';

let database: Database;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url, types: TYPES });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** As rows, beside a column that has a value in each. */
async function back(
  type: WireType,
  encode: (values: never[]) => Buffer,
  values: readonly unknown[],
): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT v, pg_typeof(v) = '${type}'::regtype AS fits FROM ${unnest({ n: 'int4', v: type })} AS u ORDER BY n`,
    [int4s(values.map((_, n) => n)), encode(values as never[])],
  );
  return (rows as { v: unknown; fits: boolean }[]).map(({ v, fits }) => {
    expect(fits).toBe(true);
    return v;
  });
}

const bigints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** Valid Unicode without NUL: what the edge lets through. */
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'));
const id = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => encodeId('po', bytes));
const column = <T>(value: fc.Arbitrary<T>) => fc.array(fc.option(value, { freq: 5 }), { maxLength: 60 });

const cases: [
  type: WireType,
  encode: (values: never[]) => Buffer,
  values: fc.Arbitrary<unknown[]>,
  seen?: (v: never) => unknown,
][] = [
  ['int8', int8s, column(bigints)],
  ['int4', int4s, column(fc.integer())],
  ['int2', int2s, column(fc.integer({ min: -32_768, max: 32_767 }))],
  ['text', texts, column(text)],
  ['uuid', uuids, column(id), uuidOf],
];

it.each(cases)(
  'gives back every %s, null, and the empty column',
  { timeout: 30_000 },
  async (type, encode, values, seen) => {
    const expected = (all: unknown[]) => all.map((value) => (value === null || !seen ? value : seen(value as never)));
    await fc.assert(
      fc.asyncProperty(values, async (all) => {
        expect(await back(type, encode, all)).toEqual(expected(all));
      }),
      { numRuns: 60, examples: [[[]], [[null]], [[null, null]]] },
    );
  },
);

it('gives back the edges of every integer type', async () => {
  const big = [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 9_007_199_254_740_993n];
  expect(await back('int8', int8s, big)).toEqual(big);
  const middle = [-2_147_483_648, null, 2_147_483_647, null];
  expect(await back('int4', int4s, middle)).toEqual(middle);
  expect(await back('int2', int2s, [-32_768, 32_767])).toEqual([-32_768, 32_767]);
  expect(() => int8s([2n ** 63n])).toThrow(RangeError);
  expect(() => int2s([32_768])).toThrow(RangeError);
});

it('gives back any text: empty, quotes, braces, backslashes, the word NULL, emoji, a long one', async () => {
  const all = [
    '',
    ' ',
    '{}',
    '{a,"b"}',
    '\\',
    '"',
    "'",
    ',',
    'NULL',
    'null',
    '\n\t',
    'ﬀ',
    '日本語',
    '👩‍👩‍👧',
    '\u{10ffff}',
    'x'.repeat(100_000),
    null,
  ];
  expect(await back('text', texts, all)).toEqual(all);
});

it('gives back instants to the millisecond, before 2000 and far ahead, and minus infinity', async () => {
  const instants = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(9999, 11, 31) });
  await fc.assert(
    fc.asyncProperty(column(instants), async (all) => {
      expect(await back('timestamptz', timestamps, all)).toEqual(all);
    }),
    { numRuns: 60 },
  );
  const edges = [Number.NEGATIVE_INFINITY, 0, -1, 946_684_800_000, 946_684_799_999, null];
  expect(await back('timestamptz', timestamps, edges)).toEqual(edges);
});

it('leaves out nulls at the end, so that unset columns cost nothing', () => {
  expect(texts([null, null, null])).toEqual(texts([]));
  expect(uuids([null, null])).toEqual(uuids([]));
  expect(int8s([1n, null, 2n, null, null])).toEqual(int8s([1n, null, 2n]));
});

it('refuses what is no instant instead of writing another one', () => {
  for (const value of [Number.POSITIVE_INFINITY, Number.NaN, 0.5])
    expect(() => timestamps([value])).toThrow(RangeError);
});

it('carries many columns in one statement, rows aligned', async () => {
  const ids = Array.from({ length: 500 }, (_, n) => encodeId('po', new Uint8Array(16).fill(n % 251)));
  const { rows } = await client.query(
    `SELECT * FROM ${unnest({ u: 'uuid', n: 'int8', t: 'text', at: 'timestamptz' })} AS v ORDER BY n`,
    [
      uuids(ids),
      int8s(ids.map((_, n) => BigInt(n))),
      texts(ids.map((_, n) => (n % 7 === 0 ? null : `t${n}`))),
      timestamps(ids.map((_, n) => n * 1000)),
    ],
  );
  for (const [n, row] of (rows as Record<string, unknown>[]).entries()) {
    expect([row['u'], row['n'], row['t'], row['at']]).toEqual([
      uuidOf(ids[n] as string),
      BigInt(n),
      n % 7 === 0 ? null : `t${n}`,
      n * 1000,
    ]);
  }
});

it.each([
  ['int8s', () => int8s([1n, 2n ** 63n])],
  ['int8s', () => int8s([-(2n ** 63n) - 1n])],
  ['int4s', () => int4s([2 ** 31])],
  ['int2s', () => int2s([-32_769])],
  ['int4s', () => int4s([Number.NaN])],
])('%s refuses a number that does not fit, instead of writing another', (_, encode) => {
  expect(encode).toThrow(RangeError);
});
