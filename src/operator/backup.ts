/** A backup of the whole installation: written beside a running server, and noted for `bursar doctor`. The file: `platform/backup/write.ts`. Who calls this: `cli/backup.ts`. */
import type { Client } from 'pg';
import { type Backup, type BackupOptions, writeBackup } from '../platform/backup/write.ts';

/** Kept for as many nights. */
const MAX_NOTED = 400;
const NOTE = `INSERT INTO backups (finished_at, snapshot_at, size_bytes, rows_count, is_sealed) VALUES (clock_timestamp(), $1, $2, $3, $4)`;
const FORGET = `DELETE FROM backups WHERE finished_at < (SELECT finished_at FROM backups ORDER BY finished_at DESC OFFSET ${MAX_NOTED} LIMIT 1)`;

/** Resolves when the file is on disk. `client` is the owner's. A database from before backups were noted is backed up all the same. */
export async function backUp(client: Client, options: BackupOptions): Promise<Backup> {
  const backup = await writeBackup(client, options);
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('public.backups') IS NOT NULL AS there");
  if (rows[0]?.there === true) {
    await client.query(NOTE, [backup.head.snapshotAt, backup.bytes, backup.rows, options.passphrase !== null]);
    await client.query(FORGET);
  }
  return backup;
}
