/**
 * Databases with many payouts in them, every one of them made by the product itself through POST /v1/payouts, so that
 * sizes, indexes and books are those of real use.
 */
import { setTimeout } from 'node:timers/promises';
import { runPass } from '../measure/pass.ts';
import { withClient } from './cluster.ts';
import { addTenants, type Tenant } from './environments.ts';
import type { Program } from './program.ts';
import { payoutOf } from './requests.ts';
import { startProduct, type World } from './world.ts';

const ACCOUNTS = 1_000;
const READERS = 200;
const SEEDING_CLIENTS = 256;

export interface Stored {
  readonly databaseUrl: string;
  /** Its payouts are spread over a thousand accounts. */
  readonly tenant: Tenant;
  /** Of all tables and indexes, what one payout added. */
  readonly bytesPerPayout: number;
}

export interface Large extends Stored {
  /**
   * Other tenants of the same database, with three accounts each; together they get a fifth of the payouts. More than
   * clients read at once, because Bursar runs equal reads that arrive together only once.
   */
  readonly readers: readonly Tenant[];
  start(): Promise<Program>;
}

/** Makes a database, lets the product write so many payouts into it and stops the product again. */
export async function storePayouts(world: World, name: string, payouts: number): Promise<Large> {
  const { cluster, options } = world;
  const databaseUrl = await cluster.createDatabase(name);
  const small = Array.from({ length: READERS }, (_, index) => ({
    merchant: `reader ${index}`,
    livemode: false,
    currencies: ['EUR', 'USD', 'GBP'],
  }));
  const stored = { merchant: 'stored', livemode: false, currencies: new Array<string>(ACCOUNTS).fill('EUR') };
  const readers = await withClient(databaseUrl, (client) => addTenants(client, small));
  // Made last, as a live environment is made after its sandbox: at the right end of an index pages are filled, in its midst they
  // are split in halves (160 bytes a payout). Made together, it would be chance.
  await setTimeout(2);
  const [tenant] = (await withClient(databaseUrl, (client) => addTenants(client, [stored]))) as [Tenant];
  const before = await size(databaseUrl);
  const start = () => startProduct(cluster, options, databaseUrl);
  const program = await start();
  try {
    const requests = tenant.accounts.map((account, index) =>
      index % 5 === 0 ? payoutOf(readers[index / 5] as Tenant) : payoutOf(tenant, account),
    );
    await runPass(
      cluster,
      { program, databaseUrl, gapless: true },
      {
        requests,
        clients: SEEDING_CLIENTS,
        warmupMs: 0,
        measureMs: 0,
        total: payouts,
        adds: { payouts: 1, records: 1 },
      },
    );
  } finally {
    await program.stop();
  }
  await withClient(databaseUrl, (client) => client.query('VACUUM ANALYZE'));
  return { databaseUrl, tenant, readers, bytesPerPayout: ((await size(databaseUrl)) - before) / payouts, start };
}

async function size(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      "SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    return Number(rows[0]?.bytes);
  });
}
