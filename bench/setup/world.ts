/**
 * The contestants, each on a database of its own in one cluster: Bursar as the process that `npm start` runs, bare Fastify
 * and one transaction a request. All are given the same tenants; the limits send answers of the product's own bytes.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_VARIABLE, type LimitConfig } from '../limits/common.ts';
import { kept, type Order } from '../limits/rows.ts';
import type { Contestant } from '../measure/pass.ts';
import type { Options } from '../options.ts';
import type { Cluster } from './cluster.ts';
import { withClient } from './cluster.ts';
import { addTenants, SECRET, type Tenant, type TenantSpec } from './environments.ts';
import { type Program, startProgram } from './program.ts';
import { pageOf, waitingPages } from './pages.ts';
import { call, exchangeOf, payoutOf } from './requests.ts';

/** Accounts of the spread tenant, and tenants of the many-environments scenario. */
const MANY = 1_000;

export interface World {
  readonly cluster: Cluster;
  readonly options: Options;
  readonly product: Contestant;
  readonly fastify: Contestant;
  readonly baseline: Contestant;
  /** Its books do not verify: two batches at once write balances as they please. */
  readonly inserted: Contestant;
  /** One tenant with one EUR, USD and GBP account: every payout takes from the same one. */
  readonly hot: Tenant;
  /** One tenant with a thousand EUR accounts, named in turn. */
  readonly spread: Tenant;
  /** A sandbox tenant: exchanges need rates, and the sandbox always has some. */
  readonly exchanger: Tenant;
  /** A thousand tenants with an account each. */
  readonly many: readonly Tenant[];
  /** The first of them at the limit that inserts. */
  readonly insertedHot: Tenant;
  /** The first two at the baseline. */
  readonly baselineHot: Tenant;
  readonly baselineSpread: Tenant;
  /** Objects as the product's events keep them. */
  readonly samples: Order['samples'];
  stop(): Promise<void>;
}

const HOT: TenantSpec = { merchant: 'hot', livemode: false, currencies: ['EUR', 'USD', 'GBP'] };
const SPREAD: TenantSpec = { merchant: 'spread', livemode: false, currencies: new Array<string>(MANY).fill('EUR') };
const EXCHANGER: TenantSpec = { merchant: 'exchanger', livemode: false, currencies: ['EUR', 'USD'] };
const MANY_TENANTS = Array.from(
  { length: MANY },
  (_, index): TenantSpec => ({ merchant: `tenant ${index}`, livemode: false, currencies: ['EUR'] }),
);

export async function openWorld(cluster: Cluster, options: Options): Promise<World> {
  const productUrl = await cluster.createDatabase('bench_product');
  const baselineUrl = await cluster.createDatabase('bench_one_transaction');
  const tenants = await withClient(productUrl, (client) =>
    addTenants(client, [HOT, SPREAD, EXCHANGER, ...MANY_TENANTS]),
  );
  const [hot, spread, exchanger, ...many] = tenants as [Tenant, Tenant, Tenant, ...Tenant[]];
  const insertedUrl = await cluster.createDatabase('bench_inserted');
  const [insertedHot] = (await withClient(insertedUrl, (client) => addTenants(client, [HOT]))) as [Tenant];
  const [baselineHot, baselineSpread] = (await withClient(baselineUrl, async (client) => {
    await client.query('CREATE SEQUENCE bench_sequence');
    return addTenants(client, [HOT, SPREAD]);
  })) as [Tenant, Tenant];

  const programs: Program[] = [];
  const stop = async () => {
    await Promise.all(programs.map((program) => program.stop()));
  };
  try {
    const product = await startProduct(cluster, options, productUrl);
    programs.push(product);
    const { answers, account } = await sampleAnswers(product.port, hot, exchanger);
    const common = { answers, account };
    const fastify = await startLimit(cluster, 'fastify', { ...common, keys: tenants, databaseUrl: null });
    programs.push(fastify);
    const keys = [baselineHot, baselineSpread];
    const baseline = await startLimit(cluster, 'one-transaction', { ...common, keys, databaseUrl: baselineUrl });
    programs.push(baseline);
    const inserted = await startLimit(cluster, 'inserted', {
      ...common,
      keys: [insertedHot],
      databaseUrl: insertedUrl,
    });
    programs.push(inserted);
    return {
      cluster,
      options,
      product: { program: product, databaseUrl: productUrl, gapless: true },
      fastify: { program: fastify, databaseUrl: null, gapless: false },
      baseline: { program: baseline, databaseUrl: baselineUrl, gapless: false },
      inserted: { program: inserted, databaseUrl: insertedUrl, gapless: false },
      insertedHot,
      hot,
      spread,
      exchanger,
      many,
      baselineHot,
      baselineSpread,
      samples: { payout: kept(answers['POST /v1/payouts']), account: kept(account) },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The server as it is shipped, on a database of the cluster; but the rate limits of keys and pages are off, receivers of webhooks
 * may be on this machine, and what `settings` change.
 */
export function startProduct(
  cluster: Cluster,
  { profileFolder }: Options,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Program> {
  return startProgram({
    name: 'src/server/main',
    env: {
      DATABASE_URL: databaseUrl,
      BURSAR_SECRET: SECRET,
      BURSAR_RATE_LIMIT: '0',
      BURSAR_SANDBOX_STEP_SECONDS: '0', // nothing is settled beside what is measured
      BURSAR_PAGE_RATE_LIMIT: '0',
      BURSAR_PAGE_FORM_RATE_LIMIT: '0',
      BURSAR_WEBHOOK_PRIVATE_TARGETS: 'loopback',
      MALLOC_ARENA_MAX: '2', // as `npm start` does
      BURSAR_DATA: join(cluster.folder, 'unused'),
      ...settings,
    },
    folder: cluster.folder,
    readyPath: '/readyz',
    nodeOptions: [
      // As `npm start` does: in-flight requests die young, and what does not is collected before it fills the memory.
      '--max-semi-space-size=32',
      '--heap-growing-percent=80',
      '--no-allocation-site-pretenuring',
      ...(profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]),
    ],
  });
}

async function startLimit(cluster: Cluster, name: string, config: LimitConfig): Promise<Program> {
  const file = join(cluster.folder, `${name}.json`);
  await writeFile(file, JSON.stringify(config));
  return startProgram({
    name: `bench/limits/${name}`,
    env: { [CONFIG_VARIABLE]: file },
    folder: cluster.folder,
    readyPath: '/readyz',
  });
}

/** One answer of each kind that a limit imitates, and an account as events hold it. */
async function sampleAnswers(port: number, hot: Tenant, exchanger: Tenant) {
  let payout = '';
  for (let i = 0; i < 6; i++) payout = await call(port, payoutOf(hot)); // ten events for the list
  const exchange = await call(port, exchangeOf(exchanger));
  const accounts = await call(port, { method: 'GET', path: '/v1/accounts', key: hot.key, body: null });
  const events = await call(port, { method: 'GET', path: '/v1/events?limit=10', key: hot.key, body: null });
  const [path] = await waitingPages(port, exchanger, 1);
  const { data } = JSON.parse(accounts) as { data: unknown[] };
  const answers = {
    'POST /v1/payouts': payout,
    'POST /v1/exchanges': exchange,
    'GET /v1/accounts': accounts,
    'GET /v1/events': events,
    'GET /page': await pageOf(port, path as string),
  };
  return { answers, account: JSON.stringify(data[0]) };
}
