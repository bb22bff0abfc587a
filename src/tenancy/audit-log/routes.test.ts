/** The audit log: what it keeps, that it is kept with the change, and that its chain shows every change of itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { Client } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { BANK_ACCOUNT, idIn } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Run } from '../keys/keys.ts';
import { verifyAuditLog } from '../../operator/audit.ts';

let application: Application;
let run: Run;
beforeAll(async () => {
  application = await startApplication();
  run = ({ text, values }) => application.sql(text, values);
});
afterAll(() => application?.stop());

const entriesOf = async (query = '', holder = application.sandbox) =>
  (await holder.client.get(`/v1/audit_log?order=asc&limit=100${query}`)).json['data'] as Record<string, unknown>[];
const URL = 'https://hooks.example.com/bursar';

describe('what is kept', () => {
  it('endpoints, secrets, settings and keys: who, from where, by which request, and what', async () => {
    const { client, id: actor } = application.sandbox;
    const endpoint = (await client.post('/v1/webhook_endpoints', { url: URL })).json['id'] as string;
    const at = `/v1/webhook_endpoints/${endpoint}`;
    await client.post(at, { url: `${URL}/2` });
    await client.post(at, { url: `${URL}/2` }); // changes nothing
    await client.post(`${at}/roll_secret`, { expires_in: 60 });
    await client.post(`${at}/disable`, {});
    await client.post(`${at}/enable`, {});
    await client.send('DELETE', at, '', {});
    const settings = await client.post('/v1/settings', { name: 'Rossum' });
    const bank = idIn(await client.post('/v1/bank_accounts', BANK_ACCOUNT));
    const key = (await client.post('/v1/keys', { name: 'x', scopes: ['payouts:read'] })).json['id'] as string;
    await client.post(`/v1/keys/${key}/revoke`, {});
    const entries = await entriesOf();
    expect(entries.map(({ action, subject, details }) => [action, subject, details])).toEqual([
      ['webhook_endpoint.created', endpoint, { url: URL, enabled_events: ['*'] }],
      ['webhook_endpoint.updated', endpoint, { changed: ['url'], url: `${URL}/2`, enabled_events: ['*'] }],
      ['webhook_endpoint.secret_rolled', endpoint, { overlap_seconds: 60 }],
      ['webhook_endpoint.disabled', endpoint, { reason: 'requested' }],
      ['webhook_endpoint.enabled', endpoint, {}],
      ['webhook_endpoint.deleted', endpoint, { url: `${URL}/2` }],
      ['settings.updated', null, { changed: ['name'] }],
      ['bank_account.created', bank, { currency: 'EUR', last4: '3000', uses: ['payouts', 'collections'] }],
      [
        'key.created',
        key,
        {
          name: 'x',
          scopes: ['payouts:read'],
          accounts: null,
          allowed_ips: null,
          expires_at: null,
          version: '2026-12-01',
        },
      ],
      ['key.revoked', key, {}],
    ]);
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(entries.map((entry) => entry['actor']))).toEqual(new Set([actor]));
    expect(new Set(entries.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']));
    expect(entries[6]?.['request']).toBe(settings.headers['request-id']);
    const rows = await application.sql('SELECT row_to_json(t)::text AS row FROM audit_log t');
    const kept = rows.map(({ row }) => row).join();
    expect(kept).not.toContain(BANK_ACCOUNT.bank_details.iban);
    expect(kept).not.toMatch(/whsec_|v1\.[0-9a-f]{8}\./);
    const filtered = (query: string) => entriesOf(query).then(({ length }) => length);
    expect(await filtered('&action=key.revoked')).toBe(1);
    expect(await filtered(`&subject=${endpoint}`)).toBe(6);
    expect(await filtered(`&actor=${actor}`)).toBe(10);
    expect(await filtered('&actor=worker')).toBe(0);
    expect(outcome(await client.get('/v1/audit_log?actor=nobody'))).toBe('400 parameter_invalid actor');
  });

  it('a reset of the sandbox leaves the log, and is in it', async () => {
    const before = (await entriesOf()).length;
    expect(outcome(await application.sandbox.client.post('/v1/test_helpers/reset', {}))).toBe('200');
    const entries = await entriesOf();
    expect(entries).toHaveLength(before + 1);
    expect(entries.at(-1)).toMatchObject({
      action: 'sandbox.reset',
      actor: application.sandbox.id,
      sequence: before + 1,
    });
    await application.sandbox.client.post('/v1/settings', { name: 'After' });
    expect((await verifyAuditLog(run, application.sandbox.environmentId)).fault).toBeNull();
  });

  it('a key that has ended and is used all the same: once a minute, and the request is refused', async () => {
    const holder = await application.key();
    await application.revoke(holder);
    for (let i = 0; i < 3; i++) expect(outcome(await holder.client.get('/v1/accounts'))).toBe('401 api_key_invalid');
    const entries = () => entriesOf(`&subject=${holder.id}`);
    await expect
      .poll(entries)
      .toMatchObject([{ action: 'key.refused', actor: holder.id, details: { reason: 'revoked' }, ip: '127.0.0.1' }]);
  });

  it('needs its own scope, and shows nothing of others', async () => {
    const all = await application.key({ scopes: ['settings:write', 'keys:write'] });
    expect(outcome(await all.client.get('/v1/audit_log'))).toBe('403 scope_missing');
    const reader = await application.key({ scopes: ['audit_log:read'] });
    expect(outcome(await reader.client.get('/v1/audit_log'))).toBe('200');
    expect(await entriesOf('', application.otherSandbox)).toEqual([]);
    expect(await entriesOf('', application.live)).toEqual([]);
  });

  it('is written with the change or not at all', async () => {
    const { client } = application.otherLive;
    await application.sql("ALTER TABLE audit_log ADD CONSTRAINT broken CHECK (action <> 'settings.updated') NOT VALID");
    expect((await client.post('/v1/settings', { name: 'Lost' })).status).toBe(500);
    expect((await client.get('/v1/settings')).json['name']).toBeNull();
    await application.sql('ALTER TABLE audit_log DROP CONSTRAINT broken');
    expect((await client.post('/v1/settings', { name: 'Kept' })).status).toBe(200);
  });
});

describe('the chain', () => {
  const environment = () => application.otherSandbox.environmentId;
  const fault = async () => (await verifyAuditLog(run, environment())).fault?.sentence ?? null;
  /** Changes the log as the owner of the tables could, looks, and takes the change back. */
  async function after(...statements: readonly string[]): Promise<string | null> {
    const uuid = uuidOf(environment());
    await application.sql('CREATE TABLE kept_log AS SELECT * FROM audit_log');
    const [head] = await application.sql(
      'SELECT audit_sequence, audit_hash FROM environments WHERE environment_id = $1',
      [uuid],
    );
    for (const statement of statements) await application.sql(statement.replaceAll('$1', `'${uuid}'`));
    const found = await fault();
    await application.sql('DELETE FROM audit_log');
    await application.sql('INSERT INTO audit_log SELECT * FROM kept_log');
    await application.sql('DROP TABLE kept_log');
    await application.sql('UPDATE environments SET audit_sequence = $2, audit_hash = $3 WHERE environment_id = $1', [
      uuid,
      head?.['audit_sequence'],
      head?.['audit_hash'],
    ]);
    return found;
  }
  beforeAll(async () => {
    for (let i = 0; i < 12; i++) await application.otherSandbox.client.post('/v1/settings', { name: `Name ${i}` });
  });

  it('control: as it is, it fits; and so it does beside writes', async () => {
    expect(await fault()).toBeNull();
    expect(await after()).toBeNull();
    const writes = Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        application.otherSandbox.client.post('/v1/settings', { name: `Beside ${i}` }),
      ),
    );
    for (let i = 0; i < 10; i++) expect(await fault()).toBeNull();
    await writes;
    expect(await fault()).toBeNull();
  });

  const ENTRY = 'environment_id = $1 AND sequence';
  it.each([
    [
      'other details',
      `UPDATE audit_log SET details = '{"changed":["accent_color"]}' WHERE ${ENTRY} = 5`,
      'Entry 5 was changed.',
    ],
    ['another actor', `UPDATE audit_log SET actor = gen_random_uuid() WHERE ${ENTRY} = 5`, 'Entry 5 was changed.'],
    ['another address', `UPDATE audit_log SET address = '192.0.2.1' WHERE ${ENTRY} = 1`, 'Entry 1 was changed.'],
    [
      'another time',
      `UPDATE audit_log SET created_at = created_at + interval '1 ms' WHERE ${ENTRY} = 5`,
      'Entry 5 was changed.',
    ],
    ['another hash', `UPDATE audit_log SET hash = repeat('0', 64) WHERE ${ENTRY} = 5`, 'Entry 5 was changed.'],
    ['one missing', `DELETE FROM audit_log WHERE ${ENTRY} = 5`, 'Entry 5 is missing; the next one is 6.'],
    ['the first missing', `DELETE FROM audit_log WHERE ${ENTRY} = 1`, 'Entry 1 is missing; the next one is 2.'],
    ['the newest missing', `DELETE FROM audit_log WHERE ${ENTRY} > 10`, /^Entries 11 to \d+ are missing at the end\.$/],
    ['all missing', 'DELETE FROM audit_log WHERE environment_id = $1', /^Entries 1 to \d+ are missing at the end\.$/],
    [
      'one from elsewhere',
      `INSERT INTO audit_log SELECT environment_id, gen_random_uuid(), (SELECT max(sequence) + 1 FROM audit_log WHERE environment_id = $1), action, actor, address, request_id, subject, details, previous_hash, hash, created_at FROM audit_log WHERE ${ENTRY} = 5`,
      /^Entry \d+ was inserted\.$/,
    ],
  ])('finds %s', async (_, statement, expected) => {
    const found = await after(statement);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

  it('finds one that was moved, renumbered and all', async () => {
    const swap = [
      `UPDATE audit_log SET sequence = -sequence + 1000000 WHERE ${ENTRY} IN (5, 6)`,
      `UPDATE audit_log SET sequence = CASE sequence WHEN 999995 THEN 6 ELSE 5 END WHERE ${ENTRY} > 900000`,
    ];
    expect(await after(...swap)).toBe('Entry 5 does not follow the one before.');
  });

  it('and after all of that it fits again', async () => expect(await fault()).toBeNull());
});

