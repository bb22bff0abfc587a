/** The database a command works on: DATABASE_URL, or the embedded one, joined if a server runs it and started if not. */
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { attachOrStart, type Log } from '../platform/db/embedded/embedded.ts';
import { missingMigrations } from '../platform/db/migrate.ts';
import { connectPatiently, DatabaseUnfit } from '../platform/db/pool.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { type DatabaseUrls, prepareDatabase, urlsOf } from '../operator/database.ts';
import { assertDatabase, assertNotEmpty } from '../operator/installation.ts';
import { sayText } from './remote/terminal.ts';

const log = (message: string) => sayText(`${message}\n`);
export const LOG: Log = { info: log, warn: log, error: log };

type Work<T> = (client: Client, url: string) => Promise<T>;

/** The owner's address of the database as it is. Stops an embedded database that it started. */
async function withUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== null) return work((urlsOf(config) as DatabaseUrls).ownerUrl);
  const embedded = await attachOrStart({ dataDir: config.dataDir, log: LOG });
  return work(embedded.url).finally(() => embedded.stop());
}

async function connected<T>(url: string, work: Work<T>): Promise<T> {
  const client = await connectPatiently(url, LOG);
  return work(client, url).finally(() => client.end());
}

/** Runs `work` with the address of the migrated database. Rejects with `Exit` where there is no installation. */
export async function withDatabaseUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  assertDatabase(config);
  return withUrl(config, async (url) => {
    await connected(url, (client) => assertNotEmpty(client, config));
    await prepareDatabase(url, LOG);
    return work(url);
  });
}

/** Runs `work` on a connection of the owner. Nothing is migrated: for commands that only look. Rejects with `Exit` where there is no database. */
export async function withUnchangedDatabase<T>(config: Config, work: Work<T>): Promise<T> {
  assertDatabase(config);
  return withUrl(config, (url) => connected(url, work));
}

/** The same, and makes the embedded database where there is none: for `restore`, and for `migrate` of a folder that is named. */
export const withNewDatabase = <T>(config: Config, work: Work<T>): Promise<T> =>
  withUrl(config, (url) => connected(url, work));

/** Throws unless all migrations of this program have run, and no others: `Exit` where none has, otherwise `DatabaseUnfit`. */
export async function assertMigrated(client: Client, config: Config): Promise<void> {
  await assertNotEmpty(client, config);
  const missing = await missingMigrations(client);
  if (missing.length === 0) return;
  throw new DatabaseUnfit(
    `The database is older than this Bursar: ${missing[0]} has not run${missing.length === 1 ? '' : `, and ${missing.length - 1} more`}. Make a backup, then run: bursar migrate`,
  );
}

/** Runs `work` on one connection of the owner to the migrated database. */
export const withOwner = <T>(config: Config, work: Work<T>): Promise<T> =>
  withDatabaseUrl(config, (url) => connected(url, work));

/** The same for statements that read. */
export const withDatabase = <T>(config: Config, work: (run: Run) => Promise<T>): Promise<T> =>
  withOwner(config, async (client) => {
    await client.query("SET TimeZone = 'UTC'");
    return work(async (statement) => (await client.query(statement)).rows);
  });
