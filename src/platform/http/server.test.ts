/** Routes over real HTTP, one block per status code. What arrives broken: `malformed.test.ts`. */
import { callerWith } from '../../../test/support/harness/keys.ts';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { ERRORS, type Code, RequestError, refusal, errorBody } from '../../core/values/errors.ts';
import { isId, newId } from '../../core/values/ids.ts';
import { registry } from './metrics.ts';
import { amount, list, metadata, object, optional, params, pathId, text } from './request/params.ts';
import { type Caller, type Route, routesOf } from './route.ts';
import { buildServer, type HttpConfig } from './server.ts';

const route = routesOf('Things', 'payouts');

const about = { description: 'x' };
const base = { summary: 'x', response: { schema: { type: 'object' } } } as const;
const thing = params({
  amount: amount(about),
  ...optional({
    note: text({ ...about, max: 20 }),
    metadata: metadata(),
    payouts: list(object({ amount: amount(about) }, about), { ...about, max: 3 }),
  }),
});

const routes: Route[] = [
  route('createThing', 'POST /v1/things', {
    ...base,
    body: thing,
    handle: async (call) => ({
      status: 200,
      body: JSON.stringify({
        amount: call.body.amount,
        note: call.body.note,
        key: call.idempotencyKey,
        path: call.path,
      }),
    }),
  }),
  route('createThings', 'POST /v1/things/batch', {
    ...base,
    acceptsCsv: true,
    body: params({ payouts: list(object({ amount: amount(about) }, about), { ...about, max: 3 }) }),
    handle: async (call) => ({ status: 200, body: JSON.stringify(call.body) }),
  }),
  route('getThing', 'GET /v1/things/:id', {
    ...base,
    handle: async (call) => ({
      status: 200,
      body: JSON.stringify({ id: pathId(call, 'po') }),
      headers: { 'X-Own': '1' },
    }),
  }),
  route('deleteThing', 'DELETE /v1/things/:id', { ...base, handle: async () => ({ status: 200, body: '{}' }) }),
  {
    ...route('help', 'POST /v1/test_helpers/x', { ...base, handle: async () => ({ status: 200, body: '{}' }) }),
    sandboxOnly: true,
  },
  route('fail', 'POST /v1/fail/:how', {
    ...base,
    handle: async (call) => {
      const how = call.path_params['how'] as string;
      if (how === 'bug') throw Object.assign(new Error('the secret cause'), { detail: 'Key (iban)=(DE89SECRET)' });
      if (how === 'lost') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      if (how === 'header') return { status: 200, body: '{}', headers: { 'X-Bad': 'a\nb' } };
      if (how === 'funds') {
        const fault = refusal('balance_insufficient', 'x', { available_minor: 5n });
        return { status: ERRORS[fault.code].status, body: errorBody(fault, call.requestId) };
      }
      throw new RequestError(how as Code, 'as asked');
    },
  }),
];

const keys = {
  test: `sk_test_${'a'.repeat(40)}`,
  live: `sk_live_${'b'.repeat(40)}`,
  narrow: `rk_test_${'c'.repeat(40)}`,
  busy: `sk_test_${'d'.repeat(40)}`,
};
const callers = new Map<string, Caller>(
  Object.entries(keys).map(([name, key]) => [
    key,
    callerWith({
      livemode: name === 'live',
      actorId: `key_${name}`,
      scopes: name === 'narrow' ? new Set(['payouts:read']) : null,
    }),
  ]),
);

/** Twenty keys, each rolled to the next. */
const line = Array.from({ length: 20 }, (_, at) => `sk_test_${String(at).padStart(40, '0')}`);
for (const [at, key] of line.entries()) callers.set(key, callerWith({ actorId: `key_${at}`, lineage: ['key_0'] }));

const logged: string[] = [];
let ready: string | null = null;
const config: HttpConfig = { ...loadConfig({}), publicUrl: '', version: '1.2.3' };
const parts = {
  routes,
  schemas: {},
  authenticate: async (key: string) => {
    if (key.includes('zzz')) throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    return callers.get(key) ?? null;
  },
  log: pino({}, { write: (line: string) => void logged.push(line) }),
  metrics: registry,
  readiness: () => ready,
};
const app = buildServer({ ...parts, config });
const limited = buildServer({ ...parts, config: { ...config, requestsPerSecond: 3 } });
let url = '';
let limitedUrl = '';
beforeAll(async () => {
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  limitedUrl = await limited.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await limited.close();
});

