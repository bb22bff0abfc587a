/**
 * A backup holds what the database held, to the byte; and a file that was changed in any way is refused in a sentence,
 * with nothing left in the database. More places: `test/long/backup-file.test.ts`. Killed while writing and restoring:
 * `test/soak/backup.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../support/harness/database.ts';
import { unchangedBy } from '../../support/harness/unchanged.ts';
import { auditDatabase, rowsOf, withClient } from '../../support/model/audit.ts';
import {
  type BackupFiles,
  backupFiles,
  contentsOf,
  KINDS,
  knows,
  nobody,
  PASSPHRASE,
  TABLES,
} from '../../support/faults/damaged-backups.ts';
import { newId, uuidOf } from '../../../src/core/values/ids.ts';
import { isoDay } from '../../../src/core/values/time.ts';
import type { Statement } from '../../../src/platform/db/wire/statement.ts';
import { keepDays } from '../../../src/reports/request-logs/partitions.ts';
import { SIGNATURE } from '../../../src/platform/backup/frames.ts';
import { checkBackup } from '../../../src/platform/backup/read.ts';
import { writeBackup } from '../../../src/platform/backup/write.ts';

/** Where a file is cut or changed; every third such file is loaded too. To open a sealed one is slow on purpose. */
const PLACES = { plain: 8, sealed: 2 };
const LOAD_EVERY = 3;
let files: BackupFiles;
beforeAll(async () => {
  files = await backupFiles();
});
afterAll(() => files?.end());

describe('a backup', () => {
  it('holds every table, and nothing else is left in its folder', async () => {
    expect(readdirSync(files.folder).toSorted()).toEqual(['plain.backup', 'sealed.backup']);
    const { head, parts } = await checkBackup(files.paths.plain, nobody);
    expect(head).toMatchObject({
      secretIds: ['0a1b2c3d'],
      snapshotAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    });
    const tables = (await rowsOf<{ name: string }>(files.url, TABLES)).map(({ name }) => name);
    expect(parts.map(({ table }) => table).toSorted()).toEqual(tables);
    expect(parts.filter(({ rows }) => rows > 0).length).toBeGreaterThan(20);
    expect((await checkBackup(files.paths.sealed, knows)).parts.length).toBe(parts.length);
  });

  it.each(KINDS)('gives back the same rows, %s', async (_, kind, passphrase) => {
    const target = await emptyDatabase(files.url);
    expect(await files.load(files.paths[kind], passphrase, target.url)).toBe('loaded');
    expect(await contentsOf(target.url)).toEqual(files.contents);
    await target.drop();
  });

  it('leaves out the request log and the sums; what it gives back keeps a log, and its books are in order', async () => {
    const counts = (url: string) =>
      rowsOf<{ requests: number; sums: number }>(
        url,
        'SELECT (SELECT count(*)::int FROM request_logs) AS requests, (SELECT count(*)::int FROM summary_state) AS sums',
      );
    expect((await counts(files.url))[0]?.requests).toBeGreaterThan(0); // the control
    const target = await emptyDatabase(files.url);
    await files.load(files.paths.plain, nobody, target.url);
    expect(await counts(target.url)).toEqual([{ requests: 0, sums: 0 }]);
    expect(await auditDatabase(target.url)).toEqual([]);
    await withClient(target.url, async (client) => {
      const run = ({ text, values }: Statement) => client.query(text, [...values]);
      await keepDays({ asOwner: (work) => work(run), days: 14 });
      await client.query(`INSERT INTO request_logs (environment_id, id, actor, source, method, path, route, operation, status, duration_ms, replayed, created_at)
        SELECT environment_id, '${uuidOf(newId('req'))}', environment_id, 'api', 'GET', '/v1/me', '/v1/me', 'retrieveMe', 403, 1, false, now() FROM environments LIMIT 1`);
      const { rows } = await client.query('SELECT tableoid::regclass::text AS partition FROM request_logs');
      expect(rows).toMatchObject([{ partition: `request_logs_${isoDay(Date.now()).replaceAll('-', '')}` }]);
    });
    await target.drop();
  });

  it('shows nothing when it is sealed', () => {
    const text = readFileSync(files.paths.sealed).toString('latin1');
    expect(text).not.toContain('payouts');
    expect(readFileSync(files.paths.plain).toString('latin1')).toContain('payouts');
  });
});

describe('refused, with the database as empty as before', () => {
  const refusal = async (path: string, passphrase?: () => Promise<string | null>) => {
    const { name, message } = (await files.load(path, passphrase).catch((error: unknown) => error)) as Error;
    expect(await files.isEmpty()).toBe(true);
    return `${name}: ${message}`;
  };

  it.each(KINDS)('cut short anywhere, %s', async (_, kind, passphrase) => {
    expect(await files.cutShort(kind, passphrase, PLACES[kind], LOAD_EVERY)).toBe(PLACES[kind] + 1);
  });

  it.each(KINDS)('with a bit changed anywhere, %s', async (_, kind, passphrase) => {
    expect(await files.flipped(kind, passphrase, PLACES[kind], LOAD_EVERY)).toBe(PLACES[kind] + 1);
  });

  it('control: the same without a change is loaded', async () => {
    const target = await emptyDatabase(files.url);
    expect(await files.load(files.changed(readFileSync(files.paths.plain)), nobody, target.url)).toBe('loaded');
    await target.drop();
  });

  it('with something behind its end', async () =>
    expect(await refusal(files.changed(Buffer.concat([readFileSync(files.paths.plain), Buffer.alloc(9)])))).toMatch(
      /damaged/,
    ));
  it('another file', async () => expect(await refusal('package.json')).toMatch(/no backup made by bursar backup/));
  it('no file', async () => expect(await refusal('/nowhere')).toMatch(/cannot be read \(ENOENT\)/));
  it('a newer form', async () =>
    expect(await refusal(files.changed(Buffer.from(SIGNATURE.replace('1', '2'))))).toMatch(/newer form/));
  it('without its passphrase', async () =>
    expect(await refusal(files.paths.sealed)).toMatch(/sealed with a passphrase/));
  it('with another passphrase', async () =>
    expect(await refusal(files.paths.sealed, async () => `${PASSPHRASE}.`)).toMatch(
      /passphrase does not open this backup/,
    ));

  it('not sealed, where a passphrase says that it must be', async () =>
    expect(await refusal(files.paths.plain, knows)).toMatch(/is not sealed, so it may have been put in the place/));

  it('of a newer Bursar', async () => {
    const source = await emptyDatabase(files.url);
    await files.load(files.paths.plain, nobody, source.url);
    await rowsOf(source.url, "INSERT INTO schema_migrations (version, name, hash) VALUES (9999, '9999_later.sql', '')");
    await rowsOf(source.url, 'DELETE FROM schema_migrations WHERE version = 0');
    const path = join(files.folder, 'newer.backup');
    await withClient(source.url, (client) => writeBackup(client, { path, passphrase: null, secretIds: [] }));
    expect(await refusal(path)).toMatch(/made by a newer Bursar: its schema has seen 9999_later/);
    await source.drop();
  });

  it('into a database that is in use', async () => {
    const refused = () =>
      expect(files.load(files.paths.plain, nobody, files.url)).rejects.toThrow(
        /is not empty: it has the table accounts/,
      );
    await unchangedBy(() => contentsOf(files.url), refused);
  });
});
