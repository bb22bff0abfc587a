/** The database a command works on: DATABASE_URL, or the embedded one, joined if a server runs it and started if not. */
import type { Config } from '../config.ts';
import { attachOrStart, type Log } from '../db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { connectPatiently } from '../db/pool.ts';
import type { Run } from '../keys/keys.ts';

const print = (message: string) => void process.stderr.write(`${message}\n`);
const LOG: Log = { info: print, warn: print, error: print };

/** Runs `work` on one connection to the migrated database, and stops an embedded database that it started. */
export async function withDatabase<T>(config: Config, work: (run: Run) => Promise<T>): Promise<T> {
  const embedded = config.databaseUrl === null ? await attachOrStart({ dataDir: config.dataDir, log: LOG }) : null;
  try {
    const url = embedded?.url ?? (config.databaseUrl as string);
    await migrate(url, LOG);
    const client = await connectPatiently(url, LOG);
    try {
      await client.query("SET TimeZone = 'UTC'");
      return await work(async (statement) => (await client.query(statement)).rows);
    } finally {
      await client.end();
    }
  } finally {
    await embedded?.stop();
  }
}
