/**
 * Events in the OpenAPI document: one schema a type, so that generated types know the object by the type, and the
 * `webhooks` that are sent. All follows from the list of types and the schemas of the objects.
 */
import { ACTOR_SCHEMA } from '../../core/actor.ts';
import { EVENT_TYPES, type EventType } from '../../core/event-types.ts';
import { type JsonSchema, ref, repeated, strictObject } from '../../core/values/json-schema.ts';
import type { EventObject } from '../../core/objects.ts';
import { API_VERSION } from './schema.ts';

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
const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');

const schemaName = (type: EventType): string => `${pascal(type)}Event`;
/** What `data` is: `balance.updated` names a transfer besides. */
const dataName = (type: EventType): string =>
  type === 'balance.updated' ? 'BalanceEventData' : `${objectsOf(type).map(pascal).join('Or')}EventData`;

/** The schemas of events. `objects`: those of the objects that events are about, by name. */
export function eventSchemas(objects: Schemas): Schemas {
  const own = Object.fromEntries(EVENT_TYPES.map((type) => [schemaName(type), eventOf(type)]));
  const data = Object.fromEntries(EVENT_TYPES.map((type) => [dataName(type), dataOf(type, objects)]));
  return {
    Event: {
      description:
        'One thing that happened, written in the transaction of the change. `sequence` has no gaps and follows commit order. `type` tells the kind of `data.object`.',
      required: COMMON_MEMBERS, // the columns of the list as CSV
      ...oneBy('type', Object.fromEntries(EVENT_TYPES.map((type) => [type, schemaName(type)]))),
    },
    EventCommon: COMMON,
    PreviousMetadata: {
      type: 'object',
      description: 'The changed keys with their former values; null: the key did not exist.',
      additionalProperties: { type: ['string', 'null'] },
    },
    ...Object.fromEntries(FAMILIES.map((family) => [familyName(family), familyOf(family)])),
    ...own,
    ...data,
  };
}

const FAMILIES = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0] as string))];
const typesIn = (family: string) => EVENT_TYPES.filter((type) => type.split('.')[0] === family);
/** A family of one type, `ping`, needs no name of its own. */
const familyName = (family: string): string => {
  const [only, ...others] = typesIn(family);
  return only !== undefined && others.length === 0 ? schemaName(only) : `${pascal(family)}Event`;
};

const familyOf = (family: string): JsonSchema => ({
  description: `Any \`${family}\` event.`,
  oneOf: typesIn(family).map((type) => ref(schemaName(type))),
});

/** The `webhooks` of the document, by family: each as it is sent to the endpoints that ask for it. */
export function eventWebhooks(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    FAMILIES.map((family) => [
      family,
      {
        post: {
          operationId: `on${pascal(family)}`,
          tags: ['Events'],
          summary: typesIn(family).join(', '),
          parameters: HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: ref(familyName(family)) } } },
          responses: { '2XX': RECEIVED },
        },
      },
    ]),
  );
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
    api_version: { const: API_VERSION },
    request: strictObject('The request that caused it; null if none did.', {
      id: { type: ['string', 'null'] },
      idempotency_key: { type: ['string', 'null'] },
      actor: ACTOR_SCHEMA,
    }),
  },
};

/** Exactly the common members, the type and its data. */
const eventOf = (type: EventType): JsonSchema => ({
  description: `\`${type}\``,
  allOf: [
    ref('EventCommon'),
    { required: ['type', 'data'], properties: { type: { const: type }, data: ref(dataName(type)) } },
  ],
  unevaluatedProperties: false,
});

function dataOf(type: EventType, objects: Schemas): JsonSchema {
  const kinds = objectsOf(type);
  const [name, ...others] = kinds.map(pascal) as [string, ...string[]];
  const about = { type: 'object', description: `The data of an event about ${wordsOf([name, ...others])}.` };
  if (others.length > 0) {
    const object = oneBy('object', Object.fromEntries(kinds.map((kind) => [kind, pascal(kind)])));
    return { ...about, additionalProperties: false, required: ['object'], properties: { object } };
  }
  const isBalance = type === 'balance.updated';
  const previous = isBalance ? { balance: objects[name]?.properties?.['balance'] ?? {} } : changeable(objects[name]);
  return {
    ...about,
    additionalProperties: false,
    required: isBalance ? ['object', 'previous_attributes', 'transfer'] : ['object'],
    properties: {
      object: ref(name),
      previous_attributes: {
        type: 'object',
        description: 'Former values of what changed.',
        additionalProperties: false,
        properties: previous,
        ...(isBalance && { required: ['balance'] }),
      },
      ...(isBalance && { transfer: { type: 'string', description: 'The transfer that changed the balance.' } }),
    },
  };
}

const wordsOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' or ');

/** What never changes. */
const FIXED: ReadonlySet<string> = new Set(['id', 'object', 'created', 'livemode', 'created_by', 'currency']);

/** The members of an object that a change can touch, each as it is in the object. */
function changeable(object: JsonSchema = {}): Schemas {
  const members = Object.entries(object.properties ?? {}).filter(([name]) => !FIXED.has(name));
  return Object.fromEntries(
    members.map(([name, schema]) => [name, name === 'metadata' ? ref('PreviousMetadata') : repeated(schema)]),
  );
}
