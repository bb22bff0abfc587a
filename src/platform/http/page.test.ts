/** Pages over real HTTP: what stands above them, what they receive, and what they must not. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { type Code, RequestError } from '../../core/values/errors.ts';
import { isId } from '../../core/values/ids.ts';
import { registry } from './metrics.ts';
import { UNLIMITED } from '../../../test/support/harness/unlimited.ts';
import { contentSecurityPolicy, isForeign, type Page, type PageCall } from './page.ts';
import { buildServer, type HttpConfig, type ServerParts } from './server.ts';
import type { Fill } from './transfer/stream.ts';

const TOKEN = 'canaryToken1234567890abc';
const FORM = 'application/x-www-form-urlencoded';
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe]);
const NO_FIELDS = { csrf: null, amount: null };

const echo = (call: PageCall) => ({
  status: 200,
  body: JSON.stringify({
    method: call.method,
    url: call.url,
    params: call.params,
    lang: call.query('lang') ?? null,
    form: { csrf: call.form('csrf') ?? null, amount: call.form('amount') ?? null },
    agent: call.header('user-agent') ?? null,
    foreign: call.isForeign,
  }),
});

let fill: Fill = async () => undefined;
let reads = 0;
/** What the page of shared reads waits for. */
let gate: Promise<void> = Promise.resolve();
let received: Buffer = Buffer.alloc(0);

const get = (path: Page['path'], handle: Page['handle'], more: Partial<Page> = {}): Page => ({
  method: 'GET',
  path,
  handle,
  ...more,
});
const post: typeof get = (path, handle, more) => get(path, handle, { ...more, method: 'POST' });

const pages: Page[] = [
  get('/pay/:token', async (call) => echo(call)),
  post('/pay/:token', async (call) => echo(call)),
  get(
    '/pay/:token/status',
    async ({ params }) => {
      if (params['token'] === 'unknown') throw new RequestError('resource_missing', 'x');
      return { status: 200, body: '', contentType: 'text/event-stream', headers: { 'X-Own': '1' }, stream: fill };
    },
    { streams: true, share: () => expect.fail('streams are not shared') },
  ),
  get('/pay/:token/logo', async () => {
    const headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': contentSecurityPolicy(['https://checkout.stripe.com']),
      Vary: 'Accept-Language',
    };
    return { status: 200, body: PICTURE, contentType: 'image/png', headers };
  }),
  post('/pay/:token/start', async ({ params }) => {
    return { status: 303, body: '', headers: { Location: `/pay/${params['token']}` } };
  }),
  get(
    '/pay/:token/shared',
    async () => {
      reads += 1;
      const read = reads;
      await gate;
      return { status: 200, body: String(read) };
    },
    { share: (call) => `${call.params['token']} ${call.query('lang') ?? ''}` },
  ),
  post(
    '/pay/notifications/stripe',
    async (call) => {
      received = call.rawBody;
      return { status: 200, body: call.header('stripe-signature') ?? 'none', contentType: 'text/plain' };
    },
    { limited: false },
  ),
  get('/pay/:token/fail/:how', async ({ params }) => {
    const how = params['how'] as string;
    if (how === 'bug') throw Object.assign(new Error('the secret cause'), { detail: TOKEN });
    if (how === 'json') return { status: 400, body: '{"own":1}', contentType: 'application/json; charset=utf-8' };
    if (how === 'header') return { status: 200, body: '', headers: { 'X-Bad': 'a\nb' } };
    throw new RequestError(how as Code, 'not for people');
  }),
];

const logged: string[] = [];
const config: HttpConfig = {
  ...loadConfig(UNLIMITED),
  publicUrl: '',
  version: '1',
  pageFaultsPerSecond: 0,
};
const bare = {
  routes: [],
  schemas: {},
  authenticate: () => null,
  log: pino({}, { write: (line: string) => void logged.push(line) }),
  metrics: registry,
  readiness: () => null,
};
const parts = {
  ...bare,
  pages,
  onFault: (call: PageCall, status: number) => {
    if (call.url.includes('broken-fault')) throw new Error('no page for that');
    const headers = call.url.includes('bad-fault') ? { X: 'a\nb' } : {};
    return { status, body: `<p>${status} ${call.method}`, headers };
  },
};

