/**
 * One field, one place: the list of an object's fields gives its type, its row (`platform/db/wire/table.ts`), its JSON
 * and the schema of that, in the order of the list. Instants are milliseconds inside and Unix seconds on the wire;
 * amounts are minor units (decision 0023). Next: `paying/payouts/fields.ts` for an example.
 */
import { type Actor, ACTOR_SCHEMA, actorId, actorOf } from './actor.ts';
import { exampleId, idOf, type Prefix } from './values/ids.ts';
import { exampleBy, type JsonSchema, ref } from './values/json-schema.ts';
import { moneyMembers } from './values/money.ts';
import { unixSeconds } from './values/time.ts';

export type ColumnType =
  | 'uuid'
  | 'int8'
  | 'int4'
  | 'int2'
  | 'timestamptz'
  | 'text'
  | 'jsonb'
  | 'date'
  | 'boolean'
  | 'bytea'
  | 'text[]';
/** As the encoders of columns take it: an id or text, a bigint, a number of milliseconds. */
export type ColumnValue = string | bigint | number | null;

/** What a field is shown as: one member of the JSON or more. */
interface Shown<V> {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** What the API reference shows; by its schema, if a member is not there. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** The members, without a comma around them. `object` is the whole one, for what depends on another field. */
  json(this: void, value: V, object: Readonly<Record<string, unknown>>): string;
}

export interface Field<V> {
  readonly column: {
    readonly type: ColumnType;
    /** `null`: the name of the property in snake case. */
    readonly name: string | null;
    /** Whether updates write it. */
    readonly mutable: boolean;
    encode(value: V): ColumnValue;
    decode(stored: unknown): V;
  };
  /** By the name of the property in snake case. `null`: it is kept, and shown to nobody. */
  readonly shown: ((name: string) => Shown<V>) | null;
}

/** Members that follow from other fields and are not stored. */
interface Derived {
  readonly column: null;
  readonly shown: () => Shown<unknown>;
}

export type Fields = Readonly<Record<string, Field<unknown> | Derived>>;

export type Values<F extends Fields> = {
  readonly [P in keyof F as F[P] extends Derived ? never : P]: F[P] extends Field<infer V> ? V : never;
};

export type ObjectOf<T> =
  T extends ObjectType<infer K, infer F>
    ? { readonly object: K; readonly id: string; readonly createdAt: number } & Values<F>
    : never;

export interface ObjectType<K extends string, F extends Fields> {
  readonly object: K;
  readonly prefix: Prefix;
  readonly fields: F;
  /** Of the members behind `id`, `object`, `created` and `livemode`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The same members as an object of the API reference has them. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** The name on the wire of a property that is one member. */
  memberOf(this: void, property: string): string;
  /** The JSON of these members, each with a comma in front. */
  members(object: ObjectOf<ObjectType<K, F>>): string;
  /** The object as exact JSON. `more`: members that are in no field, from a comma on. */
  render(object: ObjectOf<ObjectType<K, F>>, livemode: boolean, more?: string): string;
}

