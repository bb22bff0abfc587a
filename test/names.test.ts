/**
 * The names of the interface, as they are to stay from 1.0 on (docs/decisions/0092): what a path is called, what its objects are called, and
 * what events are called. Every rule has a control beside it: a name that it must flag.
 */
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../src/core/event-types.ts';
import { SCOPES } from '../src/platform/http/route.ts';
import { DOCUMENT } from './support/harness/all-routes.ts';

type Json = Readonly<Record<string, unknown>>;
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}
const document = DOCUMENT as unknown as Document;

/** Paths that are called otherwise, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  '/v1/audit_log': 'audit_entry',
};

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(?<=ch|s)es$/, '')
    .replace(/s$/, '');
const schemaNamed = ({ components }: Document, reference: unknown): Json | undefined =>
  components.schemas[String(reference).replace('#/components/schemas/', '')];
/** The word in `object`, of a schema or of what it refers to. */
function objectOf(of: Document, schema: Json | undefined): string | undefined {
  if (schema?.['$ref'] !== undefined) return objectOf(of, schemaNamed(of, schema['$ref']));
  const { object } = (schema?.['properties'] ?? {}) as { readonly object?: { readonly const?: string } };
  return object?.const;
}
function answerOf(of: Document, path: string): Json | undefined {
  const at = (value: unknown, ...way: readonly string[]): unknown =>
    way.reduce<unknown>((node, name) => {
      const inner = (node as Json | undefined)?.[name] as Json | undefined;
      const { $ref: reference } = inner ?? {};
      return typeof reference === 'string' && reference.startsWith('#/components/responses/')
        ? at(of, ...reference.slice(2).split('/'))
        : inner;
    }, value);
  return at(of.paths[path], 'get', 'responses', '200', 'content', 'application/json', 'schema') as Json | undefined;
}

/** `GET /v1/<objects>` and `GET /v1/<objects>/{id}` answer objects that are called as the path is, in the singular. */
function misnamedObjects(of: Document): string[] {
  return Object.keys(of.paths).flatMap((path) => {
    const collection = /^(\/v1\/([a-z_]+))(?:\/\{id\})?$/.exec(path);
    if (collection === null) return [];
    const [, root = '', word = ''] = collection;
    const answer = answerOf(of, path);
    const schema = answer?.['$ref'] === undefined ? answer : schemaNamed(of, answer['$ref']);
    const list = (schema?.['properties'] as Readonly<Record<string, Json>> | undefined)?.['data'];
    const object = objectOf(of, list === undefined ? answer : (list['items'] as Json));
    // What has no id, such as balances, is called as its path.
    const wanted = [OTHERWISE[root] ?? singular(word), ...(list === undefined && !path.endsWith('}') ? [word] : [])];
    return object === undefined || wanted.includes(object) ? [] : [`${path} answers ${object}`];
  });
}

/** Lists below an object whose items are objects of another path, which are listed there with a filter. */
const LISTED_BELOW: Readonly<Record<string, string>> = {
  '/v1/accounts/{id}/transfers': 'A statement: each has the amount as the account sees it, and the balance after it.',
  '/v1/events/{id}/deliveries': 'Whole, without pages: what each endpoint got of one event.',
};
const nestedLists = (of: Document): string[] =>
  Object.keys(of.paths).filter((path) => {
    if (!/\}\/[a-z_]+(?:\/\{[a-z]+\})?$/.test(path) || LISTED_BELOW[path] !== undefined) return false;
    const answer = answerOf(of, path);
    const { data, id } = (resolved(of, answer ?? {})['properties'] ?? {}) as Readonly<Record<string, Json>>;
    const item = data === undefined ? undefined : resolved(of, data['items'] as Json);
    const { id: idOfItem } = (item?.['properties'] ?? {}) as Json;
    return idOfItem !== undefined || (id !== undefined && path.endsWith('}'));
  });

/** What there is one of, such as settings, has no id: nobody can ask for another one. */
const inventedIds = (of: Document): string[] =>
  Object.keys(of.paths).filter((path) => {
    const answer = path.includes('{') ? undefined : answerOf(of, path);
    const schema = answer?.['$ref'] === undefined ? answer : schemaNamed(of, answer['$ref']);
    const { id, data } = (schema?.['properties'] ?? {}) as Json;
    return id !== undefined && data === undefined;
  });

