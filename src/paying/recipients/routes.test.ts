/** Recipients over real HTTP, grouped by status, so that a missing one is seen. */
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../../server/app.ts';
import { loadConfig } from '../../config.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { connectPatiently } from '../../platform/db/pool.ts';
import { type Run } from '../../tenancy/keys/keys.ts';
import { insertKey } from '../../../test/support/harness/keys.ts';
import { recipientSeals } from './sealing.ts';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';

const SECRET = 'recipients-test-secret-of-32-characters';
const ADA = {
  name: 'Ada Lovelace',
  type: 'individual',
  currency: 'EUR',
  country: 'DE',
  iban: 'DE89 3704 0044 0532 0130 00',
};
const US = { name: 'Acme Inc.', type: 'company', currency: 'USD', country: 'US', routing_number: '110000000' };
const UNKNOWN = 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa';
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}
/** Members this file looks at; absent ones are undefined. */
interface Body {
  readonly id: string;
  readonly data: readonly Body[];
  readonly type: string;
  readonly sequence: number;
  readonly error: {
    readonly code: string;
    readonly param: string;
    readonly message: string;
    readonly allowed: string[];
  };
  readonly [member: string]: unknown;
}

let database: Database;
let app: App;
let address: string;
const keys = { sandbox: '', live: '', readOnly: '', other: '' };

beforeAll(async () => {
  database = await createDatabase();
  const config = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0' });
  app = await startApp({
    config,
    databaseUrl: database.serverUrl,
    ownerUrl: database.url,
    serverSecret: SECRET,
    log: pino({ level: 'silent' }),
  });
  address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const client = await connectPatiently(database.url, quiet);
  const run: Run = async (statement) => (await client.query(statement)).rows;
  const make = async (merchant: string, livemode: boolean, scopes: readonly string[] | null = null) =>
    (await insertKey(run, SECRET, { merchant, livemode, name: 'test', scopes, expiresAt: null })).key;
  keys.sandbox = await make('default', false);
  keys.live = await make('default', true);
  keys.readOnly = await make('default', false, ['recipients:read']);
  keys.other = await make('other', false);
  await client.end();
});

