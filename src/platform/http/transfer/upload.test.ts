/** Uploads over raw sockets: they go on for as long as they move, and end with a sentence where they do not. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { eventually } from '../../../../test/support/harness/eventually.ts';
import { callerWith } from '../../../../test/support/harness/keys.ts';
import { loadConfig } from '../../../config.ts';
import { registry } from '../metrics.ts';
import { LEAST_BYTES } from './pace.ts';
import { routesOf } from '../route.ts';
import { buildServer } from '../server.ts';

const route = routesOf('Things', 'events');
const KEY = `sk_test_${'a'.repeat(40)}`;
const WINDOW_MS = 60_000;

let app: FastifyInstance | undefined;
let seen = { bytes: 0, begun: 0, ended: 0 };
const logged: Record<string, unknown>[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
  logged.splice(0);
});

/** A server that takes an upload and an ordinary body. */
async function serve(requestTimeoutMs: number): Promise<number> {
  const timeouts = { requestTimeoutMs, headersTimeoutMs: requestTimeoutMs };
  seen = { bytes: 0, begun: 0, ended: 0 };
  const common = { summary: 'x', response: { schema: { type: 'object' } } } as const;
  app = buildServer({
    routes: [
      route('uploadThing', 'POST /v1/files', {
        ...common,
        uploads: true,
        async handle({ upload }) {
          seen.begun += 1;
          try {
            for await (const part of upload ?? []) seen.bytes += part.byteLength;
          } finally {
            seen.ended += 1;
          }
          return { status: 200, body: '{}' };
        },
      }),
      route('createThing', 'POST /v1/things', { ...common, handle: async () => ({ status: 200, body: '{}' }) }),
    ],
    schemas: {},
    authenticate: (key) => (key === KEY ? callerWith() : null),
    log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) }),
    metrics: registry,
    readiness: () => null,
    config: { ...loadConfig({}), publicUrl: '', version: '1', streamStallMs: WINDOW_MS, ...timeouts },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** Sends the head of a request, and what it is told. */
function sending(port: number, path: string, bytes: number) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const got = { text: '', isClosed: false };
  socket.on('data', (data) => (got.text += data.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (got.isClosed = true));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${bytes}\r\n\r\n`);
  const send = async (body: string) => {
    const expected = seen.bytes + body.length;
    socket.write(body);
    await eventually('it has arrived', () => seen.bytes >= expected || got.isClosed);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  };
  return { socket, got, send };
}

it('cuts off who sends a byte a second, in words, and gives the place back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { got, send } = sending(await serve(200_000), '/v1/files', 1_000_000);
  await eventually('the upload has begun', () => seen.begun === 1);
  for (let second = 0; second < WINDOW_MS / 1_000 - 1; second += 1) {
    await send('x');
    vi.advanceTimersByTime(1_000);
  }
  expect([seen.bytes, seen.ended, got.text]).toEqual([59, 0, '']);
  await send('x');
  vi.advanceTimersByTime(1_000);
  await eventually('it is closed', () => got.isClosed);
  expect(got.text).toMatch(/^HTTP\/1.1 400 .*connection: close.*"code":"body_invalid".*arrives too slowly/is);
  expect(seen.ended).toBe(1);
  expect(logged.filter(({ level }) => level === 50)).toEqual([]);
});

it('leaves alone who is slow and moves, for as long as that takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { got, send } = sending(await serve(200_000), '/v1/files', 5 * LEAST_BYTES);
  await eventually('the upload has begun', () => seen.begun === 1);
  for (let windows = 0; windows < 5; windows += 1) {
    vi.advanceTimersByTime(WINDOW_MS - 1);
    await send('x'.repeat(LEAST_BYTES));
  }
  await eventually('it is answered', () => got.text.startsWith('HTTP/1.1 200'));
});

it('may take longer than any other request', async () => {
  const port = await serve(1_000);
  const upload = sending(port, '/v1/files', 2);
  await upload.send('x');
  const younger = sending(port, '/v1/things', 2);
  await eventually('another request has come too late', () => younger.got.text.startsWith('HTTP/1.1 400'));
  await upload.send('x');
  await eventually('the upload is answered', () => upload.got.text.startsWith('HTTP/1.1 200'));
});

it('ends with its connection, and that is no fault of ours', async () => {
  const { socket, send } = sending(await serve(200_000), '/v1/files', 1_000);
  await send('x');
  socket.destroy();
  await eventually('it has ended', () => seen.ended === 1);
  await eventually('it is logged', () => logged.some(({ code }) => code === 'body_invalid'));
  expect(logged.filter(({ level }) => level === 50)).toEqual([]);
});

it('ends with the server, in words', async () => {
  const { got, send } = sending(await serve(200_000), '/v1/files', 1_000);
  await send('x');
  await app?.close(); // waits for all connections
  await eventually('it is closed', () => got.isClosed);
  expect(got.text).toMatch(/^HTTP\/1.1 503 .*connection: close.*The service is stopping/is);
});
