/** T7: the wire is cut before, in and after an answer, or in the request. The client repeats with its key: one effect each. */
import { afterEach, describe, expect, test } from 'vitest';
import { auditDatabase, rowsOf } from '../support/model/audit.ts';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import { type Tenant, createTenant } from '../support/harness/tenant-fixture.ts';
import { payOverCutWire } from '../support/faults/cut-wire.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { type Proxy, startProxy } from '../support/faults/proxy.ts';
import type { Fault } from '../support/faults/fault-injection.ts';
import { type ServerProcess, startServer } from '../support/harness/server-process.ts';

const CUTS = 500;
const CLIENTS = 4;
const CUT_SEED = 7;

let database: Database | undefined;
let server: ServerProcess | undefined;
let proxy: Proxy | undefined;
let tenant: Tenant | undefined;
afterEach(async () => {
  tenant?.client.close();
  await proxy?.close();
  await server?.kill();
  await database?.drop();
});

test(`${CUTS} cuts: as many effects as keys, and the answer of the repetition is that of the effect`, async () => {
  const seed = newSeed();
  const { felt, complaints } = await payOverCutWire({ cuts: CUTS, chance: seeded(seed) });
  expect(complaints, `seed ${seed}`).toEqual([]);
  expect(felt).toBeGreaterThan(CUTS / 2);
});

test('control: where keys are not written down, payments are doubled', async () => {
  const { complaints } = await payOverCutWire({ cuts: 40, chance: seeded(newSeed()), fault: 'no_records' });
  expect(complaints.filter((complaint) => complaint.includes('done 2 times'))).not.toEqual([]);
});

test('control: the proxy without a plan cuts nothing', async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url });
  proxy = await startProxy(server.address, () => ({}));
  tenant = await createTenant(database.url, proxy.address);
  expect((await tenant.client.get('/v1/accounts')).status).toBe(200);
  expect(proxy.cuts()).toBe(0);
});

/** Rule 7 of the write path, without any help from the client: no keys, no repetitions. */
describe('the wire to PostgreSQL is cut', () => {
  /** Pays through a server whose database connections each die after some more bytes. Returns what is wrong. */
  async function payOverCuts(count: number, fault?: Fault): Promise<string[]> {
    database = await createDatabase();
    const socket = new URLSearchParams(database.url.split('?')[1]);
    // Long enough for a batch to be read back once in a while, short enough to cut most of them.
    const chance = seeded(CUT_SEED);
    const soon = () => ({ afterAnswerBytes: 2_000 + Math.floor(chance() * 5_000) });
    let cutting = false;
    proxy = await startProxy(`${socket.get('host')}/.s.PGSQL.${socket.get('port')}`, () =>
      cutting ? soon() : { afterAnswerBytes: 20_000 },
    );
    const { port } = new URL(proxy.address);
    const databaseUrl = database.url.replace(/\?.*/, '?sslmode=disable').replace('@/', `@127.0.0.1:${port}/`);
    const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
    server = await startServer({ databaseUrl, env, ...(fault && { fault }) });
    tenant = await createTenant(database.url, server.address);
    const { client } = tenant;
    const body = { amount: '1', currency: 'EUR', recipient: await tenant.recipient() };
    await tenant.account('EUR', '100000');

    cutting = true;
    const complaints: string[] = [];
    let next = 0;
    let paid = 0;
    const payer = async () => {
      while (next++ < count) {
        const { status, text } = await client.post('/v1/payouts', body);
        if (status === 200) paid += 1;
        else complaints.push(`answered ${status} ${text}`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, payer));
    expect(proxy.cuts()).toBeGreaterThan(15);
    const [there] = await rowsOf<{ payouts: number }>(database.url, 'SELECT count(*)::int AS payouts FROM payouts');
    if (there?.payouts !== paid) complaints.push(`${there?.payouts} payouts are there, ${paid} were acknowledged`);
    return [...complaints, ...(await auditDatabase(database.url))];
  }

  test('every command is answered once it is done, and done once', async () => {
    expect(await payOverCuts(700)).toEqual([]);
  });

  test('control: where outcomes are not written down, the server itself pays twice', async () => {
    expect((await payOverCuts(500, 'no_records')).join()).toContain('were acknowledged');
  });
});
