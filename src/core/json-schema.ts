/** Schemas of the OpenAPI document, as values: those of objects come from their fields (`fields.ts`). */

/** JSON Schema 2020-12, as far as we use it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
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
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** A schema by its name in `components/schemas`. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Exactly these members, all of them always present. */
export function strictObject(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', description, additionalProperties: false, required: Object.keys(properties), properties };
}

export function nullableText(description: string): JsonSchema {
  return { type: ['string', 'null'], description };
}
