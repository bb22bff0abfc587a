/** Events on the wire: rendered from the stored columns, whose `object` already is the exact JSON of that time. */
import { idOf, PREFIXES, type Prefix } from '../core/ids.ts';
import { EVENT_TYPES, type EventType } from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import type { Row } from '../db/statement.ts';
import { integer, type JsonSchema, list, optional, paramError, ref, text } from '../http/params.ts';

/** The version of the shapes in `data.object`; additive changes keep it. */
export const API_VERSION = 'v1';

export function renderEvent(row: Row, livemode: boolean): string {
  const previous = row['previous_attributes'] as string | null;
  const transfer = row['transfer_id'] as string | null;
  const request = row['request_id'] as string | null;
  const data = `"object":${row['object'] as string}${previous === null ? '' : `,"previous_attributes":${previous}`}${transfer === null ? '' : `,"transfer":"${idOf('trf', transfer)}"`}`;
  const requestId = request === null ? 'null' : `"${idOf('req', request)}"`;
  return `{"id":"${eventIdOf(row)}","object":"event","type":"${row['type'] as string}","created":${unixSeconds(row['created_at'] as number)},"sequence":${row['sequence'] as bigint},"livemode":${livemode},"api_version":"${API_VERSION}","data":{${data}},"request":{"id":${requestId},"idempotency_key":${JSON.stringify(row['idempotency_key'])}}}`;
}

export const eventIdOf = (row: Row): string => idOf('evt', row['id'] as string);

const pattern = text({ max: 60, description: 'A type, or a family of types such as `payout.*`.', example: 'payout.*' });

export const eventFilters = {
  type: optional(pattern),
  types: optional(list(pattern, { max: 20, description: 'Several types or families.' })),
  related_object: optional(text({ max: 40, description: 'Only events about the object with this id.' })),
  after_sequence: optional(
    integer({
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Only events after this one; with `order=asc` it catches up.',
    }),
  ),
};

/** The types that patterns stand for. Throws `parameter_invalid` for a pattern that stands for none. */
export function typesMatching(patterns: readonly string[], param: string): EventType[] {
  const matching = new Set<EventType>();
  for (const each of patterns) {
    const family = each === '*' ? '' : each.endsWith('.*') ? each.slice(0, -1) : null;
    const types = EVENT_TYPES.filter((type) => (family === null ? type === each : type.startsWith(family)));
    if (types.length === 0) {
      const message = `${JSON.stringify(each)} is no event type; send a type or a family such as payout.*.`;
      throw paramError('parameter_invalid', param, message, { allowed: EVENT_TYPES });
    }
    for (const type of types) matching.add(type);
  }
  return [...matching];
}

/** Objects that events can be about, as a prefix check of `related_object`. */
export function prefixOfId(id: string): Prefix | undefined {
  return PREFIXES.find((prefix) => id.startsWith(`${prefix}_`));
}

export const EVENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Event: {
    type: 'object',
    description:
      'One thing that happened, written in the transaction of the change. `sequence` has no gaps and follows commit order.',
    additionalProperties: false,
    required: ['id', 'object', 'type', 'created', 'sequence', 'livemode', 'api_version', 'data', 'request'],
    properties: {
      id: { type: 'string' },
      object: { const: 'event' },
      type: { type: 'string', enum: EVENT_TYPES },
      created: { type: 'integer', description: 'Unix seconds.' },
      sequence: { type: 'integer', minimum: 1 },
      livemode: { type: 'boolean' },
      api_version: { const: API_VERSION },
      data: {
        type: 'object',
        additionalProperties: false,
        required: ['object'],
        properties: {
          object: {
            description: 'The object after the change.',
            oneOf: ['Account', 'Recipient', 'Exchange', 'Payout', 'PayoutBatch'].map(ref),
          },
          previous_attributes: { type: 'object', description: 'What the changed members were before.' },
          transfer: { type: 'string', description: 'The transfer behind a `balance.updated`.' },
        },
      },
      request: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'idempotency_key'],
        properties: { id: { type: ['string', 'null'] }, idempotency_key: { type: ['string', 'null'] } },
      },
    },
  },
};
