/**
 * Backups and restores of 10,000 payouts, each killed at fifty random moments. The promises are those of
 * `test/soak/backup.test.ts`, which kills at named points. And from the embedded database to one's own and back.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { between, newSeed, seeded } from '../support/generators/seeded.ts';
import { BUILT, startCli } from '../support/harness/cli.ts';
import { emptyDatabase } from '../support/harness/database.ts';
import { startServer, TEST_SECRET } from '../support/harness/server-process.ts';
import { backupScene, bursar, type KilledBackups, payoutsOf, settingsFor } from '../support/faults/killed-backups.ts';
import { auditDatabase, rowsOf } from '../support/model/audit.ts';

const KILLS = 50;
const seed = newSeed();
const chance = seeded(seed);
let scene: KilledBackups;
beforeAll(async () => {
  scene = await backupScene(20);
});
afterAll(() => scene?.end());

/** The time that a command takes by itself. */
async function timed(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedMs = performance.now();
  expect((await bursar(args, env)).code).toBe(0);
  return performance.now() - startedMs;
}

/** SIGKILL at some moment of a command that takes so long. */
async function killed(args: readonly string[], env: Readonly<Record<string, string>>, takesMs: number): Promise<void> {
  const run = startCli(args, env, BUILT);
  await Promise.race([sleep(between(chance, takesMs * 0.3, takesMs * 1.05)), run.ended]);
  run.child.kill('SIGKILL');
  await run.ended;
}

test(`a killed backup leaves nothing that restores (seed ${seed})`, async () => {
  const takesMs = await timed(['backup', join(scene.folder, 'timed.backup')], scene.settings);
  const left = new Map<string, number>();
  for (let i = 0; i < KILLS; i++) {
    const path = join(scene.folder, `killed-${i}.backup`);
    await killed(['backup', path], scene.settings, takesMs);
    const found = await scene.judgeBackup(path);
    left.set(found, (left.get(found) ?? 0) + 1);
  }
  expect(left.get('torn'), JSON.stringify([...left])).toBeGreaterThan(0);
});

test(`a killed restore is completed by the same command (seed ${seed})`, async () => {
  const first = await emptyDatabase(scene.source.url);
  const takesMs = await timed(['restore', scene.whole], settingsFor(first.url));
  await first.drop();
  const left = new Map<string, number>();
  for (let i = 0; i < KILLS; i++) {
    const target = await emptyDatabase(scene.source.url);
    await killed(['restore', scene.whole], settingsFor(target.url), takesMs);
    const found = await scene.judgeRestore(target.url);
    left.set(found, (left.get(found) ?? 0) + 1);
    await target.drop();
  }
  expect(left.get('empty'), JSON.stringify([...left])).toBeGreaterThan(0);
});

test('from one’s own PostgreSQL to the embedded one and back, sealed, with the same two commands', async () => {
  const { folder } = scene;
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 });
  const sealed = ['--passphrase-file', passphrase];
  const dataDir = join(folder, 'data');
  const embedded = { BURSAR_DATA: dataDir };
  expect((await bursar(['backup', join(folder, 'own.backup'), ...sealed], scene.settings)).code).toBe(0);

  const refused = await bursar(['restore', join(folder, 'own.backup'), ...sealed], embedded);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/under the server secret [0-9a-f]{8}, and there is none here/),
  ]);
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'secret'), `${TEST_SECRET}\n`, { mode: 0o600 });
  const restored = await bursar(['restore', join(folder, 'own.backup'), ...sealed], embedded);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('The books agree')]);

  const back = await bursar(['backup', folder, '--json', ...sealed], embedded);
  const { path, rows, sealed: isSealed } = JSON.parse(back.stdout) as { path: string; rows: number; sealed: boolean };
  expect([isSealed, readdirSync(folder).includes(path.slice(folder.length + 1)), rows > scene.payouts]).toEqual([
    true,
    true,
    true,
  ]);
  const target = await emptyDatabase(scene.source.url);
  expect((await bursar(['restore', path, ...sealed, '--json'], settingsFor(target.url))).code).toBe(0);
  expect([await payoutsOf(target.url), await auditDatabase(target.url)]).toEqual([scene.payouts, []]);
  // Twice restored: the numbers of events were moved on twice.
  const times = await rowsOf(target.url, 'SELECT count(*)::int AS count FROM restores GROUP BY environment_id');
  expect(new Set(times.map((row) => (row as { count: number }).count))).toEqual(new Set([2]));
  const server = await startServer({ databaseUrl: target.url });
  await server.stop();
  await target.drop();
});