describe('the filter by actor', () => {
  it('finds by one key what all keys of its line did, and nothing of what they made', async () => {
    const maker = await application.key();
    const post = async (path: string, by: Client, body: object) =>
      (await by.post(path, body)).json as { id: string; secret: string };
    const rolled = await post(`/v1/keys/${maker.id}/roll`, maker.client, { expires_in: 3600 });
    const successor = new Client(application.address, rolled.secret);
    const child = await post('/v1/keys', successor, { name: 'child' });
    const other = new Client(application.address, child.secret);
    await maker.client.post('/v1/settings', { name: 'Before' });
    await successor.post('/v1/settings', { name: 'After' });
    await other.post('/v1/settings', { name: 'Child' });
    const actions = async (query: string) =>
      (await entriesOf(query)).map(({ action, actor }) => `${action as string} ${actor as string}`);
    const ofLine = [
      `key.rolled ${maker.id}`,
      `key.created ${rolled.id}`,
      `settings.updated ${maker.id}`,
      `settings.updated ${rolled.id}`,
    ];
    expect(await actions(`&actor=${maker.id}`)).toEqual(ofLine);
    expect(await actions(`&actor=${rolled.id}`)).toEqual(ofLine);
    expect(await actions(`&actor=${child.id}`)).toEqual([`settings.updated ${child.id}`]);
    expect(await actions(`&actor[]=${child.id}&actor[]=${rolled.id}&action=settings.updated`)).toHaveLength(3);
    successor.close();
    other.close();
  });
});
