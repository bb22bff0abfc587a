/** Accounts over real HTTP, grouped by status, so that a missing one is seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';

const UNKNOWN = 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa';

let application: Application;
let client: Client;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
afterAll(() => application?.stop());

const created = async (body: object = { currency: 'EUR' }): Promise<string> =>
  idIn(await client.post('/v1/accounts', body));
const get = async (path: string): Promise<Json> => must(await client.get(path)).json;
const idsOf = async (query: string): Promise<unknown[]> =>
  ((await get(`/v1/accounts${query}`))['data'] as readonly Json[]).map(({ id }) => id);
const eventsAbout = async (id: string): Promise<readonly Json[]> =>
  (await get(`/v1/events?related_object=${id}&order=asc`))['data'] as readonly Json[];

describe('200', () => {
  it('creates with everything, in any case of the currency, as JSON and as a form', async () => {
    const json = must(
      await client.post('/v1/accounts', { currency: 'eur', name: 'Operations', metadata: { a: 'b' } }),
    ).json;
    expect(json).toEqual({
      id: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
      object: 'account',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      currency: 'EUR',
      balance: 0,
      name: 'Operations',
      status: 'open',
      metadata: { a: 'b' },
    });
    const form = must(
      await client.post('/v1/accounts', { currency: 'EUR', metadata: { a: 'b' } }, { form: true }),
    ).json;
    expect(form).toMatchObject({ currency: 'EUR', name: null, metadata: { a: 'b' } });
    expect(await get(`/v1/accounts/${json['id'] as string}`)).toEqual(json);
  });

  it('lists as the interface shows: data alone, newest first, by filters and pages, with a link to the next', async () => {
    const { client: other } = application.otherSandbox;
    const ids: string[] = [];
    for (const currency of ['EUR', 'USD', 'EUR']) ids.unshift(idIn(await other.post('/v1/accounts', { currency })));
    const list = async (query: string) => must(await other.get(`/v1/accounts${query}`));
    const of = async (query: string) => ((await list(query)).json['data'] as readonly Json[]).map(({ id }) => id);
    const all = await list('');
    expect(Object.keys(all.json)).toEqual(['data']);
    expect(await of('')).toEqual(ids);
    expect(await of('?order=asc')).toEqual(ids.toReversed());
    expect(await of('?currency=eur')).toEqual([ids[0], ids[2]]);
    const first = await list('?limit=2');
    expect(first.json['has_more']).toBe(true);
    expect(first.headers['link']).toBe(
      `<${application.address}/v1/accounts?limit=2&starting_after=${ids[1]}>; rel="next"`,
    );
    expect(await of(`?limit=2&starting_after=${ids[1]}`)).toEqual([ids[2]]);
    expect(await of(`?limit=1&ending_before=${ids[2]}`)).toEqual([ids[1]]);
    expect(await of('?created[gte]=4000000000')).toEqual([]);
    expect(await of(`?created[lte]=${Math.floor(Date.now() / 1000) + 5}`)).toEqual(ids);
    await other.post(`/v1/accounts/${ids[1]}/close`);
    expect(await of('?status=closed')).toEqual([ids[1]]);
    expect(await of('?status=open')).toEqual([ids[0], ids[2]]);
  });

  it('updates name and metadata, unsets them by empty values, and says so in events', async () => {
    const id = await created({ currency: 'EUR', name: 'Old', metadata: { a: 'b', c: 'd' } });
    const path = `/v1/accounts/${id}`;
    expect(must(await client.post(path, { name: 'New', metadata: { a: '', e: 'f' } })).json).toMatchObject({
      name: 'New',
      metadata: { c: 'd', e: 'f' },
    });
    expect(must(await client.post(path, 'name=', { form: true })).json).toMatchObject({ name: null });
    must(await client.post(path, {}));
    expect((await eventsAbout(id)).map(({ type, data }) => [type, (data as Json)['previous_attributes']])).toEqual([
      ['account.created', undefined],
      ['account.updated', { name: 'Old', metadata: { a: 'b', e: null } }],
      ['account.updated', { name: 'New' }],
    ]);
  });

  it('funds in the sandbox, in minor units of the currency', async () => {
    for (const [currency, amount, balance] of [
      ['EUR', '250.5', 25_050],
      ['JPY', 250, 250],
      ['KWD', '1.234', 1_234],
    ] as const) {
      const id = await created({ currency });
      const funded = must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount })).json;
      expect(funded).toMatchObject({ id, balance });
      const [, event] = await eventsAbout(id);
      expect(event).toMatchObject({
        type: 'balance.updated',
        data: {
          object: { id, balance },
          previous_attributes: { balance: 0 },
          transfer: expect.stringMatching(/^trf_/),
        },
      });
    }
  });

  it('closes at zero; a closed account stays readable', async () => {
    const id = await created();
    expect(must(await client.post(`/v1/accounts/${id}/close`)).json).toMatchObject({
      id,
      status: 'closed',
      balance: 0,
    });
    expect(await get(`/v1/accounts/${id}`)).toMatchObject({ status: 'closed' });
    expect((await eventsAbout(id)).map(({ type }) => type)).toEqual(['account.created', 'account.closed']);
  });

  it('answers a retry with the very same bytes', async () => {
    const options = { idempotencyKey: 'account once' };
    const [first, again] = [
      await client.post('/v1/accounts', { currency: 'CHF' }, options),
      await client.post('/v1/accounts', { currency: 'chf' }, options),
    ];
    expect(again.text).toBe(first.text);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(await idsOf('?currency=CHF')).toHaveLength(1);
  });
});

describe('400', () => {
  it.each<[string, object]>([
    ['parameter_missing currency', {}],
    ['currency_unsupported currency', { currency: 'XXX' }],
    ['parameter_unknown balance', { currency: 'EUR', balance: 5 }],
    ['text_too_long name', { currency: 'EUR', name: 'x'.repeat(101) }],
    ['text_invalid name', { currency: 'EUR', name: 'a\u202eb' }],
    ['metadata_invalid metadata', { currency: 'EUR', metadata: { ['x'.repeat(41)]: 'y' } }],
  ])('%s', async (what, body) => {
    expect(outcome(await client.post('/v1/accounts', body))).toBe(`400 ${what}`);
  });

  it('a closed account takes nothing more, an account with money does not close', async () => {
    const id = await created();
    must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 5 }));
    const full = await client.post(`/v1/accounts/${id}/close`);
    expect(outcome(full)).toBe('400 account_not_empty');
    expect(full.json['error']).toMatchObject({ available_minor: 500 });
    const closed = await created();
    must(await client.post(`/v1/accounts/${closed}/close`));
    expect(outcome(await client.post(`/v1/accounts/${closed}/close`))).toBe('400 account_closed id');
    expect(outcome(await client.post(`/v1/test_helpers/accounts/${closed}/fund`, { amount: 5 }))).toBe(
      '400 account_closed id',
    );
  });

  it('more than fifty keys of metadata, also one by one', async () => {
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    const id = await created({ currency: 'EUR', metadata: keys });
    expect(outcome(await client.post(`/v1/accounts/${id}`, { metadata: { more: 'v' } }))).toBe(
      '400 metadata_invalid metadata',
    );
    must(await client.post(`/v1/accounts/${id}`, { metadata: { k0: '', more: 'v' } }));
  });

  it('a balance above the largest that may be ordered', async () => {
    const id = await created({ currency: 'JPY' });
    const fund = () => client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: '999999999999999' });
    must(await fund());
    expect(outcome(await fund())).toMatch(/^400 balance_too_large/);
    expect(outcome(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 0 }))).toBe(
      '400 amount_too_small amount',
    );
    expect(outcome(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: '0.5' }))).toBe(
      '400 amount_invalid amount',
    );
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=1.5',
    '?status=gone',
    '?order=up',
    '?created=x',
    `?starting_after=po_01jd3v9q4ne8v8k3w2m6r5t7xa`,
  ])('the list with %s', async (query) =>
    expect(outcome(await client.get(`/v1/accounts${query}`))).toMatch(/^400 parameter_invalid /),
  );

  it('both cursors at once', async () => {
    expect(outcome(await client.get(`/v1/accounts?starting_after=${UNKNOWN}&ending_before=${UNKNOWN}`))).toBe(
      '400 parameter_conflict ending_before',
    );
  });
});

describe('401, 403, 404, 405', () => {
  it('no key, the wrong half of a scope, a live key for a helper', async () => {
    expect(outcome(await client.send('GET', '/v1/accounts', '', { authorization: '' }))).toBe('401 api_key_invalid');
    const reader = await application.key({ scopes: ['accounts:read'] });
    expect(outcome(await reader.client.get('/v1/accounts'))).toBe('200');
    expect(outcome(await reader.client.post('/v1/accounts', { currency: 'EUR' }))).toBe('403 scope_missing');
    const live = idIn(await application.live.client.post('/v1/accounts', { currency: 'EUR' }));
    expect(outcome(await application.live.client.post(`/v1/test_helpers/accounts/${live}/fund`, { amount: 5 }))).toBe(
      '403 sandbox_only',
    );
  });

  it.each(['', '/close'])('an unknown account%s', async (verb) => {
    expect(outcome(await client.post(`/v1/accounts/${UNKNOWN}${verb}`))).toMatch(/^404 resource_missing/);
    expect(outcome(await client.post(`/v1/accounts/nonsense${verb}`))).toMatch(/^404 resource_missing/);
  });

  it('methods that are not there', async () => {
    const reply = await client.send('PUT', '/v1/accounts', '', {});
    expect([outcome(reply), reply.headers['allow']]).toEqual(['405 method_not_allowed', 'POST, GET, HEAD']);
    expect(outcome(await client.send('DELETE', `/v1/accounts/${UNKNOWN}`, '', {}))).toBe('405 method_not_allowed');
  });
});
