/**
 * Connections to PostgreSQL: one for each writer, and a few readers. Each is opened again when it is lost. Knows no
 * tables. Never retries a write: only the write path knows whether a lost write was committed. Next: `write/writer.ts`.
 */
import type { Log } from './embedded/embedded.ts';
import { assertFit, assertOwnSession } from './fitness.ts';
import { pipelinedReaders, type Readers } from './readers.ts';
import { type OwnConnection, ReconnectingClient, UNAVAILABLE_AFTER_MS } from './reconnecting.ts';
import { pipelineOver, type Result } from './wire/pipeline.ts';
import { SERVER_SESSION } from './wire/servers.ts';
import type { Statement } from './wire/statement.ts';
import { connectPatiently, type Kind, openSession, roleFor, type SessionOptions } from './session.ts';

export { connectPatiently, DatabaseUnfit } from './session.ts';
export type { OwnConnection } from './reconnecting.ts';

export interface PoolOptions extends SessionOptions {
  readonly log: Log;
  readonly readPoolSize: number;
  /** Works with the rights of the login itself, who owns the tables: for the one command that changes the past. */
  readonly asOwner?: boolean;
  /** Ids of the server secrets that this process knows, for the others on this database (`platform/db/wire/servers.ts`). */
  readonly secretIds?: readonly string[];
  /** Called when the connection of a writer was lost: what is remembered of the database may no longer be so. */
  onWriterLost?(): void;
}

export interface Pools {
  readonly readers: Readers;
  openWriter(): OwnConnection;
  /**
   * Runs one statement a transaction, in the order of the calls, on a connection of its own. A commit need not be on disk
   * when it is answered, so the work must be repeatable. No other transaction inherits that.
   */
  openBookkeeping(): (statement: Statement) => Promise<Result>;
  /** The same, and on disk when it is answered: for what must not come back after a crash. A lost one may have been done, so it must be repeatable too. */
  openDurable(): (statement: Statement) => Promise<Result>;
  /** Notifications to and from the other processes on this database. */
  openNotifications(onNotification: (text: string) => void): Notifications;
  /** Why requests cannot be served now; `null` if they can. */
  unready(): string | null;
  /** Closes every connection after the queries under way; writers too. */
  close(): Promise<void>;
}

/** Notifications may be lost, late or repeated; correctness must not depend on them. */
export interface Notifications {
  /** At most 8,000 bytes. The sender receives it too. */
  send(text: string): void;
}

// Generic plans are made while tables may be empty, and must still use indexes later (measured).
const GENERIC_PLANS =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;';
const CHANNEL = 'bursar';

const READER: Kind = { name: 'bursar reader' };
// A writer that is frozen holds the locks of its environments, and another process waits for them.
const WRITER: Kind = {
  name: 'bursar writer',
  settings: `${GENERIC_PLANS} SET idle_in_transaction_session_timeout = 3000;`,
};
const BOOKKEEPING: Kind = { name: 'bursar keeper', settings: GENERIC_PLANS };
const DURABLE: Kind = { name: 'bursar sessions' };
const HINTS: Kind = { name: SERVER_SESSION, settings: `LISTEN ${CHANNEL};` };

/** Sends one. No flush for it: a crash of the database may lose notifications. */
const NOTIFY = { name: 'notify', text: "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)" };

const RELAX = { name: 'relax', text: "SELECT set_config('synchronous_commit', 'off', true)", values: [] };

const relaxed = (connection: OwnConnection) => async (statement: Statement) => {
  const pipeline = pipelineOver(await connection.client());
  pipeline.run(RELAX).catch(() => undefined); // the statement fails with it
  const result = pipeline.run(statement);
  pipeline.sync();
  return result;
};

const durable = (connection: OwnConnection) => async (statement: Statement) => {
  const pipeline = pipelineOver(await connection.client());
  const result = pipeline.run(statement);
  pipeline.sync();
  return result;
};

/** Connects and checks. Rejects with {@link DatabaseUnfit} when PostgreSQL is not fit (`fitness.ts`). */
export async function openPools(options: PoolOptions): Promise<Pools> {
  const { log } = options;
  const probe = await connectPatiently(options.url, log);
  let role: string | null;
  try {
    await assertFit(probe, options);
    await assertOwnSession(probe, options.url, log);
    role = options.asOwner === true ? null : await roleFor(probe, log);
  } finally {
    await probe.end();
  }
  const clients: ReconnectingClient[] = [];
  const open = (kind: Kind, onLost?: () => void, session = () => openSession(options, kind, role)) => {
    const reconnecting = new ReconnectingClient({ open: session, name: kind.name, log, ...(onLost && { onLost }) });
    clients.push(reconnecting);
    return reconnecting;
  };
  const openNotifications = (onNotification: (text: string) => void): Notifications => {
    const listening = open(HINTS, undefined, async () => {
      const name = [HINTS.name, ...(options.secretIds ?? [])].join(' ');
      const client = await openSession(options, { ...HINTS, name }, role);
      client.on('notification', ({ payload }) => onNotification(payload ?? ''));
      return client;
    });
    return { send: (text) => void listening.live?.query({ ...NOTIFY, values: [CHANNEL, text] }).catch(() => {}) };
  };
  const reading = Array.from({ length: options.readPoolSize }, () => open(READER));
  const readers = pipelinedReaders(reading, UNAVAILABLE_AFTER_MS);
  const writing: ReconnectingClient[] = [];
  const pools: Pools = {
    readers,
    openWriter: () => {
      const writer = open(WRITER, () => options.onWriterLost?.());
      writing.push(writer);
      return writer;
    },
    openBookkeeping: () => relaxed(open(BOOKKEEPING)),
    openDurable: () => durable(open(DURABLE)),
    openNotifications,
    unready: () => {
      if (!readers.alive()) return 'The database cannot be reached.';
      return writing.every(({ live }) => live !== null) ? null : 'The database takes no writes.';
    },
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