const servers: FastifyInstance[] = [];
async function serve(own: Partial<HttpConfig> = {}, of: Partial<ServerParts> = parts): Promise<number> {
  const app = buildServer({ ...bare, config: { ...config, ...own }, ...of });
  servers.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}
let port = 0;
beforeAll(async () => {
  port = await serve();
});
afterAll(() => Promise.all(servers.map((app) => app.close())));

interface Sent {
  readonly port?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The address that it comes from. */
  readonly from?: string;
}

// fetch sets Host, Origin and Sec-Fetch-Site itself.
function ask(method: string, path: string, sent: Sent = {}) {
  const headers = { ...(sent.body === undefined ? {} : { 'content-type': FORM }), ...sent.headers };
  const to = {
    method,
    path,
    host: '127.0.0.1',
    port: sent.port ?? port,
    headers,
    agent: false,
    localAddress: sent.from ?? '127.0.0.1',
  };
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string }>((done, failed) => {
    const asked = request(to, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        expect(isId('req', String(response.headers['request-id'])), `${method} ${path}`).toBe(true);
        done({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
      response.on('error', failed);
    });
    asked.on('error', failed);
    asked.end(sent.body);
  });
}

const json = async (method: string, path: string, sent?: Sent) => JSON.parse((await ask(method, path, sent)).text);

const STANDING = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};

describe('what stands above an answer', () => {
  test.each([
    ['GET', `/pay/${TOKEN}`, 200],
    ['HEAD', `/pay/${TOKEN}`, 200],
    ['POST', `/pay/${TOKEN}/start`, 303],
    ['GET', `/pay/${TOKEN}/status`, 200],
    ['GET', `/pay/${TOKEN}/fail/resource_missing`, 404],
    ['GET', `/pay/${TOKEN}/fail/bug`, 500],
    ['GET', `/pay/${TOKEN}/nothing`, 404],
    ['GET', '/pay', 404],
    ['GET', '/pay/%zz', 404],
    ['GET', `/pay/${'a'.repeat(501)}`, 404],
    ['DELETE', `/pay/${TOKEN}`, 405],
    ['POST', '/pay/notifications/stripe', 200],
  ])('%s %s: %i', async (method, path, status) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers]).toEqual([status, expect.objectContaining(STANDING)]);
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
  test('a page may set its own, which then stand once', async () => {
    const { headers, bytes } = await ask('GET', `/pay/${TOKEN}/logo`);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("; form-action 'self' https://checkout.stripe.com; base"),
      vary: 'Accept-Language',
      'x-frame-options': 'DENY',
      'content-type': 'image/png',
      'content-length': String(PICTURE.length),
    });
    expect(bytes).toEqual(PICTURE);
    const { headers: streamed } = await ask('GET', `/pay/${TOKEN}/status`);
    expect(streamed).toMatchObject({ 'x-own': '1', 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const { headers: moved } = await ask('POST', `/pay/${TOKEN}/start`);
    expect([moved.location, moved['content-type']]).toEqual([`/pay/${TOKEN}`, 'text/html; charset=utf-8']);
  });
  test('https is asked for where the service has it', async () => {
    const secure = await serve({ publicUrl: 'https://pay.example' });
    const { headers } = await ask('GET', `/pay/${TOKEN}`, { port: secure });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const plain = await serve({ publicUrl: 'http://pay.example' });
    expect((await ask('GET', '/pay/x/y', { port: plain })).headers).not.toHaveProperty('strict-transport-security');
  });
  test('HEAD is GET without its body', async () => {
    for (const path of [`/pay/${TOKEN}`, `/pay/${TOKEN}/logo`]) {
      const [got, head] = [await ask('GET', path), await ask('HEAD', path)];
      expect([head.status, head.bytes.length, head.headers['content-length']], path).toEqual([
        200,
        0,
        got.headers['content-length'],
      ]);
    }
  });
});

