/** Migrations: once, in order, whole or not at all, and never on a database they do not fit. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { databaseUrl, runSql } from '../../../test/support/harness/database.ts';
import { migrate, migrationsFolder } from './migrate.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
let folder: string;
let name: string;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-migrations-'));
  name = `migrate_${Date.now()}`;
  url = databaseUrl(inject('clusterUrl'), name);
  await runSql(inject('clusterUrl'), `CREATE DATABASE ${name}`);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await runSql(inject('clusterUrl'), `DROP DATABASE ${name} WITH (FORCE)`);
});

const file = (fileName: string, sql: string) => writeFileSync(join(folder, fileName), sql);

async function rows(sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  return client.query(sql).then(
    async (result) => {
      await client.end();
      return result.rows;
    },
    async (error: unknown) => {
      await client.end();
      throw error;
    },
  );
}

test('four starters at once apply every file once, in order', async () => {
  file('0101_first.sql', 'CREATE TABLE t (n int); SELECT pg_sleep(0.2);');
  file('0102_second.sql', 'INSERT INTO t VALUES (1);');
  const done = await Promise.all(Array.from({ length: 4 }, () => migrate(url, log, folder)));
  expect(done.flat().toSorted()).toEqual(['0101_first.sql', '0102_second.sql']);
  expect(await rows('SELECT n FROM t')).toEqual([{ n: 1 }]);
  expect(await migrate(url, log, folder)).toEqual([]);
});

test('a file that fails leaves nothing and is named with its line; the ones before stay', async () => {
  file('0101_first.sql', 'CREATE TABLE t (n int);');
  file('0102_second.sql', 'INSERT INTO t VALUES (1);\n\nINSERT INTO nowhere VALUES (1);');
  await expect(migrate(url, log, folder)).rejects.toThrow(
    'migrations/0102_second.sql:3: relation "nowhere" does not exist',
  );
  expect(await rows('SELECT n FROM t')).toEqual([]);
  file('0102_second.sql', 'INSERT INTO t VALUES (2);');
  expect(await migrate(url, log, folder)).toEqual(['0102_second.sql']);
});

test('a file edited after it ran, a newer database and a gap in the numbers are refused', async () => {
  file('0101_first.sql', 'CREATE TABLE t (n int);');
  file('0102_second.sql', 'INSERT INTO t VALUES (1);');
  await migrate(url, log, folder);
  file('0101_first.sql', 'CREATE TABLE t (n bigint);');
  await expect(migrate(url, log, folder)).rejects.toThrow(
    'migrations/0101_first.sql is not the file that made this database',
  );
  file('0101_first.sql', 'CREATE TABLE t (n int);');
  rmSync(join(folder, '0102_second.sql'));
  await expect(migrate(url, log, folder)).rejects.toThrow('newer than this Bursar: it has seen 0102_second.sql');
  file('0103_third.sql', '');
  await expect(migrate(url, log, folder)).rejects.toThrow('0103_third.sql: expected NNNN_name.sql with number 102');
});

test('the real files apply, and every table and column says what it is', async () => {
  cpSync(migrationsFolder(), folder, { recursive: true });
  await migrate(url, log, folder);
  const silent = await rows(`
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND a.attnum >= 0 AND NOT a.attisdropped
      AND col_description(c.oid, a.attnum) IS NULL
    UNION ALL
    SELECT c.relname, NULL FROM pg_class c
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND obj_description(c.oid) IS NULL`);
  expect(silent).toEqual([]);
});

test('0135 notes which completed links had ended before their money came', async () => {
  const later = '0135_voided_payments.sql';
  cpSync(migrationsFolder(), folder, {
    recursive: true,
    filter: (path) => !/^\d/.test(basename(path)) || basename(path) < later,
  });
  await migrate(url, log, folder);
  /** Ended on one day and paid on another. */
  const link = (
    n: number,
    status: string,
    ended: number | null,
    paid: number | null,
    expires: number | null = null,
  ) => {
    const [id, at] = [
      `'00000000-0000-7000-8000-00000000000${n}'`,
      (day: number | null) => (day === null ? 'NULL' : `'2026-01-0${day}'`),
    ];
    return `INSERT INTO payment_links (environment_id, id, token, url, account_id, currency, reusable, status, payments_count, open_count, received, expires_at, ended_at, created_at)
        VALUES (${id}, ${id}, 't${n}', 'u', ${id}, 'EUR', false, '${status}', 0, 0, 0, ${at(expires)}, ${at(ended)}, '2026-01-01');
      INSERT INTO payments (environment_id, id, link_id, token, reference, account_id, method, currency, amount, received, refunded, status, transfer_id, paid_at, due_at, created_at)
        SELECT ${id}, ${id}, ${id}, 'p', 'r', ${id}, 'bank_transfer', 'EUR', 1, 1, 0, 'succeeded', ${id}, ${at(paid)}, NULL, '2026-01-01' WHERE ${paid !== null};`;
  };
  await rows(
    [
      link(1, 'completed', 3, 3),
      link(2, 'completed', 3, 4),
      link(3, 'completed', 3, 4, 2),
      link(4, 'completed', 3, 3, 2),
      link(5, 'canceled', 3, null),
      link(6, 'active', null, null),
    ].join('\n'),
  );
  cpSync(join(migrationsFolder(), later), join(folder, later));
  expect(await migrate(url, log, folder)).toEqual([later]);
  const known = (await rows('SELECT ended_as FROM payment_links ORDER BY id')) as { ended_as: string | null }[];
  expect(known.map(({ ended_as: as }) => as)).toEqual([null, 'canceled', 'expired', null, null, null]);
});
