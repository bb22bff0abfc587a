/** Schemas that stand in several schemas become schemas of their own. Pure. The other parts: `parts.ts`. */
import { assert } from '../../../core/values/assert.ts';
import type { JsonSchema } from '../../../core/values/json-schema.ts';

/** What every JavaScript program has already under that name. */
const OF_FETCH: ReadonlySet<string> = new Set(['Headers', 'Request', 'Response']);

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * The same schemas, and those that they share. A shared one is called after the member it describes first; an item after the list. What is said of it
 * may differ from place to place: then it stands there, beside the reference.
 */
export function shareSchemas(schemas: Schemas): Schemas {
  const uses = new Map<string, Use>();
  for (const [name, schema] of Object.entries(schemas)) {
    eachInner(schema, name, (inner) => {
      const { text, said } = partsOf(inner);
      const { count, said: all, inline } = uses.get(text) ?? { count: 0, said: new Set(), inline: 0 };
      if (said !== NOTHING) all.add(said);
      uses.set(text, { count: count + 1, said: all, inline: inline + JSON.stringify(inner).length });
      return inner;
    });
  }
  const shared: Record<string, JsonSchema> = {};
  const names = new Map<string, string>();
  const share = (inner: JsonSchema, member: string, owner: string): JsonSchema => {
    const { text, said } = partsOf(inner);
    const use = uses.get(text);
    const isShared = use !== undefined && (isWritten(inner) || isWorthIt(text, use));
    if (inner.$ref !== undefined || !isShared) return within(inner, owner, share, member);
    const [about = NOTHING] = use.said.size === 1 ? use.said : [];
    let name = names.get(text);
    if (name === undefined) {
      const short = inner.title ?? pascal(member);
      const isTaken = (each: string) => each in schemas || each in shared || OF_FETCH.has(each);
      const sent = `${short}Sent`;
      name =
        [short, ...(owner.endsWith('Request') ? [sent] : []), `${owner}${short}`].find((each) => !isTaken(each)) ?? '';
      assert(name !== '', 'a name for each shared schema');
      names.set(text, name);
      const { title: _, ...whole } = { ...(JSON.parse(about) as JsonSchema), ...(JSON.parse(text) as JsonSchema) };
      shared[name] = whole; // taken, before what is in it asks for a name
      shared[name] = within(whole, owner, share, member);
    }
    const here = said === about ? {} : (JSON.parse(said) as JsonSchema);
    return { $ref: `#/components/schemas/${name}`, ...here };
  };
  const all = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, within(schema, name, share)]));
  return { ...all, ...shared };
}

/** What `info` says of all members of a name or type: what unit an amount is in, and that an instant is Unix seconds. */
const UNITS: readonly (readonly [said: RegExp, of: (member: string, schema: JsonSchema) => boolean])[] = [
  [/(?:^|[,.]) ?(?:[Ii]n )?[Mm]inor units\./, (member) => member.endsWith('_minor')],
  [/^The same in minor units\./, (member) => member.endsWith('_minor')],
  [/(?:^|[,.]) ?(?:[Ii]n )?[Mm]ajor units\./, (_, { type }) => [type].flat().includes('number')],
  [/^(?:When[,.] )?Unix seconds\.$/, (member) => isInstant(member)],
  [/[,.] Unix seconds\./, (member) => isInstant(member)],
];
const isInstant = (member: string): boolean => /^created$|^at$|_at$/.test(member);

/** Without the unit that `info` says; the sentence before it keeps its full stop. */
const unitless = (whole: string, member: string, schema: JsonSchema): string =>
  UNITS.reduce(
    (text, [said, isOf]) =>
      isOf(member, schema) ? text.replace(said, (_, at: number) => (at === 0 ? '' : '.')) : text,
    whole,
  ).trim();

/** The pattern of an id says enough. */
const isExampleId = (example: unknown): boolean =>
  typeof example === 'string' && /^[a-z]+_01jd3v9q4ne8v8k3w2m6r5t7xa$/.test(example);
/** What `info` says of all parameters that an update can unset. */
const UNSETS = / ?(?:An empty value or null unsets it|Null, in a form an empty value, unsets it)\./;
/** `po_…`, of an `id`: the parameter of the path has its pattern, and the example shows it. */
const PREFIX = /^[a-z]+_…$/;
/** `A charge.`, of an item: what the list is says it. */
const ITEM = /^(?:An?|One) (?:\w+ ?){1,3}\.$/;

/** Without what is said once for all members of a name. */
export const saidOnce = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, within(schema, name, shortened)]));

function shortened(inner: JsonSchema, member: string, owner: string): JsonSchema {
  const { description: whole = '', ...rest } = inner;
  const isSaid = (member === 'id' && PREFIX.test(whole)) || (member.endsWith(' item') && ITEM.test(whole));
  const description = isSaid ? '' : unitless(whole.replace(UNSETS, ''), member, owner.endsWith('Request') ? {} : inner);
  const { examples, ...shape } = rest;
  const kept = examples === undefined || isExampleId(examples[0]) ? shape : rest;
  return within(description === '' ? kept : { ...kept, description }, owner, shortened, member);
}

/** How often a schema stands in others, what is said of it there, and how long all that is together. */
interface Use {
  readonly count: number;
  readonly said: Set<string>;
  readonly inline: number;
}

/** What a reference takes, with a name as they are. */
const REFERENCE_LENGTH = 48;
/** A name has to save so much: generators make a type of each. */
const LEAST_SAVED = 60;

/** An object that a program writes, and whose name was chosen: it has that name also where it stands once. */
const isWritten = ({ title, properties }: JsonSchema): boolean => title !== undefined && properties !== undefined;

function isWorthIt(text: string, { count, said, inline }: Use): boolean {
  if (count < 2) return false;
  const about = said.size === 1 ? ([...said][0] as string).length : [...said].join('').length;
  return inline - (text.length + about + count * REFERENCE_LENGTH) >= LEAST_SAVED;
}

const NOTHING = '{}';

/** What a schema allows, and what it says about that, each as text. What a text or a number is about is a part of what it is: no two would have one name. */
function partsOf(schema: JsonSchema): { readonly text: string; readonly said: string } {
  const { description, examples, ...rest } = schema;
  const { title, properties, items, enum: closed, 'x-extensible-enum': known } = rest;
  const isKind = (title ?? properties ?? items ?? closed ?? known) !== undefined;
  if (!isKind) return { text: JSON.stringify(schema), said: NOTHING };
  const said: JsonSchema = { ...(description !== undefined && { description }), ...(examples && { examples }) };
  return { text: JSON.stringify(rest), said: JSON.stringify(said) };
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
  const { properties, items, allOf, anyOf, oneOf } = schema;
  /** Of a choice the whole part may be shared; of `allOf` only its members, which make one object. */
  const choice = (each: readonly JsonSchema[]) =>
    each.map((part) =>
      part.properties === undefined ? within(part, owner, visit, member) : visit(part, member, owner),
    );
  const members = Object.entries(properties ?? {}).map(([name, inner]) => [name, visit(inner, name, owner)] as const);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: visit(items, `${member} item`, owner) }),
    ...(allOf && { allOf: allOf.map((each) => within(each, owner, visit)) }),
    ...(anyOf && { anyOf: choice(anyOf) }),
    ...(oneOf && { oneOf: choice(oneOf) }),
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
