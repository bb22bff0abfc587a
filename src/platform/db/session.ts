/**
 * One session with PostgreSQL: opened on the first host that can be written to, with the settings of its kind, and refused unless
 * it has them. A standby, and a primary that was made read-only, count as a database that is away. Next: `reconnecting.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from './embedded/embedded.ts';
import { addressesOf } from './hosts.ts';
import { APP_ROLE } from './roles.ts';
import { DatabaseUnavailable, isConnectionLost, words } from './wire/connection-lost.ts';
import { TYPES } from './wire/types.ts';

/** The database is there, but must not or cannot be used. The message says what to do next. */
export class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit';
}

export interface SessionOptions {
  /** Of one host or several (`hosts.ts`). */
  readonly url: string;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** Accepts a PostgreSQL that may lose what it acknowledged (fsync, full_page_writes or synchronous_commit is off). */
  readonly unsafeDurability: boolean;
}

export interface Kind {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Statements behind the settings that all sessions have. */
  readonly settings?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection silent for this long beyond the statement time-out is closed: its host is frozen. */
const SILENCE_MS = 5_000;
/** How long a start waits for a database that is starting. */
const START_WAIT_MS = 30_000;
const START_PAUSE_MS = 500;

const CHECK = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only,
  current_user AS role, current_setting('synchronous_commit') AS durability`;

interface Checked {
  readonly standby: boolean;
  readonly read_only: boolean;
  readonly role: string;
  readonly durability: string;
}

/** Commits with these settings are on disk, on the synchronous standby too if there is one, before they are acknowledged. */
export const DURABLE = ['on', 'remote_apply'];

/**
 * Opens a session as `role` (`null`: as the login) on the first host that lets it in. Rejects with `DatabaseUnavailable` when
 * none takes writes, `DatabaseUnfit` when the session may lose what it acknowledges, or the error of the last host.
 */
export async function openSession(options: SessionOptions, kind: Kind, role: string | null): Promise<Client> {
  let failure: unknown;
  for (const address of addressesOf(options.url) ?? []) {
    try {
      return await openOn(address, options, kind, role);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function openOn(address: string, options: SessionOptions, kind: Kind, role: string | null): Promise<Client> {
  const client = new Client({
    ...shared(address),
    application_name: kind.name,
    query_timeout: options.statementTimeoutMs + SILENCE_MS,
  });
  client.on('error', () => {}); // without a listener Node would end the process; `ReconnectingClient` listens to 'end'
  try {
    await client.connect();
    const settings = sessionSettings(options, role) + (kind.settings ?? '');
    const results = (await client.query(`${settings} ${CHECK}`)) as unknown as { rows: Checked[] }[];
    assertAsWanted(results.at(-1)?.rows[0] as Checked, options, role);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

function assertAsWanted(session: Checked, { unsafeDurability }: SessionOptions, role: string | null): void {
  assertWritable(session);
  if (role !== null && session.role !== role)
    throw new DatabaseUnfit(`The session works as ${session.role} instead of ${role}: something between changed it.`);
  if (!unsafeDurability && !DURABLE.includes(session.durability))
    throw new DatabaseUnfit(`The session has synchronous_commit = ${session.durability} and could lose payouts.`);
}

function assertWritable({ standby, read_only: readOnly }: Pick<Checked, 'standby' | 'read_only'>): void {
  if (standby) throw new DatabaseUnavailable('this server is a standby that is not promoted yet');
  if (readOnly) throw new DatabaseUnavailable('this server takes no writes (default_transaction_read_only)');
}

function sessionSettings(options: SessionOptions, role: string | null): string {
  return [
    "SET TimeZone = 'UTC';",
    "SET DateStyle = 'ISO';",
    'SET search_path = public;',
    'SET client_min_messages = warning;',
    `SET statement_timeout = ${options.statementTimeoutMs};`,
    `SET lock_timeout = ${options.lockTimeoutMs};`,
    `SET idle_in_transaction_session_timeout = ${options.idleInTransactionTimeoutMs};`,
    role === null ? '' : `SET ROLE ${role};`,
  ].join(' ');
}

function shared(address: string) {
  return { connectionString: address, types: TYPES, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
}

/**
 * One plain session as the login of `url`, without settings; `end()` it. While PostgreSQL is starting, not there yet or a
 * standby, waits up to 30 s; any other failure (password, unknown database) is thrown at once.
 */
export async function connectPatiently(url: string, log: Log): Promise<Client> {
  const addresses = addressesOf(url);
  if (addresses === null) throw new DatabaseUnfit('The address of the database is malformed. Check DATABASE_URL.');
  const until = Date.now() + START_WAIT_MS;
  for (let attempt = 0; ; attempt++) {
    const address = addresses[attempt % addresses.length] as string;
    const client = new Client({ ...shared(address), application_name: 'bursar start' });
    client.on('error', () => {}); // queries report it
    try {
      await client.connect();
      const { rows } = await client.query<Checked>(CHECK);
      assertWritable(rows[0] as Checked);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!isConnectionLost(error) || Date.now() > until) {
        throw new DatabaseUnfit(`The database does not let us in: ${words(error)}. Check DATABASE_URL.`, {
          cause: error,
        });
      }
      if (attempt === 0) log.info(`Waiting for PostgreSQL (${words(error)}) …`);
      if ((attempt + 1) % addresses.length === 0) await sleep(START_PAUSE_MS);
    }
  }
}

/** The role that the sessions of `client`'s login take on; `null`, with a warning, if it does not exist or may not be set. */
export async function roleFor(client: Client, log: Log): Promise<string | null> {
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
