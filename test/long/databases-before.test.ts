/**
 * A database that began before 1.0, with the files in migrations/before-1.0/, and one that begins with the base: the same schema on
 * real PostgreSQL, and both go on (docs/decisions/0072). Compared by `test/support/upgrade/catalogue.ts`.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, emptyDatabase, runSql } from '../support/harness/database.ts';
import { withClient } from '../support/model/audit.ts';
import { catalogueOf, rowsOfAll } from '../support/upgrade/catalogue.ts';
import { prepareDatabase } from '../../src/operator/database.ts';
import { applyUpTo, markRestore, migrate, migrationsFolder, missingMigrations } from '../../src/platform/db/migrate.ts';
import { DatabaseUnfit } from '../../src/platform/db/pool.ts';

const ALL = readdirSync(migrationsFolder()).filter((name) => name.endsWith('.sql'));
const BASE = ALL.filter((name) => name <= '0112_operations.sql');
const BEFORE = readdirSync(join(migrationsFolder(), 'before-1.0'));
const LATER = '0113_later.sql';

/** As a backup's manifest has them. */
const listed = (names: readonly string[], folder: string) =>
  names.toSorted().map((name) => ({
    version: Number(name.slice(0, 4)),
    name,
    hash: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }));
const before = listed(BEFORE, join(migrationsFolder(), 'before-1.0'));

const made: Database[] = [];
async function database(): Promise<string> {
  const fresh = await emptyDatabase(inject('clusterUrl'));
  made.push(fresh);
  return fresh.url;
}

/** A database on which the first so many files from before 1.0 have run. */
async function begunBefore(count: number): Promise<string> {
  const url = await database();
  await withClient(url, (client) => applyUpTo(client, before.slice(0, count)));
  return url;
}

/** Migrates, and says what was said. */
async function said(url: string, folder = early): Promise<string[]> {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  await migrate(url, { info: note, warn: note, error: note }, folder);
  return lines;
}

const facts = (url: string) => withClient(url, catalogueOf);
const rows = (url: string) => withClient(url, rowsOfAll);
const missing = (url: string, folder = early) => withClient(url, (client) => missingMigrations(client, folder));
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** As of the base, and the same with a later file. */
let early: string;
let folder: string;
beforeAll(() => {
  [early = '', folder = ''] = ['base', 'later'].map(() => mkdtempSync(join(tmpdir(), 'bursar-migrations-')));
  for (const each of [early, folder])
    cpSync(migrationsFolder(), each, {
      recursive: true,
      filter: (path) => !ALL.includes(basename(path)) || BASE.includes(basename(path)),
    });
  writeFileSync(join(folder, LATER), "COMMENT ON TABLE merchants IS 'A later version.';");
});
afterAll(async () => {
  for (const each of [early, folder]) rmSync(each, { recursive: true, force: true });
  for (const each of made) await each.drop();
});

describe('the two histories make the same schema', () => {
  /** Rules that were changed on tables with rows, which the old files did not read again. New tables have none. */
  const UNVALIDATED = ['accounts_balance_check', 'payouts_state', 'recipients_status_check'];
  /** The one index whose old text holds the moment it was made: it left the accounts alone that were there. */
  const SINCE = / WHERE \(id > '[0-9a-f-]{36}'::uuid\)/;

  /** A fact of the old history as the base is to have it. */
  const asBase = (fact: string) => {
    const rule = UNVALIDATED.find((name) => fact.startsWith('constraint ') && fact.includes(`"name": "${name}"`));
    if (rule !== undefined) return fact.replace(' NOT VALID"', '"').replace('"validated": false', '"validated": true');
    return fact.includes('accounts_deposit_reference') ? fact.replace(SINCE, '') : fact;
  };

  let base: string;
  let old: string;
  let wanted: string[];
  beforeAll(async () => {
    [base, old] = [await database(), await begunBefore(4)];
    for (const url of [base, old]) await prepareDatabase(url, quiet);
    wanted = (await facts(old)).map(asBase).toSorted();
  });

  it('in everything that the catalogues know', async () => {
    expect(await facts(base)).toEqual(wanted);
    for (const kind of ['schema', 'relation', 'column', 'constraint', 'index', 'type', 'namespace'])
      expect(wanted.some((fact) => fact.startsWith(`${kind} `))).toBe(true);
    expect(wanted.length).toBeGreaterThan(700);
  });

  it('but for exactly these facts', async () => {
    const found = await facts(old);
    const other = found.filter((fact) => asBase(fact) !== fact);
    expect(other).toHaveLength(UNVALIDATED.length + 1);
    expect(found.filter((fact) => fact.includes('NOT VALID'))).toHaveLength(UNVALIDATED.length);
  });

  it('and put no row into any table', async () => {
    expect([await rows(base), await rows(old)]).toEqual([[], []]);
    await runSql(old, "INSERT INTO worker_leases VALUES ('x', gen_random_uuid(), now())"); // control
    expect(await rows(old)).toHaveLength(1);
    await runSql(old, 'DELETE FROM worker_leases');
  });

  it.each([
    "COMMENT ON COLUMN payouts.amount IS 'Minor units!'",
    "COMMENT ON INDEX accounts_deposit_reference IS 'x'",
    'ALTER TABLE payouts DROP CONSTRAINT payouts_amount_check, ADD CONSTRAINT payouts_amount_check CHECK (amount >= 0)',
    'ALTER TABLE accounts RENAME CONSTRAINT accounts_check TO accounts_check9',
    'ALTER TABLE payouts SET (fillfactor = 90)',
    'ALTER TABLE payouts ALTER COLUMN fees SET NOT NULL',
    "ALTER TABLE payouts ALTER COLUMN fees SET DEFAULT '{}'",
    'ALTER TABLE payouts ALTER COLUMN recipient_version TYPE bigint',
    'ALTER TABLE payouts DROP COLUMN speed, ADD COLUMN speed text',
    'ALTER TABLE payouts ENABLE ROW LEVEL SECURITY',
    'ALTER TABLE payouts OWNER TO bursar_app',
    'CREATE POLICY p ON payouts USING (true)',
    'DROP INDEX payouts_held',
    'CREATE INDEX more ON payouts (id)',
    'GRANT DELETE ON events TO bursar_app',
    'GRANT UPDATE (object) ON events TO bursar_app',
    'GRANT CREATE ON SCHEMA public TO bursar_app',
    'CREATE SEQUENCE numbers',
    'CREATE VIEW v AS SELECT 1',
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  ])('control: sees %s', async (change) => {
    const seen = await withClient(base, async (client) => {
      await client.query(`BEGIN; ${change}`);
      return catalogueOf(client).finally(() => client.query('ROLLBACK'));
    });
    expect(seen).not.toEqual(wanted);
  });
});

