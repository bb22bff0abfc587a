/** T5: one key is one effect and one answer, however often it is sent at once and wherever. T6: `idempotency-reuse.test.ts`. */
import { afterEach, expect, test } from 'vitest';
import { books, rowsOf } from '../src/testing/books.ts';
import { type Company, foundCompany, RECIPIENT } from '../src/testing/company.ts';
import { createDatabase, type Database, runSql } from '../src/testing/database.ts';
import type { Sabotage } from '../src/testing/sabotage.ts';
import { type ServerProcess, startServer } from '../src/testing/server-process.ts';

const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
const COPIES = 20;
let database: Database | undefined;
let servers: ServerProcess[] = [];
let company: Company | undefined;
afterEach(async () => {
  company?.client.close();
  await Promise.all(servers.map((server) => server.kill()));
  await database?.drop();
});

async function flood(keys: number, sabotage?: Sabotage, damage?: string): Promise<string[]> {
  database = await createDatabase();
  const { url } = database;
  const start = () => startServer({ databaseUrl: url, env, ...(sabotage && { sabotage }) });
  servers = [await start(), await start()];
  company = await foundCompany(url, servers[0]!.address);
  const [from, to] = [await company.account('EUR', '100000'), await company.account('EUR')];
  const recipient = await company.recipient();
  if (damage !== undefined) await runSql(url, damage);

  const payout = { amount: '10', currency: 'EUR', recipient };
  /** Path, body, and the events that one effect makes (none: it is refused). */
  const requests: readonly [path: string, body: object, events: readonly string[]][] = [
    ['/v1/payouts', payout, ['balance.updated', 'payout.created']],
    ['/v1/payouts', { ...payout, amount: '9999999' }, []],
    ['/v1/transfers', { from, to, amount: '1' }, ['balance.updated', 'balance.updated']],
    ['/v1/payouts/batch', { payouts: [payout] }, ['balance.updated', 'payout.created', 'payout_batch.created']],
    ['/v1/recipients', RECIPIENT, ['recipient.created']],
    ['/v1/accounts', { currency: 'CHF' }, ['account.created']],
  ];
  const complaints: string[] = [];
  const expected: Record<string, string> = {};
  const send = async (number: number) => {
    const [path, body, events] = requests[number % requests.length] as (typeof requests)[number];
    const idempotencyKey = `flood-${number}`;
    if (events.length > 0) expected[idempotencyKey] = events.join();
    const copies = Array.from({ length: COPIES }, (_, copy) => {
      const at = servers[copy % 2]!.address;
      return (company as Company).client.post(path, body, { idempotencyKey, at });
    });
    const replies = await Promise.all(copies);
    const answers = new Set(replies.map(({ status, text }) => `${status} ${text}`));
    if (answers.size !== 1)
      complaints.push(`${path}: ${answers.size} answers, ${[...answers].slice(0, 2).join(' and ')}`);
    if (replies[0]!.status !== (events.length > 0 ? 200 : 400)) complaints.push(`${path}: ${replies[0]!.text}`);
    const first = replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined).length;
    if (first !== 1) complaints.push(`${path}: ${first} answers say that they are the first`);
  };
  // Eight keys at a time, so that a batch of the path holds several copies of several keys.
  for (let number = 0; number < keys; number += 8) {
    await Promise.all(Array.from({ length: Math.min(8, keys - number) }, (_, i) => send(number + i)));
  }
  const made = await rowsOf<{ key: string; types: string }>(
    url,
    "SELECT idempotency_key AS key, string_agg(type, ',' ORDER BY type) AS types FROM events WHERE idempotency_key LIKE 'flood-%' GROUP BY 1",
  );
  const effects = Object.fromEntries(made.map(({ key, types }) => [key, types]));
  for (const key of new Set([...Object.keys(effects), ...Object.keys(expected)])) {
    if (effects[key] !== expected[key]) complaints.push(`${key} made ${effects[key]}, not ${expected[key]}`);
  }
  return [...complaints, ...(await books(url))];
}

test('100 keys, 20 times each: one effect a key, one answer', async () => {
  expect(await flood(100)).toEqual([]);
});

test('control: where keys are not looked up, only the key of their table stands between', async () => {
  expect((await flood(12, 'no_memory')).join()).toContain('internal_error');
});

test('control: where keys are neither looked up nor unique, everything happens again', async () => {
  const complaints = await flood(
    6,
    'no_memory',
    'ALTER TABLE idempotency_records DROP CONSTRAINT idempotency_records_pkey',
  );
  expect(complaints.filter((complaint) => complaint.includes('payout.created,payout.created'))).not.toEqual([]);
});
