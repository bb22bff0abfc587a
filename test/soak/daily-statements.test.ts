/**
 * Daily statements while servers are killed: two processes, kill -9 of now one and now both while days are made up, and in the end every day has
 * exactly one statement and one event. Control: with the statement and its event not in one commit, days are lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Fault } from '../support/faults/fault-injection.ts';
import { between, newSeed, seeded } from '../support/generators/seeded.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, must, type Tenant } from '../support/harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../support/model/audit.ts';

const DAYS_A_LEAP = 40;
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

async function ordeal(leaps: number, fault?: Fault) {
  const chance = seeded(newSeed());
  database = await createDatabase();
  const { url } = database;
  const start = () => startServer({ databaseUrl: url, ...(fault && { fault }) });
  servers = [await start(), await start()];
  const at = () => ({ at: (servers[0] as ServerProcess).address });
  tenant = await createTenant(url, (servers[0] as ServerProcess).address);
  const { client } = tenant;
  await tenant.account('EUR', '1000');
  must(await client.post('/v1/settings', { daily_statements: true }, at()));

  const reached = async () => {
    const [row] = await rowsOf<{ made: number; due: number }>(
      url,
      `SELECT (SELECT count(*)::int FROM events WHERE type = 'statement.created') AS made,
        count(*) FILTER (WHERE next_statement_day + 1 <= (now() AT TIME ZONE 'UTC' + e.clock_offset_ms * interval '1 ms'))::int AS due
        FROM settings s JOIN environments e ON e.environment_id = s.environment_id`,
    );
    return row ?? { made: 0, due: 0 };
  };
  const until = async (what: () => Promise<boolean>) => {
    for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs && !(await what()); ) await sleep(20);
  };
  let felt = 0;
  for (let leap = 0; leap < leaps; leap++) {
    const before = (await reached()).made;
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: DAYS_A_LEAP * 86_400 }, at()));
    await until(async () => (await reached()).made > before);
    await sleep(between(chance, 0, 200));
    if ((await reached()).due > 0) felt += 1;
    const victims = leap % 2 === 0 ? servers : [servers[chance() < 0.5 ? 0 : 1] as ServerProcess];
    await Promise.all(victims.map((server) => server.kill()));
    servers = await Promise.all(servers.map(async (server) => (victims.includes(server) ? start() : server)));
    await until(async () => (await reached()).due === 0);
  }
  const [counts] = await rowsOf<{ statements: number; days: number; span: number; announced: number; events: number }>(
    url,
    `SELECT count(*)::int AS statements, count(DISTINCT day)::int AS days, max(day) - min(day) + 1 AS span,
      (SELECT count(DISTINCT object_id)::int FROM events WHERE type = 'statement.created'
        AND object_id IN (SELECT id FROM daily_statements)) AS announced,
      (SELECT count(*)::int FROM events WHERE type = 'statement.created') AS events FROM daily_statements`,
  );
  return { counts, felt, complaints: await auditDatabase(url) };
}

test(
  'kill -9 while days are made up: one statement and one event for each day, none lost and none doubled',
  LONG,
  async () => {
    const { counts, felt, complaints } = await ordeal(4);
    const ALL = 4 * DAYS_A_LEAP;
    expect(counts).toEqual({ statements: ALL, days: ALL, span: ALL, announced: ALL, events: ALL });
    expect(complaints).toEqual([]);
    expect(felt).toBeGreaterThan(0);
  },
);

test('control: notices statements that are told of and not written down', LONG, async () => {
  const { counts } = await ordeal(1, 'lost_statements');
  expect(counts?.events).toBe(DAYS_A_LEAP);
  expect(counts?.statements).toBeLessThan(DAYS_A_LEAP);
});