interface Sent {
  readonly key?: string | null;
  readonly type?: string | null;
  readonly headers?: Record<string, string>;
}

async function ask(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, sent: Sent = {}) {
  const { key = keys.test, type = 'application/json' } = sent;
  const headers: Record<string, string> = { ...sent.headers };
  if (key !== null) headers['authorization'] = `Bearer ${key}`;
  if (body !== undefined && type !== null) headers['content-type'] = type;
  const answer = await fetch(`${path.startsWith('http') ? '' : url}${path}`, { method, headers, body: body ?? null });
  const content = await answer.text();
  expect(isId('req', answer.headers.get('request-id') ?? ''), `${method} ${path}`).toBe(true);
  const json =
    (answer.headers.get('content-type') ?? '').includes('json') && content !== '' ? JSON.parse(content) : undefined;
  return { status: answer.status, headers: answer.headers, content, json, error: json?.error };
}

const FORM = 'application/x-www-form-urlencoded';

describe('200', () => {
  test('form and JSON mean the same', async () => {
    for (const [type, body] of [
      [FORM, 'amount=250.00&note=a+b'],
      [`${FORM}; charset=UTF-8`, 'amount=250.00&note=a%20b'],
      ['application/json', '{"amount":250.00,"note":"a b"}'],
      ['application/json; charset="utf-8"', '{"amount":"250.00","note":"a b"}'],
    ]) {
      const answer = await ask('POST', '/v1/things', body, {
        type: type as string,
        headers: { 'idempotency-key': 'k 1' },
      });
      expect(answer.json, type).toEqual({ amount: '250', note: 'a b', key: 'k 1', path: '/v1/things' });
      expect(answer.status).toBe(200);
    }
  });
  test('headers of every answer', async () => {
    const { headers } = await ask('GET', `/v1/things/${newId('po')}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-own')).toBe('1');
    expect(headers.get('ratelimit-policy')).toBe('"default";q=1000;w=1');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=9\d\d;t=1$/);
  });
  test('CSV, HEAD, DELETE, Basic, unknown headers, an empty body', async () => {
    const csv = await ask('POST', '/v1/things/batch', 'amount\n5\n6.50\n', { type: 'text/csv' });
    expect(csv.json).toEqual({ payouts: [{ amount: '5' }, { amount: '6.5' }] });
    const head = await ask('HEAD', `/v1/things/${newId('po')}`);
    expect([head.status, head.content]).toEqual([200, '']);
    expect(
      (await ask('DELETE', `/v1/things/${newId('po')}`, undefined, { headers: { 'idempotency-key': 'x' } })).status,
    ).toBe(200);
    const basic = `Basic ${Buffer.from(`${keys.test}:`).toString('base64')}`;
    const headers = { authorization: basic, 'stripe-version': '2024-06-20' };
    expect((await ask('POST', '/v1/test_helpers/x', undefined, { key: null, headers })).status).toBe(200);
  });
  test('the pages that need no key', async () => {
    for (const path of ['/', '/livez', '/readyz', '/openapi.json']) {
      const answer = await ask('GET', path, undefined, { key: null });
      expect([answer.status, typeof answer.json], path).toEqual([200, 'object']);
    }
    expect((await ask('GET', '/docs/errors', undefined, { key: null })).content).toContain('id="amount_invalid"');
    const { content } = await ask('GET', '/metrics', undefined, { key: null });
    expect(content).toMatch(
      /bursar_http_request_duration_seconds_count\{route="\/v1\/things",method="POST",status="2xx"\} 4\n/,
    );
    expect(content).toMatch(
      /bursar_http_request_duration_seconds_bucket\{route="\/v1\/things",method="POST",status="2xx",le="\+Inf"\} 4\n/,
    );
    expect(content).not.toContain('sk_test');
  });
});

describe('400', () => {
  const cases: readonly [Code, string, string, string?][] = [
    ['parameter_missing', 'note=a', FORM, 'amount'],
    ['parameter_unknown', 'amount=1&amont=1', FORM, 'amont'],
    ['parameter_repeated', 'amount=1&amount=1', FORM, 'amount'],
    ['parameter_repeated', '{"amount":1,"amount":1}', 'application/json', 'amount'],
    ['parameter_invalid', '{"amount":1,"note":5}', 'application/json', 'note'],
    ['parameter_missing', '{"amount":null}', 'application/json', 'amount'],
    ['amount_invalid', '{"amount":true}', 'application/json', 'amount'],
    ['body_invalid', '{"amount":1', 'application/json'],
    ['body_invalid', '[]', 'application/json'],
    ['body_invalid', '5', 'application/json'],
    ['body_invalid', 'null', 'application/json'],
    ['body_invalid', 'amount=%zz', FORM],
    ['body_invalid', 'amount=%ff', FORM],
    ['text_invalid', 'amount=1&note=%00', FORM, 'note'],
    ['text_invalid', '{"amount":1,"note":"\\u0000"}', 'application/json', 'note'],
    ['text_invalid', '{"amount":1,"note":"\\ud800"}', 'application/json', 'note'],
    ['text_invalid', 'amount=1&note=a%E2%80%AEb', FORM, 'note'],
    ['text_too_long', 'amount=1&note=aaaaaaaaaaaaaaaaaaaaaaaaa', FORM, 'note'],
    ['card_number_refused', 'amount=1&note=4111+1111+1111+1111', FORM, 'note'],
    ['body_too_deep', '['.repeat(20_000), 'application/json'],
    ['body_too_deep', '{"a":'.repeat(20_000), 'application/json'],
    ['body_too_deep', `a${'[b]'.repeat(20)}=1`, FORM],
    ['parameter_unknown', '{"__proto__":{"amount":"1"}}', 'application/json', '__proto__'],
  ];
  test.each(cases)('%s for %.40s', async (code, body, type, param) => {
    const { status, error } = await ask('POST', '/v1/things', body, { type });
    expect([status, error.code, error.param]).toEqual([400, code, param]);
    expect(error.doc_url).toBe(`/docs/errors#${code}`);
  });
  test('invalid UTF-8, unknown and repeated query parameters', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"amount":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    expect((await ask('POST', '/v1/things', bytes)).error.code).toBe('body_invalid');
    expect((await ask('GET', `/v1/things/${newId('po')}?x=1`)).error.code).toBe('parameter_unknown');
    expect((await ask('GET', `/v1/things/${newId('po')}?x=%zz`)).error.code).toBe('body_invalid');
    expect((await ask('POST', '/v1/things?amount=5', 'amount=5', { type: FORM })).error.code).toBe('parameter_unknown');
    expect((await ask('DELETE', `/v1/things/${newId('po')}`, 'a=1', { type: FORM })).error.code).toBe(
      'parameter_unknown',
    );
  });
  test('idempotency keys', async () => {
    for (const key of ['', 'k'.repeat(256), 'schlüssel']) {
      const { status, error } = await ask('POST', '/v1/things', '{"amount":1}', {
        headers: { 'idempotency-key': key },
      });
      expect([status, error.type, error.code], key).toEqual([400, 'idempotency_error', 'idempotency_key_invalid']);
    }
    expect(
      (await ask('GET', `/v1/things/${newId('po')}`, undefined, { headers: { 'idempotency-key': '' } })).status,
    ).toBe(200);
  });
  test('a malformed CSV file by rows, and what a handler refuses', async () => {
    const csv = await ask('POST', '/v1/things/batch', 'amount\n1\n2,3\n', { type: 'text/csv' });
    expect(csv.error).toMatchObject({
      code: 'body_invalid',
      message: 'Line 3 has 2 cells; the header names 1 columns.',
    });
    expect((await ask('POST', '/v1/fail/funds')).error).toMatchObject({
      code: 'balance_insufficient',
      available_minor: 5,
    });
  });
  test('problem+json on request', async () => {
    const { status, headers, json } = await ask('POST', '/v1/things', '{}', {
      headers: { accept: 'application/problem+json, application/json' },
    });
    expect([status, headers.get('content-type'), json.status, json.error.code, json.type]).toEqual([
      400,
      'application/problem+json',
      400,
      'parameter_missing',
      '/docs/errors#parameter_missing',
    ]);
  });
});

