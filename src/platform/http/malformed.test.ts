/** What is not HTTP, or not all of it: raw bytes over real sockets (T20). */
import { callerWith } from '../../../test/support/harness/keys.ts';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { registry } from './metrics.ts';
import { amount, params } from './request/params.ts';
import { routesOf } from './route.ts';
import { buildServer } from './server.ts';

const route = routesOf('Things', 'payouts');

const KEY = `sk_test_${'a'.repeat(40)}`;
const serverWith = (timeouts: { readonly headersTimeoutMs: number; readonly requestTimeoutMs: number }) =>
  buildServer({
    config: { ...loadConfig({}), publicUrl: '', version: '1', ...timeouts },
    routes: [
      route('createThing', 'POST /v1/things', {
        summary: 'x',
        response: { schema: { type: 'object' } },
        body: params({ amount: amount({ description: 'x' }) }),
        handle: async () => ({ status: 200, body: '{}' }),
      }),
    ],
    schemas: {},
    authenticate: (key) => (key === KEY ? callerWith() : null),
    log: pino({ level: 'silent' }),
    metrics: registry,
    readiness: () => null,
  });
const app = serverWith({ headersTimeoutMs: 1_500, requestTimeoutMs: 2_000 });
/** Cuts nobody off while a test runs. */
const patientApp = serverWith({ headersTimeoutMs: 200_000, requestTimeoutMs: 200_000 });
beforeAll(async () => {
  for (const each of [app, patientApp]) await each.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const each of [app, patientApp]) await each.close();
});
const portOf = ({ server }: typeof app) => (server.address() as AddressInfo).port;

/** Sends bytes, returns everything that came back until the server closed the connection, or until `last` came. */
function raw(bytes: string | Buffer, last?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(portOf(app), '127.0.0.1');
    let got = '';
    socket.on('data', (data) => {
      got += data.toString();
      if (last !== undefined && got.includes(last)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
    socket.write(bytes);
  });
}

describe.concurrent('what is not HTTP, or not all of it', () => {
  const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
  test.each([
    ['garbage', 'hello\r\n\r\n'],
    ['TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3])],
    ['headers of 100 kB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['length and chunks', `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n`],
    ['a chunk size that is none', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a blank before the colon', `${head}Content-Length : 2\r\n\r\n{}`],
    ['a folded header', `${head}X: a\r\n b: c\r\nContent-Length: x\r\n\r\n`],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n'],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['the same host twice', 'GET /v1/nothing HTTP/1.1\r\nhost: x\r\nX: a\r\nHOST: x\r\n\r\n'],
    ['two hosts and a body', `${head}HOST: y\r\nContent-Length: 2\r\n\r\n{}`],
    ['two keys', `${head}authorization: Bearer sk_test_x\r\nContent-Length: 2\r\n\r\n{}`],
    ['two types', `${head}CONTENT-TYPE: text/csv\r\nContent-Length: 2\r\n\r\n{}`],
    ['two places in a stream', `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 1\r\nlast-event-id: 1\r\n\r\n`],
    ['two idempotency keys', `${head}Idempotency-Key: a\r\nidempotency-key: b\r\nContent-Length: 2\r\n\r\n{}`],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\nX: a'],
    ['a body that never comes', `${head}Content-Length: 5\r\n\r\n{`],
  ])('%s: 400 and closed', async (_name, bytes) => {
    const got = await raw(bytes);
    expect(got.slice(0, 12)).toBe('HTTP/1.1 400');
    expect(got).toMatch(/connection: close/i);
  });
  test('one host is enough, and Host in another header is none', async () => {
    const got = await raw('GET /livez HTTP/1.1\r\nHost: x\r\nX-Host: y\r\nX: Host\r\nConnection: close\r\n\r\n');
    expect(got.slice(0, 12)).toBe('HTTP/1.1 200');
    expect(await raw('GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n')).toContain('Send one Host header.');
  });
  test('lists may stand in several headers', async () => {
    const lists =
      'Accept: text/csv\r\nAccept: application/json\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n';
    const got = await raw(`${head}${lists}Content-Length: 12\r\nConnection: close\r\n\r\n{"amount":1}`);
    expect(got.slice(0, 12)).toBe('HTTP/1.1 200');
  });
  test('the answer to garbage is our error body', async () => {
    const got = await raw('hello\r\n\r\n');
    const [headers = '', body = ''] = got.split('\r\n\r\n');
    const requestId = /Request-Id: (req_\S+)/.exec(headers)?.[1];
    expect(JSON.parse(body).error).toMatchObject({
      type: 'invalid_request_error',
      code: 'body_invalid',
      request_id: requestId,
    });
  });
  test('garbage behind a request is not taken for the answer to it', async () => {
    const whole = `${head}Content-Length: 12\r\n\r\n{"amount":1}`;
    expect(await raw(`${whole}hello\r\n\r\n`)).not.toContain('HTTP/1.1 400');
    expect(await raw(`${whole}${whole}hello\r\n\r\n`)).not.toContain('HTTP/1.1 400');
    // control: alone the garbage is answered, and so is the request
    expect(await raw('hello\r\n\r\n')).toContain('HTTP/1.1 400');
    expect(await raw(whole, 'HTTP/1.1 200')).toContain('HTTP/1.1 200');
  });
  test('a body too long for its limit, in chunks', async () => {
    const chunked = await raw(
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `fffff\r\n${' '.repeat(0xfffff)}\r\n10\r\n${' '.repeat(16)}\r\n0\r\n\r\n`,
    );
    expect(chunked).toContain('body_too_large');
  });
  test('a body without a type', async () => {
    const untyped = await raw(
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(untyped).toContain('HTTP/1.1 415 ');
  });
  test('good clients are served while bad ones wait and shout', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${portOf(patientApp)}/v1/things`;
    const send = (body: string) => fetch(url, { method: 'POST', headers, body });
    let closed = 0;
    const slow = Array.from({ length: 200 }, () => {
      const socket = connect(portOf(patientApp), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nX: '));
      socket.on('close', () => (closed += 1)).on('error', () => {});
      return socket;
    });
    for (const socket of slow) if (socket.connecting) await once(socket, 'connect');
    const hostile = Array.from({ length: 20 }, (_, i) => send((i % 2 ? '[' : '{"a":').repeat(150_000)));
    for (let i = 0; i < 20; i++) expect((await send('{"amount":1}')).status).toBe(200);
    expect(closed).toBe(0); // they were served beside 200 slow ones, not behind them
    for (const { status } of await Promise.all(hostile)) expect(status).toBe(400);
    for (const socket of slow) socket.destroy();
  });
});
