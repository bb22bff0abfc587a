/** What the login of a server can do in the database, and what it cannot: tried with statements of an attacker's own. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP_ROLE, ensureRights, loginFacts } from '../platform/db/roles.ts';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { asServer } from '../../test/support/harness/database.ts';
import { furnish } from '../../test/support/harness/fixtures.ts';
import { must } from '../../test/support/harness/tenant-fixture.ts';
import { SERVER_RIGHTS } from './rights.ts';

let application: Application;
let server: pg.Client;
let owner: pg.Client;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

beforeAll(async () => {
  application = await startApplication();
  await furnish(application, application.sandbox);
  owner = await connect(application.databaseUrl);
  server = await connect(asServer(application.databaseUrl));
});
afterAll(async () => {
  await server?.end();
  await owner?.end();
  await application?.stop();
});

/** Statements that would change the past, open an environment or hide traces. */
const FORBIDDEN = [
  'UPDATE transfers SET amount = amount + 1',
  'DELETE FROM transfers',
  "UPDATE events SET object = '{}'",
  'DELETE FROM events',
  'TRUNCATE events',
  'DELETE FROM payouts',
  'UPDATE payouts SET amount = amount + 1',
  'UPDATE payouts SET environment_id = gen_random_uuid()',
  'UPDATE accounts SET currency = currency',
  'UPDATE recipient_versions SET bank_details = bank_details',
  'UPDATE idempotency_records SET body = body',
  'DELETE FROM idempotency_records',
  'UPDATE api_keys SET scopes = NULL',
  'UPDATE api_keys SET environment_id = environment_id',
  'UPDATE api_keys SET hash = hash',
  'UPDATE api_keys SET accounts = NULL',
  'UPDATE api_keys SET allowed_ips = NULL',
  'DELETE FROM api_keys',
  'UPDATE users SET environment_id = environment_id',
  'DELETE FROM users',
  'DELETE FROM people',
  'UPDATE one_time_links SET ends_at = ends_at',
  "UPDATE audit_log SET details = '{}'",
  'DELETE FROM audit_log',
  'UPDATE payment_file_contents SET content = content',
  'DELETE FROM payment_file_contents',
  'UPDATE environments SET livemode = NOT livemode',
  'UPDATE environments SET merchant_id = merchant_id',
  "INSERT INTO merchants (id, name) VALUES (gen_random_uuid(), 'x')",
  'UPDATE schema_migrations SET hash = hash',
  'ALTER TABLE transfers DISABLE TRIGGER ALL',
  'CREATE TABLE copied (id int)',
  'CREATE ROLE mine LOGIN',
  `GRANT ${APP_ROLE} TO CURRENT_USER`,
];

/** Takes what a statement changes back; resolves with the SQLSTATE it was refused with. */
async function outcomeOf(client: pg.Client, statement: string): Promise<string> {
  await client.query('BEGIN');
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
  }
}

describe('the login of a server', () => {
  it.each(FORBIDDEN)('may not: %s', async (statement) => {
    expect(await outcomeOf(server, statement)).toBe('42501');
  });

  it('has nothing to go back to', async () => {
    for (const way of ["SELECT set_config('role', 'none', false)", 'RESET ROLE', 'SET SESSION AUTHORIZATION DEFAULT']) {
      await server.query(`SET ROLE ${APP_ROLE}`);
      await server.query(way);
      expect([way, await outcomeOf(server, 'UPDATE transfers SET amount = amount + 1')]).toEqual([way, '42501']);
      expect([way, await outcomeOf(server, 'UPDATE api_keys SET scopes = NULL')]).toEqual([way, '42501']);
    }
    expect(await loginFacts(server)).toEqual({ isSuperuser: false, isOwner: false, hasRights: true });
  });

  it('control: the owner in the same role is the owner again with one statement', async () => {
    expect(await loginFacts(owner)).toMatchObject({ isOwner: true });
    await owner.query(`SET ROLE ${APP_ROLE}`);
    expect(await outcomeOf(owner, 'UPDATE transfers SET amount = amount + 1')).toBe('42501');
    await owner.query("SELECT set_config('role', 'none', false)");
    for (const statement of ['UPDATE transfers SET amount = amount + 1', 'UPDATE api_keys SET scopes = NULL'])
      expect(await outcomeOf(owner, statement)).toBe('done');
  });
});

describe('ensureRights', () => {
  it('lists every table there is, so that a new one is not forgotten', async () => {
    const { rows } = await owner.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(SERVER_RIGHTS).toSorted());
  });

  it('changes nothing where nothing is missing', async () => {
    expect(await ensureRights(owner, SERVER_RIGHTS)).toBe('kept');
  });

  it('gives rights again that a restored dump came without, and takes back what is too much', async () => {
    await owner.query(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${APP_ROLE}`);
    expect(await outcomeOf(server, 'SELECT FROM accounts')).toBe('42501');
    const other = await connect(application.databaseUrl);
    const both = await Promise.all([ensureRights(owner, SERVER_RIGHTS), ensureRights(other, SERVER_RIGHTS)]);
    expect(both).toContain('granted');
    await other.end();
    expect(await outcomeOf(server, 'SELECT FROM accounts')).toBe('done');

    await owner.query(`GRANT UPDATE ON transfers TO ${APP_ROLE}; GRANT UPDATE (scopes) ON api_keys TO ${APP_ROLE}`);
    expect(await outcomeOf(server, 'UPDATE transfers SET amount = amount')).toBe('done'); // the control of the first test
    expect(await outcomeOf(server, 'UPDATE api_keys SET scopes = scopes')).toBe('done');
    expect(await ensureRights(owner, SERVER_RIGHTS)).toBe('granted');
    expect(await outcomeOf(server, 'UPDATE transfers SET amount = amount')).toBe('42501');
    expect(await outcomeOf(server, 'UPDATE api_keys SET scopes = scopes')).toBe('42501');
    must(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR' }));
  });
});
