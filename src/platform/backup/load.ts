/**
 * Puts a backup into an empty database: the schema as it was, then the rows, in one transaction that is committed when the whole file has
 * been found to fit. Killed at any moment, the database is empty again. A mark keeps servers from starting until what follows is done
 * (`operator/restore.ts`).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applyUpTo, markRestore, restoreMark } from '../db/migrate.ts';
import { stopPoint } from '../workers/stop-points.ts';
import { BackupUnusable } from './frames.ts';
import type { BackupHead, Part } from './manifest.ts';
import type { OpenBackup } from './read.ts';
import { copied, tablesOf, unhurried } from './tables.ts';

const sentPoint = stopPoint('restore.rows_sent');
const loadedPoint = stopPoint('restore.loaded');

/** Whatever may be in a schema that somebody uses. */
const IN_USE = `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') ORDER BY 1`;

/**
 * `loaded`: the rows are in, and the mark is set. `resumed`: they were already, from this very backup, by a restore that did not end. Rejects with
 * {@link BackupUnusable} when the database is in use or the file is not whole, and with `DatabaseUnfit` when the backup is newer than this program.
 */
export async function loadBackup(
  client: Client,
  backup: OpenBackup,
  onProgress: (part: Part) => void = () => undefined,
): Promise<'loaded' | 'resumed'> {
  await unhurried(client);
  await client.query('SET client_min_messages = warning');
  const mark = `${backup.head.snapshotAt} ${backup.head.migrations.length}`;
  const { rows } = await client.query<{ name: string }>(IN_USE);
  if (rows.length > 0) {
    if ((await restoreMark(client)) === mark) return 'resumed';
    throw new BackupUnusable(
      `The database is not empty: it has the table ${rows[0]?.name}. A backup is restored into an empty database only: make a new one, or name an empty folder with BURSAR_DATA.`,
    );
  }
  await client.query('BEGIN');
  try {
    await applyUpTo(client, backup.head.migrations);
    await loadRows(client, backup, onProgress);
    await markRestore(client, mark);
    sentPoint();
    await client.query('COMMIT');
    loadedPoint();
    return 'loaded';
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function loadRows(client: Client, backup: OpenBackup, onProgress: (part: Part) => void): Promise<void> {
  const there = new Map((await tablesOf(client)).map((table) => [table.name, table]));
  for await (const { table, rows, part } of backup.tables()) {
    const known = there.get(table.name);
    if (known === undefined || table.columns.some((column) => !known.columns.includes(column)))
      throw new BackupUnusable(`The backup holds the table ${table.name} in a form that its schema does not have.`);
    there.delete(table.name);
    await client.query(`DELETE FROM "${table.name}"`); // what migrations put in
    const into = client.query(copyFrom(`COPY ${copied(table)} FROM STDIN (FORMAT binary)`));
    await pipeline(Readable.from(rows), into);
    const { rows: expected } = part();
    if (into.rowCount !== expected)
      throw new BackupUnusable(
        `The backup is damaged: ${into.rowCount} rows of ${table.name} instead of ${expected}. Use another copy.`,
      );
    onProgress(part());
  }
  const [missing] = there.keys();
  if (missing !== undefined)
    throw new BackupUnusable(`The backup is damaged: the table ${missing} is missing in it. Use another copy.`);
}

export const schemaOf = ({ migrations }: BackupHead): string => migrations.at(-1)?.name.replace(/\.sql$/, '') ?? 'none';
