/** Schemas that stand in several schemas become schemas of their own. Pure. The other parts: `openapi-parts.ts`. */
import { assert } from '../../core/values/assert.ts';
import { type JsonSchema, SHARED_LENGTH } from '../../core/values/json-schema.ts';

/** What every JavaScript program has already under that name. */
const OF_FETCH: ReadonlySet<string> = new Set(['Headers', 'Request', 'Response']);

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The same schemas, and those that they share. A shared one is called after the member it describes first; an item after the list. */
export function shareSchemas(schemas: Schemas): Schemas {
  const counts = new Map<string, number>();
  for (const [name, schema] of Object.entries(schemas)) {
    eachInner(schema, name, (inner) => {
      const text = JSON.stringify(inner);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      return inner;
    });
  }
  const shared: Record<string, JsonSchema> = {};
  const names = new Map<string, string>();
  const share = (inner: JsonSchema, member: string, owner: string): JsonSchema => {
    const text = JSON.stringify(inner);
    if (text.length < SHARED_LENGTH || (counts.get(text) ?? 0) < 2 || inner.$ref !== undefined)
      return within(inner, owner, share, member);
    let name = names.get(text);
    if (name === undefined) {
      const short = pascal(member);
      const isTaken = (each: string) => each in schemas || each in shared || OF_FETCH.has(each);
      name = isTaken(short) ? `${owner}${short}` : short;
      assert(!isTaken(name), 'a name for each shared schema');
      names.set(text, name);
      shared[name] = within(inner, owner, share, member);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const all = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, within(schema, name, share)]));
  return { ...all, ...shared };
}

type Visit = (inner: JsonSchema, member: string, owner: string) => JsonSchema;

/** `bank_details` → `BankDetails`. */
const pascal = (member: string): string =>
  member
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');

/** The schema with each member and item replaced by what `visit` makes of it. `member`: what the schema is of. */
function within(schema: JsonSchema, owner: string, visit: Visit, member = owner): JsonSchema {
  const { properties, items } = schema;
  const members = Object.entries(properties ?? {}).map(([name, inner]) => [name, visit(inner, name, owner)] as const);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: visit(items, `${member} item`, owner) }),
  };
}

/** Calls back for all schemas inside of one, however deep. */
function eachInner(schema: JsonSchema, owner: string, visit: Visit): void {
  within(schema, owner, (inner, member) => {
    visit(inner, member, owner);
    eachInner(inner, owner, visit);
    return inner;
  });
}
