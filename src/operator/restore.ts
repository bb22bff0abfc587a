/**
 * A restore from a backup file into an empty database: rows (`platform/backup/load.ts`), the newest schema, rights, and
 * the sequences of events moved on (`restored.ts`). Until the end a mark keeps servers from starting, so it may be
 * killed and run once more. Who calls this: `cli/restore.ts`.
 */
import { BackupUnusable } from '../platform/backup/frames.ts';
import { loadBackup } from '../platform/backup/load.ts';
import type { BackupHead, Part } from '../platform/backup/manifest.ts';
import type { OpenBackup } from '../platform/backup/read.ts';
import { migrate, migrationsFolder, unmarkRestore } from '../platform/db/migrate.ts';
import { connectPatiently, type PoolOptions } from '../platform/db/pool.ts';
import { ensureRights } from '../platform/db/roles.ts';
import { secretIdOf, type ServerSecrets } from '../platform/vault/vault.ts';
import { stopPoint } from '../platform/workers/stop-points.ts';
import { noteRestores, type Restored } from './restored.ts';
import { SERVER_RIGHTS } from './rights.ts';
import { sealMigrated } from './seal-stored.ts';

const notedPoint = stopPoint('restore.noted');

export interface RestoreOptions extends PoolOptions {
  /** Sequences to leave out: more than the events that were lost. */
  readonly skip: number;
  /** For the rows of a backup from before texts were sealed; `null`: the secret is not here. */
  readonly secrets: ServerSecrets | null;
  onProgress?(part: Part): void;
}

/** What was done to each environment. `url` of the options is the owner's. Rejects like {@link loadBackup}. */
export async function restoreInto(backup: OpenBackup, options: RestoreOptions): Promise<readonly Restored[]> {
  const { url, log } = options;
  const client = await connectPatiently(url, log);
  try {
    const how = await loadBackup(client, backup, options.onProgress);
    if (how === 'resumed') log.info('The rows of this backup are in already; going on from there.');
    const ran = await migrate(url, log, migrationsFolder(), { endsRestore: true });
    await sealMigrated(url, log, options.secrets, ran);
    await ensureRights(client, SERVER_RIGHTS);
    const restored = await noteRestores(options, options.skip);
    notedPoint();
    await unmarkRestore(client);
    return restored;
  } finally {
    await client.end();
  }
}

/**
 * Throws {@link BackupUnusable} unless the secrets hold that of the backup. `secrets` is `null` where there is none
 * yet.
 */
export function assertSecretOf({ secretIds }: BackupHead, secrets: ServerSecrets | null, where: string): void {
  const [needed] = secretIds;
  const known = secrets === null ? [] : [secrets.current, ...secrets.previous].map(secretIdOf);
  if (needed === undefined) {
    throw new BackupUnusable(
      'The backup does not say under which server secret it was made, so nothing shows that the one here fits. If you trust the file, restore with --without-secret.',
    );
  }
  if (known.includes(needed)) return;
  throw new BackupUnusable(
    `The backup was made under the server secret ${needed}, and ${known.length === 0 ? 'there is none here' : `here is ${known.join(', ')}`}. Put it ${where}, then restore. Without it no key works, and bank details and signing secrets are lost; if it is lost, restore with --without-secret.`,
  );
}
