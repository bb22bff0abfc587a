/** The paths that need no key: who reads metrics, how the document is kept, and what is counted by address. */
import { holdNothing } from '../../../test/support/faults/held-back.ts';
import { callerWith } from '../../../test/support/harness/keys.ts';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Counter, Registry } from 'prom-client';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../config.ts';
import { buildServer, type HttpConfig } from './server.ts';
import { takesGzip } from './transfer/validators.ts';

const held = holdNothing();
afterAll(() => held.restore());
/** The clock of all limits stands still, and goes on by `secondLater` alone. */
vi.useFakeTimers({ toFake: ['performance'] });
const secondLater = () => void vi.advanceTimersByTime(1_000);
afterAll(() => void vi.useRealTimers());
beforeEach(secondLater);

const TOKEN = 'only-tests-know-this-token-0123456789';
const keys = {
  all: `sk_live_${'a'.repeat(40)}`,
  metrics: `rk_live_${'b'.repeat(40)}`,
  narrow: `rk_live_${'c'.repeat(40)}`,
};
const scopes = { all: null, metrics: new Set(['metrics:read']), narrow: new Set(['events:read']) };

let renders = 0;
const metrics = new Registry();
metrics.registerMetric(
  new Counter({ name: 'things_total', help: 'x', registers: [], collect: () => void (renders += 1) }),
);

const logged: string[] = [];
const servers: FastifyInstance[] = [];
async function serve(own: Partial<HttpConfig> = {}): Promise<number> {
  const app = buildServer({
    config: { ...loadConfig({ BURSAR_METRICS_TOKEN: TOKEN }), publicUrl: '', version: '1', ...own },
    routes: [],
    schemas: {},
    authenticate: (key) => {
      const [name] = Object.entries(keys).find(([, each]) => each === key) ?? [];
      if (name === undefined) return null;
      return callerWith({ livemode: true, scopes: scopes[name as keyof typeof scopes] });
    },
    log: pino({}, { write: (line: string) => void logged.push(line) }),
    metrics,
    readiness: () => null,
  });
  servers.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}
afterAll(async () => {
  for (const app of servers) await app.close();
});

