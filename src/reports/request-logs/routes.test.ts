/** The request log over HTTP: what is kept of a request, who sees it, and how it is found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { Client, type Json, type Reply } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { startSecondServer } from '../../../test/support/harness/second-server.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { instantOf } from '../../core/values/ids.ts';

const KEPT = { requestLogDays: 14 };
let application: Application;
beforeAll(async () => {
  application = await startApplication({ config: KEPT });
});
afterAll(() => application?.stop());

const idOfRequest = (reply: Reply) => reply.headers['request-id'] as string;
const logOf = (reply: Reply, { client }: Holder = application.sandbox) =>
  client.get(`/v1/request_logs/${idOfRequest(reply)}`);
const listed = async (query: string, { client }: Holder = application.sandbox) =>
  must(await client.get(`/v1/request_logs?limit=100&${query}`)).json['data'] as readonly Json[];
const idsIn = (entries: readonly Json[]) => entries.map(({ id }) => id);
const IBAN = 'DE02120300000000202051';

describe('an entry', () => {
  it('of a refusal is found by its id at once, and says who asked for what and why not', async () => {
    const { client, id: actor } = application.sandbox;
    const order = {
      amount: '1e3',
      currency: 'EURO',
      source_account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
      reference: 'Rent',
    };
    const refused = await client.post('/v1/payouts?expand[]=recipient', order, {
      idempotencyKey: 'refused 1',
      headers: { 'user-agent': 'erp/2.1 (payroll)' },
    });
    expect(refused.status).toBe(400);
    const { json } = must(await logOf(refused));
    const error = refused.json['error'] as Json;
    expect(json).toMatchObject({
      id: idOfRequest(refused),
      object: 'request_log',
      livemode: false,
      actor,
      source: 'api',
      method: 'POST',
      path: '/v1/payouts',
      route: '/v1/payouts',
      status: 400,
      code: error['code'],
      idempotency_key: 'refused 1',
      replayed: false,
      resource: null,
      ip: '127.0.0.1',
      user_agent: 'erp/2.1 (payroll)',
      request: { expand: ['recipient'], ...order, reference: '•', currency: 'EURO' },
      error: { type: 'invalid_request_error', code: error['code'], param: error['param'] },
    });
    expect(json['created']).toBe(Math.floor(instantOf(idOfRequest(refused)) / 1000));
    expect(json['duration_ms']).toBeTypeOf('number');
    expect(Object.keys(json)).not.toContain('operation');
  });

  it('of a success says what was made, and nothing of the answer', async () => {
    const { client } = application.sandbox;
    const options = { idempotencyKey: 'made 1' };
    const first = must(await client.post('/v1/accounts', { currency: 'EUR', name: 'Rossum' }, options));
    const again = must(await client.post('/v1/accounts', { currency: 'EUR', name: 'Rossum' }, options));
    const account = first.json['id'] as string;
    const { json, text } = must(await logOf(first));
    expect(json).toMatchObject({ status: 200, code: null, error: null, resource: account, replayed: false });
    expect(json['request']).toEqual({ currency: 'EUR', name: '•' });
    expect(text).not.toContain('Rossum');
    expect(must(await logOf(again)).json).toMatchObject({ replayed: true, resource: account });
  });

  it('names the object in the path', async () => {
    const { client } = application.sandbox;
    const unknown = await client.get('/v1/recipients/rcp_01jd3v9q4ne8v8k3w2m6r5t7xa');
    expect(must(await logOf(unknown)).json).toMatchObject({
      path: '/v1/recipients/rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
      route: '/v1/recipients/:id',
      resource: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
      status: 404,
      code: 'resource_missing',
    });
    const named = await client.get('/v1/recipients/lovelace?limit=x');
    const { json, text } = must(await logOf(named));
    expect(json).toMatchObject({ path: '/v1/recipients/•', resource: null, status: 400 });
    expect(text).not.toContain('lovelace');
  });

  it('keeps nothing of a body that cannot be read, of a table, and of one that is long', async () => {
    const { client } = application.sandbox;
    const bodies: readonly (readonly [string, string])[] = [
      [`{"iban":"${IBAN}"`, 'application/json'],
      [`iban=${IBAN}%zz`, 'application/x-www-form-urlencoded'],
      [`name,iban\nAda,${IBAN}\n`, 'text/csv'],
      [JSON.stringify({ currency: 'EUR', metadata: { note: 'x'.repeat(9_000) } }), 'application/json'],
      [JSON.stringify({ currency: 'EUR', note: 'x'.repeat(1_100_000) }), 'application/json'],
    ];
    for (const [body, type] of bodies) {
      const reply = await client.post('/v1/payouts/batch', body, { headers: { 'content-type': type } });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(must(await logOf(reply)).json).toMatchObject({ path: '/v1/payouts/batch', request: null });
    }
  });

  it('of a key that has ended has its environment; of one that nobody knows there is none', async () => {
    const ended = await application.key();
    await application.revoke(ended);
    const refused = await eventually('the key has ended', async () => {
      const reply = await ended.client.get('/v1/accounts');
      return reply.status === 401 && reply;
    });
    expect(must(await logOf(refused)).json).toMatchObject({
      status: 401,
      actor: ended.id,
      code: 'api_key_invalid',
    });
    const stranger = new Client(application.address, `sk_test_${'z'.repeat(49)}`);
    const unknown = await stranger.get('/v1/accounts');
    stranger.close();
    expect(unknown.status).toBe(401);
    expect(outcome(await logOf(unknown))).toBe('404 resource_missing id');
  });
});

describe('the list', () => {
  let holder: Holder;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    holder = await application.key({ merchant: 'lister' });
    const { client } = holder;
    const ask = async (name: string, asked: Promise<Reply>) => {
      ids[name] = idOfRequest(await asked);
    };
    const account = must(await client.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey: 'k1' }));
    ids['made'] = idOfRequest(account);
    const id = account.json['id'] as string;
    ids['account'] = id;
    await ask('read', client.get(`/v1/accounts/${id}`));
    await ask('unknown', client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa'));
    await ask('invalid', client.post('/v1/accounts', { currency: 'EURO' }, { idempotencyKey: 'k2' }));
    await ask('deleted', client.write('DELETE', '/v1/webhook_endpoints/we_01jd3v9q4ne8v8k3w2m6r5t7xa', ''));
    await ask('listed', client.get('/v1/payouts?limit=1'));
    await logOf(account, holder);
    must(await client.get(`/v1/request_logs/${ids['listed']}`));
  });
  const names = async (query: string) => {
    const found = new Set(idsIn(await listed(query, holder)));
    return ['made', 'read', 'unknown', 'invalid', 'deleted', 'listed'].filter((name) => found.has(ids[name] as string));
  };

  it.each([
    ['', 'made read unknown invalid deleted listed'],
    ['status=refused', 'unknown invalid deleted'],
    ['status=404', 'unknown deleted'],
    ['status[]=404&status[]=400', 'unknown invalid deleted'],
    ['status=200', 'made read listed'],
    ['status[]=200&status[]=400', 'made read invalid listed'],
    ['status[]=200&status[]=refused', 'made read unknown invalid deleted listed'],
    ['method=POST', 'made invalid'],
    ['method=DELETE', 'deleted'],
    ['path=/v1', 'made read unknown invalid deleted listed'],
    ['path=/v1/accounts', 'made read unknown invalid'],
    ['path=/v1/accounts/', 'made read unknown invalid'],
    ['path=/v1/account', ''],
    ['path=/v1/accounts&method=GET', 'read unknown'],
    ['code=resource_missing', 'unknown deleted'],
    ['code=resource_missing&method=GET', 'unknown'],
    ['idempotency_key=k1', 'made'],
    ['resource=acct_01jd3v9q4ne8v8k3w2m6r5t7xa', 'unknown'],
    ['status=refused&path=/v1/accounts&method=POST', 'invalid'],
    ['created[lt]=1', ''],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected.split(' ').filter((name) => name !== ''));
  });

  it('by a path with an id, and by who asked', async () => {
    expect(await names(`path=/v1/accounts/${ids['account']}`)).toEqual(['read']);
    expect(await names(`resource=${ids['account']}`)).toEqual(['made', 'read']);
    expect(await names(`actor=${holder.id}`)).toHaveLength(6);
    expect(await names(`actor=${application.sandbox.id}`)).toEqual([]);
  });

  it('is newest first, in pages, and as CSV', async () => {
    const all = (await listed('', holder)).map(({ id }) => id as string);
    expect(all).toEqual(all.toSorted().toReversed());
    const page = must(await holder.client.get(`/v1/request_logs?limit=2&starting_after=${ids['deleted']}`)).json;
    expect(idsIn(page['data'] as Json[])).toEqual([ids['invalid'], ids['unknown']]);
    const { text } = must(
      await holder.client.send('GET', '/v1/request_logs?status=refused', '', { accept: 'text/csv' }),
    );
    expect(text.split('\n')[0]).toMatch(/^id,.*\bstatus\b/);
    expect(text).toContain(ids['invalid']);
    expect(text).not.toContain(ids['made']);
  });

  it.each([
    ['status=299', 'status'],
    ['status=ok', 'status'],
    ['method=PATCH', 'method'],
    ['path=payouts', 'path'],
    ['path=/v1/payouts%25', 'path'],
    ['code=nothing', 'code'],
    ['actor=po_01jd3v9q4ne8v8k3w2m6r5t7xa', 'actor'],
  ])('refuses %s', async (query, param) => {
    expect(outcome(await holder.client.get(`/v1/request_logs?${query}`))).toBe(`400 parameter_invalid ${param}`);
  });
});

describe('who sees an entry', () => {
  it('keys of its environment with the scope, and no others', async () => {
    const refused = await application.sandbox.client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
    must(await logOf(refused));
    for (const other of [application.live, application.otherSandbox, application.otherLive]) {
      expect(outcome(await logOf(refused, other))).toBe('404 resource_missing id');
      expect(idsIn(await listed('status=refused', other))).not.toContain(idOfRequest(refused));
      const behind = await other.client.get(`/v1/request_logs?starting_after=${idOfRequest(refused)}`);
      expect(outcome(behind)).toBe('400 resource_missing starting_after');
    }
    const reader = await application.key({ scopes: ['request_logs:read'] });
    must(await logOf(refused, reader));
    const other = await application.key({ scopes: ['accounts:read'] });
    expect(outcome(await logOf(refused, other))).toBe('403 scope_missing');
  });

  it('a key that is restricted to accounts: its own line', async () => {
    const account = must(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR' })).json[
      'id'
    ] as string;
    const restricted = await application.key({ accounts: [account], scopes: ['accounts:read', 'request_logs:read'] });
    const own = await restricted.client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
    const others = await application.sandbox.client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
    must(await logOf(others));
    must(await logOf(own, restricted));
    expect(outcome(await logOf(others, restricted))).toBe('404 resource_missing id');
    const actors = new Set((await listed('', restricted)).map(({ actor }) => actor));
    expect(actors).toEqual(new Set([restricted.id]));
    expect(idsIn(await listed(`actor=${application.sandbox.id}`, restricted))).toEqual([]);
  });
});

it('what one server answers is found at another within two seconds', async () => {
  const other = await startSecondServer(application, undefined, KEPT);
  const client = new Client(other.address, application.sandbox.key);
  try {
    for (let round = 0; round < 3; round++) {
      const refused = await client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
      expect(must(await logOf(refused)).json).toMatchObject({ status: 404 });
    }
    const refused = await client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xb');
    await other.stop(); // writes what waits
    const rows = await application.sql('SELECT FROM request_logs WHERE resource = $1', [
      'acct_01jd3v9q4ne8v8k3w2m6r5t7xb',
    ]);
    expect(rows).toHaveLength(1);
    must(await logOf(refused));
  } finally {
    client.close();
  }
});

it('a reset of the sandbox erases its entries and no others', async () => {
  const holder = await application.key({ merchant: 'resetter' });
  const missing = '/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const [gone, stays] = [await holder.client.get(missing), await application.sandbox.client.get(missing)];
  must(await logOf(gone, holder));
  must(await logOf(stays));
  must(await holder.client.post('/v1/test_helpers/reset', {}));
  expect(outcome(await logOf(gone, holder))).toBe('404 resource_missing id');
  must(await logOf(stays));
});

it('without a log nothing is kept, and reads find nothing', async () => {
  const off = await startApplication();
  try {
    const refused = await off.sandbox.client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
    expect(outcome(await off.sandbox.client.get(`/v1/request_logs/${idOfRequest(refused)}`))).toBe(
      '404 resource_missing id',
    );
    expect(must(await off.sandbox.client.get('/v1/request_logs')).json).toEqual({ data: [] });
    expect(await off.sql('SELECT FROM request_logs')).toEqual([]);
  } finally {
    await off.stop();
  }
});
