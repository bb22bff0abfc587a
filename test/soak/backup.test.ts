/**
 * Backups and restores by the command line, killed where it hurts. A killed backup leaves nothing under its name, and
 * nothing that restores unless only the name is missing. A killed restore leaves an empty database, or one that no
 * server starts on and that the same command completes. At random moments, and from the embedded database to one's
 * own and back: `test/long/backup.test.ts`.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliAt } from '../support/harness/cli.ts';
import { isRelease } from '../support/generators/random-cases.ts';
import { withClient } from '../support/model/audit.ts';
import { writeBackup } from '../../src/platform/backup/write.ts';
import { emptyDatabase } from '../support/harness/database.ts';
import { backupScene, bursar, type KilledBackups, settingsFor } from '../support/faults/killed-backups.ts';

let scene: KilledBackups;
beforeAll(async () => {
  scene = await backupScene(1);
});
afterAll(() => scene?.end());

describe('a backup that is killed leaves nothing that restores', () => {
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

describe('a restore that is killed is completed by the same command', () => {
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

describe.runIf(isRelease)('what may have been put in the place of a backup', () => {
  const refused = (message: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(message) as string });

  it('is refused with a passphrase, where it is not sealed', async ({ expect }) => {
    const target = await emptyDatabase(scene.source.url);
    const passphrase = join(scene.folder, 'passphrase of a plain one');
    writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 });
    const args = ['restore', scene.whole, '--passphrase-file', passphrase];
    expect(await bursar(args, settingsFor(target.url))).toMatchObject(refused(/^This backup is not sealed/));
    expect(await bursar([...args, '--check'], {})).toMatchObject(refused(/^This backup is not sealed/));
    const plain = await bursar(['restore', scene.whole, '--check'], {}); // control
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringContaining('The backup is whole')]);
    await target.drop();
  });

  it('needs --without-secret where it names no server secret', async ({ expect }) => {
    const target = await emptyDatabase(scene.source.url);
    const path = join(scene.folder, 'of no secret.backup');
    await withClient(scene.source.url, (client) => writeBackup(client, { path, passphrase: null, secretIds: [] }));
    const settings = settingsFor(target.url);
    expect(await bursar(['restore', path], settings)).toMatchObject(refused(/^The backup does not say under which/));
    expect((await bursar(['restore', path, '--without-secret'], settings)).code).toBe(0); // into a database still empty
    await target.drop();
  });

  it('is warned of where others can open the file of the passphrase', async ({ expect }) => {
    const [passphrase, sealed] = [join(scene.folder, 'passphrase'), join(scene.folder, 'sealed.backup')];
    writeFileSync(passphrase, 'correct horse battery staple\n');
    const run = async (mode: number, ...args: readonly string[]) => {
      chmodSync(passphrase, mode);
      const { code, stderr } = await bursar([...args, '--passphrase-file', passphrase], scene.settings);
      return [code, stderr];
    };
    const warning = `Other users can open ${passphrase}, and with it your backups. Run: chmod 600 ${passphrase}\n`;
    expect(await run(0o602, 'backup', sealed)).toEqual([0, warning]);
    expect(await run(0o640, 'restore', '--check', sealed)).toEqual([0, warning]);
    expect(await run(0o600, 'restore', '--check', sealed)).toEqual([0, '']);
  });
});
