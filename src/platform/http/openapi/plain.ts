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
  const mended = eachSchema(document, (schema) => asLong(asDouble(oneType(typedConst(schema))))) as Json;
  return withoutNullables(mended);
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
  const either = types
    .toReversed()
    .map((each) => asDouble({ type: each, ...only(schema, (word) => fits(each, word)) }));
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

/** A plain `integer` has 32 bits in Java, which end at 21,474,836.47 and in 2038. */
function asLong(schema: Json): Json {
  const { type, maximum = Infinity } = schema;
  const isLong = [type].flat().includes('integer') && (maximum as number) >= 2 ** 31;
  return isLong ? { ...schema, format: 'int64' } : schema;
}

/**
 * `Release` is the object, and where there may be none it is `anyOf: [Release, null]`: its type has a name, and says what it is about. In the same way
 * an amount that may be null is `anyOf: [AmountSent, null]`, so that there is one type of amounts.
 */
function withoutNullables(document: Json): Json {
  const components = document['components'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const schemas = Object.entries(components['schemas'] ?? {});
  const nullable = new Set(schemas.flatMap(([name, schema]) => (mayBeNull(schema) ? [name] : [])));
  const alike = new Map<string, string[]>();
  for (const [name, schema] of schemas) {
    const text = JSON.stringify(withoutNull(schema));
    alike.set(text, [...(alike.get(text) ?? []), name]);
  }
  const names = new Map<string, string>();
  for (const all of alike.values()) {
    const isOne = all.some((name) => nullable.has(name));
    const [shortest = ''] = all.toSorted((a, b) => a.length - b.length);
    for (const name of all) names.set(`${SCHEMAS}${name}`, isOne ? shortest : name);
  }
  const own = schemas.filter(([name]) => names.get(`${SCHEMAS}${name}`) === name);
  const lift = (schema: Json): Json => {
    const { $ref, ...beside } = schema;
    const name = names.get($ref as string);
    if (name === undefined) return schema;
    const reference = { $ref: `${SCHEMAS}${name}` };
    const isNullable = nullable.has(String($ref).slice(SCHEMAS.length));
    return isNullable ? { ...beside, anyOf: [reference, { type: 'null' }] } : { ...reference, ...beside };
  };
  const shared = {
    ...components,
    schemas: Object.fromEntries(own.map(([name, schema]) => [name, withoutNull(schema)])),
  };
  return eachSchema({ ...document, components: shared }, lift) as Json;
}

/** An object or null, or one of several types or null. A text or null, `[string, null]`, is understood as it is. */
function mayBeNull({ anyOf }: Json): boolean {
  const either = (anyOf ?? []) as readonly Json[];
  const isObject = either.length === 2 && either[0]?.['type'] === 'object';
  return (isObject || either.length > 2) && either.at(-1)?.['type'] === 'null';
}

function withoutNull(schema: Json): Json {
  const about = only(schema, isAbout);
  if (!mayBeNull(schema)) return { ...about, ...schema };
  const [first, ...others] = (schema['anyOf'] as readonly Json[]).slice(0, -1);
  return others.length === 0 ? { ...about, ...first } : { ...about, anyOf: [first, ...others] };
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
