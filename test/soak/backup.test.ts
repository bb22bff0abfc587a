/**
 * Backups and restores by the command line, killed where it hurts. A killed backup leaves nothing under its name, and
 * nothing that restores unless only the name is missing. A killed restore leaves an empty database, or one that no
 * server starts on and that the same command completes. At random moments, and from the embedded database to one's
 * own and back: `test/long/backup.test.ts`.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliAt } from '../support/harness/cli.ts';
import { emptyDatabase } from '../support/harness/database.ts';
import { backupScene, bursar, type KilledBackups, settingsFor } from '../support/faults/killed-backups.ts';

let scene: KilledBackups;
beforeAll(async () => {
  scene = await backupScene(1);
});
afterAll(() => scene?.end());

describe.concurrent('a backup that is killed leaves nothing that restores', () => {
  it.each([
    ['behind its first table', () => 1],
    ['in the middle of its tables', () => Math.floor(scene.tables / 2)],
    ['behind its last table', () => scene.tables],
  ])('%s', async (name, table) => {
    const path = join(scene.folder, `${name}.backup`);
    const run = await cliAt('backup.table_copied', ['backup', path], scene.settings, table());
    await run.kill();
    expect(await scene.judgeBackup(path)).toBe('torn');
  });

  it('control: without anything but its name it is whole', async () => {
    const path = join(scene.folder, 'nameless.backup');
    const run = await cliAt('backup.sealed', ['backup', path], scene.settings);
    await run.kill();
    expect(await scene.judgeBackup(path)).toBe('without its name');
  });
});

describe.concurrent('a restore that is killed is completed by the same command', () => {
  it.each([
    ['before its rows are committed', 'restore.rows_sent', 'empty'],
    ['with its rows, before anything else', 'restore.loaded', 'marked'],
    ['with sequences moved on, before it lets servers start', 'restore.noted', 'marked'],
  ] as const)('%s', async (_, point, left) => {
    const target = await emptyDatabase(scene.source.url);
    const run = await cliAt(point, ['restore', scene.whole], settingsFor(target.url));
    await run.kill();
    expect(await scene.judgeRestore(target.url)).toBe(left);
    await target.drop();
  });

  it('and refused by the database that it has filled, when the kill came behind its end', async () => {
    const target = await emptyDatabase(scene.source.url);
    expect((await bursar(['restore', scene.whole], settingsFor(target.url))).code).toBe(0);
    expect(await scene.judgeRestore(target.url)).toBe('done');
    await target.drop();
  });
});
