/**
 * The limit for batches: the rows that a batch of n payouts makes, thrown at one connection by `unnest`, pipelined, with
 * nothing decided and nobody served. One batch after the other, as fast as PostgreSQL takes them.
 */
import { hash } from 'node:crypto';
import pg from 'pg';
import { idSource, uuidOf } from '../../src/core/ids.ts';
import { houseAccount } from '../../src/core/ledger.ts';
import { int4s, int8s, texts, timestamps, uuids } from '../../src/db/columns.ts';
import { FUNDS, type Tenant } from '../setup/environments.ts';

export interface RawOptions {
  readonly url: string;
  readonly tenant: Tenant;
  readonly items: number;
  readonly measureMs: number;
  /** Texts of the product's own rows, so that as many bytes are written. */
  readonly samples: { readonly payout: string; readonly account: string; readonly batch: string };
}

/** Where a tenant stands, carried from one run to the next so that its books stay right. */
export interface RawProgress {
  balance: bigint;
  sequence: bigint;
}

export const rawStart = (): RawProgress => ({ balance: FUNDS, sequence: 0n });

const AMOUNT = 100n;

/** Payouts a second. */
export async function insertRaw(options: RawOptions, progress: RawProgress): Promise<number> {
  const client = new pg.Client({ connectionString: options.url, pipeline: true });
  await client.connect();
  try {
    await client.query(
      'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
    );
    await insertBatch(client, options, progress); // prepares the statements
    const startedAt = performance.now();
    let payouts = 0;
    while (performance.now() - startedAt < options.measureMs) {
      await insertBatch(client, options, progress);
      payouts += options.items;
    }
    return (payouts * 1000) / (performance.now() - startedAt);
  } finally {
    await client.end();
  }
}

async function insertBatch(
  client: pg.Client,
  { tenant, items, samples }: RawOptions,
  progress: RawProgress,
): Promise<void> {
  const atMs = Date.now();
  const ids = idSource(atMs);
  const many = <T>(value: (index: number) => T): T[] => Array.from({ length: items }, (_, index) => value(index));
  const all = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);
  const account = tenant.accounts[0] ?? '';
  const batch = ids.next('pob');
  const payouts = many(() => ids.next('po'));
  const transfers = many(() => ids.next('trf'));
  const balances = many((index) => progress.balance - AMOUNT * BigInt(index + 1));
  const environments = uuids(all(items, tenant.environmentId));
  const events = items * 2 + 1;
  const sequences = Array.from({ length: events }, (_, index) => progress.sequence + BigInt(index + 1));
  const perEvent = <T>(balance: T, payout: (index: number) => T, last: T): T[] => [
    ...many((index) => [balance, payout(index)]).flat(),
    last,
  ];
  const last = { sequence: progress.sequence + BigInt(events), balance: progress.balance - AMOUNT * BigInt(items) };
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  const flight = [
    client.query('BEGIN'),
    run('raw_transfers', TRANSFERS, [
      environments,
      uuids(transfers),
      uuids(all(items, account)),
      uuids(all(items, houseAccount('in_transit', 'EUR'))),
      int8s(all(items, AMOUNT)),
      texts(all(items, 'EUR')),
      uuids(payouts),
      int8s(balances),
      timestamps(all(items, atMs)),
    ]),
    run('raw_payouts', PAYOUTS, [
      environments,
      uuids(payouts),
      uuids(all(items, account)),
      uuids(all(items, tenant.recipient)),
      int4s(all(items, 1)),
      int8s(all(items, AMOUNT)),
      texts(all(items, 'EUR')),
      uuids(transfers),
      timestamps(all(items, atMs)),
      uuids(all(items, batch)),
    ]),
    run('raw_events', EVENTS, [
      uuids(all(events, tenant.environmentId)),
      int8s(sequences),
      uuids(sequences.map((sequence) => ids.event(sequence))),
      texts(perEvent('balance.updated', () => 'payout.created', 'payout_batch.created')),
      timestamps(all(events, atMs)),
      uuids(perEvent(account, (index) => payouts[index] ?? '', batch)),
      texts(perEvent(samples.account, () => samples.payout, samples.account)),
      texts(perEvent<string | null>('{"balance":1000000000000}', () => null, null)),
      uuids(all(events, batch)),
    ]),
    run('raw_batch', BATCH, [uuidOf(tenant.environmentId), uuidOf(batch), items]),
    run('raw_record', RECORD, [
      uuidOf(tenant.environmentId),
      batch,
      `POST /v1/payouts/batch\npayouts=#${hash('sha256', batch, 'base64')}`,
      samples.batch,
    ]),
    run('raw_account', 'UPDATE accounts SET balance = $3 WHERE environment_id = $1 AND id = $2', [
      uuidOf(tenant.environmentId),
      uuidOf(account),
      last.balance,
    ]),
    run('raw_environment', 'UPDATE environments SET last_sequence = $2, last_at = now() WHERE environment_id = $1', [
      uuidOf(tenant.environmentId),
      last.sequence,
    ]),
    client.query('COMMIT'),
  ];
  for (const result of await Promise.allSettled(flight)) if (result.status === 'rejected') throw result.reason;
  Object.assign(progress, last);
}

const TRANSFERS = `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, cause_id,
    debit_balance_after, created_at)
  SELECT e, i, d, c, a, u, 'payout', p, b, t FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int8[],
    $6::text[], $7::uuid[], $8::int8[], $9::timestamptz[]) AS v (e, i, d, c, a, u, p, b, t)`;
const PAYOUTS = `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status,
    transfer_id, created_at, batch_id)
  SELECT e, i, a, r, n, m, u, 'pending', f, t, b FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int4[],
    $6::int8[], $7::text[], $8::uuid[], $9::timestamptz[], $10::uuid[]) AS v (e, i, a, r, n, m, u, f, t, b)`;
const EVENTS = `INSERT INTO events (environment_id, sequence, id, type, created_at, object_id, object, previous_attributes,
    request_id)
  SELECT * FROM unnest($1::uuid[], $2::int8[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::text[],
    $8::text[], $9::uuid[])`;
const BATCH = `INSERT INTO payout_batches (environment_id, id, status, mode, payouts_count, rejected_count, open_count,
    failed_count, created_at) VALUES ($1, $2, 'processing', 'atomic', $3, 0, $3, 0, now())`;
const RECORD = `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, created_at)
  VALUES ($1, $2, $3, 200, $4, now())`;
