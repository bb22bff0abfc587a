/**
 * Reads on a database with a million payouts: alone against bare Fastify, and beside writes at full rate. Every client in
 * flight asks for another tenant's, so that no two requests are equal and can share one run of a statement. What is asked
 * again and has not changed is remembered (`src/platform/http/cache/response-cache.ts`), so reads that nobody asked before are a figure of
 * their own, and those beside writes are of that kind.
 */
import { NOT_MEASURED, perSecond, ratio, runPass, summary } from '../measure/pass.ts';
import { median } from '../measure/statistics.ts';
import { runLoad } from '../load/run-load.ts';
import type { Load, Request } from '../load/plan.ts';
import type { Tenant } from '../setup/environments.ts';
import { payoutOf } from '../setup/requests.ts';
import { type Bench, compare, ONE_PAYOUT, passesOf } from './scenario.ts';

const CLIENTS = 64;
/** `other`: the same question in the n-th of other words. */
const READS = [
  { path: '/v1/accounts', other: (n: number) => `/v1/accounts?created[gte]=${n}` },
  { path: '/v1/events?limit=10', other: (n: number) => `/v1/events?limit=10&created[gte]=${n}` },
];
const SHARE_REPEATED = 0.8;
const SHARE_FIRST_ASKED = 0.5;
/** While 256 clients write; a few readers, so that their own number is not what makes them wait. */
const READERS = 4;
const P99_MS = 50;
/** Of each reader: enough that none is asked again while it could be remembered. */
const ADDRESSES = 200;

export async function reads(bench: Bench): Promise<void> {
  const { world, report } = bench;
  const large = await bench.large();
  const product = { program: await large.start(), databaseUrl: large.databaseUrl, gapless: true };
  try {
    for (const { path, other } of READS) {
      const request = ({ key }: Tenant): Request => ({ method: 'GET', path, key, body: null });
      const requests = large.readers.map(request);
      const fresh = Array.from({ length: ADDRESSES }, (_, n) =>
        requests.map((each) => ({ ...each, path: other(n) })),
      ).flat();
      const named = `GET ${path}, ${CLIENTS} clients`;
      const results = await compare(bench, named, CLIENTS, {
        'bare Fastify': { contestant: world.fastify, requests: world.many.map(request), adds: null },
        Bursar: { contestant: product, requests, adds: null },
        'Bursar, never asked before': { contestant: product, requests: fresh, adds: null },
      });
      const limit = passesOf(results, 'bare Fastify');
      const repeated = ratio(passesOf(results, 'Bursar'), limit, perSecond);
      report.target(`${named}, repeated`, '×', repeated, { atLeast: SHARE_REPEATED }, 'bare Fastify');
      const first = ratio(passesOf(results, 'Bursar, never asked before'), limit, perSecond);
      report.target(`${named}, first asked`, '×', first, { atLeast: SHARE_FIRST_ASKED }, 'bare Fastify');
      const payouts = large.tenant.accounts.map((account) => payoutOf(large.tenant, account));
      await besideWrites(bench, product, path, fresh, payouts);
    }
  } finally {
    await product.program.stop();
  }
}

/** Latency of a read while writers keep the process and its database busy. */
async function besideWrites(
  { world, report }: Bench,
  product: Parameters<typeof runPass>[1],
  path: string,
  reads: readonly Request[],
  payouts: readonly Request[],
): Promise<void> {
  const { warmupMs, measureMs, patienceMs, passes } = world.options;
  const named = `GET ${path}, ${READERS} clients beside 256 writers`;
  const readings = [];
  const writings = [];
  for (let round = 0; round < passes; round++) {
    report.progress(`${named}: pass ${round + 1} of ${passes}`);
    const plan = { port: product.program.port, requests: reads, clients: READERS, keyPrefix: null, total: null };
    let reading: Load | undefined;
    const beside = async () => {
      // Ends before the writers do: a read on an idle server is not what is asked.
      reading = await runLoad({ ...plan, warmupMs, measureMs: measureMs * 0.8 });
    };
    const writing = { requests: payouts, clients: 256, warmupMs, measureMs, patienceMs, adds: ONE_PAYOUT, beside };
    const written = await runPass(world.cluster, product, writing);
    if (reading === undefined) throw new Error('The reads did not run.');
    if (reading.failures > 0) throw new Error(`${reading.failures} reads failed; the first: ${reading.firstFailure}`);
    const { p50Ms, p99Ms } = reading;
    readings.push({ ...NOT_MEASURED, perSecond: (reading.measured * 1000) / reading.measuredMs, p50Ms, p99Ms });
    writings.push(written);
  }
  report.figure(named, 'Bursar, reads', summary(readings));
  report.figure(named, 'Bursar, writes', summary(writings));
  report.target(`${named}, p99`, 'ms', median(readings.map((reading) => reading.p99Ms)), { atMost: P99_MS });
}
