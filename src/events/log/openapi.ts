/**
 * Events in the OpenAPI document: one schema a type, so that generated types know the object by the type, and the
 * `webhooks` that are sent. All follows from the list of types and the schemas of the objects.
 */
import { ACTOR_SCHEMA } from '../../core/actor.ts';
import { EVENT_TYPES, type EventType } from '../../core/event-types.ts';
import { type JsonSchema, ref } from '../../core/values/json-schema.ts';
import type { EventObject } from '../../core/objects.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The families, and single types, whose objects have another name than the family. */
const OBJECTS: Readonly<Record<string, EventObject['object'] | readonly EventObject['object'][]>> = {
  balance: 'account',
  // A booking, or a message about a payout.
  'bank_entry.conflict_detected': ['bank_entry', 'payout'],
  environment: 'restore',
  ping: 'webhook_endpoint',
};

/** The objects that events of a type show: as a rule one. */
function objectsOf(type: EventType): readonly string[] {
  const family = type.split('.')[0] as string;
  return [OBJECTS[type] ?? OBJECTS[family] ?? family].flat();
}

/** One of these schemas, by what a member says: without that, a client in Go cannot tell which it has. `names`: of schemas, by that value. */
const oneBy = (propertyName: string, names: Readonly<Record<string, string>>) => ({
  oneOf: Object.values(names).map((name) => ref(name)),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries(Object.entries(names).map(([value, name]) => [value, `#/components/schemas/${name}`])),
  },
});

/** `payout.in_transit` → `PayoutInTransit`. */
function pascal(name: string): string {
  return name
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');
}

function schemaName(type: EventType): string {
  return `${pascal(type)}Event`;
}

const FAMILIES = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0] as string))];

/** Types whose events are alike are one schema: those of a family, but for a type with an object of its own. */
const KINDS: ReadonlyMap<string, readonly EventType[]> = new Map(
  FAMILIES.flatMap((family): [name: string, types: readonly EventType[]][] => {
    const types = EVENT_TYPES.filter((type) => type.split('.')[0] === family);
    const usual = types.filter((type) => OBJECTS[type] === undefined || type === family);
    const [only] = usual;
    const name = usual.length === 1 && only !== undefined ? schemaName(only) : `${pascal(family)}Event`;
    const own = types.filter((type) => !usual.includes(type));
    return [[name, usual], ...own.map((type): [string, EventType[]] => [schemaName(type), [type]])];
  }),
);

/** The schemas of events: `Event`, as answers have it, and those that a known type narrows it to. */
export function eventSchemas(): Schemas {
  return {
    Event: {
      ...COMMON,
      description:
        'One thing that happened, written in the transaction of the change. `sequence` has no gaps and follows commit order. `type` tells the kind of `data.object`: read an event of a known type as a `KnownEvent`, and pass over others.',
      required: COMMON_MEMBERS, // the columns of the list as CSV
      properties: { ...COMMON.properties, type: ref('EventType'), data: DATA },
    },
    EventType: TYPE,
    EventCommon: COMMON,
    PreviousAttributes: {
      type: 'object',
      description:
        'Former values of what changed, by member of the object. Of metadata, the changed keys: null is a key that did not exist.',
      additionalProperties: true,
    },
    KnownEvent: {
      description: 'An event of a type that this document knows.',
      oneOf: [...KINDS.keys()].map((name) => ref(name)),
    },
    ...Object.fromEntries([...KINDS].map(([name, types]) => [name, eventOf(types)])),
  };
}

/** The `webhooks` of the document: one, since each endpoint gets all that it asks for at one address. */
export function eventWebhooks(): Readonly<Record<string, unknown>> {
  return {
    event: {
      post: {
        operationId: 'onEvent',
        tags: ['Events'],
        summary: 'An event that an endpoint asked for',
        description:
          'The types are in `docs/events`. Types that a document of today does not know may come: pass over them with a 200.',
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { anyOf: [ref('KnownEvent'), ref('Event')] } } },
        },
        responses: { '2XX': RECEIVED },
      },
    },
  };
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'The id of the event: the same on every attempt.'),
  header('webhook-timestamp', 'When this attempt was signed, in Unix seconds.'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64. During an overlap of secrets there are several, with blanks between.',
  ),
  header('Bursar-Signature', '`t=…,v1=…`: the HMAC-SHA-256 of `t.body` in hex, as Stripe signs.'),
];
const RECEIVED = {
  description: 'Any status from 200 to 299 says that the event has arrived. After anything else it is sent again.',
};

/** In the order in which they are written. */
const COMMON_MEMBERS = ['id', 'object', 'type', 'created', 'sequence', 'livemode', 'api_version', 'data', 'request'];

const COMMON: JsonSchema = {
  type: 'object',
  description: 'The members of every event.',
  required: COMMON_MEMBERS.filter((name) => name !== 'type' && name !== 'data'),
  properties: {
    id: { type: 'string' },
    object: { const: 'event' },
    created: { type: 'integer', description: 'Unix seconds.' },
    sequence: { type: 'integer', minimum: 1 },
    livemode: { type: 'boolean' },
    api_version: { type: 'string', description: 'The version of the API in which it is shown, such as `2026-12-01`.' },
    request: {
      type: 'object',
      description: 'The request that caused it; null if none did.',
      required: ['id', 'idempotency_key', 'actor'],
      properties: {
        id: { type: ['string', 'null'] },
        idempotency_key: { type: ['string', 'null'] },
        actor: ACTOR_SCHEMA,
      },
    },
  },
};

const TYPE: JsonSchema = {
  type: 'string',
  description: 'What happened, to which kind of object.',
  'x-extensible-enum': EVENT_TYPES,
};
const PREVIOUS = ref('PreviousAttributes');
const TRANSFER: JsonSchema = { type: 'string', description: 'The transfer that changed the balance.' };
const DATA: JsonSchema = {
  type: 'object',
  required: ['object'],
  properties: {
    object: {
      type: 'object',
      description: 'The object after the change. Its `object` says what it is.',
      required: ['object'],
      properties: { object: { type: 'string' } },
      additionalProperties: true,
    },
    previous_attributes: PREVIOUS,
    transfer: TRANSFER,
  },
};

/** The common members, the types and their data. Its types are closed: it is what an `Event` is read as once its type is known. */
const eventOf = (types: readonly EventType[]): JsonSchema => ({
  description: `An event about ${objectsOf(types[0] as EventType)
    .map((name) => `\`${pascal(name)}\``)
    .join(' or ')}.`,
  allOf: [
    ref('EventCommon'),
    {
      type: 'object',
      required: ['type', 'data'],
      properties: { type: { type: 'string', enum: types }, data: dataOf(types[0] as EventType) },
    },
  ],
});

function dataOf(type: EventType): JsonSchema {
  const kinds = objectsOf(type);
  if (kinds.length > 1) {
    const object = oneBy('object', Object.fromEntries(kinds.map((kind) => [kind, pascal(kind)])));
    return { type: 'object', required: ['object'], properties: { object } };
  }
  const object = ref(pascal(kinds[0] as string));
  if (type !== 'balance.updated')
    return { type: 'object', required: ['object'], properties: { object, previous_attributes: PREVIOUS } };
  const balance: JsonSchema = {
    type: 'object',
    required: ['balance'],
    properties: { balance: { type: 'integer', description: 'What it was before, in minor units.' } },
  };
  return {
    type: 'object',
    required: ['object', 'previous_attributes', 'transfer'],
    properties: { object, previous_attributes: balance, transfer: TRANSFER },
  };
}
