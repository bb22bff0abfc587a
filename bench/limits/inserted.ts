/**
 * What keeping these rows leaves of bare Fastify: answers wait for the rows of their payouts, and nothing is read, decided or
 * rendered. Two batches are in flight, and no row that all wait for is locked before the end of one, which an honest service
 * may not do. Not a proof, since another program might overlap its work better; but a service with Fastify in front of these
 * rows that passes it has found something.
 */
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { idSource } from '../../src/core/values/ids.ts';
import { int8s, texts, uuids } from '../../src/platform/db/wire/columns.ts';
import { type Form, limit } from './common.ts';
import { commit, kept, type Order, payoutRows, prepareWriter, type Standing } from './rows.ts';

/** At 256 clients one lane with 256 did 0.42 of bare Fastify, two with 128 did 0.36, two with 64 did 0.57. */
const WRITERS = 2;
const MOST = 64;
/** Fewer go whole, as in Bursar: at 16 clients one lane did 0.21 of bare Fastify, two did 0.13. */
const FEW = 40;

interface Waiting {
  readonly key: string;
  done(body: string): void;
}

const { app, config, environmentOf, answer, listen } = limit();
const sample = config.answers['POST /v1/payouts'] ?? '';
const found = (prefix: string) => new RegExp(`${prefix}_\\w+`).exec(sample)?.[0] ?? '';
const samples: Order['samples'] = { payout: kept(sample), account: kept(config.account) };
const template = { account: found('acct'), recipient: found('rcp'), batch: null, samples };
const [before, after] = sample.split(found('po')) as [string, string];
const print = `POST /v1/payouts\namount=1.00\ncurrency=EUR\nrecipient=${template.recipient}`;
const standing: Standing = { balance: 10n ** 12n, sequence: 1_000n };
const queue: Waiting[] = [];
const connections = await Promise.all(
  Array.from({ length: WRITERS }, async () => {
    const client = new pg.Client({ connectionString: config.databaseUrl ?? '', pipeline: true });
    await prepareWriter(client);
    return { client, busy: false };
  }),
);

async function pump(connection: (typeof connections)[number]): Promise<void> {
  connection.busy = true;
  await turn();
  while (queue.length > 0) {
    const batch = queue.splice(0, MOST);
    const atMs = Date.now();
    const ids = idSource(atMs);
    const keys = batch.map(({ key }) => key);
    const payouts = batch.map(() => ids.next('po'));
    const environmentId = config.keys[0]?.environmentId ?? '';
    const first = standing.sequence;
    const rows = payoutRows({ ...template, environmentId, payouts, keys }, standing, ids, atMs);
    const count = batch.length;
    const records = {
      name: 'rows_records',
      text: RECORDS,
      values: [
        uuids(new Array<string>(count).fill(environmentId)),
        texts(keys),
        texts(new Array<string>(count).fill(print)),
        int8s(batch.map((_, index) => first + BigInt(index * 2 + 2))),
        uuids(payouts),
      ],
    };
    await commit(connection.client, [records, ...rows]);
    for (const [index, { done }] of batch.entries()) done(before + payouts[index] + after);
    if (queue.length < FEW) {
      await turn();
      await turn(); // callers that ask again at once come along
    }
  }
  connection.busy = false;
}

const RECORDS = `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, event_sequence, resource_id, resource_prefix, created_at)
  SELECT e, k, f, 200, s, r, 'po', now() FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int8[], $5::uuid[]) AS v (e, k, f, s, r)`;

app.post('/v1/payouts', async (request, reply) => {
  if (environmentOf(request, reply) === undefined) return;
  const { amount } = request.body as Form;
  if (amount === undefined || !/^\d+(?:\.\d\d?)?$/.test(amount)) return reply.code(400).send('{}');
  const key = String(request.headers['idempotency-key']);
  const body = await new Promise<string>((done) => {
    queue.push({ key, done });
    const idle = connections.find(({ busy }) => !busy);
    if (idle !== undefined && (connections.every(({ busy }) => !busy) || queue.length >= FEW)) void pump(idle);
  });
  answer(request, reply, body);
  return reply;
});
await listen();
