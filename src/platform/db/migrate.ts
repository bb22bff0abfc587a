/**
 * Applies migrations/NNNN_*.sql, each in a transaction, forward only. A database from before 1.0 goes on with the files
 * of migrations/before-1.0/ instead of the base (docs/decisions/0072). Not node-pg-migrate, which costs 110 ms a start
 * and detects neither edited files nor a newer database.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import type { Log } from './embedded/embedded.ts';
import { connectPatiently, DatabaseUnfit } from './pool.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  /** For people: from the root of the repository. */
  readonly path: string;
  readonly sql: string;
  readonly hash: string;
}

interface Files {
  /** What made the schema before 1.0: 1, 2, 3 … */
  readonly before: readonly Migration[];
  /** The base, one topic a file, and behind it what came since: 101, 102, 103 … */
  readonly files: readonly Migration[];
}

const BEFORE = 'before-1.0';
/** Above every number in `before-1.0`, so that no program takes one history for the other. */
const FIRST = 101;
/** The base is 101 to this number. A database from before 1.0 has the same by other files, and takes part from the next on. */
const LAST_OF_BASE = 112;

/** A migration that waited longer for a table lock would block every payment behind it. */
const LOCK_TIMEOUT = '1s';
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

const CREATE_TABLE = `
  CREATE TABLE schema_migrations (
    version int PRIMARY KEY, name text NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
  COMMENT ON TABLE schema_migrations IS 'Migrations that have run here.';
  COMMENT ON COLUMN schema_migrations.version IS 'Number of the file.';
  COMMENT ON COLUMN schema_migrations.name IS 'Name of the file.';
  COMMENT ON COLUMN schema_migrations.hash IS 'SHA-256 of the file as it ran.';
  COMMENT ON COLUMN schema_migrations.applied_at IS 'When it ran, database clock.';`;

const INSERT = 'INSERT INTO schema_migrations (version, name, hash) VALUES ($1, $2, $3)';

/** SQLSTATEs when another session creates the table at the same time: duplicate table, type, catalogue row. */
const ALREADY_EXISTS = new Set(['42P07', '42710', '23505']);

/**
 * Applies the missing files, with the owner's connection, and returns their names. A second process waits for the
 * first. Rejects with `DatabaseUnfit` when the database is newer than this program or a file was changed after it ran.
 */
export async function migrate(
  url: string,
  log: Log,
  folder: string = migrationsFolder(),
  { endsRestore = false } = {},
): Promise<string[]> {
  const files = await readFiles(folder);
  const client = await connectPatiently(url, log);
  try {
    await client.query("SET client_min_messages = warning; SET TimeZone = 'UTC'");
    await ensureTable(client);
    const before = await applied(client);
    if (endsRestore) before.delete(RESTORE_VERSION);
    const history = historyOf(before, files);
    assertKnown(before, history);
    const done: string[] = [];
    const line = lineOf(history.filter(({ version }) => !before.has(version)));
    const say = () => {
      if (done.length === 0) log.info(line);
    };
    for (const migration of history) {
      if (!before.has(migration.version) && (await apply(client, migration, say))) done.push(migration.name);
    }
    return done;
  } finally {
    await client.end();
  }
}

/** What a start says once, before the first of these files runs. */
function lineOf(missing: readonly Migration[]): string {
  if (missing.some(({ version }) => version >= FIRST && version <= LAST_OF_BASE)) return 'Making the tables …';
  const [first, last] = [missing[0]?.name, missing.at(-1)?.name];
  return missing.length > 1
    ? `Applying ${missing.length} migrations, ${first} to ${last} …`
    : `Applying migration ${first} …`;
}

/** The names of the files that have not run here; changes nothing. Rejects like {@link migrate}. */
export async function missingMigrations(client: Client, folder: string = migrationsFolder()): Promise<string[]> {
  const before = (await hasTable(client)) ? await applied(client) : new Map<number, Applied>();
  const history = historyOf(before, await readFiles(folder));
  assertKnown(before, history);
  return history.filter(({ version }) => !before.has(version)).map(({ name }) => name);
}

/** The schema as after these migrations, in the transaction of `client`. `DatabaseUnfit` if this program lacks one. */
export async function applyUpTo(
  client: Client,
  upTo: readonly Applied[],
  folder: string = migrationsFolder(),
): Promise<void> {
  const wanted = new Map(upTo.map((each) => [each.version, each]));
  const history = historyOf(wanted, await readFiles(folder));
  const newer = upTo.find(({ version }) => !history.some((migration) => migration.version === version));
  if (newer !== undefined) {
    throw new DatabaseUnfit(
      `The backup was made by a newer Bursar: its schema has seen ${newer.name}. Restore it with that version or a newer one.`,
    );
  }
  assertKnown(wanted, history, otherThanBackup);
  await client.query(CREATE_TABLE);
  for (const { version, name, sql, hash } of history.filter((migration) => wanted.has(migration.version))) {
    await client.query(INSERT, [version, name, hash]);
    await client.query(sql);
  }
}

