/**
 * Payouts beside strangers without a key: 8 connections that ask for one thing without pause, many requests ahead, and 16 with
 * made-up keys. They slow payouts by less than twice, and the server does not grow by half. Phases with and without them take
 * turns, and each is compared with the one before it, so that a machine that becomes slower does so for both. By counts:
 * `test/long/small/strangers.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLOODS, madeUp, stranger } from '../support/faults/strangers.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, type Tenant } from '../support/harness/tenant-fixture.ts';

const CLIENTS = 16;
const PHASE_MS = 800;
/** The median of so many pairs is asked: one that the machine disturbs decides nothing. */
const ROUNDS = 7;
interface Phase {
  readonly p95Ms: number;
  readonly payouts: number;
  readonly rssMb: number;
}

async function payFor(tenant: Tenant, server: ServerProcess, order: object): Promise<Phase> {
  const untilMs = performance.now() + PHASE_MS;
  const took: number[] = [];
  const pay = async () => {
    while (performance.now() < untilMs) {
      const startedMs = performance.now();
      const { status, text } = await tenant.client.post('/v1/payouts', order);
      if (status !== 200) throw new Error(text);
      took.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, pay));
  took.sort((a, b) => a - b);
  const [, rss] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  return { p95Ms: took[Math.floor(took.length * 0.95)] as number, payouts: took.length, rssMb: Number(rss) / 1_000 };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** How much slower payouts are at their 95th percentile, and how much more the server holds. */
async function besideStrangers(limit: string, flood: string) {
  const server = await startServer({ databaseUrl: database.url, env: { BURSAR_KEYLESS_RATE_LIMIT: limit } });
  const tenant = await createTenant(database.url, server.address);
  try {
    const [account, recipient] = [await tenant.account('EUR', '1000000'), await tenant.recipient()];
    const order = { amount: '0.01', currency: 'EUR', account, recipient };
    await payFor(tenant, server, order); // programs become quick by load
    const [alone, beside]: [Phase[], Phase[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await payFor(tenant, server, order));
      const strangers = [
        ...Array.from({ length: 8 }, () => stranger(server.port, () => flood)),
        ...Array.from({ length: 16 }, () => stranger(server.port, madeUp)),
      ];
      await sleep(200); // until their first requests are through
      beside.push(await payFor(tenant, server, order));
      for (const socket of strangers) socket.destroy();
      await sleep(200);
    }
    const p95 = (phases: readonly Phase[]) => median(phases.map(({ p95Ms }) => p95Ms));
    const rss = (phases: readonly Phase[]) => Math.max(...phases.map(({ rssMb }) => rssMb));
    const slower = median(beside.map(({ p95Ms }, round) => p95Ms / (alone[round] as Phase).p95Ms));
    const result = { slower, larger: rss(beside) / rss(alone) };
    console.info(
      `${flood.split(' ')[1]} limit ${limit}: p95 ${p95(alone).toFixed(1)} → ${p95(beside).toFixed(1)} ms (${result.slower.toFixed(2)} times), ` +
        `${rss(alone).toFixed(0)} → ${rss(beside).toFixed(0)} MB (${result.larger.toFixed(2)} times), payouts ${alone.map(({ payouts }) => payouts).join()} → ${beside.map(({ payouts }) => payouts).join()}`,
    );
    return result;
  } finally {
    tenant.client.close();
    await server.stop();
  }
}

let database: Database;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

test.each(Object.entries(FLOODS))('who floods with %s hardly slows payouts', async (_what, flood) => {
  const { slower, larger } = await besideStrangers('100', flood);
  expect(slower).toBeLessThan(2);
  expect(larger).toBeLessThan(1.5);
});

test('control: where strangers are not counted, payouts are slowed', async () => {
  const { slower } = await besideStrangers('0', FLOODS['/openapi.json']);
  expect(slower).toBeGreaterThan(2);
});
