/** Webhook endpoints over real HTTP, grouped by status. What is sent to them: `delivery-routes.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import {
  type Application,
  type Holder,
  SERVER_SECRET,
  startApplication,
} from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { MAX_ENDPOINTS } from './decide.ts';
import { secretBox } from './signature.ts';

const PATH = '/v1/webhook_endpoints';
const HOOK = 'https://hooks.example.com/bursar';
/** Asked for by nobody's other tests, so that nothing is sent. */
const QUIET = { url: HOOK, enabled_events: ['account.closed'] };
const UNKNOWN = 'we_01jd3v9q4ne8v8k3w2m6r5t7xa';

let application: Application;
let client: Client;

beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
});
afterAll(() => application?.stop());

/** A new endpoint in an environment that has room for it. */
const create = async (fields: object = QUIET, at: Client = client) => must(await at.post(PATH, fields)).json;
const remove = (id: unknown, at: Client = client) => at.write('DELETE', `${PATH}/${id as string}`, '');
const created = async (fields: object = QUIET) => (await create(fields))['id'] as string;
const act = (id: string, verb: string, body: object = {}) => client.post(`${PATH}/${id}/${verb}`, body);
const newest = async (): Promise<Json> =>
  (must(await client.get('/v1/events?limit=1')).json['data'] as readonly [Json])[0];

describe('403: a restricted key', () => {
  it('cannot have events sent that it may not read, and the refusal leaves its idempotency key free', async () => {
    const { client: narrow } = await application.key({ scopes: ['webhook_endpoints:write', 'accounts:read'] });
    const { client: wide } = await application.key({
      scopes: ['webhook_endpoints:write', 'accounts:read', 'payouts:read', 'payroll:read'],
    });
    const hook = { url: HOOK, enabled_events: ['payout.failed'] };
    const once = { idempotencyKey: 'endpoint of two keys' };
    const refused = await narrow.post(PATH, hook, once);
    expect([outcome(refused), (refused.json['error'] as Json)['message']]).toEqual([
      '403 scope_missing enabled_events',
      'This restricted key may not have these events sent: it lacks payouts:read, payroll:read.',
    ]);
    const id = must(await wide.post(PATH, hook, once)).json['id'] as string;
    const account = must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '5' }));
    const recipient = must(await client.post('/v1/recipients', RECIPIENT)).json['id'] as string;
    const payout = { amount: '1', currency: 'EUR', account, recipient };
    must(await client.post('/v1/payouts', payout));
    const events = must(await client.get('/v1/events?type=payout.created')).json['data'] as readonly Json[];
    const event = events[0]?.['id'] as string;
    const asks: readonly [string, object, RegExp][] = [
      [`${PATH}/${id}`, { url: 'https://elsewhere.example.com/' }, /^403 scope_missing/],
      [`${PATH}/${id}`, { enabled_events: ['account.closed'] }, /^403 scope_missing/],
      [`${PATH}/${id}/roll_secret`, {}, /^403 scope_missing/],
      [`${PATH}/${id}/replay`, {}, /^403 scope_missing/],
      [`${PATH}/${id}/replay`, { event }, /^404 resource_missing event$/],
      [`/v1/events/${event}/resend`, { webhook_endpoint: id }, /^404 resource_missing id$/],
    ];
    for (const [path, body, refusal] of asks) {
      expect([path, outcome(await narrow.post(path, body))]).toEqual([path, expect.stringMatching(refusal)]);
      expect([path, outcome(await wide.post(path, body))], 'the control').toEqual([path, '200']);
      if (path === `${PATH}/${id}`) must(await client.post(path, hook));
    }
    expect(outcome(await narrow.post(PATH, { url: HOOK }))).toMatch(/^403 scope_missing/); // everything, by default
    must(await narrow.post(`${PATH}/${id}`, { description: 'words are free' }));
    must(await remove(id));
  });

  it('is not told what another request under its idempotency key was about', async () => {
    const { client: narrow } = await application.key({ scopes: ['payouts:write'] });
    const once = { idempotencyKey: 'an account of somebody else' };
    const made = must(await client.post('/v1/accounts', { currency: 'EUR', name: 'secret project' }, once)).json['id'];
    const order = { amount: '1', currency: 'EUR', recipient: UNKNOWN.replace('we_', 'rcp_') };
    const blind = await narrow.post('/v1/payouts', order, once);
    expect(blind.json['error']).toEqual({
      type: 'idempotency_error',
      code: 'idempotency_key_reused',
      message: 'This Idempotency-Key was used before by somebody else. Use a new key.',
      doc_url: expect.any(String),
      request_id: expect.any(String),
    });
    const seen = await client.post('/v1/accounts', { currency: 'EUR', name: 'other' }, once);
    expect(seen.json['error'], 'the control').toMatchObject({ param: 'name', resource_id: made });
  });
});

