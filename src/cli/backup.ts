/** `bursar backup <file|folder>`: the whole database in one file, beside a running server. What is in it: `platform/backup/write.ts`. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { schemaOf } from '../platform/backup/load.ts';
import type { BackupHead } from '../platform/backup/manifest.ts';
import { type Backup, type BackupOptions, writeBackup } from '../platform/backup/write.ts';
import { type Config, loadConfig } from '../config.ts';
import { assertNotEmpty } from '../operator/installation.ts';
import { isOwnSecret, SECRET_FILE, serverSecrets } from '../operator/server-secret.ts';
import { secretIdOf } from '../platform/vault/vault.ts';
import { withUnchangedDatabase } from './database.ts';
import { UsageError } from '../operator/exit.ts';
import { passphraseFrom } from './passphrase.ts';
import { printJson, printText, secondsSince, showProgress } from './remote/terminal.ts';
import type { Client } from 'pg';
import { described, withJson } from './remote/output.ts';

interface Options {
  readonly passphraseFile?: string;
  readonly json?: boolean;
}

export function backupCommand(): Command {
  const backup = described(
    new Command('backup'),
    'write the whole database to one file, as it is at one instant; a server may be running',
    'backup /var/backups/bursar --passphrase-file /etc/bursar/backup-passphrase',
    'The server secret is not in it. Keep that apart: without it a restored database opens no key, no bank details and no signing secret.',
  )
    .argument('<file|folder>', 'a file that does not exist yet, or a folder, in which it gets a name with the time')
    .option('--passphrase-file <file>', 'seal it with the passphrase in the first line of this file');
  return withJson(backup).action(write);
}

async function write(target: string, { passphraseFile, json }: Options): Promise<void> {
  const config = loadConfig();
  const passphrase = await passphraseFrom(passphraseFile);
  const path = pathOf(target);
  const startedMs = performance.now();
  const backup = await withUnchangedDatabase(config, async (client) => {
    await assertNotEmpty(client, config);
    const { current, previous } = await serverSecrets(config);
    const secretIds = [current, ...previous].map(secretIdOf);
    const onProgress: BackupOptions['onProgress'] = ({ table, tables, done, bytes }) =>
      showProgress(`${done} of ${tables} tables, ${megabytes(bytes)} (${table})`);
    return backUp(client, { path, passphrase, secretIds, onProgress });
  });
  showProgress('');
  const seconds = secondsSince(startedMs);
  const { bytes, rows, head, manifest } = backup;
  const sealed = passphrase !== null;
  if (json) printJson({ path, bytes, rows, seconds, sealed, ...aboutOf(head), tables: manifest.parts });
  else printText(summary(backup, config, seconds));
}

function pathOf(target: string): string {
  const isFolder = target.endsWith('/') || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  const name = `bursar-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`;
  const path = resolve(isFolder ? join(target, name) : target);
  if (existsSync(path))
    throw new UsageError(`${path} exists already. Name another file; backups are never overwritten.`);
  if (!existsSync(resolve(path, '..'))) throw new UsageError(`The folder ${resolve(path, '..')} does not exist.`);
  return path;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** What JSON says of a backup. */
export const aboutOf = (head: BackupHead) => ({
  snapshot_at: head.snapshotAt,
  schema: schemaOf(head),
  secret_id: head.secretIds[0] ?? null,
});

function summary({ path, bytes, rows, head, manifest }: Backup, config: Config, seconds: number): string {
  const secret = isOwnSecret(config)
    ? join(config.dataDir, SECRET_FILE)
    : 'what BURSAR_SECRET or BURSAR_SECRET_FILE holds';
  return `${path}: ${manifest.parts.length} tables, ${rows} rows, ${megabytes(bytes)}, ${seconds} s, as of ${head.snapshotAt}.
Keep the server secret ${head.secretIds[0] ?? ''} too, and apart from it (${secret}): it is not in the backup, and without it a restored
database opens no key, no bank details and no signing secret.\n`;
}

/** Kept for as many nights. */
const MAX_NOTED = 400;
const NOTE = `INSERT INTO backups (finished_at, snapshot_at, size_bytes, rows_count, is_sealed) VALUES (clock_timestamp(), $1, $2, $3, $4)`;
const FORGET = `DELETE FROM backups WHERE finished_at < (SELECT finished_at FROM backups ORDER BY finished_at DESC OFFSET ${MAX_NOTED} LIMIT 1)`;

/** Resolves when the file is on disk. `client` is the owner's. A database from before backups were noted is backed up all the same. */
async function backUp(client: Client, options: BackupOptions): Promise<Backup> {
  const backup = await writeBackup(client, options);
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('public.backups') IS NOT NULL AS there");
  if (rows[0]?.there === true) {
    await client.query(NOTE, [backup.head.snapshotAt, backup.bytes, backup.rows, options.passphrase !== null]);
    await client.query(FORGET);
  }
  return backup;
}
