/**
 * Requests drawn from the OpenAPI document: valid ones, nearly valid ones (one thing wrong) and wild ones, for every
 * operation, with ids that exist. `mustRefuse` is what the document alone says about a JSON body or a query: no 200.
 */
import { camt } from '../bank/camt.ts';
import fc from 'fast-check';
import { stringify } from 'qs';
import type { Operation, Parameter } from './contract.ts';
import { type Fixtures, houseBank } from '../harness/fixtures.ts';
import type { Json, JsonValue } from '../harness/http.ts';
import { exampleBody, KINDS, type Kind, kindOf, pathOf } from './places.ts';
import { type Schema, schemaFaults } from './schema.ts';

export interface Request {
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
  /** Why the document does not allow it, if it does not. */
  readonly mustRefuse?: string;
}

const KEPT_IDS = 30;

/** Ids to draw from; answers add to it while it is drawn from, and the oldest are forgotten. */
export class KnownIds {
  readonly #ids: Readonly<Record<Kind, string[]>>;
  readonly #first: Fixtures;
  readonly #never: ReadonlySet<string>;

  /** `never`: ids that are not learned. */
  constructor(fixtures: Fixtures, never: readonly string[] = []) {
    this.#never = new Set(never);
    this.#first = fixtures;
    this.#ids = Object.fromEntries(KINDS.map((kind) => [kind, [fixtures[kind]]])) as Record<Kind, string[]>;
  }

  /** The ids of the beginning: those in one path belong together. */
  get first(): Fixtures {
    return this.#first;
  }

  at(kind: Kind, n: number): string {
    const ids = this.#ids[kind];
    return ids[n % ids.length] as string;
  }

  /** What examples are filled with: the funded accounts of the beginning, the newest of the rest. */
  fixtures(): Fixtures {
    const { acct, otherAccount, bankNumber } = this.#first;
    const newest = Object.fromEntries(KINDS.map((kind) => [kind, this.#ids[kind].at(-1)])) as Record<Kind, string>;
    return { ...newest, acct, otherAccount, bankNumber, quote: newest.quo };
  }

  /** Notes every id in a text. */
  learn(text: string): void {
    for (const [id, prefix] of text.matchAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g)) {
      const ids = this.#ids[prefix as Kind] as string[] | undefined;
      if (!ids || ids.includes(id) || this.#never.has(id)) continue;
      ids.push(id);
      if (ids.length > KEPT_IDS) ids.shift();
    }
  }
}

type Draw = fc.Arbitrary<JsonValue>;

const CURRENCY = '^[A-Za-z]{3}$';
const CURRENCIES = fc.constantFrom('EUR', 'EUR', 'USD', 'GBP', 'JPY', 'eur', 'KWD');
const MONTH = String.raw`^20\d\d-(?:0[1-9]|1[0-2])$`;
const COUNTRIES = fc.constantFrom('DE', 'US', 'gb', 'FR', 'MX');
const AMOUNTS: Draw = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }).map((minor) => minor / 100),
  fc.constantFrom<JsonValue>('250.00', '1', 5, '0.01', 0.1),
);
const NAMES = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => text.replace(/[[\]]/g, '-'));
const METADATA = fc.dictionary(NAMES, fc.string({ maxLength: 20 }), { maxKeys: 3 });
const UNKNOWN_NAMES = fc.stringMatching(/^z[a-z_]{1,12}$/);
const ANY_JSON = fc.jsonValue({ maxDepth: 3 }) as Draw;
const ANY_BYTES = fc.string({ unit: 'binary' });

/** Generators of text by their lengths. Each takes a millisecond to make, and hundreds of fields have the same lengths. */
const texts = new Map<string, fc.Arbitrary<string>>();
function graphemes(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const lengths = `${minLength} ${maxLength}`;
  const known = texts.get(lengths) ?? fc.string({ unit: 'grapheme', minLength, maxLength });
  texts.set(lengths, known);
  return known;
}

