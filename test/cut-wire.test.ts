/** T7: the wire is cut before, in and after an answer, or in the request. The client repeats with its key: one effect each. */
import { afterEach, describe, expect, test } from 'vitest';
import { books, rowsOf } from '../src/testing/books.ts';
import { type Company, foundCompany } from '../src/testing/company.ts';
import { createDatabase, type Database } from '../src/testing/database.ts';
import { insist } from '../src/testing/http.ts';
import { type Answered, lostOrDoubled } from '../src/testing/load.ts';
import { type Cut, type Proxy, startProxy } from '../src/testing/proxy.ts';
import type { Sabotage } from '../src/testing/sabotage.ts';
import { type ServerProcess, startServer } from '../src/testing/server-process.ts';

const CUTS = 500;
const CLIENTS = 4;

let database: Database | undefined;
let server: ServerProcess | undefined;
let proxy: Proxy | undefined;
let company: Company | undefined;
afterEach(async () => {
  company?.client.close();
  await proxy?.close();
  await server?.kill();
  await database?.drop();
});

interface Run {
  readonly complaints: string[];
  /** Cuts after which the client did not have its whole answer. */
  readonly felt: number;
}

/** Pays `count` times through a wire that is cut somewhere else each time, repeating each until it is answered. */
async function pay(count: number, sabotage?: Sabotage): Promise<Run> {
  database = await createDatabase();
  const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
  server = await startServer({ databaseUrl: database.url, env, ...(sabotage && { sabotage }) });
  company = await foundCompany(database.url, server.address);
  const { client } = company;
  const body = { amount: '1', currency: 'EUR', recipient: await company.recipient() };
  await company.account('EUR', '100000');

  // One whole exchange tells how long requests and answers are.
  const measured = await client.post('/v1/payouts', body, {
    idempotencyKey: 'load-measured',
    headers: { connection: 'close' },
  });
  const head = Object.entries(measured.headers).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length + 4,
    20,
  );
  const lengths = { answer: head + measured.text.length, request: 300 + JSON.stringify(body).length };
  let number = 0;
  proxy = await startProxy(server.address, (): Cut => {
    const reset = number % 2 === 0;
    const within = (length: number) => Math.floor(Math.random() * (length + 1));
    return number++ % 5 === 0
      ? { reset, afterRequestBytes: within(lengths.request) }
      : { reset, afterAnswerBytes: within(lengths.answer) };
  });

  const answers: Answered[] = [{ ...measured, key: 'load-measured', way: 'payout', atMs: 0, failures: 0 }];
  let next = 0;
  let felt = 0;
  const payer = async () => {
    for (let i = next++; i < count; i = next++) {
      const key = `load-${i}`;
      const cut = await client
        .post('/v1/payouts', body, {
          idempotencyKey: key,
          at: (proxy as Proxy).address,
          headers: { connection: 'close' },
        })
        .then(
          () => false,
          () => true,
        );
      if (cut) felt += 1;
      const { status, text, failures } = await insist(client, '/v1/payouts', body, { idempotencyKey: key });
      answers.push({ key, way: 'payout', status, text, atMs: 0, failures });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, payer));
  expect(proxy.cuts()).toBeGreaterThan(count * 0.75);
  return { felt, complaints: [...(await lostOrDoubled(database.url, answers)), ...(await books(database.url))] };
}

test(`${CUTS} cuts: as many effects as keys, and the answer of the repetition is that of the effect`, async () => {
  const { felt, complaints } = await pay(CUTS);
  expect(complaints).toEqual([]);
  expect(felt).toBeGreaterThan(CUTS / 2);
});

test('control: where keys are not written down, payments are doubled', async () => {
  const { complaints } = await pay(40, 'no_records');
  expect(complaints.filter((complaint) => complaint.includes('done 2 times'))).not.toEqual([]);
});

test('control: the proxy without a plan cuts nothing', async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url });
  proxy = await startProxy(server.address, () => ({}));
  company = await foundCompany(database.url, proxy.address);
  expect((await company.client.get('/v1/accounts')).status).toBe(200);
  expect(proxy.cuts()).toBe(0);
});

/** Rule 7 of the write path, without any help from the client: no keys, no repetitions. */
describe('the wire to PostgreSQL is cut', () => {
  /** Pays through a server whose database connections each die after some more bytes. Returns what is wrong. */
  async function payOverCuts(count: number, sabotage?: Sabotage): Promise<string[]> {
    database = await createDatabase();
    const socket = new URLSearchParams(database.url.split('?')[1]);
    // Long enough for a batch to be read back once in a while, short enough to cut most of them.
    const soon = () => ({ afterAnswerBytes: 2_000 + Math.floor(Math.random() * 14_000) });
    let cutting = false;
    proxy = await startProxy(`${socket.get('host')}/.s.PGSQL.${socket.get('port')}`, () =>
      cutting ? soon() : { afterAnswerBytes: 60_000 },
    );
    const { port } = new URL(proxy.address);
    const databaseUrl = database.url.replace(/\?.*/, '?sslmode=disable').replace('@/', `@127.0.0.1:${port}/`);
    const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
    server = await startServer({ databaseUrl, env, ...(sabotage && { sabotage }) });
    company = await foundCompany(database.url, server.address);
    const { client } = company;
    const body = { amount: '1', currency: 'EUR', recipient: await company.recipient() };
    await company.account('EUR', '100000');

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
    return [...complaints, ...(await books(database.url))];
  }

  test('every command is answered once it is done, and done once', async () => {
    expect(await payOverCuts(300)).toEqual([]);
  });

  test('control: where outcomes are not written down, the server itself pays twice', async () => {
    expect((await payOverCuts(200, 'no_records')).join()).toContain('were acknowledged');
  });
});
