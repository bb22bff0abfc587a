/**
 * What the login of a server may write, and still cannot turn back, loosen or change behind the log: tried with
 * statements of an attacker's own, beside what the service does with the same columns. Decision record 0076.
 */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../core/values/ids.ts';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { asServer } from '../../test/support/harness/database.ts';
import { auditDatabase } from '../../test/support/model/audit.ts';
import { BANK_ACCOUNT, must } from '../../test/support/harness/tenant-fixture.ts';

let application: Application;
let server: pg.Client;
let owner: pg.Client;
/** Of the sandbox. */
let environment: string;

beforeAll(async () => {
  application = await startApplication();
  environment = uuidOf(application.sandbox.environmentId);
  [owner, server] = [new pg.Client(application.databaseUrl), new pg.Client(asServer(application.databaseUrl))];
  await Promise.all([owner.connect(), server.connect()]);
});
afterAll(async () => {
  await server?.end();
  await owner?.end();
  await application?.stop();
});

const post = async (path: string, body: object = {}) => must(await application.sandbox.client.post(path, body)).json;
const made = async (path: string, body: object) => (await post(path, body))['id'] as string;

/** Does it up to just before COMMIT, with every check that COMMIT makes, and takes it back; the SQLSTATE, or `done`. */
async function outcomeOf(client: pg.Client, ...statements: readonly string[]): Promise<string> {
  await client.query('BEGIN');
  try {
    let count: number | null = 0;
    for (const statement of statements) ({ rowCount: count } = await client.query(statement));
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    return count === 0 ? 'nothing' : 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
  }
}

const here = () => `WHERE environment_id = '${environment}'`;
/** An entry that somebody forges at the end of the log, and the head that goes with it. */
const entry = (action: string) => [
  `UPDATE environments SET audit_sequence = audit_sequence + 1, audit_hash = 'x' ${here()}`,
  `INSERT INTO audit_log (environment_id, id, sequence, action, actor, details, previous_hash, hash, created_at)
    SELECT environment_id, gen_random_uuid(), audit_sequence, '${action}', gen_random_uuid(), '{}', 'x', 'x', now() FROM environments ${here()}`,
];

describe('what goes only forward', () => {
  beforeEach(async () => {
    await post('/v1/test_helpers/clock/advance', { seconds: 60 });
    await post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/' });
  });

  it.each([
    'last_sequence = last_sequence - 1',
    'last_sequence = 0',
    "last_at = '-infinity'",
    'clock_offset_ms = 0',
    'endpoints_version = 0',
    'audit_sequence = audit_sequence - 1',
    "audit_hash = repeat('0', 64)",
    'audit_hash = NULL',
  ])('not back: %s; the owner may', async (change) => {
    const statement = `UPDATE environments SET ${change} ${here()}`;
    expect(await outcomeOf(server, statement)).toBe('42501');
    expect(await outcomeOf(owner, statement)).toBe('done'); // control: nothing else stands in the way
  });

  it('control: forward it may, as every batch does', async () => {
    const forward = `UPDATE environments SET last_sequence = last_sequence + 1, last_at = last_at + interval '1 s' ${here()}`;
    expect(await outcomeOf(server, forward)).toBe('done');
  });
});

describe('a key', () => {
  /** Of the same family, and what is done to it. */
  async function key(...steps: readonly ['revoke' | 'roll', object][]): Promise<string> {
    const id = await made('/v1/keys', { name: 'k', scopes: ['accounts:read'], expires_at: 4_070_908_800 });
    for (const [step, body] of steps) await post(`/v1/keys/${id}/${step}`, body);
    return id;
  }
  const set = (id: string, change: string) => `UPDATE api_keys SET ${change} WHERE id = '${uuidOf(id)}'`;
  const refused = async (id: string, change: string) => {
    expect([change, await outcomeOf(server, set(id, change))]).toEqual([change, '42501']);
    expect([change, await outcomeOf(owner, set(id, change))]).toEqual([change, 'done']);
  };

  it('that was revoked is not revived', async () => {
    const id = await key(['revoke', {}]);
    await refused(id, 'revoked_at = NULL');
    await refused(id, "revoked_at = now() + interval '1 year'");
    expect(await outcomeOf(server, set(id, 'revoked_at = revoked_at, last_used_at = now()'))).toBe('done');
  });

  it('expires no later, and was rolled to what it was rolled to', async () => {
    const id = await key(['roll', { expires_in: 60 }]);
    await refused(id, 'expires_at = NULL');
    await refused(id, "expires_at = expires_at + interval '1 s'");
    await refused(id, 'rolled_to = NULL');
    await refused(id, 'rolled_to = gen_random_uuid()');
    expect(await outcomeOf(server, set(id, 'expires_at = now(), revoked_at = now()'))).toBe('done'); // sooner
  });

  it('whose instants have microseconds, as old ones, is written again with milliseconds', async () => {
    const id = await key();
    await owner.query(
      set(id, "revoked_at = '2026-11-01T00:00:00.123456Z', expires_at = '2026-11-01T00:00:00.123456Z'"),
    );
    const rounded = "revoked_at = '2026-11-01T00:00:00.124Z', expires_at = '2026-11-01T00:00:00.123Z'";
    expect(await outcomeOf(server, set(id, rounded))).toBe('done');
  });

  it('is neither confirmed nor made without an entry in the log', async () => {
    const id = await key();
    const confirming = set(id, 'confirmed_by = id');
    const copying = `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, lineage)
      SELECT sha256(hash), gen_random_uuid(), environment_id, name, prefix, last4, lineage FROM api_keys WHERE id = '${uuidOf(id)}'`;
    expect([await outcomeOf(server, confirming), await outcomeOf(server, copying)]).toEqual(['42501', '42501']);
    expect([await outcomeOf(owner, confirming), await outcomeOf(owner, copying)]).toEqual(['done', 'done']);
    expect(await outcomeOf(server, ...entry('key.confirmed'), confirming)).toBe('done');
    expect(await outcomeOf(server, ...entry('key.created'), copying)).toBe('done');
  });
});

