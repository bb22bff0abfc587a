/**
 * Deliveries and replays on the wire, and the schemas of these and of endpoints. A secret stays sealed in here and in what is kept
 * under an idempotency key; the route opens it as the answer leaves.
 */
import { EVENT_TYPES, type EventType } from '../core/event-types.ts';
import { deliveryIdOf, idOf, idSource } from '../core/ids.ts';
import { type JsonSchema, nullableText, ref, strictObject } from '../core/json-schema.ts';
import { unixSeconds } from '../core/time.ts';
import type { Row } from '../db/wire/statement.ts';
import { commonMembers, schemaOf } from '../http/object-schema.ts';
import {
  type Delivery,
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  type DeliveryStatus,
  REPLAY_KINDS,
  type ReplayKind,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINT_WITH_SECRET,
  type WebhookReplay,
} from './fields.ts';

const seconds = (atMs: number | null) => (atMs === null ? null : unixSeconds(atMs));

export function renderDelivery(delivery: Delivery, livemode: boolean): string {
  const { id, endpoint, event, eventType, sequence, status, nextAttemptAt, attempts } = delivery;
  return JSON.stringify({
    id,
    object: 'delivery',
    created: unixSeconds(delivery.createdAt),
    livemode,
    webhook_endpoint: endpoint,
    event,
    event_type: eventType,
    sequence: Number(sequence),
    status,
    next_attempt_at: seconds(nextAttemptAt),
    attempts,
  });
}

/** A delivery as it is stored, beside its event if that is still kept (`sql.ts`). */
export function deliveryFrom(row: Row): Delivery {
  const endpoint = idOf('we', row['endpoint_id'] as string);
  const event = row['event_id'] as string | null;
  const sequence = row['sequence'] as bigint;
  const createdAt = row['created_at'] as number;
  const status = row['status'] as DeliveryStatus;
  const attempts = row['attempts'] as string | null;
  return {
    object: 'delivery',
    // Of an event's id only its instant and sequence count, which outlast the event.
    id: deliveryIdOf(idSource(createdAt).event(sequence), endpoint),
    endpoint,
    event: event === null ? null : idOf('evt', event),
    eventType: row['event_type'] as EventType | null,
    sequence,
    status,
    nextAttemptAt: status === 'pending' ? (row['due_at'] as number) : null,
    attempts: attempts === null ? [] : (JSON.parse(attempts) as DeliveryAttempt[]).map(inOrder),
    createdAt,
  };
}

/** Members as they are documented; PostgreSQL keeps those of jsonb in an order of its own. */
function inOrder({ started, duration_ms, outcome, http_status, response, error }: DeliveryAttempt): DeliveryAttempt {
  return { started, duration_ms, outcome, http_status, response, error };
}

export function replayFrom(row: Row): WebhookReplay {
  return {
    object: 'webhook_replay',
    id: idOf('rep', row['id'] as string),
    endpoint: idOf('we', row['endpoint_id'] as string),
    after: row['after_sequence'] as bigint,
    until: row['until_sequence'] as bigint,
    which: row['which'] as ReplayKind,
    createdAt: row['created_at'] as number,
  };
}

export function progressFrom(row: Row): ReplayProgress {
  return {
    reached: row['reached_sequence'] as bigint,
    deliveries: row['deliveries_count'] as bigint,
    finished: row['finished_at'] !== null,
  };
}

/** How far a replay is; a new one has not begun. */
export interface ReplayProgress {
  readonly reached: bigint;
  readonly deliveries: bigint;
  readonly finished: boolean;
}

export function renderReplay(replay: WebhookReplay, livemode: boolean, progress?: ReplayProgress): string {
  const { id, endpoint, after, until, which } = replay;
  const finished = progress?.finished ?? false;
  return JSON.stringify({
    id,
    object: 'webhook_replay',
    created: unixSeconds(replay.createdAt),
    livemode,
    webhook_endpoint: endpoint,
    only: which,
    after_sequence: Number(after),
    until_sequence: Number(until),
    reached_sequence: Number(progress?.reached ?? after),
    deliveries_count: Number(progress?.deliveries ?? 0n),
    status: finished ? 'completed' : 'running',
  });
}

const text: JsonSchema = { type: 'string' };
const whole: JsonSchema = { type: 'integer' };
const instant: JsonSchema = { type: ['integer', 'null'], description: 'Unix seconds.' };

export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  WebhookEndpoint: schemaOf(WEBHOOK_ENDPOINT, 'Where events are sent.'),
  WebhookEndpointWithSecret: schemaOf(
    WEBHOOK_ENDPOINT_WITH_SECRET,
    'A webhook endpoint with its signing secret, shown this once.',
  ),
  DeletedWebhookEndpoint: strictObject('A webhook endpoint that was deleted.', {
    id: text,
    object: { const: 'webhook_endpoint' },
    deleted: { const: true },
  }),
  Delivery: strictObject('One event on its way to one endpoint.', {
    ...commonMembers('delivery', 'dlv_…'),
    webhook_endpoint: text,
    event: nullableText('`null` once the event is older than what is kept.'),
    event_type: { type: ['string', 'null'], enum: [...EVENT_TYPES, null] },
    sequence: { ...whole, minimum: 1 },
    status: {
      type: 'string',
      enum: DELIVERY_STATUSES,
      description:
        '`pending`: waits for its next attempt; `failed`: all attempts are used up; `held`: the endpoint was disabled; `parked`: taken out of the way of an ordered endpoint. All but `succeeded` can be replayed.',
    },
    next_attempt_at: { ...instant, description: 'When the next attempt is due, Unix seconds.' },
    attempts: { type: 'array', items: ref('DeliveryAttempt'), description: 'Oldest first.' },
  }),
  DeliveryAttempt: strictObject('One attempt.', {
    started: { ...whole, description: 'Unix seconds.' },
    duration_ms: whole,
    outcome: {
      type: 'string',
      enum: ['succeeded', 'status', 'dns', 'blocked', 'refused', 'tls', 'timeout', 'too_long', 'broken'],
    },
    http_status: { type: ['integer', 'null'] },
    response: nullableText('The first 4 kB of the answer.'),
    error: nullableText('Why it failed, in words.'),
  }),
  WebhookReplay: strictObject('A job that sends events again. Their ids stay the same.', {
    ...commonMembers('webhook_replay', 'rep_…'),
    webhook_endpoint: text,
    only: {
      type: 'string',
      enum: REPLAY_KINDS,
      description: '`failed`: what did not succeed; `all`: everything the endpoint asks for; `named`: the one event.',
    },
    after_sequence: { ...whole, description: 'Events after this one …' },
    until_sequence: { ...whole, description: '… up to and with this one.' },
    reached_sequence: { ...whole, description: 'How far the job is.' },
    deliveries_count: { ...whole, description: 'Deliveries made due again so far.' },
    status: { type: 'string', enum: ['running', 'completed'] },
  }),
};
