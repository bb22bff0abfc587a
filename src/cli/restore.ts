/** `bursar restore <file>`: a backup into an empty database, to the end, and verified (`operator/restore.ts`); and `bursar restored`. */
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { schemaOf } from '../platform/backup/load.ts';
import { checkBackup, openBackup } from '../platform/backup/read.ts';
import { type Config, loadConfig } from '../config.ts';
import { assertSecretOf, restoreInto } from '../operator/restore.ts';
import { MOST_SKIPPED, noteRestores, type Restored } from '../operator/restored.ts';
import { isOwnSecret, keptSecrets, SECRET_FILE } from '../operator/server-secret.ts';
import { fileOpener } from '../operator/seal-stored.ts';
import { verify } from '../verify/verify.ts';
import { aboutOf } from './backup.ts';
import { runOn } from '../operator/database.ts';
import { LOG, withDatabaseUrl, withNewDatabase } from './database.ts';
import { passphraseFrom } from './passphrase.ts';
import { EXIT_CODES } from '../operator/exit.ts';
import { print, printJson, printText, say, secondsSince, showProgress } from './remote/terminal.ts';
import { collect, summary } from './verify.ts';
import { described, wholeNumber, withJson } from './remote/output.ts';
import { guide } from '../operator/guide.ts';

interface Options {
  readonly passphraseFile?: string;
  readonly check?: boolean;
  readonly withoutSecret?: boolean;
  readonly skip: number;
  readonly json?: boolean;
}

export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('put a backup into an empty database: DATABASE_URL, or a new data folder')
    .argument('<file>', 'what bursar backup wrote')
    .option(
      '--passphrase-file <file>',
      'the passphrase that it was sealed with, in the first line of this file; refuses a file that is not sealed',
    )
    .option('--check', 'only read it to its end and say whether it is whole; needs no database')
    .option(
      '--without-secret',
      'restore although the server secret of the backup is not here, or the backup does not name it',
    )
    .addOption(skipOption('sequences of events to leave out; more than the events that were lost'))
    .addHelpText(
      'after',
      `
Ends with 0 when the books of the restored database agree, 3 when they do not, 1 when nothing was restored. May be killed and run once more.

Examples:
  mkdir -m 700 new && cp -p data/secret new/ && BURSAR_DATA=new bursar restore nightly.backup
  DATABASE_URL=postgres://… BURSAR_SECRET_FILE=data/secret bursar restore nightly.backup`,
    );
  return withJson(command).action(restore);
}

const AFTER = `${guide('operating/backups.md')}, "After a restore".`;

const skipOption = (description: string): Option =>
  new Option('--skip <count>', description).default(1_000_000).argParser(wholeNumber(1, MOST_SKIPPED));

async function restore(file: string, options: Options): Promise<void> {
  const passphrase = () => passphraseFrom(options.passphraseFile);
  if (options.check) return check(file, passphrase, options.json === true);
  const config = loadConfig();
  const startedMs = performance.now();
  const backup = await openBackup(file, passphrase);
  const kept = await keptSecrets(config);
  if (!options.withoutSecret) assertSecretOf(backup.head, kept, whereTo(config));
  const { restored, found } = await withNewDatabase(config, async (client, url) => ({
    restored: await restoreInto(backup, {
      ...config,
      url,
      log: LOG,
      skip: options.skip,
      secrets: kept,
      onProgress: ({ table, rows }) => showProgress(`${table}: ${rows} rows`),
    }),
    found: await collect(verify(runOn(client), { openFile: await fileOpener(client, kept) })),
  }));
  const result = { ...found, seconds: secondsSince(startedMs) };
  if (result.damages_count > 0) process.exitCode = EXIT_CODES.damage;
  if (options.json) return printJson({ ...aboutOf(backup.head), environments: restored, verification: result });
  printRestored(restored);
  printText(summary(result));
  say(`Restored as of ${backup.head.snapshotAt}. Compare with your clients and your bank what is newer: ${AFTER}`);
}

function printRestored(environments: readonly Restored[]): void {
  for (const { environmentId, lastSequence, nextSequence } of environments)
    print(`${environmentId}  events to ${lastSequence} are kept; the next is ${nextSequence}`);
}

const whereTo = (config: Config): string =>
  isOwnSecret(config)
    ? `into ${join(config.dataDir, SECRET_FILE)} (mode 0600, in a folder of mode 0700)`
    : 'into BURSAR_SECRET or BURSAR_SECRET_FILE';

async function check(file: string, passphrase: () => Promise<string | null>, json: boolean): Promise<void> {
  const { head, parts } = await checkBackup(file, passphrase);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  if (json) return printJson({ ...aboutOf(head), rows, tables: parts });
  print(
    `The backup is whole: ${parts.length} tables, ${rows} rows, as of ${head.snapshotAt}, schema ${schemaOf(head)}, server secret ${head.secretIds[0] ?? 'unknown'}.`,
  );
}

/** `bursar restored`: what to run once after the database was put back by other means, before the servers start again. */
export function restoredCommand(): Command {
  return described(
    new Command('restored'),
    'tell readers of events that the database was restored from a backup: moves the sequence of every environment on and writes environment.restored',
    'restored && npm start',
  )
    .addOption(skipOption('sequences to leave out; more than the events that were lost'))
    .action(async ({ skip }: { readonly skip: number }) => {
      const config = loadConfig();
      const restored = await withDatabaseUrl(config, (url) => noteRestores({ ...config, url, log: LOG }, skip));
      printRestored(restored);
      const next = `Compare with your clients and your bank what is newer than the backup: ${AFTER}`;
      say(`${restored.length} environments moved on. ${next}`);
    });
}
