/**
 * A database of its own for a test file: a clone of the migrated template, made in some 30 ms. Next: `cluster.ts`.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { Login } from '../../../src/platform/db/embedded/access.ts';
import { prepareDatabase, withLogin } from '../../../src/operator/database.ts';

/** The migrated database that others are cloned from; nobody may be connected to it meanwhile. */
export const TEMPLATE = 'bursar_template';

export interface Database {
  /** As the owner of the tables. */
  readonly url: string;
  /** As the login of a server, which has its rights only (`operator/rights.ts`). */
  readonly serverUrl: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

let cluster: string | null = null;

/** For programs that Vitest does not run: the cluster whose template `createDatabase` clones from now on. */
export function useCluster(clusterUrl: string): void {
  cluster = clusterUrl;
}

/** In a test file: a migrated, empty database. Drop it in `afterAll`; what is left goes with the cluster. */
export async function createDatabase(): Promise<Database> {
  if (cluster !== null) return newDatabase(cluster);
  if (inject('clusterError') !== '') throw new Error(inject('clusterError'));
  return newDatabase(inject('clusterUrl'));
}

/** On any test cluster. */
export async function newDatabase(clusterUrl: string): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runSql(clusterUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const drop = () => runSql(clusterUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const url = databaseUrl(clusterUrl, name);
  return { url, serverUrl: asServer(url), drop };
}

/** A migrated database whose own functions, such as `lower`, know the letters of a locale (ICU). */
export async function databaseOfLocale(icuLocale: string): Promise<Database> {
  const clusterUrl = cluster ?? inject('clusterUrl');
  const name = `locale_${randomBytes(8).toString('hex')}`;
  await runSql(
    clusterUrl,
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE '${icuLocale}'`,
  );
  const url = databaseUrl(clusterUrl, name);
  await prepareDatabase(url, { info: () => {}, warn: () => {}, error: () => {} });
  const drop = () => runSql(clusterUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url, serverUrl: asServer(url), drop };
}

/** A database without any tables on the cluster of another, for restores. */
export async function emptyDatabase(url: string): Promise<Database> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await runSql(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const drop = () => runSql(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const own = databaseUrl(url, name);
  return { url: own, serverUrl: asServer(own), drop };
}

/** The same cluster, another database. */
export function databaseUrl(clusterUrl: string, name: string): string {
  return clusterUrl.replace(/^(postgres:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** The login of servers in the tests' cluster. */
export const SERVER_LOGIN: Login = { role: 'bursar_server', password: 'only-tests' };

/** The same database as the login of servers. */
export const asServer = (url: string): string => withLogin(url, SERVER_LOGIN);

/** On a connection of its own, as the owner. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
