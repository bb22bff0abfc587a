/**
 * How long `bursar backup` takes beside a server under load, and what it costs those who pay meanwhile: the latency of payouts before and
 * during it. The size is counted in payouts that the database holds.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../harness/cli.ts';
import { createDatabase, emptyDatabase } from '../harness/database.ts';
import { startServer, TEST_SECRET } from '../harness/server-process.ts';
import { createTenant, must, type Tenant } from '../harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';

const BATCH_ITEMS = 1_000;
const FILLERS = 4;
const CLIENTS = 16;
const QUIET_MS = 10_000;

export interface BackupSpeed {
  readonly payouts: number;
  readonly backupSeconds: number;
  readonly restoreSeconds: number;
  readonly megabytes: number;
  /** Of payouts, in milliseconds, and payouts a second. */
  readonly quiet: Latency;
  readonly beside: Latency;
  readonly complaints: readonly string[];
}

export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly perSecond: number;
}

async function fill(tenant: Tenant, order: object, payouts: number, say: (line: string) => void): Promise<void> {
  let left = payouts;
  const send = async () => {
    while (left > 0) {
      left -= BATCH_ITEMS;
      must(
        await tenant.client.post('/v1/payouts/batch', { payouts: Array.from({ length: BATCH_ITEMS }, () => order) }),
      );
      if (left % 100_000 === 0) say(`${left} payouts to make`);
    }
  };
  await Promise.all(Array.from({ length: FILLERS }, send));
}

/** Payouts one by one from {@link CLIENTS} clients while `work` goes on. */
async function paying(tenant: Tenant, order: object, work: () => Promise<unknown>): Promise<Latency> {
  const waitsMs: number[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const startedMs = performance.now();
      must(await tenant.client.post('/v1/payouts', order));
      waitsMs.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await work();
  isOver = true;
  await clients;
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95), perSecond: (sorted.length * 1000) / (performance.now() - startedMs) };
}

export async function backupSpeed(options: {
  readonly payouts: number;
  /** A balance is changed in what was restored, which must be found. */
  readonly isDamaged: boolean;
  readonly say: (line: string) => void;
}): Promise<BackupSpeed> {
  const database = await createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'bursar-backup-'));
  const server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const target = await emptyDatabase(database.url);
  try {
    const tenant = await createTenant(database.url, server.address);
    const [account, recipient] = [await tenant.account('EUR', '90000000'), await tenant.recipient()];
    const order = { amount: '1.00', currency: 'EUR', account, recipient };
    await fill(tenant, order, options.payouts, options.say);
    const quiet = await paying(tenant, order, () => sleep(QUIET_MS));
    const path = join(folder, 'backup');
    const run = async (args: readonly string[], url: string): Promise<number> => {
      const startedMs = performance.now();
      const { code, stderr } = await cli(args, { DATABASE_URL: url, BURSAR_SECRET: TEST_SECRET });
      if (code !== 0) throw new Error(`bursar ${args[0]} ended with ${code}: ${stderr}`);
      return (performance.now() - startedMs) / 1000;
    };
    let backupSeconds = 0;
    const beside = await paying(tenant, order, async () => {
      backupSeconds = await run(['backup', path], database.url);
    });
    const restoreSeconds = await run(['restore', path], target.url);
    tenant.client.close();
    const [row] = await rowsOf<{ count: number }>(target.url, 'SELECT count(*)::int AS count FROM payouts');
    if (options.isDamaged) await rowsOf(target.url, 'UPDATE accounts SET balance = balance + 1');
    const complaints = await auditDatabase(target.url);
    return {
      payouts: row?.count ?? 0,
      backupSeconds,
      restoreSeconds,
      megabytes: statSync(path).size / 1e6,
      quiet,
      beside,
      complaints,
    };
  } finally {
    await server.kill();
    await target.drop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
