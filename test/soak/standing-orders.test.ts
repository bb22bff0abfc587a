/**
 * Standing orders while servers are killed: two processes, kill -9 of now one and now both in the middle of days that come due, and
 * every planned day has exactly one payout in the end. Control: with the run and its payout in different commits, days are lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createDatabase, type Database } from '../support/harness/database.ts';
import type { Fault } from '../support/faults/fault-injection.ts';
import { between, newSeed, seeded } from '../support/generators/seeded.ts';
import { type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, idIn, must, type Tenant } from '../support/harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../support/model/audit.ts';

const ORDERS = 40;
/** Planned days of each order, of which the clock leaps over a few at a time. */
const DAYS = 60;
const DAYS_A_LEAP = 12;
const LONG = { timeout: 180_000 };
/** A lease of a killed process runs out within 5 s. */
const PATIENCE_MS = 60_000;

let database: Database;
let servers: ServerProcess[] = [];
let tenant: Tenant | undefined;

afterEach(async () => {
  tenant?.client.close();
  await Promise.all(servers.map((server) => server.kill()));
  servers = [];
  await database?.drop();
});

interface Outcome {
  readonly payouts: number;
  readonly days: number;
  readonly open: number;
  /** Kills between the first and the last run of a leap. */
  readonly felt: number;
  readonly complaints: readonly string[];
}

async function ordeal(fault?: Fault): Promise<Outcome> {
  const chance = seeded(newSeed());
  database = await createDatabase();
  const { url } = database;
  const start = () =>
    startServer({ databaseUrl: url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' }, ...(fault && { fault }) });
  servers = [await start(), await start()];
  const at = () => ({ at: (servers[0] as ServerProcess).address });
  tenant = await createTenant(url, (servers[0] as ServerProcess).address);
  const { client } = tenant;
  await tenant.account('EUR', '1000000');
  const recipient = await tenant.recipient();
  const first = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const body = { amount: '1', currency: 'EUR', recipient, interval: 'day', first, count: DAYS };
  await Promise.all(
    Array.from({ length: ORDERS }, async () => idIn(await client.post('/v1/standing_orders', body, at()))),
  );

  const reached = async () => {
    const [row] = await rowsOf<{ runs: number; due: number }>(
      url,
      `SELECT coalesce(sum(planned_index), 0)::int AS runs, count(*) FILTER (WHERE o.due_at <= now() + e.clock_offset_ms * interval '1 ms')::int AS due
        FROM standing_orders o JOIN environments e USING (environment_id)`,
    );
    return row ?? { runs: 0, due: 0 };
  };
  const until = async (what: () => Promise<boolean>) => {
    for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs && !(await what()); ) await sleep(20);
  };
  let felt = 0;
  for (let leap = 0; leap <= DAYS / DAYS_A_LEAP; leap++) {
    const before = (await reached()).runs;
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: DAYS_A_LEAP * 86_400 }, at()));
    await until(async () => (await reached()).runs > before || (await reached()).due === 0);
    await sleep(between(chance, 0, 60));
    const { due } = await reached();
    if (due > 0) felt += 1;
    const victims = leap % 2 === 0 ? servers : [servers[chance() < 0.5 ? 0 : 1] as ServerProcess];
    await Promise.all(victims.map((server) => server.kill()));
    servers = await Promise.all(servers.map(async (server) => (victims.includes(server) ? start() : server)));
    if (fault === undefined) await until(async () => (await reached()).due === 0);
    else await sleep(2_000);
  }
  const [counts] = await rowsOf<Omit<Outcome, 'felt' | 'complaints'>>(
    url,
    `SELECT count(*)::int AS payouts, count(DISTINCT (standing_order_id, scheduled_for))::int AS days,
      (SELECT count(*)::int FROM standing_orders WHERE status <> 'completed') AS open FROM payouts`,
  );
  return { ...(counts as Outcome), felt, complaints: await auditDatabase(url) };
}

test('kill -9 in the middle of due days: one payout for each, none lost and none doubled', LONG, async () => {
  const { felt, ...outcome } = await ordeal();
  expect(outcome).toEqual({ payouts: ORDERS * DAYS, days: ORDERS * DAYS, open: 0, complaints: [] });
  expect(felt).toBeGreaterThan(0);
});

test('control: notices days that are written down without their payouts', LONG, async () => {
  const { payouts, complaints } = await ordeal('lost_payouts');
  expect(payouts).toBeLessThan(ORDERS * DAYS);
  expect(complaints).not.toEqual([]);
});
