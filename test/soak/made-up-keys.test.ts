/**
 * Made-up keys: refused before the body is read, and not looked up once they are many from one address; while keys that the
 * process knows go on working from there. Real database, real sockets; look-ups are counted on their way to it.
 */
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import timers from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { loadConfig } from '../../src/config.ts';
import { TYPES } from '../../src/platform/db/wire/types.ts';
import { registry } from '../../src/platform/http/metrics.ts';
import { optionalParams, text } from '../../src/platform/http/request/params.ts';
import { routesOf } from '../../src/platform/http/route.ts';
import { buildServer } from '../../src/platform/http/server.ts';
import { authenticator } from '../../src/tenancy/keys/authenticate.ts';
import { generateKey } from '../../src/tenancy/keys/key.ts';
import { type Run } from '../../src/tenancy/keys/keys.ts';
import { eventually } from '../support/harness/eventually.ts';
import { insertKey } from '../support/harness/keys.ts';
import { Versions } from '../../src/platform/http/version/versions.ts';

const SECRET = 'only-tests-know-this-secret-0123456789abcdef';
const PER_SECOND = 10;
/** A found key is believed for 0.8 s. */
const TRUST_MS = 800;

/** The clock of the limits and of what is known about keys stands still, and goes on by `later` alone. */
vi.useFakeTimers({ toFake: ['performance', 'Date'] });
const later = (ms: number) => void vi.advanceTimersByTime(ms);
afterAll(() => void vi.useRealTimers());
/** Refusals are held back for a second, which the tests do not wait for. Not by a mock: the modules of a process are shared, and may be there. */
const real = timers.setTimeout;
timers.setTimeout = (_ms, value) => real(0, value);
syncBuiltinESMExports();
afterAll(() => {
  timers.setTimeout = real;
  syncBuiltinESMExports();
});

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
      body: optionalParams({ note: text({ max: 500_000, description: 'x' }) }),
      handle: async () => ({ status: 200, body: '{}' }),
    }),
  ],
  schemas: {},
  authenticate: authenticator({
    secrets: { current: SECRET, previous: [] },
    rows,
    versions: new Versions(),
    onFault: () => undefined,
  }),
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
beforeEach(() => later(1_000)); // the bucket of this address is full again

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
  const seen: number[] = [];
  for (let second = 0; second < 3; second++) {
    const asked = Array.from({ length: 4 * PER_SECOND }, async (_, number) => {
      seen.push(await status(generateKey('sk_test_'), number % 2 === 0 ? 'note=x' : undefined));
      if (number % 4 === 0) expect(await status(valid, number % 8 === 0 ? 'note=x' : undefined)).toBe(200);
    });
    await Promise.all(asked);
    later(1_000); // longer than a found key is believed, so the next second looks it up once more
  }
  expect([count(seen, 401), count(seen, 429)]).toEqual([3 * PER_SECOND, 9 * PER_SECOND]);
  // A bucket a second, and the known key where it was no longer believed.
  expect(lookUps).toBe(3 * PER_SECOND + 2);
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
  expect(first).toEqual(Array(PER_SECOND + 1).fill(429));
  later(1_000 / PER_SECOND);
  expect(await status(valid)).toBe(200);
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
  const seen = await Promise.all([...keys, ...keys].map((key) => status(key)));
  expect(count(seen, 200)).toBe(2 * keys.length);
  expect(lookUps).toBe(keys.length);
  later(TRUST_MS);
  expect(await status(keys[0] as string)).toBe(200);
  expect(lookUps).toBe(keys.length + 1);
});

it('control: as many made-up keys at the same moment are looked up as often as the bucket allows', async () => {
  lookUps = 0;
  const seen = await Promise.all(Array.from({ length: 20 * PER_SECOND }, () => status(generateKey('sk_test_'))));
  expect([count(seen, 401), count(seen, 429)]).toEqual([PER_SECOND, 19 * PER_SECOND]);
  expect(lookUps).toBe(PER_SECOND);
});

/** What comes back while only the head of a POST was sent, and half of its body at most; `null` if nothing does. */
function head(key: string, length: number, after?: Promise<unknown>): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let got = '';
    const end = () => {
      socket.destroy();
      resolve(got === '' ? null : got);
    };
    socket.on('data', (chunk) => {
      got += chunk.toString();
      if (got.includes('\r\n\r\n')) end();
    });
    socket.on('error', () => undefined);
    const type = 'Content-Type: application/x-www-form-urlencoded';
    socket.write(
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${type}\r\nContent-Length: ${length}\r\n\r\nnote=x`,
    );
    void after?.then(end);
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
  // Its key is looked up, and twenty requests that came later are answered meanwhile.
  const valid = await newKey();
  lookUps = 0;
  const laterOnes = async () => {
    await eventually('the key is looked up', () => lookUps === 1);
    for (let times = 0; times < 20; times++) expect(await status(valid, 'note=x')).toBe(200);
  };
  expect(await head(valid, 1_000, laterOnes())).toBe(null);
});
