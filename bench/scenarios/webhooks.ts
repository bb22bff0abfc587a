/**
 * What one endpoint that asks for everything costs the writes, how fast its deliveries go beside them and from a backlog,
 * how soon after the commit they arrive, and whether 100,000 of them fit in flat memory. Everything is verified by
 * `deliveries.ts` before the next pass begins. A database, a server and a receiver of their own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { runPaced } from '../load/paced.ts';
import {
  type Contestant,
  interleave,
  NOT_MEASURED,
  type Pass,
  perSecond,
  ratio,
  runPass,
  summary,
} from '../measure/pass.ts';
import { cpuMs, familyCpuMs, rssMb } from '../measure/proc.ts';
import { median, percentile } from '../measure/statistics.ts';
import { call, payoutOf } from '../setup/requests.ts';
import { openSubscribed, type SubscribedWorld } from '../setup/subscribed.ts';
import { type Bench, ONE_PAYOUT, passesOf } from './scenario.ts';

const SHARE_OF_WRITES = 0.6;
const DELIVERIES_PER_SECOND = 2_000;
const P50_MS = 20;
const P99_MS = 250;
const RSS_MB = 250;
/** More memory in the second half of a long backlog than in the first: what a leak or a queue without a bound would take. */
const GROWTH_MB = 16;
const PAYOUTS_PER_SECOND = 50;
const EVENTS_PER_PAYOUT = 2;

export async function webhooks(bench: Bench): Promise<void> {
  const subscribed = await openSubscribed(bench.world);
  try {
    for (const clients of [64, 256]) await besideWrites(bench, subscribed, clients);
    await latency(bench, subscribed);
    await longBacklog(bench, subscribed);
  } finally {
    await subscribed.stop();
  }
}

/** Payouts without and with the endpoint, and the deliveries that were made while they were. */
async function besideWrites({ world, report }: Bench, subscribed: SubscribedWorld, clients: number): Promise<void> {
  const { warmupMs, measureMs, patienceMs, passes } = world.options;
  const { contestant, inbox, plain, tenant } = subscribed;
  const drive = { clients, warmupMs, measureMs, patienceMs, adds: ONE_PAYOUT };
  const named = `payouts, ${clients} clients`;
  const rates: Pass[] = [];
  const results = await interleave(
    world.options,
    {
      'no endpoint': () => runPass(world.cluster, contestant, { ...drive, requests: [payoutOf(plain)] }),
      'one endpoint for everything': async () => {
        const beside = async () => {
          await sleep(warmupMs);
          const before = await inbox.count();
          await sleep(measureMs);
          const after = await inbox.count();
          const rate = ((after.events - before.events) * 1000) / (after.atMs - before.atMs);
          rates.push({ ...NOT_MEASURED, perSecond: rate });
        };
        const requests = [payoutOf(tenant)];
        const pass = await runPass(world.cluster, contestant, { ...drive, requests, beside, helper: inbox.pid });
        await subscribed.settled();
        return pass;
      },
    },
    (line) => report.progress(`${named}: ${line}`),
  );
  for (const [name, each] of Object.entries(results)) report.figure(named, `Bursar, ${name}`, summary(each));
  const counted = rates.slice(-passes);
  report.figure(named, 'Bursar, deliveries meanwhile', summary(counted));
  const [without, beside] = [passesOf(results, 'no endpoint'), passesOf(results, 'one endpoint for everything')];
  const share = ratio(beside, without, perSecond);
  report.target(`${named}, one endpoint for everything`, '×', share, { atLeast: SHARE_OF_WRITES }, 'without');
  const rate = median(counted.map(perSecond));
  report.target(`deliveries beside ${named}`, '/s', rate, { atLeast: DELIVERIES_PER_SECOND });
}

/**
 * At 100 events a second. The commit itself is seen by nobody outside: it lies between the sending of the request and its
 * answer, so the figure from the sending is an upper bound, and the one that is judged.
 */