export function objectType<K extends string, F extends Fields>(object: K, prefix: Prefix, fields: F): ObjectType<K, F> {
  const known = Object.entries(fields).flatMap(([property, { shown }]) =>
    shown === null ? [] : [{ property, ...shown(snakeCase(property)) }],
  );
  const schemas: Readonly<Record<string, JsonSchema>> = Object.assign({}, ...known.map((each) => each.schemas));
  const examples = [exampleBy({ type: 'object', properties: schemas }), ...known.map((each) => each.examples)];
  const members = known.map(({ property, json }) => ({ property, json })); // of one shape
  const names = new Map(known.map((each) => [each.property, Object.keys(each.schemas)[0] as string]));
  const head = `","object":"${object}","created":`;
  const membersOf = (value: object) => {
    const values = value as Readonly<Record<string, unknown>>;
    let json = '';
    for (const member of members) json += `,${member.json(values[member.property], values)}`;
    return json;
  };
  return {
    object,
    prefix,
    fields,
    schemas,
    examples: Object.assign({}, ...examples) as Readonly<Record<string, unknown>>,
    memberOf: (property) => names.get(property) ?? snakeCase(property),
    members: membersOf,
    render(value, livemode, more = '') {
      const { id, createdAt } = value as { readonly id: string; readonly createdAt: number };
      return `{"id":"${id}${head}${unixSeconds(createdAt)},"livemode":${livemode}${membersOf(value)}${more}}`;
    },
  };
}

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export interface Options {
  readonly description?: string;
  /** Column and member, where the property's name in snake case is not theirs. */
  readonly column?: string;
  readonly member?: string;
  /** Updates write it. */
  readonly mutable?: true;
  /** Kept, and shown to nobody. */
  readonly hidden?: true;
  /** Instead of the example of its kind. */
  readonly example?: unknown;
  /** Instead of the schema of its kind. */
  readonly schema?: JsonSchema;
}

interface Kind<V> {
  readonly type: ColumnType;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  encode(value: V): ColumnValue;
  decode(stored: unknown): V;
  json(value: V): string;
}

function field<V>({ type, schema, encode, decode, json, example: usual }: Kind<V>, options: Options = {}): Field<V> {
  const { description, column = null, member, mutable = false, hidden = false } = options;
  const about = options.schema ?? (description === undefined ? schema : { ...schema, description });
  const { example = usual } = options;
  const shown = (name: string): Shown<V> => {
    const label = `"${member ?? name}":`;
    const none = `${label}null`; // most members of most objects
    const examples = example === undefined ? {} : { [member ?? name]: example };
    return {
      schemas: { [member ?? name]: about },
      examples,
      json: (value) => (value === null ? none : label + json(value)),
    };
  };
  return { column: { type, name: column, mutable, encode, decode }, shown: hidden ? null : shown };
}

/** Of texts that hold nothing which JSON escapes. */
const quoted = (text: string) => `"${text}"`;

function nullable<V>({ type, schema, encode, decode, json }: Kind<V>): Kind<V | null> {
  return {
    type,
    schema: { ...schema, type: [schema.type as string, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) },
    encode: (value) => (value === null ? null : encode(value)),
    decode: (stored) => (stored === null ? null : decode(stored)),
    json: (value) => (value === null ? 'null' : json(value)),
  };
}

/** A kind whose values are stored as they are. */
function kind<V extends ColumnValue>(
  type: ColumnType,
  schema: JsonSchema,
  json: (value: V) => string,
  example?: unknown,
): Kind<V> {
  return { type, schema, example, json, encode: (value) => value, decode: (stored) => stored as V };
}

const TEXT = kind<string>('text', { type: 'string' }, JSON.stringify);
const CODE = kind<string>('text', { type: 'string' }, quoted);
const DAY = kind<string>('date', { type: 'string', format: 'date' }, quoted, '2026-11-21');
const COUNT = kind<number>('int4', { type: 'integer' }, String);
const MINOR = kind<bigint>('int8', { type: 'integer' }, String);
const INSTANT = kind<number>('timestamptz', { type: 'integer' }, (atMs) => String(unixSeconds(atMs)), 1_732_184_000);
const FLAG: Kind<boolean> = {
  type: 'boolean',
  schema: { type: 'boolean' },
  encode: String,
  decode: (stored) => stored as boolean,
  json: String,
};
const idKind = (prefix: Prefix): Kind<string> => ({
  ...kind<string>('uuid', { type: 'string' }, quoted, exampleId(prefix)),
  decode: (stored) => idOf(prefix, stored as string),
});

