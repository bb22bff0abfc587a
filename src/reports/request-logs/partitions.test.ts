/** The days of the log: made ahead, dropped when old, and none is needed for a request to be kept. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asServer, createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { encodeId, newId, uuidOf } from '../../core/values/ids.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import { asOwner } from '../../platform/db/owner.ts';
import { keepDays, steps } from './partitions.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 29, 12);
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('steps', () => {
  const there = ['20261114', '20261115', '20261129', '20261130'].map((day) => `request_logs_${day}`);
  it('make the days that are missing, and drop those before the last 14', () => {
    expect(steps(there, 14, NOON).map((text) => text.replace(/ PARTITION.*/, ''))).toEqual([
      'CREATE TABLE request_logs_20261201',
      'CREATE TABLE request_logs_20261202',
      'DROP TABLE request_logs_20261114',
    ]);
  });
  it('are none when all is there', () => {
    const days = ['20261129', '20261130', '20261201', '20261202'].map((day) => `request_logs_${day}`);
    expect(steps(days, 14, NOON)).toEqual([]);
  });
  it('of a log that is off make nothing, and drop all but today', () => {
    expect(steps(there, 0, NOON)).toEqual(there.slice(0, 2).map((name) => `DROP TABLE ${name}`));
  });
});

describe('in a database', () => {
  let database: Database;
  let owner: pg.Client;
  let server: pg.Client;
  const environment = uuidOf(newId('env'));
  beforeAll(async () => {
    database = await createDatabase();
    owner = new pg.Client(database.url);
    server = new pg.Client(asServer(database.url));
    await Promise.all([owner.connect(), server.connect()]);
  });
  afterAll(async () => {
    await Promise.all([owner.end(), server.end()]);
    await database.drop();
  });

  const keep = (nowMs: number, days = 14) =>
    keepDays({ asOwner: (work) => asOwner(database.url, silent, work), days, now: () => nowMs });
  const partitions = async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'request_logs'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name.replace('request_logs_', ''));
  };
  /** A row of that instant, by the server; in which partition it is. */
  const insert = async (atMs: number) => {
    const bytes = Buffer.alloc(16, 7);
    bytes.writeUIntBE(atMs, 0, 6);
    const id = uuidOf(encodeId('req', bytes));
    await server.query(
      `INSERT INTO request_logs (environment_id, id, actor, source, method, path, route, operation, status, duration_ms, replayed, created_at)
        VALUES ($1, $2, $1, 'api', 'GET', '/v1/x', '/v1/x', 'x', 200, 1, false, now())`,
      [environment, id],
    );
    const { rows } = await owner.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM request_logs WHERE environment_id = $1 AND id = $2',
      [environment, id],
    );
    return rows[0]?.name.replace('request_logs_', '');
  };

  it('makes today and three days, for the server to write', async () => {
    expect(await partitions()).toEqual(['rest']);
    await keep(NOON);
    expect(await partitions()).toEqual(['20261129', '20261130', '20261201', '20261202', 'rest']);
    expect(await insert(NOON)).toBe('20261129');
    expect(await insert(Date.UTC(2026, 10, 30))).toBe('20261130');
    expect(await insert(Date.UTC(2026, 10, 30) - 1)).toBe('20261129');
    expect(await insert(NOON + 3 * DAY_MS)).toBe('20261202');
  });

  it('twice, and by two at once, is as once', async () => {
    await Promise.all([keep(NOON + DAY_MS), keep(NOON + DAY_MS), keep(NOON + DAY_MS)]);
    expect(await partitions()).toContain('20261203');
  });

  it('loses nothing on a day that nobody made: its rows stay where they are, and the days after it are made', async () => {
    const late = NOON + 10 * DAY_MS;
    expect(await insert(late)).toBe('rest');
    await keep(late);
    const found = await partitions();
    expect(found).not.toContain('20261209');
    expect(found).toEqual(expect.arrayContaining(['20261210', '20261211', '20261212']));
    expect(await insert(late + 1)).toBe('rest');
  });

  it('drops what is older than so many days, in the default partition row by row', async () => {
    await keep(NOON + 20 * DAY_MS);
    expect(await partitions()).not.toContain('20261203');
    expect(await partitions()).toContain('20261210');
    const count = async () => (await owner.query('SELECT FROM request_logs_rest')).rowCount;
    expect(await count()).toBe(2);
    await keep(NOON + 25 * DAY_MS);
    expect(await count()).toBe(0);
  });

  it('does not wait long for a reader of the log, and is done later', async () => {
    await owner.query('BEGIN');
    await owner.query('SELECT FROM request_logs LIMIT 1');
    await keep(NOON + 60 * DAY_MS); // returns while the reader still reads
    await owner.query('COMMIT');
    expect(await partitions()).toContain('20261219');
    await keep(NOON + 60 * DAY_MS);
    expect(await partitions()).toEqual(['20270128', '20270129', '20270130', '20270131', 'rest']);
  });

  it('the server drops and makes none', async () => {
    for (const text of [
      'DROP TABLE request_logs_20270128',
      'DELETE FROM request_logs',
      'UPDATE request_logs SET code = NULL',
    ])
      await expect(server.query(text)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('a bound is the first id of a day', () => {
    expect(uuidOf(firstIdAt(Date.UTC(2026, 10, 29)))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-0000-0000-000000000000$/);
  });
});
