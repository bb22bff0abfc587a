/**
 * The typed client of one environment, through the door at `/dashboard/api`: the session's cookie admits, the header names the
 * environment. Beside it what reads operations that the generated client does not have yet.
 */
import { type Bursar, BursarError, ConnectionError, createClient } from '../../../client/src/bursar.ts';
import { parse } from '../../../client/src/parse.ts';
import { type Query, queryOf } from './query.ts';

export { type Query, queryOf };

/** `environment` is what the header says: a mode, or an id where a person belongs to several merchants. */
export function clientOf(environment: string): Bursar {
  const headers = { 'Bursar-Environment': environment };
  // Reads are repeated by the queries; a write names its own attempts.
  return createClient({ url: `${location.origin}/dashboard/api`, headers, maxRetries: 0 });
}

/** Reads `/v1/…`. Throws `BursarError`. */
export async function get<T>(client: Bursar, path: string, query?: Query): Promise<T> {
  return answerOf<T>(await client.request('GET', `${path}${queryOf(query)}`));
}

/** Writes `/v1/…`. Throws `BursarError`. */
export async function post<T>(
  client: Bursar,
  path: string,
  body: object = {},
  options: { readonly idempotencyKey?: string; readonly maxRetries?: number } = {},
): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return answerOf<T>(await client.request('POST', path, { ...options, headers, body: JSON.stringify(body) }));
}

/** What was cut off or is no JSON is no answer: whoever wrote something then does not know whether it happened. */
async function answerOf<T>(response: Response): Promise<T> {
  const context = { headers: response.headers };
  const text = await response.text().catch((cause: unknown) => {
    throw new ConnectionError('connection_failed', 0, 'The answer was cut off.', { ...context, cause });
  });
  try {
    return parse(text) as T;
  } catch (cause) {
    throw new ConnectionError('answer_unreadable', 0, 'The answer cannot be read.', { ...context, cause });
  }
}

export interface PageOf<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  next(): Promise<PageOf<T> | null>;
}

/** One page of a list, as `list(…).page()` of the client. */
export async function pageAt<T>(client: Bursar, path: string, query?: Query): Promise<PageOf<T>> {
  const response = await client.request('GET', `${path}${queryOf(query)}`);
  const { data } = await answerOf<{ readonly data: readonly T[] }>(response);
  const next = nextPath(path, response.headers.get('Link'));
  return { data, hasMore: next !== null, next: async () => (next === null ? null : pageAt<T>(client, next)) };
}

/** Where the page after one at `path` is, by its `Link` header (RFC 8288); `null`: it was the last. */
export function nextPath(path: string, link: string | null): string | null {
  const query = /<[^?>]*\?([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return query === undefined ? null : `${path.split('?', 1)[0]}?${query}`;
}

/** A call of the door itself (`session/password`, `passkeys/options`, …). It knows no environment. Throws `BursarError`. */
export async function door<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const client = createClient({ url: `${location.origin}/dashboard`, maxRetries: 0 });
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await client.request(method, `/api/${path}`, content);
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as T;
}

export { type Bursar, BursarError, ConnectionError };
