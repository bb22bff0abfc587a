/** Connections: types, session settings, the durability check, cut connections. PostgreSQL killed: `test/soak/pool.test.ts`. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { startCluster, type TestCluster } from '../../../test/support/harness/cluster.ts';
import type { Database } from '../../../test/support/harness/database.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { DatabaseUnfit, openPools, type Pools } from './pool.ts';

const logged: string[] = [];
const log = { info: () => {}, warn: (message: string) => void logged.push(message), error: () => {} };
const config = loadConfig({});
let cluster: TestCluster;
let database: Database;
let pools: Pools;

beforeAll(async () => {
  cluster = await startCluster();
  database = await cluster.createDatabase();
});
afterAll(() => cluster.stop());
afterEach(async () => {
  await pools?.close();
  logged.length = 0;
});

async function open(): Promise<Pools> {
  pools = await openPools({ ...config, url: database.url, log });
  return pools;
}

async function one(sql: string): Promise<unknown> {
  const [row] = await pools.readers.query({ text: `SELECT ${sql} AS v`, values: [] });
  return row?.['v'];
}

test('values arrive exact: bigint, milliseconds, text', async () => {
  await open();
  expect(await one('9007199254740993::int8')).toBe(9007199254740993n);
  expect(await one("'{1,NULL,9007199254740993}'::int8[]")).toEqual([1n, null, 9007199254740993n]);
  expect(await one("'2026-01-31 10:30:00.123999+01'::timestamptz")).toBe(Date.UTC(2026, 0, 31, 9, 30, 0, 123));
  expect(await one("'2026-01-31 09:30:00Z'::timestamptz")).toBe(Date.UTC(2026, 0, 31, 9, 30));
  expect(await one("'-infinity'::timestamptz")).toBe(Number.NEGATIVE_INFINITY);
  expect(await one("'2026-01-31'::date")).toBe('2026-01-31');
  expect(await one("'0.10'::numeric")).toBe('0.10');
  expect(await one(`'{"a": 1.10}'::json`)).toBe('{"a": 1.10}');
  expect(await one(`'{"a": 1.10}'::jsonb`)).toBe('{"a": 1.10}');
  expect(await one("'0198F000-0000-7000-8000-000000000000'::uuid")).toBe('0198f000-0000-7000-8000-000000000000');
  expect(await one("'{a,b}'::text[]")).toEqual(['a', 'b']);
});

test('sessions work as bursar_app with time limits; only writers are bound to generic plans', async () => {
  await open();
  const writer = await pools.openWriter().client();
  const show = async (name: string) => (await writer.query(`SHOW ${name}`)).rows[0]?.[name.toLowerCase()];
  expect(await one('current_user')).toBe('bursar_app');
  expect((await writer.query('SELECT current_user AS v')).rows[0].v).toBe('bursar_app');
  expect(await show('statement_timeout')).toBe('10s');
  expect(await show('lock_timeout')).toBe('5s');
  expect(await show('idle_in_transaction_session_timeout')).toBe('3s');
  expect(await one("current_setting('idle_in_transaction_session_timeout')")).toBe('10s');
  expect(await show('synchronous_commit')).toBe('on');
  expect(await show('plan_cache_mode')).toBe('force_generic_plan');
  for (const name of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) expect(await show(name)).toBe('off');
  expect(await one("current_setting('enable_seqscan')")).toBe('on');
  await expect(writer.query('DELETE FROM transfers')).rejects.toThrow('permission denied');
});

const twice = (n: number) => ({ name: 'twice', text: 'SELECT 2 * $1::int AS v', values: [n] });

test('statements are prepared under their name and answered in the order sent, also behind one that fails', async () => {
  await open();
  const answers = await Promise.allSettled([
    ...Array.from({ length: 20 }, (_, n) => pools.readers.query(twice(n))),
    pools.readers.query({ text: 'SELECT 1/0', values: [] }),
    ...Array.from({ length: 20 }, (_, n) => pools.readers.query(twice(n))),
  ]);
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(answers.slice(21).map((answer) => (answer as { value: unknown }).value)).toEqual(
    Array.from({ length: 20 }, (_, n) => [{ v: 2 * n }]),
  );
});

test('a read whose connection is cut is asked again; a discarded writer is replaced and its transaction undone', async () => {
  await open();
  const writer = pools.openWriter();
  const first = await writer.client();
  await first.query('BEGIN; CREATE TEMP TABLE half (n int)');
  writer.discard(first);
  const second = await writer.client();
  expect(second).not.toBe(first);
  expect((await second.query("SELECT to_regclass('half') AS v")).rows[0].v).toBeNull();

  // The reads wait for a lock until their connections are cut; asked again, they get it.
  await second.query('RESET ROLE; SELECT pg_advisory_lock(1)');
  const slow = Array.from({ length: 8 }, () => one('pg_advisory_xact_lock_shared(1)::text'));
  const waiting = "SELECT FROM pg_stat_activity WHERE application_name = 'bursar reader' AND wait_event_type = 'Lock'";
  await eventually('a read waits', async () => ((await second.query(waiting)).rowCount ?? 0) > 0);
  const cut = "pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'bursar reader'";
  expect(Number((await second.query(`SELECT count(${cut}`)).rows[0].count)).toBeGreaterThan(0);
  await second.query('SELECT pg_advisory_unlock(1)');
  expect(await Promise.all(slow)).toEqual(Array(8).fill(''));
});

test('a database that could lose acknowledged payouts is refused unless that is allowed', async () => {
  await open();
  const owner = await pools.openWriter().client();
  await owner.query('RESET ROLE');
  await owner.query('ALTER SYSTEM SET synchronous_commit = off');
  await owner.query('SELECT pg_reload_conf()');
  const name = new URL(database.url.replace(/\/\/.*@/, '//')).pathname.slice(1);
  await owner.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  await pools.close();
  await expect(open()).rejects.toThrow(DatabaseUnfit);
  await expect(open()).rejects.toThrow('synchronous_commit = off. Switch on what is off, or accept the loss');
  pools = await openPools({ ...config, unsafeDurability: true, url: database.url, log });
  expect(logged.join()).toContain('synchronous_commit = off');
});

test('a wrong database is refused at once', async () => {
  const url = database.url.replace(/test_\w+/, 'nowhere');
  await expect(openPools({ ...config, url, log })).rejects.toThrow('database "nowhere" does not exist');
});
