/**
 * Writes schemas so that generators of clients read them; what is valid stays the same. Pure. See docs/decisions/0061.
 */
type Json = Readonly<Record<string, unknown>>;

const SCHEMAS = '#/components/schemas/';
/** What a schema says of values of one type. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'minLength', 'maxLength', 'format', 'enum', 'x-extensible-enum'],
  number: ['minimum', 'exclusiveMinimum', 'maximum', 'format'],
  integer: ['minimum', 'maximum', 'format'],
  boolean: [],
};
const ABOUT = ['description', 'examples', 'default'];

export function plain(document: Json): Json {
  return withoutNullableObjects(eachSchema(document, (schema) => asDouble(oneType(typedConst(schema)))) as Json);
}

/** `{const: 'payout'}` → `{type: 'string', const: 'payout'}`: without it, generators make a type of anything. */
function typedConst(schema: Json): Json {
  const { const: only } = schema;
  const isValue = ['string', 'boolean', 'number'].includes(typeof only);
  return isValue && schema['type'] === undefined ? { type: typeof only, ...schema } : schema;
}

/** `{type: [number, string], …}` → `{anyOf: [{type: string, …}, {type: number, …}]}`: text first, which is exact in every language. */
function oneType(schema: Json): Json {
  const { type } = schema;
  if (!Array.isArray(type) || schema['anyOf'] !== undefined) return schema;
  const types = (type as readonly string[]).filter((each) => each !== 'null').sort();
  const [first = '', second] = types;
  if (second === undefined && first in WORDS) return schema; // `[string, null]` is understood
  const either = types.toReversed().map((each) => ({ type: each, ...only(schema, (word) => fits(each, word)) }));
  const orNull = types.length < type.length ? [{ type: 'null' }] : [];
  return { ...only(schema, isAbout), anyOf: [...either, ...orNull] };
}

const isAbout = (word: string): boolean => ABOUT.includes(word);

const fits = (type: string, word: string): boolean =>
  word !== 'type' && !isAbout(word) && (WORDS[type]?.includes(word) ?? true);

const only = (schema: Json, isKept: (word: string) => boolean): Json =>
  Object.fromEntries(Object.entries(schema).filter(([word]) => isKept(word)));

/** A plain `number` becomes a float of 32 bits in some languages, and those lose cents above 131,072.00. */
function asDouble(schema: Json): Json {
  const types = [schema['type']].flat();
  return types.includes('number') ? { ...schema, format: 'double' } : schema;
}

/** `Release` is the object, and where there may be none it is `anyOf: [Release, null]`: its type has a name, and says what it is about. */
function withoutNullableObjects(document: Json): Json {
  const components = document['components'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const nullable = new Map<string, Json>();
  for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
    const [object, none, ...more] = (schema['anyOf'] ?? []) as readonly Json[];
    if (object?.['type'] !== 'object' || none?.['type'] !== 'null' || more.length > 0) continue;
    nullable.set(`${SCHEMAS}${name}`, schema);
  }
  const lifted = eachSchema(document, (schema) => {
    const object = nullable.get(schema['$ref'] as string);
    return object === undefined ? schema : { anyOf: [schema, { type: 'null' }] };
  }) as Json;
  const parts = lifted['components'] as Readonly<Record<string, Json>>;
  const own = Object.entries((parts['schemas'] ?? {}) as Readonly<Record<string, Json>>).map(([name, schema]) => {
    const [object] = (nullable.has(`${SCHEMAS}${name}`) ? schema['anyOf'] : [schema]) as readonly Json[];
    return [name, { ...only(schema, isAbout), ...object }] as const;
  });
  return { ...lifted, components: { ...parts, schemas: Object.fromEntries(own) } };
}

/** Every object of the document replaced by what `map` makes of it, the innermost first; examples stay as they are. */
function eachSchema(part: unknown, map: (schema: Json) => Json): unknown {
  if (Array.isArray(part)) return part.map((each) => eachSchema(each, map));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, inner]) => [
    name,
    name === 'example' || name === 'examples' ? inner : eachSchema(inner, map),
  ]);
  return map(Object.fromEntries(members) as Json);
}
