/**
 * Rule 7 of the write path, without any help from the client: no keys, no repetitions. The wire between a server and
 * PostgreSQL is cut again and again, each time after some more bytes. Small: `test/soak/cut-wire.test.ts`; large:
 * `test/long/cut-wire.test.ts`.
 */
import { between, seeded } from '../generators/seeded.ts';
import { createDatabase, type Database } from '../harness/database.ts';
import { startServer } from '../harness/server-process.ts';
import { createTenant } from '../harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import type { Fault } from './fault-injection.ts';
import { startProxy } from './proxy.ts';

const CLIENTS = 4;
const CUT_SEED = 7;

export interface Cuts {
  readonly payments: number;
  /** Fewer prove nothing. */
  readonly leastCuts: number;
  /** Bytes of answers between two cuts. */
  readonly span: { readonly least: number; readonly most: number };
  readonly fault?: Fault;
}
type Mend = (() => Promise<void>)[];

/** Pays through a server whose database connections each die after some more bytes. Returns all that is wrong. */
export async function payOverCuts(options: Cuts): Promise<string[]> {
  const database = await createDatabase();
  const mend: Mend = [() => database.drop()];
  try {
    return await pay(database, options, mend);
  } finally {
    for (const each of mend.toReversed()) await each();
  }
}

async function pay(database: Database, { payments, leastCuts, span, fault }: Cuts, mend: Mend): Promise<string[]> {
  const socket = new URLSearchParams(database.url.split('?')[1]);
  // Long enough for a batch to be read back once in a while, short enough to cut most of them.
  const chance = seeded(CUT_SEED);
  const soon = () => ({ afterAnswerBytes: Math.floor(between(chance, span.least, span.most)) });
  let cutting = false;
  const proxy = await startProxy(`${socket.get('host')}/.s.PGSQL.${socket.get('port')}`, () =>
    cutting ? soon() : { afterAnswerBytes: 20_000 },
  );
  mend.push(() => proxy.close());
  const { port } = new URL(proxy.address);
  const databaseUrl = database.url.replace(/\?.*/, '?sslmode=disable').replace('@/', `@127.0.0.1:${port}/`);
  const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
  const server = await startServer({ databaseUrl, env, ...(fault && { fault }) });
  mend.push(() => server.kill());
  const tenant = await createTenant(database.url, server.address);
  const { client } = tenant;
  mend.push(async () => client.close());
  const body = { amount: '1', currency: 'EUR', recipient: await tenant.recipient() };
  await tenant.account('EUR', '100000');

  cutting = true;
  const complaints: string[] = [];
  let next = 0;
  let paid = 0;
  const payer = async () => {
    while (next++ < payments) {
      const { status, text } = await client.post('/v1/payouts', body);
      if (status === 200) paid += 1;
      else complaints.push(`answered ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, payer));
  if (proxy.cuts() <= leastCuts) complaints.push(`only ${proxy.cuts()} cuts`);
  const [there] = await rowsOf<{ payouts: number }>(database.url, 'SELECT count(*)::int AS payouts FROM payouts');
  if (there?.payouts !== paid) complaints.push(`${there?.payouts} payouts are there, ${paid} were acknowledged`);
  return [...complaints, ...(await auditDatabase(database.url))];
}
