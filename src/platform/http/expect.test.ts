/** `Expect: 100-continue` over raw sockets: the client sends no body before it is asked for, and sees what comes first. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { callerWith } from '../../../test/support/harness/keys.ts';
import { loadConfig } from '../../config.ts';
import { registry } from './metrics.ts';
import { amount, params } from './request/params.ts';
import { routesOf } from './route.ts';
import { buildServer } from './server.ts';

const route = routesOf('Things', 'payouts');
const [FULL, NARROW, LIVE, BUSY] = ['a', 'b', 'c', 'd'].map((letter) => `sk_test_${letter.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
const CALLERS = new Map([
  [FULL, callerWith()],
  [NARROW, callerWith({ actorId: 'key_narrow', scopes: new Set(['accounts:read']) })],
  [LIVE, callerWith({ actorId: 'key_live', livemode: true })],
  [BUSY, callerWith({ actorId: 'key_busy', environmentId: 'env_busy' })],
]);
const REQUESTS_PER_SECOND = 20;
const common = { summary: 'x', response: { schema: { type: 'object' } } } as const;
const body = params({ amount: amount({ description: 'x' }) });
const handle = async () => ({ status: 200, body: '{}' });
let uploaded = 0;
const app = buildServer({
  config: {
    ...loadConfig({}),
    publicUrl: '',
    version: '1',
    bodyLimitBytes: 1_000,
    requestsPerSecond: REQUESTS_PER_SECOND,
  },
  routes: [
    route('createThing', 'POST /v1/things', { ...common, body, handle }),
    routesOf('Helpers', 'test_helpers')('helpThing', 'POST /v1/test_helpers/things', { ...common, body, handle }),
    route('uploadThing', 'POST /v1/files', {
      ...common,
      uploads: true,
      async handle({ upload }) {
        for await (const part of upload ?? []) uploaded += part.byteLength;
        return { status: 200, body: '{}' };
      },
    }),
  ],
  schemas: {},
  authenticate: (key) => CALLERS.get(key) ?? null,
  log: pino({ level: 'silent' }),
  metrics: registry,
  readiness: () => null,
});
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(() => app.close());
afterEach(() => void vi.useRealTimers());

/** The request without its body; `got` grows. */
function begin(line: string, headers: Readonly<Record<string, string>>) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  const got = { text: '' };
  socket.on('data', (data) => (got.text += data.toString()));
  const all = { Host: 'x', Expect: '100-continue', ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n`);
  return { socket, got, ended };
}

const FORM = 'application/x-www-form-urlencoded';
const sentWith = (key: string, more: object = {}) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': FORM,
  'Content-Length': '8',
  ...more,
});
const THINGS = 'POST /v1/things';

describe('a request whose headers decide the answer', () => {
  const cases: readonly (readonly [string, number, string, Readonly<Record<string, string>>])[] = [
    ['no key', 401, THINGS, { 'Content-Length': '8' }],
    ['a key that is none', 401, THINGS, sentWith(`sk_test_${'z'.repeat(40)}`)],
    ['a scope is missing', 403, THINGS, sentWith(NARROW)],
    ['a live key in the sandbox', 403, 'POST /v1/test_helpers/things', sentWith(LIVE)],
    ['no such path', 404, 'POST /v1/nothing', sentWith(FULL)],
    ['no such path, in chunks', 404, 'POST /v1/nothing', { 'Transfer-Encoding': 'chunked' }],
    ['another method', 405, 'PUT /v1/things', sentWith(FULL)],
    ['too long', 413, THINGS, sentWith(FULL, { 'Content-Length': '1001' })],
    ['another type', 415, THINGS, sentWith(FULL, { 'Content-Type': 'text/plain' })],
    ['compressed', 415, THINGS, sentWith(FULL, { 'Content-Encoding': 'gzip' })],
    ['an idempotency key that is none', 400, THINGS, sentWith(FULL, { 'Idempotency-Key': 'x'.repeat(256) })],
  ];
  it.each(cases)('is answered at once, and its body is not asked for: %s', async (_title, status, line, headers) => {
    const { got, ended } = begin(line, headers);
    await ended; // the client sends nothing more: the server closes by itself
    expect(got.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(got.text).toMatch(/\r\nConnection: close\r\n/i);
    expect(got.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('is counted once, and answered 429 where it is one too many', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }); // all in one second
    const left: string[] = [];
    for (let number = 0; number < REQUESTS_PER_SECOND; number++) {
      const { socket, got, ended } = begin(THINGS, sentWith(BUSY, { Connection: 'close' }));
      await eventually('the body is asked for', () => got.text.startsWith('HTTP/1.1 100 '));
      socket.write('amount=5');
      await ended;
      left.push(/RateLimit: "default";r=(\d+)/.exec(got.text)?.[1] ?? '');
    }
    expect(left).toEqual(Array.from({ length: REQUESTS_PER_SECOND }, (_, at) => String(REQUESTS_PER_SECOND - 1 - at)));
    const { got, ended } = begin(THINGS, sentWith(BUSY));
    await ended;
    expect(got.text).toMatch(/^HTTP\/1\.1 429 /);
  });
});

describe('any other', () => {
  it('is asked for its body, answered, and the connection goes on', async () => {
    const { socket, got, ended } = begin(THINGS, sentWith(FULL));
    for (const count of [1, 2]) {
      await eventually(
        'the body is asked for',
        () => got.text.split('HTTP/1.1 100 Continue\r\n\r\n').length === count + 1,
      );
      socket.write('amount=5');
      await eventually('it is answered', () => got.text.split('HTTP/1.1 200 OK\r\n').length === count + 1);
      const again = Object.entries({ Host: 'x', Expect: '100-continue', ...sentWith(FULL) });
      if (count === 1)
        socket.write(`POST /v1/things HTTP/1.1\r\n${again.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`);
    }
    socket.end();
    await ended;
  });

  it('may send its body without waiting', async () => {
    const { socket, got, ended } = begin(THINGS, sentWith(FULL, { Connection: 'close' }));
    socket.write('amount=5');
    await ended;
    expect(got.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  it('is asked for in chunks, and for a file', async () => {
    const { socket, got, ended } = begin('POST /v1/files', {
      Authorization: `Bearer ${FULL}`,
      'Transfer-Encoding': 'chunked',
      Connection: 'close',
    });
    await eventually('the body is asked for', () => got.text === 'HTTP/1.1 100 Continue\r\n\r\n');
    expect(uploaded).toBe(0);
    socket.write('5\r\nabcde\r\n0\r\n\r\n');
    await ended;
    expect(got.text).toContain('HTTP/1.1 200 ');
    expect(uploaded).toBe(5);
  });
});