/** A parameter of an update takes the null that answers show, so that an answer can be sent back. */
function refusedNulls(of: Document): string[] {
  return Object.entries(of.paths).flatMap(([path, { post }]) => {
    const isUpdate = path.endsWith('/{id}') || path.startsWith('/v1/settings');
    if (!isUpdate || post === undefined) return [];
    const body = schemaAt(of, post, 'requestBody', 'content', 'application/json', 'schema');
    const answer = schemaAt(of, post, 'responses', '200', 'content', 'application/json', 'schema');
    return Object.keys(body)
      .filter((name) => mayBeNull(of, answer[name]) && !mayBeNull(of, body[name]))
      .map((name) => `${path} ${name}`);
  });
}
const schemaAt = (of: Document, operation: Json, ...way: readonly string[]): Readonly<Record<string, Json>> => {
  const step = (node: Json, name: string): Json => resolved(of, (node[name] ?? {}) as Json);
  return (way.reduce(step, operation)['properties'] ?? {}) as Readonly<Record<string, Json>>;
};
const resolved = (of: Document, node: Json): Json => {
  const { $ref: reference } = node;
  if (typeof reference !== 'string') return node;
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((at, name) => at[name] as Json, of as unknown as Json);
};
function mayBeNull(of: Document, schema: Json | undefined): boolean {
  if (schema === undefined) return false;
  const { type, anyOf = [], oneOf = [] } = resolved(of, schema) as { type?: unknown; anyOf?: Json[]; oneOf?: Json[] };
  return [type].flat().includes('null') || [...anyOf, ...oneOf].some((each) => mayBeNull(of, each));
}

/** Words of a path stand in lower case, and none is a room that only groups others. */
const grouped = (of: Document, groups: readonly string[]): string[] =>
  Object.keys(of.paths).filter((path) => groups.some((group) => path.startsWith(`/v1/${group}/`)));

/** An event is called `<object>.<what happened>`. */
function misnamedEvents(types: readonly string[], of: Document): string[] {
  const objects = new Set(Object.values(of.components.schemas).map((schema) => objectOf(of, schema)));
  // A balance is that of an account; a restored environment and a ping are about no object that can be retrieved.
  const others = ['balance', 'environment', 'ping'];
  return types.filter((type) => {
    const family = type.split('.')[0] as string;
    return !objects.has(family) && !others.includes(family);
  });
}

/** What is no path, and why a scope is called so. */
const OTHER_SCOPES: Readonly<Record<string, string>> = {
  payout_rules: 'They stand under /v1/settings/payouts.',
  payout_approvals: 'A second person approves payouts, batches and looser rules, and need not be able to make any.',
  bank_account_approvals: 'The same for bank accounts.',
  reconciliation: 'It stands under a bank account.',
  payroll: 'It shows more of what other scopes show (decision 0090).',
  metrics: 'They are no operation of a merchant.',
};

const misnamedScopes = (scopes: readonly string[], { paths }: Document): string[] =>
  scopes.filter((scope) => {
    const word = scope.split(':')[0] as string;
    const isPath = Object.keys(paths).some((path) => path === `/v1/${word}` || path.startsWith(`/v1/${word}/`));
    return !isPath && OTHER_SCOPES[word] === undefined;
  });

const PERSONAL = /^(?:name|email|phone|iban|bic|account_number|address)(?:\[\])?$/;

/** Addresses are logged, here and by every proxy: what is looked for of a person stands in a body. */
function personalInAddresses({ paths }: Document): string[] {
  const parametersOf = (operation: Json) => (operation['parameters'] ?? []) as readonly Json[];
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations)
      .flatMap(parametersOf)
      .filter((each) => each['in'] === 'query' && PERSONAL.test(each['name'] as string))
      .map((each) => `${path}?${each['name'] as string}`),
  );
}

