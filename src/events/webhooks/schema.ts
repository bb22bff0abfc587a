/** The schemas of webhooks in answers, and how a delivery is read from its row. */
import type { EventType } from '../../core/event-types.ts';
import { deliveryIdOf, idOf, idSource } from '../../core/values/ids.ts';
import { type JsonSchema, nullableText, ref, strictObject } from '../../core/values/json-schema.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import {
  ATTEMPT_OUTCOMES,
  type Delivery,
  DELIVERY,
  type DeliveryAttempt,
  type DeliveryStatus,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINT_WITH_SECRET,
  WEBHOOK_REPLAY,
} from './fields.ts';
import { MASK } from './headers.ts';

/** The delivery of a row, with the id and type of its event if that is still kept (`sql.ts`). */
export function deliveryFrom(row: Row): Delivery {
  const endpoint = idOf('we', row['endpoint_id'] as string);
  const event = row['event_id'] as string | null;
  const sequence = row['sequence'] as bigint;
  const createdAt = row['created_at'] as number;
  const status = row['status'] as DeliveryStatus;
  const attempts = row['attempts'] as string | null;
  return {
    object: 'delivery',
    // The id of a delivery depends on the instant and sequence of its event; both are kept longer than the event.
    id: deliveryIdOf(idSource(createdAt).event(sequence), endpoint),
    endpoint,
    event: event === null ? null : idOf('evt', event),
    eventType: row['event_type'] as EventType | null,
    sequence,
    status,
    nextAttemptAt: status === 'pending' ? (row['due_at'] as number) : null,
    attempts: attempts === null ? [] : (JSON.parse(attempts) as StoredAttempt[]).map(inOrder),
    createdAt,
  };
}

/** As it was stored; older rows say `started`. */
type StoredAttempt = DeliveryAttempt & { readonly started?: number };

/** Members in the documented order: jsonb has an order of its own. */
function inOrder({ started, started_at, ...rest }: StoredAttempt): DeliveryAttempt {
  const { duration_ms, outcome, http_status, response, error } = rest;
  return { started_at: started ?? started_at, duration_ms, outcome, http_status, response, error };
}

const text: JsonSchema = { type: 'string' };
const whole: JsonSchema = { type: 'integer' };

export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  WebhookEndpoint: schemaOf(WEBHOOK_ENDPOINT, 'An address that events are sent to.'),
  WebhookEndpointWithSecret: {
    description: 'A webhook endpoint with its signing secret, shown this once.',
    allOf: [
      ref('WebhookEndpoint'),
      { type: 'object', properties: { secret: WEBHOOK_ENDPOINT_WITH_SECRET.schemas['secret'] as JsonSchema } },
    ],
  },
  WebhookHeaders: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `Your own headers, which every delivery carries, by name. Values are never shown: each is \`${MASK}\`.`,
  },
  DeletedWebhookEndpoint: strictObject('A webhook endpoint that was deleted.', {
    id: text,
    object: { const: 'webhook_endpoint' },
    deleted: { const: true },
  }),
  Delivery: schemaOf(DELIVERY, 'One event on its way to one endpoint.'),
  DeliveryAttempt: strictObject('One attempt.', {
    started_at: { ...whole, description: 'Unix seconds.' },
    duration_ms: whole,
    outcome: { type: 'string', enum: ATTEMPT_OUTCOMES },
    http_status: { type: ['integer', 'null'] },
    response: nullableText('The first 4 kB of the answer.'),
    error: nullableText('Why it failed, in words.'),
  }),
  WebhookReplay: schemaOf(WEBHOOK_REPLAY, 'A job that sends events again. Their ids stay the same.'),
};