const port = await serve();

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}
/** `from`: the address of this machine that asks. */
function get(path: string, headers: Record<string, string> = {}, to = port, from = '127.0.0.1'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: to, host: '127.0.0.1', localAddress: from, path, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => void chunks.push(chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const codeOf = ({ body }: Reply) => JSON.parse(body.toString()).error.code as string;

describe('metrics', () => {
  test('are shown to this machine itself, and not through a proxy on it', async () => {
    expect((await get('/metrics')).body.toString()).toContain('things_total');
    expect((await get('/metrics', {}, port, '127.0.0.9')).status).toBe(200);
    const named = ['X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'X-Real-IP', 'Via', 'CF-Connecting-IP'];
    for (const name of [...named, 'Fly-Client-IP', 'X-Amzn-Trace-Id', 'X-Azure-Ref', 'Host']) {
      const reply = await get('/metrics', { [name]: name === 'Host' ? 'pay.example.com' : '127.0.0.1' });
      expect([reply.status, codeOf(reply)], name).toEqual([401, 'api_key_invalid']);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expect(reply.body.toString()).toContain('BURSAR_METRICS_TOKEN');
      expect(reply.body.toString()).not.toContain('things_total');
    }
  });

  test.each([
    ['the token', bearer(TOKEN), 200],
    ['the token, otherwise written', { authorization: `bearer  ${TOKEN}` }, 200],
    ['a key with the scope', bearer(keys.metrics), 200],
    ['a secret key, which has all scopes of its environment', bearer(keys.all), 403],
    ['a key with another scope', bearer(keys.narrow), 403],
    ['half of the token', bearer(TOKEN.slice(0, -1)), 401],
    ['a longer token', bearer(`${TOKEN}0`), 401],
    ['the token as Basic', { authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}` }, 401],
    ['an unknown key', bearer(`sk_live_${'z'.repeat(40)}`), 401],
    ['nothing', {}, 401],
  ])('from elsewhere with %s', async (_what, headers, status) => {
    const reply = await get('/metrics', { via: '1.1 proxy', ...headers });
    expect(reply.status).toBe(status);
    expect(reply.body.toString().includes('things_total')).toBe(status === 200);
    if (status !== 200) expect(reply.body.toString()).toMatch(/metrics:read|BURSAR_METRICS_TOKEN/);
  });

  test('no token opens them where none is set', async () => {
    const without = await serve({ metricsToken: null });
    for (const headers of [bearer(TOKEN), bearer(''), bearer('null')]) {
      expect((await get('/metrics', { via: '1.1 proxy', ...headers }, without)).status).toBe(401);
    }
  });

  test('are rendered once a second at most, whoever asks', async () => {
    renders = 0;
    for (let second = 1; second <= 3; second++) {
      const replies = await Promise.all(Array.from({ length: 60 }, () => get('/metrics', bearer(TOKEN))));
      expect(replies.every(({ status }) => status === 200)).toBe(true);
      expect(renders).toBe(second);
      secondLater();
    }
  });

  test('the token stands in no log line', () => {
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('')).not.toContain(TOKEN.slice(0, 20));
  });
});

describe('the OpenAPI document', () => {
  test('has a tag, and is not sent to those who have it', async () => {
    const plain = await get('/openapi.json');
    expect(JSON.parse(plain.body.toString()).openapi).toBe('3.1.0');
    const { etag, vary } = plain.headers;
    expect([etag, vary]).toEqual([expect.stringMatching(/^"[\w-]{27}"$/), 'Accept-Encoding']);
    expect(plain.headers['cache-control']).toBe('no-cache');
    for (const known of [etag as string, `W/${etag as string}`, `"x", ${etag as string}`, '*']) {
      const again = await get('/openapi.json', { 'if-none-match': known });
      expect([again.status, again.body.length, again.headers['etag'], again.headers['content-length']]).toEqual([
        304,
        0,
        etag,
        undefined,
      ]);
    }
    expect((await get('/openapi.json', { 'if-none-match': '"x"' })).body).toEqual(plain.body);
  });

  test('compressed it is the same, under a tag of its own', async () => {
    const plain = await get('/openapi.json');
    const small = await get('/openapi.json', { 'accept-encoding': 'br, gzip' });
    expect(gunzipSync(small.body)).toEqual(plain.body);
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(small.headers['etag']).not.toBe(plain.headers['etag']);
    const known = { 'accept-encoding': 'gzip', 'if-none-match': plain.headers['etag'] as string };
    expect((await get('/openapi.json', known)).status).toBe(200);
  });

  test.each([
    ['gzip', true],
    ['br;q=1, GZIP;q=0.5', true],
    ['*', true],
    ['gzip;q=0.001', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000, *', false],
    ['*;q=0', false],
    ['identity', false],
    ['x-gzipped', false],
    ['', false],
  ])('Accept-Encoding: %s', (encodings, takes) => {
    expect(takesGzip(encodings)).toBe(takes);
  });
});

describe('without a key', () => {
  const statuses = async (count: number, ask: (number: number) => Promise<Reply>) =>
    (await Promise.all(Array.from({ length: count }, (_, number) => ask(number)))).map(({ status }) => status);
  const of = (all: number[], status: number) => all.filter((each) => each === status).length;

  test.each(['/', '/openapi.json', '/metrics', '/docs/errors', '/nothing', '/v1/nothing', '/pay/a/b/c'])(
    'an address asks for %s as often as it may, then is refused late',
    async (path) => {
      const to = await serve({ keylessRequestsPerSecond: 5 });
      held.clear();
      const all = await statuses(20, () => get(path, {}, to));
      expect(of(all, 429)).toBe(15);
      expect(held.ms).toEqual(Array(15).fill(1_000));
      // another address, and the health checks, are not concerned
      expect((await get(path, {}, to, '127.0.0.2')).status).not.toBe(429);
      expect(of(await statuses(30, () => get('/readyz', {}, to)), 200)).toBe(30);
      expect(of(await statuses(30, () => get('/livez', {}, to)), 200)).toBe(30);
      secondLater();
      expect(of(await statuses(20, () => get(path, {}, to)), 429)).toBe(15);
    },
  );

  test('one too many is told when to come back', async () => {
    const to = await serve({ keylessRequestsPerSecond: 1 });
    const replies = await Promise.all(Array.from({ length: 4 }, () => get('/', {}, to)));
    const refused = replies.find(({ status }) => status === 429) as Reply;
    expect([codeOf(refused), refused.headers['retry-after']]).toEqual(['rate_limited', '1']);
  });

  test('0 is no limit', async () => {
    const to = await serve({ keylessRequestsPerSecond: 0 });
    expect(of(await statuses(150, () => get('/', {}, to)), 200)).toBe(150);
  });

  test('behind a trusted proxy each client is counted for itself, and no header makes another of it', async () => {
    const { trustedProxies } = loadConfig({ BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
    const to = await serve({ keylessRequestsPerSecond: 2, trustedProxies });
    const from = (client: string) => get('/', { 'x-forwarded-for': client }, to);
    expect(of(await statuses(6, (number) => from(`6.6.6.${number}, 192.0.2.1`)), 429)).toBe(4);
    expect((await from('192.0.2.2')).status).toBe(200);
    // control: without the setting all share the address of the proxy
    const alone = await serve({ keylessRequestsPerSecond: 2 });
    const shared = await statuses(6, (number) => get('/', { 'x-forwarded-for': `192.0.2.${number}` }, alone));
    expect(of(shared, 429)).toBe(4);
    const warnings = logged.filter((line) => line.includes('BURSAR_TRUSTED_PROXIES') && line.includes('"level":40'));
    expect(warnings.length).toBeGreaterThanOrEqual(1);
  });
});
