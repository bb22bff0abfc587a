/** T3: 64 clients spend one account down to zero over two server processes, in every way money leaves it. */
import { afterEach, expect, test } from 'vitest';
import { books, rowsOf } from '../src/testing/books.ts';
import { foundCompany } from '../src/testing/company.ts';
import { createDatabase, type Database, runSql } from '../src/testing/database.ts';
import type { Json, Reply } from '../src/testing/http.ts';
import type { Sabotage } from '../src/testing/sabotage.ts';
import { type ServerProcess, startServer } from '../src/testing/server-process.ts';

const CLIENTS = 64;
const UNITS = 500;

let database: Database | undefined;
let servers: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await database?.drop();
});

interface Race {
  readonly spends: number;
  readonly sabotage?: Sabotage;
  /** Run on the database before the servers start. */
  readonly damage?: string;
}

/** Everybody spends at once. Returns how many units were given out, and all that is wrong. */
async function race({ spends, sabotage, damage }: Race): Promise<{ spent: number; complaints: string[] }> {
  database = await createDatabase();
  const { url } = database;
  const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
  const start = () => startServer({ databaseUrl: url, env, ...(sabotage && { sabotage }) });
  const one = await start(); // one after the other: without the lock their first starts would collide
  const two = await start();
  servers = [one, two];
  const company = await foundCompany(url, one.address);
  const account = await company.account('EUR', String(UNITS));
  const other = await company.account('EUR');
  await company.account('USD');
  const recipient = await company.recipient();
  if (damage !== undefined) await runSql(url, damage);

  const payout = { amount: '1', currency: 'EUR', recipient, account };
  const ways: readonly [path: string, body: object, units: (reply: Json) => number][] = [
    ['/v1/payouts', payout, () => 1],
    ['/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: '1', sell_account: account }, () => 1],
    ['/v1/transfers', { from: account, to: other, amount: '1' }, () => 1],
    ['/v1/payouts/batch', { payouts: [payout, payout] }, () => 2],
    ['/v1/payouts/batch', { payouts: [payout, payout, payout], mode: 'partial' }, (r) => r['payouts_count'] as number],
  ];
  const complaints: string[] = [];
  let next = 0;
  let spent = 0;
  const spend = async (client: number) => {
    for (let i = next++; i < spends; i = next++) {
      const [path, body, units] = ways[i % 9] ?? ways[0]!;
      const at = (client % 2 === 0 ? one : two).address;
      const reply = await company.client.post(path, body, { at, ...(i % 2 === 0 && { idempotencyKey: `spend-${i}` }) });
      if (reply.status === 200) spent += units(reply.json);
      else if (!isOutOfFunds(reply)) complaints.push(`unexpected answer: ${reply.status} ${reply.text}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => spend(client)));

  const left = (await company.client.get(`/v1/accounts/${account}`)).json['balance'];
  company.client.close();
  if (spent !== UNITS) complaints.push(`${spent} units were spent`);
  if (left !== 0) complaints.push(`the balance is ${JSON.stringify(left)}`);
  return { spent, complaints: [...complaints, ...(await books(url))] };
}

/** No funds, and nothing but no funds. */
function isOutOfFunds({ status, json }: Reply): boolean {
  const { code, errors } = json['error'] as { code: string; errors?: readonly { code: string }[] };
  if (status !== 400) return false;
  return (
    code === 'balance_insufficient' ||
    (code === 'batch_invalid' && errors?.every((each) => each.code === 'balance_insufficient') === true)
  );
}

test('exactly what is there is spent, by whatever way and through whichever process', async () => {
  const { spent, complaints } = await race({ spends: 10_000 });
  expect(complaints).toEqual([]);
  expect(spent).toBe(UNITS);
  const ways = await rowsOf(database!.url, 'SELECT cause, count(*)::int AS transfers FROM transfers GROUP BY 1');
  expect(ways.length).toBeGreaterThanOrEqual(4); // funding, payout, exchange, transfer: it was a mixed race
});

test('control: without the lock, transactions collide, and only the key of the sequence stops them', async () => {
  const { complaints } = await race({ spends: 300, sabotage: 'no_lock' });
  expect(complaints).not.toEqual([]);
  expect(complaints.join()).toContain('internal_error');
});

test('control: without lock and key, more is spent than there is', async () => {
  const { spent, complaints } = await race({
    spends: 1_000,
    sabotage: 'no_lock',
    damage: 'ALTER TABLE events DROP CONSTRAINT events_pkey',
  });
  expect(complaints).not.toEqual([]);
  expect(spent).toBeGreaterThan(UNITS);
});
