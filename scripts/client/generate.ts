/**
 * Makes `client/src/generated/` from the OpenAPI document: types of every schema, an interface of every resource, the table of operations, and
 * what the money functions know of currencies. `scripts/generate-docs.ts` writes the files, or compares them. Pure. Next: `operations.ts`.
 */
import { CURRENCIES } from '../../src/core/values/currencies.ts';
import { VERSION } from '../../src/core/values/version.ts';
import { type Document, type Operation, operationsOf } from './operations.ts';
import { amountNames, comment, type Schema, described, typeOf } from './types.ts';

const MADE =
  '// Made by scripts/generate-docs.ts from docs/openapi.json. Change what it is made from, not this file.\n';

/** What the client has words of its own for. */
const isLeftOut = (name: string) => name === 'ErrorResponse' || name === 'PreviousAttributes';

/** File → its whole text. Throws where two operations would have one name. */
export function clientFiles(document: Document): Readonly<Record<string, string>> {
  const operations = operationsOf(document);
  return {
    'client/src/generated/types.ts': typesFile(document.components.schemas, operations),
    'client/src/generated/resources.ts': resourcesFile(operations),
    'client/src/generated/operations.ts': operationsFile(document, operations),
  };
}

/** Events are read as the kinds that are known: a program that meets another type passes over it. */
const ofKnownTypes = (schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> => {
  const { KnownEvent: known, Event: open, ...others } = schemas;
  return known === undefined ? schemas : { ...others, Event: { ...known, description: open?.description ?? '' } };
};

function typesFile(all: Readonly<Record<string, Schema>>, operations: readonly Operation[]): string {
  const schemas = ofKnownTypes(all);
  const types = Object.entries(schemas)
    .filter(([name]) => !isLeftOut(name))
    .map(([name, schema]) => {
      const type = typeOf(described(schema, schemas), /Request|Params/.test(name) ? 'request' : 'answer');
      const declared = type.startsWith('{') && type.indexOf('\n}') === type.length - 2;
      return `${comment(schema.description, '')}${declared ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
    });
  return `${MADE}/** What the API takes and answers. */
import type { Decimal } from '../money.ts';

${types.join('\n')}
export type ErrorCode = ErrorDetail['code'];
/** The event of a type: \`EventOf<'payout.paid'>\`. */
export type EventOf<T extends EventType> = OfType<Event, T>;
type OfType<E, T> = E extends { readonly type: infer U } ? ([T & U] extends [never] ? never : E & { readonly type: T }) : never;
type FamilyOf<T> = T extends \`\${infer Family}.\${string}\` ? \`\${Family}.*\` : never;
/** What chooses events: a type, a family such as \`payout.*\`, or \`*\`. Any other text too, for types of a newer server. */
export type EventFilter = EventType | FamilyOf<EventType> | '*' | (string & {});
/** Former values of what changed. Of metadata, the changed keys: null is a key that did not exist. */
export type PreviousAttributes<T> = {
  readonly [K in Exclude<keyof T, 'id' | 'object' | 'created' | 'livemode' | 'created_by' | 'currency'>]?: K extends 'metadata'
    ? Readonly<Record<string, string | null>>
    : T[K];
};

${operations.flatMap(({ params }) => params ?? []).join('\n')}`;
}

/** Operations by resource, in the order of the document. */
function byResource(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const each of operations) {
    const key = each.resource.join('.');
    const group = groups.get(key) ?? [];
    if (group.some(({ method }) => method === each.method)) throw new Error(`two operations are ${key}.${each.method}`);
    groups.set(key, [...group, each]);
  }
  return groups;
}

const apiName = (resource: string): string =>
  `${resource
    .split('.')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')}Api`;

function resourcesFile(operations: readonly Operation[]): string {
  const groups = byResource(operations);
  const helpers = [...groups.keys()].filter((key) => key.startsWith('testHelpers.'));
  const interfaces = [...groups].map(([key, group]) => {
    const methods = group.flatMap(({ about, signatures }) => [
      comment(about, '  ').trimEnd(),
      ...signatures.map((each) => `  ${each}`),
    ]);
    const nested =
      key === 'testHelpers' ? helpers.map((each) => `  readonly ${each.split('.')[1]}: ${apiName(each)};`) : [];
    return `export interface ${apiName(key)} {\n${[...nested, ...methods].join('\n')}\n}\n`;
  });
  const top = [...groups.keys()].filter((key) => !key.includes('.'));
  const text = interfaces.join('\n');
  const used = new Set([...text.matchAll(/\b[A-Z]\w+\b/g)].map(([word]) => word));
  const own = new Set([
    ...[...groups.keys()].map(apiName),
    'Promise',
    'Answer',
    'NoParams',
    'Response',
    'Uint8Array',
    'ArrayBuffer',
    'Blob',
    'AsyncIterableIterator',
    'List',
    'RequestOptions',
    'StreamOptions',
  ]);
  const inSignatures = new Set(
    operations.flatMap(({ signatures }) => signatures.flatMap((each) => each.match(/\b[A-Z]\w+\b/g) ?? [])),
  );
  const imported = [...used].filter((word) => inSignatures.has(word) && !own.has(word)).sort();
  return `${MADE}/** The operations of the API, by resource. */
import type { Answer } from '../answer.ts';
import type { List } from '../list.ts';
import type { RequestOptions, StreamOptions } from '../options.ts';
import type { NoParams } from '../params.ts';
import type {
${imported.map((word) => `  ${word},\n`).join('')}} from './types.ts';

${text}
export interface Resources {
${top.map((key) => `  readonly ${key}: ${apiName(key)};\n`).join('')}}
`;
}

function operationsFile(document: Document, operations: readonly Operation[]): string {
  const groups = byResource(operations);
  const row =
    (margin: string) =>
    ({ method, verb, path, kind }: Operation) =>
      `${margin}${method}: ['${verb}', '${path}', '${kind}'],\n`;
  const top = [...groups].filter(([key]) => !key.includes('.'));
  const resources = top.map(([key, group]) => {
    const nested = [...groups].filter(([other]) => other.startsWith(`${key}.`));
    const inner = nested.map(
      ([other, each]) => `    ${other.split('.')[1]}: {\n${each.map(row('      ')).join('')}    },\n`,
    );
    return `  ${key}: {\n${inner.join('')}${group.map(row('    ')).join('')}  },\n`;
  });
  const unusual = [0, 3].map(
    (exponent) => [exponent, CURRENCIES.filter((each) => each.exponent === exponent)] as const,
  );
  return `${MADE}/** Every operation: method, path, and how its arguments go and its answer comes. */
export const OPERATIONS = {
${resources.join('')}} as const;

/** Of the client, and of the service that it was made for. */
export const VERSION = '${VERSION}';

/** Members that are amounts in major units: numbers on the wire, decimal text here. */
export const AMOUNTS: readonly string[] = [${amountNames(document.components.schemas)
    .map((name) => `'${name}'`)
    .join(', ')}];

/** Every currency an account can be held in. */
export const CURRENCIES =
  '${CURRENCIES.map(({ code }) => code).join(' ')}';

/** Currencies whose minor unit is not a hundredth, by decimals. */
export const UNUSUAL_DECIMALS: Readonly<Record<number, string>> = {
${unusual.map(([exponent, currencies]) => `  ${exponent}: '${currencies.map(({ code }) => code).join(' ')}',\n`).join('')}};
`;
}
