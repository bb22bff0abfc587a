/**
 * The fourth stage of the path: writes everything that a batch decided in one round trip, one statement a table, COMMIT last:
 * together or not at all. A failed statement aborts the transaction and every later one; the caller sees the first error.
 */
import type { Stored, StoredKind, StoredObject } from '../core/objects.ts';
import type { State } from '../core/state.ts';
import { feeRulesToJson } from '../core/fee-rules.ts';
import { fxToJson } from '../core/fx.ts';
import { payingBanksToJson } from '../core/rails/paying-banks.ts';
import { rulesToJson } from '../core/payout-rules.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import type { Scoped, Statement } from '../platform/db/wire/statement.ts';
import { column, overRows, type Table } from '../platform/db/wire/table.ts';
import { insertEvents, type ScopedEvent } from '../events/log/sql.ts';
import { insertTokens } from '../collecting/payments/sql.ts';
import { RECIPIENT_VERSIONS, wordsOfVersions } from '../paying/recipients/sql.ts';
import { TRANSFERS } from '../ledger/transfers/sql.ts';
import type { Seals } from '../platform/vault/seals.ts';
import { stopPoint } from '../platform/workers/stop-points.ts';
import { insertDeliveries } from '../events/webhooks/sql.ts';
import { additionsOf, auditStatements } from './audit.ts';
import type { AtRest } from './at-rest.ts';
import { erasureStatements } from './erasure.ts';
import { insertRecords, type Recorded } from './idempotency.ts';
import type { Outgoing } from './outbox.ts';
import { renderEventObject } from './render.ts';
import { TABLES } from './slices.ts';

const COMMIT: Statement = { name: 'COMMIT', text: 'COMMIT', values: [] };

const decidedPoint = stopPoint('batch.decided');
const writtenPoint = stopPoint('batch.written');
const committedPoint = stopPoint('batch.committed');

export interface NewRecord {
  readonly environmentId: string;
  readonly record: Recorded;
}

/**
 * `opening` goes first, where no transaction is open yet. Rejects with the first error; then nothing was written, or
 * the outcome is unknown (the connection was lost with COMMIT on its way). Seals what `sealing` knows.
 */
export function persist(
  pipeline: Pipeline,
  sealing: AtRest,
  states: readonly State[],
  records: readonly NewRecord[],
  outgoing: readonly Outgoing[],
  opening: readonly Statement[] = [],
): Promise<void> {
  // Each statement is sent as soon as it is made: PostgreSQL works on one while the next is encoded (measured: holding
  // all of them back for a single write costs 12 %).
  const answers: Promise<unknown>[] = [];
  const send = (statement: Statement) => {
    const sent = pipeline.run(statement);
    sent.catch(() => undefined); // looked at below, unless making a later statement throws first
    answers.push(sent);
  };
  decidedPoint();
  for (const statement of opening) send(statement);
  for (const statement of statementsOf(states, sealing)) send(statement);
  if (outgoing.length > 0) send(insertDeliveries(outgoing));
  if (records.length > 0) send(insertRecords(records, sealing.payments.json));
  writtenPoint();
  send(COMMIT);
  pipeline.sync();
  return answered(answers).then(committedPoint);
}

async function answered(answers: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(answers)) if (result.status === 'rejected') throw result.reason;
}

/** Ends a transaction that decided nothing worth keeping, or failed. */
export async function abandon(pipeline: Pipeline): Promise<void> {
  const ended = pipeline.run({ text: 'ROLLBACK', values: [] });
  pipeline.sync();
  await ended;
}

function* statementsOf(states: readonly State[], sealing: AtRest): Generator<Statement> {
  const [created, updated] = [byKind(states, 'created'), byKind(states, 'updated')];
  for (const kind of Object.keys(TABLES) as StoredKind[]) {
    const table = TABLES[kind] as Table<StoredObject>;
    const [fresh, changed] = [created.get(kind), updated.get(kind)];
    if (fresh) yield table.insert(sealed(fresh, sealing));
    if (changed) yield table.update(sealed(changed, sealing));
  }
  const versions = states.flatMap((state) => state.recipientVersions.map((object) => at(state, object)));
  if (versions.length > 0) yield RECIPIENT_VERSIONS.insert(sealed<'recipient'>(versions, sealing));
  const words = versions.length > 0 && wordsOfVersions(versions.map(named));
  if (words) yield words;
  const tokens = [...(created.get('payment_link') ?? []), ...(created.get('payment') ?? [])] as Tokened[];
  if (tokens.length > 0) yield insertTokens(tokens, sealing.payments.lookUpOf);
  const transfers = states.flatMap((state) => state.transfers.map((object) => at(state, object)));
  if (transfers.length > 0) yield TRANSFERS.insert(transfers);
  const events = states.flatMap(eventsOf);
  if (events.length > 0) yield insertEvents(events, sealing.payments.json);
  yield* erasureStatements(states, sealing.recipients.sealedDetails);
  yield* auditStatements(additionsOf(states));
  const rules = states.filter(({ newRules }) => newRules.size > 0);
  if (rules.length > 0) yield updateRules(rules);
  const moved = states.filter(({ hasNewFx }) => hasNewFx);
  if (moved.length > 0) yield updateFx(moved);
  yield updateEnvironments(states);
}

