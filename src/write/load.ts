/**
 * The second stage of the path: locks the environments of a batch and reads all that its commands need, in one round trip.
 * Nothing else is locked: every write of an environment goes through its row (docs/decisions/0001), so what is read
 * after the lock is the truth until COMMIT. `read-set.ts` says what a command needs. Next: `decide-batch.ts`.
 */
import {
  ACCOUNTS,
  loadAccounts,
  loadAccountsOfLinks,
  loadAccountsOfPayments,
  loadAccountsOfPayouts,
  loadAccountsOfQuotes,
  loadOldestOpenAccounts,
} from '../accounts/sql.ts';
import { assert } from '../core/assert.ts';
import { idOf } from '../core/ids.ts';
import type { Environment, StoredObject } from '../core/objects.ts';
import { State, subscriptionsOf } from '../core/state.ts';
import { uuids } from '../db/wire/columns.ts';
import type { Pipeline } from '../db/wire/pipeline.ts';
import type { Key, Row, Statement } from '../db/wire/statement.ts';
import { EXCHANGES, loadExchanges, loadQuotes, QUOTES } from '../exchanges/sql.ts';
import {
  loadLinksOfPayments,
  loadPaymentLinks,
  loadPayments,
  loadPaymentsOfPayouts,
  loadPaymentsOfSessions,
  loadWaitingPayments,
  PAYMENT_LINKS,
  PAYMENTS,
} from '../payments/sql.ts';
import { loadBatchesOfPayouts, loadExternalIds, loadPayouts, PAYOUT_BATCHES, PAYOUTS } from '../payouts/sql.ts';
import { loadRecipients, RECIPIENTS } from '../recipients/sql.ts';
import { loadSettings, settingsFrom } from '../settings/sql.ts';
import { loadEndpointsOf, webhookEndpointFrom } from '../webhooks/sql.ts';
import { loadRecords, type Recorded, recordFrom } from './idempotency.ts';
import type { ReadSet } from './read-set.ts';
import { knownSubscriptions, keepSubscriptions } from './subscriptions.ts';

/** What one environment's commands found: state, instant, and the outcomes their keys already have. */
export interface Loaded {
  readonly state: State;
  /** As it stands in its row. */
  readonly before: Environment;
  /** Database clock less that of this process, when it was read. */
  readonly aheadMs: number;
  /** The instant of this batch, environment clock: later than the batch before, whatever the clocks do. */
  readonly atMs: number;
  readonly recorded: Map<string, Recorded>;
}

export const BEGIN: Statement = { name: 'BEGIN', text: 'BEGIN', values: [] };

/** Opens the transaction, takes the locks (sorted, so that no two batches can wait for each other) and reads. */
export async function load(pipeline: Pipeline, readSet: ReadSet): Promise<ReadonlyMap<string, Loaded>> {
  const { run } = pipeline;
  const candidates = readSet.closes + 1;
  const objects = async (statement: Statement, from: (row: Row) => StoredObject) => {
    const { rows } = await run(statement);
    return rows.map((row) => ({ environmentId: environmentOf(row), object: from(row) }));
  };
  const when = <T>(wanted: readonly unknown[], answers: () => Promise<T[]>): Promise<T[]> =>
    wanted.length === 0 ? Promise.resolve([]) : answers();

  // One round trip: every statement is sent before the first answer is awaited.
  const answers = [
    run(BEGIN),
    run(lockEnvironments(readSet.environmentIds)),
    when(readSet.records, async () => (await run(loadRecords(readSet.records))).rows),
    Promise.all([
      when(readSet.accounts, () => objects(loadAccounts(unique(readSet.accounts)), ACCOUNTS.read)),
      when([...readSet.currencies.keys()], () =>
        objects(
          loadOldestOpenAccounts([...readSet.currencies.values()].map((want) => ({ ...want, count: candidates }))),
          ACCOUNTS.read,
        ),
      ),
      when(readSet.payouts, () => objects(loadAccountsOfPayouts(unique(readSet.payouts)), ACCOUNTS.read)),
      when(readSet.quotes, () => objects(loadAccountsOfQuotes(unique(readSet.quotes), candidates), ACCOUNTS.read)),
      when(readSet.recipients, () => objects(loadRecipients(unique(readSet.recipients)), RECIPIENTS.read)),
      when(readSet.quotes, () => objects(loadQuotes(unique(readSet.quotes)), QUOTES.read)),
      when(readSet.exchanges, () => objects(loadExchanges(unique(readSet.exchanges)), EXCHANGES.read)),
      when(readSet.payouts, () => objects(loadPayouts(unique(readSet.payouts)), PAYOUTS.read)),
      when(readSet.payouts, () => objects(loadBatchesOfPayouts(unique(readSet.payouts)), PAYOUT_BATCHES.read)),
      when(readSet.payouts, () => objects(loadPaymentsOfPayouts(unique(readSet.payouts)), PAYMENTS.read)),
      when(readSet.settings, () => objects(loadSettings(unique(readSet.settings)), settingsFrom)),
      when(readSet.links, () => objects(loadPaymentLinks(unique(readSet.links)), PAYMENT_LINKS.read)),
      when(readSet.links, () => objects(loadWaitingPayments(unique(readSet.links)), PAYMENTS.read)),
      when(readSet.links, () => objects(loadAccountsOfLinks(unique(readSet.links)), ACCOUNTS.read)),
      when(readSet.payments, () => objects(loadPayments(unique(readSet.payments)), PAYMENTS.read)),
      when(readSet.payments, () => objects(loadLinksOfPayments(unique(readSet.payments)), PAYMENT_LINKS.read)),
      when(readSet.payments, () => objects(loadAccountsOfPayments(unique(readSet.payments)), ACCOUNTS.read)),
      when(readSet.sessions, () => objects(loadPaymentsOfSessions(readSet.sessions), PAYMENTS.read)),
      when([...readSet.endpointsOf], () => objects(loadEndpointsOf([...readSet.endpointsOf]), webhookEndpointFrom)),
    ]),
    when(readSet.externalIds, async () => (await run(loadExternalIds(readSet.externalIds))).rows),
  ] as const;
  pipeline.sync();
  await Promise.allSettled(answers); // every promise is collected before the first error leaves
  const [, environments, records, scoped, externalIds] = await Promise.all(answers);

  const loaded = new Map(environments.rows.map((row) => [environmentOf(row), loadedFrom(row)]));
  const of = (environmentId: string): Loaded => {
    const found = loaded.get(environmentId);
    assert(found, `environment ${environmentId} exists`);
    return found;
  };
  for (const row of records) of(environmentOf(row)).recorded.set(row['key'] as string, recordFrom(row));
  for (const { environmentId, object } of scoped.flat()) of(environmentId).state.put(object);
  for (const row of externalIds) {
    of(environmentOf(row)).state.externalIds.set(row['external_id'] as string, idOf('po', row['id'] as string));
  }
  await subscribe(pipeline, loaded, readSet.endpointsOf);
  return loaded;
}

