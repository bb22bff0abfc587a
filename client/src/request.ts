/**
 * One request until it is answered: time-outs, and retries with one idempotency key after 429, 5xx and faults of the network, unless the server
 * says otherwise by `Should-Retry`. Also after 409 `idempotency_key_in_use`, which the contract allows and Bursar never answers
 * (docs/decisions/0011). Bounded: 5 attempts, each 30 s, pauses of at most 60 s. Next: `list.ts`, `stream.ts`.
 */
import { type Answer, answerIn, errorIn } from './answer.ts';
import { BursarError, ConnectionError } from './errors.ts';
import { headersOf } from './headers.ts';
import { observe } from './hooks.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import type { Content } from './params.ts';

export interface Order extends Content {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** For hooks: the path with a placeholder for each id. */
  readonly template: string;
  /** The body is the caller's to read; the time-out ends with the head of the answer. */
  readonly isRaw?: boolean;
}

export interface Received {
  readonly response: Response;
  /** The object of the answer; empty where the order is raw. */
  readonly value: Answer<object>;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
const LONGEST_PAUSE_MS = 60_000;
const USUAL_PAUSE_MS = 8_000;

/** Throws `BursarError`, the reason of the signal, or `TypeError` where the options cannot be sent. */
export async function send(client: ClientOptions, order: Order, options: RequestOptions = {}): Promise<Received> {
  const idempotencyKey = order.method === 'GET' ? undefined : (options.idempotencyKey ?? crypto.randomUUID());
  const retries = options.maxRetries ?? client.maxRetries ?? RETRIES;
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    const headers = headersOf(client, order.headers, options, idempotencyKey);
    try {
      return await once(client, { ...order, headers, attempt, idempotencyKey }, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof BursarError) || attempt > retries || !isPassing(error)) throw error;
      const { status, code, requestId, retryAfterSeconds } = error;
      const waitMs = Math.max(pauseMs(attempt), Math.min(retryAfterSeconds * 1_000, LONGEST_PAUSE_MS));
      const about = { method: order.method, path: order.template, attempt };
      observe(client.onRetry, { ...about, status, code, requestId, pauseMs: waitMs });
      await pause(waitMs, options.signal);
    }
  }
}

interface Attempt extends Omit<Order, 'headers'> {
  readonly headers: Headers;
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
}

async function once(client: ClientOptions, order: Attempt, options: RequestOptions): Promise<Received> {
  const { method, path, template, headers, attempt, idempotencyKey, body = null, isRaw = false } = order;
  const limit = new AbortController();
  const timeoutMs = options.timeout ?? client.timeout ?? TIMEOUT_MS;
  const timer = setTimeout(() => limit.abort(new Error(`nothing came within ${timeoutMs} ms`)), timeoutMs);
  const forward = () => limit.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', forward); // AbortSignal.any loses signals on Node 20
  const about = { method, path: template, attempt };
  const startedMs = performance.now();
  let response: Response | undefined;
  observe(client.onRequest, about);
  try {
    // Sent on, a POST would become a GET.
    const request: RequestInit = { method, headers, body, redirect: 'error', signal: limit.signal };
    response = await (client.fetch ?? fetch)(`${client.url}${path}`, request);
    if (!response.ok) throw errorIn(response, await response.text(), idempotencyKey);
    if (isRaw) return { response, value: {} as Answer<object> };
    return { response, value: answerIn(response, await response.text(), idempotencyKey) };
  } catch (fault) {
    throw fault instanceof BursarError ? fault : failed(client.url, fault, response, idempotencyKey);
  } finally {
    clearTimeout(timer);
    if (!isRaw) options.signal?.removeEventListener('abort', forward);
    const requestId = response?.headers.get('Request-Id') ?? '';
    observe(client.onResponse, {
      ...about,
      status: response?.status ?? 0,
      ms: performance.now() - startedMs,
      requestId,
    });
  }
}

function failed(url: string, fault: unknown, response: Response | undefined, idempotencyKey: string | undefined) {
  const why = String((fault as { readonly cause?: unknown }).cause ?? fault);
  const what = response === undefined ? `No answer from ${url}` : `The answer ${response.status} was cut off`;
  const context = { headers: response?.headers, idempotencyKey, cause: fault };
  return new ConnectionError('connection_failed', response?.status ?? 0, `${what}: ${why}`, context);
}

/** Whether the same request may be answered otherwise in a while. The server knows best. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof BursarError)) return true;
  const { status, code, headers } = error;
  const advice = headers.get('Should-Retry') ?? headers.get('Stripe-Should-Retry');
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return code === 'connection_failed' || code === 'idempotency_key_in_use' || status === 429 || status >= 500;
}

/** Half a second, doubled with every attempt, by chance a little less, so that clients do not come back together. */
export const pauseMs = (attempt: number): number =>
  Math.min(500 * 2 ** (attempt - 1), USUAL_PAUSE_MS) * (0.5 + Math.random() / 2);

/** Ends early when the signal comes; whoever waits looks at it. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  inTime(new Promise(() => undefined), ms, 'time is over', signal).catch(() => undefined);

/** Does not rely on the signal of `fetch`: on Node 20 that is lost once the request has been collected as garbage. */
export function inTime<T>(work: Promise<T>, ms: number, reason: string, signal: AbortSignal | undefined): Promise<T> {
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`${reason} for ${ms} ms`)), ms);
    const abort = () => reject(new Error('ended by its signal'));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort(); // before: it is not told again
    stop = () => (clearTimeout(timer), signal?.removeEventListener('abort', abort));
  });
  return Promise.race([work, over]).finally(() => stop());
}