function at<T>(state: State, object: T): Scoped<T> {
  return { environmentId: state.environment.id, object };
}

const named = ({ environmentId, object: { id, name, latinName } }: Scoped<Stored['recipient']>) => ({
  environmentId,
  id,
  name,
  latinName,
});

type Tokened = Scoped<Stored['payment_link'] | Stored['payment']>;

/** In one pass: there are more kinds than a batch has objects, as a rule. */
function byKind(states: readonly State[], which: 'created' | 'updated'): Map<StoredKind, Scoped<StoredObject>[]> {
  const rows = new Map<StoredKind, Scoped<StoredObject>[]>();
  for (const state of states) {
    for (const object of state[which].values()) {
      const known = rows.get(object.object);
      if (known) known.push(at(state, object));
      else rows.set(object.object, [at(state, object)]);
    }
  }
  return rows;
}

/** As their rows are to hold them; all are of one kind. */
function sealed<K extends StoredKind>(
  rows: readonly Scoped<Stored[K]>[],
  { kinds }: AtRest,
): readonly Scoped<Stored[K]>[] {
  const [first] = rows;
  const seals = first && (kinds[first.object.object] as Seals<Stored[K]> | undefined);
  if (!seals) return rows;
  return rows.map(({ environmentId, object }) => ({ environmentId, object: seals.seal(object, environmentId) }));
}

function eventsOf(state: State): ScopedEvent[] {
  const { id: environmentId } = state.environment;
  return state.events.map(({ event, origin }) => ({
    environmentId,
    event,
    origin,
    object: renderEventObject(event.object, state),
  }));
}

const ofState = column('uuid', ({ environment }: State) => environment.id);

const updateRules = overRows<State>(
  'update_rules',
  {
    e: ofState,
    r: column('text', ({ environment: { payoutRules } }) => payoutRules && rulesToJson(payoutRules)),
    f: column('text', ({ environment: { fees } }) => feeRulesToJson(fees)),
    b: column('text', ({ environment: { payingBanks } }) => payingBanksToJson(payingBanks)),
    n: column('text', ({ newRules }) => [...newRules].join(' ')),
  },
  (
    rows,
  ) => `UPDATE environments AS t SET payout_rules = CASE WHEN v.n ~ 'payout_rules' THEN v.r::jsonb ELSE t.payout_rules END,
        fees = CASE WHEN v.n ~ 'fees' THEN v.f::jsonb ELSE t.fees END,
        paying_banks = CASE WHEN v.n ~ 'paying_banks' THEN v.b::jsonb ELSE t.paying_banks END
      FROM ${rows} AS v WHERE t.environment_id = v.e`,
);

const updateFx = overRows<State>(
  'update_fx',
  { e: ofState, f: column('text', ({ environment: { fx } }) => fxToJson(fx)) },
  (rows) => `UPDATE environments AS t SET fx = v.f::jsonb FROM ${rows} AS v WHERE t.environment_id = v.e`,
);

/** Moves the sequence and the instant on, in the rows locked since the load; heap-only updates (fillfactor 20). */
const updateEnvironments = overRows<State>(
  'update_environments',
  {
    e: ofState,
    s: column('int8', ({ environment }) => environment.lastSequence),
    t: column('timestamptz', ({ environment }) => environment.lastAtMs),
    o: column('int8', ({ environment }) => BigInt(environment.clockOffsetMs)),
    w: column('int8', ({ environment }) => environment.endpointsVersion),
  },
  (
    rows,
  ) => `UPDATE environments AS t SET last_sequence = v.s, last_at = v.t, clock_offset_ms = v.o, endpoints_version = v.w
      FROM ${rows} AS v WHERE t.environment_id = v.e`,
);
