/**
 * Backups and restores of 10,000 payouts, each killed at fifty random moments. The promises are those of
 * `test/soak/backup.test.ts`, which kills at named points.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { between, newSeed, seeded } from '../support/generators/seeded.ts';
import { BUILT, startCli } from '../support/harness/cli.ts';
import { emptyDatabase } from '../support/harness/database.ts';
import { backupScene, bursar, type KilledBackups, settingsFor } from '../support/faults/killed-backups.ts';

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
