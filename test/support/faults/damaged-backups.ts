/**
 * Backup files that were damaged: cut short and changed at many places, with and without a passphrase. Each is refused
 * in a sentence, and the database stays empty. `test/long/small/backup-file.test.ts` damages a few places,
 * `test/long/backup-file.test.ts` two hundred.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadBackup } from '../../../src/platform/backup/load.ts';
import { checkBackup, openBackup } from '../../../src/platform/backup/read.ts';
import { writeBackup } from '../../../src/platform/backup/write.ts';
import { startApplication } from '../harness/application.ts';
import { emptyDatabase } from '../harness/database.ts';
import { furnish } from '../harness/fixtures.ts';
import { unchangedBy } from '../harness/unchanged.ts';
import { rowsOf, withClient } from '../model/audit.ts';

type Passphrase = () => Promise<string | null>;

export const TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
  AND relname NOT IN ('worker_leases', 'schema_migrations', 'backups', 'verifications', 'daily_sums', 'summary_state') ORDER BY 1`;

export const PASSPHRASE = 'correct horse battery staple';
export const nobody: Passphrase = async () => null;
export const knows: Passphrase = async () => PASSPHRASE;
export const KINDS = [
  ['as it is', 'plain', nobody],
  ['sealed', 'sealed', knows],
] as const;

/** Each table with its rows, as text and as a digest. */
export async function contentsOf(url: string): Promise<Record<string, string>> {
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

const places = (length: number, count: number) => [
  ...Array.from({ length: count }, (_, i) => Math.floor((length * i) / count)),
  length - 1,
];

export type BackupFiles = Awaited<ReturnType<typeof backupFiles>>;

/** An application with something of everything, and two backups of it. */
export async function backupFiles() {
  const application = await startApplication();
  await furnish(application, application.sandbox);
  const folder = mkdtempSync(join(tmpdir(), 'bursar-backup-'));
  const empty = await emptyDatabase(application.databaseUrl);
  const paths = { plain: join(folder, 'plain.backup'), sealed: join(folder, 'sealed.backup') };
  const backUp = (path: string, passphrase: string | null) =>
    withClient(application.databaseUrl, (client) => writeBackup(client, { path, passphrase, secretIds: ['0a1b2c3d'] }));
  const load = (path: string, passphrase = nobody, url = empty.url) =>
    withClient(url, async (client) => loadBackup(client, await openBackup(path, passphrase)));
  const isEmpty = async () => (await rowsOf(empty.url, TABLES)).length === 0;
  const changed = (bytes: Buffer): string => {
    const path = join(folder, 'changed');
    writeFileSync(path, bytes);
    return path;
  };
  const contents = await unchangedBy(
    () => contentsOf(application.databaseUrl),
    async () => {
      for (const path of Object.values(paths)) rmSync(path, { force: true });
      await backUp(paths.plain, null);
      await backUp(paths.sealed, PASSPHRASE);
    },
  );
  /** Reads each of these files, and loads one in so many, whose refusal begins so. Returns how many were read. */
  const refuse = async (files: Iterable<Buffer>, passphrase: Passphrase, loadEvery: number, refusal: RegExp) => {
    let count = 0;
    for (const bytes of files) {
      const path = changed(bytes);
      await expect(checkBackup(path, passphrase)).rejects.toThrow(/^.*\.$/);
      if (count++ % loadEvery !== 0) continue;
      const { name, message } = (await load(path, passphrase).catch((error: unknown) => error)) as Error;
      expect(`${name}: ${message}`).toMatch(refusal);
      expect(await isEmpty()).toBe(true);
    }
    return count;
  };
  return {
    url: application.databaseUrl,
    folder,
    paths,
    contents,
    load,
    isEmpty,
    changed,

    /** Cut short at so many places and before the last byte. */
    cutShort(kind: 'plain' | 'sealed', passphrase: Passphrase, count: number, loadEvery: number) {
      const bytes = readFileSync(paths[kind]);
      const cut = places(bytes.length, count).map((length) => bytes.subarray(0, length));
      return refuse(cut, passphrase, loadEvery, /^BackupUnusable: .*\.$/);
    },

    /** The same with one bit changed. */
    flipped(kind: 'plain' | 'sealed', passphrase: Passphrase, count: number, loadEvery: number) {
      const bytes = readFileSync(paths[kind]);
      const files = function* () {
        for (const place of places(bytes.length, count)) {
          const other = Buffer.from(bytes);
          other[place] = (other[place] as number) ^ 4;
          yield other;
        }
      };
      return refuse(files(), passphrase, loadEvery, /^\w*(?:Error|Unusable|Unfit|error): ./);
    },

    async end() {
      await empty.drop();
      await application.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
