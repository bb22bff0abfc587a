/**
 * Made-up keys: refused before the body is read, and not looked up once they are many from one address; while keys that the
 * process knows go on working from there. Real database, real sockets; look-ups are counted on their way to it.
 */
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { loadConfig } from '../../src/config.ts';
import { TYPES } from '../../src/db/wire/types.ts';
import { registry } from '../../src/http/metrics.ts';
import { optional, params, text } from '../../src/http/request/params.ts';
import { routesOf } from '../../src/http/route.ts';
import { buildServer } from '../../src/http/server.ts';
import { authenticator } from '../../src/keys/authenticate.ts';
import { generateKey } from '../../src/keys/key.ts';
import { type Run } from '../../src/keys/keys.ts';
import { insertKey } from '../support/harness/keys.ts';

const SECRET = 'only-tests-know-this-secret-0123456789abcdef';
const PER_SECOND = 10;

let database: Database;
let owner: pg.Client;
let lookUps = 0;
const run: Run = async (statement) => (await owner.query(statement)).rows;
const rows: Run = (statement) => {
  if (statement.name === 'key_by_hash') lookUps += 1;
  return run(statement);
};

const route = routesOf('Things', 'payouts');
const base = { summary: 'x', response: { schema: { type: 'object' } } } as const;
const app = buildServer({
  config: {
    ...loadConfig({ BURSAR_RATE_LIMIT: '0' }),
    publicUrl: '',
    version: '1',
    keylessRequestsPerSecond: PER_SECOND,
  },
  routes: [
    route('read', 'GET /v1/things', { ...base, handle: async () => ({ status: 200, body: '{}' }) }),
    route('write', 'POST /v1/things', {
      ...base,
      body: params({ note: optional(text({ max: 500_000, description: 'x' })) }),
      handle: async () => ({ status: 200, body: '{}' }),
    }),
  ],
  schemas: {},
  authenticate: authenticator({ secrets: { current: SECRET, previous: [] }, rows, onFault: () => undefined }),
  log: pino({ level: 'silent' }),
  metrics: registry,
  readiness: () => null,
});
let address = '';
beforeAll(async () => {
  database = await createDatabase();
  owner = new pg.Client({ connectionString: database.url, types: TYPES, pipeline: true });
  await owner.connect();
  address = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await owner.end();
  await database.drop();
});
beforeEach(() => sleep(1_100)); // until the bucket of this address is full again

async function newKey(): Promise<string> {
  const order = { merchant: 'tests', livemode: false, name: 'x', scopes: null, expiresAt: null };
  return (await insertKey(run, SECRET, order)).key;
}

async function status(key: string, body?: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' };
  const sent = body === undefined ? { headers } : { headers, method: 'POST', body };
  const answer = await fetch(`${address}/v1/things`, sent);
  await answer.text();
  return answer.status;
}

const count = (all: readonly number[], which: number) => all.filter((each) => each === which).length;

it('many made-up keys are refused without a look-up, while a known key goes on working', async () => {
  const valid = await newKey();
  expect(await status(valid)).toBe(200);
  lookUps = 0;
  const startedMs = performance.now();
  let flooding = true;
  const seen: number[] = [];
  const floods = Array.from({ length: 16 }, async (_, number) => {
    while (flooding) seen.push(await status(generateKey('sk_test_'), number % 2 === 0 ? 'note=x' : undefined));
  });
  const served: number[] = [];
  for (let i = 0; i < 30; i++) {
    served.push(await status(valid, i % 2 === 0 ? 'note=x' : undefined));
    await sleep(100); // longer than a found key is cached in all, so it is looked up anew meanwhile
  }
  flooding = false;
  await Promise.all(floods);
  const seconds = (performance.now() - startedMs) / 1_000;
  expect(served).toEqual(Array(30).fill(200));
  expect(count(seen, 401) + count(seen, 429)).toBe(seen.length);
  expect(count(seen, 429)).toBeGreaterThan(0);
  // What the bucket held and what came into it, and the known key every 0.8 s.
  expect(lookUps).toBeGreaterThan(PER_SECOND);
  expect(lookUps).toBeLessThanOrEqual(PER_SECOND * (1 + seconds) + seconds / 0.8 + 2);
});

