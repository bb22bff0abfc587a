/** Whether a million stored payouts make the next one slower, and what each takes on disk. */
import { interleave, ratio, runPass, summary } from '../measure/pass.ts';
import type { Tenant } from '../setup/environments.ts';
import { storePayouts } from '../setup/large.ts';
import { payoutOf } from '../setup/requests.ts';
import { startProduct, type World } from '../setup/world.ts';
import { type Bench, ONE_PAYOUT, passesOf } from './scenario.ts';

const SLOWER_PERCENT = 10;
const BYTES = 1_600;
const CLIENTS = 256;
const SMALL = 'bench_small';
const COPY = 'bench_small_copy';

export async function growth(bench: Bench): Promise<void> {
  const { world, report } = bench;
  const { cluster, options } = world;
  const large = await bench.large();
  report.progress(`growth: storing ${options.stored.small} payouts`);
  const small = await storePayouts(world, SMALL, options.stored.small);
  const results = await interleave(
    { passes: options.passes, warmingUp: 0 }, // every pass is a fresh server's
    {
      // A copy each round, because the passes themselves store tens of thousands.
      small: async () => {
        const databaseUrl = await cluster.createDatabase(COPY, SMALL);
        const pass = await freshPass(world, databaseUrl, small.tenant);
        await cluster.dropDatabase(COPY);
        return pass;
      },
      large: () => freshPass(world, large.databaseUrl, large.tenant),
    },
    (line) => report.progress(`growth: ${line}`),
  );
  const [few, many] = [passesOf(results, 'small'), passesOf(results, 'large')];
  const named = (stored: number) => `Bursar with ${stored.toLocaleString('en-US')} stored`;
  report.figure('growth, 256 clients', named(options.stored.small), summary(few));
  report.figure('growth, 256 clients', named(options.stored.large), summary(many));
  const slower = (1 - ratio(many, few, (pass) => pass.perSecond)) * 100;
  const from = `${options.stored.small.toLocaleString('en-US')} to ${options.stored.large.toLocaleString('en-US')} payouts`;
  report.target(`growth, slower from ${from}`, '%', slower, { atMost: SLOWER_PERCENT });
  report.notMeasured('growth, slower from 20,000 to 5,000,000 payouts', '%', { atMost: SLOWER_PERCENT });
  report.target('bytes a payout, all tables and indexes', 'B', large.bytesPerPayout, { atMost: BYTES });
}

/** A pass on a server just started: both databases get one as warm as the other. */
async function freshPass(world: World, databaseUrl: string, tenant: Tenant) {
  const { warmupMs, measureMs, patienceMs } = world.options;
  const program = await startProduct(world.cluster, world.options, databaseUrl);
  try {
    const requests = tenant.accounts.map((account) => payoutOf(tenant, account));
    const drive = { requests, clients: CLIENTS, warmupMs: warmupMs * 2, measureMs, patienceMs, adds: ONE_PAYOUT };
    return await runPass(world.cluster, { program, databaseUrl, gapless: true }, drive);
  } finally {
    await program.stop();
  }
}
