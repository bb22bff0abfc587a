/**
 * The limit for batches: the rows that a batch of n payouts makes, thrown at one connection by `unnest`, pipelined, with
 * nothing decided and nobody served. One batch after the other, as fast as PostgreSQL takes them.
 */
import { hash } from 'node:crypto';
import pg from 'pg';
import { idSource, uuidOf } from '../../src/core/values/ids.ts';
import { FUNDS, type Tenant } from '../setup/environments.ts';
import { commit, type Order, payoutRows, prepareWriter, type Standing } from './rows.ts';

export interface RawOptions {
  readonly url: string;
  readonly tenant: Tenant;
  readonly items: number;
  readonly measureMs: number;
  readonly samples: Order['samples'];
  /** The product's answer to such a batch. */
  readonly answer: string;
}

export const rawStart = (): Standing => ({ balance: FUNDS, sequence: 0n });

/** Payouts a second. `standing` is carried from one run to the next so that the books stay right. */
export async function insertRaw(options: RawOptions, standing: Standing): Promise<number> {
  const client = new pg.Client({ connectionString: options.url, pipeline: true });
  await prepareWriter(client);
  try {
    await insertBatch(client, options, standing); // prepares the statements
    const startedAt = performance.now();
    let payouts = 0;
    while (performance.now() - startedAt < options.measureMs) {
      await insertBatch(client, options, standing);
      payouts += options.items;
    }
    return (payouts * 1000) / (performance.now() - startedAt);
  } finally {
    await client.end();
  }
}

/** The event of the batch itself is left out: one in two thousand. */
async function insertBatch(client: pg.Client, options: RawOptions, standing: Standing): Promise<void> {
  const { tenant, items, samples, answer } = options;
  const { environmentId, recipient } = tenant;
  const atMs = Date.now();
  const ids = idSource(atMs);
  const batch = ids.next('pob');
  const payouts = Array.from({ length: items }, () => ids.next('po'));
  const account = tenant.accounts[0] ?? '';
  const order = { environmentId, account, recipient, payouts, batch, keys: null, samples };
  const [environment, id] = [uuidOf(environmentId), uuidOf(batch)];
  const print = `POST /v1/payouts/batch\npayouts=#${hash('sha256', batch, 'base64')}`;
  await commit(client, [
    ...payoutRows(order, standing, ids, atMs),
    { name: 'rows_batch', text: BATCH, values: [environment, id, items] },
    { name: 'rows_record', text: RECORD, values: [environment, batch, print, answer] },
  ]);
}

const BATCH = `INSERT INTO payout_batches (environment_id, id, status, mode, payouts_count, rejected_count, open_count,
    failed_count, created_at) VALUES ($1, $2, 'processing', 'atomic', $3, 0, $3, 0, now())`;
const RECORD = `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, created_at)
  VALUES ($1, $2, $3, 200, $4, now())`;
