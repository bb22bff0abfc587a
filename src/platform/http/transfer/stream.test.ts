/** Answers that go on, over real sockets: bounded whatever the receiver does, and ended with their server. */
import { callerWith } from '../../../../test/support/harness/keys.ts';
import { request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { eventually } from '../../../../test/support/harness/eventually.ts';
import { loadConfig } from '../../../config.ts';
import { registry } from '../metrics.ts';
import { type Route, routesOf } from '../route.ts';
import { buildServer } from '../server.ts';
import type { Fill } from './stream.ts';

const route = routesOf('Things', 'events');

const KEY = `sk_test_${'a'.repeat(40)}`;
const CHUNK = 'x'.repeat(65_536);
/** So long that only the tests that move the clock come to its end. */
const STALL_MS = 60_000;

let app: FastifyInstance | undefined;
let sockets: Socket[];
let logged: Record<string, unknown>[];
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

/** A server with one stream, which `fill` fills; how many bytes it was given is counted. */
async function serve(fill: Fill, isFile = false): Promise<number> {
  const streamed: Route = route('streamThings', 'GET /v1/things/stream', {
    summary: 'x',
    streams: true,
    response: { schema: { type: 'string' } },
    handle: async () => ({ status: 200, body: '', contentType: 'text/event-stream', stream: fill, isFile }),
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
  await eventually('the end of the stream is logged', () => logged.some((line) => 'ended' in line));
  return logged.filter((line) => 'ended' in line).map((line) => line['ended']);
};

/** Only timers that are set from now on stand still, and none of Node's own. */
const holdTimers = () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const buffered = () => Math.max(...sockets.map((socket) => socket.writableLength));

/** A stream without an end, and what it waits for. */
function endless() {
  const seen = { written: 0, isWaiting: false, mostBuffered: 0 };
  const fill: Fill = async (sink) => {
    while (!sink.isOver) {
      const taken = sink.write(CHUNK);
      seen.mostBuffered = Math.max(seen.mostBuffered, buffered());
      seen.isWaiting = true;
      await taken;
      seen.isWaiting = false;
      seen.written += CHUNK.length;
    }
  };
  /** Resolves when the stream has waited through many turns of the loop: nothing flows any more. */
  const stuck = () =>
    eventually('the buffers are full', async () => {
      const before = seen.written;
      for (let turns = 0; turns < 200; turns += 1) await turn();
      return seen.isWaiting && seen.written === before && buffered() > 0;
    });
  return { seen, fill, stuck };
}

it('keeps one write and a buffer for a receiver that takes nothing, then cuts it off', async () => {
  const { seen, fill, stuck } = endless();
  holdTimers(); // before the first write: one that begins earlier would stall by the real clock
  const receiver = await receive(await serve(fill));
  await eventually('it flows while it is taken', () => receiver.bytes() > 20 * CHUNK.length);
  receiver.pause();
  await stuck();
  const { written } = seen;
  vi.advanceTimersByTime(STALL_MS - 1);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(logged).toEqual([]);
  expect(seen.written).toBe(written);
  vi.advanceTimersByTime(1);
  expect(await ended()).toEqual(['receiver_stalled']);
  expect(seen.mostBuffered).toBeGreaterThan(0);
  expect(seen.mostBuffered).toBeLessThan(3 * CHUNK.length);
  receiver.resume();
  await receiver.closed;
  expect(receiver.complete()).toBe(false);
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

it('control: without waiting for the receiver the buffer grows', async () => {
  const port = await serve(async (sink) => {
    for (let i = 0; i < 1_000 && !sink.isOver; i++) {
      void sink.write(CHUNK);
      await turn();
    }
  });
  const receiver = await receive(port);
  receiver.pause();
  await eventually('ten chunks are buffered', () => buffered() > 10 * CHUNK.length);
  receiver.cut();
});

it('leaves alone a receiver that is slow but takes', async () => {
  const { seen, fill, stuck } = endless();
  holdTimers();
  const receiver = await receive(await serve(fill));
  for (let times = 0; times < 5; times++) {
    receiver.pause();
    await stuck();
    vi.advanceTimersByTime(STALL_MS - 1);
    const { written } = seen;
    receiver.resume();
    await eventually('it flows again', () => seen.written > written + 50 * CHUNK.length);
  }
  expect(logged).toEqual([]);
  receiver.cut();
  expect(await ended()).toEqual(['receiver_left']);
});

/** A receiver that takes one write of the server whenever `take` is called: sockets take megabytes at once. */
function wire() {
  let take = () => {};
  const stream = new Duplex({
    read: () => undefined,
    write: (_bytes, _encoding, taken) => void (take = taken),
  });
  stream.push(`GET /v1/things/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
  return { stream, take: () => take() };
}

it.each([
  ['a file that is taken too slowly is cut off', true, 3],
  ['control: an event stream is not, for it may be short', false, 40],
])('%s', async (_name, isFile, quarters) => {
  const { seen, fill } = endless();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await serve(fill, isFile);
  const { stream, take } = wire();
  app?.server.emit('connection', stream);
  await eventually('it waits', () => seen.isWaiting);
  for (let each = 0; each < quarters; each += 1) {
    const { written } = seen;
    vi.advanceTimersByTime(STALL_MS / 4);
    for (; seen.written === written && !stream.destroyed; await turn()) take();
    await eventually('it waits again', () => seen.isWaiting);
  }
  expect([logged, stream.destroyed]).toEqual([[], false]);
  vi.advanceTimersByTime(STALL_MS / 4);
  expect(stream.destroyed).toBe(isFile);
  if (isFile) expect(await ended()).toEqual(['receiver_stalled']);
  stream.destroy();
});

it('is complete where all of it was taken', async () => {
  const port = await serve(async (sink) => {
    for (let i = 0; i < 200; i++) await sink.write(CHUNK);
  });
  const receiver = await receive(port);
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
  await app?.close();
  receivers[0]?.resume();
  await Promise.all(receivers.map(({ closed }) => closed));
  expect(receivers.every((receiver) => receiver.complete() && receiver.bytes() === 6)).toBe(true);
  expect(logged.map((line) => line['ended'])).toEqual(receivers.map(() => 'server_closed'));
});

it('ends with the server although its receiver takes nothing', async () => {
  const { fill, stuck } = endless();
  const receiver = await receive(await serve(fill));
  receiver.pause();
  await stuck();
  await app?.close(); // waits for all connections; the receiver would hold its own until the stream is cut
  expect(await ended()).toEqual(['server_closed']);
  receiver.cut();
});

it('is cut, and the fault logged, when filling it fails', async () => {
  let hasReceived = () => {};
  const isReceived = new Promise<void>((resolve) => (hasReceived = resolve));
  const port = await serve(async (sink) => {
    await sink.write('begun\n');
    await isReceived;
    throw new Error('a bug');
  });
  const receiver = await receive(port);
  hasReceived();
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
  await eventually('five are open', () => open === 5);
  socket.destroy();
  await eventually('none is open', () => open === 0);
});
