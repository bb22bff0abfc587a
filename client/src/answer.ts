/** What came back, as a value: the parsed object with `lastResponse`, or the error that it is. Next: `request.ts`. */
import { BursarError, ConnectionError } from './errors.ts';
import type { ErrorDetail } from './generated/types.ts';
import { parse } from './parse.ts';

/** How an answer came. */
export interface LastResponse {
  /** HTTP. */
  readonly status: number;
  readonly headers: Headers;
  /** Quote it when you report a problem. */
  readonly requestId: string;
  /** Whether this is the answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** The key that the request was sent with; `undefined` for reads. */
  readonly idempotencyKey: string | undefined;
  /** The `Bursar-Version` of the answer; `undefined` where the server names none. */
  readonly version: string | undefined;
}

/** An object with how it came. `lastResponse` is not enumerable: it is in no JSON and in no copy of the object. */
export type Answer<T> = T & { readonly lastResponse: LastResponse };

export function withResponse<T extends object>(value: T, lastResponse: LastResponse): Answer<T> {
  return Object.defineProperty(value, 'lastResponse', { value: lastResponse }) as Answer<T>;
}

/** The object of an answer. Throws `ConnectionError` where the text is none: it was cut off, or a proxy wrote it. */
export function answerIn(response: Response, text: string, idempotencyKey: string | undefined): Answer<object> {
  const { status, headers } = response;
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    if (!/\bjson\b/i.test(headers.get('Content-Type') ?? '')) throw unreadable(response, text, idempotencyKey);
    const message = `The answer ${status} was cut off after ${text.length} characters.`;
    throw new ConnectionError('connection_failed', status, message, { headers, idempotencyKey, cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unreadable(response, text, idempotencyKey);
  return withResponse(value, {
    status,
    headers,
    requestId: headers.get('Request-Id') ?? '',
    replayed: headers.get('Idempotent-Replayed') === 'true',
    idempotencyKey,
    version: headers.get('Bursar-Version') ?? undefined,
  });
}

export function errorIn(response: Response, text: string, idempotencyKey: string | undefined): BursarError {
  const { status, headers } = response;
  try {
    const { error } = JSON.parse(text) as { readonly error: ErrorDetail };
    if (typeof error.code === 'string') return new BursarError(status, error, { headers, idempotencyKey });
  } catch {} // not of Bursar
  return unreadable(response, text, idempotencyKey);
}

/** What `format` and `Accept` can ask for instead of JSON. */
const FILE = /^(?:text\/csv|application\/(?:pdf|xml))\b/i;

/** Says what came. Repeated only after 429 and 5xx: another try gets the same page of a proxy. */
export function unreadable(response: Response, text: string, idempotencyKey: string | undefined): ConnectionError {
  const { status, headers } = response;
  const type = headers.get('Content-Type') ?? 'no content type';
  if (status < 300 && FILE.test(type)) {
    const file = `The answer is a file (${type}), and this method reads JSON. bursar.request(method, path) answers with the Response.`;
    return new ConnectionError('answer_unreadable', status, file, { headers, idempotencyKey });
  }
  const begins = text === '' ? 'nothing' : JSON.stringify(text.slice(0, 200));
  const message = `The answer is not of Bursar: ${status} with ${type}, and it begins with ${begins}. Look at the address and at proxies on the way.`;
  return new ConnectionError('answer_unreadable', status, message, { headers, idempotencyKey });
}
