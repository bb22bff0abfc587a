/**
 * Backups and restores that were killed: what each may leave, whenever the kill came. `test/soak/backup.test.ts` kills
 * at named points, `test/long/backup.test.ts` at random moments.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { BackupUnusable } from '../../../src/platform/backup/frames.ts';
import { loadBackup } from '../../../src/platform/backup/load.ts';
import { checkBackup, openBackup } from '../../../src/platform/backup/read.ts';
import { writeBackup } from '../../../src/platform/backup/write.ts';
import { BUILT, cli } from '../harness/cli.ts';
import { createDatabase, emptyDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { builtProgram, startServer, TEST_SECRET } from '../harness/server-process.ts';
import { createTenant, must } from '../harness/tenant-fixture.ts';
import { auditDatabase, rowsOf, withClient } from '../model/audit.ts';

const BATCH_ITEMS = 500;
const OTHERS =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";

export const settingsFor = (url: string) => ({ DATABASE_URL: url, BURSAR_SECRET: TEST_SECRET });
export const bursar = (args: readonly string[], env: Readonly<Record<string, string>>) => cli(args, env, BUILT);

const unsealed = async () => null;

export const payoutsOf = async (url: string): Promise<number> =>
  (await rowsOf<{ count: number }>(url, 'SELECT count(*)::int AS count FROM payouts'))[0]?.count ?? 0;

const isEmpty = async (url: string): Promise<boolean> =>
  (await rowsOf(url, "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")).length ===
  0;

/** Payouts in a backup; `null`: it is not whole. */
async function payoutsIn(path: string): Promise<number | null> {
  try {
    const { parts } = await checkBackup(path, unsealed);
    return parts.find(({ table }) => table === 'payouts')?.rows ?? 0;
  } catch {
    return null;
  }
}

export type KilledBackups = Awaited<ReturnType<typeof backupScene>>;

/** A database with so many payouts, and a whole backup of it. */
export async function backupScene(batches: number) {
  builtProgram();
  const folder = mkdtempSync(join(tmpdir(), 'bursar-backup-'));
  const source = await createDatabase();
  const server = await startServer({ databaseUrl: source.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const tenant = await createTenant(source.url, server.address);
  const [account, recipient] = [await tenant.account('EUR', '100000'), await tenant.recipient()];
  const order = { amount: '1', currency: 'EUR', account, recipient };
  for (let i = 0; i < batches; i++)
    must(await tenant.client.post('/v1/payouts/batch', { payouts: Array.from({ length: BATCH_ITEMS }, () => order) }));
  tenant.client.close();
  await server.stop();
  const payouts = await payoutsOf(source.url);
  const whole = join(folder, 'whole.backup');
  const written = await bursar(['backup', whole], settingsFor(source.url));
  expect([written.code, written.stderr, await payoutsIn(whole)]).toEqual([0, '', payouts]);
  return {
    folder,
    source,
    payouts,
    whole,
    settings: settingsFor(source.url),
    /** Tables of a backup. */
    tables: (await checkBackup(whole, unsealed)).parts.length,

    /**
     * Judges a backup to this path that was killed. Under its name is nothing or all of it. Its temporary file restores
     * only if just the name is missing, and the next backup takes its place. Returns what it left.
     */
    async judgeBackup(path: string): Promise<'nothing' | 'torn' | 'without its name' | 'all of it'> {
      if (existsSync(path)) {
        expect(await payoutsIn(path)).toBe(payouts);
        return 'all of it';
      }
      const part = `${path}.part`;
      if (!existsSync(part)) return 'nothing';
      const target = await emptyDatabase(source.url);
      const isTorn = (await payoutsIn(part)) === null;
      const loaded = withClient(target.url, async (client) => loadBackup(client, await openBackup(part, unsealed)));
      if (isTorn) await expect(loaded).rejects.toThrow(BackupUnusable);
      else await loaded;
      if (isTorn) expect(await isEmpty(target.url)).toBe(true);
      else expect(await payoutsOf(target.url)).toBe(payouts);
      await target.drop();
      await withClient(source.url, (client) => writeBackup(client, { path, passphrase: null, secretIds: [] }));
      expect([existsSync(part), await payoutsIn(path)]).toEqual([false, payouts]);
      return isTorn ? 'torn' : 'without its name';
    },

    /**
     * Judges a restore of the whole backup into this database that was killed. The database is empty, or it has every
     * row and no server starts on it until the same command has completed it. Returns what it was.
     */
    async judgeRestore(url: string): Promise<'empty' | 'marked' | 'done'> {
      // PostgreSQL has to notice that the session of the killed process is gone.
      await eventually('the killed restore has no session', async () => (await rowsOf(url, OTHERS)).length === 0);
      const found = (await isEmpty(url)) ? 'empty' : (await isMarked(url)) ? 'marked' : 'done';
      if (found !== 'empty') expect(await payoutsOf(url)).toBe(payouts);
      if (found === 'marked')
        await expect(startServer({ databaseUrl: url })).rejects.toThrow(/A restore into this database has not ended/);
      const again = await bursar(['restore', whole], settingsFor(url));
      if (found === 'done') expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
      else expect([again.code, again.stderr.includes('    at ')]).toEqual([0, false]);
      expect([await payoutsOf(url), await auditDatabase(url), await isMarked(url)]).toEqual([payouts, [], false]);
      expect((await rowsOf(url, 'SELECT FROM restores')).length).toBeGreaterThan(0);
      return found;
    },

    async end() {
      await source.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isMarked = async (url: string): Promise<boolean> =>
  (await rowsOf(url, 'SELECT FROM schema_migrations WHERE version = 0')).length > 0;