it('control: from an address that does not send many, each is looked up', async () => {
  lookUps = 0;
  for (let i = 0; i < 5; i++) expect(await status(generateKey('sk_test_'))).toBe(401);
  expect(lookUps).toBe(5);
});

it('a valid key that the process has not met yet gets a 429 meanwhile, never a 401, and is served soon after', async () => {
  await Promise.all(Array.from({ length: 2 * PER_SECOND }, () => status(generateKey('sk_live_'))));
  const valid = await newKey();
  const first = await Promise.all([
    ...Array.from({ length: PER_SECOND }, () => status(generateKey('sk_live_'))),
    status(valid),
  ]);
  expect(first.at(-1)).toBeOneOf([200, 429]);
  await expect.poll(() => status(valid), { timeout: 20_000, interval: 100 }).toBe(200);
});

it('valid keys do not count, and neither do mistyped ones reach the database', async () => {
  const keys = await Promise.all(Array.from({ length: 3 * PER_SECOND }, newKey));
  for (const key of keys) expect(await status(key)).toBe(200); // each looked up for the first time
  lookUps = 0;
  expect(await status(`${(keys[0] as string).slice(0, -1)}_`)).toBe(401);
  expect(await status((keys[0] as string).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))).toBe(401);
  expect(lookUps).toBe(0);
});

it('many valid keys that come for the first time at the same moment are all served, each with one look-up', async () => {
  const keys = await Promise.all(Array.from({ length: 20 * PER_SECOND }, newKey));
  lookUps = 0;
  const startedMs = performance.now();
  const seen = await Promise.all([...keys, ...keys].map((key) => status(key)));
  expect(count(seen, 200)).toBe(2 * keys.length);
  // A found key is believed for 0.8 s; a machine that takes longer looks some up anew.
  const trusts = 1 + Math.floor((performance.now() - startedMs) / 800);
  expect(lookUps).toBeGreaterThanOrEqual(keys.length);
  expect(lookUps).toBeLessThanOrEqual(Math.min(trusts, 2) * keys.length);
});

it('control: as many made-up keys at the same moment are looked up as often as the bucket allows', async () => {
  lookUps = 0;
  const seen = await Promise.all(Array.from({ length: 20 * PER_SECOND }, () => status(generateKey('sk_test_'))));
  expect(count(seen, 401) + count(seen, 429)).toBe(seen.length);
  expect(count(seen, 429)).toBeGreaterThan(15 * PER_SECOND);
  expect(lookUps).toBeLessThanOrEqual(3 * PER_SECOND);
});

/** What comes back while only the head of a POST was sent, and half of its body at most. */
function head(key: string, length: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let got = '';
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(got);
    };
    const timer = setTimeout(end, 1_500);
    socket.on('data', (chunk) => {
      got += chunk.toString();
      if (got.includes('\r\n\r\n')) end();
    });
    socket.on('error', () => undefined);
    const type = 'Content-Type: application/x-www-form-urlencoded';
    socket.write(
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${type}\r\nContent-Length: ${length}\r\n\r\nnote=x`,
    );
  });
}

it('a made-up key is refused before the body has come; control: with a valid one the body is waited for', async () => {
  const small = await head(generateKey('sk_test_'), 1_000);
  expect(small).toContain('401 Unauthorized');
  expect(small).not.toContain('Connection: close');
  const large = await head(generateKey('sk_test_'), 1_000_000);
  expect(large).toContain('401 Unauthorized');
  expect(large).toContain('Connection: close');
  expect(await head('none', 1_000)).toContain('401 Unauthorized');
  expect(await head(await newKey(), 1_000)).toBe('');
});