/** Every property of answers and events, with those beside it: `[schema, name, property, all of them]`. */
type Member = readonly [where: string, name: string, property: Json, beside: Readonly<Record<string, Json>>];
function membersOf(of: Document): Member[] {
  const found: Member[] = [];
  const walk = (where: string, schema: Json): void => {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>;
    for (const [name, property] of Object.entries(properties)) {
      found.push([where, name, property, properties]);
      walk(`${where}.${name}`, property);
    }
    for (const key of ['items', 'anyOf', 'oneOf', 'allOf'])
      for (const inner of [schema[key] ?? []].flat() as Json[]) walk(where, inner);
  };
  for (const [name, schema] of Object.entries(of.components.schemas)) if (!/Request/.test(name)) walk(name, schema);
  return found;
}
const isA = (type: string, { type: types }: Json): boolean => [types].flat().includes(type);
const described = ({ description }: Json): string => (description as string | undefined) ?? '';

/** A day is told by `format: date` and by its name; `day` is that of a statement or a sum of one day, `date` the column of a statement; from and to bound a period. */
const misnamedDays = (of: Document): string[] =>
  membersOf(of).flatMap(([where, name, property]) =>
    property['format'] === 'date' &&
    !name.endsWith('_on') &&
    !/^(?:DailyStatement.*\.day|Statement\.lines\.date|Summary\.currencies\.days\.day|Summary\.(?:from|to))$/.test(
      `${where}.${name}`,
    )
      ? [`${where}.${name}`]
      : [],
  );

/** Bounds of a period, until when a second look or sums count, and the clock itself. */
const PLAIN_INSTANTS = /^(?:created|at|now|from|to|as_of|stepped_up_until|searched_until)$/;
const misnamedInstants = (of: Document): string[] =>
  membersOf(of).flatMap(([where, name, property]) => {
    const isInstant = isA('integer', property) && /Unix seconds/.test(described(property));
    const isOther = (isInstant && !name.endsWith('_at')) || /_(?:date|day|time|since|until)$/.test(name);
    return isOther && !PLAIN_INSTANTS.test(name) ? [`${where}.${name}`] : [];
  });

/** A suggested assignment has the form in which it is sent. */
const SENT_AS_IT_STANDS = 'BankEntry.suggestions.assignments';

/** Rates and shares are texts, so a number is an amount in major units: it has its minor units beside it. */
const withoutMinor = (of: Document): string[] =>
  membersOf(of).flatMap(([where, name, property, beside]) =>
    isA('number', property) && beside[`${name}_minor`] === undefined && where !== SENT_AS_IT_STANDS
      ? [`${where}.${name}`]
      : [],
  );

/** What is in minor units says so in its name. `balance` does not: the interface names it. */
const unsaidMinor = (of: Document): string[] =>
  membersOf(of).flatMap(([where, name, property]) =>
    isA('integer', property) && /minor unit/i.test(described(property)) && !/_minor$|balance/.test(name)
      ? [`${where}.${name}`]
      : [],
  );

const namelessActors = (of: Document): string[] =>
  membersOf(of).flatMap(([where, name]) => (name === 'by' ? [`${where}.${name}`] : []));

/** A document with one answer more. */
const withAnswer = (properties: Json): Document => ({
  ...document,
  components: { schemas: { Thing: { type: 'object', properties } } },
});

describe('objects', () => {
  it('are called as their paths, in the singular', () => expect(misnamedObjects(document)).toEqual([]));
  it('control: flags a path of another name', () => {
    const { '/v1/bank_rules': rules = {}, '/v1/bank_rules/{id}': one = {} } = document.paths;
    const paths = { '/v1/bank_orders': rules, '/v1/bank_orders/{id}': one };
    expect(misnamedObjects({ ...document, paths })).toEqual([
      '/v1/bank_orders answers bank_rule',
      '/v1/bank_orders/{id} answers bank_rule',
    ]);
  });
});

describe('lists', () => {
  it('of what has an id stand at a path of their own', () => expect(nestedLists(document)).toEqual([]));
  it('control: flags one below another object, and one of its items', () => {
    const { '/v1/deliveries': list = {}, '/v1/deliveries/{id}': one = {} } = document.paths;
    const below = '/v1/webhook_endpoints/{id}/deliveries';
    const paths = { [below]: list, [`${below}/{delivery}`]: one };
    expect(nestedLists({ ...document, paths })).toEqual([below, `${below}/{delivery}`]);
  });
});