afterAll(async () => {
  await app?.stop();
  await database?.drop();
});

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(address + path, {
    method,
    headers: {
      authorization: `Bearer ${keys.sandbox}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

const as = (key: keyof typeof keys) => ({ authorization: `Bearer ${keys[key]}` });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function created(fields: Record<string, unknown> = ADA): Promise<string> {
  const { status, body } = await ask('POST', '/v1/recipients', fields);
  expect(status).toBe(200);
  return body.id;
}

/** `status code param` of a refusal. */
const refusal = ({ status, body }: Answer) => `${status} ${body.error.code} ${body.error.param}`;

async function sql(text: string, values: unknown[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** The bank details of a row, which are sealed there. */
function detailsIn(row: Record<string, unknown> | undefined, id: string): object {
  const { detailsOf } = recipientSeals({ current: SECRET, previous: [] });
  return detailsOf(JSON.stringify(row?.['bank_details']), id);
}

describe('200', () => {
  it('creates, masks and keeps', async () => {
    const { status, body } = await ask('POST', '/v1/recipients', {
      ...ADA,
      email: 'ada@example.com',
      metadata: { a: 'b' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^rcp_[0-9a-z]{26}$/),
      object: 'recipient',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      name: 'Ada Lovelace',
      type: 'individual',
      currency: 'EUR',
      country: 'DE',
      email: 'ada@example.com',
      bank_details: { iban: '******************3000' },
      address: null,
      latin_name: null,
      category_purpose: null,
      purpose: null,
      bank_account: null,
      duplicate_of: expect.toSatisfy((id: string | null) => id === null || id.startsWith('rcp_')),
      status: 'active',
      created_by: expect.stringMatching(/^key_/),
      bank_details_changed_at: null,
      metadata: { a: 'b' },
    });
    expect((await ask('GET', `/v1/recipients/${body.id}`)).body).toEqual(body);
    const [row] = await sql('SELECT bank_details FROM recipients WHERE id = $1', [uuidOf(body.id)]);
    expect(detailsIn(row, body.id)).toEqual({ iban: 'DE89370400440532013000' });
  });

  it('takes a form as well, and replays under a key however the IBAN was typed', async () => {
    const key = { 'idempotency-key': 'create-ada' };
    const typed = new URLSearchParams({ ...ADA, 'metadata[a]': 'b' }).toString();
    const first = await ask('POST', '/v1/recipients', typed, { ...form, ...key });
    const bare = { ...ADA, iban: 'de89370400440532013000', country: 'de', metadata: { a: 'b' } };
    const again = await ask('POST', '/v1/recipients', bare, key);
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('updates name and bank details as a new version, and leaves the old one', async () => {
    const id = await created({ ...ADA, bank_name: 'Old Bank' });
    const { body } = await ask('POST', `/v1/recipients/${id}`, { name: 'Ada King', iban: 'DE62370400440532013001' });
    expect(body).toMatchObject({ name: 'Ada King', bank_details: { iban: '******************3001' } });
    expect((await ask('GET', `/v1/recipients/${id}`)).body).toEqual(body);
    await ask('POST', `/v1/recipients/${id}`, { email: 'ada@example.com' });
    const text = `SELECT version, name, bank_details, created_at FROM recipient_versions WHERE recipient_id = $1 ORDER BY version`;
    const versions = await sql(text, [uuidOf(id)]);
    expect(versions).toMatchObject([
      { version: 1, name: 'Ada Lovelace' },
      { version: 2, name: 'Ada King' },
    ]);
    expect(versions.map((version) => detailsIn(version, id))).toEqual([
      { iban: 'DE89370400440532013000', bank_name: 'Old Bank' },
      { iban: 'DE62370400440532013001' },
    ]);
    const [first, second] = versions.map((version) => (version['created_at'] as Date).getTime());
    expect(second).toBeGreaterThan(first as number);
  });

  it('unsets e-mail and metadata by empty values', async () => {
    const id = await created({ ...ADA, email: 'ada@example.com', metadata: { a: 'b', c: 'd' } });
    const { body } = await ask('POST', `/v1/recipients/${id}`, 'email=&metadata[a]=', form);
    expect(body).toMatchObject({ email: null, metadata: { c: 'd' } });
  });

  it('takes null for a bank detail that the new ones do not have, and refuses to be without any', async () => {
    const id = await created({ ...ADA, bank_name: 'Old Bank' });
    const update = (body: object) => ask('POST', `/v1/recipients/${id}`, body);
    const { body } = await update({ bank_details: { iban: ADA.iban, bank_name: null }, bic: null });
    expect(body.bank_details).toEqual({ iban: '******************3000' });
    for (const [sent, param] of [
      [{ iban: null }, 'iban'],
      [{ bank_details: { bank_name: null } }, 'bank_details[bank_name]'],
      [{ bank_details: null }, 'bank_details'],
      [{ name: null }, 'name'],
    ] as const) {
      expect(await update(sent)).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid', param } } });
    }
  });

  it('deletes, as often as asked, and still finds it', async () => {
    const id = await created();
    const deleted = { id, object: 'recipient', deleted: true };
    for (let i = 0; i < 2; i++)
      expect(await ask('DELETE', `/v1/recipients/${id}`)).toMatchObject({ status: 200, body: deleted });
    expect((await ask('GET', `/v1/recipients/${id}`)).body).toMatchObject({ id, status: 'archived' });
  });

  it('lists the active ones, newest first, by filters and pages', async () => {
    const list = async (query: string) => (await ask('GET', `/v1/recipients?${query}`)).body;
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    const us = { ...US, account_number: '000123456789' };
    const [older, newer, gone] = [await created(us), await created({ ...us, type: 'individual' }), await created(us)];
    await ask('DELETE', `/v1/recipients/${gone}`);
    expect(await ids('currency=usd')).toEqual([newer, older]);
    expect(await ids('country=us&type=company')).toEqual([older]);
    expect(await ids('currency=USD&status=archived')).toEqual([gone]);
    expect(await ids('country=FR')).toEqual([]);
    expect(await list('currency=USD&limit=1')).toMatchObject({ data: [{ id: newer }], has_more: true });
    expect(await ids(`currency=USD&limit=1&starting_after=${newer}`)).toEqual([older]);
  });

  it('says which details are needed, best way first', async () => {
    const { body } = await ask('GET', '/v1/recipients/requirements?country=gb&currency=gbp');
    expect(body).toMatchObject({
      object: 'recipient_requirements',
      country: 'GB',
      currency: 'GBP',
      scheme: 'gb_sort_code',
      alternatives: [{ scheme: 'iban' }],
    });
    const fields = body['fields'] as { field: string; required: boolean }[];
    expect(fields.filter(({ required }) => required).map(({ field }) => field)).toEqual([
      'account_number',
      'sort_code',
    ]);
  });

  it('validates without writing', async () => {
    const before = await sql('SELECT count(*) FROM recipients', []);
    const good = await ask('POST', '/v1/recipients/validate', ADA);
    expect(good).toMatchObject({ status: 200, body: { object: 'recipient_validation', valid: true, errors: [] } });
    const bad = await ask('POST', '/v1/recipients/validate', { ...US, name: '', routing_number: '110000001' });
    expect(bad).toMatchObject({
      status: 200,
      body: {
        valid: false,
        errors: [
          { param: 'name', code: 'parameter_invalid' },
          { param: 'account_number', code: 'parameter_missing' },
          { param: 'routing_number', code: 'routing_number_invalid' },
        ],
      },
    });
    expect(await sql('SELECT count(*) FROM recipients', [])).toEqual(before);
  });

  it('emits it in events, masked, and emits nothing where nothing changed', async () => {
    const { data } = (await ask('GET', '/v1/events?limit=1')).body;
    const id = await created();
    await ask('POST', `/v1/recipients/${id}`, { iban: 'DE62370400440532013001' });
    await ask('POST', `/v1/recipients/${id}`, { iban: 'DE62370400440532013001' });
    await ask('DELETE', `/v1/recipients/${id}`);
    await ask('DELETE', `/v1/recipients/${id}`);
    const { body } = await ask('GET', `/v1/events?after_sequence=${data[0]?.sequence ?? 0}&order=asc`);
    expect(body.data.map(({ type }) => type)).toEqual(['recipient.created', 'recipient.updated', 'recipient.archived']);
    expect(body.data[1]?.['data']).toMatchObject({
      object: { id, bank_details: { iban: '******************3001' } },
      previous_attributes: { bank_details: { iban: '******************3000' } },
    });
    expect(JSON.stringify(body)).not.toContain('0532013');
  });
});

describe('400', () => {
  it.each<[string, Record<string, unknown>]>([
    ['iban_invalid iban', { ...ADA, iban: 'DE89370400440532013001' }],
    ['parameter_missing account_number', US],
    ['parameter_unknown sort_code', { ...ADA, sort_code: '108800' }],
    ['parameter_unknown ibn', { ...ADA, ibn: 'x' }],
    ['parameter_missing name', { ...ADA, name: undefined }],
    ['parameter_invalid account_number', { ...US, account_number: 123456789 }],
    ['country_unsupported country', { ...ADA, country: 'AQ' }],
    ['currency_unsupported currency', { ...ADA, currency: 'HRK' }],
  ])('creates nothing with %s', async (what, fields) => {
    const before = await sql('SELECT count(*) FROM recipients', []);
    expect(refusal(await ask('POST', '/v1/recipients', fields))).toBe(`400 ${what}`);
    expect(await sql('SELECT count(*) FROM recipients', [])).toEqual(before);
  });

  it('refuses updates that cannot be', async () => {
    const id = await created();
    const update = async (fields: Record<string, unknown>) =>
      refusal(await ask('POST', `/v1/recipients/${id}`, fields));
    expect(await update({ country: 'FR' })).toBe('400 parameter_unknown country');
    expect(await update({ iban: 'FR1420041010050500013M02606' })).toBe('400 iban_invalid iban');
    expect(await update({ email: 'ada' })).toBe('400 parameter_invalid email');
    await ask('DELETE', `/v1/recipients/${id}`);
    expect(await update({ name: 'Ada King' })).toBe('400 recipient_archived undefined');
  });

  it('refuses an IBAN to look for that is none, without repeating it', async () => {
    for (const [iban, message] of [
      ['DE89370400440532013001', /^IBAN \*{18}3001 fails its check digits/],
      ['XX89370400440532013000', /begins with the two letters of a country/],
      [`DE${'8'.repeat(300)}`, /^IBAN \*{36}8888 /],
    ] as const) {
      const answer = await ask('POST', '/v1/recipients/search', { iban });
      expect(refusal(answer)).toBe('400 iban_invalid iban');
      expect(answer.body.error.message).toMatch(message);
    }
  });

  it('refuses an unknown filter and a country without banks', async () => {
    expect(refusal(await ask('GET', '/v1/recipients?status=gone'))).toBe('400 parameter_invalid status');
    const asked = await ask('GET', '/v1/recipients/requirements?country=AQ&currency=USD');
    expect(refusal(asked)).toBe('400 country_unsupported country');
    expect(refusal(await ask('GET', '/v1/recipients/requirements'))).toBe('400 parameter_missing country');
    expect(refusal(await ask('POST', '/v1/recipients/validate', { ...ADA, ibn: 'x' }))).toBe(
      '400 parameter_unknown ibn',
    );
  });
});

const OPERATIONS: readonly (readonly [string, string])[] = [
  ['POST', '/v1/recipients'],
  ['GET', '/v1/recipients'],
  ['GET', '/v1/recipients/requirements'],
  ['POST', '/v1/recipients/validate'],
  ['GET', `/v1/recipients/${UNKNOWN}`],
  ['POST', `/v1/recipients/${UNKNOWN}`],
  ['DELETE', `/v1/recipients/${UNKNOWN}`],
];

describe('401 and 403', () => {
  it.each(OPERATIONS)('%s %s needs a key', async (method, path) => {
    const { status, body } = await ask(method, path, undefined, { authorization: 'Bearer sk_test_nobody' });
    expect([status, body.error.code]).toEqual([401, 'api_key_invalid']);
  });

  it.each(OPERATIONS.filter(([method]) => method !== 'GET'))('%s %s needs write', async (method, path) => {
    const { status, body } = await ask(method, path, undefined, as('readOnly'));
    expect([status, body.error.code]).toEqual([403, 'scope_missing']);
    expect(body.error.message).toContain('recipients:write');
  });

  it('reads with the scope to read', async () => {
    expect((await ask('GET', '/v1/recipients', undefined, as('readOnly'))).status).toBe(200);
  });
});

describe('404', () => {
  it.each(OPERATIONS.slice(4))('%s an unknown id', async (method, path) => {
    expect(await ask(method, path)).toMatchObject({ status: 404, body: { error: { code: 'resource_missing' } } });
    const malformed = path.replace(UNKNOWN, 'rcp_1');
    expect(await ask(method, malformed)).toMatchObject({ status: 404, body: { error: { code: 'resource_missing' } } });
  });

  it.each(['live', 'other'] as const)('shows nothing to the %s environment', async (key) => {
    const id = await created();
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await ask(method, `/v1/recipients/${id}`, undefined, as(key))).status).toBe(404);
    }
    expect((await ask('GET', '/v1/recipients', undefined, as(key))).body.data).toEqual([]);
    expect((await ask('GET', `/v1/recipients/${id}`)).body).toMatchObject({ id, status: 'active' });
  });
});

describe('405', () => {
  it('names the methods there are', async () => {
    const { status, headers, body } = await ask('PUT', '/v1/recipients', ADA);
    expect([status, body.error.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')).toBe('POST, GET, HEAD');
  });
});

describe('the shape that comes out goes in', () => {
  it('a read recipient is posted again, with its account and without what the service sets', async () => {
    const read = (await ask('GET', `/v1/recipients/${await created()}`)).body;
    const { id, object, created: _, created_by: _by, livemode, status, duplicate_of: _duplicate, ...rest } = read;
    const { bank_details_changed_at: _changed, ...again } = rest;
    const masked = await ask('POST', '/v1/recipients', again);
    expect(refusal(masked)).toBe('400 parameter_invalid bank_details[iban]');
    expect((await ask('POST', '/v1/recipients/validate', again)).body).toMatchObject({
      valid: false,
      errors: [{ param: 'bank_details[iban]' }],
    });
    const { status: code, body } = await ask('POST', '/v1/recipients', { ...again, bank_details: { iban: ADA.iban } });
    expect(code).toBe(200);
    expect(body).toEqual({ ...read, id: body.id, created: body['created'] });
    expect([object, livemode, status, id === body.id]).toEqual(['recipient', false, 'active', false]);
  });

  it('as a form, and for an update, whose refusal names the nested parameter', async () => {
    const { iban: _, ...rest } = ADA;
    const body = new URLSearchParams({ ...rest, 'bank_details[iban]': ADA.iban }).toString();
    const { id } = (await ask('POST', '/v1/recipients', body, form)).body;
    const changed = await ask('POST', `/v1/recipients/${id}`, { bank_details: { iban: 'DE75512108001245126199' } });
    expect(changed.body['bank_details']).toEqual({ iban: '******************6199' });
    const wrong = await ask('POST', `/v1/recipients/${id}`, { bank_details: { iban: 'DE75512108001245126198' } });
    expect(refusal(wrong)).toBe('400 iban_invalid bank_details[iban]');
    const flat = await ask('POST', `/v1/recipients/${id}`, { iban: 'DE75512108001245126198' });
    expect(refusal(flat)).toBe('400 iban_invalid iban');
  });
});
