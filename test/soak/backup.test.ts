/**
 * Backups and restores by the command line, killed at any moment: a backup that was killed leaves nothing under its name and nothing that
 * restores, unless the kill came between its last byte and its name; a restore that was killed leaves a database that no server starts on, and that the same command completes. And from the embedded database
 * to one of one's own and back. More kills: BACKUP_KILLS=50.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBackup } from '../../src/backup/read.ts';
import { between, newSeed, seeded } from '../support/generators/seeded.ts';
import { cli, startCli } from '../support/harness/cli.ts';
import { createDatabase, type Database, emptyDatabase } from '../support/harness/database.ts';
import { startServer, TEST_SECRET } from '../support/harness/server-process.ts';
import { createTenant, must } from '../support/harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../support/model/audit.ts';

const KILLS = Number(process.env['BACKUP_KILLS'] ?? 4);
const LONG = { timeout: 3_600_000 };
const seed = newSeed();
const chance = seeded(seed);
let folder: string;
let source: Database;
let payouts: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-backup-'));
  source = await createDatabase();
  const server = await startServer({ databaseUrl: source.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const tenant = await createTenant(source.url, server.address);
  const [account, recipient] = [await tenant.account('EUR', '100000'), await tenant.recipient()];
  const order = { amount: '1', currency: 'EUR', account, recipient };
  for (let i = 0; i < 20; i++)
    must(await tenant.client.post('/v1/payouts/batch', { payouts: Array.from({ length: 500 }, () => order) }));
  tenant.client.close();
  await server.stop();
  payouts = await countOf(source.url);
}, LONG.timeout);
afterAll(async () => {
  await source?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = (url: string) => ({ DATABASE_URL: url, BURSAR_SECRET: TEST_SECRET });
const countOf = async (url: string): Promise<number> =>
  (await rowsOf<{ count: number }>(url, 'SELECT count(*)::int AS count FROM payouts'))[0]?.count ?? 0;
const isEmpty = async (url: string): Promise<boolean> =>
  (await rowsOf(url, "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")).length ===
  0;

/** Payouts in a backup; `null`: it is not whole. */
async function payoutsIn(path: string): Promise<number | null> {
  try {
    const { parts } = await checkBackup(path, async () => null);
    return parts.find(({ table }) => table === 'payouts')?.rows ?? 0;
  } catch {
    return null;
  }
}

/** The time that a command takes by itself. */
async function timed(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedMs = performance.now();
  const { code, stderr } = await cli(args, env);
  expect([code, stderr.includes('    at ')]).toEqual([0, false]);
  return performance.now() - startedMs;
}

/** SIGKILL at some moment of a command that takes so long. Resolves with whether it was killed before its end. */
async function killed(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  takesMs: number,
): Promise<boolean> {
  const run = startCli(args, env);
  await Promise.race([sleep(between(chance, takesMs * 0.3, takesMs * 1.05)), run.ended]);
  run.child.kill('SIGKILL');
  return (await run.ended).code === null;
}

test(`a killed backup leaves nothing that restores (seed ${seed})`, LONG, async () => {
  const whole = join(folder, 'whole.backup');
  const takesMs = await timed(['backup', whole], settings(source.url));
  expect(await payoutsIn(whole)).toBe(payouts);
  let torn = 0;
  // Until one came in time: the first run is slower than those after it.
  for (let i = 0; i < KILLS || (torn === 0 && i < 10 * KILLS); i++) {
    const path = join(folder, `killed-${i}.backup`);
    await killed(['backup', path], settings(source.url), takesMs);
    if (existsSync(path)) expect(await payoutsIn(path)).toBe(payouts);
    const part = `${path}.part`;
    if (!existsSync(part)) continue;
    const target = await emptyDatabase(source.url);
    const { code } = await cli(['restore', part], settings(target.url));
    // What lacks nothing but its name is whole, and restores.
    if ((await payoutsIn(part)) === null) {
      torn += 1;
      expect([code, await isEmpty(target.url)]).toEqual([1, true]);
    } else expect([code, await countOf(target.url)]).toEqual([0, payouts]);
    await target.drop();
    expect((await cli(['backup', path], settings(source.url))).code).toBe(0);
    expect(existsSync(part)).toBe(false);
  }
  expect(torn).toBeGreaterThan(0);
});