export function requestOf(
  operation: Operation,
  ids: KnownIds,
  { isRare = false }: { readonly isRare?: boolean } = {},
): fc.Arbitrary<Request> {
  const id = (kind: Kind): fc.Arbitrary<string> =>
    fc.oneof(
      { arbitrary: fc.oneof(fc.nat(1), fc.nat(999)).map((n) => ids.at(kind, n)), weight: 9 },
      { arbitrary: fc.constant(`${kind}_01jd3v9q4ne8v8k3w2m6r5t7xa`), weight: 1 },
    );

  const valueOf = (schema: Schema): Draw => {
    const kind = kindOf(schema);
    if (kind !== undefined) return id(kind);
    const { type, format, pattern, examples } = schema as {
      type?: unknown;
      format?: string;
      pattern?: string;
      examples?: JsonValue[];
    };
    if (Array.isArray(schema['enum'])) {
      const words = schema['enum'] as JsonValue[];
      // A PDF takes a thread of its own, and half a second to start it from source: seldom.
      const others = fc.constantFrom(...words.filter((word) => word !== 'pdf'));
      return words.includes('pdf') ? fc.oneof({ arbitrary: others, weight: 19 }, fc.constant('pdf')) : others;
    }
    if (schema['const'] !== undefined) return fc.constant(schema['const'] as JsonValue);
    if (Array.isArray(schema['anyOf'])) {
      const either = schema['anyOf'] as Schema[];
      const some = either.filter((each) => each['type'] !== 'null');
      const value = some.some((each) => each['type'] === 'number') ? AMOUNTS : fc.oneof(...some.map(valueOf));
      return some.length === either.length ? value : fc.oneof({ arbitrary: value, weight: 9 }, fc.constant(null));
    }
    if (Array.isArray(type) && type.includes('null')) {
      const [of] = type.filter((each) => each !== 'null') as readonly string[];
      return fc.oneof({ arbitrary: valueOf({ ...schema, type: of }), weight: 9 }, fc.constant(null));
    }
    if (pattern === CURRENCY) return CURRENCIES;
    if (pattern === '^[A-Za-z]{2}$') return COUNTRIES;
    if (pattern === MONTH) return fc.constantFrom('2026-09', '2026-10', '2026-11', '2099-01');
    if (type === 'object') return objectOf(schema);
    if (type === 'array') {
      const item = valueOf(schema['items'] as Schema);
      return fc.array(item, { minLength: Number(schema['minItems'] ?? 0), maxLength: 4 }) as fc.Arbitrary<JsonValue>;
    }
    if (type === 'boolean') return fc.boolean();
    if (type === 'integer') {
      const [min, max] = [Number(schema['minimum'] ?? 0), Number(schema['maximum'] ?? 1_000_000)];
      return fc.oneof(fc.integer({ min, max: Math.min(max, min + 100) }), fc.constantFrom(min, max));
    }
    if (format === 'date')
      return fc
        .integer({ min: -1, max: 400 })
        .map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const maxLength = Math.min(Number(schema['maxLength'] ?? 40), 40);
    const text = graphemes(Number(schema['minLength'] ?? 0), maxLength);
    return examples ? fc.oneof(fc.constantFrom(...examples), text) : text;
  };

  const objectOf = (schema: Schema): fc.Arbitrary<Json> => {
    const open = schema['additionalProperties'];
    if (typeof open === 'object') {
      const isByCurrency = (schema['propertyNames'] as Schema | undefined)?.['pattern'] === CURRENCY;
      return isByCurrency ? fc.dictionary(CURRENCIES, valueOf(open as Schema), { maxKeys: 3 }) : METADATA;
    }
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    const required = (schema['required'] ?? []) as string[];
    const record = Object.fromEntries(properties.map(([name, inner]) => [name, valueOf(inner)]));
    return fc.record(record, { requiredKeys: required });
  };

  const drawn = fc
    .tuple(
      fc.nat(999),
      fc.oneof(
        { arbitrary: fc.constant(null), weight: 12 },
        { arbitrary: fc.constantFrom('x', '%00', 'po_', '%C3%A9', 'a'.repeat(400)), weight: 1 },
      ),
    )
    .map(([n, odd]) =>
      operation.path.replace(/\{[a-z_]+\}/g, (name) => {
        const schema =
          operation.parameters.find((each) => each.in === 'path' && `{${each.name}}` === name)?.schema ?? {};
        return odd ?? ids.at(kindOf(schema) as Kind, n);
      }),
    );
  // Ids drawn one by one seldom belong together, as a delivery and its endpoint do.
  const first = fc.constant(pathOf(operation, (kind) => ids.first[kind]));
  const isChain = operation.path.includes('}/') && operation.path.endsWith('}');
  // A batch that is canceled can be approved no more, and few can be: only the first one is canceled, unless nothing else is left to see (`isRare`).
  const isFirstOnly = operation.operationId === 'cancelPayoutBatch' && !isRare;
  const path = isFirstOnly ? first : isChain ? fc.oneof(drawn, first) : drawn;

  return fc
    .tuple(path, queryOf(operation, valueOf), bodyOf(operation, ids, objectOf), headersOf())
    .map(([pathname, query, body, given]): Request => {
      const mustRefuse = query.mustRefuse ?? body.mustRefuse;
      const url = query.text === '' ? pathname : `${pathname}?${query.text}`;
      const headers = { ...given, ...(body.text !== '' && { 'content-type': body.type }) };
      const shown = { [fc.toStringMethod]: () => `${operation.method} ${url} ${JSON.stringify(headers)} ${body.text}` };
      return { operation, url, headers, payload: body.text, ...(mustRefuse !== undefined && { mustRefuse }), ...shown };
    });
}

