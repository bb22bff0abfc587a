/** POST /v1/payouts/batch in JSON, against the same rows thrown at one connection with nothing decided and nobody served. */
import { faults } from '../books.ts';
import { insertRaw, type RawOptions, rawStart } from '../limits/unnest.ts';
import { interleave, NOT_MEASURED, type Pass, perSecond, ratio, runPass, summary } from '../measure/pass.ts';
import { withClient } from '../setup/cluster.ts';
import { addTenants, type Tenant } from '../setup/environments.ts';
import { batchOf, call } from '../setup/requests.ts';
import { untilQuiet } from '../measure/quiet.ts';
import { type Bench, passesOf } from './scenario.ts';

const SHARE_OF_UNNEST = 0.95;
const CPU_MICROSECONDS = 40;
/** Enough that the next batch is parsed while the last one commits. */
const CLIENTS = new Map([
  [100, 16],
  [1000, 4],
]);

export async function batches(bench: Bench): Promise<void> {
  for (const [items, clients] of CLIENTS) await ofItems(bench, items, clients);
}

async function ofItems({ world, report }: Bench, items: number, clients: number): Promise<void> {
  const { cluster, options, product, hot, samples } = world;
  const { warmupMs, measureMs, patienceMs } = options;
  const database = `bench_unnest_${items}`;
  const url = await cluster.createDatabase(database);
  const [tenant] = (await withClient(url, (client) =>
    addTenants(client, [{ merchant: 'raw', livemode: false, currencies: ['EUR'] }]),
  )) as [Tenant];
  const request = batchOf(hot, items);
  const batch = await call(product.program.port, request);
  const raw: RawOptions = { url, tenant, items, measureMs, samples, answer: batch };
  const progress = rawStart();
  const drive = { requests: [request], clients, warmupMs, measureMs, patienceMs, adds: { payouts: items, records: 1 } };
  const named = `payouts in batches of ${items}, ${clients} clients`;
  const results = await interleave(
    options,
    {
      Bursar: async () => perPayout(await runPass(cluster, product, drive), items),
      'raw unnest': async () => {
        await cluster.checkpoint();
        await untilQuiet(patienceMs);
        const rate = await insertRaw(raw, progress);
        const wrong = await withClient(url, (client) => faults(client, false));
        if (wrong.length > 0) throw new Error(`The raw inserts left wrong books: ${wrong.join('; ')}`);
        return { ...NOT_MEASURED, perSecond: rate };
      },
    },
    (line) => report.progress(`${named}: ${line}`),
  );
  for (const [name, passesOfName] of Object.entries(results)) report.figure(named, name, summary(passesOfName));
  const share = ratio(passesOf(results, 'Bursar'), passesOf(results, 'raw unnest'), perSecond);
  report.target(named, '×', share, { atLeast: SHARE_OF_UNNEST }, 'raw unnest inserts');
  const cpu = summary(passesOf(results, 'Bursar')).cpuMs * 1000;
  report.target(`${named}, CPU a payout`, 'µs', cpu, { atMost: CPU_MICROSECONDS });
  await cluster.dropDatabase(database);
}

/** A pass of batches in payouts; the latency stays that of a request. */
function perPayout(pass: Pass, items: number): Pass {
  return { ...pass, perSecond: pass.perSecond * items, cpuMs: pass.cpuMs / items };
}
