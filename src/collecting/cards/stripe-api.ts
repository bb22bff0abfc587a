/**
 * Stripe over the wire. Must never log, follow a redirect, read more than it may, or pass on an error that holds the
 * request, because that holds the key. What is asked and believed: `stripe.ts`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, buildConnector, request } from 'undici';
import { tolerantConnector } from '../../platform/outbound/informational.ts';
import { readJson } from '../../platform/http/request/json.ts';
import { isObject, NumberText, type Tree } from '../../platform/http/request/param.ts';
import { VERSION } from '../../core/values/version.ts';
import { parseUrl } from '../../core/values/url.ts';
import { AcquirerError } from './acquirer.ts';

/** The version whose answers are read here: an account's own would change them under us. */
const STRIPE_VERSION = '2026-10-28.endive';
const ANSWER_MAX_BYTES = 262_144;
const ANSWER_MAX_DEPTH = 20;
/** Two payers press at once: the second request waits for the first. */
const CONFLICT_PAUSES_MS = [200, 400, 800];

/** An answer that arrived whole and is JSON. */
class Answer {
  readonly status: number;
  readonly body: Tree;
  /** Stripe repeats what it answered to the same key before. */
  readonly replayed: boolean;
  readonly #requestId: string;

  constructor(status: number, body: Tree, headers: Readonly<Record<string, string | string[] | undefined>>) {
    this.status = status;
    this.body = body;
    this.replayed = headers['idempotent-replayed'] === 'true';
    this.#requestId = word(String(headers['request-id'] ?? '')) ?? 'without an id';
  }

  /** The parameter that Stripe found wrong. */
  get parameter(): string | null {
    return text(member(this.body, 'error'), 'param');
  }

  /** Stripe's sentence is left out: it repeats what was sent, and a part of the key. */
  fault(): AcquirerError {
    const error = member(this.body, 'error');
    const why = ['type', 'code', 'param'].flatMap((name) => word(text(error, name) ?? '') ?? []);
    return new AcquirerError(`Stripe answered ${[this.status, ...why].join(', ')} (request ${this.#requestId}).`);
  }
}

/** What may stand in a log as it came. */
export function word(given: string): string | null {
  return /^[a-z0-9_[\].-]{1,80}$/i.test(given) && !/[srp]k_|whsec_/.test(given) ? given : null;
}

export class StripeApi {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;

  constructor(origin: string, secretKey: string, timeoutMs: number) {
    this.#origin = origin;
    this.#headers = {
      authorization: `Bearer ${secretKey}`,
      'stripe-version': STRIPE_VERSION,
      'user-agent': `Bursar/${VERSION} (+payment links)`,
    };
    // One clock for a call of ours instead of one for each part.
    const connect = tolerantConnector(buildConnector({ timeout: timeoutMs }));
    this.#agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
  }

  async get(path: string, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#exchange(path, { method: 'GET', headers: this.#headers, signal });
    if (answer.status !== 200) throw answer.fault();
    return answer;
  }

  /** Whatever Stripe answers; 409 only after the other request with this key was given time. */
  async post(path: string, body: string, idempotencyKey: string, signal: AbortSignal): Promise<Answer> {
    const own = { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': idempotencyKey };
    const headers = { ...this.#headers, ...own };
    for (const pauseMs of CONFLICT_PAUSES_MS) {
      const answer = await this.#exchange(path, { method: 'POST', headers, body, signal });
      if (answer.status !== 409) return answer;
      await pause(pauseMs, undefined, { signal });
    }
    return this.#exchange(path, { method: 'POST', headers, body, signal });
  }

  async #exchange(path: string, options: Parameters<typeof request>[1]): Promise<Answer> {
    const { statusCode, headers, body } = await request(this.#origin + path, { ...options, dispatcher: this.#agent });
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      // Leaving the loop cuts the connection.
      if (length > ANSWER_MAX_BYTES) throw new AcquirerError(`Stripe answered ${statusCode} with more than is read.`);
      chunks.push(chunk);
    }
    if (statusCode >= 300 && statusCode < 400) throw new AcquirerError(`Stripe answered ${statusCode}, a redirect.`);
    const isJson = /^application\/json\b/i.test(String(headers['content-type']));
    if (!isJson) throw new AcquirerError(`Stripe answered ${statusCode} with something else than JSON.`);
    return new Answer(statusCode, parsed(Buffer.concat(chunks).toString()), headers);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Every failure of the call becomes an {@link AcquirerError}; undici's own are not passed on, they may hold the request. */
export async function inTime<T>(timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await call(signal);
  } catch (error) {
    if (error instanceof AcquirerError) throw error;
    if (signal.aborted) throw new AcquirerError(`Stripe did not answer within ${timeoutMs / 1000} s.`);
    const { code, name } = error as { code?: string; name: string };
    throw new AcquirerError(`Stripe could not be reached (${word(code ?? name) ?? 'no reason given'}).`);
  }
}

export function parsed(json: string): Tree {
  try {
    return readJson(json, ANSWER_MAX_DEPTH);
  } catch {
    throw new AcquirerError('Stripe sent something that is not JSON, or says a thing twice.');
  }
}

export function member(tree: Tree, name: string): Tree {
  return isObject(tree) ? (tree[name] ?? null) : null;
}

export function text(tree: Tree, name: string): string | null {
  const value = member(tree, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number that is not negative. */
export function whole(tree: Tree, name: string): bigint | null {
  const value = member(tree, name);
  return value instanceof NumberText && /^\d{1,15}$/.test(value.text) ? BigInt(value.text) : null;
}

export function flag(tree: Tree, name: string): boolean | null {
  const value = member(tree, name);
  return typeof value === 'boolean' ? value : null;
}

/** Throws unless it is an address that a secret key can be sent to: not over a wire that others can read. */
export function safeUrl(apiUrl: string): URL {
  const url = parseUrl(apiUrl);
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url && (url.protocol === 'https:' || isLocal) && url.pathname === '/' && url.username === '') return url;
  throw new Error('The address of Stripe is neither https nor http on this machine, or has a path.');
}
