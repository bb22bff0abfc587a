/**
 * Stripe over the wire, by the package `stripe`: what the package is told, a bound and a strict reader for what it
 * receives, and its errors in words that may be logged. Must never log, or pass on an error of the package: such an error
 * can hold the key or the payer. What is asked and what is believed: `stripe.ts`.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Stripe } from 'stripe';
import type { Tree } from '../http/request/param.ts';
import { VERSION } from '../core/version.ts';
import { AcquirerError } from './acquirer.ts';
import { member, parsed, text } from './stripe-json.ts';

/** The version whose answers are read here: an account's own would change them under us. */
const STRIPE_VERSION = '2026-10-28.endive';
const ANSWER_MAX_BYTES = 262_144;
/** Two payers press at once: the second request waits for the first. */
const CONFLICT_PAUSES_MS = [200, 400, 800];

export interface Answer {
  readonly body: Tree;
  /** Stripe repeats what it answered to the same key before. */
  readonly replayed: boolean;
}

/** What may stand in a log as it came. */
export function word(given: string): string | null {
  return /^[a-z0-9_[\].-]{1,80}$/i.test(given) && !/[srp]k_|whsec_/.test(given) ? given : null;
}

export class StripeApi {
  readonly #stripe: Stripe;
  /** Closes its connections. */
  readonly close: () => void;

  constructor({ protocol, hostname, port }: URL, secretKey: string, timeoutMs: number) {
    const isSecure = protocol === 'https:';
    const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: timeoutMs });
    let isClosed = false;
    this.close = () => {
      isClosed = true;
      agent.destroy();
    };
    this.#stripe = new Stripe(secretKey, {
      apiVersion: STRIPE_VERSION,
      protocol: isSecure ? 'https' : 'http',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (isSecure ? '443' : '80'),
      timeout: timeoutMs,
      // Stripe repeats its own faults under one key. The package still repeats a call once whose connection was closed.
      maxNetworkRetries: 0,
      telemetry: false,
      appInfo: { name: 'Bursar', version: VERSION },
      httpClient: strict(Stripe.createNodeHttpClient(agent), timeoutMs, () => isClosed),
    });
  }

  /** Throws the package's errors, which {@link inTime} makes ours; a conflict only after the other request was given time. */
  async call(
    signal: AbortSignal,
    method: 'GET' | 'POST',
    path: string,
    form = {},
    idempotencyKey = '',
  ): Promise<Answer> {
    for (let conflicts = 0; ; conflicts++) {
      signal.throwIfAborted();
      try {
        return (await this.#stripe.rawRequest(method, path, form, idempotencyKey ? { idempotencyKey } : {})) as Answer;
      } catch (error) {
        const pauseMs = isRefusal(error) && error.statusCode === 409 ? CONFLICT_PAUSES_MS[conflicts] : undefined;
        if (pauseMs === undefined) throw error;
        await pause(pauseMs, undefined, { signal });
      }
    }
  }
}

/** Every failure of the call becomes an {@link AcquirerError}, and none comes later than `timeoutMs`. */
export async function inTime<T>(timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  // One clock for a call of ours, however many it makes of Stripe.
  const late = new Promise<never>((_, reject) => {
    const error = new AcquirerError(`Stripe did not answer within ${timeoutMs / 1000} s.`);
    signal.addEventListener('abort', () => reject(error));
  });
  return Promise.race([call(signal), late]).catch((error: unknown) => {
    throw faultOf(error);
  });
}

/** The package's client, with answers that are bounded, JSON, and read without rounding a number or choosing of two. */
function strict(client: Stripe.HttpClient, timeoutMs: number, isClosed: () => boolean): Stripe.HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...call) {
      if (isClosed()) throw new AcquirerError('Stripe was no longer asked: the server stops.');
      const response = await client.makeRequest(...call);
      const status = response.getStatusCode();
      const {
        'content-type': type,
        'request-id': id = '',
        'idempotent-replayed': replayed = '',
      } = response.getHeaders();
      // A stalled or dripping answer does not keep its connection: the package's own clock starts anew with every packet.
      const stream = addAbortSignal(AbortSignal.timeout(timeoutMs), response.toStream(() => undefined) as Readable);
      return {
        getStatusCode: () => status,
        getHeaders: () => ({ 'request-id': id, 'idempotent-replayed': replayed }), // without the notices that the package prints
        getRawResponse: () => ({}),
        toStream: () => stream,
        async toJSON() {
          const body = parsed(await read(stream, status, String(type)));
          if (status === 200) return { body, replayed: replayed === 'true' } satisfies Answer;
          // A member of this name makes it an error to the package. Stripe's sentence repeats what was sent, and of the key.
          const error = member(body, 'error');
          return { error: { type: text(error, 'type'), code: text(error, 'code'), param: text(error, 'param') } };
        },
      };
    },
  };
}

async function read(stream: Readable, status: number, type: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop cuts the connection.
    if (length > ANSWER_MAX_BYTES) throw new AcquirerError(`Stripe answered ${status} with more than is read.`);
    chunks.push(chunk);
  }
  if (/^application\/json\b/i.test(type)) return Buffer.concat(chunks).toString();
  throw new AcquirerError(`Stripe answered ${status} with something else than JSON.`);
}

/** Stripe answered, but not with what was asked for. */
export function isRefusal(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError && error.statusCode !== undefined;
}

function faultOf(error: unknown): AcquirerError {
  if (isRefusal(error)) {
    const { statusCode, rawType, code, param, requestId } = error;
    const why = [rawType, code, param].flatMap((each) => word(each ?? '') ?? []);
    const request = word(requestId ?? '') ?? 'without an id';
    return new AcquirerError(`Stripe answered ${[statusCode, ...why].join(', ')} (request ${request}).`);
  }
  // What stopped the reading of an answer is in `exception`, what stopped the request in `detail`.
  const { raw, detail } = error as { raw?: { exception?: unknown }; detail?: unknown };
  const cause = raw?.exception ?? detail ?? error;
  if (cause instanceof AcquirerError) return cause;
  const { code, name } = cause as { code?: string; name: string };
  return new AcquirerError(`Stripe could not be reached (${word(code ?? name) ?? 'no reason given'}).`);
}

/** Throws unless it is an address that a secret key can be sent to: not over a wire that others can read. */
export function safeUrl(apiUrl: string): URL {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : null;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url && (url.protocol === 'https:' || isLocal) && url.pathname === '/' && url.username === '') return url;
  throw new Error('The address of Stripe is neither https nor http on this machine, or has a path.');
}