const headersOf = () =>
  fc
    .tuple(
      // Most keys are new; a few are used again, for the same request or another.
      fc.oneof(
        { arbitrary: fc.constant(null), weight: 6 },
        { arbitrary: fc.uuid(), weight: 3 },
        { arbitrary: fc.nat(30).map(String), weight: 1 },
      ),
      fc.constantFrom(undefined, undefined, undefined, 'application/problem+json', '*/*'),
      fc.constantFrom(...Array<undefined>(30).fill(undefined), '', 'k'.repeat(256), 'ké'),
    )
    .map(([key, accept, odd]) => ({
      ...(key !== null && { 'idempotency-key': key }),
      ...(odd !== undefined && { 'idempotency-key': odd }),
      ...(accept !== undefined && { accept }),
    }));

interface Part {
  readonly text: string;
  readonly mustRefuse?: string;
}

function queryOf(operation: Operation, valueOf: (schema: Schema) => Draw): fc.Arbitrary<Part> {
  // `status[]` takes one value as `status`.
  const parameters = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((each): Parameter[] => {
      const single = each['x-single'];
      return single === undefined ? [each] : [{ ...each, name: single, schema: each.schema['items'] as Schema }, each];
    });
  const bare = (parameter: Parameter) => parameter.name.replace('[]', '');
  const required = parameters.filter((parameter) => parameter.required).map(bare);
  const optional = parameters.filter((parameter) => !parameter.required).map(bare);
  // `status` and `status[]` are one parameter in two forms.
  const formsOf = (name: string) =>
    parameters.filter((each) => bare(each) === name).map(({ schema }) => valueOf(schema));
  const all = fc.record(Object.fromEntries(parameters.map((each) => [bare(each), fc.oneof(...formsOf(bare(each)))])));
  // A few at a time: many at once nearly always exclude each other.
  const few = fc
    .tuple(all, fc.subarray(optional, { maxLength: Math.min(3, optional.length) }))
    .map(([drawn, chosen]) => Object.fromEntries([...required, ...chosen].map((name) => [name, drawn[name]])));
  const valid = few.map((query): Part => ({ text: stringify(query, { arrayFormat: 'brackets' }) }));
  const unknown = fc
    .tuple(valid, UNKNOWN_NAMES)
    .map(([{ text }, name]): Part => ({ text: `${text}${text && '&'}${name}=1`, mustRefuse: `there is no ${name}` }));
  // What the document bounds, one step beyond its bounds.
  const beyond = parameters.flatMap(({ name, schema }): Part[] => {
    const { minimum, maximum, enum: words } = schema as { minimum?: number; maximum?: number; enum?: unknown[] };
    const values = [
      minimum === undefined ? [] : [minimum - 1],
      maximum === undefined ? [] : [maximum + 1],
      words ? ['wrong'] : [],
    ];
    return values.flat().map((value) => ({ text: `${name}=${value}`, mustRefuse: `${name} cannot be ${value}` }));
  });
  const wrong = beyond.length > 0 ? fc.constantFrom(...beyond) : unknown;
  const wild = fc
    .array(fc.constantFrom('limit', 'created', '[', ']', '=', '&', '%', '%41', 'a', '[]', '[gte]', '5', '+'), {
      maxLength: 8,
    })
    .map((pieces): Part => ({ text: pieces.join('') }));
  const [often, seldom] = operation.method === 'GET' ? [12, 2] : [40, 1];
  return fc.oneof(
    { arbitrary: operation.method === 'GET' ? valid : fc.constant({ text: '' }), weight: often },
    { arbitrary: unknown, weight: seldom },
    { arbitrary: wrong, weight: seldom },
    { arbitrary: wild, weight: seldom },
  );
}

