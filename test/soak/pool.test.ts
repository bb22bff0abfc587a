/** PostgreSQL is killed under the connections of a process: readers and writers notice, and come back by themselves. How soon: `test/long/prompt.test.ts`. */
import { setImmediate as oneTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openPools, type Pools } from '../../src/platform/db/pool.ts';
import { DatabaseUnavailable, isConnectionLost } from '../../src/platform/db/wire/connection-lost.ts';
import { startCluster, type TestCluster } from '../support/harness/cluster.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
let cluster: TestCluster;
let pools: Pools;

beforeAll(async () => {
  cluster = await startCluster({ copied: true });
  const { url } = await cluster.createDatabase();
  pools = await openPools({ ...loadConfig({}), url, log });
});
afterAll(async () => {
  await pools?.close();
  await cluster?.stop();
});

async function one(sql: string): Promise<unknown> {
  const [row] = await pools.readers.query({ text: `SELECT ${sql} AS v`, values: [] });
  return row?.['v'];
}

test('reads and writers come back by themselves after PostgreSQL was killed', async () => {
  const writer = pools.openWriter();
  const before = await writer.client();
  await before.query('BEGIN');
  await cluster.kill('SIGKILL');
  // A session outlives the process that started it for a moment, and answers what it is asked.
  const untilLost = async (ask: () => Promise<unknown>) => {
    for (;;) await ask();
  };
  const writing = async () => {
    // Told as a closed connection or as a broken pipe, whichever is noticed first; the end of the connection may be noticed later.
    await expect(untilLost(() => before.query('SELECT 1'))).rejects.toSatisfy(isConnectionLost);
    const again = async () => {
      await oneTurn();
      const client = await writer.client();
      await client.query('SELECT 1').catch((error: unknown) => expect(error).toSatisfy(isConnectionLost));
    };
    await expect(untilLost(again)).rejects.toBeInstanceOf(DatabaseUnavailable);
  };
  const reading = () => expect(untilLost(() => one('1'))).rejects.toBeInstanceOf(DatabaseUnavailable);
  await Promise.all([writing(), reading()]); // each takes as long as a request waits
  expect(pools.readers.alive()).toBe(false);
  await cluster.restart();
  expect(await one('1')).toBe(1);
  const after = await writer.client();
  expect((await after.query('SELECT current_user AS v')).rows[0].v).toBe('bursar_app');
  expect(after).not.toBe(before);
});
