/**
 * One request until it is answered: time-outs, and retries with one idempotency key after 429, 5xx and faults of the network. Also after 409
 * `idempotency_key_in_use`, which the contract allows and Bursar never answers (docs/decisions/0011). Bounded: 5 tries, each 30 s, pauses of
 * at most 60 s. Next: `list.ts`, `stream.ts`.
 */
import { BursarError, ConnectionError } from './errors.ts';
import type { ErrorDetail } from './generated/types.ts';

export interface ClientOptions {
  /** Address of the server: `https://pay.example.com`. */
  readonly url: string;
  /** `sk_test_…`, `sk_live_…` or a restricted key. */
  readonly key: string;
  /** Of one try, until its answer is read. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one. Default 4. */
  readonly retries?: number | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface RequestOptions extends Partial<Pick<ClientOptions, 'timeoutMs' | 'retries'>> {
  /** Default: a new one for every call, the same one for all of its tries. Name one to repeat a call over a crash. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Order {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: NonNullable<RequestInit['body']> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body is the caller's to read; the time-out ends with the head of the answer. */
  readonly isRaw?: boolean;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
const LONGEST_PAUSE_MS = 60_000;
const USUAL_PAUSE_MS = 8_000;

/** The answer, with its text unless `isRaw`. Throws `BursarError`, `ConnectionError`, or the reason of the signal. */
export async function send(client: ClientOptions, order: Order, options: RequestOptions = {}) {
  const idempotencyKey = order.method === 'GET' ? undefined : (options.idempotencyKey ?? crypto.randomUUID());
  const retries = options.retries ?? client.retries ?? RETRIES;
  for (let tries = 1; ; tries += 1) {
    options.signal?.throwIfAborted();
    try {
      return await once(client, order, options, idempotencyKey);
    } catch (fault) {
      options.signal?.throwIfAborted();
      const error =
        fault instanceof BursarError || fault instanceof ConnectionError
          ? fault
          : new ConnectionError(`No answer from ${client.url}: ${said(fault)}`, 0, idempotencyKey, fault);
      if (tries > retries || !isPassing(error)) throw error;
      const askedMs = error instanceof BursarError ? error.retryAfterSeconds * 1_000 : 0;
      await pause(Math.max(pauseMs(tries), Math.min(askedMs, LONGEST_PAUSE_MS)), options.signal);
    }
  }
}

async function once(client: ClientOptions, order: Order, options: RequestOptions, idempotencyKey: string | undefined) {
  const limit = new AbortController();
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS;
  const timer = setTimeout(() => limit.abort(new Error(`nothing came within ${timeoutMs} ms`)), timeoutMs);
  const forward = () => limit.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', forward); // AbortSignal.any loses signals on Node 20
  try {
    const response = await (client.fetch ?? fetch)(`${client.url}${order.path}`, {
      method: order.method,
      headers: {
        Authorization: `Bearer ${client.key}`,
        Accept: 'application/json',
        ...order.headers,
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      body: order.body ?? null,
      redirect: 'error', // a POST that was sent on would become a GET
      signal: limit.signal,
    });
    if (!response.ok) throw errorIn(response, await response.text(), idempotencyKey);
    return { response, text: order.isRaw === true ? '' : await response.text() };
  } finally {
    clearTimeout(timer);
    if (order.isRaw !== true) options.signal?.removeEventListener('abort', forward);
  }
}

function errorIn(response: Response, text: string, idempotencyKey: string | undefined): Error {
  const { status, headers } = response;
  try {
    const { error } = JSON.parse(text) as { readonly error: ErrorDetail };
    if (typeof error.code === 'string') return new BursarError(status, error, Number(headers.get('Retry-After')) || 0);
  } catch {} // not of Bursar
  return new ConnectionError(`${status} from somebody else than Bursar: ${text.slice(0, 200)}`, status, idempotencyKey);
}

/** Whether the same request may be answered otherwise in a while. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.status === 0 || error.status === 429 || error.status >= 500;
  if (!(error instanceof BursarError)) return true;
  return error.status >= 500 || error.status === 429 || error.code === 'idempotency_key_in_use';
}

const said = (fault: unknown): string => String((fault as { readonly cause?: unknown }).cause ?? fault);

/** Half a second, doubled with every try, by chance a little less, so that clients do not come back together. */
export const pauseMs = (tries: number): number =>
  Math.min(500 * 2 ** (tries - 1), USUAL_PAUSE_MS) * (0.5 + Math.random() / 2);

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
