/**
 * Connections to PostgreSQL: one for each writer, and a few readers. Each is opened again when it is lost. Knows no
 * tables. Never retries a write: only the write path knows whether a lost write was committed. Next: `write/writer.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from './embedded/embedded.ts';
import { DatabaseUnavailable, isConnectionLost, words } from './wire/connection-lost.ts';
import { pipelinedReaders, type Readers } from './readers.ts';
import { TYPES } from './wire/types.ts';

/** The database is there, but must not or cannot be used. The message says what to do next. */
export class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit';
}

export interface PoolOptions {
  readonly url: string;
  readonly log: Log;
  /** Connections for reads. */
  readonly readPoolSize: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** Accepts a PostgreSQL that may lose what it acknowledged (fsync, full_page_writes or synchronous_commit is off). */
  readonly unsafeDurability: boolean;
}

export interface Pools {
  readonly readers: Readers;
  /** A connection for one writer, to be used through `db/wire/pipeline.ts`. */
  openWriter(): OwnConnection;
  /** A bookkeeping connection. A crash of the database may lose its last commits, so its work must be repeatable. */
  openBookkeeping(): OwnConnection;
  /** Notifications to and from the other processes on this database. */
  openNotifications(onNotification: (text: string) => void): Notifications;
  /** Closes every connection after the queries under way; writers too. */
  close(): Promise<void>;
}

export interface OwnConnection {
  /** The live connection; waits for a new one if need be. Rejects with {@link DatabaseUnavailable}. */
  client(): Promise<Client>;
  /** Ends `client`, which may have an open transaction; the next call opens another. */
  discard(client: Client): void;
  close(): Promise<void>;
}

/** Notifications may be lost, late or repeated; correctness must not depend on them. */
export interface Notifications {
  /** At most 8,000 bytes. The sender receives it too. */
  send(text: string): void;
}

/** How long a request waits for a connection before it is answered with 503. */
const UNAVAILABLE_AFTER_MS = 2_000;
/** Pause between attempts; the longest brings the service back well within 2 s after PostgreSQL. */
const BACKOFF_MS = { first: 20, most: 500 } as const;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection silent for this long beyond the statement time-out is closed: its host is frozen. */
const SILENCE_MS = 5_000;
/** How long a start waits for a database that is starting. */
const START_WAIT_MS = 30_000;
const APP_ROLE = 'bursar_app';
const MIN_VERSION = 150_000;

/**
 * Connects and checks. Rejects with {@link DatabaseUnfit} when PostgreSQL is older than 15, not UTF-8, or not durable
 * (unless `unsafeDurability`).
 */
export async function openPools(options: PoolOptions): Promise<Pools> {
  const { log } = options;
  const probe = await connectPatiently(options.url, log);
  let role: string | null;
  try {
    await assertFit(probe, options);
    role = await appRole(probe, log);
  } finally {
    await probe.end();
  }
  const clients: ReconnectingClient[] = [];
  const keep = (name: string, connect: () => Promise<Client>) => {
    const reconnecting = new ReconnectingClient(connect, name, log);
    clients.push(reconnecting);
    return reconnecting;
  };
  const open = (name: string, extra: string, pipeline = true) =>
    keep(name, () => connect(options, name, sessionSettings(options, role) + extra, pipeline));
  const openNotifications = (onNotification: (text: string) => void): Notifications => {
    const settings = `${sessionSettings(options, role)} ${RELAXED_SETTINGS} LISTEN ${CHANNEL};`;
    const listening = keep('bursar hints', async () => {
      const client = await connect(options, 'bursar hints', settings);
      client.on('notification', ({ payload }) => onNotification(payload ?? ''));
      return client;
    });
    const notify = { name: 'notify', text: 'SELECT pg_notify($1, $2)' };
    return { send: (text) => void listening.live?.query({ ...notify, values: [CHANNEL, text] }).catch(() => {}) };
  };
  const reading = Array.from({ length: options.readPoolSize }, () => open('bursar reader', '', false));
  const pools: Pools = {
    readers: pipelinedReaders(reading, UNAVAILABLE_AFTER_MS),
    openWriter: () => open('bursar writer', WRITER_SETTINGS, false),
    openBookkeeping: () => open('bursar keeper', WRITER_SETTINGS + RELAXED_SETTINGS),
    openNotifications,
    close: async () => {
      await Promise.all(clients.map((reconnecting) => reconnecting.close()));
    },
  };
  try {
    await Promise.all(reading.map((reconnecting) => reconnecting.client()));
  } catch (error) {
    await pools.close();
    throw error;
  }
  return pools;
}

/**
 * One plain connection, not pipelined; `end()` it. While PostgreSQL is starting or not there yet, waits up to 30 s; any
 * other failure (password, unknown database) is thrown at once.
 */
export async function connectPatiently(url: string, log: Log): Promise<Client> {
  const until = Date.now() + START_WAIT_MS;
  for (let attempt = 0; ; attempt++) {
    const client = new Client({ ...shared(url), application_name: 'bursar start' });
    client.on('error', () => {}); // queries report it
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!isConnectionLost(error) || Date.now() > until) {
        throw new DatabaseUnfit(`The database does not let us in: ${words(error)}. Check DATABASE_URL.`, {
          cause: error,
        });
      }
      if (attempt === 0) log.info(`Waiting for PostgreSQL (${words(error)}) …`);
      await sleep(BACKOFF_MS.most);
    }
  }
}

