/** Flights on real PostgreSQL: one Sync, one answer, one error; and values that arrive as they left. */
import fc from 'fast-check';
import { Client, type Connection } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createDatabase, type Database } from '../../../../test/support/harness/database.ts';
import { texts } from './columns.ts';
import { type Pipeline, pipelineOver } from './pipeline.ts';
import { isConnectionLost } from './connection-lost.ts';
import type { Statement } from './statement.ts';

let database: Database;
let client: Client;
let pipeline: Pipeline;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  client = new Client(database.url);
  client.on('error', () => {});
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
  await client.query('CREATE TEMPORARY TABLE things (n int CHECK (n > 0))');
  pipeline = pipelineOver(client);
});
afterEach(() => client.end());

const wire = () => (client as unknown as { connection: Connection }).connection;
const twice = (n: number): Statement => ({ name: 'twice', text: 'SELECT 2 * $1::int AS v', values: [n] });
const insert = (n: number): Statement => ({ name: 'insert', text: 'INSERT INTO things VALUES ($1)', values: [n] });
const count: Statement = { text: 'SELECT count(*)::int AS v FROM things', values: [] };

async function fly(...statements: Statement[]): Promise<unknown[]> {
  const answers = statements.map((statement) => pipeline.run(statement));
  pipeline.sync();
  return (await Promise.all(answers)).map(({ rows }) => rows[0]?.['v']);
}

test('many statements, one Sync, every answer to its own question', async () => {
  const sync = vi.spyOn(wire(), 'sync');
  const asked = Array.from({ length: 50 }, (_, n) => n);
  expect(await fly(...asked.map(twice))).toEqual(asked.map((n) => 2 * n));
  expect(sync).toHaveBeenCalledTimes(1);
  expect(await fly(twice(21), { text: 'SELECT 1 AS v, NULL AS w', values: [] }, twice(4))).toEqual([42, 1, 8]);
  expect(sync).toHaveBeenCalledTimes(2);
});

test('a statement is prepared once a connection', async () => {
  const parse = vi.spyOn(wire(), 'parse');
  await fly(twice(1), twice(2));
  await fly(twice(3), insert(1));
  await fly(insert(2));
  expect(parse).toHaveBeenCalledTimes(2);
});

test('a name stands for one text, or another statement would be run', async () => {
  await fly(twice(1));
  await expect(fly({ ...twice(1), text: 'SELECT 3 * $1::int AS v' })).rejects.toThrow(
    'twice is the name of one statement',
  );
  expect(await fly(twice(2))).toEqual([4]);
});

test.each([{}, { name: '' }])('statements without a name (%j) may differ, in one group and after it', async (name) => {
  const one: Statement = { ...name, text: 'SELECT 1 AS v', values: [] };
  const two: Statement = { ...name, text: 'SELECT 2 * $1::int AS v', values: [1] };
  expect(await fly(one, two, one)).toEqual([1, 2, 1]);
  expect(await fly(two)).toEqual([2]);
  expect(await fly(one, two)).toEqual([1, 2]);
});

test('a statement without text gives no rows and fails no other', async () => {
  expect(await fly(twice(1), { text: '', values: [] }, twice(2))).toEqual([2, undefined, 4]);
});

test('a group that begins while another is in flight is sent behind it', async () => {
  const { stream } = wire() as unknown as { stream: { bytesWritten: number } };
  const answers = [fly({ text: 'SELECT pg_sleep(0.2)', values: [] }, insert(1), count)];
  for (const n of [2, 3]) {
    const before = stream.bytesWritten;
    answers.push(fly(insert(n), count));
    expect(stream.bytesWritten).toBeGreaterThan(before);
  }
  expect((await Promise.all(answers)).map((each) => each.at(-1))).toEqual([1, 2, 3]);
});