describe('200', () => {
  it('creates, shows the secret once, and tells it without', async () => {
    const { secret, ...endpoint } = await create({ url: 'https://HOOKS.example.com', metadata: { a: 'b' } });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^we_[0-9a-z]{26}$/),
      object: 'webhook_endpoint',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      url: 'https://hooks.example.com/',
      enabled_events: ['*'],
      description: null,
      version: '2026-12-01',
      ordered: false,
      headers: {},
      status: 'enabled',
      disabled_reason: null,
      first_failed_at: null,
      metadata: { a: 'b' },
    });
    expect(must(await client.get(`${PATH}/${endpoint['id'] as string}`)).json).toEqual(endpoint);
    expect(await newest()).toMatchObject({ type: 'webhook_endpoint.created', data: { object: endpoint } });
    must(await remove(endpoint['id']));
  });

  it('keeps the secret sealed, and replays it in clear, byte for byte', async () => {
    const key = { idempotencyKey: 'one endpoint' };
    // Members that look like the secret in texts of one's own are not taken for it.
    const wicked = { ...QUIET, description: '"secret":"v1.x"', metadata: { secret: 'v1.0badc0de.x' } };
    const first = must(await client.post(PATH, wicked, key));
    const again = must(await client.post(PATH, wicked, key));
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.json).toMatchObject({ description: '"secret":"v1.x"', metadata: { secret: 'v1.0badc0de.x' } });
    const { id, secret } = first.json as { id: string; secret: string };
    const [stored] = await application.sql(
      'SELECT secrets, body FROM webhook_endpoints, idempotency_records WHERE id = $1 AND key = $2',
      [uuidOf(id), 'one endpoint'],
    );
    expect(JSON.stringify(stored)).not.toContain(secret);
    const [{ sealed }] = JSON.parse(stored?.['secrets'] as string) as [{ sealed: string }];
    expect(stored?.['body']).toContain(`"secret":"${sealed}"`);
    expect(secretBox({ current: SERVER_SECRET, previous: [] }).open(sealed, id)).toBe(secret);
    expect((await client.get(`${PATH}/${id}`)).text).not.toContain('secret":"whsec');
    must(await remove(id));
    expect((await client.post(PATH, wicked, key)).text).toBe(first.text);
  });

  it('takes a form as well', async () => {
    const form = `url=${encodeURIComponent(HOOK)}&enabled_events[]=payout.*&enabled_events[]=ping&ordered=true&metadata[a]=b`;
    const { json } = must(await client.post(PATH, form, { form: true }));
    expect(json).toMatchObject({ enabled_events: ['payout.*', 'ping'], ordered: true, metadata: { a: 'b' } });
    must(await remove(json['id']));
  });

  it('sends to this machine in the sandbox', async () => {
    const { id, url } = await create({ ...QUIET, url: 'http://localhost:3000/hooks?a=b' });
    expect(url).toBe('http://localhost:3000/hooks?a=b');
    must(await remove(id));
  });

  it('updates what was sent, unsets by an empty text, says nothing where nothing changed', async () => {
    const id = await created({ ...QUIET, description: 'old', metadata: { a: 'b' } });
    const changes = { url: 'https://new.example.com/', description: '', ordered: true, 'metadata[a]': '' };
    const { json } = must(await client.post(`${PATH}/${id}`, changes, { form: true }));
    expect(json).toMatchObject({ url: changes.url, description: null, ordered: true, metadata: {} });
    expect(json).not.toHaveProperty('secret');
    const event = await newest();
    expect(event).toMatchObject({
      type: 'webhook_endpoint.updated',
      data: { previous_attributes: { url: HOOK, description: 'old', ordered: false, metadata: { a: 'b' } } },
    });
    must(await client.post(`${PATH}/${id}`, { ordered: true }));
    expect((await newest())['id']).toBe(event['id']);
    must(await remove(id));
  });

  it('deletes: gone everywhere', async () => {
    const id = await created();
    expect(must(await remove(id)).json).toEqual({ id, object: 'webhook_endpoint', deleted: true });
    expect(await newest()).toMatchObject({ type: 'webhook_endpoint.deleted', data: { object: { id } } });
    expect(outcome(await client.get(`${PATH}/${id}`))).toBe('404 resource_missing id');
    expect(must(await client.get(PATH)).json).toEqual({ data: [] });
    const [row] = await application.sql('SELECT secrets FROM webhook_endpoints WHERE id = $1', [uuidOf(id)]);
    expect(row).toEqual({ secrets: '[]' });
  });

  it('disables and enables, each once', async () => {
    const id = await created();
    for (let i = 0; i < 2; i++) {
      const { json } = must(await act(id, 'disable'));
      expect(json).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    }
    const disabled = await newest();
    expect(disabled).toMatchObject({ type: 'webhook_endpoint.disabled' });
    expect(must(await act(id, 'enable')).json).toMatchObject({ status: 'enabled', disabled_reason: null });
    expect((await newest())['sequence']).toBe((disabled['sequence'] as number) + 1);
    must(await remove(id));
  });

  it('lists newest first, by state and pages', async () => {
    const own = (await application.key({ merchant: 'lister' })).client;
    const ids = [(await create(QUIET, own))['id'], (await create(QUIET, own))['id'], (await create(QUIET, own))['id']];
    must(await own.post(`${PATH}/${ids[1] as string}/disable`));
    const listed = async (query: string) =>
      (must(await own.get(`${PATH}?${query}`)).json['data'] as readonly Json[]).map(({ id }) => id);
    expect(await listed('')).toEqual(ids.toReversed());
    expect(await listed('status=disabled')).toEqual([ids[1]]);
    expect(await listed('status=enabled&order=asc')).toEqual([ids[0], ids[2]]);
    expect(await listed(`limit=1&starting_after=${ids[2] as string}`)).toEqual([ids[1]]);
    expect(must(await own.get(`${PATH}?limit=1`)).json).toMatchObject({ has_more: true });
    expect(must(await own.get(PATH)).text).not.toContain('whsec_');
  });

  it('rolls the secret: another one, the old one signs for the overlap', async () => {
    const { id, secret } = (await create()) as { id: string; secret: string };
    const path = `${PATH}/${id}/roll_secret`;
    const key = { idempotencyKey: 'roll once' };
    const first = must(await client.post(path, { expires_in: 3600 }, key));
    expect(first.json).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
    expect(first.json['secret']).not.toBe(secret);
    expect(must(await client.post(path, { expires_in: 3600 }, key)).text).toBe(first.text);
    const stored = async () => {
      const [row] = await application.sql('SELECT secrets FROM webhook_endpoints WHERE id = $1', [uuidOf(id)]);
      return JSON.parse(row?.['secrets'] as string) as { sealed: string; expires_at: number | null }[];
    };
    const box = secretBox({ current: SERVER_SECRET, previous: [] });
    expect((await stored()).map(({ sealed }) => box.open(sealed, id))).toEqual([first.json['secret'], secret]);
    expect((await stored())[1]?.expires_at).toBeCloseTo(Date.now() + 3_600_000, -5);
    must(await client.post(path, { expires_in: 0 }));
    expect(await stored()).toHaveLength(1);
    must(await remove(id));
  });

  it('tests: answers the delivery of a ping', async () => {
    const id = await created({ ...QUIET, url: 'http://127.0.0.1:9/' });
    const { json } = must(await act(id, 'test'));
    const event = await newest();
    expect(event).toMatchObject({ type: 'ping', data: { object: { id } } });
    expect(json).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      object: 'delivery',
      created: event['created'],
      livemode: false,
      webhook_endpoint: id,
      event: event['id'],
      event_type: 'ping',
      sequence: event['sequence'],
      status: 'pending',
      next_attempt_at: event['created'],
      attempts: [],
    });
    must(await remove(id));
  });
});

