/** The statements of webhooks for the write path and the routes. Those of the dispatcher: `delivery-sql.ts`. */
import { uuidOf } from '../../core/values/ids.ts';
import { type DeliveryStatus, WEBHOOK_ENDPOINT, WEBHOOK_REPLAY } from './fields.ts';
import { uuids } from '../../platform/db/wire/columns.ts';
import { equal, inOrder, type PageSource } from '../../platform/db/wire/page.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { column, ofEnvironment, overRows, tableOf } from '../../platform/db/wire/table.ts';

export const WEBHOOK_ENDPOINTS = tableOf(WEBHOOK_ENDPOINT, 'webhook_endpoints');

/** All endpoints of these environments that are not deleted; an environment has at most 16. */
export const loadEndpointsOf = (environmentIds: readonly string[]): Statement => ({
  name: 'load_endpoints_of',
  text: `SELECT ${WEBHOOK_ENDPOINTS.columns('w')} FROM webhook_endpoints w
      WHERE w.environment_id = ANY ($1::uuid[]) AND w.deleted_at IS NULL ORDER BY w.environment_id, w.id`,
  values: [uuids(environmentIds)],
});

export const WEBHOOK_REPLAYS = tableOf(WEBHOOK_REPLAY, 'webhook_replays');

/** A delivery to be inserted in the transaction of its event. */
export interface NewDelivery {
  readonly environmentId: string;
  readonly endpointId: string;
  readonly sequence: bigint;
  readonly inOrder: boolean;
  readonly createdAt: number;
  /** How long this process has the lease; 0: any process may claim the delivery at once. */
  readonly leaseMs: number;
  readonly status: Extract<DeliveryStatus, 'pending' | 'held'>;
  /** Trace of the request that caused the event; `null`: none. */
  readonly trace: string | null;
}

const NEW_DELIVERY = {
  e: ofEnvironment,
  p: column('uuid', (each: NewDelivery) => each.endpointId),
  s: column('int8', (each: NewDelivery) => each.sequence),
  c: column('timestamptz', (each: NewDelivery) => each.createdAt),
  l: column('int4', (each: NewDelivery) => each.leaseMs),
  t: column('text', (each: NewDelivery) => each.status),
  o: column('int2', (each: NewDelivery) => (each.inOrder ? 1 : 0)),
};
/** A further column, and where its value stands. */
const insertInto = (rows: string, [name, value] = ['', '']) =>
  `INSERT INTO deliveries (environment_id, endpoint_id, sequence, in_order, created_at, due_at, leased_until, claims, status${name})
      SELECT v.e, v.p, v.s, v.o = 1, v.c, v.c, CASE WHEN v.l > 0 THEN clock_timestamp() + v.l * interval '1 millisecond' END,
        CASE WHEN v.l > 0 THEN 1 ELSE 0 END, v.t${value}
      FROM ${rows} AS v`;
const insertUntraced = overRows<NewDelivery>('insert_deliveries', NEW_DELIVERY, (rows) => insertInto(rows));
const insertTraced = overRows<NewDelivery>(
  'insert_traced_deliveries',
  { ...NEW_DELIVERY, r: column('text', (each: NewDelivery) => each.trace) },
  (rows) => insertInto(rows, [', traceparent', ', v.r']),
);
const isTraced = ({ trace }: NewDelivery): boolean => trace !== null;

/** Requests without a trace pay nothing for those that have one. */
export const insertDeliveries = (rows: readonly NewDelivery[]): Statement =>
  rows.some(isTraced) ? insertTraced(rows) : insertUntraced(rows);

/** Beside deliveries, the ids and types of their events. */
const WITH_EVENTS = ` LEFT JOIN LATERAL (SELECT e.id AS event_id, e.type FROM events e
  WHERE e.environment_id = t.environment_id AND e.sequence = t.sequence LIMIT 1) AS e ON true`;
const DELIVERY_COLUMNS =
  't.endpoint_id, t.sequence, t.created_at, t.due_at, t.status, t.attempts, e.event_id, e.type AS event_type';

/**
 * The deliveries to these endpoints, by the sequences of their events. Each endpoint is read in the order of the primary key, up to the
 * limit, and all are merged: at most 16 are not deleted. `endpointOf`: the endpoint of a delivery that a cursor names; `at`: that of this cursor.
 */
export function deliveryList(
  environmentId: string,
  endpoints: readonly string[],
  endpointOf: (delivery: string) => string,
  at: string | null,
): PageSource {
  return {
    from: 'deliveries AS t',
    columns: DELIVERY_COLUMNS,
    beside: WITH_EVENTS,
    environmentId,
    conditions: inOrder('t.endpoint_id', 'uuid', endpoints.map(uuidOf)),
    key: 'sequence',
    tie: { column: 'endpoint_id', of: (id) => uuidOf(endpointOf(id)) },
    cursors: { table: 'deliveries', conditions: at === null ? [] : equal({ 't.endpoint_id': uuidOf(at) }) },
  };
}

/** The endpoints of an environment, deleted ones too: what the bits in the id of a delivery are of. */
export const endpointsOf = (environmentId: string): Statement => ({
  name: 'endpoints_of',
  text: 'SELECT w.id, w.deleted_at IS NOT NULL AS is_deleted FROM webhook_endpoints w WHERE w.environment_id = $1 ORDER BY w.environment_id, w.id',
  values: [uuidOf(environmentId)],
});

export const deliveryAt = (environmentId: string, endpoint: string, sequence: bigint): Statement => ({
  name: 'delivery_at',
  text: `SELECT ${DELIVERY_COLUMNS} FROM deliveries AS t${WITH_EVENTS} WHERE t.environment_id = $1 AND t.endpoint_id = $2 AND t.sequence = $3`,
  values: [uuidOf(environmentId), uuidOf(endpoint), sequence],
});

/** The deliveries of one event to endpoints that are not deleted: a look-up by primary key for each, of which there are at most 16. */
export const deliveriesOf = (environmentId: string, sequence: bigint): Statement => ({
  name: 'deliveries_of_event',
  text: `SELECT ${DELIVERY_COLUMNS} FROM webhook_endpoints w
      CROSS JOIN LATERAL (SELECT * FROM deliveries d
        WHERE d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.sequence = $2 LIMIT 1) AS t${WITH_EVENTS}
      WHERE w.environment_id = $1 AND w.deleted_at IS NULL ORDER BY w.environment_id, w.id`,
  values: [uuidOf(environmentId), sequence],
});

/** Id and type of the event with this sequence. */
export const eventNamed = (environmentId: string, sequence: bigint): Statement => ({
  name: 'event_named',
  text: 'SELECT e.id, e.type FROM events e WHERE e.environment_id = $1 AND e.sequence = $2',
  values: [uuidOf(environmentId), sequence],
});