describe('what a page receives', () => {
  test('path, query and headers, decoded once', async () => {
    expect(await json('GET', '/pay/a%2Fb%2525?lang=de&lang=fr', { headers: { 'user-agent': 'x' } })).toEqual({
      method: 'GET',
      url: '/pay/a%2Fb%2525?lang=de&lang=fr',
      params: { token: 'a/b%25' },
      lang: 'de',
      form: NO_FIELDS,
      agent: 'x',
      foreign: false,
    });
    expect((await json('GET', `/pay/${'a'.repeat(500)}`)).params.token).toHaveLength(500);
    expect((await json('GET', '/pay/')).params.token).toBe('');
  });
  test.each([
    ['lang=f%C3%BCr', 'für'],
    ['a[=1&lang=de', 'de'],
    ['lang=', ''],
    ['LANG=de', null],
    ['lang=%zz', null],
    ['lang=de&x=%ff', null],
    ['?', null],
    ['', null],
  ])('the query %s', async (query, lang) => {
    expect((await json('GET', `/pay/${TOKEN}?${query}`)).lang).toBe(lang);
  });
  test.each([
    [`${FORM}; charset=UTF-8`, 'csrf=a+b%26&amount=12%2C50&x[y]=1'],
    [FORM, '&&csrf=a+b%26&amount=12,50&'],
  ])('a form as %s', async (type, body) => {
    const { form } = await json('POST', `/pay/${TOKEN}`, { body, headers: { 'content-type': type } });
    expect(form).toEqual({ csrf: 'a b&', amount: '12,50' });
  });
  test.each([
    ['broken percent-encoding', FORM, 'csrf=a&amount=%zz'],
    ['percent-encoding of no UTF-8', FORM, 'csrf=a&amount=%ff'],
    ['bytes of no UTF-8', FORM, Buffer.from([...Buffer.from('csrf=a&amount='), 0xff])],
    ['a field sent twice', FORM, 'csrf=a&amount=1&amount=2'],
    ['too many fields', FORM, `csrf=a${'&x[]=1'.repeat(20_001)}`],
    ['another type', 'text/plain', 'csrf=a&amount=1'],
    ['JSON', 'application/json', '{"csrf":"a","amount":"1"}'],
    ['another charset', `${FORM}; charset=utf-16`, 'csrf=a&amount=1'],
    ['names that are no text', FORM, 'csrf[a]=1&amount[]=1'],
    ['nothing', FORM, ''],
  ])('no fields for %s', async (_what, type, body) => {
    const { form } = await json('POST', `/pay/${TOKEN}`, { body, headers: { 'content-type': type } });
    expect(form).toEqual(NO_FIELDS);
  });
  test('the bytes of a notification as they came', async () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 13, 10, 123, 0xe2, 0x82]);
    for (const type of ['application/json; charset=utf-8', 'application/json', 'x/y']) {
      const headers = { 'content-type': type, 'stripe-signature': 't=1,v1=2' };
      const { text, status } = await ask('POST', '/pay/notifications/stripe', { body: bytes, headers });
      expect([status, text, received]).toEqual([200, 't=1,v1=2', bytes]);
    }
    expect((await ask('POST', '/pay/notifications/stripe')).text).toBe('none');
    expect(received.length).toBe(0);
  });
  test('a body of 1 MiB and no byte more', async () => {
    const body = `csrf=${'a'.repeat(1_048_571)}`;
    expect((await json('POST', `/pay/${TOKEN}`, { body })).form.csrf).toHaveLength(1_048_571);
    const { status, text, headers } = await ask('POST', `/pay/${TOKEN}`, { body: `${body}a` });
    expect([status, text, headers.connection]).toEqual([413, '<p>413 POST', 'close']);
    expect(headers).toMatchObject(STANDING);
  });
});

