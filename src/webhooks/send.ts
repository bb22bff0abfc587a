/**
 * One delivery attempt over HTTP: a POST, and what became of it. It must never throw, follow a redirect, read more than it
 * may, log, or know what an event is. When to try again is decided elsewhere. Next: `connect.ts` for where it may connect to.
 */
import { Agent, type Dispatcher, errors } from 'undici';
import type { PrivateTargets } from '../core/private-targets.ts';
import { VERSION } from '../core/version.ts';
import { type Connector, ConnectError, guardedConnector } from './connect.ts';
import { type CheckedUrl, checkUrl } from './guard.ts';
import { type Lookup, systemLookup } from './lookup.ts';

export type AttemptOutcome =
  | 'succeeded' // 2xx, and the whole answer arrived
  | 'status' // whatever else was answered
  | 'dns'
  | 'blocked' // the guard refused
  | 'refused' // no connection
  | 'tls'
  | 'timeout'
  | 'too_long' // 2xx, but more was answered than is read
  | 'broken'; // the connection ended early, or what came was not HTTP

export interface Attempt {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  /** Of the final answer; there may be one although the attempt then timed out or broke. */
  readonly httpStatus: number | null;
  /** The beginning of the answer's body, at most `keepBytes` of valid UTF-8 without control characters. */
  readonly response: string | null;
  /** Why it failed, in words for people; `null` when it succeeded. */
  readonly error: string | null;
  /** The header as it came, cut to 100 characters. */
  readonly retryAfter: string | null;
}

export interface SendTarget {
  readonly url: string;
  readonly livemode: boolean;
}

export interface Sender {
  /** One attempt. Resolves always; concurrent calls use connections of their own, so callers bound how many they make. */
  send(target: SendTarget, headers: Readonly<Record<string, string>>, body: string): Promise<Attempt>;
  /** Cuts what is under way (`broken`) and closes every connection. Later sends are `broken` at once. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly privateTargets: PrivateTargets;
  readonly lookup?: Lookup;
  /** For name, connection and TLS together. */
  readonly connectTimeoutMs?: number;
  /** From the first look-up to the last byte of the answer. */
  readonly exchangeTimeoutMs?: number;
  readonly readLimitBytes?: number;
  readonly keepBytes?: number;
  readonly now?: () => number;
}

const MAX_CACHED_URLS = 1_000;
const IDLE_MS = 4000;
/** However long a server offers to keep a connection, hundreds of quiet endpoints would hold hundreds of them. */
const IDLE_MAX_MS = 30_000;
/** A busy connection ends some time, so that a name that moved is resolved again. */
const REQUESTS_PER_CONNECTION = 500;
const HEADERS_MAX_BYTES = 16_384;
const RETRY_AFTER_MAX_CHARACTERS = 100;
const OWN_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': `Bursar/${VERSION} (+webhooks)`,
};

interface Limits {
  readonly exchangeTimeoutMs: number;
  readonly readLimitBytes: number;
  readonly keepBytes: number;
}

/** Idle connections are kept for the next delivery; they do not keep the process from ending. */
export function createSender(options: SenderOptions): Sender {
  const { privateTargets, lookup = systemLookup, connectTimeoutMs = 5000, now = Date.now } = options;
  const { exchangeTimeoutMs = 15_000, readLimitBytes = 65_536, keepBytes = 4096 } = options;
  const limits: Limits = { exchangeTimeoutMs, readLimitBytes, keepBytes };
  // A connection once allowed for the sandbox must never carry a live delivery.
  const modes = [true, false].map((livemode) => {
    const policy = { livemode, privateTargets };
    const connector = guardedConnector({ policy, lookup, timeoutMs: connectTimeoutMs });
    return { livemode, check: cached((url) => checkUrl(url, policy)), connector, agent: agentOf(connector) };
  });
  return {
    send(target, headers, body) {
      const { check, agent } = modes.find(({ livemode }) => livemode === target.livemode)!;
      return new Promise((resolve) => {
        const exchange = new Exchange(limits, now(), resolve);
        const checked = check(target.url);
        if (checked.ok) exchange.begin(agent, checked.url, headers, body);
        else exchange.end('blocked', checked.reason);
      });
    },
    async close() {
      for (const { connector } of modes) connector.close();
      await Promise.all(modes.map(({ agent }) => agent.destroy()));
    },
  };
}

/** Caches what `check` says of a URL, which depends on the URL alone and costs 3 % of a delivery. */
function cached(check: (url: string) => CheckedUrl): (url: string) => CheckedUrl {
  const known = new Map<string, CheckedUrl>();
  return (url) => {
    let checked = known.get(url);
    if (checked === undefined) {
      if (known.size >= MAX_CACHED_URLS) known.clear();
      known.set(url, (checked = check(url)));
    }
    return checked;
  };
}

