/** Several server processes on one database: what one has answered, all know; nothing is done by both. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { auditDatabase, rowsOf, withClient } from '../../support/model/audit.ts';
import { type Tenant, createTenant, idIn, must } from '../../support/harness/tenant-fixture.ts';
import { asServer, createDatabase, type Database, databaseUrl, runSql } from '../../support/harness/database.ts';
import { eventually } from '../../support/harness/eventually.ts';
import { Client, type Json } from '../../support/harness/http.ts';
import { lostOrDoubled, startLoad } from '../../support/faults/load.ts';
import type { Fault } from '../../support/faults/fault-injection.ts';
import { makeKey, type ServerProcess, startServer } from '../../support/harness/server-process.ts';

/** Sandbox payouts wait for the clock of their sandbox, which a test moves on. */
const ENV = { BURSAR_SANDBOX_STEP_SECONDS: '3600' };
const ONE = 0;
const TWO = 1;
/** Less than a kept-alive connection may idle (72 s): a stop must not wait for that. */
const IDLE_MS = 40_000;

/**
 * A database with two servers. Most tests share one, each as a merchant of its own; a test that stops a server
 * starts another.
 */
interface Pair {
  readonly database: Database;
  readonly servers: [ServerProcess, ServerProcess];
  start(): Promise<ServerProcess>;
  /** Of either. */
  at(server: number): string;
  tenant(merchant: string): Promise<Tenant>;
  end(): Promise<void>;
}

/** Both start at once. */
async function startPair(database: Database, fault?: Fault): Promise<Pair> {
  const start = () => startServer({ databaseUrl: database.url, env: ENV, ...(fault && { fault }) });
  const servers = await Promise.all([start(), start()]);
  const tenants: Tenant[] = [];
  const at = (server: number) => servers[server]!.address;
  return {
    database,
    servers,
    start,
    at,
    async tenant(merchant) {
      const tenant = await createTenant(database.url, at(ONE), merchant);
      tenants.push(tenant);
      return tenant;
    },
    async end() {
      for (const { client } of tenants) client.close();
      await Promise.all(servers.map((server) => server.kill()));
      await database.drop();
    },
  };
}

/** Without any tables. */
async function createEmpty(): Promise<Database> {
  const url = databaseUrl(inject('clusterUrl'), `test_${randomBytes(8).toString('hex')}`);
  const name = /\/([^/?]+)\?/.exec(url)?.[1];
  await runSql(inject('clusterUrl'), `CREATE DATABASE ${name}`);
  const drop = () => runSql(inject('clusterUrl'), `DROP DATABASE ${name} WITH (FORCE)`);
  return { url, serverUrl: asServer(url), drop };
}

/** Whether nobody listens there. */
const isClosed = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

let pair: Pair;
beforeAll(async () => {
  pair = await startPair(await createEmpty());
});
afterAll(() => pair?.end());

test('both started at once on an empty database: one first start between them', async () => {
  const { url } = pair.database;
  const counts = `SELECT (SELECT count(*)::int FROM merchants) AS merchants, (SELECT count(*)::int FROM environments) AS environments,
    (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM recipients) AS recipients`;
  expect(await rowsOf(url, counts)).toEqual([{ merchants: 1, environments: 1, accounts: 3, recipients: 1 }]);
  expect(await auditDatabase(url)).toEqual([]);
});

test('what one has answered, the other shows and builds upon', async () => {
  const { client } = await pair.tenant('answers');
  for (let i = 0; i < 20; i++) {
    const [here, there] = i % 2 === 0 ? [ONE, TWO] : [TWO, ONE];
    const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }, { at: pair.at(here) }));
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '5' }, { at: pair.at(there) }));
    const seen = await client.send('GET', `/v1/accounts/${account}`, '', {}, pair.at(here));
    expect(seen.json['balance']).toBe(500);
  }
});

/** Every commit takes a while behind its events, so that both processes are within one at once, whatever else the machine does. */
const OVERLAPPING = `ALTER TABLE events DROP CONSTRAINT events_pkey;
  CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END';
  CREATE TRIGGER lingers AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION linger()`;

describe('a reader that follows the events', () => {
  /** Pays through both while another client reads on from the last sequence it has. Returns what the reader missed or got twice. */
  async function follow({ database, at, tenant: newTenant }: Pair, damage?: string): Promise<string[]> {
    const tenant = await newTenant('followed');
    const { client } = tenant;
    const recipient = await tenant.recipient();
    await tenant.account('EUR', '100000');
    if (damage !== undefined) await runSql(database.url, damage);
    const complaints: string[] = [];
    let paying = true;
    let last = 0;
    let got = 0;
    const read = async () => {
      for (let server = ONE; ; server = 1 - server) {
        const wasPaying = paying;
        const path = `/v1/events?after_sequence=${last}&order=asc&limit=100`;
        const reply = await client.send('GET', path, '', {}, at(server));
        if (reply.status !== 200) complaints.push(`after ${last}: ${reply.text}`);
        const events = (reply.json['data'] ?? []) as readonly Json[];
        for (const { sequence } of events) {
          if (sequence !== last + 1) complaints.push(`after ${last} came ${sequence as number}`);
          last = sequence as number;
          got += 1;
        }
        if (events.length === 0 && !wasPaying) return;
      }
    };
    const pay = async (payer: number) => {
      for (let i = 0; i < (damage === undefined ? 60 : 12); i++) {
        await client.post('/v1/payouts', { amount: '1', currency: 'EUR', recipient }, { at: at(payer % 2) });
      }
    };
    const reading = read();
    await Promise.all(Array.from({ length: 8 }, (_, payer) => pay(payer)));
    paying = false;
    await reading;
    const [{ newest, stored } = { newest: 0, stored: 0 }] = await rowsOf<{ newest: number; stored: number }>(
      database.url,
      `SELECT last_sequence::int AS newest, (SELECT count(*)::int FROM events e WHERE e.environment_id = v.environment_id) AS stored
        FROM environments v WHERE environment_id = $1`,
      [uuidOf(tenant.environmentId)],
    );
    if (last !== newest) complaints.push(`the reader ended at ${last}, the newest is ${newest}`);
    if (got !== stored) complaints.push(`the reader got ${got}, and ${stored} are stored`);
    return complaints;
  }

  test('gets every one, once and in order, from whichever process', async () => {
    expect(await follow(pair)).toEqual([]);
  });

  test('control: without the lock it does not', async () => {
    const unlocked = await startPair(await createDatabase(), 'no_lock');
    try {
      expect(await follow(unlocked, OVERLAPPING)).not.toEqual([]);
    } finally {
      await unlocked.end();
    }
  });
});

