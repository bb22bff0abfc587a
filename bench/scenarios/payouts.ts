/** POST /v1/payouts on one hot account and on a thousand, at 1 to 256 clients, between bare Fastify and the baseline. */
import { ratio, summary } from '../measure/pass.ts';
import { peakRssMb } from '../measure/proc.ts';
import { payoutOf } from '../setup/requests.ts';
import { type Bench, compare, type Entry, ONE_PAYOUT, passesOf } from './scenario.ts';

/** Least share of bare Fastify, by number of clients. */
const SHARE_OF_FASTIFY = new Map([
  [16, 0.4],
  [64, 0.55],
  [256, 0.75],
]);
const TIMES_BASELINE = 12;
const TIMES_BASELINE_P50 = 1.2;
const TIMES_FASTIFY_P99 = 3;
const RSS_MB = 250;

export async function payouts(bench: Bench): Promise<void> {
  for (const clients of [1, 16, 64, 256]) await withClients(bench, clients);
  const { report, world } = bench;
  report.target('server memory at full load, peak', 'MB', peakRssMb(world.product.program.pid), { atMost: RSS_MB });
}

async function withClients(bench: Bench, clients: number): Promise<void> {
  const { world, report } = bench;
  const { hot, spread, insertedHot, inserted, baselineHot, baselineSpread, product, fastify, baseline } = world;
  const entries: Record<string, Entry> = {
    'bare Fastify': { contestant: fastify, requests: [payoutOf(hot)], adds: null },
    'Bursar, hot account': { contestant: product, requests: [payoutOf(hot)], adds: ONE_PAYOUT },
    'Bursar, 1,000 accounts': {
      contestant: product,
      requests: spread.accounts.map((account) => payoutOf(spread, account)),
      adds: ONE_PAYOUT,
    },
    'bare Fastify, rows inserted': { contestant: inserted, requests: [payoutOf(insertedHot)], adds: null },
    'one transaction, hot account': { contestant: baseline, requests: [payoutOf(baselineHot)], adds: ONE_PAYOUT },
    'one transaction, 1,000 accounts': {
      contestant: baseline,
      requests: baselineSpread.accounts.map((account) => payoutOf(baselineSpread, account)),
      adds: ONE_PAYOUT,
    },
  };
  const named = `payouts, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
  const results = await compare(bench, named, clients, entries);
  const limit = passesOf(results, 'bare Fastify');
  const oneTransaction = passesOf(results, 'one transaction, hot account');
  for (const where of ['hot account', '1,000 accounts']) {
    const ours = passesOf(results, `Bursar, ${where}`);
    const share = SHARE_OF_FASTIFY.get(clients);
    const what = `${named}, ${where}`;
    if (share !== undefined) {
      const atLeast = share;
      report.target(
        what,
        '×',
        ratio(ours, limit, (pass) => pass.perSecond),
        { atLeast },
        'bare Fastify',
      );
    }
    if (clients === 256) {
      const slower = ratio(ours, limit, (pass) => pass.p99Ms);
      report.target(`${what}, p99`, '×', slower, { atMost: TIMES_FASTIFY_P99 }, 'bare Fastify');
    }
  }
  const hotPasses = passesOf(results, 'Bursar, hot account');
  if (clients === 256) {
    const faster = ratio(hotPasses, oneTransaction, (pass) => pass.perSecond);
    report.target(`${named}, hot account`, '×', faster, { atLeast: TIMES_BASELINE }, 'one transaction a request');
    report.progress(
      `  CPU ms a payout: ${summary(hotPasses).cpuMs.toFixed(3)}, one transaction ${summary(oneTransaction).cpuMs.toFixed(3)}`,
    );
  }
  if (clients === 1) {
    const slower = ratio(hotPasses, oneTransaction, (pass) => pass.p50Ms);
    report.target(`${named}, p50`, '×', slower, { atMost: TIMES_BASELINE_P50 }, 'one transaction a request');
  }
}