test('401 is the same for every cause', async () => {
  const wrong = [
    null,
    'x',
    `sk_test_${'x'.repeat(40)}`,
    `pk_test_${'a'.repeat(40)}`,
    `${keys.test}\t`,
    keys.test.toUpperCase(),
    'sk_test_',
    `sk_test_${'a'.repeat(9000)}`,
  ];
  const messages = new Set<string>();
  for (const key of wrong) {
    const { status, headers, error } = await ask('POST', '/v1/things', '{"broken', { key });
    if (key === `${keys.test}\t`) continue; // fetch trims it: a good key
    expect([status, error.type, error.code, headers.get('www-authenticate')]).toEqual([
      401,
      'authentication_error',
      'api_key_invalid',
      'Bearer',
    ]);
    messages.add(error.message);
  }
  for (const authorization of [
    '',
    'Bearer',
    `Token ${keys.test}`,
    keys.test,
    'Basic !!!',
    `Basic ${Buffer.from(`${keys.test}:x`).toString('base64')}`,
  ]) {
    const { status, error } = await ask('GET', `/v1/things/${newId('po')}`, undefined, {
      key: null,
      headers: { authorization },
    });
    expect(status, authorization).toBe(401);
    messages.add(error.message);
  }
  expect(messages.size).toBe(1);
});

