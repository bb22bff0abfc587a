/**
 * What a payout takes in the database, from its request to `paid`: three runs on a sandbox of a running server, one payout a request, a
 * thousand a request, and one a request with a webhook endpoint for every event. Prints bytes a payout by table, indexes included.
 * Use an installation of its own, because the sandbox is left full:
 *
 *     BURSAR_URL=… BURSAR_KEY=sk_test_… DATABASE_URL=postgres://… node --import tsx bench/bytes.ts 20000
 *
 * The figures that we publish are in docs/sizing.md.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

const { BURSAR_URL = '', BURSAR_KEY = '', DATABASE_URL = '' } = process.env;
const PAYOUTS = Number(process.argv[2] ?? 20_000);
const CLIENTS = 32;
const BATCH = 1_000;
const POLL_MS = 1_000;

type Json = Readonly<Record<string, unknown>>;

async function call(path: string, body?: Json, key?: string): Promise<Json> {
  const answer = await fetch(`${BURSAR_URL}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${BURSAR_KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Json;
}

const database = new Client({ connectionString: DATABASE_URL });
await database.connect();

/** Bytes by table, with its indexes and long values. */
async function sizes(): Promise<ReadonlyMap<string, number>> {
  await database.query('VACUUM ANALYZE');
  const { rows } = await database.query<{ name: string; bytes: string }>(
    "SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** Until no payout of the sandbox is on its way, and no delivery. */
async function settled(): Promise<void> {
  for (;;) {
    const { data } = (await call('/v1/payouts?status[]=pending&status[]=in_transit&limit=1')) as { data: unknown[] };
    const { rows } = await database.query("SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1");
    if (data.length === 0 && rows.length === 0) return;
    await setTimeout(POLL_MS);
  }
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
}

async function measured(title: string, run: () => Promise<void>): Promise<void> {
  const before = await sizes();
  await run();
  await settled();
  const after = await sizes();
  const grown = [...after]
    .map(([name, bytes]) => ({ name, bytes: Math.round((bytes - (before.get(name) ?? 0)) / PAYOUTS) }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes);
  const whole = grown.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${title}: ${whole} bytes a payout: ${grown.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}`);
}

const [recipient] = ((await call('/v1/recipients?limit=1')) as { data: readonly { id: string }[] }).data;
const order = { amount: '0.01', currency: 'EUR', recipient: recipient?.id };
const single = (name: string) => (index: number) => call('/v1/payouts', order, `${name} ${index}`);

await measured('one a request', () => inParallel(PAYOUTS, single('single')));
await measured(`${BATCH} a request`, () =>
  inParallel(PAYOUTS / BATCH, (index) =>
    call('/v1/payouts/batch', { payouts: Array.from({ length: BATCH }, () => order) }, `batch ${index}`),
  ),
);

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
await call('/v1/webhook_endpoints', { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` });
await measured('one a request, with an endpoint', () => inParallel(PAYOUTS, single('delivered')));
receiver.close();
await database.end();
