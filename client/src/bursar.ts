/**
 * The typed client of Bursar: `createClient({ url, apiKey })`. Types and operations are made from the OpenAPI document (`generated/`); what is
 * written by hand is the way of a request (`request.ts`), lists, the event stream, deliveries and amounts. No dependencies.
 */
import { checkKey } from './headers.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { templateOf } from './hooks.ts';
import { listOf } from './list.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { type Content, fileOf, idIn, jsonOf, queryOf } from './params.ts';
import { refuseMisplaced, refuseOfClient, refuseOfRequest } from './refuse.ts';
import { send } from './request.ts';
import { streamOf } from './stream.ts';

export type { Answer, LastResponse } from './answer.ts';
export { BursarError, type ConnectionCode, ConnectionError } from './errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { Hooks, RequestReport, ResponseReport, RetryReport } from './hooks.ts';
export type { List, Page } from './list.ts';
export { type Decimal, decimal, decimalsOf, fromMinor, toMinor } from './money.ts';
export type { ClientOptions, HeaderValues, RequestOptions, StreamOptions } from './options.ts';
export type { NoParams } from './params.ts';
export { type TestDelivery, type VerifyOptions, WebhookError, type WebhookHeaders, webhooks } from './webhooks.ts';

export interface Bursar extends Resources {
  /** Any request, with the same retries: `request('GET', '/v1/payouts?limit=2', { headers: { Accept: 'text/csv' } })`. Throws as all others. */
  request(method: string, path: string, options?: RequestOptions & Pick<Content, 'body'>): Promise<Response>;
}

type Row = readonly [method: string, path: string, kind: string];
interface Rows {
  readonly [name: string]: Row | Rows;
}

/** Throws `TypeError` for an option that does not exist, where `url` is no address, and for a key that is empty or in a browser. */
export function createClient(options: ClientOptions): Bursar {
  refuseOfClient(options);
  const client = { ...options, url: new URL(options.url).href.replace(/\/+$/, '') };
  if ('apiKey' in options) checkKey(options.apiKey ?? '', options.dangerouslyAllowBrowser); // a variable that nobody set
  return {
    ...(methodsOf(client, OPERATIONS) as unknown as Resources), // the table and the interfaces are made together
    request: async (method, path, given = {}) => {
      refuseOfRequest(given);
      const { body, ...options } = given;
      return (await send(client, { method, path, template: templateOf(path), body, isRaw: true }, options)).response;
    },
  };
}

const isRow = (entry: Row | Rows): entry is Row => Array.isArray(entry);

function methodsOf(client: ClientOptions, rows: Rows): Readonly<Record<string, unknown>> {
  const entries = Object.entries(rows);
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, isRow(entry) ? methodOf(client, entry) : methodsOf(client, entry)]),
  );
}

/** A method's arguments, of every method alike: an id for each placeholder of the path, a file where it takes one, parameters, options. */
function methodOf(client: ClientOptions, [method, template, kind]: Row) {
  return (...given: readonly unknown[]): unknown => {
    const rest = [...given];
    const at = template.replaceAll(/\{\w+\}/g, () => idIn(rest.shift(), template));
    const file = kind === 'upload' ? fileOf(rest.shift()) : {};
    const [params, options] = rest as [object?, RequestOptions?];
    refuseMisplaced(params, options, kind === 'stream');
    // An operation that takes none as yet may take some of a newer server.
    const hasBody = kind === 'body' || (kind === 'plain' && method === 'POST' && Object.keys(params ?? {}).length > 0);
    const query = hasBody ? '' : queryOf(params);
    const content = hasBody ? jsonOf(params) : file;
    const order = { method, path: `${at}${query}`, template, ...content, isRaw: kind === 'download' };
    if (kind === 'list' || kind === 'whole')
      return listOf(client, order, kind === 'list' && !query.includes('limit='), options);
    if (kind === 'stream') return streamOf(client, order.path, options);
    return send(client, order, options).then(({ response, value }) => (order.isRaw ? response : value));
  };
}
