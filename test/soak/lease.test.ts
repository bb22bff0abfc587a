/**
 * Leases of workers on real PostgreSQL: one owner at a time, and another soon when the first is gone. Time passes by
 * `pass`, in this process and in the table, so that nobody waits for the end of a lease.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openPools, type Pools } from '../../src/platform/db/pool.ts';
import { createDatabase, type Database, runSql } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { Lease } from '../../src/platform/workers/lease.ts';
import { startPoller } from '../../src/platform/workers/poller.ts';

const LOG = { info: () => {}, warn: () => {}, error: () => {} };
const LEASE_MS = 5_000;
/** Between two attempts to get one that another holds. */
const RETRY_MS = 1_000;
const PAUSE_MS = 5;
/** Between two rounds, longer than a round takes and much shorter than a lease. */
const STEP_MS = 500;
const ROUNDS = 25;
let database: Database;
let pools: Pools;
let passedMs = 0;
beforeAll(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + passedMs);
  database = await createDatabase();
  pools = await openPools({ ...loadConfig({}), readPoolSize: 1, url: database.serverUrl, log: LOG });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await pools?.close();
  await database?.drop();
});

/** For every lease that is held, and for those who hold it. */
async function pass(ms: number): Promise<void> {
  await runSql(database.url, `UPDATE worker_leases SET expires_at = expires_at - ${ms} * interval '1 ms'`);
  passedMs += ms;
}

const owners = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
function leaseOf(worker: string, owner: (typeof owners)[number], held: boolean[] = []): Lease {
  return new Lease({ worker, owner, run: pools.openBookkeeping(), onHeld: (is) => void held.push(is) });
}

it('has one owner, who leaves it to the other at once', async () => {
  const seen: boolean[] = [];
  const [one, two] = [leaseOf('a', owners[0], seen), leaseOf('a', owners[1])];
  expect([await one.hold(), await two.hold(), await one.hold()]).toEqual([true, false, true]);
  expect(await leaseOf('another worker', owners[1]).hold()).toBe(true);
  await one.release();
  expect([one.isHeld, seen]).toEqual([false, [true, false]]);
  await pass(RETRY_MS);
  expect(await two.hold()).toBe(true);
  expect(await one.hold()).toBe(false);
});

it('passes to the other when its owner is heard of no more, and not before', async () => {
  const [one, two] = [leaseOf('b', owners[0]), leaseOf('b', owners[1])];
  expect([await one.hold(), await two.hold()]).toEqual([true, false]);
  await pass(LEASE_MS / 2); // two asks again, one does not
  expect([one.isHeld, await two.hold()]).toEqual([true, false]);
  await pass(LEASE_MS / 2);
  expect(one.isHeld).toBe(false); // it stopped by its own clock, before the other could begin
  expect(await two.hold()).toBe(true);
});

it('lets one of two pollers do the rounds, as long as it renews', async () => {
  const rounds = [0, 0];
  const pollers = owners.map((owner, n) =>
    startPoller({
      pauseMs: PAUSE_MS,
      lease: leaseOf('c', owner),
      onFault: (error) => {
        throw error;
      },
      poll: async () => {
        rounds[n] = (rounds[n] as number) + 1;
        await pass(STEP_MS);
        return false;
      },
    }),
  );
  await eventually('rounds for longer than two leases', () => Math.max(...rounds) >= ROUNDS, { patienceMs: 60_000 });
  expect(Math.min(...rounds)).toBe(0);
  await Promise.all(pollers.map((poller) => poller.stop()));
});
