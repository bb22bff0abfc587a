/**
 * The OpenAPI document of the whole service: complete, true and clean. Every route with its parameters, scope, errors and
 * examples; every example is what its schema says; every reference leads somewhere; the linter has nothing to say.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../src/core/values/errors.ts';
import { listedBy, RESOURCES } from '../src/platform/http/route.ts';
import { type Operation, readContract } from './support/generators/contract.ts';
import { DOCUMENT, ROUTES } from './support/harness/all-routes.ts';
import { schemaFaults } from './support/generators/schema.ts';

const document: Readonly<Record<string, unknown>> = DOCUMENT;
const contract = readContract(document);
const each = contract.operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** Every object in the document, with the way to it. */
function* nodes(value: unknown, way = ''): Generator<readonly [way: string, node: Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [way, value as Readonly<Record<string, unknown>>];
  for (const [name, inner] of Object.entries(value)) yield* nodes(inner, `${way}/${name}`);
}

const at = (way: string) =>
  way
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);

describe('the document', () => {
  it('has every route, and no other operation', () => {
    const of = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replace(/:([a-z_]+)/g, '{$1}')}`;
    expect(contract.operations.map(of).toSorted()).toEqual(ROUTES.map(of).toSorted());
    expect(new Set(contract.operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
    expect(document['openapi']).toBe('3.1.0');
    expect(document['servers']).toEqual([{ url: 'https://pay.example.org' }]);
  });

  it('leads nowhere that does not exist, and has no schema that nothing uses', () => {
    const references = [...nodes(document)].flatMap(([way, { $ref }]) =>
      typeof $ref === 'string' ? [[way, $ref] as const] : [],
    );
    expect(references.filter(([, target]) => at(target) === undefined)).toEqual([]);
    const used = new Set(references.map(([, target]) => target.replace('#/components/schemas/', '')));
    expect(Object.keys(contract.schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  it('names each object that a program writes into a list: in Go nobody can write one without a name', () => {
    const nameless = (schemas: object) =>
      [...nodes(schemas)].flatMap(([way, { type, items }]) =>
        type === 'array' && (items as { properties?: object } | undefined)?.properties !== undefined ? [way] : [],
      );
    const bodies = Object.entries(contract.schemas).filter(([name]) => /(?:Request|Sent)$/.test(name));
    expect(nameless(Object.fromEntries(bodies))).toEqual([]);
    const control = { type: 'array', items: { type: 'object', properties: { amount: {} } } };
    expect(nameless({ CreateRequest: { properties: { payouts: control } } })).toHaveLength(1);
  });

  it('says how to tell which object an event is about, where it may be one of several', () => {
    const several = [...nodes(document)].filter(
      ([way, { oneOf }]) => way.endsWith('/data/properties/object') && oneOf !== undefined,
    );
    expect(several.length).toBeGreaterThan(0);
    for (const [way, { oneOf, discriminator }] of several) {
      const byObject = (oneOf as { $ref: string }[]).map(({ $ref }) => {
        const { properties } = at($ref) as { properties: Record<string, { const?: string }> };
        return [properties['object']?.const, $ref] as const;
      });
      const mapping = Object.fromEntries(byObject);
      expect([way, discriminator]).toEqual([way, { propertyName: 'object', mapping }]);
    }
  });

  interface Known {
    readonly 'x-extensible-enum': readonly string[];
  }
  /** Its own, or that of the object that may be `null` in its place. */
  interface Described {
    readonly description?: string;
    readonly anyOf?: readonly Described[];
  }
  const descriptionOf = ({ description, anyOf = [] }: Described): string =>
    description ?? anyOf.map(descriptionOf).find((each) => each !== '') ?? '';

  it('describes every schema, property and parameter of a request', () => {
    const silent = contract.operations.flatMap(({ operationId, parameters, body }) =>
      [
        ...parameters.map((parameter) => [parameter.name, parameter] as const),
        ...Object.entries(body?.['properties'] ?? {}),
      ]
        .filter(([, node]) => !/\w{2,}.*\./.test(descriptionOf(node as Described)))
        .map(([name]) => `${operationId} ${name}`),
    );
    expect(silent).toEqual([]);
    // A shared schema may stand for several things: then each place says what it is there.
    const named = Object.entries((document['components'] as { schemas: Record<string, object> }).schemas);
    const all = [...nodes(document)].map(([, node]) => node as Described & { readonly $ref?: string });
    const inDescribed = new Set(all.flatMap(({ description, anyOf = [] }) => (description === undefined ? [] : anyOf)));
    const silentAt = new Set(
      all.flatMap((node) => (node.description === undefined && !inDescribed.has(node) ? [node.$ref] : [])),
    );
    expect(
      named
        .filter(([name, schema]) => !('description' in schema) && silentAt.has(`#/components/schemas/${name}`))
        .filter(([, schema]) => !('properties' in schema)),
    ).toEqual([]);
  });

  it('has the errors page as it is: every code, once, with status and type', () => {
    const { code, type } = at('#/components/schemas/ErrorDetail/properties') as Record<string, Known>;
    expect(code?.['x-extensible-enum']).toEqual(Object.keys(ERRORS));
    expect(new Set(type?.['x-extensible-enum'])).toEqual(new Set(Object.values(ERRORS).map((entry) => entry.type)));
  });

  it('names every code under its own status', () => {
    const wrong = contract.operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { codes }]) =>
        codes
          .filter((code) => String(ERRORS[code as keyof typeof ERRORS].status) !== status)
          .filter((code) => !(status === '400' && code === 'resource_missing' && operationId.startsWith('list'))) // a cursor
          .map((code) => `${operationId} ${status} ${code}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('is clean to the linter', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-lint-'));
    try {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, JSON.stringify(document));
      const lint = [
        'node_modules/@redocly/cli/bin/cli.js',
        'lint',
        file,
        '--config',
        'redocly.yaml',
        '--format',
        'json',
      ];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout } = await promisify(execFile)(process.execPath, lint, { env });
      expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.each(each)('%s', (_, operation: Operation) => {
  const route = ROUTES.find(({ operationId }) => operationId === operation.operationId) as (typeof ROUTES)[number];

  it('has all of its parameters, in the path, the query, the headers and the body', () => {
    const named = (where: string) => [
      ...new Set(operation.parameters.filter((each) => each.in === where).map(({ name }) => name.replace('[]', ''))),
    ];
    expect(named('path')).toEqual([...operation.path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name));
    const ofLists = listedBy(route) === undefined ? [] : ['format', 'bom'];
    expect(named('query')).toEqual([...Object.keys(route.query?.fields ?? {}), ...ofLists]);
    const ofReads = operation.streams ? ['Last-Event-ID'] : [];
    expect(named('header')).toEqual(operation.method === 'GET' ? ofReads : ['Idempotency-Key']);
    expect(operation.streams).toBe(route.streams === true);
    expect(Object.keys(operation.body?.['properties'] ?? {})).toEqual(Object.keys(route.body?.fields ?? {}));
    expect(operation.bodyTypes).toEqual(
      route.uploads === true
        ? ['application/octet-stream', 'application/xml', 'application/zip']
        : operation.body === undefined
          ? []
          : ['application/json', ...(route.acceptsCsv ? ['text/csv'] : [])],
    );
  });

  it('says who may, what can go wrong, and how it answers', () => {
    const codes = Object.values(operation.responses).flatMap((response) => response.codes);
    expect(operation.scopes).toEqual([route.scope, route.alsoNeeds].filter((scope) => (scope ?? null) !== null));
    if (route.scope !== null) {
      expect(RESOURCES.map((resource) => operation.scope.startsWith(`${resource}:`))).toContain(true);
      const isRead = operation.method === 'GET' || route.looksOnly === true;
      expect(operation.scope.endsWith(isRead ? ':read' : ':write')).toBe(true);
    }
    expect(codes).toEqual(
      expect.arrayContaining([
        ...(route.errors ?? []),
        'api_key_invalid',
        'scope_missing',
        'rate_limited',
        'parameter_unknown',
      ]),
    );
    expect(operation.sandboxOnly).toBe(route.sandboxOnly);
    if (operation.path.includes('{')) expect(codes).toContain('resource_missing');
    if (operation.method !== 'GET')
      expect(codes).toEqual(expect.arrayContaining(['idempotency_key_reused', 'overloaded', 'body_too_large']));
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '429', '500', '503']),
    );
  });

  it('has examples that its schemas allow', () => {
    const shown = operation.exampleResponse ?? route.response.example; // lists and steps have none in the document
    expect(shown).toBeDefined();
    const [schema = {}] = Object.values(operation.responses['200']?.content ?? {});
    expect(schemaFaults(schema, shown, contract.schemas)).toEqual([]);
    if (operation.body === undefined) return;
    expect(operation.exampleRequest).toBeDefined();
    expect(schemaFaults(operation.body, operation.exampleRequest, contract.schemas)).toEqual([]);
  });

  it('has examples of parameters that their schemas allow', () => {
    const wrong = [
      ...nodes(operation.body ?? {}),
      ...operation.parameters.flatMap(({ schema }) => [...nodes(schema)]),
    ].flatMap(([way, schema]) =>
      Array.isArray(schema['examples'])
        ? schema['examples'].flatMap((example) =>
            schemaFaults(schema, example, contract.schemas).map((fault) => `${way} ${fault}`),
          )
        : [],
    );
    expect(wrong).toEqual([]);
  });
});

describe('control', () => {
  it('a spoiled document is noticed', () => {
    const [first] = contract.operations as [Operation];
    const schema = first.responses['200']?.content['application/json'] ?? {};
    expect(schemaFaults(schema, { ...(first.exampleResponse as object), balance: '5' }, contract.schemas)).not.toEqual(
      [],
    );
    expect(at('#/components/schemas/Gone')).toBeUndefined();
  });
});
