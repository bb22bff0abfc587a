/**
 * TigerBeetle behind a bare Fastify: the key looked up, the form parsed, a transfer booked, an answer sent and a line
 * logged. The idempotency is TigerBeetle's own, the id of a transfer, made from the key of the request. No answer is kept and no
 * event is written. Who starts it: `bench/peers/tigerbeetle.ts`. Its package is no dependency of Bursar.
 */
import { hash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Form, limit } from './common.ts';

/** As much of the package as is used here. */
interface Client {
  createAccounts(accounts: readonly object[]): Promise<readonly { readonly status: number }[]>;
  createTransfers(transfers: readonly object[]): Promise<readonly { readonly status: number }[]>;
  lookupAccounts(ids: readonly bigint[]): Promise<readonly { readonly debits_posted: bigint }[]>;
}
interface Package {
  createClient(args: { cluster_id: bigint; replica_addresses: readonly string[] }): Client;
}

/** Of the results of both calls. */
const CREATED = 0xffff_ffff;
const DEBITS_MUST_NOT_EXCEED_CREDITS = 2;
/** The most that TigerBeetle takes at once. */
const MOST = 8_189;

interface Waiting {
  readonly id: bigint;
  readonly amount: bigint;
  done(status: number): void;
}

const { app, environmentOf, answer, listen } = limit();
const name: string = 'tigerbeetle-node'; // not a literal in the import, which would want the package to compile
const { createClient } = (await import(name)) as Package;
const client = createClient({ cluster_id: 0n, replica_addresses: [process.env['BENCH_TIGERBEETLE'] ?? ''] });
const idOf = (hex: string) => BigInt(`0x${hex.slice(0, 31)}`);
const [bank, hot, out] = [1, 2, 3].map(() => idOf(randomBytes(16).toString('hex'))) as [bigint, bigint, bigint];
const queue: Waiting[] = [];
let busy = false;

const account = (id: bigint, flags = 0) => ({
  id,
  debits_pending: 0n,
  debits_posted: 0n,
  credits_pending: 0n,
  credits_posted: 0n,
  user_data_128: 0n,
  user_data_64: 0n,
  user_data_32: 0,
  reserved: 0,
  ledger: 978,
  code: 1,
  flags,
  timestamp: 0n,
});
const transfer = (id: bigint, debit_account_id: bigint, credit_account_id: bigint, amount: bigint) => ({
  id,
  debit_account_id,
  credit_account_id,
  amount,
  pending_id: 0n,
  user_data_128: 0n,
  user_data_64: 0n,
  user_data_32: 0,
  timeout: 0,
  ledger: 978,
  code: 1,
  flags: 0,
  timestamp: 0n,
});

/** One batch after the other, each of all that wait. */
async function pump(): Promise<void> {
  busy = true;
  await turn();
  while (queue.length > 0) {
    const batch = queue.splice(0, MOST);
    const results = await client.createTransfers(batch.map(({ id, amount }) => transfer(id, hot, out, amount)));
    for (const [index, { done }] of batch.entries()) done(results[index]?.status ?? -1);
    await turn();
  }
  busy = false;
}

app.post('/v1/payouts', async (request, reply) => {
  if (environmentOf(request, reply) === undefined) return reply;
  const { amount } = request.body as Form;
  if (amount === undefined || !/^\d+\.\d\d$/.test(amount)) return reply.code(400).send('{}');
  const id = idOf(hash('sha256', String(request.headers['idempotency-key']), 'hex'));
  const status = await new Promise<number>((done) => {
    queue.push({ id, amount: BigInt(amount.replace('.', '')), done });
    if (!busy) void pump();
  });
  if (status !== CREATED) return reply.code(409).send(`{"status":${status}}`);
  answer(request, reply, `{"id":"po_${id.toString(16)}","object":"payout","amount":"${amount}","currency":"EUR"}`);
  return reply;
});

app.get('/paid', async (_request, reply) => {
  const [found] = await client.lookupAccounts([hot]);
  return reply.send({ paid: String(found?.debits_posted) });
});

const made = [
  ...(await client.createAccounts([account(bank), account(hot, DEBITS_MUST_NOT_EXCEED_CREDITS), account(out)])),
  ...(await client.createTransfers([
    transfer(idOf(randomBytes(16).toString('hex')), bank, hot, BigInt(process.env['BENCH_FUNDS'] ?? 0)),
  ])),
];
if (made.length !== 4 || made.some(({ status }) => status !== CREATED))
  throw new Error(`TigerBeetle did not make the accounts: ${made.map(({ status }) => status).join()}`);
await listen();
