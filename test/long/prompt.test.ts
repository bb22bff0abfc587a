/**
 * What must come soon, and one thing that must not come too soon, in seconds. That it comes at all, and in which order,
 * is tested in `ci`: `test/soak/lease.test.ts`, `test/soak/pool.test.ts`, `test/long/small/two-processes.test.ts` and
 * `src/paying/payouts/funding.soak.test.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { uuidOf } from '../../src/core/values/ids.ts';
import { openPools, type Pools } from '../../src/platform/db/pool.ts';
import { DatabaseUnavailable } from '../../src/platform/db/wire/connection-lost.ts';
import { Lease } from '../../src/platform/workers/lease.ts';
import { startCluster } from '../support/harness/cluster.ts';
import { createDatabase } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { Client } from '../support/harness/http.ts';
import { makeKey, startServer } from '../support/harness/server-process.ts';
import { createTenant, idIn, must } from '../support/harness/tenant-fixture.ts';
import { timed } from '../support/measure/timed.ts';
import { rowsOf, withClient } from '../support/model/audit.ts';

const LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** Two servers on a database of their own, and somebody who uses the first. */
async function twoServers() {
  const database = await createDatabase();
  const start = () => startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const servers = [await start(), await start()] as const;
  const tenant = await createTenant(database.url, servers[0].address);
  onTestFinished(async () => {
    tenant.client.close();
    await Promise.all(servers.map((server) => server.kill()));
    await database.drop();
  });
  return { url: database.url, servers, tenant };
}

test('a worker’s lease passes to another process after 5 s without its owner, and not before', async () => {
  const database = await createDatabase();
  const pools = await openPools({ ...loadConfig({}), readPoolSize: 1, url: database.serverUrl, log: LOG });
  onTestFinished(async () => {
    await pools.close();
    await database.drop();
  });
  const leaseOf = (owner: string) => new Lease({ worker: 'b', owner, run: pools.openBookkeeping(), onHeld: () => {} });
  const one = leaseOf('00000000-0000-4000-8000-000000000001');
  const two = leaseOf('00000000-0000-4000-8000-000000000002');
  expect(await one.hold()).toBe(true);
  const passedMs = await timed(() => eventually('the other has it', () => two.hold()));
  expect(passedMs).toBeGreaterThan(4_500);
  expect(passedMs).toBeLessThan(7_500);
  expect(one.isHeld).toBe(false);
});

test('reads and writers come back within 2 s after PostgreSQL was killed', async () => {
  const cluster = await startCluster();
  let pools: Pools | undefined;
  onTestFinished(async () => {
    await pools?.close();
    await cluster.stop();
  });
  const { url } = await cluster.createDatabase();
  pools = await openPools({ ...loadConfig({}), url, log: LOG });
  const { readers } = pools;
  const one = async () => (await readers.query({ text: 'SELECT 1 AS v', values: [] }))[0]?.['v'];
  const writer = pools.openWriter();
  await writer.client();
  await cluster.kill('SIGKILL');
  const untilLost = async () => {
    for (;;) await one();
  };
  await expect(untilLost()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await sleep(2_500); // the pause between attempts has grown to its longest
  await cluster.restart();
  const backMs = await timed(async () => {
    expect(await one()).toBe(1);
    await (await writer.client()).query('SELECT 1');
  });
  expect(backMs).toBeLessThan(2_000);
});

test('a payout that waits for money has it within a second', async () => {
  const { tenant } = await twoServers();
  const { client } = tenant;
  const [account, recipient] = [await tenant.account('EUR'), await tenant.recipient()];
  const body = { amount: '50', currency: 'EUR', recipient, account, on_insufficient_funds: 'wait' };
  const id = idIn(await client.post('/v1/payouts', body));
  const status = async () => must(await client.get(`/v1/payouts/${id}`)).json['status'];
  expect(await status()).toBe('waiting');
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '50' }));
  const fundedMs = await timed(() => eventually('it has its money', async () => (await status()) !== 'waiting'));
  expect(fundedMs).toBeLessThan(1_000);
});

test('a revoked key stops working within a second on both of two servers', async () => {
  const { url, servers } = await twoServers();
  const { key } = await makeKey(url);
  const client = new Client(servers[0].address, key);
  const ask = async () =>
    Promise.all(servers.map(async ({ address }) => (await client.send('GET', '/v1/accounts', '', {}, address)).status));
  expect(await ask()).toEqual([200, 200]);
  await rowsOf(url, 'UPDATE api_keys SET revoked_at = now() WHERE last4 = $1', [key.slice(-4)]);
  await sleep(1_000);
  expect(await ask()).toEqual([401, 401]);
  client.close();
});

test('a server that is stopped with a request under way ends within 2 s of its answer', async () => {
  const { url, servers, tenant } = await twoServers();
  const account = await tenant.account('EUR');
  await withClient(url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM environments WHERE environment_id = $1 FOR UPDATE', [uuidOf(tenant.environmentId)]);
    const waiting = tenant.client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '5' });
    await sleep(200);
    const stopping = servers[0].stop();
    await sleep(200);
    const endedMs = await timed(async () => {
      await holder.query('COMMIT');
      expect((await waiting).status).toBe(200);
      expect(await stopping).toBe(0);
    });
    expect(endedMs).toBeLessThan(2_000);
  });
});