describe('whether another site sent it', () => {
  const HOST = 'pay.example:4242';
  const PUBLIC = 'https://shop.example/base';
  test.each<[string, string | null, string | null, boolean]>([
    // what the browser says of the site decides, whatever the origin
    ['same-origin', 'null', null, false],
    ['same-origin', 'https://evil.example', null, false],
    ['none', null, null, false],
    ['same-site', `http://${HOST}`, null, true],
    ['cross-site', 'null', null, true],
    ['cross-site', `http://${HOST}`, null, true],
    ['', null, null, true],
    ['same-origin, cross-site', null, null, true],
    // a browser that does not say it, or http
    ['-', `http://${HOST}`, null, false],
    ['-', `https://${HOST}`, null, false],
    ['-', 'http://PAY.example:4242', null, false],
    ['-', 'https://pay.example', 'pay.example:443', false],
    ['-', 'http://pay.example', 'pay.example:443', true],
    ['-', 'http://pay.example', null, true],
    ['-', 'https://shop.example', null, false],
    ['-', 'https://shop.example:8443', null, true],
    ['-', 'https://evil.example', null, true],
    ['-', 'https://evil.example', 'a b', true],
    ['-', `http://${HOST}.evil.example`, null, true],
    ['-', 'http://', null, true],
    ['-', '', null, true],
    // with `Referrer-Policy: no-referrer` our own forms send this
    ['-', 'null', null, false],
    ['-', null, null, false],
  ])('Sec-Fetch-Site %s, Origin %s, Host %s: %s', (site, origin, host, foreign) => {
    const headers: Record<string, string> = { host: host ?? HOST };
    if (site !== '-' && site !== null) headers['sec-fetch-site'] = site;
    if (origin !== null) headers['origin'] = origin;
    expect(isForeign((name) => headers[name], PUBLIC)).toBe(foreign);
  });
  test('over the wire, with and without an address of the service', async () => {
    const asked = async (headers: Record<string, string>, to = port) =>
      (await json('POST', `/pay/${TOKEN}`, { body: 'a=1', headers, port: to })).foreign;
    expect(await asked({ 'sec-fetch-site': 'cross-site', origin: 'null' })).toBe(true);
    expect(await asked({ 'sec-fetch-site': 'same-origin', origin: 'null' })).toBe(false);
    expect(await asked({ origin: 'null' })).toBe(false);
    expect(await asked({ origin: `http://127.0.0.1:${port}` })).toBe(false);
    expect(await asked({ origin: 'https://shop.example' })).toBe(true);
    const named = await serve({ publicUrl: PUBLIC });
    expect(await asked({ origin: 'https://shop.example', host: 'inside:80' }, named)).toBe(false);
  });
});

describe('what goes wrong is shown to people', () => {
  test.each([
    ['GET', '/pay/a/b/c', 404],
    ['GET', '/pay?x=1', 404],
    ['POST', `/pay/${TOKEN}/unknown`, 404],
    ['GET', `/pay/${TOKEN}/fail/resource_missing`, 404],
    ['GET', `/pay/${TOKEN}/fail/rate_limited`, 429],
    ['GET', `/pay/${TOKEN}/fail/bug`, 500],
    ['GET', `/pay/${TOKEN}/fail/header`, 500],
    ['GET', `/pay/${TOKEN}/fail/overloaded`, 503],
  ])('%s %s: %i', async (method, path, status) => {
    const answer = await ask(method, path, { headers: { accept: 'application/problem+json' } });
    expect([answer.status, answer.text]).toEqual([status, `<p>${status} ${method}`]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['retry-after']).toBe(status === 429 || status === 503 ? '1' : undefined);
  });
  test.each([
    ['DELETE', `/pay/${TOKEN}`, 'GET, HEAD, POST'],
    ['POST', `/pay/${TOKEN}/logo`, 'GET, HEAD'],
    ['OPTIONS', '/pay/notifications/stripe', 'POST'],
    ['GET', '/pay/notifications/stripe?x', 'POST'],
  ])('%s %s names %s', async (method, path, allow) => {
    const { status, headers, text } = await ask(method, path);
    expect([status, headers.allow, text]).toEqual([405, allow, `<p>405 ${method}`]);
  });
  test('a content type that is none', async () => {
    expect((await ask('POST', `/pay/${TOKEN}`, { body: 'a', headers: { 'content-type': ';' } })).text).toBe(
      '<p>415 POST',
    );
  });
  test('paths of the API keep their JSON, and have none of these headers', async () => {
    for (const path of ['/v1/nothing', '/payx', '/v1/pay/x', '/payments/', '/openapi.jsonx']) {
      const { text, headers, status } = await ask('GET', path);
      expect([status, JSON.parse(text).error.code], path).toEqual([404, 'path_unknown']);
      expect(headers).not.toHaveProperty('content-security-policy');
    }
  });
  test('JSON of a page is not taken for an error body', async () => {
    const { text, headers } = await ask('GET', `/pay/${TOKEN}/fail/json`, {
      headers: { accept: 'application/problem+json' },
    });
    expect([text, headers['content-type']]).toEqual(['{"own":1}', 'application/json; charset=utf-8']);
  });
  test('a fault in the page for faults is answered, or else the connection is closed', async () => {
    logged.length = 0;
    const { status, text, headers } = await ask('GET', '/pay/broken-fault/x');
    expect([status, text, headers['content-type']]).toEqual([404, 'HTTP 404\n', 'text/plain; charset=utf-8']);
    await expect(ask('GET', '/pay/bad-fault/x')).rejects.toThrow('socket hang up');
    await expect(ask('GET', '/pay/bad-fault/fail/bug')).rejects.toThrow('socket hang up');
    expect(logged.join('')).toContain('no page for that');
    expect(logged.join('')).toContain('fault not sent');
    expect((await ask('GET', `/pay/${TOKEN}`)).status).toBe(200);
  });
  test('without pages and their faults there is a plain one', async () => {
    const to = await serve({}, {});
    const { status, text, headers } = await ask('GET', `/pay/${TOKEN}`, { port: to });
    expect([status, text]).toEqual([404, 'HTTP 404\n']);
    expect(headers).toMatchObject(STANDING);
  });
});

