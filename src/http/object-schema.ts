/** Schemas of the objects in answers: strict, with the members that all objects share. Contract, section 2. */
import type { Fields, ObjectType } from '../core/fields.ts';
import { type JsonSchema, strictObject } from '../core/json-schema.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** The first members of every object. `id` shows the form of its ids: `po_…`. */
export function commonMembers(object: string, id: string): Members {
  return {
    id: { type: 'string', description: id },
    object: { const: object },
    created: { type: 'integer', description: 'Unix seconds.' },
    livemode: { type: 'boolean' },
  };
}

/** The schema of an object that is declared by its fields; `more`: members behind them. */
export function schemaOf<K extends string, F extends Fields>(
  { object, prefix, schemas }: ObjectType<K, F>,
  description: string,
  more: Members = {},
): JsonSchema {
  return strictObject(description, { ...commonMembers(object, `${prefix}_…`), ...schemas, ...more });
}
