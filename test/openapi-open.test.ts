/**
 * Answers are open and requests are closed (contract 12), days are days, constants have a type: rules over the OpenAPI document, each with a control. What
 * our own answers must be is stricter: `support/generators/strict.ts`, tried here too.
 */
import { describe, expect, it } from 'vitest';
import { readContract } from './support/generators/contract.ts';
import { schemaFaults } from './support/generators/schema.ts';
import { DOCUMENT, ROUTES } from './support/harness/all-routes.ts';
import { expansionsOf } from '../src/server/expansions.ts';

type Node = Readonly<Record<string, unknown>>;
interface Document extends Node {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>;
}
const document = JSON.parse(JSON.stringify(DOCUMENT)) as Document;

/** Each schema in a part of the document, with what it refers to, each once: `[way, schema]`. */
function reached(of: Document, part: unknown, way: string, seen = new Set<string>()): (readonly [string, Node])[] {
  if (Array.isArray(part)) return part.flatMap((each, at) => reached(of, each, `${way}/${at}`, seen));
  if (typeof part !== 'object' || part === null) return [];
  const { $ref: reference } = part as Node;
  const inner = Object.entries(part).flatMap(([name, each]) =>
    /^(?:example|examples|default|enum|const)$/.test(name) && !way.endsWith('/properties')
      ? []
      : reached(of, each, `${way}/${name}`, seen),
  );
  const own = [[way, part as Node] as const, ...inner];
  if (typeof reference !== 'string' || seen.has(reference)) return own;
  seen.add(reference);
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node)[name], of);
  return [...own, ...reached(of, target, reference, seen)];
}

