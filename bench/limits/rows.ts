/** The rows that payouts make, as set-based inserts with nothing decided: what both limits that write are made of. */
import type pg from 'pg';
import { type Actor, actorId } from '../../src/core/actor.ts';
import { type IdSource, uuidOf } from '../../src/core/values/ids.ts';
import { houseAccount } from '../../src/core/house-accounts.ts';
import { type Encoded, encode } from '../../src/events/log/event-codec.ts';
import { int2s, int4s, int8s, texts, timestamps, uuids } from '../../src/platform/db/wire/columns.ts';
import type { Statement } from '../../src/platform/db/wire/statement.ts';

/** Minor units. */
const AMOUNT = 100n;

/** Where an environment with one account stands. */
export interface Standing {
  balance: bigint;
  sequence: bigint;
}

export interface Order {
  readonly environmentId: string;
  readonly account: string;
  readonly recipient: string;
  readonly payouts: readonly string[];
  readonly batch: string | null;
  /** Idempotency keys, one a payout; `null`: the events came with none. */
  readonly keys: readonly string[] | null;
  /** What the product's own rows hold, so that as many bytes are written. */
  readonly samples: { readonly payout: Encoded; readonly account: Encoded };
}

const ACTOR = actorId('cli');

/** An object as the product's events keep it. */
export function kept(json: string): Encoded {
  const object = JSON.parse(json) as { id: string; object: string; created_by?: Actor };
  return encode(object, json, object.created_by ?? null);
}

/** A client that pipelines, with the plans of the product's writer. */
export async function prepareWriter(client: pg.Client): Promise<void> {
  await client.connect();
  await client.query(
    'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
  );
}

/** All in one flight between BEGIN and COMMIT. Rejects with the first error. */
export async function commit(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  const run = ({ name, text, values }: Statement) =>
    client.query({ ...(name !== undefined && { name }), text, values });
  const answers = [client.query('BEGIN'), ...statements.map(run), client.query('COMMIT')];
  for (const result of await Promise.allSettled(answers)) if (result.status === 'rejected') throw result.reason;
}

const all = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);

/** Two events a payout, as in the product; moves `standing` on. The rows that everybody waits for come last. */
export function payoutRows(order: Order, standing: Standing, ids: IdSource, atMs: number): Statement[] {
  const { environmentId, account, recipient, payouts, batch, keys, samples } = order;
  const count = payouts.length;
  const before = { ...standing };
  standing.balance -= AMOUNT * BigInt(count);
  standing.sequence += BigInt(count * 2);
  const environments = uuids(all(count, environmentId));
  const transfers = uuids(payouts.map(() => ids.next('trf')));
  const instants = timestamps(all(count, atMs));
  const accounts = uuids(all(count, account));
  const actors = uuids(all(count, ACTOR));
  const amounts = int8s(all(count, AMOUNT));
  const currencies = texts(all(count, 'EUR'));
  const both = <T>(balance: T, payout: (index: number) => T): T[] =>
    payouts.flatMap((_, index) => [balance, payout(index)]);
  const sequences = all(count * 2, before.sequence).map((sequence, index) => sequence + BigInt(index + 1));
  const request = keys === null ? (batch ?? payouts[0]) : payouts[0];
  return [
    {
      name: 'rows_payouts',
      text: PAYOUTS,
      values: [
        environments,
        uuids(payouts),
        accounts,
        uuids(all(count, recipient)),
        int4s(all(count, 1)),
        amounts,
        currencies,
        transfers,
        instants,
        uuids(all(count, batch)),
        actors,
      ],
    },
    {
      name: 'rows_transfers',
      text: TRANSFERS,
      values: [
        environments,
        transfers,
        accounts,
        uuids(all(count, houseAccount('in_transit', 'EUR'))),
        amounts,
        currencies,
        uuids(payouts),
        int8s(payouts.map((_, index) => before.balance - AMOUNT * BigInt(index + 1))),
        instants,
        actors,
      ],
    },
    {
      name: 'rows_events',
      text: EVENTS,
      values: [
        uuids(all(count * 2, environmentId)),
        int8s(sequences),
        uuids(sequences.map((sequence) => ids.event(sequence))),
        texts(both('balance.updated', () => 'payout.created')),
        timestamps(all(count * 2, atMs)),
        uuids(both(account, (index) => payouts[index] ?? '')),
        texts(both(samples.account.text, () => samples.payout.text)),
        texts(both<string | null>('{"balance":1000000000000}', () => null)),
        uuids(all(count * 2, request ?? null)),
        int2s(both(samples.account.encoding, () => samples.payout.encoding)),
        texts(keys === null ? all(count * 2, null) : keys.flatMap((key) => [key, key])),
        uuids(all(count * 2, ACTOR)),
      ],
    },
    {
      name: 'rows_account',
      text: 'UPDATE accounts SET balance = $3 WHERE environment_id = $1 AND id = $2',
      values: [uuidOf(environmentId), uuidOf(account), standing.balance],
    },
    {
      name: 'rows_environment',
      text: 'UPDATE environments SET last_sequence = $2, last_at = now() WHERE environment_id = $1',
      values: [uuidOf(environmentId), standing.sequence],
    },
  ];
}

const TRANSFERS = `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, cause_id,
    debit_balance_after, created_at, created_by)
  SELECT e, i, d, c, a, u, 'payout', p, b, t, o FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int8[],
    $6::text[], $7::uuid[], $8::int8[], $9::timestamptz[], $10::uuid[]) AS v (e, i, d, c, a, u, p, b, t, o)`;
const PAYOUTS = `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status,
    transfer_id, created_at, batch_id, created_by)
  SELECT e, i, a, r, n, m, u, 'pending', f, t, b, o FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int4[],
    $6::int8[], $7::text[], $8::uuid[], $9::timestamptz[], $10::uuid[], $11::uuid[]) AS v (e, i, a, r, n, m, u, f, t, b, o)`;
const EVENTS = `INSERT INTO events (environment_id, sequence, id, type, created_at, object_id, object, previous_attributes,
    request_id, shape, idempotency_key, actor)
  SELECT * FROM unnest($1::uuid[], $2::int8[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::text[],
    $8::text[], $9::uuid[], $10::int2[], $11::text[], $12::uuid[])`;
