/**
 * One delivery attempt over HTTP. Never throws, follows a redirect, reads more than its limit, or logs. Next:
 * `retry.ts`, `platform/outbound/connect.ts`.
 */
import { Agent, type Dispatcher, errors } from 'undici';
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts';
import { VERSION } from '../../core/values/version.ts';
import { type Connector, ConnectError, guardedConnector } from '../../platform/outbound/connect.ts';
import { checkUrl } from '../../platform/outbound/guard.ts';
import type { AttemptOutcome } from './fields.ts';
import { type Lookup, systemLookup } from '../../platform/outbound/lookup.ts';

export interface Attempt {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  /** Of the final answer. An attempt that timed out or broke may have one. */
  readonly httpStatus: number | null;
  /** At most 4 kB of valid UTF-8 without control characters. `null`: not kept, because it is behind the service. */
  readonly response: string | null;
  /** Why it failed, in a sentence; `null` when it succeeded. */
  readonly error: string | null;
  /** The header, cut to 100 characters. */
  readonly retryAfter: string | null;
}

export interface SendTarget {
  readonly url: string;
  readonly livemode: boolean;
}

export interface Sender {
  /** One attempt. Never rejects. Each call in flight has a connection, so callers limit their number. */
  send(target: SendTarget, headers: Readonly<Record<string, string>>, body: string): Promise<Attempt>;
  /** Ends attempts in flight as `broken` and closes every connection. Later attempts are `broken` at once. */
  close(): Promise<void>;
}

export interface SenderOptions {
  /** Asked before every attempt and every connection. */
  readonly privateTargets: () => PrivateTargets;
  /** Whether what receivers on addresses that are not public answer is kept. Asked at every attempt; no by default. */
  readonly keepsPrivateAnswers?: () => boolean;
  readonly lookup?: Lookup;
  /** For name, connection and TLS together. */
  readonly connectTimeoutMs?: number;
  /** From the first look-up to the last byte of the answer. */
  readonly exchangeTimeoutMs?: number;
  readonly now?: () => number;
}

const IDLE_MS = 4000;
/** Even if the server offers to keep a connection longer: hundreds of idle endpoints would hold hundreds of connections. */
const IDLE_MAX_MS = 30_000;
/** A busy connection is closed after this many, so that its name is resolved again. */
const REQUESTS_PER_CONNECTION = 500;
const HEADERS_MAX_BYTES = 16_384;
const ANSWER_MAX_BYTES = 65_536;
const KEPT_BYTES = 4096;
const RETRY_AFTER_MAX_CHARACTERS = 100;
const OWN_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': `Bursar/${VERSION} (+webhooks)`,
};

/** Idle connections are kept for the next delivery and do not keep the process alive. */
export function createSender(options: SenderOptions): Sender {
  const { privateTargets, lookup = systemLookup, connectTimeoutMs = 5000, now = Date.now } = options;
  const { exchangeTimeoutMs = 15_000, keepsPrivateAnswers = () => false } = options;
  // A connection that was allowed for the sandbox must never carry a live delivery.
  const modes = [true, false].map((livemode) => {
    const policy = {
      livemode,
      get privateTargets() {
        return privateTargets();
      },
    };
    const connector = guardedConnector({ policy, lookup, timeoutMs: connectTimeoutMs });
    return { livemode, policy, connector, agent: agentOf(connector) };
  });
  return {
    send(target, headers, body) {
      const { policy, agent, connector } = modes.find(({ livemode }) => livemode === target.livemode)!;
      const mayShow = (host: string) => connector.isPublic(host) || keepsPrivateAnswers();
      return new Promise((resolve) => {
        const exchange = new Exchange(exchangeTimeoutMs, now(), mayShow, resolve);
        const checked = checkUrl(target.url, policy);
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

function agentOf({ connect }: Connector): Agent {
  return new Agent({
    connect,
    pipelining: 1, // the next request waits for the last answer
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    maxRequestsPerClient: REQUESTS_PER_CONNECTION,
    maxHeaderSize: HEADERS_MAX_BYTES,
    headersTimeout: 0, // the exchange has one timer instead
    bodyTimeout: 0,
  });
}

/** One exchange. A handler, because undici's `request` would make a stream for each answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #mayShow: (host: string) => boolean;
  readonly #timeoutMs: number;
  readonly #startedAtMs: number;
  readonly #beganAt = performance.now();
  readonly #resolve: (attempt: Attempt) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #host = '';
  #controller: Dispatcher.DispatchController | null = null;
  #over = false;
  /** The answer has arrived to its end. */
  #isWhole = false;
  #status: number | null = null;
  #retryAfter: string | null = null;
  #readBytes = 0;
  #keptBytes = 0;

  constructor(
    timeoutMs: number,
    startedAtMs: number,
    mayShow: (host: string) => boolean,
    resolve: (attempt: Attempt) => void,
  ) {
    this.#mayShow = mayShow;
    this.#timeoutMs = timeoutMs;
    this.#startedAtMs = startedAtMs;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#timeOut(), timeoutMs);
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
    if (this.#keptBytes < KEPT_BYTES) {
      // Copied: the chunk is a view of a larger buffer, which would stay in memory until the exchange ends.
      const kept = Buffer.from(chunk.subarray(0, KEPT_BYTES - this.#keptBytes));
      this.#kept.push(kept);
      this.#keptBytes += kept.length;
    }
    this.#readBytes += chunk.length;
    // The status has said that it was received; nobody needs the rest.
    if (this.#readBytes > ANSWER_MAX_BYTES) this.#answered('succeeded', null);
  }

  onResponseEnd(): void {
    // undici takes the connection back one turn of the event loop later. Without this wait the next delivery would open
    // another connection, and there would be twice as many connections as exchanges.
    this.#isWhole = true;
    setImmediate(() => setImmediate(() => this.#answered('succeeded', null)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #timeOut(): void {
    const limit = `${this.#timeoutMs / 1000} s`;
    const late = this.#status === null ? 'did not answer' : `began to answer ${this.#status}, but did not finish`;
    this.#answered('timeout', `${this.#host} ${late} within ${limit}.`);
  }

  #fail(error: unknown): void {
    const status = this.#status ?? 0;
    // The status has said that it was received, though the body is shorter than it was to be.
    if (status >= 200 && status < 300) this.end('succeeded', null);
    else if (error instanceof ConnectError) this.end(error.fault, error.message);
    else this.#answered(...breakage(error, this.#host));
  }

  /** A status other than 2xx is the outcome, even if the rest of the answer broke or was too long. */
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
      response: this.#status === null || !this.#mayShow(this.#host) ? null : this.#text(),
      error,
      retryAfter: this.#retryAfter,
    });
    if (!this.#isWhole) this.#controller?.abort(new Error('over'));
  }

  #text(): string {
    const cut = (bytes: Uint8Array, more: boolean) => new TextDecoder().decode(bytes, { stream: more });
    const text = plainText(cut(Buffer.concat(this.#kept), this.#readBytes > this.#keptBytes));
    const bytes = Buffer.from(text);
    // The text is longer if bytes were not UTF-8: a replacement character takes three bytes.
    return bytes.length <= KEPT_BYTES ? text : cut(bytes.subarray(0, KEPT_BYTES), true);
  }
}

/** Replaces control characters (PostgreSQL refuses NUL) and characters that reorder text; line breaks become `\n`. */
function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

function statusError(host: string, status: number): string {
  const redirect = status >= 300 && status < 400 ? ' Redirects are not followed: register the final url.' : '';
  return `${host} answered ${status}; only 2xx counts as received.${redirect}`;
}

/** The outcome when an open connection failed. */
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
