/**
 * The typed client of Bursar: `createClient({ url, key })`. Types and operations are made from the OpenAPI document (`generated/`); what is
 * written by hand is the way of a request (`request.ts`), lists, the event stream, deliveries and amounts. No dependencies.
 */
import { OPERATIONS } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { listOf } from './list.ts';
import { parse } from './parse.ts';
import { type ClientOptions, type Order, type RequestOptions, send } from './request.ts';
import { streamOf } from './stream.ts';

export { BursarError, ConnectionError } from './errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { List, Page } from './list.ts';
export { type Decimal, decimal, decimalsOf, fromMinor, toMinor } from './money.ts';
export type { ClientOptions, RequestOptions } from './request.ts';
export type { StreamOptions } from './stream.ts';
export { type VerifyOptions, WebhookError, type WebhookHeaders, webhooks } from './webhooks.ts';

export interface Bursar extends Resources {
  /** Any request, with the same retries: `request('GET', '/v1/payouts?limit=2', { headers: { Accept: 'text/csv' } })`. Throws as all others. */
  request(method: string, path: string, options?: RequestOptions & Pick<Order, 'body' | 'headers'>): Promise<Response>;
}

type Row = readonly [method: string, path: string, kind: string];
interface Rows {
  readonly [name: string]: Row | Rows;
}

/** Throws `TypeError` where `url` is no address. */
export function createClient(options: ClientOptions): Bursar {
  const client = { ...options, url: new URL(options.url).href.replace(/\/+$/, '') };
  return {
    ...(methodsOf(client, OPERATIONS) as unknown as Resources), // the table and the interfaces are made together
    request: async (method, path, { body, headers, ...rest } = {}) =>
      (await send(client, { method, path, body, headers, isRaw: true }, rest)).response,
  };
}

const isRow = (entry: Row | Rows): entry is Row => Array.isArray(entry);

function methodsOf(client: ClientOptions, rows: Rows): Readonly<Record<string, unknown>> {
  const entries = Object.entries(rows);
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, isRow(entry) ? methodOf(client, entry) : methodsOf(client, entry)]),
  );
}

/** A method's arguments: an id for each placeholder of the path, then what it takes, then options. */
function methodOf(client: ClientOptions, [method, path, kind]: Row) {
  return (...given: readonly unknown[]): unknown => {
    const rest = [...given];
    const at = path.replaceAll(/\{\w+\}/g, () => idIn(rest.shift(), path));
    const body = kind === 'body' || kind === 'upload' ? rest.shift() : undefined;
    const query = ['body', 'plain', 'whole_plain', 'download'].includes(kind) ? '' : queryOf(rest.shift());
    const options = rest.shift() as RequestOptions | undefined;
    const more = kind === 'list' && !query.includes('limit=') ? `${query === '' ? '?' : '&'}limit=100` : '';
    if (kind === 'list' || kind.startsWith('whole')) return listOf(client, `${at}${query}`, more, options);
    if (kind === 'stream') return streamOf(client, `${at}${query}`, options);
    const order = { method, path: `${at}${query}`, ...bodyOf(kind, body), isRaw: kind.startsWith('download') };
    return send(client, order, options).then(({ response, text }) => (order.isRaw ? response : parse(text)));
  };
}

function idIn(id: unknown, path: string): string {
  if (typeof id === 'string' && id !== '') return encodeURIComponent(id);
  throw new TypeError(`${path} takes the id as text, not ${String(id)}`);
}

function bodyOf(kind: string, body: unknown): Pick<Order, 'body' | 'headers'> {
  if (kind === 'upload') return { body: body as Blob, headers: { 'Content-Type': 'application/octet-stream' } };
  return kind === 'body' ? { body: JSON.stringify(body ?? {}), headers: { 'Content-Type': 'application/json' } } : {};
}

/** `{ status: ['paid', 'failed'], created: { gte: 5 } }` → `?status[]=paid&status[]=failed&created[gte]=5`. */
function queryOf(params: unknown): string {
  const pairs = Object.entries(params ?? {}).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (Array.isArray(value)) return value.map((each) => [`${name}[]`, each] as const);
    if (typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).map(([inner, each]) => [`${name}[${inner}]`, each] as const);
  });
  const query = new URLSearchParams(
    pairs.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return query.size === 0 ? '' : `?${query}`;
}
