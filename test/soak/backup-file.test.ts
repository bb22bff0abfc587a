/**
 * A backup holds what the database held, to the byte; and a file that was changed in any way is refused in a sentence, with nothing left in
 * the database. Killed while writing and restoring: `test/soak/backup.test.ts`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../support/harness/application.ts';
import { type Database, emptyDatabase } from '../support/harness/database.ts';
import { furnish } from '../support/harness/fixtures.ts';
import { rowsOf, withClient } from '../support/model/audit.ts';
import { SIGNATURE } from '../../src/backup/frames.ts';
import { loadBackup } from '../../src/backup/load.ts';
import { checkBackup, openBackup } from '../../src/backup/read.ts';
import { writeBackup } from '../../src/backup/write.ts';

/** Where a file is cut or changed; more of them: BACKUP_PLACES=200. */
const PLACES = Number(process.env['BACKUP_PLACES'] ?? 6);
const PASSPHRASE = 'correct horse battery staple';
let application: Application;
let folder: string;
let empty: Database;
/** What both backups were made of. */
let contents: Record<string, string>;
const plain = () => join(folder, 'plain.backup');
const sealed = () => join(folder, 'sealed.backup');
const nobody = async () => null;
const knows = async () => PASSPHRASE;

beforeAll(async () => {
  application = await startApplication();
  await furnish(application, application.sandbox);
  folder = mkdtempSync(join(tmpdir(), 'bursar-backup-'));
  empty = await emptyDatabase(application.databaseUrl);
  // Its workers go on writing: until a whole look before both and one behind them are the same.
  for (;;) {
    const before = await contentsOf(application.databaseUrl);
    await backUp(plain(), null);
    await backUp(sealed(), PASSPHRASE);
    contents = await contentsOf(application.databaseUrl);
    if (JSON.stringify(contents) === JSON.stringify(before)) break;
    for (const path of [plain(), sealed()]) rmSync(path);
  }
});
afterAll(async () => {
  await empty?.drop();
  await application?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const backUp = (path: string, passphrase: string | null) =>
  withClient(application.databaseUrl, (client) => writeBackup(client, { path, passphrase, secretIds: ['0a1b2c3d'] }));

const load = (path: string, passphrase = nobody as () => Promise<string | null>, url = empty.url) =>
  withClient(url, async (client) => loadBackup(client, await openBackup(path, passphrase)));

const TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  AND relname NOT IN ('worker_leases', 'schema_migrations', 'backups', 'verifications') ORDER BY 1`;

/** Each table with its rows, as text and as a digest. */
async function contentsOf(url: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const { name } of await rowsOf<{ name: string }>(url, TABLES)) {
    const [row] = await rowsOf<{ rows: string; digest: string }>(
      url,
      `SELECT count(*)::text AS rows, md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS digest FROM "${name}" t`,
    );
    contents[name] = `${row?.rows} rows, ${row?.digest}`;
  }
  return contents;
}

const isEmpty = async (url = empty.url) => (await rowsOf(url, TABLES)).length === 0;

describe('a backup', () => {
  it('holds every table, and nothing else is left in its folder', async () => {
    expect(readdirSync(folder).toSorted()).toEqual(['plain.backup', 'sealed.backup']);
    const { head, parts } = await checkBackup(plain(), nobody);
    expect(head).toMatchObject({
      secretIds: ['0a1b2c3d'],
      snapshotAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    });
    const tables = (await rowsOf<{ name: string }>(application.databaseUrl, TABLES)).map(({ name }) => name);
    expect(parts.map(({ table }) => table).toSorted()).toEqual(tables);
    expect(parts.filter(({ rows }) => rows > 0).length).toBeGreaterThan(20);
    expect((await checkBackup(sealed(), knows)).parts.length).toBe(parts.length);
  });

  it.each([
    ['as it is', plain, nobody],
    ['sealed', sealed, knows],
  ] as const)('gives back the same rows, %s', async (_, path, passphrase) => {
    const target = await emptyDatabase(application.databaseUrl);
    expect(await load(path(), passphrase, target.url)).toBe('loaded');
    expect(await contentsOf(target.url)).toEqual(contents);
    await target.drop();
  });

  it('shows nothing when it is sealed', () => {
    const text = readFileSync(sealed()).toString('latin1');
    expect(text).not.toContain('payouts');
    expect(readFileSync(plain()).toString('latin1')).toContain('payouts');
  });
});

describe('refused, with the database as empty as before', () => {
  const changed = (bytes: Buffer): string => {
    const path = join(folder, 'changed');
    writeFileSync(path, bytes);
    return path;
  };
  const refusal = async (path: string, passphrase?: () => Promise<string | null>) => {
    const { name, message } = (await load(path, passphrase).catch((error: unknown) => error)) as Error;
    expect(await isEmpty()).toBe(true);
    return `${name}: ${message}`;
  };
  const places = (length: number, count: number) =>
    Array.from({ length: count }, (_, i) => Math.floor((length * i) / count));

  it.each([
    ['as it is', plain, nobody],
    ['sealed', sealed, knows],
  ] as const)('cut short anywhere, %s', async (_, path, passphrase) => {
    const bytes = readFileSync(path());
    for (const length of [...places(bytes.length, PLACES), bytes.length - 1])
      expect(await refusal(changed(bytes.subarray(0, length)), passphrase)).toMatch(/^BackupUnusable: .*\.$/);
  });

  it.each([
    ['as it is', plain, nobody],
    ['sealed', sealed, knows],
  ] as const)('with a bit changed anywhere, %s', async (_, path, passphrase) => {
    const bytes = readFileSync(path());
    for (const place of [...places(bytes.length, PLACES), bytes.length - 1]) {
      const other = Buffer.from(bytes);
      other[place] = (other[place] as number) ^ 4;
      await expect(checkBackup(changed(other), passphrase)).rejects.toThrow(/^.*\.$/);
      await expect(load(changed(other), passphrase)).rejects.toThrow();
      expect(await isEmpty()).toBe(true);
    }
  });

  it('control: the same without a change is loaded', async () => {
    const target = await emptyDatabase(application.databaseUrl);
    expect(await load(changed(readFileSync(plain())), nobody, target.url)).toBe('loaded');
    await target.drop();
  });

  it('with something behind its end', async () =>
    expect(await refusal(changed(Buffer.concat([readFileSync(plain()), Buffer.alloc(9)])))).toMatch(/damaged/));
  it('another file', async () => expect(await refusal('package.json')).toMatch(/no backup made by bursar backup/));
  it('no file', async () => expect(await refusal('/nowhere')).toMatch(/cannot be read \(ENOENT\)/));
  it('a newer form', async () =>
    expect(await refusal(changed(Buffer.from(SIGNATURE.replace('1', '2'))))).toMatch(/newer form/));
  it('without its passphrase', async () => expect(await refusal(sealed())).toMatch(/sealed with a passphrase/));
  it('with another passphrase', async () =>
    expect(await refusal(sealed(), async () => `${PASSPHRASE}.`)).toMatch(/passphrase does not open this backup/));

  it('of a newer Bursar', async () => {
    const source = await emptyDatabase(application.databaseUrl);
    await load(plain(), nobody, source.url);
    await rowsOf(source.url, "INSERT INTO schema_migrations (version, name, hash) VALUES (9999, '9999_later.sql', '')");
    await rowsOf(source.url, 'DELETE FROM schema_migrations WHERE version = 0');
    const path = join(folder, 'newer.backup');
    await withClient(source.url, (client) => writeBackup(client, { path, passphrase: null, secretIds: [] }));
    expect(await refusal(path)).toMatch(/made by a newer Bursar: its schema has seen 9999_later/);
    await source.drop();
  });

  it('into a database that is in use', async () => {
    const before = await contentsOf(application.databaseUrl);
    await expect(load(plain(), nobody, application.databaseUrl)).rejects.toThrow(
      /is not empty: it has the table accounts/,
    );
    expect(await contentsOf(application.databaseUrl)).toEqual(before);
  });
});
