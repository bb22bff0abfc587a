/**
 * The benchmark's PostgreSQL: the one that comes with Bursar, with the settings it ships with (fsync and all), in a
 * temporary folder on the same disk, and a database per contestant. Removed at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Embedded, type Log, startEmbedded } from '../../src/platform/db/embedded/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';

export interface Cluster {
  /** Process number of the postmaster. */
  readonly pid: number;
  /** For logs and data folders; removed with the cluster. */
  readonly folder: string;
  /** Makes a migrated database, or a copy of another that nobody is connected to, and gives its address. */
  createDatabase(name: string, template?: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Writes what is dirty to disk, so that no pass pays for the one before. */
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
}

const TEMPLATE = 'bench_template';
const QUIET: Log = { info: () => {}, warn: () => {}, error: (message) => console.error(message) };

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  let embedded: Embedded;
  try {
    embedded = await startEmbedded({ dataDir: join(folder, 'data'), log: QUIET, supervise: false });
  } catch (error) {
    remove();
    throw error;
  }
  const run = (sql: string) => withClient(embedded.url, (client) => client.query(sql));
  await run(`CREATE DATABASE ${TEMPLATE}`);
  await migrate(databaseUrl(embedded.url, TEMPLATE), QUIET);
  return {
    pid: embedded.pid,
    folder,
    createDatabase: async (name, template = TEMPLATE) => {
      await run(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return databaseUrl(embedded.url, name);
    },
    dropDatabase: async (name) => {
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
    checkpoint: async () => {
      await run('CHECKPOINT');
    },
    stop: async () => {
      await embedded.stop();
      remove();
      process.off('exit', remove);
    },
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}
