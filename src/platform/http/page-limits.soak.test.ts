/** Limits of pages by client address, with their headers; behind a trusted proxy each client has its own. */
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { holdNothing } from '../../../test/support/faults/held-back.ts';
import { loadConfig } from '../../config.ts';
import { RequestError } from '../../core/values/errors.ts';
import { registry } from './metrics.ts';
import type { Page } from './page.ts';
import { buildServer, type HttpConfig } from './server.ts';

const held = holdNothing();
afterAll(() => held.restore());
/** The clock of all limits stands still, and goes on by `secondLater` alone. */
vi.useFakeTimers({ toFake: ['performance'] });
const secondLater = () => void vi.advanceTimersByTime(1_000);
afterAll(() => void vi.useRealTimers());

const handle: Page['handle'] = async ({ params }) => {
  if (params['token'] === 'late') return { status: 400, body: 'Somebody else was first.' };
  if (params['token'] === 'wrong') throw new RequestError('path_unknown', 'No such page.');
  return { status: 200, body: 'x' };
};
const pages: Page[] = [
  { method: 'GET', path: '/pay/:token', handle },
  { method: 'POST', path: '/pay/:token', isOurs: async (call) => call.form('csrf') === 'right', handle },
  { method: 'POST', path: '/pay/notifications/stripe', limited: false, handle },
];

const servers: FastifyInstance[] = [];
async function serve(own: Partial<HttpConfig>): Promise<number> {
  const app = buildServer({
    config: { ...loadConfig({}), publicUrl: '', version: '1', ...own },
    pages,
    routes: [],
    schemas: {},
    authenticate: () => null,
    log: pino({ level: 'silent' }),
    metrics: registry,
    readiness: () => null,
  });
  servers.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}
afterAll(async () => {
  for (const app of servers) await app.close();
});

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The address of this machine that asks. */
  readonly from?: string;
}
function ask(port: number, method: string, path: string, { headers, body, from = '127.0.0.1' }: Sent = {}) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const options = { port, host: '127.0.0.1', localAddress: from, method, path, headers: { ...type, ...headers } };
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (reply) => {
      reply.resume().on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers }));
    });
    sent.on('error', reject).end(body);
  });
}
const statuses = async (count: number, ...what: Parameters<typeof ask>) =>
  (await Promise.all(Array.from({ length: count }, () => ask(...what)))).map(({ status }) => status);
const of = (all: readonly number[], status: number) => all.filter((each) => each === status).length;
const RIGHT = { body: 'csrf=right' };

test('an address may view and send, each by its own limit', async () => {
  const port = await serve({ pageRequestsPerSecond: 4, pagePostsPerSecond: 2 });
  const views = await Promise.all(Array.from({ length: 12 }, () => ask(port, 'GET', '/pay/x')));
  const refused = views.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(8);
  expect(refused[0]?.headers).toMatchObject({
    'retry-after': '1',
    ratelimit: '"default";r=0;t=1',
    'ratelimit-policy': '"default";q=4;w=1',
  });
  const other = await ask(port, 'GET', '/pay/x', { from: '127.0.0.2' });
  expect([other.status, other.headers['ratelimit']]).toEqual([200, '"default";r=3;t=1']);
  const forms = await statuses(6, port, 'POST', '/pay/x', RIGHT);
  expect(of(forms, 200)).toBe(2);
  expect(await statuses(20, port, 'POST', '/pay/notifications/stripe')).toEqual(Array(20).fill(200));
  expect((await ask(port, 'GET', '/pay/x')).status).toBe(429);
  secondLater();
  expect((await ask(port, 'GET', '/pay/x')).status).toBe(200);
});

test('what is wrong is counted apart, and refused late', async () => {
  const port = await serve({ pageRequestsPerSecond: 3, pagePostsPerSecond: 3, pageFaultsPerSecond: 2 });
  held.clear();
  const wrong = [
    ...(await statuses(10, port, 'GET', '/pay/wrong')),
    ...(await statuses(10, port, 'POST', '/pay/wrong', { body: 'csrf=wrong' })),
  ];
  // All faults count together, and each one too many is answered a second late.
  expect([of(wrong, 404), of(wrong, 429)]).toEqual([2, 18]);
  expect(held.ms).toEqual(Array(18).fill(1_000));
  expect((await ask(port, 'GET', '/pay/x')).status).toBe(200);
  expect((await ask(port, 'POST', '/pay/x', RIGHT)).status).toBe(200);
});

test('an honest form that comes too late is no fault', async () => {
  const port = await serve({ pagePostsPerSecond: 0, pageFaultsPerSecond: 2 });
  expect(await statuses(12, port, 'POST', '/pay/late', RIGHT)).toEqual(Array(12).fill(400));
  // control: the same from elsewhere is one
  expect(of(await statuses(12, port, 'POST', '/pay/late'), 429)).toBe(10);
});

test('50 views and 5 forms by default; the limit of keys does not concern them', async () => {
  const policies = [];
  const off = { pageRequestsPerSecond: 0, pagePostsPerSecond: 0 };
  for (const own of [{ requestsPerSecond: 0 }, off]) {
    const port = await serve(own);
    policies.push(await ask(port, 'GET', '/pay/x'), await ask(port, 'POST', '/pay/x', RIGHT));
  }
  const named = policies.map(({ headers }) => headers['ratelimit-policy']);
  expect(named).toEqual(['"default";q=50;w=1', '"default";q=5;w=1', undefined, undefined]);
});

test('behind a trusted proxy each client has its own; control: without the setting all share one', async () => {
  const { trustedProxies } = loadConfig({ BURSAR_TRUSTED_PROXIES: '127.0.0.0/8' });
  /** Twelve at once from as many addresses: how many are refused. */
  const refused = async (own: Partial<HttpConfig>, addressOf: (number: number) => string) => {
    const port = await serve({ pageRequestsPerSecond: 3, ...own });
    const asked = Array.from({ length: 12 }, (_, number) =>
      ask(port, 'GET', '/pay/x', { headers: { 'x-forwarded-for': `203.0.113.7, ${addressOf(number)}` } }),
    );
    return of(await Promise.all(asked.map(async (each) => (await each).status)), 429);
  };
  const networks = (number: number) => `2001:db8:1:${number}::1`;
  const inOneNetwork = (number: number) => `2001:db8:1:2:${number}::1`;
  expect(await refused({ trustedProxies }, networks)).toBe(0);
  expect(await refused({ trustedProxies }, inOneNetwork)).toBe(9);
  expect(await refused({}, networks)).toBe(9);
});
