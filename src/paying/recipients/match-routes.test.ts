/** Payees over real HTTP: what each is, who may ask, that the wall between tenants stands, and what a look-up reads. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { loadOfAccounts } from './sql.ts';

const IBAN = 'DE89370400440532013000';
const ADA = { name: 'Ada Lovelace', currency: 'EUR', iban: IBAN };
const DUTCH = 'NL91ABNA0417164300';

let application: Application;
let client: Client;
let ada: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  ada = idIn(await client.post('/v1/recipients', { ...ADA, type: 'individual', country: 'DE' }));
}, 60_000);
afterAll(() => application?.stop());

const match = async (payee: object, by = client) => must(await by.post('/v1/recipients/match', payee)).json;

describe('a payee', () => {
  it('is found by name and account, in whatever spelling', async () => {
    const found = await match({ ...ADA, name: 'ADA  LOVELACE', iban: 'de89 3704 0044 0532 0130 00' });
    expect(found).toMatchObject({ object: 'recipient_match', status: 'found', name: 'ADA  LOVELACE', errors: [] });
    expect(found['recipient']).toEqual(must(await client.get(`/v1/recipients/${ada}`)).json);
    const nested = { name: ADA.name, currency: 'EUR', bank_details: { iban: IBAN }, type: 'company', country: 'DE' };
    expect(await match(nested)).toMatchObject({ status: 'found', recipient: { id: ada } });
  });

  it('under another name is told with both names', async () => {
    expect(await match({ ...ADA, name: 'Grace Hopper' })).toMatchObject({
      status: 'found_with_another_name',
      name: 'Grace Hopper',
      recipient: { id: ada, name: 'Ada Lovelace' },
    });
  });

  it('is new with another account, in another currency, and where the recipient was deleted', async () => {
    const bob = { name: 'Bob', currency: 'EUR', iban: DUTCH };
    expect(await match({ ...ADA, iban: DUTCH })).toMatchObject({ status: 'new', recipient: null });
    expect(await match({ ...ADA, currency: 'GBP', bic: 'COBADEFFXXX' })).toMatchObject({ status: 'new' });
    const id = idIn(await client.post('/v1/recipients', { ...bob, type: 'individual', country: 'NL' }));
    expect(await match(bob)).toMatchObject({ status: 'found' });
    must(await client.write('DELETE', `/v1/recipients/${id}`, ''));
    expect(await match(bob)).toMatchObject({ status: 'new' });
  });

  it('with faults is invalid, and no message has its account', async () => {
    const wrong = await match({ currency: 'EUR', iban: 'DE89370400440532013001', email: 'x' });
    expect(wrong).toMatchObject({ status: 'invalid', name: null, recipient: null });
    expect(
      (wrong['errors'] as unknown as readonly Record<'param' | 'code', string>[]).map(
        ({ param, code }) => `${code} ${param}`,
      ),
    ).toEqual(['parameter_missing name', 'parameter_invalid email', 'iban_invalid iban']);
    expect(await match({ ...ADA, iban: '4711' })).toMatchObject({ errors: [{ param: 'iban', code: 'iban_invalid' }] });
    expect(JSON.stringify(wrong)).not.toContain('370400440532');
    expect((await client.post('/v1/recipients/match', { ...ADA, ibn: 'x' })).json).toMatchObject({
      error: { code: 'parameter_unknown', param: 'ibn' },
    });
  });

  it('that two recipients are is in doubt', async () => {
    const greek = { name: 'Μαρία', currency: 'EUR', iban: 'GR1601101250000000012300695' };
    const order = { ...greek, type: 'individual', country: 'GR' };
    const ids = [idIn(await client.post('/v1/recipients', order)), idIn(await client.post('/v1/recipients', order))];
    const doubt = await match({ ...greek, name: 'Maria' });
    expect(doubt).toMatchObject({ status: 'ambiguous', recipient: null });
    expect((doubt['candidates'] as readonly Json[]).map(({ id }) => id)).toEqual(ids);
  });
});

it('a thousand are answered in order, the faulty ones among them', async () => {
  const payees: object[] = Array.from({ length: 1000 }, () => ADA);
  payees[1] = { ...ADA, name: 'Grace' };
  payees[2] = { ...ADA, iban: DUTCH };
  payees[3] = { ...ADA, ibn: 'x' };
  payees[4] = [];
  const { json } = must(await client.post('/v1/recipients/match/batch', { payees }));
  const results = json['results'] as readonly Json[];
  expect(results).toHaveLength(1000);
  const statuses = results.map(({ status }) => status);
  expect(statuses.slice(0, 6)).toEqual(['found', 'found_with_another_name', 'new', 'invalid', 'invalid', 'found']);
  expect(results[3]).toMatchObject({ errors: [{ param: 'ibn', code: 'parameter_unknown' }] });
  expect(new Set(statuses.slice(5))).toEqual(new Set(['found']));
  expect((await client.post('/v1/recipients/match/batch', { payees: [...payees, ADA] })).json).toMatchObject({
    error: { code: 'parameter_invalid', param: 'payees' },
  });
});

describe('who may ask', () => {
  it('a key that may read recipients, and no other', async () => {
    const [reader, payer] = [
      await application.key({ scopes: ['recipients:read'] }),
      await application.key({ scopes: ['payouts:write'] }),
    ];
    expect(await match(ADA, reader.client)).toMatchObject({ status: 'found' });
    for (const path of ['match', 'match/batch']) {
      const refused = await payer.client.post(`/v1/recipients/${path}`, { payees: [ADA] });
      expect(refused.json).toMatchObject({ error: { code: 'scope_missing' } });
    }
  });

  it('another tenant, or the live half of this one, finds nobody', async () => {
    for (const { client: other } of [application.otherSandbox, application.live]) {
      expect(await match(ADA, other)).toMatchObject({ status: 'new', recipient: null, candidates: [] });
    }
  });
});

describe('what a look-up reads', () => {
  const RECIPIENTS = 30_000;
  const BLOCKS_MAX = 60; // the table has thousands
  /** Of the account that a tenth of all recipients have, and of one that only one has. */
  const [COMMON, RARE] = ['\\x01', '\\x02'];
  let reader: pg.Client;

  beforeAll(async () => {
    const fingerprint = `CASE WHEN n = 500 THEN '${RARE}' WHEN n % 10 = 0 THEN '${COMMON}' ELSE '\\x' || lpad(to_hex(n), 64, '0') END`;
    const columns =
      'environment_id, id, version, name, type, currency, country, bank_details, status, created_at, bank_fingerprint';
    const values = `$1, gen_random_uuid(), 1, 'Ada', 'individual', 'EUR', 'DE', '{"sealed":"x"}', 'active', now(), (${fingerprint})::bytea`;
    await application.sql(
      `INSERT INTO recipients (${columns}) SELECT ${values} FROM generate_series(1, ${RECIPIENTS}) AS n`,
      [uuidOf(application.otherLive.environmentId)],
    );
    await application.sql('ANALYZE recipients');
    reader = new pg.Client(application.databaseUrl);
    await reader.connect();
  }, 120_000);
  afterAll(() => reader?.end());

  /** Blocks that the statement reads by the plan that is kept for all values. */
  async function blocksOf({ text }: Statement, fingerprint: string): Promise<number> {
    await reader.query(`DEALLOCATE ALL; PREPARE kept AS ${text}`);
    await reader.query('SET plan_cache_mode = force_generic_plan');
    const environment = uuidOf(application.otherLive.environmentId);
    const { rows } = await reader.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE kept ('{${environment}}', '{"${fingerprint.replace('\\', '\\\\')}"}')`,
    );
    const plan = rows[0]['QUERY PLAN'][0].Plan as Record<string, number>;
    expect(plan['Actual Rows']).toBeGreaterThan(0);
    return (plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number);
  }

  it.each([COMMON, RARE])('is little, whether many have the account or one (%s)', async (fingerprint) => {
    expect(await blocksOf(loadOfAccounts([]), fingerprint)).toBeLessThanOrEqual(BLOCKS_MAX);
  });
  it('the control: without the index all recipients are read', async () => {
    await reader.query('BEGIN; DROP INDEX recipients_fingerprint');
    expect(await blocksOf(loadOfAccounts([]), RARE)).toBeGreaterThan(BLOCKS_MAX);
    await reader.query('ROLLBACK');
  });
});
