/**
 * A backup file cut short or changed at two hundred places, each read and loaded. A few places:
 * `test/long/small/backup-file.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackupFiles, backupFiles, KINDS } from '../support/faults/damaged-backups.ts';

const PLACES = 200;
let files: BackupFiles;
beforeAll(async () => {
  files = await backupFiles();
});
afterAll(() => files?.end());

it.each(KINDS)('cut short anywhere, %s', async (_, kind, passphrase) => {
  expect(await files.cutShort(kind, passphrase, PLACES, 1)).toBe(PLACES + 1);
});

it.each(KINDS)('with a bit changed anywhere, %s', async (_, kind, passphrase) => {
  expect(await files.flipped(kind, passphrase, PLACES, 1)).toBe(PLACES + 1);
});
