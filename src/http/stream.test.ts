/** Answers that go on, over real sockets: bounded whatever the receiver does, and ended with their server. */
import { callerWith } from '../../test/support/harness/keys.ts';
import { request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { registry } from './metrics.ts';
import { type Route, routesOf } from './route.ts';
import { buildServer } from './server.ts';
import type { Fill } from './stream.ts';

const route = routesOf('Things', 'events');

const KEY = `sk_test_${'a'.repeat(40)}`;
const CHUNK = 'x'.repeat(65_536);
const STALL_MS = 500;

let app: FastifyInstance | undefined;
let sockets: Socket[];
let logged: Record<string, unknown>[];
afterEach(() => app?.close());

/** A server with one stream, which `fill` fills; how many bytes it was given is counted. */
async function serve(fill: Fill): Promise<number> {
  const streamed: Route = route('streamThings', 'GET /v1/things/stream', {
    summary: 'x',
    streams: true,
    response: { schema: { type: 'string' } },
    handle: async () => ({ status: 200, body: '', contentType: 'text/event-stream', stream: fill }),
  });
  const caller = callerWith();
  const lines: Record<string, unknown>[] = [];
  logged = lines;
  sockets = [];
  app = buildServer({
    routes: [streamed],
    schemas: {},
    authenticate: (key) => (key === KEY ? caller : null),
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
    metrics: registry,
    readiness: () => null,
    config: { ...loadConfig({}), publicUrl: '', version: '1', streamStallMs: STALL_MS },
  });
  app.server.on('connection', (socket: Socket) => void sockets.push(socket));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

interface Receiver {
  readonly bytes: () => number;
  readonly complete: () => boolean;
  readonly closed: Promise<void>;
  pause(): void;
  resume(): void;
  cut(): void;
}

function receive(port: number): Promise<Receiver> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${KEY}` };
    const sent = request({ port, host: '127.0.0.1', path: '/v1/things/stream', headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', () => undefined);
      resolve({
        bytes: () => bytes,
        complete: () => response.complete,
        closed: new Promise((gone) => void response.on('close', () => gone())),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        cut: () => void sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const ended = async () => {
  for (let wait = 0; wait < 300 && !logged.some((line) => 'ended' in line); wait++) await sleep(10);
  return logged.filter((line) => 'ended' in line).map((line) => line['ended']);
};

it('keeps one write and a buffer for a receiver that takes nothing, then cuts it off', async () => {
  let written = 0;
  const port = await serve(async (sink) => {
    while (!sink.isOver) {
      await sink.write(CHUNK);
      written += CHUNK.length;
    }
  });
  const receiver = await receive(port);
  while (receiver.bytes() < 20 * CHUNK.length) await sleep(5); // it flows while it is taken
  receiver.pause();
  await sleep(STALL_MS / 2);
  const stopped = written;
  let buffered = 0;
  for (let look = 0; look < 5; look++) {
    await sleep(STALL_MS / 20);
    buffered = Math.max(buffered, ...sockets.map((socket) => socket.writableLength));
  }
  expect(written).toBe(stopped);
  expect(buffered).toBeGreaterThan(0);
  expect(buffered).toBeLessThan(3 * CHUNK.length);
  expect(await ended()).toEqual(['receiver_stalled']);
  receiver.resume();
  await receiver.closed;
  expect(receiver.complete()).toBe(false);
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

it('control: without waiting for the receiver the buffer grows', async () => {
  const port = await serve(async (sink) => {
    for (let i = 0; i < 1_000 && !sink.isOver; i++) {
      void sink.write(CHUNK);
      await sleep(0);
    }
  });
  const receiver = await receive(port);
  receiver.pause();
  while (Math.max(...sockets.map((socket) => socket.writableLength)) < 10 * CHUNK.length) await sleep(5);
  receiver.cut();
});

it('leaves alone a receiver that is slow but takes', async () => {
  const port = await serve(async (sink) => {
    for (let i = 0; i < 200; i++) await sink.write(CHUNK);
  });
  const receiver = await receive(port);
  for (let i = 0; i < 10; i++) {
    receiver.pause();
    await sleep(STALL_MS / 4);
    receiver.resume();
    await sleep(20);
  }
  await receiver.closed;
  expect([receiver.complete(), receiver.bytes()]).toEqual([true, 200 * CHUNK.length]);
  expect(await ended()).toEqual(['complete']);
});

it('ends with the server, at once, also one that is not filled and one that is not read', async () => {
  const port = await serve(async (sink) => {
    await sink.write('begun\n');
    await new Promise<void>((resolve) => sink.onOver(resolve));
  });
  const receivers = await Promise.all(Array.from({ length: 50 }, () => receive(port)));
  receivers[0]?.pause();
  const fromMs = performance.now();
  await app?.close();
  expect(performance.now() - fromMs).toBeLessThan(1_000);
  receivers[0]?.resume();
  await Promise.all(receivers.map(({ closed }) => closed));
  expect(receivers.every((receiver) => receiver.complete() && receiver.bytes() === 6)).toBe(true);
  expect(logged.map((line) => line['ended'])).toEqual(receivers.map(() => 'server_closed'));
});

it('ends with the server although its receiver takes nothing', async () => {
  const port = await serve(async (sink) => {
    while (!sink.isOver) await sink.write(CHUNK);
  });
  const receiver = await receive(port);
  receiver.pause();
  await sleep(100);
  const fromMs = performance.now();
  await app?.close();
  expect(performance.now() - fromMs).toBeLessThan(1_000);
  expect(await ended()).toEqual(['server_closed']);
  receiver.cut();
});

it('is cut, and the fault logged, when filling it fails', async () => {
  const port = await serve(async (sink) => {
    await sink.write('begun\n');
    await sleep(50);
    throw new Error('a bug');
  });
  const receiver = await receive(port);
  await receiver.closed;
  expect(receiver.complete()).toBe(false);
  expect(await ended()).toEqual(['failed']);
  expect(logged.filter(({ msg }) => msg === 'request failed').length).toBe(1);
});

it('ends streams asked for behind another one of their connection when the receiver leaves', async () => {
  let open = 0;
  const port = await serve(async (sink) => {
    open += 1;
    await sink.write(': here\n\n');
    await new Promise<void>((resolve) => sink.onOver(resolve));
    open -= 1;
  });
  const socket = connect(port, '127.0.0.1');
  const asked = `GET /v1/things/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
  socket.write(asked.repeat(5));
  await expect.poll(() => open).toBe(5);
  socket.destroy();
  await expect.poll(() => open).toBe(0);
});