test(`a killed restore is completed by the same command (seed ${seed})`, LONG, async () => {
  const backup = join(folder, 'whole.backup');
  const first = await emptyDatabase(source.url);
  const takesMs = await timed(['restore', backup], settings(first.url));
  expect([await countOf(first.url), await auditDatabase(first.url)]).toEqual([payouts, []]);
  await first.drop();
  for (let i = 0; i < KILLS; i++) {
    const target = await emptyDatabase(source.url);
    const wasKilled = await killed(['restore', backup], settings(target.url), takesMs);
    await untilAlone(target.url);
    if (!(await isEmpty(target.url))) {
      // The rows are there: whole, and no server starts on them until the restore has ended.
      expect(await countOf(target.url)).toBe(payouts);
      const [mark] = await rowsOf(target.url, 'SELECT FROM schema_migrations WHERE version = 0');
      if (mark !== undefined)
        await expect(startServer({ databaseUrl: target.url })).rejects.toThrow(
          /A restore into this database has not ended/,
        );
    }
    const again = await cli(['restore', backup], settings(target.url));
    if (wasKilled && again.code !== 0) expect(again.stderr).toContain('is not empty'); // killed behind its end
    expect([await countOf(target.url), await auditDatabase(target.url)]).toEqual([payouts, []]);
    expect((await rowsOf(target.url, 'SELECT FROM restores')).length).toBeGreaterThan(0);
    await target.drop();
  }
});

/** Until PostgreSQL has noticed that the session of a killed process is gone. */
async function untilAlone(url: string): Promise<void> {
  const others =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
  await expect.poll(async () => (await rowsOf(url, others)).length, { timeout: 30_000 }).toBe(0);
}

test('from one’s own PostgreSQL to the embedded one and back, sealed, with the same two commands', LONG, async () => {
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n');
  const sealed = ['--passphrase-file', passphrase];
  const dataDir = join(folder, 'data');
  const embedded = { BURSAR_DATA: dataDir };
  expect((await cli(['backup', join(folder, 'own.backup'), ...sealed], settings(source.url))).code).toBe(0);

  const refused = await cli(['restore', join(folder, 'own.backup'), ...sealed], embedded);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/under the server secret [0-9a-f]{8}, and there is none here/),
  ]);
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'secret'), `${TEST_SECRET}\n`, { mode: 0o600 });
  const restored = await cli(['restore', join(folder, 'own.backup'), ...sealed], embedded);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('The books agree')]);

  const back = await cli(['backup', folder, '--json', ...sealed], embedded);
  const { path, rows, sealed: isSealed } = JSON.parse(back.stdout) as { path: string; rows: number; sealed: boolean };
  expect([isSealed, readdirSync(folder).includes(path.slice(folder.length + 1)), rows > payouts]).toEqual([
    true,
    true,
    true,
  ]);
  const target = await emptyDatabase(source.url);
  expect((await cli(['restore', path, ...sealed, '--json'], settings(target.url))).code).toBe(0);
  expect([await countOf(target.url), await auditDatabase(target.url)]).toEqual([payouts, []]);
  // Twice restored: the numbers of events were moved on twice.
  const times = await rowsOf(target.url, 'SELECT count(*)::int AS count FROM restores GROUP BY environment_id');
  expect(new Set(times.map((row) => (row as { count: number }).count))).toEqual(new Set([2]));
  const server = await startServer({ databaseUrl: target.url });
  await server.stop();
  await target.drop();
});
