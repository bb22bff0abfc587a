/**
 * Backups and restores by the command line, killed where it hurts. A killed backup leaves nothing under its name, and
 * nothing that restores unless only the name is missing. A killed restore leaves an empty database, or one that no
 * server starts on and that the same command completes. And from the embedded database to one's own and back. At random
 * moments: `test/long/backup.test.ts`.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { cliAt } from '../support/harness/cli.ts';
import { emptyDatabase } from '../support/harness/database.ts';
import { startServer, TEST_SECRET } from '../support/harness/server-process.ts';
import { backupScene, bursar, type KilledBackups, payoutsOf, settingsFor } from '../support/faults/killed-backups.ts';
import { auditDatabase, rowsOf } from '../support/model/audit.ts';

let scene: KilledBackups;
beforeAll(async () => {
  scene = await backupScene(2);
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

test('from one’s own PostgreSQL to the embedded one and back, sealed, with the same two commands', async () => {
  const { folder } = scene;
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n');
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
