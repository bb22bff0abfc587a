/** What is sent: arguments in one order everywhere, keys and headers of a call, refusals before anything is sent, hooks, browsers. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../src/core/values/version.ts';
import { type Bursar, createClient, type RequestReport, type ResponseReport, type RetryReport } from '../src/bursar.ts';
import { OPERATIONS } from '../src/generated/operations.ts';
import { json, type RawServer, rawServer, refuse } from './raw-server.ts';

let server: RawServer;
let bursar: Bursar;

beforeEach(async () => {
  server = await rawServer((response, count, { path }) => {
    if (path.startsWith('/v1/limits'))
      return count === 1 ? refuse(response, 503, 'database_unavailable') : list(response);
    return json(response, 200, { object: 'thing', data: [] });
  });
  ({ bursar } = server);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await server.stop();
});
const list = (response: Parameters<typeof json>[0]) =>
  json(response, 200, { object: 'list', data: [], has_more: false });
const last = () => server.requests.at(-1);

type Row = readonly [method: string, path: string, kind: string];
interface Rows {
  readonly [name: string]: Row | Rows;
}
type Method = (...given: readonly unknown[]) => unknown;

const isRow = (entry: Row | Rows): entry is Row => Array.isArray(entry);

/** Every operation of the table with the method that carries it out. */
const operations = (rows: Rows, api: object): (readonly [row: Row, method: Method])[] =>
  Object.entries(rows).flatMap(([name, entry]) => {
    const of = (api as Readonly<Record<string, unknown>>)[name];
    return isRow(entry) ? [[entry, of as Method] as const] : operations(entry, of as object);
  });