test('equal reads at once share an answer that is not older than any of them', async () => {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => (open = resolve));
  reads = 0;
  const path = `/pay/${TOKEN}/shared`;
  const first = ask('GET', path);
  while (reads === 0) await sleep(2);
  const equal = Array.from({ length: 5 }, (_, i) => ask(i === 0 ? 'HEAD' : 'GET', `${path}?x=${i}`));
  const other = ask('GET', `${path}?lang=de`);
  while (reads === 1) await sleep(2);
  await sleep(100); // until all have arrived
  const readBefore = reads;
  open();
  expect(readBefore).toBe(2);
  expect((await first).text).toBe('1');
  expect((await other).text).toBe('2');
  expect((await Promise.all(equal)).map(({ text }) => text)).toEqual(['', '3', '3', '3', '3']);
  expect((await ask('GET', path)).text).toBe('4');
});

/** Streams that stay open until they are left, and how many there are. */
function staying() {
  let open = 0;
  fill = async (sink) => {
    open += 1;
    await sink.write('event: status\ndata: x\n\n');
    await new Promise<void>((over) => sink.onOver(over));
    open -= 1;
  };
  return async (count: number) => {
    for (let wait = 0; wait < 400 && open !== count; wait++) await sleep(5);
    expect(open).toBe(count);
  };
}

