/** Schemas of the objects in answers: all strict, all with the members that every object has. Contract, section 2. */
import type { Fields, ObjectType } from '../core/fields.ts';
import { type JsonSchema, strictObject } from '../core/json-schema.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** The members that every object begins with. `id` shows what its ids look like: `po_…`. */
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