/** Text of people, escaped. */
export const text = (options?: Options) => field(TEXT, options);
export const textOrNull = (options?: Options) => field(nullable(TEXT), options);
export const currency = (options?: Options) => field({ ...CODE, example: 'EUR' }, options);
/** Text of ours, such as a currency: letters, digits, `_`, `-`, `.`. */
export const code = (options?: Options) => field(CODE, options);
/** An ISO date. */
export const day = (options?: Options) => field(DAY, options);
export const dayOrNull = (options?: Options) => field(nullable(DAY), options);
export const count = (options?: Options) => field(COUNT, options);
export const countOrNull = (options?: Options) => field(nullable(COUNT), options);
/** A count that may pass 2^31, such as a sequence. */
export const bigCount = (options?: Options) => field(MINOR, options);
/** Minor units, shown as the one integer. */
export const minor = (options?: Options) => field(MINOR, options);
export const minorOrNull = (options?: Options) => field(nullable(MINOR), options);
export const instant = (options?: Options) => field(INSTANT, options);
export const instantOrNull = (options?: Options) => field(nullable(INSTANT), options);
export const flag = (options?: Options) => field(FLAG, options);
export const flagOrNull = (options?: Options) => field(nullable(FLAG), options);
export const id = (prefix: Prefix, options?: Options) => field(idKind(prefix), options);
export const idOrNull = (prefix: Prefix, options?: Options) => field(nullable(idKind(prefix)), options);

const oneOfKind = <V extends string>(values: readonly V[]) => kind<V>('text', { type: 'string', enum: values }, quoted);
export const oneOf = <V extends string>(values: readonly V[], options?: Options) => field(oneOfKind(values), options);
export const oneOfOrNull = <V extends string>(values: readonly V[], options?: Options) =>
  field(nullable(oneOfKind(values)), options);

/** Several texts, in their order; `null` where nothing was said, which is not the same as none. */
export const textsOrNull = (options?: Options) =>
  field<readonly string[] | null>(
    {
      type: 'text[]',
      schema: { type: ['array', 'null'], items: { type: 'string' } },
      encode: (texts) => texts && `{${texts.map((each) => `"${each.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`,
      decode: (stored) => stored as readonly string[] | null,
      json: JSON.stringify,
    },
    options,
  );

/** Several texts, in their order. */
export const texts = (options?: Options) => textsOrNull(options) as Field<readonly string[]>;

/** Several words of a few, each once, in the order of `values`. */
export function words<V extends string>(values: readonly V[], options?: Options): Field<readonly V[]> {
  const { column, shown } = textsOrNull({
    example: values,
    ...options,
    schema: { type: 'array', items: { type: 'string', enum: values }, description: options?.description ?? '' },
  });
  return { column, shown } as Field<readonly V[]>;
}

/** Bytes, in hex; never shown. */
export const hiddenBytes = (options?: Options) =>
  field<string>(
    {
      type: 'bytea',
      schema: {},
      encode: (hex) => `\\x${hex}`,
      decode: (stored) => (stored as Uint8Array & { toString(encoding: 'hex'): string }).toString('hex'),
      json: JSON.stringify,
    },
    { ...options, hidden: true },
  );

/** Who asked for it; `null` on objects that are older than actors. */
export const actor = (options?: Options) =>
  field<Actor | null>(
    {
      type: 'uuid',
      schema: ACTOR_SCHEMA,
      example: exampleId('key'),
      encode: actorId,
      decode: (stored) => actorOf(stored as string | null),
      json: (value) => (value === null ? 'null' : `"${value}"`),
    },
    options,
  );

const jsonKind = <V extends object>(schema: JsonSchema): Kind<V> => ({
  type: 'jsonb',
  schema,
  encode: (value) => JSON.stringify(value),
  decode: (stored) => JSON.parse(stored as string) as V,
  json: JSON.stringify,
});
export const json = <V extends object>(schema: JsonSchema, options?: Options) => field(jsonKind<V>(schema), options);
export const jsonOrNull = <V extends object>(schema: JsonSchema, options?: Options) =>
  field(nullable(jsonKind<V>(schema)), options);

