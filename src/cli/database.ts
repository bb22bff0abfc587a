/** The database a command works on: DATABASE_URL, or the embedded one, joined if a server runs it and started if not. */
import type { Config } from '../config.ts';
import { attachOrStart, type Log } from '../db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { connectPatiently } from '../db/pool.ts';
import type { Run } from '../keys/keys.ts';

const LOG: Log = {
  info: (message) => void process.stderr.write(`${message}\n`),
  warn: (message) => void process.stderr.write(`${message}\n`),
  error: (message) => void process.stderr.write(`${message}\n`),
};

/** Runs `work` on one connection to the migrated database and leaves everything as it was found. */
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