describe('400', () => {
  it.each<[what: string, fields: object]>([
    ['parameter_missing url', { url: undefined }],
    ['parameter_invalid url', { url: '' }],
    ['parameter_invalid url', { url: 5 }],
    ['text_invalid url', { url: 'https://hooks.example.com/\u202e' }],
    ['text_too_long url', { url: `https://hooks.example.com/${'x'.repeat(2048)}` }],
    ['webhook_url_refused url', { url: 'hooks.example.com' }],
    ['webhook_url_refused url', { url: 'ftp://hooks.example.com/' }],
    ['webhook_url_refused url', { url: 'https://me:secret@hooks.example.com/' }],
    ['webhook_url_refused url', { url: 'http://hooks.example.com/' }],
    ['webhook_url_refused url', { url: 'https://10.0.0.1/' }],
    ['webhook_url_refused url', { url: 'https://169.254.169.254/latest/meta-data' }],
    ['parameter_invalid enabled_events', { enabled_events: [] }],
    ['parameter_invalid enabled_events', { enabled_events: Array.from({ length: 101 }, () => 'ping') }],
    ['parameter_invalid enabled_events', { enabled_events: 'payout.*' }],
    ['parameter_invalid enabled_events[1]', { enabled_events: ['ping', 'payot.*'] }],
    ['parameter_invalid enabled_events[0]', { enabled_events: [5] }],
    ['parameter_invalid ordered', { ordered: 'yes' }],
    ['text_too_long description', { description: 'x'.repeat(501) }],
    ['card_number_refused description', { description: '4111 1111 1111 1111' }],
    ['parameter_unknown events', { events: ['*'] }],
  ])('%s, on create and on update', async (what, fields) => {
    expect(outcome(await client.post(PATH, { ...QUIET, ...fields }))).toBe(`400 ${what}`);
    if (what === 'parameter_missing url') return;
    const id = await created();
    expect(outcome(await client.post(`${PATH}/${id}`, fields))).toBe(`400 ${what}`);
    expect(must(await client.get(`${PATH}/${id}`)).json).toMatchObject(QUIET);
    must(await remove(id));
  });

  it('says why a URL is refused and which events there are; live is stricter', async () => {
    const loopback = { ...QUIET, url: 'http://localhost:3000/' };
    const refused = await application.live.client.post(PATH, loopback);
    expect(outcome(refused)).toBe('400 webhook_url_refused url');
    expect((refused.json['error'] as Json)['message']).toMatch(/^localhost leads to this machine\. /);
    expect(outcome(await application.live.client.post(PATH, { url: 'http://hooks.example.com/' }))).toBe(
      '400 webhook_url_refused url',
    );
    const { id } = await create(QUIET, application.live.client);
    must(await remove(id, application.live.client));
    const unknown = await client.post(PATH, { ...QUIET, enabled_events: ['nothing'] });
    expect((unknown.json['error'] as Json)['allowed']).toContain('payout.paid');
  });

  it('a card-like path in a URL is none of our business', async () => {
    must(await remove(await created({ ...QUIET, url: `${HOOK}/4111111111111111` })));
  });

  it('more endpoints than an environment has', async () => {
    const own = (await application.key({ merchant: 'collector' })).client;
    const some = await Promise.all(Array.from({ length: MAX_ENDPOINTS }, () => create(QUIET, own)));
    expect(outcome(await own.post(PATH, QUIET))).toBe('400 webhook_endpoint_limit');
    must(await remove(some[3]?.['id'], own));
    await create(QUIET, own);
  });

  it.each([-1, 604_801, 1.5, '60'])('expires_in %j', async (expires) => {
    const id = await created();
    expect(outcome(await act(id, 'roll_secret', { expires_in: expires }))).toBe('400 parameter_invalid expires_in');
    must(await remove(id));
  });

  it('more secrets than may sign at once', async () => {
    const id = await created();
    for (let i = 0; i < 3; i++) must(await act(id, 'roll_secret'));
    const refused = await act(id, 'roll_secret');
    expect(outcome(refused)).toBe('400 webhook_secret_limit');
    expect(refused.text).not.toContain('v1.');
    must(await remove(id));
  });

  it('a test of a disabled endpoint', async () => {
    const id = await created();
    must(await act(id, 'disable'));
    expect(outcome(await act(id, 'test'))).toBe('400 webhook_endpoint_disabled id');
    must(await remove(id));
  });

  it('an unknown filter', async () => {
    expect(outcome(await client.get(`${PATH}?status=gone`))).toBe('400 parameter_invalid status');
  });
});