/** `sparse`: nothing noted is null in the table. */
export function metadata({
  sparse,
  ...options
}: Options & { readonly sparse?: true } = {}): Field<Readonly<Record<string, string>>> {
  return field<Readonly<Record<string, string>>>(
    {
      type: 'jsonb',
      schema: ref('Metadata'),
      example: {},
      encode: (value) => (sparse && Object.keys(value).length === 0 ? null : JSON.stringify(value)),
      decode: (stored) => (stored === null ? {} : (JSON.parse(stored as string) as Record<string, string>)),
      json: JSON.stringify,
    },
    options,
  );
}

interface MoneyOptions extends Options {
  /** Property with the currency; `currency` unless named. */
  readonly of?: string;
  /** In front of the members' names: `sell_` makes `sell_amount`. */
  readonly prefix?: string;
  readonly minorDescription?: string;
  /** Minor units, of a currency with two places. */
  readonly example?: number;
}

const IN_MINOR_UNITS = 'The same in minor units.';

const exampleAmount = (prefix: string, minor: number | null) => ({
  [`${prefix}amount`]: minor && minor / 100,
  [`${prefix}amount_minor`]: minor,
});

/** Both members of an amount; null where there is none. */
const moneyJson = (name: string, of: string) => (value: bigint | null, object: Readonly<Record<string, unknown>>) =>
  moneyMembers(name, value, object[of] as string);

/** An amount in minor units, shown in major and minor units. */
export function money(options: MoneyOptions = {}): Field<bigint> {
  const { of = 'currency', prefix = '', description = 'Major units.', minorDescription: about } = options;
  const member = `${prefix}amount`;
  const shown = {
    schemas: {
      [member]: { type: 'number', exclusiveMinimum: 0, description },
      [`${member}_minor`]: { type: 'integer', minimum: 1, ...(about !== undefined && { description: about }) },
    },
    examples: exampleAmount(prefix, options.example ?? 25_000),
    json: moneyJson(member, of),
  };
  return { ...field(MINOR, options), shown: () => shown };
}

/** The same, where there may be none: both members are null then. */
export function moneyOrNull(options: MoneyOptions = {}): Field<bigint | null> {
  const { of = 'currency', prefix = '', description = 'Major units.', minorDescription = IN_MINOR_UNITS } = options;
  const member = `${prefix}amount`;
  const shown = {
    schemas: {
      [member]: { type: ['number', 'null'], description },
      [`${member}_minor`]: { type: ['integer', 'null'], description: minorDescription },
    },
    examples: exampleAmount(prefix, options.example ?? null),
    json: moneyJson(member, of),
  };
  return { ...field(nullable(MINOR), options), shown: () => shown };
}

/** What came or went so far, zero included: `amount_received` in major units, and `amount_received_minor`. */
export function sum(member: string, options: Options): Field<bigint> {
  const { description = '' } = options;
  const shown = {
    schemas: { [member]: { type: 'number', description }, [`${member}_minor`]: { type: 'integer' } },
    json: moneyJson(member, 'currency'),
  };
  return { ...field(MINOR, options), shown: () => shown };
}

/** The same, where it may not be known: both members are null then. */
export function sumOrNull(member: string, options: Options): Field<bigint | null> {
  const { description = '' } = options;
  const shown = {
    schemas: {
      [member]: { type: ['number', 'null'], description },
      [`${member}_minor`]: { type: ['integer', 'null'], description: IN_MINOR_UNITS },
    },
    json: moneyJson(member, 'currency'),
  };
  return { ...field(nullable(MINOR), options), shown: () => shown };
}

/** A member that follows from other fields of the object, as JSON. */
export function derived(
  member: string,
  schema: JsonSchema,
  json: (object: never) => string,
  example: unknown = exampleBy(schema),
): Derived {
  const shown = {
    schemas: { [member]: schema },
    examples: { [member]: example },
    json: (_: unknown, object: unknown) => `"${member}":${json(object as never)}`,
  };
  return { column: null, shown: () => shown };
}