test('two settlement workers: every payout takes every step once', async () => {
  const { url } = pair.database;
  const tenant = await pair.tenant('settled');
  const { client } = tenant;
  const recipient = await tenant.recipient();
  await tenant.account('EUR', '100000');
  const item = { amount: '1', currency: 'EUR', recipient };
  for (const server of [ONE, TWO]) {
    const payouts = Array.from({ length: 250 }, () => item);
    must(await client.post('/v1/payouts/batch', { payouts }, { at: pair.at(server) }));
  }
  const environment = [uuidOf(tenant.environmentId)];
  const open = async (statuses: string) => {
    const sql = `SELECT count(*)::int AS open FROM payouts WHERE environment_id = $1 AND status IN (${statuses})`;
    return (await rowsOf<{ open: number }>(url, sql, environment))[0]?.open;
  };
  for (const statuses of ["'pending'", "'pending', 'in_transit'"]) {
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: 3_600 }));
    await eventually(`none is ${statuses}`, async () => (await open(statuses)) === 0);
  }
  const steps = await rowsOf(
    url,
    "SELECT type, count(*)::int FROM events WHERE environment_id = $1 AND type ~ '^payout[.]' GROUP BY 1 ORDER BY 1",
    environment,
  );
  expect(steps).toEqual(['payout.created', 'payout.in_transit', 'payout.paid'].map((type) => ({ type, count: 500 })));
  const counted = 'SELECT status, count(*)::int FROM payout_batches WHERE environment_id = $1 GROUP BY 1';
  expect(await rowsOf(url, counted, environment)).toEqual([{ status: 'completed', count: 2 }]);
  expect(await auditDatabase(url)).toEqual([]);
});

test('a revoked key soon stops working on both', async () => {
  const { url } = pair.database;
  const { id, key } = await makeKey(url);
  const client = new Client(pair.at(ONE), key);
  const ask = (server: number) =>
    client.send('GET', '/v1/accounts', '', {}, pair.at(server)).then(({ status }) => status);
  expect([await ask(ONE), await ask(TWO)]).toEqual([200, 200]);
  await rowsOf(url, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [uuidOf(id)]);
  for (const server of [ONE, TWO]) await eventually(`${id} is refused`, async () => (await ask(server)) === 401);
  expect([await ask(ONE), await ask(TWO)], id).toEqual([401, 401]);
  client.close();
});

test('one is stopped with a request under way: it answers that, then ends at once', async () => {
  const { servers, database } = pair;
  const tenant = await pair.tenant('underway');
  const { client, environmentId } = tenant;
  const account = await tenant.account('EUR');
  const [stopped] = servers;
  const replacing = pair.start();
  await withClient(database.url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM environments WHERE environment_id = $1 FOR UPDATE', [uuidOf(environmentId)]);
    const waiting = client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '5' });
    const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await eventually('it waits for the lock', async () => (await rowsOf(database.url, waits)).length > 0);
    const stopping = stopped.stop();
    await eventually('it takes no more connections', () => isClosed(stopped.port));
    await holder.query('COMMIT');
    expect((await waiting).status).toBe(200);
    // The connection was kept alive, and is nobody's now.
    expect(await Promise.race([stopping, sleep(IDLE_MS, 'waits for its idle connection', { ref: false })])).toBe(0);
  });
  servers[ONE] = await replacing;
  const seen = await client.send('GET', `/v1/accounts/${account}`, '', {}, pair.at(TWO));
  expect(seen.json['balance']).toBe(500);
});

test('one is stopped under load: it ends by itself, and nothing is lost or doubled', async () => {
  const { servers, database } = pair;
  const tenant = await pair.tenant('loaded');
  let attempt = 0;
  let left: readonly ServerProcess[] = servers;
  const load = await startLoad(tenant, { clients: 8, address: () => left[attempt++ % left.length]!.address });
  await load.nextAnswers(50);
  const stopping = servers[ONE].stop();
  left = [servers[TWO]];
  expect(await stopping).toBe(0);
  await load.nextAnswers(50);
  await load.stop();
  expect(load.answers.filter(({ failures }) => failures > 0).length).toBeLessThanOrEqual(8);
  const { environmentId } = tenant;
  const complaints = await lostOrDoubled(database.url, load.answers, environmentId);
  expect([...complaints, ...(await auditDatabase(database.url))]).toEqual([]);
});
