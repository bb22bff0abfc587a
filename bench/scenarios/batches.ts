/** POST /v1/payouts/batch in JSON, against the same rows thrown at one connection with nothing decided and nobody served. */
import { faults } from '../books.ts';
import { insertRaw, type RawOptions, rawStart } from '../limits/unnest.ts';
import { interleave, runPass, summary } from '../measure/pass.ts';
import { median } from '../measure/statistics.ts';
import { withClient } from '../setup/cluster.ts';
import { addTenants, type Tenant } from '../setup/environments.ts';
import { batchOf, call } from '../setup/requests.ts';
import { type Bench, passesOf } from './scenario.ts';

const SHARE_OF_UNNEST = 0.8;
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
  const { warmupMs, measureMs, passes } = options;
  const database = `bench_unnest_${items}`;
  const url = await cluster.createDatabase(database);
  const [tenant] = (await withClient(url, (client) =>
    addTenants(client, [{ merchant: 'raw', livemode: true, currencies: ['EUR'] }]),
  )) as [Tenant];
  const request = batchOf(hot, items);
  const batch = await call(product.program.port, request);
  const raw: RawOptions = { url, tenant, items, measureMs, samples: { ...samples, batch } };
  const progress = rawStart();
  const drive = { requests: [request], clients, warmupMs, measureMs, adds: { payouts: items, records: 1 } };
  const named = `batches of ${items}, ${clients} clients`;
  const payoutsPerSecond = { Bursar: [] as number[], unnest: [] as number[] };
  const results = await interleave(
    passes,
    {
      Bursar: async () => {
        const pass = await runPass(cluster, product, drive);
        payoutsPerSecond.Bursar.push(pass.perSecond * items);
        return pass;
      },
      unnest: async () => {
        await cluster.checkpoint();
        payoutsPerSecond.unnest.push(await insertRaw(raw, progress));
        const wrong = await withClient(url, (client) => faults(client, false));
        if (wrong.length > 0) throw new Error(`The raw inserts left wrong books: ${wrong.join('; ')}`);
        return null;
      },
    },
    (line) => report.progress(`${named}: ${line}`),
  );
  const ours = summary(passesOf(results, 'Bursar').filter((pass) => pass !== null));
  report.figure(named, 'Bursar', ours);
  const rounds = payoutsPerSecond.Bursar.map((rate, round) => rate / (payoutsPerSecond.unnest[round] ?? Number.NaN));
  const unnestRate = median(payoutsPerSecond.unnest);
  report.figure(named, 'raw unnest', {
    perSecond: unnestRate / items,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    cpuMs: Number.NaN,
  });
  report.progress(`  payouts/s: ${Math.floor(median(payoutsPerSecond.Bursar))}, raw unnest ${Math.floor(unnestRate)}`);
  report.target(`${named}, payouts/s`, '×', median(rounds), { atLeast: SHARE_OF_UNNEST }, 'raw unnest inserts');
  await cluster.dropDatabase(database);
}
