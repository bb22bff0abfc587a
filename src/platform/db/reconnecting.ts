/** A connection that is opened again in the background when it is lost. Never repeats a statement. Next: `pool.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from './embedded/embedded.ts';
import { DatabaseUnavailable, words } from './wire/connection-lost.ts';

export interface OwnConnection {
  /** The live connection; waits for a new one if need be. Rejects with {@link DatabaseUnavailable}. */
  client(): Promise<Client>;
  /** Ends `client`, which may have an open transaction. Another is opened at once. */
  discard(client: Client): void;
  close(): Promise<void>;
}

export interface ReconnectingOptions {
  open(): Promise<Client>;
  readonly name: string;
  readonly log: Log;
  /** Called whenever a connection was lost or discarded: the next one may reach another server, or an earlier state. */
  onLost?(): void;
}

/** How long a request waits for a connection before it is answered with 503. */
export const UNAVAILABLE_AFTER_MS = 2_000;
/** Pause between attempts; the longest brings the service back well within 2 s after PostgreSQL. */
const BACKOFF_MS = { first: 20, most: 500 } as const;

export class ReconnectingClient implements OwnConnection {
  readonly #options: ReconnectingOptions;
  #live: Client | null = null;
  #opening: Promise<Client> | null = null;
  readonly #closing = new AbortController();
  #lastError: unknown = null;

  constructor(options: ReconnectingOptions) {
    this.#options = options;
    void this.#reopen();
  }

  get live(): Client | null {
    return this.#live;
  }

  async client(): Promise<Client> {
    if (this.#live !== null) return this.#live;
    const timer = new AbortController();
    const late = sleep(UNAVAILABLE_AFTER_MS, null, { signal: timer.signal }).catch(() => null);
    const client = await Promise.race([this.#reopen(), late]);
    timer.abort();
    if (client !== null) return client;
    throw new DatabaseUnavailable(`The database cannot be reached: ${words(this.#lastError)}`, {
      cause: this.#lastError,
    });
  }

  discard(client: Client): void {
    if (this.#live === client) this.#drop();
    void client.end().catch(() => {});
  }

  /** Waits for a connection that is being opened too: PostgreSQL would have to cut it when it stops. */
  async close(): Promise<void> {
    this.#closing.abort();
    const client = this.#live;
    this.#live = null;
    await Promise.all([client?.end(), this.#opening?.catch(() => {})]);
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  #drop(): void {
    this.#live = null;
    if (this.#closed) return;
    this.#options.onLost?.();
    void this.#reopen();
  }

  #reopen(): Promise<Client> {
    this.#opening ??= this.#try().finally(() => {
      this.#opening = null;
    });
    this.#opening.catch(() => {}); // callers of `client` get the error
    return this.#opening;
  }

  async #try(): Promise<Client> {
    const { open, name, log } = this.#options;
    for (let pauseMs: number = BACKOFF_MS.first; !this.#closed; pauseMs = Math.min(pauseMs * 2, BACKOFF_MS.most)) {
      try {
        const client = await open();
        if (this.#closed) {
          await client.end();
          break;
        }
        client.once('error', (error) => this.#lost(client, error));
        client.once('end', () => this.#lost(client, new Error('connection ended')));
        this.#live = client;
        if (this.#lastError !== null) log.info(`${name}: connected to the database again`);
        this.#lastError = null;
        return client;
      } catch (error) {
        if (this.#lastError === null && !this.#closed)
          log.warn(`${name}: no connection to the database: ${words(error)}`);
        this.#lastError = error;
        await sleep(pauseMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
      }
    }
    throw new DatabaseUnavailable('The connection was closed.');
  }

  #lost(client: Client, error: Error): void {
    if (this.#live !== client) return;
    if (!this.#closed) {
      this.#lastError = error;
      this.#options.log.warn(`${this.#options.name}: connection to the database lost: ${words(error)}`);
      void client.end().catch(() => {});
    }
    this.#drop();
  }
}