async function latency({ world, report }: Bench, subscribed: SubscribedWorld): Promise<void> {
  const { contestant, inbox, tenant } = subscribed;
  const total = Math.ceil((PAYOUTS_PER_SECOND * world.options.measureMs * 2) / 1000);
  const named = `latency at ${PAYOUTS_PER_SECOND * EVENTS_PER_PAYOUT} events/s`;
  const fromSending: Pass[] = [];
  const fromAnswer: Pass[] = [];
  for (let round = 0; round < world.options.passes; round++) {
    report.progress(`${named}: pass ${round + 1} of ${world.options.passes}`);
    const { port } = contestant.program;
    const keyPrefix = `paced-${round}-`;
    await inbox.watch();
    const sent = await runPaced(payoutOf(tenant), { port, requestsPerSecond: PAYOUTS_PER_SECOND, total, keyPrefix });
    await subscribed.settled();
    const sentByKey = new Map(sent.map((each) => [each.key, each]));
    const arrivals = (await inbox.arrivals()).flatMap(({ key, atMs }) => {
      const from = sentByKey.get(key);
      return from === undefined ? [] : [{ sendingMs: atMs - from.sentMs, answerMs: atMs - from.answeredMs }];
    });
    if (arrivals.length !== total * EVENTS_PER_PAYOUT)
      throw new Error(`${arrivals.length} arrivals where ${total} payouts were made.`);
    const rate = PAYOUTS_PER_SECOND * EVENTS_PER_PAYOUT;
    fromSending.push({ ...NOT_MEASURED, perSecond: rate, ...percentiles(arrivals.map(({ sendingMs }) => sendingMs)) });
    fromAnswer.push({ ...NOT_MEASURED, perSecond: rate, ...percentiles(arrivals.map(({ answerMs }) => answerMs)) });
  }
  const judged = summary(fromSending);
  report.figure(named, 'request sent → receiver (upper bound)', judged);
  report.figure(named, 'request answered → receiver', summary(fromAnswer));
  report.target(`${named}, request sent → receiver, p50`, 'ms', judged.p50Ms, { atMost: P50_MS });
  report.target(`${named}, request sent → receiver, p99`, 'ms', judged.p99Ms, { atMost: P99_MS });
}

function percentiles(ms: readonly number[]): Pick<Pass, 'p50Ms' | 'p99Ms'> {
  const sorted = Float64Array.from(ms).sort();
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

const SAMPLE_MS = 50;

/** Deliveries held for a disabled endpoint, then all asked for at once. */
async function longBacklog({ world, report }: Bench, subscribed: SubscribedWorld): Promise<void> {
  const { backlog, patienceMs } = world.options;
  const { contestant, inbox, tenant } = subscribed;
  const named = `a backlog of ${backlog.toLocaleString('en-US')} deliveries`;
  report.progress(`${named}: writing it`);
  await tell(contestant, subscribed, 'disable');
  await runPass(world.cluster, contestant, {
    requests: [payoutOf(tenant)],
    clients: 256,
    warmupMs: 0,
    measureMs: 0,
    total: backlog / EVENTS_PER_PAYOUT,
    patienceMs,
    adds: ONE_PAYOUT,
  });
  await tell(contestant, subscribed, 'enable');
  report.progress(`${named}: draining it`);
  const { pid } = contestant.program;
  const before = await inbox.count();
  const beforeMb = rssMb(pid);
  const samples: { readonly events: number; readonly mb: number }[] = [];
  await tell(contestant, subscribed, 'replay');
  const cpu = () => cpuMs(pid) + familyCpuMs(world.cluster.pid);
  const cpuBefore = cpu();
  const startedAt = performance.now();
  let arrived = 0;
  while (arrived < backlog) {
    await sleep(SAMPLE_MS);
    arrived = (await inbox.count()).events - before.events;
    samples.push({ events: arrived, mb: rssMb(pid) });
    if (performance.now() - startedAt > DRAIN_PATIENCE_MS) throw new Error(`${arrived} of ${backlog} were delivered.`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuEach = (cpu() - cpuBefore) / backlog;
  await subscribed.settled();
  const peak = (from: number, to: number) =>
    Math.max(...samples.filter(({ events }) => events > backlog * from && events <= backlog * to).map(({ mb }) => mb));
  const [peakMb, growthMb] = [peak(0, 1), peak(0.5, 1) - peak(0, 0.5)];
  report.progress(
    `  ${seconds.toFixed(1)} s; server ${beforeMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} MB at most`,
  );
  report.figure(named, 'Bursar, deliveries', { ...NOT_MEASURED, perSecond: backlog / seconds, cpuMs: cpuEach });
  report.target(`${named}, drained alone`, '/s', backlog / seconds, { atLeast: DELIVERIES_PER_SECOND });
  report.target(`${named}, server memory, peak (${beforeMb.toFixed(0)} before)`, 'MB', peakMb, { atMost: RSS_MB });
  report.target(`${named}, memory, second half above first`, 'MB', growthMb, { atMost: GROWTH_MB });
}

const DRAIN_PATIENCE_MS = 300_000;

async function tell(
  { program }: Contestant,
  { tenant, endpointId }: SubscribedWorld,
  what: 'disable' | 'enable' | 'replay',
): Promise<void> {
  const path = `/v1/webhook_endpoints/${endpointId}/${what}`;
  const body = what === 'replay' ? 'only=failed&after_sequence=0' : '';
  await call(program.port, { method: 'POST', path, key: tenant.key, body });
}
