/** What a client, and what a single call can be told. */
import type { Hooks } from './hooks.ts';

/** Names in any case. What has an option of its own is refused here: `Authorization`, `Idempotency-Key`, `Bursar-Version`. */
export type HeaderValues = Readonly<Record<string, string>>;

interface Common {
  /** Milliseconds of one attempt, until its answer is read. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Attempts after the first one. Default 4. */
  readonly maxRetries?: number | undefined;
  /** A date, sent as `Bursar-Version`. Default: that of the key. */
  readonly version?: string | undefined;
}

export interface ClientOptions extends Common, Hooks {
  /** Address of the server: `https://pay.example.com`. */
  readonly url: string;
  /** `sk_test_…`, `sk_live_…` or a restricted key. Left out, whoever stands between adds it: see the README, "In a browser". */
  readonly apiKey?: string;
  /** Sent with every attempt. A function is asked before each: `() => ({ traceparent: … })`. */
  readonly headers?: HeaderValues | (() => HeaderValues) | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Allows a key in a browser, where everybody who uses the page can read it. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

export interface RequestOptions extends Common {
  /** Instead of that of the client. */
  readonly apiKey?: string | undefined;
  /** Beside those of the client, and before them. */
  readonly headers?: HeaderValues | undefined;
  /** Default: a new one for every call, the same one for all of its attempts. Name one to repeat a call over a crash. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StreamOptions extends Pick<RequestOptions, 'apiKey' | 'headers' | 'version'> {
  /** The id of the last event that was received, or its `sequence`, from an earlier run. Without it: events from now on. */
  readonly lastEventId?: string | undefined;
  /** Ends the stream; it does not throw then. */
  readonly signal?: AbortSignal | undefined;
  /** The server sends something every 15 s; after this long without, the stream counts as dead. Default 30,000. */
  readonly silentMs?: number | undefined;
  /** Called before the stream is opened again, with what ended it. */
  readonly onReconnect?: ((reason: unknown) => void) | undefined;
}

/** All options of a type: the compiler finds one that is missing here, and one that the type does not have. Next: `refuse.ts`. */
export type NamesOf<T> = Readonly<Record<keyof T, true>>;
const COMMON: NamesOf<Common> = { maxRetries: true, timeout: true, version: true };
export const OF_CLIENTS: NamesOf<ClientOptions> = {
  url: true,
  apiKey: true,
  ...COMMON,
  headers: true,
  fetch: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  dangerouslyAllowBrowser: true,
};
export const OF_CALLS: NamesOf<RequestOptions> = {
  ...COMMON,
  apiKey: true,
  headers: true,
  idempotencyKey: true,
  signal: true,
};
export const OF_REQUESTS: NamesOf<RequestOptions & { readonly body: unknown }> = { ...OF_CALLS, body: true };
export const OF_STREAMS: NamesOf<StreamOptions> = {
  apiKey: true,
  headers: true,
  lastEventId: true,
  onReconnect: true,
  signal: true,
  silentMs: true,
  version: true,
};
