/**
 * The database before a server or a command works on it: migrated, with the rights of the server’s login. Next:
 * `platform/db/migrate.ts`.
 */
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { keepLogin, type Login, verifierOf } from '../platform/db/embedded/access.ts';
import type { Log } from '../platform/db/embedded/embedded.ts';
import { migrate } from '../platform/db/migrate.ts';
import { connectPatiently, DatabaseUnfit } from '../platform/db/pool.ts';
import { APP_ROLE, ensureLogin, ensureRights } from '../platform/db/roles.ts';
import { fillWords } from './fill-words.ts';
import { SERVER_RIGHTS } from './rights.ts';
import { guide } from './guide.ts';

/** PostgreSQL's word for: you may not do that. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The role of the embedded database that its server logs in as. */
export const SERVER_ROLE = 'bursar_server';

/** The addresses of one database. The same where the operator gave one only. Passwords are in them: never log them. */
export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly serverUrl: string;
}

/** A database of the operator's own; `null` without `DATABASE_URL`. */
export function urlsOf(config: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'>): DatabaseUrls | null {
  const { databaseUrl: serverUrl, databaseOwnerUrl } = config;
  return serverUrl === null ? null : { serverUrl, ownerUrl: databaseOwnerUrl ?? serverUrl };
}

/** The embedded database in `dataDir`, once it is prepared: makes the login of its server. Needs a running database. */
export async function embeddedUrls(ownerUrl: string, dataDir: string, log: Log): Promise<DatabaseUrls> {
  const login = keepLogin(dataDir, SERVER_ROLE);
  const owner = await connectPatiently(ownerUrl, log);
  try {
    await ensureLogin(owner, login.role, verifierOf(login));
  } finally {
    await owner.end();
  }
  return { ownerUrl, serverUrl: withLogin(ownerUrl, login) };
}

/** The same database as another role. */
export function withLogin(url: string, { role, password }: Login): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/, `$1${role}:${encodeURIComponent(password)}@`);
}

/** Migrates, gives the server its rights, and older recipients their words. Returns the names of the migrations that ran. Rejects with `DatabaseUnfit`. */
export async function prepareDatabase(ownerUrl: string, log: Log): Promise<string[]> {
  try {
    const migrated = await migrate(ownerUrl, log);
    const owner = await connectPatiently(ownerUrl, log);
    try {
      await ensureRights(owner, SERVER_RIGHTS);
      const filled = await fillWords(owner);
      if (filled > 0) log.info(`Recipients that can be found by the words of their names: ${filled}.`);
    } finally {
      await owner.end();
    }
    return migrated;
  } catch (error) {
    const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message: string };
    if (code !== INSUFFICIENT_PRIVILEGE && cause?.code !== INSUFFICIENT_PRIVILEGE) throw error;
    const words = (await mayMakeTables(ownerUrl, log))
      ? `The owner of the tables cannot give the server its rights (${message}). As a superuser: CREATE ROLE ${APP_ROLE}; GRANT ${APP_ROLE} TO <owner> WITH ADMIN OPTION.`
      : `This login cannot make the tables (${message}). Name the login that owns the database in DATABASE_OWNER_URL; without it the one in DATABASE_URL makes them.`;
    throw new DatabaseUnfit(`${words} See ${guide('operating/database.md')}, "Your own".`, { cause: error });
  }
}

async function mayMakeTables(url: string, log: Log): Promise<boolean> {
  const client = await connectPatiently(url, log);
  const asked = client.query<{ may: boolean }>("SELECT has_schema_privilege('public', 'CREATE') AS may");
  const { rows } = await asked.finally(() => client.end());
  return rows[0]?.may === true;
}

/** Statements of a check, on this session alone. */
export const runOn =
  (client: Client) =>
  async (text: string, values: readonly unknown[] = []): Promise<readonly object[]> =>
    (values.length === 0 ? await client.query<object>(text) : await client.query<object>(text, [...values])).rows;
