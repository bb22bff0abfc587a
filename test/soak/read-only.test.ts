/**
 * A primary that takes no writes, and hosts that are none: writes wait for one that does, as for a lost database, and are never
 * answered with a 500. On a cluster of its own, because the setting is the whole cluster's.
 */
import { createServer, type Server } from 'node:net';
import { pino } from 'pino';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { insertKey } from '../support/harness/keys.ts';
import { SERVER_SECRET } from '../support/harness/application.ts';
import { startCluster, type TestCluster } from '../support/harness/cluster.ts';
import type { Database } from '../support/harness/database.ts';
import { Client } from '../support/harness/http.ts';
import { eventually } from '../support/harness/eventually.ts';
import { startProxy } from '../support/faults/proxy.ts';
import { socketOf } from '../support/harness/pgbouncer.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';
import { auditDatabase } from '../support/model/audit.ts';
import { type App, startApp } from '../../src/server/app.ts';
import { generateKey } from '../../src/tenancy/keys/key.ts';

const CONFIG = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0', BURSAR_RATE_LIMIT: '0' });
/** Longer than no key is trusted without a look-up. */
const TRUSTED_NO_MORE_MS = 1_500;
let cluster: TestCluster;
let database: Database;
let owner: pg.Client;
let app: App;
let client: Client;
let address: string;

beforeAll(async () => {
  cluster = await startCluster({ copied: true });
  database = await cluster.createDatabase();
  owner = new pg.Client(database.url);
  owner.on('error', () => {}); // its server is killed
  await owner.connect();
  await owner.query('SET default_transaction_read_only = off');
  const order = { merchant: 'first', livemode: false, name: 'test', scopes: null, expiresAt: null };
  const { key } = await insertKey(async (statement) => (await owner.query(statement)).rows, SERVER_SECRET, order);
  app = await serve();
  address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  client = new Client(address, key);
});
afterAll(async () => {
  client?.close();
  await app?.stop();
  await owner?.end();
  await cluster?.stop();
});

const serve = (databaseUrl = database.serverUrl, config = CONFIG): Promise<App> =>
  startApp({
    config,
    databaseUrl,
    ownerUrl: database.url,
    serverSecret: SERVER_SECRET,
    log: pino({ level: 'silent' }),
  });

/** Returns when it holds in every session: PostgreSQL tells the open ones before it starts a new one that has the new value. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  await owner.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await owner.query('SELECT pg_reload_conf()');
  await eventually('new sessions have the value', async () => (await valueInNewSession()) === value);
}

async function valueInNewSession(): Promise<string> {
  const session = new pg.Client(database.url);
  await session.connect();
  const { rows } = await session.query('SHOW default_transaction_read_only');
  await session.end();
  return rows[0].default_transaction_read_only;
}
const readiness = async () => (await fetch(`${address}/readyz`)).status;

it('lets writes wait until it takes them again, is not ready meanwhile, and never answers 500', async () => {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '100' }));
  expect(await readiness()).toBe(200);

  await setReadOnly('on');
  const waiting = ['a', 'b', 'c'].map((key) =>
    client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '1' }, { idempotencyKey: key }),
  );
  await eventually('it is not ready', async () => (await readiness()) === 503);
  must(await client.get('/v1/accounts')); // reads go on
  await setReadOnly('off');
  for (const reply of await Promise.all(waiting)) must(reply);
  await eventually('it is ready', async () => (await readiness()) === 200);
  expect(must(await client.get(`/v1/accounts/${account}`)).json['balance']).toBe(10_300);
  expect(await auditDatabase(database.url)).toEqual([]);
});

it('answers 503 with Retry-After when that takes longer than a write waits', async () => {
  const hasty = await serve(database.serverUrl, { ...CONFIG, databasePatienceMs: 300 });
  const at = await hasty.server.listen({ host: '127.0.0.1', port: 0 });
  await setReadOnly('on');
  const reply = await client.post('/v1/accounts', { currency: 'USD' }, { idempotencyKey: 'late', at });
  expect([reply.status, reply.json['error']]).toMatchObject([503, { code: 'database_unavailable' }]);
  expect(reply.headers['retry-after']).toBeDefined();
  await setReadOnly('off');
  await eventually('it is ready', async () => (await readiness()) === 200);
  must(await client.post('/v1/accounts', { currency: 'USD' }, { idempotencyKey: 'late' }));
  await hasty.stop();
});

it('lets writes with a known key wait for a database that is away, longer than a look-up of the key does', async () => {
  must(await client.get('/v1/accounts')); // the key is known
  await cluster.kill('SIGKILL');
  const early = client.post('/v1/accounts', { currency: 'GBP' }, { idempotencyKey: 'early' });
  const shown = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => shown() + TRUSTED_NO_MORE_MS);
  const middle = client.post('/v1/accounts', { currency: 'SEK' }, { idempotencyKey: 'middle' });
  const stranger = new Client(address, generateKey('sk_test_'));
  expect((await stranger.get('/v1/accounts')).status).toBe(503); // by now a look-up has given up
  const late = client.post('/v1/accounts', { currency: 'NOK' }, { idempotencyKey: 'late in the outage' });
  await cluster.restart();
  for (const reply of await Promise.all([early, middle, late])) must(reply);
  vi.restoreAllMocks();
  stranger.close();
  await owner.end().catch(() => undefined);
  owner = new pg.Client(database.url);
  await owner.connect();
});

it('goes to the next host when the first is none', async () => {
  const deaf: Server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void deaf.listen(0, '127.0.0.1', resolve));
  const { port } = deaf.address() as { port: number };
  const throughTcp = await startProxy(socketOf(database.serverUrl), () => ({}));
  try {
    const url = database.serverUrl.replace(
      /@[^?]*\/(\w+)\?.*$/,
      `@127.0.0.1:${port},${new URL(throughTcp.address).host}/$1?target_session_attrs=read-write`,
    );
    const second = await serve(url);
    await second.stop();
  } finally {
    deaf.close();
    await throughTcp.close();
  }
});
