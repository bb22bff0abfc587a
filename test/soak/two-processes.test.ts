/** Several server processes on one database: what one has answered, all know; nothing is done by both. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { uuidOf } from '../../src/core/values/ids.ts';
import { auditDatabase, rowsOf, withClient } from '../support/model/audit.ts';
import { type Tenant, createTenant, idIn, must } from '../support/harness/tenant-fixture.ts';
import { asServer, createDatabase, type Database, databaseUrl, runSql } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { Client, type Json } from '../support/harness/http.ts';
import { lostOrDoubled, startLoad } from '../support/faults/load.ts';
import type { Fault } from '../support/faults/fault-injection.ts';
import { makeKey, type ServerProcess, startServer } from '../support/harness/server-process.ts';

let database: Database;
let servers: ServerProcess[] = [];
let tenant: Tenant;
const [ONE, TWO] = [0, 1];
/** Less than a kept-alive connection may idle (72 s): a stop must not wait for that. */
const IDLE_MS = 40_000;
const at = (server: number) => servers[server]!.address;

async function open(env: Readonly<Record<string, string>> = {}, fault?: Fault): Promise<void> {
  database = await createDatabase();
  const start = () => startServer({ databaseUrl: database.url, env, ...(fault && { fault }) });
  servers = [await start(), await start()];
  tenant = await createTenant(database.url, at(ONE));
}
afterEach(async () => {
  tenant?.client.close();
  await Promise.all(servers.map((server) => server.kill()));
  servers = [];
  await database?.drop();
});

/** Whether nobody listens there. */
const isClosed = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

test('both start at once on an empty database: one first start between them', async () => {
  const url = databaseUrl(inject('clusterUrl'), `test_${randomBytes(8).toString('hex')}`);
  const name = /\/([^/?]+)\?/.exec(url)?.[1];
  await runSql(inject('clusterUrl'), `CREATE DATABASE ${name}`);
  database = {
    url,
    serverUrl: asServer(url),
    drop: () => runSql(inject('clusterUrl'), `DROP DATABASE ${name} WITH (FORCE)`),
  };
  servers = await Promise.all([startServer({ databaseUrl: url }), startServer({ databaseUrl: url })]);
  const counts = `SELECT (SELECT count(*)::int FROM merchants) AS merchants, (SELECT count(*)::int FROM environments) AS environments,
    (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM recipients) AS recipients`;
  expect(await rowsOf(url, counts)).toEqual([{ merchants: 1, environments: 1, accounts: 3, recipients: 1 }]);
  expect(await auditDatabase(url)).toEqual([]);
});

test('what one has answered, the other shows and builds upon', async () => {
  await open();
  const { client } = tenant;
  for (let i = 0; i < 20; i++) {
    const [here, there] = i % 2 === 0 ? [ONE, TWO] : [TWO, ONE];
    const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }, { at: at(here) }));
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '5' }, { at: at(there) }));
    const seen = await client.send('GET', `/v1/accounts/${account}`, '', {}, at(here));
    expect(seen.json['balance']).toBe(500);
  }
});

describe('a reader that follows the events', () => {
  /** Pays through both while another client reads on from the last sequence it has. Returns what the reader missed or got twice. */
  async function follow(fault?: Fault, damage?: string): Promise<string[]> {
    await open({ BURSAR_SANDBOX_STEP_SECONDS: '0' }, fault);
    const { client } = tenant;
    const recipient = await tenant.recipient();
    await tenant.account('EUR', '100000');
    if (damage !== undefined) await runSql(database.url, damage);
    const complaints: string[] = [];
    let paying = true;
    let last = 0;
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
        }
        if (events.length === 0 && !wasPaying) return;
      }
    };
    const pay = async (payer: number) => {
      for (let i = 0; i < 60; i++) {
        await client.post('/v1/payouts', { amount: '1', currency: 'EUR', recipient }, { at: at(payer % 2) });
      }
    };
    const reading = read();
    await Promise.all(Array.from({ length: 8 }, (_, payer) => pay(payer)));
    paying = false;
    await reading;
    const [{ newest } = { newest: 0 }] = await rowsOf<{ newest: number }>(
      database.url,
      `SELECT last_sequence::int AS newest FROM environments ORDER BY last_sequence DESC LIMIT 1`,
    );
    if (last !== newest) complaints.push(`the reader ended at ${last}, the newest is ${newest}`);
    return complaints;
  }

  test('gets every one, once and in order, from whichever process', async () => {
    expect(await follow()).toEqual([]);
  });

  test('control: without the lock it does not', async () => {
    expect(await follow('no_lock', 'ALTER TABLE events DROP CONSTRAINT events_pkey')).not.toEqual([]);
  });
});

