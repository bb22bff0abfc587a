/** Leases of workers on real PostgreSQL: one owner at a time, and another soon when the first is gone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openPools, type Pools } from '../../src/platform/db/pool.ts';
import { relaxed } from '../../src/platform/db/relaxed.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { Lease } from '../../src/platform/workers/lease.ts';
import { startPoller } from '../../src/platform/workers/poller.ts';

const LOG = { info: () => {}, warn: () => {}, error: () => {} };
/** A lease lasts 5 s. */
const PAUSE_MS = 100;
const ROUNDS = 55;
let database: Database;
let pools: Pools;
beforeAll(async () => {
  database = await createDatabase();
  pools = await openPools({ ...loadConfig({}), readPoolSize: 1, url: database.serverUrl, log: LOG });
});
afterAll(async () => {
  await pools?.close();
  await database?.drop();
});

const owners = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
function leaseOf(worker: string, owner: (typeof owners)[number], held: boolean[] = []): Lease {
  return new Lease({ worker, owner, run: relaxed(pools.openBookkeeping()), onHeld: (is) => void held.push(is) });
}

it('has one owner, who leaves it to the other at once', async () => {
  const seen: boolean[] = [];
  const [one, two] = [leaseOf('a', owners[0], seen), leaseOf('a', owners[1])];
  expect([await one.hold(), await two.hold(), await one.hold()]).toEqual([true, false, true]);
  expect(await leaseOf('another worker', owners[1]).hold()).toBe(true);
  await one.release();
  expect([one.isHeld, seen]).toEqual([false, [true, false]]);
  await eventually('the second asks again, and has it', () => two.hold());
  expect(await one.hold()).toBe(false);
});

it('passes to the other when its owner is heard of no more, and not before', async () => {
  const [one, two] = [leaseOf('b', owners[0]), leaseOf('b', owners[1])];
  expect(await one.hold()).toBe(true);
  let asked = 0;
  await eventually('the other has it', () => {
    asked += 1;
    return two.hold();
  });
  expect(asked).toBeGreaterThan(1);
  expect(one.isHeld).toBe(false); // it stopped by its own clock, before the other could begin
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
        return false;
      },
    }),
  );
  // With their pauses, more rounds than a lease lasts.
  await eventually('rounds for longer than a lease', () => Math.max(...rounds) >= ROUNDS, { patienceMs: 60_000 });
  expect(Math.min(...rounds)).toBe(0);
  await Promise.all(pollers.map((poller) => poller.stop()));
});
