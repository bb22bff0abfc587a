/** Schemas of the OpenAPI document, as values: those of objects come from their fields (`core/fields.ts`). */

/** JSON Schema 2020-12, as far as we use it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  /** Known values, in answers: there may be others some day. */
  readonly 'x-extensible-enum'?: readonly string[];
  /** Of an answer to a dry run: the object whose other members it has. */
  readonly 'x-like'?: string;
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  readonly unevaluatedProperties?: boolean;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** A schema by its name in `components/schemas`. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Exactly these members, always present. */
export function strictObject(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', description, additionalProperties: false, required: Object.keys(properties), properties };
}

/** A schema whose JSON is at least this long stands once in the document, however often it is used (`platform/http/openapi/schemas.ts`). */
export const SHARED_LENGTH = 160;

/** For another place that shows the same: a long schema as it is, because it will be shared, a short one without what it says for people. */
export const repeated = (schema: JsonSchema): JsonSchema =>
  JSON.stringify(schema).length >= SHARED_LENGTH ? schema : undescribed(schema);

const undescribed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? undefined : value,
  ) as JsonSchema;

export function nullableText(description: string): JsonSchema {
  return { type: ['string', 'null'], description };
}

/** A day, `2026-11-21`, or none. */
export function nullableDay(description: string): JsonSchema {
  return { type: ['string', 'null'], format: 'date', description };
}

/** A value that the schema allows: null or none, the first of a few words; of an object all known members. Null stands for a text. */
export function exampleBy({
  type,
  enum: [first] = [],
  const: only,
  minimum = 0,
  properties = {},
}: JsonSchema): unknown {
  if (only !== undefined || type === undefined) return only ?? null;
  if (Array.isArray(type) && type.includes('null')) return null;
  const members = Object.entries(properties).map(([name, schema]) => [name, exampleBy(schema)]);
  const usual = { array: [], object: Object.fromEntries(members), boolean: false, integer: minimum, number: minimum };
  return first ?? usual[type as keyof typeof usual] ?? null;
}
