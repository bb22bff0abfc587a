/**
 * A checker of JSON Schema 2020-12, as much of it as our OpenAPI document uses. Written apart from what makes the
 * document and the answers, so that it can find them out; a keyword it does not know is a fault, never passed over.
 */

export type Schema = Readonly<Record<string, unknown>>;
/** `components/schemas` of the document, by name. */
export type Schemas = Readonly<Record<string, Schema>>;

const SILENT: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'example']);

type Check = (value: unknown, by: never, check: Inner) => boolean | readonly string[];
interface Inner {
  readonly schema: Schema;
  readonly at: string;
  inside(schema: Schema, value: unknown, name: string | number): readonly string[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};
const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  'uri-reference': /^\S+$/,
};

/** A keyword concerns values of its type only: `minLength` says nothing about a number. */
const onText = (test: (value: string, by: never) => boolean): Check => {
  return (value, by) => typeof value !== 'string' || test(value, by);
};
const onNumber = (test: (value: number, by: number) => boolean): Check => {
  return (value, by: number) => typeof value !== 'number' || test(value, by);
};
const onList = (test: (value: readonly unknown[], by: number) => boolean): Check => {
  return (value, by: number) => !Array.isArray(value) || test(value, by);
};
const points = (text: string) => [...text].length;
const patterns = new Map<string, RegExp>();
const regExp = (source: string): RegExp => {
  const known = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, known);
  return known;
};

const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (value, by: string | readonly string[]) => [by].flat().some((type) => TYPES[type]?.(value) === true),
  const: (value, by: unknown) => value === by,
  enum: (value, by: readonly unknown[]) => by.includes(value),
  pattern: onText((value, by: string) => regExp(by).test(value)),
  minLength: onText((value, by: number) => points(value) >= by),
  maxLength: onText((value, by: number) => points(value) <= by),
  format: onText((value, by: string) => FORMATS[by]?.test(value) === true),
  minimum: onNumber((value, by) => value >= by),
  maximum: onNumber((value, by) => value <= by),
  exclusiveMinimum: onNumber((value, by) => value > by),
  minItems: onList((value, by) => value.length >= by),
  maxItems: onList((value, by) => value.length <= by),
  maxProperties: (value, by: number) => !isObject(value) || Object.keys(value).length <= by,
  items: (value, by: Schema, { inside }) =>
    !Array.isArray(value) || value.flatMap((item, index) => inside(by, item, index)),
  required: (value, by: readonly string[]) =>
    !isObject(value) || by.filter((name) => !Object.hasOwn(value, name)).map((name) => `${name} is missing`),
  properties: (value, by: Schemas, { inside }) =>
    !isObject(value) ||
    Object.entries(by).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? inside(schema, value[name], name) : [],
    ),
  propertyNames: (value, by: Schema, { inside }) =>
    !isObject(value) || Object.keys(value).flatMap((name) => inside(by, name, name)),
  additionalProperties: (value, by: boolean | Schema, { schema, inside }) => {
    if (!isObject(value) || by === true) return true;
    const known = schema['properties'] ?? {};
    const others = Object.keys(value).filter((name) => !Object.hasOwn(known, name));
    if (by === false) return others.map((name) => `${name} is not in the schema`);
    return others.flatMap((name) => inside(by, value[name], name));
  },
  anyOf: (value, by: readonly Schema[], { inside }) => by.some((each) => inside(each, value, '').length === 0),
  oneOf: (value, by: readonly Schema[], { inside }) =>
    by.filter((each) => inside(each, value, '').length === 0).length === 1,
};

/** What is wrong with the value, each with its place; empty when it is what the schema says. */
export function schemaFaults(schema: Schema, value: unknown, schemas: Schemas, at = ''): readonly string[] {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = schemas[reference.replace('#/components/schemas/', '')];
    return target ? schemaFaults(target, value, schemas, at) : [`${at}: ${reference} leads nowhere`];
  }
  const inside: Inner['inside'] = (inner, innerValue, name) =>
    schemaFaults(inner, innerValue, schemas, name === '' ? at : `${at}/${name}`);
  return Object.entries(schema).flatMap(([keyword, by]) => {
    if (SILENT.has(keyword)) return [];
    const check = KEYWORDS[keyword];
    if (!check) return [`${at}: the keyword ${keyword} is not known here`];
    const result = check(value, by as never, { schema, at, inside });
    if (result === true) return [];
    if (result === false)
      return [`${at}: ${JSON.stringify(value)?.slice(0, 80)} is against ${keyword} ${JSON.stringify(by).slice(0, 80)}`];
    return result.map((fault) => (fault.startsWith('/') ? fault : `${at}: ${fault}`));
  });
}
