/** POST /v1/payouts on one hot account and on a thousand, at 1 to 256 clients, between bare Fastify and the baseline. */
import { perSecond, ratio, summary } from '../measure/pass.ts';
import { peakRssMb } from '../measure/proc.ts';
import { payoutOf } from '../setup/requests.ts';
import { type Bench, compare, type Entry, ONE_PAYOUT, passesOf } from './scenario.ts';

/** Least share of the program that only inserts the rows, by number of clients. */
const SHARE_OF_INSERTED = new Map([
  [16, 0.8],
  [64, 0.95],
  [256, 0.9],
]);
const TIMES_BASELINE = 12;
const TIMES_BASELINE_P50 = 0.8;
/** Judged from here on: a batch has a fixed cost, so fewer clients cost more CPU each. */
const CPU_CLIENTS = 64;
const CPU_MICROSECONDS = 100;
const RSS_MB = 250;
const STATEMENT_RSS_MB = 150;

export async function payouts(bench: Bench): Promise<void> {
  for (const clients of [1, 16, 64, 256]) await withClients(bench, clients);
  const { report, world } = bench;
  report.target('server memory at full load, peak', 'MB', peakRssMb(world.product.program.pid), { atMost: RSS_MB });
  report.notMeasured('server memory, bank statement of 75 MB', 'MB', { atMost: STATEMENT_RSS_MB });
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
  const insertedOnly = passesOf(results, 'bare Fastify, rows inserted');
  const oneTransaction = passesOf(results, 'one transaction, hot account');
  for (const where of ['hot account', '1,000 accounts']) {
    const ours = passesOf(results, `Bursar, ${where}`);
    const atLeast = SHARE_OF_INSERTED.get(clients);
    const what = `${named}, ${where}`;
    if (atLeast !== undefined) {
      report.target(what, '×', ratio(ours, insertedOnly, perSecond), { atLeast }, 'rows inserted');
      report.reported(what, ratio(ours, limit, perSecond), 'bare Fastify');
    }
    if (clients >= CPU_CLIENTS)
      report.target(`${what}, CPU a payout`, 'µs', summary(ours).cpuMs * 1000, { atMost: CPU_MICROSECONDS });
  }
  const hotPasses = passesOf(results, 'Bursar, hot account');
  if (clients === 256) {
    const faster = ratio(hotPasses, oneTransaction, perSecond);
    report.target(`${named}, hot account`, '×', faster, { atLeast: TIMES_BASELINE }, 'one transaction a request');
  }
  if (clients === 1) {
    const slower = ratio(hotPasses, oneTransaction, (pass) => pass.p50Ms);
    report.target(`${named}, p50`, '×', slower, { atMost: TIMES_BASELINE_P50 }, 'one transaction a request');
  }
}