function agentOf({ connect }: Connector): Agent {
  return new Agent({
    connect,
    pipelining: 1, // the next request waits for the answer to the last one
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    maxRequestsPerClient: REQUESTS_PER_CONNECTION,
    maxHeaderSize: HEADERS_MAX_BYTES,
    headersTimeout: 0, // one clock for the whole exchange instead of one for each part
    bodyTimeout: 0,
  });
}

/** The exchange under way. A plain handler: undici's `request` would make a stream for each answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #startedAtMs: number;
  readonly #beganAt = performance.now();
  readonly #resolve: (attempt: Attempt) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #host = '';
  #controller: Dispatcher.DispatchController | null = null;
  #over = false;
  #status: number | null = null;
  #retryAfter: string | null = null;
  #readBytes = 0;
  #keptBytes = 0;

  constructor(limits: Limits, startedAtMs: number, resolve: (attempt: Attempt) => void) {
    this.#limits = limits;
    this.#startedAtMs = startedAtMs;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#timeOut(), limits.exchangeTimeoutMs);
  }

  begin(agent: Agent, url: URL, headers: Readonly<Record<string, string>>, body: string): void {
    this.#host = url.host;
    const path = url.pathname + url.search;
    try {
      agent.dispatch({ origin: url.origin, path, method: 'POST', headers: { ...OWN_HEADERS, ...headers }, body }, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) controller.abort(new Error('too late'));
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const [retryAfter] = [headers['retry-after']].flat();
    if (retryAfter !== undefined) this.#retryAfter = plainText(retryAfter).slice(0, RETRY_AFTER_MAX_CHARACTERS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    const { keepBytes, readLimitBytes } = this.#limits;
    if (this.#keptBytes < keepBytes) {
      // Copied: the chunk is a view of a larger buffer that would be held as long as the exchange lasts.
      const kept = Buffer.from(chunk.subarray(0, keepBytes - this.#keptBytes));
      this.#kept.push(kept);
      this.#keptBytes += kept.length;
    }
    this.#readBytes += chunk.length;
    if (this.#readBytes > readLimitBytes) {
      this.#answered('too_long', `The answer of ${this.#host} is longer than ${readLimitBytes / 1024} kB; it was cut.`);
    }
  }

  onResponseEnd(): void {
    // undici takes the connection back a turn of the event loop later. Who sends again at once should find it: else there
    // are twice as many connections as sends under way.
    setImmediate(() => setImmediate(() => this.#answered('succeeded', null)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #timeOut(): void {
    const limit = `${this.#limits.exchangeTimeoutMs / 1000} s`;
    const late = this.#status === null ? 'did not answer' : `began to answer ${this.#status}, but did not finish`;
    this.#answered('timeout', `${this.#host} ${late} within ${limit}.`);
  }

  #fail(error: unknown): void {
    if (error instanceof ConnectError) this.end(error.fault, error.message);
    else this.#answered(...breakage(error, this.#host));
  }

  /** A status other than 2xx decides, however the rest of the answer went. */
  #answered(outcome: AttemptOutcome, error: string | null): void {
    const status = this.#status;
    if (status === null || (status >= 200 && status < 300)) this.end(outcome, error);
    else this.end('status', statusError(this.#host, status));
  }

  end(outcome: AttemptOutcome, error: string | null): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#resolve({
      startedAtMs: this.#startedAtMs,
      durationMs: Math.round(performance.now() - this.#beganAt),
      outcome,
      httpStatus: this.#status,
      response: this.#status === null ? null : this.#text(),
      error,
      retryAfter: this.#retryAfter,
    });
    if (outcome !== 'succeeded') this.#controller?.abort(new Error('over'));
  }

  #text(): string {
    const { keepBytes } = this.#limits;
    const cut = (bytes: Uint8Array, more: boolean) => new TextDecoder().decode(bytes, { stream: more });
    const text = plainText(cut(Buffer.concat(this.#kept), this.#readBytes > this.#keptBytes));
    const bytes = Buffer.from(text);
    // What was not UTF-8 grew: a replacement character takes three bytes.
    return bytes.length <= keepBytes ? text : cut(bytes.subarray(0, keepBytes), true);
  }
}

/** Control characters (PostgreSQL refuses NUL) and what reorders text replaced; line breaks as `\n`. */
function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

function statusError(host: string, status: number): string {
  const redirect = status >= 300 && status < 400 ? ' Redirects are not followed: register the final url.' : '';
  return `${host} answered ${status}; only 2xx counts as received.${redirect}`;
}

/** A connection that was there and then failed. */
function breakage(error: unknown, host: string): [AttemptOutcome, string] {
  const { code = 'no reason given', message } = error as { code?: string; message?: string };
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return ['too_long', `The headers of ${host} are longer than ${HEADERS_MAX_BYTES / 1024} kB.`];
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return ['broken', 'The server was stopped before the answer arrived.'];
  }
  if (error instanceof errors.HTTPParserError || message === 'bad response' || message === 'bad upgrade') {
    return ['broken', `${host} answered with something that is not HTTP/1.1.`];
  }
  return ['broken', `The connection to ${host} broke before the answer was complete (${code}).`];
}