describe('singletons', () => {
  it('have no id', () => expect(inventedIds(document)).toEqual([]));
  it('control: flags settings with one', () => {
    const { '/v1/payouts/{id}': one = {} } = document.paths;
    expect(inventedIds({ ...document, paths: { '/v1/settings': one } })).toEqual(['/v1/settings']);
  });
});

describe('updates', () => {
  it('take the null that answers show', () => expect(refusedNulls(document)).toEqual([]));
  it('control: flags one that does not', () => {
    const content = (name: object) => ({ content: { 'application/json': { schema: { properties: { name } } } } });
    const post = (type: unknown) => ({
      requestBody: content({ type }),
      responses: { 200: content({ type: ['string', 'null'] }) },
    });
    const flagged = (type: unknown) =>
      refusedNulls({ ...document, paths: { '/v1/things/{id}': { post: post(type) } } });
    expect(flagged('string')).toEqual(['/v1/things/{id} name']);
    expect(flagged(['string', 'null'])).toEqual([]);
  });
});

describe('paths', () => {
  it('of the bank stand beside the others', () => expect(grouped(document, ['bank'])).toEqual([]));
  it('control: flags a group', () => {
    expect(grouped({ ...document, paths: { '/v1/bank/files': {} } }, ['bank'])).toEqual(['/v1/bank/files']);
  });
});

describe('events', () => {
  it('are called after their object', () => expect(misnamedEvents(EVENT_TYPES, document)).toEqual([]));
  it('control: flags a group, and an object of another name', () => {
    expect(misnamedEvents(['bank.entry_assigned', 'payout.paid'], document)).toEqual(['bank.entry_assigned']);
  });
});

describe('scopes', () => {
  it('are called as paths', () => expect(misnamedScopes(SCOPES, document)).toEqual([]));
  it('control: flags one that is no path', () => {
    expect(misnamedScopes(['fees:read', 'payouts:read'], document)).toEqual(['fees:read']);
  });
});

describe('searches', () => {
  it('name no person in an address', () => expect(personalInAddresses(document)).toEqual([]));
  it('control: flags an IBAN', () => {
    const get = { parameters: [{ in: 'query', name: 'iban' }] };
    expect(personalInAddresses({ ...document, paths: { '/v1/recipients': { get } } })).toEqual(['/v1/recipients?iban']);
  });
});

describe('members', () => {
  it.each([
    ['days end in _on', misnamedDays],
    ['instants end in _at', misnamedInstants],
    ['amounts have their minor units beside them', withoutMinor],
    ['minor units say so', unsaidMinor],
    ['whoever did something is an actor', namelessActors],
  ] as const)('%s', (_, rule) => expect(rule(document)).toEqual([]));

  it.each([
    [
      misnamedDays,
      { leaves: { type: ['string', 'null'], format: 'date' }, leaves_on: { type: 'string', format: 'date' } },
      'Thing.leaves',
    ],
    [
      misnamedInstants,
      {
        ended: { type: 'integer', description: 'Unix seconds.' },
        created: { type: 'integer', description: 'Unix seconds.' },
      },
      'Thing.ended',
    ],
    [misnamedInstants, { failing_since: { type: 'integer' } }, 'Thing.failing_since'],
    [
      withoutMinor,
      { amount: { type: 'number' }, amount_minor: { type: 'integer' }, fee: { type: 'number' } },
      'Thing.fee',
    ],
    [
      unsaidMinor,
      {
        total: { type: 'integer', description: 'Minor units.' },
        balance: { type: 'integer', description: 'Minor units.' },
      },
      'Thing.total',
    ],
    [
      namelessActors,
      { approvals: { type: 'array', items: { type: 'object', properties: { by: { type: 'string' } } } } },
      'Thing.approvals.by',
    ],
  ] as const)('control: a rule flags the one of %#', (rule, properties, flagged) => {
    expect(rule(withAnswer(properties as unknown as Json))).toEqual([flagged]);
  });
});