// Generic plans are made while tables may be empty, and must still use indexes later (measured, ARCHITECTURE.md).
const WRITER_SETTINGS =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;';

// No flush for each commit, where a crash may lose the last ones.
const RELAXED_SETTINGS = 'SET synchronous_commit = off;';
const CHANNEL = 'bursar';

function sessionSettings(options: PoolOptions, role: string | null): string {
  return [
    "SET TimeZone = 'UTC';",
    "SET DateStyle = 'ISO';",
    'SET client_min_messages = warning;',
    `SET statement_timeout = ${options.statementTimeoutMs};`,
    `SET lock_timeout = ${options.lockTimeoutMs};`,
    `SET idle_in_transaction_session_timeout = ${options.idleInTransactionTimeoutMs};`,
    role === null ? '' : `SET ROLE ${role};`,
  ].join(' ');
}

function shared(url: string) {
  return { connectionString: url, types: TYPES, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
}

async function connect(options: PoolOptions, name: string, settings: string, pipeline = true): Promise<Client> {
  const client = new Client({
    ...shared(options.url),
    application_name: name,
    pipeline,
    query_timeout: options.statementTimeoutMs + SILENCE_MS,
  });
  client.on('error', () => {}); // without a listener Node would end the process; `ReconnectingClient` listens to 'end'
  try {
    await client.connect();
    await client.query(settings);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** A connection that is opened again in the background when it is lost. */
class ReconnectingClient implements OwnConnection {
  #live: Client | null = null;
  #opening: Promise<Client> | null = null;
  #closed = false;
  #lastError: unknown = null;
  readonly #open: () => Promise<Client>;
  readonly #name: string;
  readonly #log: Log;

  constructor(open: () => Promise<Client>, name: string, log: Log) {
    this.#open = open;
    this.#name = name;
    this.#log = log;
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
    if (this.#live === client) this.#live = null; // the next call opens it again; during a stop there is none
    void client.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#live;
    this.#live = null;
    await client?.end();
  }

  #reopen(): Promise<Client> {
    this.#opening ??= this.#try().finally(() => {
      this.#opening = null;
    });
    this.#opening.catch(() => {}); // callers of `client` get the error
    return this.#opening;
  }

  async #try(): Promise<Client> {
    for (let pauseMs: number = BACKOFF_MS.first; !this.#closed; pauseMs = Math.min(pauseMs * 2, BACKOFF_MS.most)) {
      try {
        const client = await this.#open();
        if (this.#closed) {
          await client.end();
          break;
        }
        client.once('error', (error) => this.#lost(client, error));
        client.once('end', () => this.#lost(client, new Error('connection ended')));
        this.#live = client;
        if (this.#lastError !== null) this.#log.info(`${this.#name}: connected to the database again`);
        this.#lastError = null;
        return client;
      } catch (error) {
        if (this.#lastError === null) this.#log.warn(`${this.#name}: no connection to the database: ${words(error)}`);
        this.#lastError = error;
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
    throw new DatabaseUnavailable('The connection was closed.');
  }

  #lost(client: Client, error: Error): void {
    if (this.#live !== client) return;
    this.#live = null;
    if (this.#closed) return;
    this.#lastError = error;
    this.#log.warn(`${this.#name}: connection to the database lost: ${words(error)}`);
    void client.end().catch(() => {});
    void this.#reopen();
  }
}

/** Rejects a PostgreSQL that is too old, not UTF-8, or could lose an acknowledged payout in a power cut. */
async function assertFit(client: Client, options: PoolOptions): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings
     WHERE name IN ('server_version_num', 'server_encoding', 'fsync', 'full_page_writes', 'synchronous_commit')`,
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  if (Number(settings.get('server_version_num')) < MIN_VERSION) {
    throw new DatabaseUnfit(
      'PostgreSQL 15 or newer is needed. Upgrade it, or unset DATABASE_URL to use the one that comes with Bursar.',
    );
  }
  if (settings.get('server_encoding') !== 'UTF8') {
    throw new DatabaseUnfit(
      `The database's encoding is ${settings.get('server_encoding')}. Create it with ENCODING 'UTF8'.`,
    );
  }
  const unsafe = ['fsync', 'full_page_writes'].filter((name) => settings.get(name) === 'off');
  // `local` and `remote_write` acknowledge before a synchronous standby has the commit on disk; without one they equal `on`.
  if (!['on', 'remote_apply'].includes(settings.get('synchronous_commit') ?? 'on')) unsafe.push('synchronous_commit');
  if (unsafe.length === 0) return;
  const list = unsafe.map((name) => `${name} = ${settings.get(name)}`).join(', ');
  if (!options.unsafeDurability) {
    throw new DatabaseUnfit(
      `PostgreSQL could lose acknowledged payouts: ${list}. Switch on what is off, or accept the loss with BURSAR_ALLOW_UNSAFE_DURABILITY=true.`,
    );
  }
  options.log.warn(`PostgreSQL could lose acknowledged payouts: ${list} (allowed by BURSAR_ALLOW_UNSAFE_DURABILITY).`);
}

/** The role that may not change transfers and events; `null` if it does not exist or may not be set. */
async function appRole(client: Client, log: Log): Promise<string | null> {
  try {
    await client.query(`SET ROLE ${APP_ROLE}`);
    return APP_ROLE;
  } catch (error) {
    log.warn(
      `Working without the role ${APP_ROLE} (${words(error)}): PostgreSQL does not forbid changes of transfers and events.`,
    );
    return null;
  }
}