/** Resolves when the answer has begun. */
function listen(to: number, path: string): Promise<{ status: number; leave: () => void; whole: Promise<string> }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: to, path, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', () => undefined);
      const whole = new Promise<string>((ended) => void response.on('close', () => ended(text)));
      resolve({ status: response.statusCode ?? 0, leave: () => void asked.destroy(), whole });
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('streams', () => {
  const listens = async (to: number, tokens: readonly string[]) => {
    const streams = [];
    for (const token of tokens) streams.push(await listen(to, `/pay/${token}/status`));
    return streams;
  };
  test('are so many of one path and in all; who leaves makes room', async () => {
    const to = await serve({ pageStreams: 5, pageStreamsPerPath: 2 });
    const isOpen = staying();
    const streams = await listens(to, ['a', 'a', '%61', 'b', 'b', 'c', 'd']);
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 503, 200, 200, 200, 503]);
    await isOpen(5);
    const refused = await ask('GET', '/pay/a/status', { port: to });
    expect([refused.text, refused.headers['retry-after']]).toEqual(['<p>503 GET', '1']);
    expect(refused.headers).toMatchObject(STANDING);
    streams[0]?.leave();
    await isOpen(4);
    expect((await listens(to, ['d', 'd'])).map(({ status }) => status)).toEqual([200, 503]);
    expect((await listens(to, ['a'])).map(({ status }) => status)).toEqual([503]);
    streams[3]?.leave();
    streams[5]?.leave();
    await isOpen(3);
    expect((await listens(to, ['a', 'a'])).map(({ status }) => status)).toEqual([200, 503]);
  });
  test('of one path are 20 by default', async () => {
    const isOpen = staying();
    const streams = await listens(port, Array(21).fill('twenty'));
    expect(streams.map(({ status }) => status)).toEqual([...Array(20).fill(200), 503]);
    for (const { leave } of streams) leave();
    await isOpen(0);
  });
  test('give their place back when there is nothing to stream, or no receiver', async () => {
    const to = await serve({ pageStreams: 1, pageStreamsPerPath: 1 });
    staying();
    for (let i = 0; i < 5; i++) expect((await ask('GET', '/pay/unknown/status', { port: to })).status).toBe(404);
    for (let i = 0; i < 5; i++) expect((await ask('HEAD', '/pay/a/status', { port: to })).status).toBe(200);
  });
  test('are not kept for a connection that asks for many at once and leaves', async () => {
    const to = await serve({ pageStreams: 3 });
    const isOpen = staying();
    const socket = connect(to, '127.0.0.1');
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString()));
    socket.write('GET /pay/a/status HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    await isOpen(1);
    while (!got.includes('data: x')) await sleep(2);
    await sleep(50); // the two behind have been looked at
    await isOpen(1);
    socket.destroy();
    await isOpen(0);
    expect((await listens(to, ['a', 'a', 'a', 'a'])).map(({ status }) => status)).toEqual([200, 200, 200, 503]);
  });
  test('end with their server', async () => {
    const to = await serve();
    const isOpen = staying();
    const streams = await listens(to, ['a', 'b']);
    logged.length = 0;
    await servers.pop()?.close();
    await isOpen(0);
    for (const { whole } of streams) expect(await whole).toBe('event: status\ndata: x\n\n');
    expect(logged.map((line) => JSON.parse(line)).map(({ route, ended }) => [route, ended])).toEqual(
      streams.map(() => ['/pay/:token/status', 'server_closed']),
    );
  });
});

test('the log and the metrics know a page by its pattern', async () => {
  fill = async () => undefined;
  logged.length = 0;
  const headers = { referer: `https://shop.example/${TOKEN}`, 'user-agent': TOKEN, 'sec-fetch-site': TOKEN };
  const asked = [
    ['GET', `/pay/${TOKEN}?lang=${TOKEN}`, '/pay/:token', 200],
    ['HEAD', `/pay/${TOKEN}`, '/pay/:token', 200],
    ['POST', `/pay/${TOKEN}`, '/pay/:token', 200],
    ['GET', `/pay/${TOKEN}/status`, '/pay/:token/status', 200, { ended: 'complete' }],
    ['GET', `/pay/${TOKEN}/fail/resource_missing`, '/pay/:token/fail/:how', 404, { code: 'resource_missing' }],
    ['GET', `/pay/${TOKEN}/x`, '(none)', 404, { code: 'path_unknown' }],
    ['PUT', `/pay/${TOKEN}`, '(none)', 405, { code: 'method_not_allowed' }],
    ['GET', `/pay/${TOKEN}%zz`, '(none)', 404, { code: 'path_unknown' }],
  ] as const;
  const expected = [];
  for (const [method, path, route, status, more] of asked) {
    const form = method === 'POST' ? { body: `csrf=${TOKEN}&amount=%zz` } : {};
    const answer = await ask(method, path, { headers, ...form });
    const always = { level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String) };
    const id = answer.headers['request-id'];
    expected.push({ ...always, request_id: id, method, route, status, ms: expect.any(Number), ...more });
  }
  for (let wait = 0; wait < 200 && logged.length < asked.length; wait++) await sleep(5);
  expect(logged.map((line) => JSON.parse(line))).toEqual(expected);

  const { status } = await ask('GET', `/pay/${TOKEN}/fail/bug`, { headers });
  expect([status, logged.length]).toEqual([500, asked.length + 2]);
  expect(JSON.parse(logged.at(-2) ?? '')).toMatchObject({ route: '/pay/:token/fail/:how', msg: 'request failed' });
  expect(logged.join('')).toContain('the secret cause');
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/count\{route="\/pay\/:token",method="POST",status="2xx"\} [1-9]/);
  expect(metrics).toMatch(/bursar_http_streams_open\{route="\/pay\/:token\/status"\} \d/);
  for (const written of [logged.join(''), metrics]) expect(written).not.toMatch(/canary|127\.0\.0|shop\.example/);
});
