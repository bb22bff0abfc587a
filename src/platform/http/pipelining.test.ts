/** Many requests on one connection without waiting for answers: all are answered in order, few at once, others meanwhile. */
import { callerWith } from '../../../test/support/harness/keys.ts';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { registry } from './metrics.ts';
import { optionalParams, text } from './request/params.ts';
import { routesOf } from './route.ts';
import { buildServer } from './server.ts';

const KEY = `sk_test_${'a'.repeat(40)}`;
const HEAD = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`;
const route = routesOf('Things', 'payouts');
const base = { summary: 'x', response: { schema: { type: 'object' } } } as const;

let running = 0;
let mostAtOnce = 0;
let handled = 0;
/** What a handler waits for. */
let gate: Promise<void> = Promise.resolve();
async function handle(number: string) {
  running += 1;
  handled += 1;
  mostAtOnce = Math.max(mostAtOnce, running);
  await gate;
  await new Promise((resolve) => setTimeout(resolve, (Number(number) * 7) % 5)); // later ones are often ready first
  running -= 1;
  return { status: 200, body: JSON.stringify({ number }) };
}

const app = buildServer({
  config: { ...loadConfig({ BURSAR_RATE_LIMIT: '0' }), publicUrl: '', version: '1' },
  routes: [
    route('readThing', 'GET /v1/things/:id', { ...base, handle: (call) => handle(call.path_params['id'] as string) }),
    route('writeThing', 'POST /v1/things/:id', {
      ...base,
      body: optionalParams({ note: text({ max: 500, description: 'x' }) }),
      handle: (call) => handle(call.path_params['id'] as string),
    }),
    route('other', 'GET /v1/other', { ...base, handle: async () => ({ status: 200, body: '{}' }) }),
  ],
  schemas: {},
  authenticate: (key) => (key === KEY ? callerWith() : null),
  log: pino({ level: 'silent' }),
  metrics: registry,
  readiness: () => null,
});
const accepted: Socket[] = [];
let port = 0;
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
  app.server.on('connection', (socket) => void accepted.push(socket));
});
afterAll(() => app.close());
beforeEach(() => {
  [running, mostAtOnce, handled] = [0, 0, 0];
  gate = Promise.resolve();
});

const read = (number: number, more = '') => `GET /v1/things/${number} HTTP/1.1\r\n${HEAD}${more}\r\n`;
const write = (number: number) => {
  const body = `note=${'x'.repeat(1 + (number % 400))}`;
  const type = 'application/x-www-form-urlencoded';
  return `POST /v1/things/${number} HTTP/1.1\r\n${HEAD}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

/** A connection, and the numbers that its answers name. */
function pipeline() {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (chunk) => (got += chunk.toString()));
  const numbers = () => [...got.matchAll(/\r\n\r\n\{"number":"(\d+)"\}/g)].map(([, number]) => Number(number));
  return { socket, numbers };
}

/** Waits until `look` gives `value`. */
const until = async (look: () => number | undefined, value: number) =>
  await expect.poll(look, { timeout: 20_000, interval: 5 }).toBe(value);
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
function closedGate(): () => void {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => (open = resolve));
  return open;
}

test.each([
  ['reads', upTo(400).map((number) => read(number)), 400],
  ['writes', upTo(400).map(write), 400],
  ['in turn', upTo(400).map((number) => (number % 3 === 0 ? write(number) : read(number))), 400],
])('400 %s at once are answered in their order, at most 32 of them at a time', async (_what, requests, count) => {
  const { socket, numbers } = pipeline();
  socket.write(requests.join(''));
  await until(() => numbers().length, count);
  expect(numbers()).toEqual(upTo(count));
  expect(mostAtOnce).toBe(32);
  // The connection goes on as before.
  socket.write(read(400));
  await until(() => numbers().at(-1), 400);
  socket.destroy();
});

test('a connection without pipelining, and one with little of it, wait for nothing', async () => {
  const open = closedGate();
  const alone = upTo(40).map(() => pipeline());
  alone.forEach(({ socket }, number) => socket.write(read(number)));
  const few = pipeline();
  few.socket.write(
    upTo(20)
      .map((number) => read(100 + number))
      .join(''),
  );
  await until(() => running, 60);
  open();
  await until(() => few.numbers().length, 20);
  for (const { socket } of [...alone, few]) socket.destroy();
});

test('while answers are outstanding the connection is not read on, and others are served', async () => {
  const open = closedGate();
  const requests = upTo(3_000).map((number) => read(number, `X-Padding: ${'x'.repeat(900)}\r\n`));
  const { socket, numbers } = pipeline();
  await once(socket, 'connect');
  socket.write(requests.join(''));
  await until(() => running, 32);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/other`, { headers: { authorization: `Bearer ${KEY}` } });
  expect(answer.status).toBe(200);
  expect(handled).toBe(32);
  const bytes = requests.join('').length;
  expect(bytes).toBeGreaterThan(3_000_000);
  expect(accepted.find(({ remotePort }) => remotePort === socket.localPort)?.bytesRead).toBeLessThan(300_000);
  open();
  await until(() => numbers().length, 3_000);
  expect(numbers()).toEqual(upTo(3_000));
  expect(mostAtOnce).toBe(32);
  socket.destroy();
});

test('what waits on a connection that breaks is never handled', async () => {
  const open = closedGate();
  const { socket } = pipeline();
  socket.write(
    upTo(300)
      .map((number) => read(number))
      .join(''),
  );
  await until(() => running, 32);
  const served = accepted.find(({ remotePort }) => remotePort === socket.localPort) as Socket;
  const closed = new Promise((resolve) => served.once('close', resolve));
  socket.resetAndDestroy();
  open(); // a connection that is not read is found broken when it is written to
  await closed;
  await until(() => running, 0);
  expect(handled).toBeLessThan(200);
});
