/** Schemas and examples of the objects in answers: strict, with the members that all objects share. Contract, section 2. */
import type { Fields, ObjectType } from '../../core/fields.ts';
import { exampleId } from '../../core/values/ids.ts';
import { type JsonSchema, repeated, strictObject } from '../../core/values/json-schema.ts';

type Members = Readonly<Record<string, JsonSchema>>;

export function commonMembers(object: string, id: string): Members {
  return {
    id: { type: 'string', description: id },
    object: { type: 'string', const: object },
    created: { type: 'integer' },
    livemode: { type: 'boolean' },
  };
}

/** The schema of an object that is declared by its fields; `more`: members behind them; `optional`: members that may be missing. */
export function schemaOf<K extends string, F extends Fields>(
  { object, prefix, schemas }: ObjectType<K, F>,
  description: string,
  more: Members = {},
  optional: Members = {},
): JsonSchema {
  const schema = strictObject(description, { ...commonMembers(object, `${prefix}_…`), ...schemas, ...more });
  return { ...schema, properties: { ...(schema.properties as Members), ...optional } };
}

/** The object as the API reference shows it: the examples of its fields. `values`: members that tell something else, as in JSON. */
export function exampleOf<K extends string, F extends Fields, V extends Readonly<Record<string, unknown>>>(
  { object, prefix, examples }: ObjectType<K, F>,
  values?: V,
): V & { readonly id: string } {
  return { id: exampleId(prefix), object, created: 1_732_184_000, livemode: false, ...examples, ...(values as V) };
}

/** The same object as a dry run answers it. `unmade`: members that are null, because what they name does not exist. */
export function dryRunOf({ properties, ...schema }: JsonSchema, unmade: readonly string[]): JsonSchema {
  const known = Object.fromEntries(Object.entries(properties as Members).map(([name, each]) => [name, repeated(each)]));
  const absent = unmade.map(
    (name) => [name, { ...known[name], type: name === 'id' ? 'null' : ['string', 'null'] }] as const,
  );
  const flag = { const: true, description: 'Nothing was written.' } as const;
  return {
    ...schema,
    description: `${schema.description as string} Answer to a dry run: new objects have no id.`,
    required: ['dry_run', ...(schema.required as readonly string[])],
    properties: { dry_run: flag, ...known, ...Object.fromEntries(absent) },
  };
}