/** Where a restore that has not ended yet is written down: any version refuses to start on a database with a migration that it does not know. */
const RESTORE_VERSION = 0;

/** Keeps servers from starting until {@link unmarkRestore}. `mark` names the backup. */
export async function markRestore(client: Client, mark: string): Promise<void> {
  await client.query(INSERT, [RESTORE_VERSION, 'a restore that has not ended', mark]);
}

/** The backup that a restore was not ended of; `null`: there is none. */
export async function restoreMark(client: Client): Promise<string | null> {
  if (!(await hasTable(client))) return null;
  return (await applied(client)).get(RESTORE_VERSION)?.hash ?? null;
}

export async function unmarkRestore(client: Client): Promise<void> {
  await client.query('DELETE FROM schema_migrations WHERE version = $1', [RESTORE_VERSION]);
}

/** The folder `migrations/` of the package, from the sources and from dist/ alike. */
export function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'migrations');
    if (folder === dirname(folder)) throw new Error('The folder migrations/ is missing from this installation.');
  }
}

async function readFiles(folder: string): Promise<Files> {
  const before = existsSync(join(folder, BEFORE)) ? await readNumbered(folder, BEFORE, 1) : [];
  return { before, files: await readNumbered(folder, '', FIRST) };
}

async function readNumbered(folder: string, inner: string, first: number): Promise<Migration[]> {
  const names = (await readdir(join(folder, inner))).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const path = `migrations/${inner === '' ? '' : `${inner}/`}${name}`;
      const version = Number(FILE_NAME.exec(name)?.[1]);
      if (version !== first + index) throw new Error(`${path}: expected NNNN_name.sql with number ${first + index}`);
      const sql = await readFile(join(folder, inner, name), 'utf8');
      return { version, name, path, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly hash: string;
}

/** The files that make a database which has seen these ones, in order. Their numbers tell with which history it began. */
function historyOf(seen: ReadonlyMap<number, Applied>, { before, files }: Files): readonly Migration[] {
  const beganBefore = [...seen.keys()].some((version) => version !== RESTORE_VERSION && version < FIRST);
  return beganBefore ? [...before, ...files.filter(({ version }) => version > LAST_OF_BASE)] : files;
}

async function hasTable(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS there",
  );
  return rows[0]?.there === true;
}

async function ensureTable(client: Client): Promise<void> {
  if (await hasTable(client)) return;
  // Sent as one transaction: one of several processes creates the table, the others wait and get an error.
  await client.query(CREATE_TABLE).catch((error: { code?: string }) => {
    if (!ALREADY_EXISTS.has(error.code ?? '')) throw error;
  });
}

async function applied(client: Client): Promise<Map<number, Applied>> {
  const { rows } = await client.query<Applied>('SELECT version, name, hash FROM schema_migrations');
  return new Map(rows.map((row) => [row.version, row]));
}

const edited = (path: string): string =>
  `${path} is not the file that made this database. Migrations that ran are never edited: undo the change and add a new file.`;
const otherThanBackup = (path: string): string =>
  `The backup was made with another ${path} than this Bursar has. Its file was changed, or the program was. Use another backup.`;

function assertKnown(before: ReadonlyMap<number, Applied>, history: readonly Migration[], isOther = edited): void {
  if (before.has(RESTORE_VERSION)) {
    throw new DatabaseUnfit('A restore into this database has not ended. Run it once more: bursar restore <file>');
  }
  const known = new Map(history.map((migration) => [migration.version, migration]));
  for (const [version, { name, hash }] of before) {
    const file = known.get(version);
    if (file === undefined) {
      throw new DatabaseUnfit(
        `The database is newer than this Bursar: it has seen ${name}. Start the newer version again.`,
      );
    }
    if (file.hash !== hash) throw new DatabaseUnfit(isOther(file.path));
  }
}

/** False when another process has applied it: the INSERT waits until that process has committed its row. */
async function apply(client: Client, migration: Migration, say: () => void): Promise<boolean> {
  const { version, name, path, sql, hash } = migration;
  await client.query('BEGIN');
  try {
    const { rowCount } = await client.query(`${INSERT} ON CONFLICT (version) DO NOTHING`, [version, name, hash]);
    if (rowCount === 0) {
      await client.query('COMMIT');
      return false;
    }
    say();
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(sql);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const { message, position } = error as { message: string; position?: string };
    const line = position === undefined ? '' : `:${sql.slice(0, Number(position)).split('\n').length}`;
    throw new Error(`${path}${line}: ${message}`, { cause: error });
  }
}
