/** What a PostgreSQL must be before a server works on it, looked at once at the start. Each refusal says what to do next. */
import type { Client } from 'pg';
import type { Log } from './embedded/embedded.ts';
import { connectPatiently, DatabaseUnfit, DURABLE } from './session.ts';

const MIN_VERSION = 150_000;
/** A pooler without a free connection would keep the second session waiting. */
const PROBE_MS = 3_000;

/** Rejects with {@link DatabaseUnfit}: too old, not UTF-8, or not durable (unless `unsafeDurability`). */
export async function assertFit(
  client: Client,
  { unsafeDurability, log }: { readonly unsafeDurability: boolean; readonly log: Log },
): Promise<void> {
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
  if (!DURABLE.includes(settings.get('synchronous_commit') ?? 'on')) unsafe.push('synchronous_commit');
  if (unsafe.length === 0) return;
  const list = unsafe.map((name) => `${name} = ${settings.get(name)}`).join(', ');
  if (!unsafeDurability) {
    throw new DatabaseUnfit(
      `PostgreSQL could lose acknowledged payouts: ${list}. Switch on what is off, or accept the loss with BURSAR_ALLOW_UNSAFE_DURABILITY=true.`,
    );
  }
  log.warn(`PostgreSQL could lose acknowledged payouts: ${list} (allowed by BURSAR_ALLOW_UNSAFE_DURABILITY).`);
}

/**
 * Rejects with {@link DatabaseUnfit} a pooler in transaction mode, which gives settings, roles and locks of one
 * connection to another: while a second session is in a transaction, the first must still be the same.
 */
export async function assertOwnSession(client: Client, url: string, log: Log): Promise<void> {
  const pidOf = async (session: Client) => {
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid;
  };
  const before = await pidOf(client);
  const other = await connectPatiently(url, log);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), PROBE_MS);
  });
  try {
    await other.query('BEGIN');
    const second = await pidOf(other);
    const after = await Promise.race([pidOf(client), tooLate]);
    if (after === before && second !== before) return;
  } finally {
    clearTimeout(timer);
    await other.end();
  }
  throw new DatabaseUnfit(
    'DATABASE_URL leads to a pooler in transaction mode, which hands the settings, role and locks of one session to another. Set pool_mode = session for this database (PgBouncer), or connect to PostgreSQL itself.',
  );
}