test('a key behind two blanks is one; Basic counts only where no other site has caused the request', async () => {
  const asked = async (headers: Record<string, string>) =>
    (await ask('POST', '/v1/test_helpers/x', undefined, { key: null, headers })).status;
  expect(await asked({ authorization: `Bearer  ${keys.test}` })).toBe(200);
  const authorization = `Basic ${Buffer.from(`${keys.test}:`).toString('base64')}`;
  const from = (site: string) => asked({ authorization, 'sec-fetch-site': site });
  expect([await from('none'), await from('same-origin')]).toEqual([200, 200]);
  expect([await from('cross-site'), await from('same-site')]).toEqual([401, 401]);
  // A browser says `Sec-Fetch-Site` over https alone.
  const origins = [url, 'https://evil.example', 'null', url.replace(/\d+$/, '1')];
  const statuses = await Promise.all(origins.map((origin) => asked({ authorization, origin })));
  expect(statuses).toEqual([200, 401, 401, 401]);
  expect(await asked({ authorization: `Bearer ${keys.test}`, 'sec-fetch-site': 'cross-site' })).toBe(200); // control
});

test('401 for metrics to a proxy that adds no header, as nginx does by default: it asks with HTTP/1.0', async () => {
  const statusOf = (version: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET /metrics HTTP/${version}\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
      });
      socket.once('data', (bytes) => resolve(bytes.toString('latin1').slice(9, 12))).once('error', reject);
      socket.once('close', () => socket.destroy());
    });
  expect([await statusOf('1.0'), await statusOf('1.1')]).toEqual(['401', '200']);
});

test('403 for a missing scope and for a live key at a test helper', async () => {
  expect((await ask('POST', '/v1/things', '{"amount":1}', { key: keys.narrow })).error).toMatchObject({
    code: 'scope_missing',
    allowed: ['payouts:read'],
  });
  expect((await ask('GET', `/v1/things/${newId('po')}`, undefined, { key: keys.narrow })).status).toBe(200);
  const helper = await ask('POST', '/v1/test_helpers/x', undefined, { key: keys.live });
  expect([helper.status, helper.error.code]).toEqual([403, 'sandbox_only']);
});

test('404 for paths and ids, with a key or without', async () => {
  for (const path of [
    '/v1/nothing',
    '/v2/things',
    '/v1',
    '/v1/%zz',
    '/v1/things/a/b',
    `/v1/things/${'a'.repeat(600)}`,
    '//',
    '/v1/Things',
  ]) {
    const { status, error } = await ask('GET', path, undefined, { key: null });
    expect([status, error.code], path).toEqual([404, 'path_unknown']);
  }
  expect((await ask('GET', '/v1/things/po_1')).error.code).toBe('resource_missing');
});

test('405 names what is allowed', async () => {
  for (const [method, path, allow] of [
    ['DELETE', '/v1/things', 'POST'],
    ['PUT', `/v1/things/${newId('po')}`, 'GET, HEAD, DELETE'],
    ['PATCH', '/v1/things', 'POST'],
    ['OPTIONS', '/v1/things', 'POST'],
    ['POST', '/livez', 'GET, HEAD'],
    ['PROPFIND', '/v1/things', 'POST'],
    ['QUERY', '/v1/things', 'POST'], // Fastify wants a content type of it first
  ] as const) {
    const { status, headers, error } = await ask(method, path, undefined, { key: null });
    expect([status, error?.code, headers.get('allow')], `${method} ${path}`).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
  }
});

