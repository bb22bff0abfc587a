/**
 * One operation as a request to copy: curl for a shell, and TypeScript through the typed client. Both read BURSAR_URL and BURSAR_KEY from
 * the environment. Pure; `test/long/openapi-examples.test.ts` compiles and runs every one. Next: `client-calls.ts`, `operation.ts`.
 */
import { AMOUNTS } from '../../client/src/generated/operations.ts';
import { type Call, callOf } from './client-calls.ts';
import type { Node, Operation } from './document.ts';

/** An id in a path: `{id}` of accounts is `acct_01jd…`. */
const EXAMPLE_ID = '01jd3v9q4ne8v8k3w2m6r5t7xa';

/** An example for each parameter of the path, in their order. */
function exampleIds({ path, parameters }: Operation): readonly string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => {
    const { schema } = parameters.find((each) => each.in === 'path' && each.name === name) ?? { schema: {} };
    const pattern = (schema as { readonly pattern?: string }).pattern ?? '';
    return `${/^\^([a-z]+)_/.exec(pattern)?.[1] ?? 'id'}_${EXAMPLE_ID}`;
  });
}

function examplePath(operation: Operation): string {
  const ids = [...exampleIds(operation)];
  return operation.path.replaceAll(/\{[a-z_]+\}/g, () => ids.shift() ?? '');
}

/** What a query has to hold, with an example each. */
function exampleQuery({ parameters }: Operation): Readonly<Record<string, string>> {
  const wanted = parameters.filter((each) => each.in === 'query' && each.required === true);
  const pairs = wanted.map(({ name, schema }) => [
    name,
    exampleOf(name, schema as { readonly examples?: readonly string[] }),
  ]);
  return Object.fromEntries(pairs) as Readonly<Record<string, string>>;
}

function exampleOf(name: string, { examples }: { readonly examples?: readonly string[] }): string {
  const known: Readonly<Record<string, string>> = { country: 'DE', currency: 'EUR', month: '2026-10' };
  return examples?.[0] ?? known[name] ?? 'value';
}

export function curlOf(operation: Operation): string {
  const { method, exampleRequest } = operation;
  const query = Object.entries(exampleQuery(operation)).map(([name, value]) => `${name}=${value}`);
  const asked = query.length === 0 ? '' : `?${query.join('&')}`;
  const lines = [`curl "$BURSAR_URL${examplePath(operation)}${asked}"`];
  lines.push('-H "Authorization: Bearer $BURSAR_KEY"');
  const fields = exampleRequest === null ? [] : formFields(exampleRequest);
  if (method === 'DELETE' || (method === 'POST' && fields.length === 0)) lines.splice(1, 0, `-X ${method}`);
  for (const [name, value] of fields) lines.push(`-d ${quoted(`${name}=${formText(value)}`)}`);
  return lines.join(' \\\n  ');
}

const CLIENT = `import { createClient } from '@bursar/client';

const bursar = createClient({ url: process.env.BURSAR_URL ?? '', apiKey: process.env.BURSAR_KEY ?? '' });`;

export function typescriptOf(operation: Operation): string {
  return `${CLIENT}\n${useOf(operation, callOf(operation))}`;
}

/** A list is read to its end, a stream until somebody stops it, a file as text. */
function useOf(operation: Operation, { method, kind }: Call): string {
  const params = kind === 'body' ? (operation.exampleRequest ?? {}) : exampleQuery(operation);
  const given = Object.keys(params).length === 0 ? [] : [literal(withDecimals(params), 0)];
  const call = `bursar.${method}(${[...exampleIds(operation).map((id) => `'${id}'`), ...given].join(', ')})`;
  if (kind === 'list' || kind === 'whole' || kind === 'stream')
    return `for await (const each of ${call}) console.log(each);`;
  if (kind === 'download') return `const file = await ${call};\nconsole.log(await file.text());`;
  return `const answer = await ${call};\nconsole.log(answer);`;
}

/** Amounts as the client takes them: decimal text. */
function withDecimals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDecimals);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    const isAmount = AMOUNTS.includes(name) && typeof each === 'number';
    return [name, isAmount ? each.toFixed(2) : withDecimals(each)] as const;
  });
  return Object.fromEntries(entries);
}

/** `{metadata: {a: 'b'}, types: ['x']}` → `metadata[a]=b`, `types[]=x`: as a form says it. A list of objects has indices. */
export function formFields(value: Node): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(value).flatMap(([name, each]) => fieldsOf(name, each));
}

function fieldsOf(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) =>
      fieldsOf(typeof each === 'object' && each !== null ? `${name}[${index}]` : `${name}[]`, each),
    );
  }
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, each]) => fieldsOf(`${name}[${key}]`, each));
}

const formText = (value: unknown) => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value));

/** For a shell: bare where nothing in it means anything, else in single quotes. `&`, `+` and `%` of a form are escaped. */
function quoted(text: string): string {
  const safe = text.replace(/[%&+]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return /^[\w.:/=@,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}

const KEY = /^[a-z_]\w*$/i;

/** The value as TypeScript in the house's layout: on one line where it fits. */
function literal(value: unknown, depth: number): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each: unknown) => literal(each, depth + 1))
    : Object.entries(value).map(
        ([name, each]) => `${KEY.test(name) ? name : literal(name, 0)}: ${literal(each, depth + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + depth * 2 < 64 && !line.includes('\n')) return line;
  const margin = '  '.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${margin}${part},\n`).join('')}${'  '.repeat(depth)}${close}`;
}