test('a failed group does not fail the group behind it', async () => {
  const answers = await Promise.allSettled([fly(insert(0)), fly(insert(1), count), fly(insert(-1)), fly(count)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect((answers[3] as PromiseFulfilledResult<unknown[]>).value).toEqual([1]);
});

test('sent() resolves when all bytes have left', async () => {
  const { stream } = wire() as unknown as { stream: { writableLength: number } };
  const answer = fly({ text: 'SELECT pg_sleep(0.3), length($1) AS v', values: ['x'.repeat(5_000_000)] }, count);
  expect(stream.writableLength).toBeGreaterThan(0);
  await pipeline.sent();
  expect(stream.writableLength).toBe(0);
  await answer;
  await pipeline.sent();
});

test('after the first error of a group nothing is run, COMMIT included, and every statement rejects', async () => {
  const begin = { name: 'BEGIN', text: 'BEGIN', values: [] };
  const commit = { name: 'COMMIT', text: 'COMMIT', values: [] };
  const answers = [begin, insert(1), insert(0), twice(1), commit].map((statement) => pipeline.run(statement));
  pipeline.sync();
  for (const { status, reason } of (await Promise.allSettled(answers)) as PromiseRejectedResult[]) {
    expect([status, reason.code]).toEqual(['rejected', '23514']);
  }
  // The error rejects as soon as it is read; ReadyForQuery may come with the next packet.
  await vi.waitFor(() => expect(client.getTransactionStatus()).toBe('E'));
  await fly({ text: 'ROLLBACK', values: [] });
  // `insert` had been parsed and failed, `twice` was never read: both can be used again.
  expect(await fly(count, insert(3), count, twice(4))).toEqual([0, undefined, 1, 8]);
});

test('a value without a form on the wire fails its group before later statements are sent', async () => {
  const commit = { name: 'COMMIT', text: 'COMMIT', values: [] };
  const broken: Statement = { ...insert(2), values: [{ n: 2 }] };
  const begin = { name: 'BEGIN', text: 'BEGIN', values: [] };
  const answers = [begin, insert(1), broken, insert(3), commit].map((statement) => pipeline.run(statement));
  pipeline.sync();
  for (const { status, reason } of (await Promise.allSettled(answers)) as PromiseRejectedResult[]) {
    expect([status, String(reason)]).toEqual(['rejected', expect.stringContaining('form on the wire')]);
  }
  // Nor is anything behind it: a part is sent, and what came next would go on in its transaction.
  await expect(fly(count, commit)).rejects.toSatisfy(isConnectionLost);
});

test('what is long starts before it ends; what is short goes at once', async () => {
  const { stream } = wire() as unknown as { stream: { bytesWritten: number; writableLength: number } };
  const long: Statement = { text: 'SELECT length($1) AS v', values: ['x'.repeat(100_000)] };
  const before = stream.bytesWritten;
  const answers = [pipeline.run(twice(1)), pipeline.run(long)];
  expect(stream.bytesWritten - before).toBeGreaterThan(100_000);
  answers.push(pipeline.run(twice(2)));
  expect(stream.writableLength).toBeGreaterThan(0);
  pipeline.sync();
  expect((await Promise.all(answers)).map(({ rows }) => rows[0]?.['v'])).toEqual([2, 100_000, 4]);
});

test('values arrive as they left: text, numbers, bytes and lists of anything', async () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'));
  const spiky = fc.constantFrom('"', '\\', '{', '}', ',', 'NULL', 'null', '', ' ', '\\"');
  const list = fc.array(fc.option(fc.oneof(word, spiky)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(list, fc.option(word), fc.bigInt({ min: 0n, max: 2n ** 62n }), async (all, one, big) => {
      const text: Statement = {
        name: 'v',
        text: 'SELECT $1::text[] AS a, $2::text AS b, $3::int8 AS c',
        values: [all, one, big],
      };
      const bytes: Statement = { name: 'w', text: 'SELECT $1::text[] AS a', values: [texts(all)] };
      const answers = Promise.all([pipeline.run(text), pipeline.run(bytes)]);
      pipeline.sync();
      const [{ rows }, { rows: same }] = await answers;
      expect(same).toEqual([{ a: all.slice(0, all.findLastIndex((each) => each !== null) + 1) }]); // columns.ts
      expect(rows).toEqual([{ a: all, b: one, c: big }]);
    }),
    { numRuns: 200 },
  );
  expect(
    await fly({ text: 'SELECT $1::int = ANY ($2::int[]) AND $3::bool AS v', values: [3, [1, 2, 3], true] }),
  ).toEqual([true]);
});

test('a connection that is lost rejects all waiting statements', async () => {
  const sleeping = Promise.allSettled([
    pipeline.run({ text: 'SELECT pg_sleep(20)', values: [] }),
    pipeline.run(twice(1)),
  ]);
  pipeline.sync();
  const killer = new Client(database.url);
  await killer.connect();
  const pid = (client as unknown as { processID: number }).processID;
  await killer.query('SELECT pg_terminate_backend($1)', [pid]);
  await killer.end();
  for (const answer of await sleeping) {
    expect(isConnectionLost((answer as PromiseRejectedResult).reason)).toBe(true);
  }
  await expect(fly(twice(1))).rejects.toSatisfy(isConnectionLost);
});

test('a connection that is silent for too long is cut', async () => {
  const silent = new Client({ connectionString: database.url, query_timeout: 100 });
  silent.on('error', () => {});
  await silent.connect();
  const ended = new Promise((resolve) => void silent.once('end', () => resolve('ended')));
  const { run, sync } = pipelineOver(silent);
  const answer = run({ text: 'SELECT pg_sleep(5)', values: [] });
  sync();
  await expect(answer).rejects.toSatisfy(isConnectionLost);
  expect(await ended).toBe('ended');
});

test('a value that cannot be read fails its group, not the process', async () => {
  await client.query("SET TimeZone = 'Asia/Tokyo'");
  await expect(fly({ text: 'SELECT now() AS v', values: [] })).rejects.toThrow('outside UTC');
  expect(await fly(twice(1))).toEqual([2]);
});