/** The subscriptions that the batch's events are matched with. Takes a round trip only after an endpoint changed. */
async function subscribe(
  pipeline: Pipeline,
  loaded: ReadonlyMap<string, Loaded>,
  alreadyLoaded: ReadonlySet<string>,
): Promise<void> {
  const unknown: string[] = [];
  for (const [id, { state }] of loaded) {
    const known = knownSubscriptions(state.environment);
    if (known !== undefined) state.subscriptions = known;
    else if (!alreadyLoaded.has(id)) unknown.push(id);
  }
  if (unknown.length > 0) {
    const endpoints = pipeline.run(loadEndpointsOf(unknown));
    pipeline.sync();
    const { rows } = await endpoints;
    for (const row of rows) loaded.get(environmentOf(row))?.state.put(webhookEndpointFrom(row));
  }
  for (const id of [...unknown, ...alreadyLoaded]) {
    const { state } = loaded.get(id) as Loaded;
    state.subscriptions = subscriptionsOf(state.tables.webhook_endpoint.values());
    keepSubscriptions(state.environment, state.subscriptions);
  }
}

const environmentOf = (row: Row): string => idOf('env', row['environment_id'] as string);

/** Each object once: an account or recipient that a thousand items share is read once. */
function unique(keys: readonly Key[]): readonly Key[] {
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.environmentId + key.id, key])).values()];
}

/** Locks by primary key, in order of id. `clock_timestamp`, not `now()`: the instant after the wait, not before it. */
function lockEnvironments(ids: readonly string[]): Statement {
  return {
    name: 'lock_environments',
    text: `SELECT environment_id, livemode, last_sequence, last_at, clock_offset_ms, endpoints_version,
        clock_timestamp() AS now
      FROM environments WHERE environment_id = ANY($1::uuid[]) ORDER BY environment_id FOR UPDATE`,
    values: [uuids(ids)],
  };
}

function loadedFrom(row: Row): Loaded {
  const before: Environment = {
    id: environmentOf(row),
    livemode: row['livemode'] as boolean,
    lastSequence: row['last_sequence'] as bigint,
    lastAtMs: row['last_at'] as number,
    clockOffsetMs: Number(row['clock_offset_ms']),
    endpointsVersion: row['endpoints_version'] as bigint,
  };
  return loadedNow(before, (row['now'] as number) - Date.now());
}

/** An environment of which nothing is known yet but its row. */
export function loadedNow(before: Environment, aheadMs: number): Loaded {
  const atMs = Math.max(Date.now() + aheadMs + before.clockOffsetMs, before.lastAtMs + 1);
  return { before, aheadMs, state: new State({ ...before, lastAtMs: atMs }), atMs, recorded: new Map() };
}