const OF_ONE: readonly (readonly [method: string, path: string])[] = [
  ['GET', `${PATH}/${UNKNOWN}`],
  ['POST', `${PATH}/${UNKNOWN}`],
  ['DELETE', `${PATH}/${UNKNOWN}`],
  ['POST', `${PATH}/${UNKNOWN}/test`],
  ['POST', `${PATH}/${UNKNOWN}/roll_secret`],
  ['POST', `${PATH}/${UNKNOWN}/enable`],
  ['POST', `${PATH}/${UNKNOWN}/disable`],
];
const ALL = [['GET', PATH], ['POST', PATH], ...OF_ONE] as const;

describe('401 and 403', () => {
  it.each(ALL)('%s %s needs a key with the scope', async (method, path) => {
    expect(outcome(await client.send(method, path, '', { authorization: '' }))).toBe('401 api_key_invalid');
    const half: Holder = await application.key({
      scopes: [method === 'GET' ? 'settings:write' : 'webhook_endpoints:read', 'events:write'],
    });
    expect(outcome(await half.client.send(method, path, '', {}))).toBe('403 scope_missing');
  });
});

describe('404', () => {
  it.each(OF_ONE)('%s %s: unknown, malformed, deleted, of another environment', async (method, path) => {
    const gone = await created();
    must(await remove(gone));
    for (const id of [UNKNOWN, 'we_1', gone]) {
      expect(outcome(await client.send(method, path.replace(UNKNOWN, id), '', {}))).toBe('404 resource_missing id');
    }
    const id = await created();
    for (const { client: stranger } of [application.live, application.otherSandbox]) {
      expect(outcome(await stranger.send(method, path.replace(UNKNOWN, id), '', {}))).toBe('404 resource_missing id');
    }
    expect(must(await client.get(`${PATH}/${id}`)).json).toMatchObject({ ...QUIET, status: 'enabled' });
    must(await remove(id));
  });
});

describe('405', () => {
  it('names the methods there are', async () => {
    const { status, headers } = await client.send('PUT', PATH, '', {});
    expect([status, headers['allow']]).toEqual([405, 'POST, GET, HEAD']);
  });
});
