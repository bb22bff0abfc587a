/**
 * The server's own role. `bursar_app` holds the rights and cannot log in; the login of the server is a member of it, and of
 * nothing else, so that no statement gives the server the rights of the tables' owner (docs/decisions/0026). The owner grants the rights
 * at every start, because a dump that is restored into another cluster brings neither roles nor grants.
 */
import { type Client, escapeLiteral } from 'pg';

export const APP_ROLE = 'bursar_app';

/** By table: whether rows may be inserted, and which columns may change. Every table in the list may be read. */
export type Rights = Readonly<Record<string, { readonly insert: boolean; readonly update: readonly string[] }>>;

/** One of two processes that start at once waits for the other; else PostgreSQL refuses the second. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('bursar rights'))";

/** Every right that the role has, as text: `payouts UPDATE status`, and `payouts INSERT` of a whole table. */
const GRANTED = `
  SELECT c.relname || ' ' || a.privilege_type AS granted FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.grantee = to_regrole($1)
  UNION ALL
  SELECT c.relname || ' ' || a.privilege_type || ' ' || t.attname FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.grantee = to_regrole($1)`;

/** Makes the role and gives it exactly these rights. `client` is the owner; rejects where it may not make the role. */
export async function ensureRights(client: Client, rights: Rights): Promise<'kept' | 'granted'> {
  if (await hasRights(client, rights)) return 'kept';
  await client.query('BEGIN');
  try {
    await client.query(LOCK);
    const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [APP_ROLE]);
    if (rows.length === 0) await client.query(`CREATE ROLE ${APP_ROLE} NOLOGIN; GRANT ${APP_ROLE} TO CURRENT_USER`);
    await client.query(`GRANT USAGE ON SCHEMA public TO ${APP_ROLE}`);
    await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${APP_ROLE}`);
    for (const [table, { insert, update }] of Object.entries(rights)) {
      const kinds = [
        'SELECT',
        ...(insert ? ['INSERT'] : []),
        ...(update.length > 0 ? [`UPDATE (${update.join(', ')})`] : []),
      ];
      await client.query(`GRANT ${kinds.join(', ')} ON ${table} TO ${APP_ROLE}`);
    }
    await client.query('COMMIT');
    return 'granted';
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

export async function hasRights(client: Client, rights: Rights): Promise<boolean> {
  const wanted = Object.entries(rights).flatMap(([table, { insert, update }]) => [
    `${table} SELECT`,
    ...(insert ? [`${table} INSERT`] : []),
    ...update.map((column) => `${table} UPDATE ${column}`),
  ]);
  const { rows } = await client.query<{ granted: string }>(GRANTED, [APP_ROLE]);
  const granted = new Set(rows.map((row) => row.granted));
  return granted.size === wanted.length && wanted.every((each) => granted.has(each));
}

/**
 * Makes or mends a login that has the rights of {@link APP_ROLE} and no others; a role of the whole cluster. `client` is a
 * superuser. `verifier` is what PostgreSQL keeps of the password (RFC 5802), so that no statement and no log holds it.
 */
export async function ensureLogin(client: Client, name: string, verifier: string): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  const limits = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT';
  await client.query(
    `${rows.length === 0 ? 'CREATE' : 'ALTER'} ROLE ${name} ${limits} PASSWORD ${escapeLiteral(verifier)}`,
  );
  await client.query(`GRANT ${APP_ROLE} TO ${name}`);
}

export interface LoginFacts {
  readonly isSuperuser: boolean;
  /** It owns the tables, or may become their owner. */
  readonly isOwner: boolean;
  /** It may become {@link APP_ROLE}. */
  readonly hasRights: boolean;
}

/** Looks at the login of `client`, whatever role it works as. */
export async function loginFacts(client: Client): Promise<LoginFacts> {
  const { rows } = await client.query<{ superuser: boolean; owner: boolean; rights: boolean }>(
    `SELECT r.rolsuper AS superuser,
      coalesce((SELECT pg_has_role(session_user, c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = to_regclass('public.transfers')), false) AS owner,
      CASE WHEN to_regrole($1) IS NULL THEN false ELSE pg_has_role(session_user, to_regrole($1), 'MEMBER') END AS rights
    FROM pg_roles r WHERE r.rolname = session_user`,
    [APP_ROLE],
  );
  const [{ superuser, owner, rights } = { superuser: false, owner: false, rights: false }] = rows;
  return { isSuperuser: superuser, isOwner: owner, hasRights: rights };
}
