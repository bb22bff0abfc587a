/** Files for receivers of HTTP/1.0, over raw sockets, from every route that sends a file: whole with a length, or refused. */
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../test/support/harness/all-routes.ts';
import { callerWith } from '../../../../test/support/harness/keys.ts';
import { loadConfig } from '../../../config.ts';
import { download } from '../download.ts';
import { registry } from '../metrics.ts';
import { listedBy, type Route } from '../route.ts';
import { buildServer } from '../server.ts';
import { WHOLE_FILE_MAX_BYTES } from './whole-file.ts';

const KEY = `sk_test_${'a'.repeat(40)}`;
const PART = 'x'.repeat(65_536);

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** `parts` pieces, and then the end or a fault. Returns how many were read. */
function fileOf(parts: number, fault = false) {
  const seen = { read: 0, ended: 0 };
  const made = async function* () {
    try {
      for (; seen.read < parts; seen.read++) yield PART;
      if (fault) throw new Error('the database is away');
    } finally {
      seen.ended += 1;
    }
  };
  return { seen, made };
}

function withoutQuery(route: Route): Route {
  const copy = { ...route };
  delete copy.query;
  return copy;
}

/** The routes as they are, each with a file of ours instead of its handler, and so without its parameters. */
async function serve(routes: readonly Route[], parts: () => AsyncGenerator<string>) {
  const handle = () => download('env', { contentType: 'text/csv', headers: {}, parts: parts() });
  app = buildServer({
    routes: routes.map((route) => Object.assign(withoutQuery(route), { handle })),
    schemas: {},
    authenticate: (key) => (key === KEY ? callerWith() : null),
    log: pino({ level: 'silent' }),
    metrics: registry,
    readiness: () => null,
    config: { ...loadConfig({}), publicUrl: '', version: '1', requestsPerSecond: 0 },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

function ask(path: string, version: string, method = 'GET'): Promise<string> {
  const { server } = app as FastifyInstance;
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let got = '';
    socket.on('data', (data) => (got += data.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(got));
    const headers = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nAccept: text/csv\r\nConnection: close\r\n`;
    socket.write(`${method} ${path} HTTP/${version}\r\n${headers}\r\n`);
  });
}

const FILES = ROUTES.filter(({ method, downloads }) => method === 'GET' && downloads === true);
const LISTS = ROUTES.filter((route) => route.method === 'GET' && listedBy(route) !== undefined);
const pathOf = ({ path }: Route) => path.replaceAll(/:\w+/g, 'x');
const headOf = (got: string) => got.slice(0, got.indexOf('\r\n\r\n'));
const bodyOf = (got: string) => got.slice(got.indexOf('\r\n\r\n') + 4);

it('there are such routes', () => expect([FILES.length > 4, LISTS.length > 15]).toEqual([true, true]));

describe.each([...FILES, ...LISTS].map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    it('sends a short file with its length, refuses a long one, and answers a fault', async () => {
      const { made, seen } = fileOf(3);
      await serve([route], made);
      const got = await ask(pathOf(route), '1.0');
      expect(headOf(got)).toMatch(/^HTTP\/1\.1 200 /);
      expect(headOf(got)).toContain(`\r\nContent-Length: ${3 * PART.length}`);
      expect(bodyOf(got)).toBe(PART.repeat(3));
      expect(seen.ended).toBe(1);
      await app?.close();

      const long = fileOf(1_000);
      await serve([route], long.made);
      const refused = await ask(pathOf(route), '1.0');
      expect(headOf(refused)).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(bodyOf(refused))).toMatchObject({ error: { code: 'http_version_unsupported' } });
      expect(bodyOf(refused)).toContain('Ask for it with HTTP/1.1');
      // it is not read to its end, and its place is given back
      expect([long.seen.read <= WHOLE_FILE_MAX_BYTES / PART.length + 1, long.seen.ended]).toEqual([true, 1]);
      await app?.close();

      await serve([route], fileOf(3, true).made);
      expect(headOf(await ask(pathOf(route), '1.0'))).toMatch(/^HTTP\/1\.1 500 /);
    });
  },
);

const [FIRST] = FILES as [Route, ...Route[]];

it('takes a file of exactly the most, and refuses one byte more', async () => {
  const parts = WHOLE_FILE_MAX_BYTES / PART.length;
  await serve([FIRST], fileOf(parts).made);
  expect(bodyOf(await ask(pathOf(FIRST), '1.0'))).toHaveLength(WHOLE_FILE_MAX_BYTES);
  await app?.close();
  const more = async function* () {
    yield* fileOf(parts).made();
    yield 'y';
  };
  await serve([FIRST], more);
  expect(await ask(pathOf(FIRST), '1.0')).toContain('http_version_unsupported');
});

it('answers a HEAD request with the head alone', async () => {
  await serve([FIRST], fileOf(1_000).made);
  const got = await ask(pathOf(FIRST), '1.0', 'HEAD');
  expect([got.slice(9, 12), bodyOf(got)]).toEqual(['200', '']);
});

it('control: with HTTP/1.1 a long file comes in chunks, and one that was cut has no last chunk', async () => {
  await serve([FIRST], fileOf(40).made);
  const whole = await ask(pathOf(FIRST), '1.1');
  expect(headOf(whole)).toContain('Transfer-Encoding: chunked');
  expect(whole.endsWith('\r\n0\r\n\r\n')).toBe(true);
  await app?.close();
  await serve([FIRST], fileOf(40, true).made);
  const cut = await ask(pathOf(FIRST), '1.1');
  expect(headOf(cut)).toContain('200 OK');
  expect(cut.endsWith('\r\n0\r\n\r\n')).toBe(false);
});
