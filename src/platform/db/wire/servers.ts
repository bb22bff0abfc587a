/**
 * Servers on a database tell each other which server secrets they know: the ids are in the name of one session of each. So nothing
 * is moved to a new secret that a running server could not read. Opened in `platform/db/pool.ts`.
 */

/** Begins the name of the session; ids follow, 8 hex digits each, that of the secret in use first. */
export const SERVER_SESSION = 'bursar hints';

/**
 * SQL that selects from pg_stat_activity, as `a`, the servers on this database that do not know the secret whose id `secretId` is, an
 * SQL expression. Servers of versions that say nothing count as such. Every role may see the names of sessions.
 */
export const serversWithout = (secretId: string): string =>
  `FROM pg_stat_activity a WHERE a.datname = current_database()
    AND a.application_name LIKE '${SERVER_SESSION}%' AND position(${secretId} in a.application_name) = 0`;

/** The same for servers that do not use the secret for what they make, whether they know it or not. */
export const serversNotUsing = (secretId: string): string =>
  `FROM pg_stat_activity a WHERE a.datname = current_database() AND a.application_name LIKE '${SERVER_SESSION}%'
    AND a.application_name NOT LIKE '${SERVER_SESSION} ' || ${secretId} || '%'`;
