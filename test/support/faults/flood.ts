/**
 * T5: many identical requests under one key at once, over two server processes, for many keys. The short form is
 * `test/soak/idempotency.test.ts`, the long one `npm run soak`. Next: `test/support/model/audit.ts`.
 */
import { uuidOf } from '../../../src/core/values/ids.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { createTenant, RECIPIENT } from '../harness/tenant-fixture.ts';
import { createDatabase, runSql } from '../harness/database.ts';
import type { Fault } from './fault-injection.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';

const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };

export interface Flood {
  readonly keys: number;
  /** Identical requests of one key. */
  readonly copies: number;
  /** Run on the database before the flood; it stays for later ones. */
  readonly damage?: string;
}

/** All that is wrong with each flood: one after another on two servers, each in a sandbox of its own. */
export async function flood(floods: readonly Flood[], fault?: Fault): Promise<string[][]> {
  const database = await createDatabase();
  const servers: ServerProcess[] = [];
  try {
    const start = async () => {
      servers.push(await startServer({ databaseUrl: database.url, env, ...(fault && { fault }) }));
    };
    const first = start();
    if (fault !== undefined) await first; // with it their first starts would collide
    await Promise.all([first, start()]);
    const all: string[][] = [];
    for (const [number, each] of floods.entries()) all.push(await send(database.url, servers, number, each));
    return all;
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await database.drop();
  }
}

async function send(
  url: string,
  servers: readonly ServerProcess[],
  turn: number,
  { keys, copies, damage }: Flood,
): Promise<string[]> {
  const tenant = await createTenant(url, servers[0]!.address, `flood ${turn}`);
  const [from, to] = [await tenant.account('EUR', '100000'), await tenant.account('EUR')];
  const recipient = await tenant.recipient();
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
  const floodKey = async (number: number) => {
    const [path, body, events] = requests[number % requests.length] as (typeof requests)[number];
    const idempotencyKey = `flood-${number}`;
    if (events.length > 0) expected[idempotencyKey] = events.join();
    const sent = Array.from({ length: copies }, (_, copy) => {
      const at = servers[copy % 2]!.address;
      return tenant.client.post(path, body, { idempotencyKey, at });
    });
    const replies = await Promise.all(sent);
    const answers = new Set(replies.map(({ status, text }) => `${status} ${text}`));
    if (answers.size !== 1)
      complaints.push(`${path}: ${answers.size} answers, ${[...answers].slice(0, 2).join(' and ')}`);
    if (replies[0]!.status !== (events.length > 0 ? 200 : 400)) complaints.push(`${path}: ${replies[0]!.text}`);
    const first = replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined).length;
    if (first !== 1) complaints.push(`${path}: ${first} answers say that they are the first`);
  };
  // Eight keys at a time, so that a batch of the path holds several copies of several keys.
  for (let number = 0; number < keys; number += 8) {
    await Promise.all(Array.from({ length: Math.min(8, keys - number) }, (_, i) => floodKey(number + i)));
  }
  const made = await rowsOf<{ key: string; types: string }>(
    url,
    "SELECT idempotency_key AS key, string_agg(type, ',' ORDER BY type) AS types FROM events WHERE idempotency_key LIKE 'flood-%' AND environment_id = $1 GROUP BY 1",
    [uuidOf(tenant.environmentId)],
  );
  const effects = Object.fromEntries(made.map(({ key, types }) => [key, types]));
  for (const key of new Set([...Object.keys(effects), ...Object.keys(expected)])) {
    if (effects[key] !== expected[key]) complaints.push(`${key} made ${effects[key]}, not ${expected[key]}`);
  }
  tenant.client.close();
  return [...complaints, ...(await auditDatabase(url))];
}
