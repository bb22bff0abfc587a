/** The statements of events. Only the write path inserts events, in the transaction of the change. */
import { actorId, actorOf } from '../../core/actor.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { EventType } from '../../core/event-types.ts';
import type { Event } from '../../core/objects.ts';
import { encode, decode } from './event-codec.ts';
import type { Origin } from '../../core/state.ts';
import { int2s, int8s, texts, timestamps, uuids } from '../../platform/db/wire/columns.ts';
import type { Condition } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';
import type { TextSeals } from '../../platform/vault/seals.ts';

/** An event with its object already rendered. */
export interface ScopedEvent {
  readonly environmentId: string;
  readonly event: Event;
  readonly origin: Origin;
  readonly object: string;
}

const WRITTEN = {
  environment_id: 'uuid',
  sequence: 'int8',
  id: 'uuid',
  type: 'text',
  created_at: 'timestamptz',
  object_id: 'uuid',
  object: 'text',
  previous_attributes: 'text',
  transfer_id: 'uuid',
  request_id: 'uuid',
  idempotency_key: 'text',
  shape: 'int2',
  actor: 'uuid',
} as const;
const INSERT_EVENTS = `INSERT INTO events (${Object.keys(WRITTEN).join(', ')}) SELECT * FROM ${unnest(WRITTEN)} AS v`;

/** `seals` seals what of an object is not to be stored in clear. */
export function insertEvents(rows: readonly ScopedEvent[], seals: TextSeals): Statement {
  const events = rows.map((row) => row.event);
  const objects = rows.map(({ event, object, origin }) => encode(event.object, seals.seal(object), origin.actor));
  return {
    name: 'insert_events',
    text: INSERT_EVENTS,
    values: [
      uuids(rows.map((row) => row.environmentId)),
      int8s(events.map((event) => event.sequence)),
      uuids(events.map((event) => event.id)),
      texts(events.map((event) => event.type)),
      timestamps(events.map((event) => event.createdAt)),
      uuids(events.map((event) => event.object.id)),
      texts(objects.map((object) => object.text)),
      texts(events.map((event) => previousJson(event))),
      uuids(events.map((event) => event.transfer)),
      uuids(rows.map((row) => row.origin.requestId)),
      texts(rows.map((row) => row.origin.idempotencyKey)),
      int2s(objects.map((object) => object.encoding)),
      uuids(rows.map((row) => actorId(row.origin.actor))),
    ],
  };
}

/** A balance is a bigint and becomes a JSON integer; its limit is what JSON readers take exactly. */
export function previousJson({ previous }: Event): string | null {
  if (previous === null) return null;
  const members = Object.entries(previous).map(
    ([name, value]) => `"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

const EVENT_COLUMNS =
  't.sequence, t.id, t.type, t.created_at, t.object_id, t.shape, t.object, t.previous_attributes, t.transfer_id, t.request_id, t.idempotency_key, t.actor';

/** The JSON of the object, from the columns `object`, `shape`, `object_id` and `actor`. Throws `SealError`. */
export function objectFrom(row: Row, seals: Pick<TextSeals, 'open'>): string {
  const encoded = { encoding: row['shape'] as number | null, text: row['object'] as string };
  return seals.open(decode(encoded, row['object_id'] as string, actorOf(row['actor'] as string | null)));
}

/** A page of events in order of sequence. */
export const eventsOf = (environmentId: string, conditions: readonly Condition[]) =>
  ({ from: 'events AS t', columns: EVENT_COLUMNS, environmentId, conditions, key: 'sequence' }) as const;

/** The event with this sequence, by primary key. */
export const eventAt = (environmentId: string, sequence: bigint): Statement => ({
  name: 'event_at',
  text: `SELECT ${EVENT_COLUMNS} FROM events t WHERE t.environment_id = $1 AND t.sequence = $2`,
  values: [uuidOf(environmentId), sequence],
});

/** Types of which every payout makes events. The others have the partial index events_rare_type, whose condition is {@link RARE}. */
const DENSE: readonly EventType[] = ['balance.updated', 'payout.created', 'payout.in_transit', 'payout.paid'];
export const RARE = `t.type <> ALL (ARRAY[${DENSE.map((type) => `'${type}'`).join(', ')}])`;

/** Only these types: by the index of rare types if it holds all of them, else by the primary key. */
export function ofTypes(types: readonly EventType[]): Condition {
  const rare = types.every((type) => !DENSE.includes(type));
  return { sql: rare ? `t.type = ANY ($::text[]) AND ${RARE}` : 't.type = ANY ($::text[])', value: types };
}

/**
 * Events of which all deliveries to endpoints that are not deleted have succeeded, or else the others. One without
 * deliveries counts as delivered, as with Stripe. Three partial indexes of deliveries find those that have not
 * succeeded.
 */
export function ofDelivery(environmentId: string, succeeded: boolean): Condition {
  const open = (kind: string) =>
    `SELECT d.sequence FROM deliveries d WHERE d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.status ${kind}`;
  const waiting = "= 'pending' AND";
  const unsuccessful = [`${waiting} NOT d.in_order`, `${waiting} d.in_order`, "IN ('failed', 'held', 'parked')"];
  return {
    sql: `t.sequence ${succeeded ? 'NOT ' : ''}IN (SELECT o.sequence FROM webhook_endpoints w
        CROSS JOIN LATERAL (${unsuccessful.map(open).join(' UNION ALL ')}) AS o
        WHERE w.environment_id = $ AND w.deleted_at IS NULL)`,
    value: uuidOf(environmentId),
  };
}

/** The first event at or after `sequence`. */
export const eventFrom = (environmentId: string, sequence: bigint): Statement => ({
  name: 'event_from',
  text: `SELECT t.sequence, t.created_at FROM events t WHERE t.environment_id = $1 AND t.sequence >= $2
      ORDER BY t.environment_id, t.sequence LIMIT 1`,
  values: [uuidOf(environmentId), sequence],
});

export const lastSequence = (environmentId: string): Statement => ({
  name: 'last_sequence',
  text: 'SELECT last_sequence FROM environments WHERE environment_id = $1',
  values: [uuidOf(environmentId)],
});
