/** The database a command works on: DATABASE_URL, or the embedded one, joined if a server runs it and started if not. */
import type { Config } from '../config.ts';
import { attachOrStart, type Log } from '../db/embedded/embedded.ts';
import { connectPatiently } from '../db/pool.ts';
import type { Run } from '../keys/keys.ts';
import { type DatabaseUrls, prepareDatabase, urlsOf } from '../process/database.ts';

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

/** Runs `work` on one connection to it. */
export async function withDatabase<T>(config: Config, work: (run: Run) => Promise<T>): Promise<T> {
  return withDatabaseUrl(config, async (url) => {
    const client = await connectPatiently(url, LOG);
    try {
      await client.query("SET TimeZone = 'UTC'");
      return await work(async (statement) => (await client.query(statement)).rows);
    } finally {
      await client.end();
    }
  });
}