const WRONG: Draw = fc.constantFrom<JsonValue>(
  null,
  true,
  5,
  -1,
  0,
  1.5,
  '',
  'x',
  '60',
  'true',
  [],
  ['x'] as never,
  {},
  { a: 1 },
  'x'.repeat(600),
  '\u0000',
  'a\u202eb',
  '5'.repeat(400),
  999_999_999_999_999,
  1e21,
  '4111111111111111',
);

/** A statement of the bank account, or something that is none. */
function fileOf(number: string): fc.Arbitrary<Part & { readonly type: string }> {
  const statement = fc.record({
    iban: fc.constantFrom(number, number, number, '000000000'),
    currency: fc.constant('EUR'),
    day: fc.integer({ min: 1, max: 28 }).map((day) => `2027-01-${String(day).padStart(2, '0')}`),
    opening: fc.constantFrom('100.00', '7.00', '-1.00'),
    closing: fc.constantFrom('100.00', '8.00'),
    entries: fc.array(fc.record({ amount: fc.constantFrom('1.00', '-1.00', '12.50') }), { maxLength: 5 }),
  });
  const files = statement.map((each) => camt([each]));
  const text = fc.oneof({ arbitrary: files, weight: 8 }, fc.constantFrom('', 'x', '<Document/>'));
  return fc.record({ text, type: fc.constantFrom('application/xml', 'application/octet-stream', 'text/plain') });
}

/** What an example cannot know: a bank account is added once. */
function exampleOf(operation: Operation, ids: KnownIds): Json {
  const body = exampleBody(operation, ids.fixtures());
  if (operation.operationId !== 'createBankAccount') return body;
  return { ...body, bank_details: houseBank().bank_details };
}

function bodyOf(
  operation: Operation,
  ids: KnownIds,
  objectOf: (schema: Schema) => fc.Arbitrary<Json>,
): fc.Arbitrary<Part & { readonly type: string }> {
  const { body: schema } = operation;
  if (operation.bodyTypes.includes('application/xml')) return fileOf(ids.first.bankNumber);
  if (!schema) {
    const odd = fc.constantFrom('', '', '', '', '', '{}', '{"a":1}', '[', '\u0000').map((text) => ({
      text: operation.method === 'GET' ? '' : text,
      type: 'application/json',
      ...(text === '{"a":1}' && operation.method !== 'GET' && { mustRefuse: 'it takes no parameters' }),
    }));
    return odd;
  }
  const names = Object.keys(schema['properties'] as object);
  const example = fc.constant(null).map(() => exampleOf(operation, ids));
  const overlaid = fc
    .tuple(example, objectOf(schema), fc.subarray(names, { maxLength: Math.min(2, names.length) }))
    .map(([base, drawn, chosen]) => {
      const extra = chosen.filter((name) => drawn[name] !== undefined);
      return { ...base, ...Object.fromEntries(extra.map((name) => [name, drawn[name] as JsonValue])) };
    });
  const valid = fc.oneof(
    { arbitrary: example, weight: 2 },
    { arbitrary: overlaid, weight: 3 },
    { arbitrary: objectOf(schema), weight: 1 },
  );
  const nearly = fc
    .tuple(valid, fc.constantFrom(...names, 'unknwon'), fc.option(WRONG, { freq: 4, nil: undefined }))
    .map(([body, name, wrong]) => {
      const { [name]: _, ...others } = body;
      return wrong === undefined ? others : { ...others, [name]: wrong };
    });
  const json = fc.oneof(
    { arbitrary: valid, weight: 3 },
    { arbitrary: nearly, weight: 3 },
    { arbitrary: ANY_JSON, weight: 1 },
  );
  const asJson = json.map((body) => {
    const [fault] = schemaFaults(schema, body, {});
    return { text: JSON.stringify(body), type: 'application/json', ...(fault !== undefined && { mustRefuse: fault }) };
  });
  const form = valid.map((body) => ({ text: stringify(body), type: 'application/x-www-form-urlencoded' }));
  const wild = fc
    .tuple(
      fc.oneof(
        ANY_BYTES,
        fc
          .array(fc.constantFrom('{', '}', '"a"', ':', ',', '[', ']', '1', 'amount', '=', '&', '%', '\n', '"'), {
            maxLength: 10,
          })
          .map((pieces) => pieces.join('')),
      ),
      fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'text/csv',
        'text/plain',
        'application/json; charset=utf-16',
        'nonsense',
      ),
    )
    .map(([text, type]) => ({ text, type }));
  return fc.oneof({ arbitrary: asJson, weight: 6 }, { arbitrary: form, weight: 2 }, { arbitrary: wild, weight: 1 });
}
