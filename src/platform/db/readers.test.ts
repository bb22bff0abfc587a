/** Reads that share sync groups: how many, and that a failed read fails no other. */
import { Client, type Connection } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { DatabaseUnavailable, isConnectionLost } from './wire/connection-lost.ts';
import { pipelinedReaders } from './readers.ts';
import type { Statement } from './wire/statement.ts';

let database: Database;
const clients: Client[] = [];
/** The number of Syncs sent, one for each group. */
let flown = 0;
beforeAll(async () => {
  database = await createDatabase();
  for (let i = 0; i < 2; i++) {
    const client = new Client(database.url);
    await client.connect();
    const { connection } = client as unknown as { connection: Connection };
    const sync = connection.sync.bind(connection);
    connection.sync = () => {
      flown += 1;
      sync();
    };
    clients.push(client);
  }
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await database?.drop();
});
beforeEach(() => {
  flown = 0;
});

const line = (client: Client) => ({ live: client, client: () => Promise.resolve(client) });
const twice = (n: number): Statement => ({ name: 'twice', text: 'SELECT 2 * $1::int AS v', values: [n] });
const values = (answers: readonly (readonly Record<string, unknown>[])[]) => answers.map(([row]) => row?.['v']);

test('one goes at once on each free connection; later ones share groups of sixteen at most', async () => {
  const reads = pipelinedReaders(clients.map(line), 1_000);
  const asked = Array.from({ length: 40 }, (_, n) => n);
  expect(values(await Promise.all(asked.map((n) => reads.query(twice(n)))))).toEqual(asked.map((n) => 2 * n));
  expect(flown).toBe(5); // 1, 1, 16, 16, 6
});

test('reads that arrive while every connection is busy wait for the next group', async () => {
  const reads = pipelinedReaders(clients.slice(0, 1).map(line), 1_000);
  await clients[1]?.query('SELECT pg_advisory_lock(1)');
  const slow = reads.query({ text: 'SELECT pg_advisory_xact_lock_shared(1)', values: [] });
  await eventually('the first is on its way', () => flown === 1);
  const late = [];
  for (let n = 0; n < 5; n++) {
    late.push(reads.query(twice(n)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await clients[1]?.query('SELECT pg_advisory_unlock(1)');
  expect(values(await Promise.all(late))).toEqual([0, 2, 4, 6, 8]);
  await slow;
  expect(flown).toBe(2);
});

test('a failed read rejects alone', async () => {
  const reads = pipelinedReaders(clients.map(line), 1_000);
  const broken: Statement = { name: 'broken', text: 'SELECT 1 / $1::int AS v', values: [0] };
  const answers = await Promise.allSettled([reads.query(twice(1)), reads.query(broken), reads.query(twice(2))]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(answers[1]).toMatchObject({ reason: { code: '22012' } });
  expect(values(await Promise.all([reads.query({ ...broken, values: [1] }), reads.query(twice(3))]))).toEqual([1, 6]);
});

test('one on a connection that was lost is asked again, until its patience ends', async () => {
  const dead = new Client(database.url);
  dead.on('error', () => {});
  await dead.connect();
  await dead.end();
  const lines = [line(dead), line(clients[0] as Client)];
  expect(values(await Promise.all([1, 2].map((n) => pipelinedReaders(lines, 1_000).query(twice(n)))))).toEqual([2, 4]);
  const error: unknown = await pipelinedReaders([line(dead)], 50)
    .query(twice(1))
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(isConnectionLost((error as Error).cause)).toBe(true);
});