describe('arguments', () => {
  it('are ids, parameters, options, of every operation', async () => {
    const all = operations(OPERATIONS, bursar);
    expect(all.length).toBeGreaterThan(100);
    for (const [[verb, path, kind], method] of all) {
      if (kind === 'stream') continue;
      const ids = [...path.matchAll(/\{/g)].map((_, index) => `id_${index}`);
      const file = kind === 'upload' ? ['<xml/>'] : [];
      const answer = method(...ids, ...file, { limit: 7 }, { headers: { 'X-Of': path } });
      await (kind === 'list' || kind === 'whole' ? (answer as { page(): Promise<unknown> }).page() : answer);
      const { method: sent, path: at = '', headers, body } = last() ?? {};
      expect([sent, headers?.['x-of']]).toEqual([verb, path]);
      const isInBody = verb === 'POST' && kind !== 'upload' && kind !== 'download';
      expect([path, isInBody ? body : at]).toEqual([
        path,
        isInBody ? '{"limit":7}' : expect.stringContaining('?limit=7'),
      ]);
    }
  });

  it('may all be left out', async () => {
    await bursar.payouts.cancel('po_1');
    expect(last()).toMatchObject({ method: 'POST', path: '/v1/payouts/po_1/cancel', body: '' });
    await bursar.payouts.cancel('po_1', {}, { idempotencyKey: 'k' });
    expect(last()).toMatchObject({ body: '', headers: { 'idempotency-key': 'k' } });
    await bursar.accounts.listTransfers('acct_1').page();
    expect(last()?.path).toBe('/v1/accounts/acct_1/transfers');
  });

  it('in the wrong place are refused: no key gets lost', () => {
    const untyped = bursar.payouts.cancel as Method;
    expect(() => untyped('po_1', { idempotencyKey: 'k' })).toThrow('idempotencyKey is an option. Options stand behind');
    expect(() => untyped('po_1', {}, { reason: 'x' })).toThrow('reason is no option');
    expect(server.requests).toEqual([]);
  });

  it('an empty list of a filter is refused: it would ask for all', () => {
    expect(() => bursar.payouts.list({ status: [] })).toThrow('status is an empty list');
    expect(() => bursar.events.list({ types: [] })).toThrow('types is an empty list');
    expect(() => bursar.payouts.list({ status: [undefined as never, 'paid'] })).toThrow(
      'status holds undefined or null',
    );
    expect(server.requests).toEqual([]);
  });

  it('null is left out of a query, and stays in a body', async () => {
    await bursar.payouts.list({ currency: null as never, status: 'paid', created: { gte: null as never } }).page();
    expect(last()?.path).toBe('/v1/payouts?status=paid');
    await bursar.accounts.update('acct_1', { metadata: { order: null as never } });
    expect(last()?.body).toBe('{"metadata":{"order":null}}');
  });
});

describe('headers', () => {
  it('say who asks', async () => {
    await bursar.balances.retrieve();
    expect(last()?.headers['user-agent']).toMatch(new RegExp(`^bursar-node/${VERSION} node/\\d+\\.\\d+`));
    await bursar.balances.retrieve({}, { headers: { 'user-agent': 'shop/2' } });
    expect(last()?.headers['user-agent']).toBe('shop/2');
  });

  it('are of a call, before those of the client, which may be made for each attempt', async () => {
    let made = 0;
    const client = server.client({
      headers: () => ({ traceparent: `00-${(made += 1)}`, 'X-Shop': 'a' }),
      version: '2026-12-01',
    });
    await client.limits.list().page();
    expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual(['00-1', '00-2']);
    await client.balances.retrieve({}, { headers: { 'x-shop': 'b' }, version: '2027-01-01', apiKey: 'sk_test_other' });
    expect(last()?.headers).toMatchObject({
      traceparent: '00-3',
      'x-shop': 'b',
      'bursar-version': '2027-01-01',
      authorization: 'Bearer sk_test_other',
    });
    await client.balances.retrieve();
    expect(last()?.headers).toMatchObject({ 'bursar-version': '2026-12-01', authorization: 'Bearer sk_test_raw' });
    await bursar.balances.retrieve();
    expect(last()?.headers).not.toHaveProperty('bursar-version');
    const plain = server.client({ headers: { traceparent: '00-plain' } });
    await plain.events
      .stream({}, { lastEventId: '1', apiKey: 'sk_test_s', headers: { 'x-a': '1' } })
      .next()
      .catch(() => 0);
    expect(last()?.headers).toMatchObject({ traceparent: '00-plain', authorization: 'Bearer sk_test_s', 'x-a': '1' });
  });

  it.each([
    ['authorization', 'apiKey'],
    ['Idempotency-Key', 'idempotencyKey'],
    ['BURSAR-VERSION', 'version'],
  ])('%s has an option of its own', async (name, option) => {
    const call = bursar.balances.retrieve({}, { headers: { [name]: 'x' } });
    await expect(call).rejects.toThrow(`The header ${name} is made from the option ${option}.`);
    await expect(bursar.request('GET', '/v1/balances', { headers: { 'X-A': 'a\nb' } })).rejects.toThrow(TypeError);
    expect(server.requests).toEqual([]);
  });
});

describe('hooks', () => {
  it('see every attempt, without ids, keys and bodies', async () => {
    const seen: (readonly [string, RequestReport | ResponseReport | RetryReport])[] = [];
    const client = server.client({
      onRequest: (report) => seen.push(['request', report]),
      onResponse: (report) => seen.push(['response', report]),
      onRetry: (report) => seen.push(['retry', report]),
    });
    await client.limits.retrieve('lim_secret');
    const about = { method: 'GET', path: '/v1/limits/{id}' };
    expect(seen).toEqual([
      ['request', { ...about, attempt: 1 }],
      ['response', { ...about, attempt: 1, status: 503, requestId: 'req_raw', ms: expect.any(Number) }],
      [
        'retry',
        {
          ...about,
          attempt: 1,
          status: 503,
          requestId: 'req_raw',
          code: 'database_unavailable',
          pauseMs: expect.any(Number),
        },
      ],
      ['request', { ...about, attempt: 2 }],
      ['response', { ...about, attempt: 2, status: 200, requestId: 'req_raw', ms: expect.any(Number) }],
    ]);
    seen.length = 0;
    await client.request('POST', '/v1/payouts/po_01jd3v9q4ne8v8k3w2m6r5t7xa/cancel?a=b', { idempotencyKey: 'mine' });
    expect(seen.map(([, { method, path }]) => [method, path])).toEqual(
      [1, 2].map(() => ['POST', '/v1/payouts/{id}/cancel']),
    );
    expect(JSON.stringify(seen)).not.toMatch(/sk_test|mine|01jd3/);
  });

  it('hear of an attempt without an answer', async () => {
    const statuses: number[] = [];
    const client = server.client({
      url: 'http://127.0.0.1:9',
      maxRetries: 0,
      onResponse: ({ status }) => statuses.push(status),
    });
    await client.balances.retrieve().catch(() => undefined);
    expect(statuses).toEqual([0]);
  });

  it('that fail change nothing', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const onRequest = () => {
      throw new Error('the log is full');
    };
    const onResponse = () => Promise.reject(new Error('the trace is gone')) as never;
    await server.client({ onRequest, onResponse }).payouts.cancel('po_1');
    await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(2));
    expect(server.requests).toHaveLength(1);
  });
});

describe('in a browser', () => {
  beforeEach(() => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
  });

  it('a key is refused, unless that is allowed', async () => {
    const options = { url: server.address, apiKey: 'sk_test_x' };
    expect(() => createClient(options)).toThrow('An API key in a browser can be read by everybody');
    await createClient({ ...options, dangerouslyAllowBrowser: true }).balances.retrieve();
    expect(last()?.headers['authorization']).toBe('Bearer sk_test_x');
    await expect(createClient({ url: server.address }).balances.retrieve({}, { apiKey: 'sk_test_x' })).rejects.toThrow(
      'An API key in a browser',
    );
    expect(server.requests).toHaveLength(1);
  });

  it('without a key the server of the page adds it', async () => {
    await createClient({ url: server.address }).balances.retrieve();
    expect(last()?.headers).not.toHaveProperty('authorization');
  });
});

it('an empty key is a variable that nobody set', () => {
  expect(() => createClient({ url: server.address, apiKey: '' })).toThrow('apiKey is empty');
  expect(() => createClient({ url: server.address, apiKey: undefined as never })).toThrow('apiKey is empty');
});