test('two settlement workers: every payout takes every step once', async () => {
  await open({ BURSAR_SANDBOX_STEP_SECONDS: '1' });
  const { client } = tenant;
  const recipient = await tenant.recipient();
  await tenant.account('EUR', '100000');
  const item = { amount: '1', currency: 'EUR', recipient };
  for (const server of [ONE, TWO]) {
    must(
      await client.post('/v1/payouts/batch', { payouts: Array.from({ length: 250 }, () => item) }, { at: at(server) }),
    );
  }
  const unpaid = "SELECT count(*)::int AS open FROM payouts WHERE status <> 'paid'";
  await eventually('all are paid', async () => (await rowsOf<{ open: number }>(database.url, unpaid))[0]?.open === 0);
  const steps = await rowsOf(
    database.url,
    "SELECT type, count(*)::int FROM events WHERE type ~ '^payout[.]' GROUP BY 1 ORDER BY 1",
  );
  expect(steps).toEqual(['payout.created', 'payout.in_transit', 'payout.paid'].map((type) => ({ type, count: 500 })));
  const batches = await rowsOf(database.url, 'SELECT status, count(*)::int FROM payout_batches GROUP BY 1');
  expect(batches).toEqual([{ status: 'completed', count: 2 }]);
  expect(await auditDatabase(database.url)).toEqual([]);
});

test('a revoked key soon stops working on both', async () => {
  await open();
  const { id, key } = await makeKey(database.url);
  const client = new Client(at(ONE), key);
  const ask = (server: number) => client.send('GET', '/v1/accounts', '', {}, at(server)).then(({ status }) => status);
  expect([await ask(ONE), await ask(TWO)]).toEqual([200, 200]);
  await rowsOf(database.url, 'UPDATE api_keys SET revoked_at = now() WHERE last4 = $1', [key.slice(-4)]);
  for (const server of [ONE, TWO]) await eventually(`${id} is refused`, async () => (await ask(server)) === 401);
  expect([await ask(ONE), await ask(TWO)], id).toEqual([401, 401]);
  client.close();
});

test('one is stopped with a request under way: it answers that, then ends at once', async () => {
  await open();
  const { client, environmentId } = tenant;
  const account = await tenant.account('EUR');
  await withClient(database.url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM environments WHERE environment_id = $1 FOR UPDATE', [uuidOf(environmentId)]);
    const waiting = client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '5' });
    const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await eventually('it waits for the lock', async () => (await rowsOf(database.url, waits)).length > 0);
    const stopping = servers[ONE]!.stop();
    await eventually('it takes no more connections', () => isClosed(servers[ONE]!.port));
    await holder.query('COMMIT');
    expect((await waiting).status).toBe(200);
    // The connection was kept alive, and is nobody's now.
    expect(await Promise.race([stopping, sleep(IDLE_MS, 'waits for its idle connection', { ref: false })])).toBe(0);
  });
  const seen = await client.send('GET', `/v1/accounts/${account}`, '', {}, at(TWO));
  expect(seen.json['balance']).toBe(500);
});

test('one is stopped under load: it ends by itself, and nothing is lost or doubled', async () => {
  await open({ BURSAR_SANDBOX_STEP_SECONDS: '1' });
  let attempt = 0;
  let left = servers;
  const load = await startLoad(tenant, { clients: 8, address: () => left[attempt++ % left.length]!.address });
  await load.nextAnswers(100);
  const stopping = servers[ONE]!.stop();
  left = [servers[TWO]!];
  expect(await stopping).toBe(0);
  await load.nextAnswers(50);
  await load.stop();
  expect(load.answers.filter(({ failures }) => failures > 0).length).toBeLessThanOrEqual(8);
  expect([...(await lostOrDoubled(database.url, load.answers)), ...(await auditDatabase(database.url))]).toEqual([]);
});
