/** Schemas of the objects in answers: all strict, all with the members that every object has. Contract, section 2. */
import type { JsonSchema } from './request/params.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** Exactly these members, all of them always present. */
export function strictObject(description: string, properties: Members): JsonSchema {
  return { type: 'object', description, additionalProperties: false, required: Object.keys(properties), properties };
}

/** The members that every object begins with. `id` shows what its ids look like: `po_…`. */
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