describe('what needs an entry in the log', () => {
  const loosened = () => `UPDATE environments SET payout_rules = NULL ${here()}`;
  const free = () => `UPDATE environments SET fees = NULL ${here()}`;
  const swapped = () => `UPDATE bank_accounts SET holder = 'Mallory Ltd' ${here()}`;
  const older = () => `UPDATE settings SET bank_accounts = '{"EUR": {"iban": "DE02120300000000202051"}}' ${here()}`;

  beforeAll(async () => {
    await post('/v1/settings/payouts', { frozen: false, hold_new_recipients_hours: 24 });
    await made('/v1/limits', { per: 'environment', count: 5, action: 'refuse' });
    await made('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: '0.10' });
    await made('/v1/bank_accounts', { ...BANK_ACCOUNT, bank_details: { iban: 'DE02120300000000202051' } });
    await post('/v1/settings', { name: 'Shop' });
  });

  it.each([
    ['payout rules', loosened, 'payout_rules.updated'],
    ['fees', free, 'fee_rule.deleted'],
    ['the bank accounts that payers see', swapped, 'bank_account.updated'],
    ['those that the settings had', older, 'bank_account.created'],
  ] as const)('%s: with none, with one of another sort, with one of before', async (_, change, action) => {
    expect(await outcomeOf(server, change())).toBe('42501');
    expect(await outcomeOf(server, ...entry('key.refused'), change())).toBe('42501');
    expect(await outcomeOf(owner, change())).toBe('done'); // control
    // Where it comes with one, the log says so: whoever does that leaves a trace that cannot be taken back.
    expect(await outcomeOf(server, ...entry(action), change())).toBe('done');
    expect(await outcomeOf(server, change(), ...entry(action))).toBe('done'); // in any order
  });

  it('an entry behind the head of the log does not count', async () => {
    const [, insert = ''] = entry('payout_rules.updated');
    const behind = insert.replace('audit_sequence,', 'audit_sequence + 1,');
    expect(await outcomeOf(server, behind, loosened())).toBe('42501');
  });

  it('is refused at COMMIT, and nothing of the transaction stays', async () => {
    await server.query('BEGIN');
    await server.query(loosened());
    await expect(server.query('COMMIT')).rejects.toMatchObject({ code: '42501' });
    expect((await owner.query(`SELECT payout_rules IS NULL AS gone FROM environments ${here()}`)).rows).toEqual([
      { gone: false },
    ]);
  });

  it('a table of an attacker that is called like one of the catalogue changes nothing', async () => {
    const fake =
      'CREATE TEMPORARY TABLE pg_class AS SELECT oid, (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user) AS relowner FROM pg_catalog.pg_class';
    expect(await outcomeOf(server, fake, loosened())).toBe('42501');
  });
});

describe('the service, whose login it is', () => {
  it('changes rules, fees, accounts and keys, in one batch too, and verify finds them as the log says', async () => {
    const { client } = application.sandbox;
    const limit = await made('/v1/limits', { per: 'environment', currency: 'EUR', amount: '100', action: 'hold' });
    const fee = await made('/v1/fee_rules', { on: 'exchange', basis_points: 50 });
    const sent = [
      client.post('/v1/settings/payouts', { frozen: true, time_zone: 'Europe/Berlin' }),
      client.post('/v1/keys', { name: 'k', scopes: ['accounts:read'] }),
      client.write('DELETE', `/v1/limits/${limit}`, ''),
      client.write('DELETE', `/v1/fee_rules/${fee}`, ''),
      client.post('/v1/settings/payouts', { frozen: false }),
      client.post('/v1/settings', { name: 'Another shop' }),
      client.post('/v1/test_helpers/clock/advance', { seconds: 60 }),
      client.post('/v1/test_helpers/restore', { skip: 10 }),
      client.post('/v1/bank_accounts', BANK_ACCOUNT),
    ];
    for (const reply of await Promise.all(sent)) must(reply);
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  });

  it('writes the rules of an old version as they were, when only bank accounts change', async () => {
    const old = `payout_rules - 'routes' - 'timeZone'`;
    await owner.query(`UPDATE environments SET payout_rules = ${old} ${here()}`); // an old version knew less
    await made('/v1/bank_accounts', { ...BANK_ACCOUNT, bank_details: { iban: 'DE02500105170137075030' } });
    const { rows } = await owner.query(`SELECT payout_rules ? 'routes' AS changed FROM environments ${here()}`);
    expect(rows).toEqual([{ changed: false }]);
  });

  it('resets its sandbox, and verify finds no rules, as the log says', async () => {
    await post('/v1/settings/payouts', { frozen: true });
    await post('/v1/test_helpers/reset');
    await post('/v1/accounts', { currency: 'EUR' });
    expect(await post('/v1/settings/payouts', { approvals_required: 2 })).toMatchObject({ frozen: false });
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  });
});

describe('verify', () => {
  it('names rules that differ from what the log last said; control: above, they do not', async () => {
    await made('/v1/limits', { per: 'environment', count: 5, action: 'refuse' });
    await owner.query(
      `UPDATE environments SET payout_rules = payout_rules || '{"approvalsRequired": 1, "limits": []}' ${here()}`,
    );
    const complaints = await auditDatabase(application.databaseUrl);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('payout_rules: approvals required in');
    expect(complaints[0]).toContain('expected 2, as the audit log says, found 1');
    expect(complaints[0]).toContain(' 2 times.');
  });
});
