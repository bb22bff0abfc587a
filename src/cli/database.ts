/** The database a command works on: DATABASE_URL, or the embedded one, joined if a server runs it and started if not. */
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { attachOrStart, type Log } from '../platform/db/embedded/embedded.ts';
import { missingMigrations } from '../platform/db/migrate.ts';
import { connectPatiently, DatabaseUnfit } from '../platform/db/pool.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { type DatabaseUrls, prepareDatabase, urlsOf } from '../operator/database.ts';

const print = (message: string) => void process.stderr.write(`${message}\n`);
export const LOG: Log = { info: print, warn: print, error: print };

/** Runs `work` with the address of the migrated database, and stops an embedded database that it started. */
export async function withDatabaseUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const embedded = config.databaseUrl === null ? await attachOrStart({ dataDir: config.dataDir, log: LOG }) : null;
  try {
    const url = embedded?.url ?? (urlsOf(config) as DatabaseUrls).ownerUrl;
    await prepareDatabase(url, LOG);
    return await work(url);
  } finally {
    await embedded?.stop();
  }
}

/** The database as it is, for commands that only look: nothing is migrated. A connection of its own, as the owner, and the address. */
export async function openUnchangedDatabase(
  config: Config,
): Promise<{ readonly client: Client; readonly url: string; close(): Promise<void> }> {
  const embedded = config.databaseUrl === null ? await attachOrStart({ dataDir: config.dataDir, log: LOG }) : null;
  try {
    const url = embedded?.url ?? (urlsOf(config) as DatabaseUrls).ownerUrl;
    const client = await connectPatiently(url, LOG);
    const close = async () => {
      await client.end();
      await embedded?.stop();
    };
    return { client, url, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Runs `work` on it, and stops an embedded database that it started. */
export async function withUnchangedDatabase<T>(
  config: Config,
  work: (client: Client, url: string) => Promise<T>,
): Promise<T> {
  const { client, url, close } = await openUnchangedDatabase(config);
  return work(client, url).finally(close);
}

/** Statements of a check, on this session alone. */
export const runOn =
  (client: Client) =>
  async (text: string, values: readonly unknown[] = []): Promise<readonly object[]> =>
    (values.length === 0 ? await client.query<object>(text) : await client.query<object>(text, [...values])).rows;

/** Throws `DatabaseUnfit` unless all migrations of this program have run, and no others. */
export async function assertMigrated(client: Client): Promise<void> {
  const missing = await missingMigrations(client);
  if (missing.length === 0) return;
  throw new DatabaseUnfit(
    `The database is older than this Bursar: ${missing[0]} has not run${missing.length === 1 ? '' : `, and ${missing.length - 1} more`}. Make a backup, then run: bursar migrate`,
  );
}

/** Runs `work` on one connection of the owner to the migrated database. */
export const withOwner = <T>(config: Config, work: (client: Client, url: string) => Promise<T>): Promise<T> =>
  withDatabaseUrl(config, async (url) => {
    const client = await connectPatiently(url, LOG);
    return work(client, url).finally(() => client.end());
  });

/** The same for statements that read. */
export const withDatabase = <T>(config: Config, work: (run: Run) => Promise<T>): Promise<T> =>
  withOwner(config, async (client) => {
    await client.query("SET TimeZone = 'UTC'");
    return work(async (statement) => (await client.query(statement)).rows);
  });
