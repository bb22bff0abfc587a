/** Schemas of the objects in answers: strict, with the members that all objects share. Contract, section 2. */
import type { Fields, ObjectType } from '../core/fields.ts';
import type { JsonSchema } from '../core/json-schema.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** Exactly these members, all of them always present. */
export function strictObject(description: string, properties: Members): JsonSchema {
  return { type: 'object', description, additionalProperties: false, required: Object.keys(properties), properties };
}

/** The first members of every object. `id` shows the form of its ids: `po_…`. */
export function commonMembers(object: string, id: string): Members {
  return {
    id: { type: 'string', description: id },
    object: { const: object },
    created: { type: 'integer', description: 'Unix seconds.' },
    livemode: { type: 'boolean' },
  };
}

export function nullableText(description: string): JsonSchema {
  return { type: ['string', 'null'], description };
}

/** The schema of an object that is declared by its fields; `more`: members behind them. */
export function schemaOf<K extends string, F extends Fields>(
  { object, prefix, schemas }: ObjectType<K, F>,
  description: string,
  more: Members = {},
): JsonSchema {
  return strictObject(description, { ...commonMembers(object, `${prefix}_…`), ...schemas, ...more });
}