const operations = (of: Document) =>
  Object.entries(of.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
const inAnswers = (of: Document) => operations(of).flatMap(([name, { responses }]) => reached(of, responses, name));
const inRequests = (of: Document) =>
  operations(of).flatMap(([name, { parameters, requestBody }]) => reached(of, [parameters, requestBody], name));

const once = (ways: readonly string[]): string[] => [...new Set(ways)];

const closedAnswers = (of: Document): string[] =>
  once(
    inAnswers(of)
      .filter(
        ([way, schema]) =>
          !way.endsWith('/properties') &&
          (schema['additionalProperties'] === false ||
            schema['unevaluatedProperties'] === false ||
            Array.isArray(schema['enum'])),
      )
      .map(([way]) => way),
  );

const openRequests = (of: Document): string[] =>
  inRequests(of)
    .filter(
      ([way, schema]) =>
        !way.endsWith('/properties') &&
        ('x-extensible-enum' in schema ||
          (typeof schema['properties'] === 'object' && schema['additionalProperties'] !== false)),
    )
    .map(([way]) => way);

const untypedConstants = (of: Document): string[] =>
  reached(of, of, '').flatMap(([way, schema]) =>
    !way.endsWith('/properties') && 'const' in schema && schema['type'] === undefined ? [way] : [],
  );

/** Members that are days by their names have the format, in requests and answers alike. */
const unformattedDays = (of: Document): string[] =>
  reached(of, of, '').flatMap(([way, { properties }]) =>
    Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(([name, schema]) => {
      const target =
        schema['$ref'] === undefined
          ? schema
          : (of.components['schemas']?.[(schema['$ref'] as string).split('/').at(-1) ?? ''] ?? {});
      const isDay = /_on$|^date$|^day$/.test(name) && [target['type']].flat().includes('string');
      return isDay && target['format'] !== 'date' ? [`${way}/${name}`] : [];
    }),
  );

const ANSWER = ['components', 'schemas', 'Payout'] as const;
/** The document with a schema changed. */
const changed = (name: string, change: (schema: Node) => Node): Document => ({
  ...document,
  components: {
    ...document.components,
    schemas: { ...document.components['schemas'], [name]: change(document.components['schemas']?.[name] ?? {}) },
  },
});
const withMember = (name: string, member: Node) => (schema: Node) => ({
  ...schema,
  properties: { ...(schema['properties'] as Node), [name]: member },
});

describe('the document', () => {
  it('has open answers: no closed object and no closed list of values', () =>
    expect(closedAnswers(document)).toEqual([]));
  it.each([
    ['a closed object', (schema: Node) => ({ ...schema, additionalProperties: false })],
    ['a closed list', withMember('mood', { type: 'string', enum: ['good'] })],
  ])('control: flags %s in an answer', (_, change) => {
    expect(closedAnswers(changed(ANSWER[2], change))).toHaveLength(1);
  });

  it('has closed requests, whose values are all known', () => expect(openRequests(document)).toEqual([]));
  it.each([
    ['an open object', (schema: Node) => ({ ...schema, additionalProperties: true })],
    ['an open list', withMember('mood', { type: 'string', 'x-extensible-enum': ['good'] })],
  ])('control: flags %s in a request', (_, change) => {
    expect(openRequests(changed('CreatePayoutRequest', change)).length).toBeGreaterThan(0);
  });

  it('has a type for every constant', () => expect(untypedConstants(document)).toEqual([]));
  it('control: flags a constant of any type', () => {
    expect(untypedConstants(changed('Payout', withMember('object', { const: 'payout' }))).length).toBeGreaterThan(0);
  });

  it('has the format of a day for every day', () => expect(unformattedDays(document)).toEqual([]));
  it('control: flags a day that is any text', () => {
    const wrong = changed('Payout', withMember('seen_on', { type: ['string', 'null'] }));
    expect(unformattedDays(wrong).some((way) => way.endsWith('/seen_on'))).toBe(true);
  });

  it('closes the types of events only where one is read as of a known type', () => {
    const events = reached(document, document['webhooks'], 'webhooks').filter(([, schema]) =>
      Array.isArray(schema['enum']),
    );
    expect(events.length).toBeGreaterThan(20);
    expect(events.filter(([way]) => !way.endsWith('Event/allOf/1/properties/type'))).toEqual([]);
  });

  it('says whom to ask', () => {
    expect(document['info']).toMatchObject({ contact: { name: 'Bursar', url: expect.stringMatching(/^https:/) } });
  });
});

describe('our own answers', () => {
  const { schemas } = readContract(document);
  const link = { object: 'clock', livemode: false, now: 1, offset_seconds: 0 };

  it('are held against the closed document: a member or a value that it does not know is a fault', () => {
    expect(schemaFaults({ $ref: '#/components/schemas/Clock' }, link, schemas)).toEqual([]);
    expect(schemaFaults({ $ref: '#/components/schemas/Clock' }, { ...link, more: 1 }, schemas)).toHaveLength(1);
    const status = (schemas['PaymentFile'] as { properties: Record<string, Node> }).properties['status'] ?? {};
    expect([schemaFaults(status, 'sealed', schemas), schemaFaults(status, 'lost', schemas).length]).toEqual([[], 1]);
  });
  it('a dry run has the members of what it is like, wherever that has them from', () => {
    const dryRun = schemas['PayoutBatchResultsDryRun'] as Node;
    expect(Object.keys(dryRun['properties'] as Node)).toEqual(expect.arrayContaining(['dry_run', 'status', 'results']));
    expect(dryRun['allOf']).toBeUndefined();
  });
  it('the document itself allows both', () => {
    const open = document.components['schemas'] ?? {};
    expect(schemaFaults({ $ref: '#/components/schemas/Clock' }, { ...link, more: 1 }, open)).toEqual([]);
  });
});

describe('x-scope', () => {
  it('names the scopes that the code asks for: all of them always, and those of some parameters apart', () => {
    const kinds = expansionsOf(async () => [], {} as never);
    const wrong = ROUTES.flatMap(({ operationId, scope, alsoNeeds, mayNeed = [], query, path, method }) => {
      const operation = document.paths[path.replace(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};
      const all = alsoNeeds === undefined ? (scope ?? undefined) : [scope, alsoNeeds];
      const expands = 'expand' in (query?.fields ?? {});
      const maybe = (operation['x-scope-maybe'] ?? []) as string[];
      const known = new Set<string | null>(Object.values(kinds).map((each) => each.scope));
      const ofExpand = maybe.filter((each) => !mayNeed.includes(each as never));
      const fits =
        JSON.stringify(operation['x-scope']) === JSON.stringify(all) &&
        mayNeed.every((each) => maybe.includes(each)) &&
        (expands ? ofExpand.length > 0 || operationId === 'listAuditLog' : ofExpand.length === 0) && // names need none
        ofExpand.every((each) => known.has(each));
      return fits ? [] : [operationId];
    });
    expect(wrong).toEqual([]);
  });

  it('lists what each expanded object needs', () => {
    const maybe = document.paths['/v1/payouts/{id}']?.['get']?.['x-scope-maybe'];
    expect(maybe).toEqual(['recipients:read', 'accounts:read', 'payouts:read', 'exchanges:read', 'transfers:read']);
  });
});

describe('lists', () => {
  it('take a limit, each of them', () => {
    const without = ROUTES.filter(
      ({ method, response, query }) =>
        method === 'GET' && response.schema.$ref?.endsWith('List') === true && !('limit' in (query?.fields ?? {})),
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });
});