test('413 for a byte too many', async () => {
  const exactly = `{"amount":"1"${' '.repeat(1_048_576 - 14)}}`;
  expect((await ask('POST', '/v1/things', exactly)).status).toBe(200);
  expect((await ask('POST', '/v1/things', `${exactly} `)).error.code).toBe('body_too_large');
});

test('415 for other types, charsets and CSV where there is no table', async () => {
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'text/csv',
    'application/jsonx',
    'json',
    ';',
    'a/b/c',
  ]) {
    const { status, error } = await ask('POST', '/v1/things', '{"amount":1}', { type });
    expect([status, error.code], type).toEqual([415, 'content_type_unsupported']);
  }
});

test('415 for a body that would have to be decompressed', async () => {
  const compressed = (encoding: string) =>
    ask('POST', '/v1/things', '{"amount":1}', { headers: { 'content-encoding': encoding } });
  const { status, error } = await compressed('gzip');
  expect([status, error.code, error.message]).toEqual([
    415,
    'content_type_unsupported',
    expect.stringContaining('Content-Encoding'),
  ]);
  expect((await compressed('identity')).status).toBe(200);
});

test('429 for the one key that asks too often', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      ask('GET', `${limitedUrl}/v1/things/${newId('po')}`, undefined, { key: keys.busy }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused[0]?.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limited' });
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(refused[0]?.headers.get('ratelimit')).toBe('"default";r=0;t=1');
  expect((await ask('GET', `${limitedUrl}/v1/things/${newId('po')}`, undefined, { key: keys.test })).status).toBe(200);
});

test('429 for a line of keys: what a key is rolled to has no rate of its own', async () => {
  const answers = await Promise.all(
    line.map((key) => ask('GET', `${limitedUrl}/v1/things/${newId('po')}`, undefined, { key })),
  );
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});

test('500 shows no cause and logs it, without a database row', async () => {
  logged.length = 0;
  for (const how of ['bug', 'header', 'toString']) {
    const { status, error, content } = await ask('POST', `/v1/fail/${how}`);
    expect([status, error.code], how).toEqual([500, 'internal_error']);
    expect(content).not.toContain('secret');
  }
  expect(logged.join('')).toContain('the secret cause');
  expect(logged.join('')).not.toContain('DE89SECRET');
});

test('503 says when to come back', async () => {
  for (const [how, code] of [
    ['lost', 'database_unavailable'],
    ['overloaded', 'overloaded'],
    ['rate_unavailable', 'rate_unavailable'],
  ]) {
    const { status, headers, error } = await ask('POST', `/v1/fail/${how}`);
    expect([status, error.code, headers.get('retry-after'), headers.get('stripe-should-retry')]).toEqual([
      503,
      code,
      '1',
      'true',
    ]);
  }
  expect(
    (await ask('GET', `/v1/things/${newId('po')}`, undefined, { key: `sk_test_${'zzz'.repeat(20)}` })).error.code,
  ).toBe('database_unavailable');
  ready = 'migrations are missing';
  const { status, json } = await ask('GET', '/readyz', undefined, { key: null });
  ready = null;
  expect([status, json]).toEqual([503, { status: 'unavailable', reason: 'migrations are missing' }]);
});

test('the log has one line per answer, with route and key id, without key, query or body', async () => {
  logged.length = 0;
  const secret = 'canary7431';
  const { headers } = await ask('POST', '/v1/things', `{"amount":1,"note":"${secret}"}`);
  await ask('GET', `/v1/things/${newId('po')}?x=${secret}`);
  await ask('GET', `/v1/things/${newId('po')}`, undefined, { key: `sk_test_${'x'.repeat(40)}` });
  expect(logged).toHaveLength(3);
  expect(logged.map((each) => (JSON.parse(each) as { address?: string }).address)).toEqual([
    undefined,
    undefined,
    '127.0.0.1', // of a 401 alone: whose attempts they are
  ]);
  expect(JSON.parse(logged[0] as string)).toMatchObject({
    request_id: headers.get('request-id'),
    method: 'POST',
    route: '/v1/things',
    status: 200,
    key_id: 'key_test',
    ms: expect.any(Number),
  });
  expect(logged.join('')).not.toContain(secret);
  expect(logged.join('')).not.toContain(keys.test);
});
