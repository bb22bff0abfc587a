/** Sealing anew after a rotation: what is found, what is changed, and what a server changes meanwhile. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idOf, newId, uuidOf } from '../core/values/ids.ts';
import { TYPES } from '../platform/db/wire/types.ts';
import { secretBox } from '../events/webhooks/signature.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import { furnish } from '../../test/support/harness/fixtures.ts';
import { must } from '../../test/support/harness/tenant-fixture.ts';
import { totpVault } from '../tenancy/sessions/sealing.ts';
import { atRest } from '../write/at-rest.ts';
import { columnsSealed } from './seal-stored.ts';
import { type RunOne, type Tally, walkSealed } from './reseal.ts';
import { SEALED_PLACES } from './sealed.ts';

const NEW = 'the-secret-after-the-rotation-0123456789';
const AFTER = { current: NEW, previous: [SERVER_SECRET] };
const OLD_BOX = secretBox({ current: SERVER_SECRET, previous: [] });
const NEW_BOX = secretBox({ current: NEW, previous: [] });

let application: Application;
let owner: pg.Client;
let run: RunOne;
beforeAll(async () => {
  application = await startApplication();
  await furnish(application, application.sandbox);
  owner = new pg.Client({ connectionString: application.databaseUrl, types: TYPES });
  await owner.connect();
  run = (statement) => owner.query(statement);
  const person = newId('usr');
  const sealed = totpVault({ current: SERVER_SECRET, previous: [] }).seal('a secret of an authenticator app', person);
  await owner.query(
    'INSERT INTO person_credentials (person_id, totp_sealed, totp_pending_sealed) VALUES ($1, $2, $2)',
    [uuidOf(person), sealed],
  );
});
afterAll(async () => {
  await owner?.end();
  await application?.stop();
});

const sum = (tallies: readonly Tally[], what: 'current' | 'previous' | 'resealed' | 'unreadable') =>
  tallies.reduce((total, each) => total + each[what], 0);

/** Each value of each column of text that looks sealed, by table and column. */
async function sealedColumns(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await owner.query<{ name: string; col: string }>(
    `SELECT c.table_name AS name, c.column_name AS col FROM information_schema.columns c
      WHERE c.table_schema = 'public' AND c.data_type IN ('text', 'jsonb', 'json', 'ARRAY', 'character varying')`,
  );
  const found = new Map<string, readonly string[]>();
  for (const { name, col } of rows) {
    const { rows: values } = await owner.query<{ v: string }>(
      `SELECT ${col}::text AS v FROM ${name} WHERE ${col}::text ~ 'v1\\.[0-9a-f]{8}\\.'`,
    );
    if (values.length > 0)
      found.set(
        `${name}.${col}`,
        values.map(({ v }) => v),
      );
  }
  return found;
}

describe('the list of what is sealed', () => {
  it('has every column in which sealed texts stand: one that is missing is lost with the previous secret', async () => {
    const listed = new Set(SEALED_PLACES.map(({ table, column }) => `${table}.${column}`));
    const found = [...(await sealedColumns()).keys()];
    const elsewhere = columnsSealed(atRest(AFTER)); // as rows that are read whole
    expect(found.filter((column) => !listed.has(column) && !elsewhere.includes(column))).toEqual([]);
    expect([...listed].filter((column) => !found.includes(column))).toEqual([]);
  });

  it('leaves nothing under the previous secret', async () => {
    await owner.query('BEGIN');
    const before = await walkSealed({ run, secrets: AFTER, reseals: false });
    expect(before.every(({ previous }) => previous > 0)).toBe(true);
    expect([sum(before, 'current'), sum(before, 'resealed'), sum(before, 'unreadable')]).toEqual([0, 0, 0]);
    const done = await walkSealed({ run, secrets: AFTER, reseals: true });
    expect(sum(done, 'resealed')).toBe(sum(before, 'previous'));
    expect(await walkSealed({ run, secrets: { current: NEW, previous: [] }, reseals: false })).toEqual(
      done.map((tally) => ({ ...tally, resealed: 0 })),
    );
    // No key id of the old secret is left anywhere, whatever the list says.
    const oldIds = SEALED_PLACES.map(({ box }) =>
      box({ current: SERVER_SECRET, previous: [] }).seal('x', 'y').slice(0, 12),
    );
    const left = [...(await sealedColumns()).values()].flat().filter((text) => oldIds.some((id) => text.includes(id)));
    expect(left).toEqual([]);
    await owner.query('ROLLBACK');
  });

  it('counting alone changes nothing', async () => {
    const before = await sealedColumns();
    await walkSealed({ run, secrets: AFTER, reseals: false });
    expect(await sealedColumns()).toEqual(before);
  });

  it('control: without the previous secret nothing opens, nothing is changed, and it is said', async () => {
    const before = await sealedColumns();
    const tallies = await walkSealed({ run, secrets: { current: NEW, previous: [] }, reseals: true });
    expect(sum(tallies, 'unreadable')).toBeGreaterThan(2);
    expect(tallies[0]?.reasons[0]).toContain('was sealed under another server secret');
    expect(await sealedColumns()).toEqual(before);
  });
});