describe('a start', () => {
  it('on an empty database says one line, and then none', async () => {
    const url = await database();
    expect(await missing(url)).toEqual(BASE);
    expect(await said(url)).toEqual(['Making the tables …']);
    expect([await missing(url), await said(url)]).toEqual([[], []]);
  });

  it('with every later file says one line too', async () => {
    const url = await database();
    expect(await said(url, migrationsFolder())).toEqual(['Making the tables …']);
    expect(await missing(url, migrationsFolder())).toEqual([]);
  });

  it('on a database that a start left half made says the line once more, and ends it', async () => {
    const url = await database();
    await withClient(url, (client) => applyUpTo(client, listed(BASE, early).slice(0, 5)));
    expect(await missing(url)).toEqual(BASE.slice(5));
    expect(await said(url)).toEqual(['Making the tables …']);
  });

  it('on a database with all 41 has nothing to do', async () => {
    const url = await begunBefore(41);
    expect([await missing(url), await said(url)]).toEqual([[], []]);
    const kept = await withClient(url, (client) =>
      client.query('SELECT version, name, hash FROM schema_migrations ORDER BY version'),
    );
    expect(kept.rows).toEqual(before);
  });

  it.each([4, 28, 40])('on a database with the first %i of 41 says one line for all others', async (count) => {
    const url = await begunBefore(count);
    const others = BEFORE.toSorted().slice(count);
    expect(await missing(url)).toEqual(others);
    const line =
      others.length === 1
        ? `Applying migration ${others[0]} …`
        : `Applying ${others.length} migrations, ${others[0]} to ${others.at(-1)} …`;
    expect([await said(url), await missing(url)]).toEqual([[line], []]);
  });
});

describe.each([
  ['the base', () => database(), 'migrations/0112_operations.sql', 112],
  ['the files from before 1.0', () => begunBefore(41), 'migrations/before-1.0/0041_payout_states.sql', 41],
] as const)('a database that began with %s', (_, begin, last, lastVersion) => {
  it('goes on with what comes later, and the program without it then refuses', async () => {
    const url = await begin();
    await said(url);
    expect(await missing(url, folder)).toEqual([LATER]);
    expect(await said(url, folder)).toEqual([`Applying migration ${LATER} …`]);
    const comment = await withClient(url, (client) =>
      client.query("SELECT obj_description('merchants'::regclass) AS c"),
    );
    expect(comment.rows).toEqual([{ c: 'A later version.' }]);
    const newer = `newer than this Bursar: it has seen ${LATER}`;
    await expect(said(url)).rejects.toThrow(newer);
    await expect(missing(url)).rejects.toThrow(newer);
  });

  it('is restored by its own list of migrations, and not by one that this program does not have', async () => {
    const source = await begin();
    await said(source, folder);
    const { rows } = await withClient(source, (client) =>
      client.query<(typeof before)[number]>('SELECT version, name, hash FROM schema_migrations ORDER BY version'),
    );
    const target = await database();
    await withClient(target, (client) => applyUpTo(client, rows, folder));
    expect(await said(target, folder)).toEqual([]);
    expect((await facts(target)).filter((fact) => fact.startsWith('column '))).toEqual(
      (await facts(source)).filter((fact) => fact.startsWith('column ')),
    );
    const other = await database();
    await expect(withClient(other, (client) => applyUpTo(client, rows, early))).rejects.toThrow(
      `made by a newer Bursar: its schema has seen ${LATER}`,
    );
    const edited = rows.map((row) => ({ ...row, hash: row.version === lastVersion ? 'other' : row.hash }));
    await expect(withClient(other, (client) => applyUpTo(client, edited, folder))).rejects.toThrow(
      `made with another ${last}`,
    );
  });

  it('is refused when its last file is not the one that ran', async () => {
    const url = await begin();
    await said(url);
    await runSql(url, `UPDATE schema_migrations SET hash = 'other' WHERE version = ${lastVersion}`);
    await expect(said(url)).rejects.toThrow(`${last} is not the file that made this database`);
    await expect(missing(url)).rejects.toThrow(DatabaseUnfit);
  });

  it('is refused while a restore has not ended, except by the restore', async () => {
    const url = await begin();
    await said(url);
    await withClient(url, (client) => markRestore(client, 'a backup'));
    await expect(said(url)).rejects.toThrow('has not ended');
    expect(await migrate(url, quiet, folder, { endsRestore: true })).toEqual([LATER]);
  });
});
