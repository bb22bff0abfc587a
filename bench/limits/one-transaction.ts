/**
 * The code everybody writes: Fastify, a pool of 16, one transaction a request, the account locked by FOR UPDATE. On the
 * same tables with the same rows as Bursar, but for a gapless sequence: that comes from a SEQUENCE here, because taking
 * it in order would make every request wait for every other.
 */
import pg from 'pg';
import { newId, uuidOf } from '../../src/core/values/ids.ts';
import { houseAccount } from '../../src/core/house-accounts.ts';
import { type Form, limit } from './common.ts';
import { kept } from './rows.ts';

const POOL_SIZE = 16;

const { app, config, environmentOf, answer, listen } = limit();
const pool = new pg.Pool({ connectionString: config.databaseUrl ?? '', max: POOL_SIZE });
pool.on('error', (error) => console.error(error.message));
const sample = config.answers['POST /v1/payouts'] ?? '';
const idAt = sample.indexOf('"po_') + 1;
const [payoutKept, accountKept] = [kept(sample), kept(config.account)];

interface Order {
  readonly environment: string;
  readonly account: string | undefined;
  readonly recipient: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly idempotencyKey: string;
}

async function createPayout(client: pg.PoolClient, order: Order): Promise<string> {
  const { environment, currency, amount } = order;
  const id = newId('po');
  const payout = uuidOf(id);
  const transfer = uuidOf(newId('trf'));
  const body = sample.slice(0, idAt) + id + sample.slice(idAt + id.length);
  await client.query('BEGIN');
  const { rows } = await client.query<{ id: string; balance: string }>(
    order.account === undefined
      ? {
          name: 'oldest_account',
          text: `SELECT id, balance FROM accounts WHERE environment_id = $1 AND currency = $2 AND status = 'open'
            ORDER BY id LIMIT 1 FOR UPDATE`,
          values: [environment, currency],
        }
      : {
          name: 'named_account',
          text: 'SELECT id, balance FROM accounts WHERE environment_id = $1 AND id = $2 FOR UPDATE',
          values: [environment, uuidOf(order.account)],
        },
  );
  const account = rows[0];
  if (account === undefined || BigInt(account.balance) < amount) throw new Error('balance_insufficient');
  const balance = BigInt(account.balance) - amount;
  await client.query({
    name: 'insert_transfer',
    text: `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, cause_id,
        debit_balance_after, created_at) VALUES ($1, $2, $3, $4, $5, $6, 'payout', $7, $8, now())`,
    values: [
      environment,
      transfer,
      account.id,
      uuidOf(houseAccount('in_transit', currency)),
      amount,
      currency,
      payout,
      balance,
    ],
  });
  await client.query({
    name: 'insert_payout',
    text: `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status,
        transfer_id, created_at) VALUES ($1, $2, $3, $4, 1, $5, $6, 'pending', $7, now())`,
    values: [environment, payout, account.id, uuidOf(order.recipient), amount, currency, transfer],
  });
  await client.query({
    name: 'insert_events',
    text: `INSERT INTO events (environment_id, sequence, id, type, created_at, object_id, object, idempotency_key, shape)
      VALUES ($1, nextval('bench_sequence'), $2, 'balance.updated', now(), $3, $4, $8, $9),
             ($1, nextval('bench_sequence'), $5, 'payout.created', now(), $6, $7, $8, $10)`,
    values: [
      environment,
      uuidOf(newId('evt')),
      account.id,
      accountKept.text,
      uuidOf(newId('evt')),
      payout,
      payoutKept.text,
      order.idempotencyKey,
      accountKept.encoding,
      payoutKept.encoding,
    ],
  });
  await client.query({
    name: 'insert_record',
    text: `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, resource_id, resource_prefix, created_at)
      VALUES ($1, $2, $3, 200, $4, $5, 'po', now())`,
    values: [environment, order.idempotencyKey, `POST /v1/payouts\namount=${amount}`, body, payout],
  });
  await client.query({
    name: 'update_balance',
    text: 'UPDATE accounts SET balance = $3 WHERE environment_id = $1 AND id = $2',
    values: [environment, account.id, balance],
  });
  await client.query('COMMIT');
  return body;
}

app.post('/v1/payouts', async (request, reply) => {
  const environmentId = environmentOf(request, reply);
  if (environmentId === undefined) return;
  const { amount = '', currency = '', recipient = '', account } = request.body as Form;
  const order: Order = {
    environment: uuidOf(environmentId),
    account,
    recipient,
    currency,
    amount: BigInt(Math.round(Number(amount) * 100)),
    idempotencyKey: String(request.headers['idempotency-key']),
  };
  const client = await pool.connect();
  try {
    const body = await createPayout(client, order);
    answer(request, reply, body);
  } catch (error) {
    await client.query('ROLLBACK');
    reply.code(500).send(String(error));
  } finally {
    client.release();
  }
  return reply;
});
await listen();