describe('an endpoint', () => {
  let id: string;
  const secretsOf = async () =>
    JSON.parse(
      (await owner.query('SELECT secrets::text AS secrets FROM webhook_endpoints WHERE id = $1', [uuidOf(id)])).rows[0]
        .secrets as string,
    ) as { sealed: string; expires_at: number | null }[];

  beforeEach(async () => {
    await owner.query('DELETE FROM webhook_endpoints');
    const { client } = application.sandbox;
    id = must(await client.post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/' })).json['id'] as string;
    must(await client.post(`/v1/webhook_endpoints/${id}/roll_secret`, { expires_in: 3600 }));
  });

  it('keeps the order of its secrets, what they are, and when they end', async () => {
    const before = await secretsOf();
    expect(before).toHaveLength(2);
    await walkSealed({ run, secrets: AFTER, reseals: true });
    const after = await secretsOf();
    expect(after.map(({ expires_at: at }) => at)).toEqual(before.map(({ expires_at: at }) => at));
    expect(after.map(({ sealed }) => NEW_BOX.open(sealed, id))).toEqual(
      before.map(({ sealed }) => OLD_BOX.open(sealed, id)),
    );
  });

  it('is left as a server made it meanwhile, and done with the next walk', async () => {
    const fresh = JSON.stringify([{ sealed: OLD_BOX.seal('whsec_fresh', id), expires_at: null }]);
    let interfered = 0;
    const interfering: RunOne = async (statement) => {
      if (statement.text.includes('UPDATE webhook_endpoints') && interfered++ === 0)
        await application.sql('UPDATE webhook_endpoints SET secrets = $2 WHERE id = $1', [uuidOf(id), fresh]);
      return run(statement);
    };
    const [tally] = await walkSealed({ run: interfering, secrets: AFTER, reseals: true });
    expect(interfered).toBe(2);
    expect(tally).toMatchObject({ current: 1, previous: 0, resealed: 1, unreadable: 0 });
    expect((await secretsOf()).map(({ sealed }) => NEW_BOX.open(sealed, id))).toEqual(['whsec_fresh']);
  });

  it('is not changed while a write of its environment is under way: that would write what it read before', async () => {
    const writer = new pg.Client({ connectionString: application.databaseUrl });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('SELECT FROM environments WHERE environment_id = $1 FOR UPDATE', [
      uuidOf(application.sandbox.environmentId),
    ]);
    const before = await secretsOf();
    const walking = walkSealed({ run, secrets: AFTER, reseals: true });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually('the walk waits for the writer', async () => (await application.sql(waiting)).length === 1);
    // The writer writes back what it read: were the row done by now, this would undo it.
    await writer.query('UPDATE webhook_endpoints SET secrets = $2, url = $3 WHERE id = $1', [
      uuidOf(id),
      JSON.stringify(before),
      'https://other.example.com/',
    ]);
    await writer.query('COMMIT');
    await writer.end();
    expect((await walking)[0]).toMatchObject({ previous: 0 });
    for (const { sealed } of await secretsOf()) expect(NEW_BOX.isCurrent(sealed)).toBe(true);
    expect((await owner.query('SELECT url FROM webhook_endpoints')).rows).toEqual([
      { url: 'https://other.example.com/' },
    ]);
  });

  it('with a text that belongs elsewhere is left alone and counted', async () => {
    const stolen = JSON.stringify([{ sealed: OLD_BOX.seal('whsec_x', newId('we')), expires_at: null }]);
    await owner.query('UPDATE webhook_endpoints SET secrets = $1', [stolen]);
    const [tally] = await walkSealed({ run, secrets: AFTER, reseals: true });
    expect(tally).toMatchObject({ current: 0, previous: 0, resealed: 0, unreadable: 1 });
    expect(tally?.reasons[0]).toContain('is damaged, or belongs to another object');
  });
});

it('walks tables of many pages to their end', async () => {
  const environment = uuidOf(application.sandbox.environmentId);
  const records = 12_345;
  await owner.query(
    `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, created_at)
      SELECT $1, 'many ' || n, '', 200, '{}', now() FROM generate_series(1, ${records}) n`,
    [environment],
  );
  const id = newId('we');
  const body = `{"id":"${id}","secret":"${OLD_BOX.seal('whsec_last', id)}","metadata":{}}`;
  await owner.query(
    `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, resource_id, resource_prefix, created_at)
      VALUES ($1, 'zz last', '', 200, $2, $3, 'we', now())`,
    [environment, body, uuidOf(id)],
  );
  const rows: number[] = [];
  await walkSealed({ run, secrets: AFTER, reseals: true, onProgress: (_, walked) => void rows.push(walked) });
  const { rows: found } = await owner.query("SELECT body FROM idempotency_records WHERE key = 'zz last'");
  const sealed = (JSON.parse(found[0].body as string) as { secret: string }).secret;
  expect(NEW_BOX.open(sealed, id)).toBe('whsec_last');
  expect(rows.filter((walked) => walked > records)).toHaveLength(2);
  expect(idOf('we', uuidOf(id))).toBe(id);
});
