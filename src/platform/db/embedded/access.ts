/**
 * Who may log in to the embedded database: a role with its password, over the socket. Passwords are files in the data
 * folder for the server's user alone, and must never be logged. `pg_hba.conf` is written last, with the password's
 * fingerprint: a start that finds another text secures the cluster again. Until then only the server's own user of the
 * operating system can connect (peer), also when the server is killed meanwhile. Next: `embedded.ts`.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedError, OWN_DATABASE } from './binaries.ts';
import { type Cluster, endPostmaster, startPatiently, STOP_PATIENCE_MS, waitUntilIdle } from './cluster.ts';
import { type Log, textIn, writePrivate } from './data-folder.ts';
import { giveTo } from './user.ts';

export interface Login {
  readonly role: string;
  readonly password: string;
}

/** Superuser and owner of the tables. */
export const OWNER_ROLE = 'bursar';
const DATABASE = 'bursar';
/** Names the socket while the cluster is being secured, so that no command takes it for a running database. */
const SECURING_PORT = 5433;
const HEADING = '# Written by Bursar, which replaces what it did not write.';
const PASSWORD = /^[\w-]{43}$/;
const SCRAM_ITERATIONS = 4096;
const CONNECT_TIMEOUT_MS = 10_000;

/** The login kept in the data folder; `null` when its file is missing or damaged. Throws `EmbeddedError` when it is closed to us. */
export function keptLogin(dataDir: string, role: string): Login | null {
  const path = passwordFile(dataDir, role);
  try {
    const password = fs.readFileSync(path, 'utf8').trim();
    return PASSWORD.test(password) ? { role, password } : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new EmbeddedError(`${path} cannot be read (${code}). Run this as the user of the server.`, { cause: error });
  }
}

/** The login kept in the data folder, with a new random password if there is none. For the owner of the folder only. */
export function keepLogin(dataDir: string, role: string): Login {
  const kept = keptLogin(dataDir, role);
  if (kept !== null) return kept;
  const login = { role, password: randomBytes(32).toString('base64url') };
  writePrivate(passwordFile(dataDir, role), `${login.password}\n`, null);
  return login;
}

export const passwordFile = (dataDir: string, role: string): string => join(dataDir, `postgres-password-${role}`);

/** For `ALTER ROLE … PASSWORD '…'`: what PostgreSQL keeps of a password (RFC 5802), so that no statement contains it. */
export function verifierOf({ password }: Login): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const key = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(key('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${key('Server Key').toString('base64')}`;
}

/** For `pg`. Host, port and sslmode are spelled out, so that PGHOST, PGPORT and PGSSLMODE of the caller's shell change nothing. */
export function urlOf(socketDir: string, port: number, { role, password }: Login): string {
  const user = `${encodeURIComponent(role)}:${encodeURIComponent(password)}`;
  return `postgres://${user}@/${DATABASE}?host=${encodeURIComponent(socketDir)}&port=${port}&sslmode=disable`;
}

/** Gives the stopped cluster its user, its database and the owner's password. May be killed and called again. */
export async function secure(cluster: Cluster, dataDir: string, isNew: boolean, log: Log): Promise<Login> {
  const before = textIn(join(cluster.folder, 'pg_hba.conf'));
  const kept = keptLogin(dataDir, OWNER_ROLE);
  if (kept !== null && before === doorOf(kept) && belongsToItsUser(cluster)) return kept;

  const file = passwordFile(dataDir, OWNER_ROLE);
  if (kept === null && before.startsWith(HEADING)) log.warn(`${file} is missing or damaged: making a new password.`);
  else if (!isNew) log.info(`Giving the database in ${dataDir} its own user and password …`);
  await waitUntilIdle(cluster, log);
  fs.rmSync(join(cluster.folder, 'pg_hba.conf'), { force: true }); // a cluster without one does not start
  if (cluster.user !== null) giveTo(cluster.folder, cluster.user);
  const login = keepLogin(dataDir, OWNER_ROLE);
  const write = (name: string, text: string) => writePrivate(join(cluster.folder, name), text, cluster.user);
  write('pg_ident.conf', `${HEADING}\nserver "${nameOfThisUser()}" ${OWNER_ROLE}\n`);
  write('pg_hba.conf', `${HEADING}\nlocal all ${OWNER_ROLE} peer map=server\n`);
  await setPassword({ ...cluster, port: SECURING_PORT }, login, log);
  write('pg_hba.conf', doorOf(login));
  return login;
}

/** `pg_hba.conf` of a secured cluster. */
function doorOf({ password }: Login): string {
  const fingerprint = createHash('sha256').update(password).digest('hex').slice(0, 16);
  return `${HEADING}\n# Password of ${OWNER_ROLE}: ${fingerprint}\nlocal all all scram-sha-256\n`;
}

function belongsToItsUser({ folder, user }: Cluster): boolean {
  const uid = user?.uid ?? process.getuid?.();
  return fs.statSync(folder).uid === uid && fs.lstatSync(join(folder, 'pg_hba.conf')).uid === uid;
}

/** On a postmaster of its own, which it stops. */
async function setPassword(cluster: Cluster, login: Login, log: Log): Promise<void> {
  const postmaster = await startPatiently(cluster, log);
  const problem = await alterRole(cluster, login).then(
    () => null,
    (error: Error) => error,
  );
  const ended = await endPostmaster(postmaster, STOP_PATIENCE_MS);
  if (problem !== null) {
    throw new EmbeddedError(
      `The database could not be given its password: ${problem.message}. See ${cluster.logFile}.`,
      {
        cause: problem,
      },
    );
  }
  if (!ended) throw new EmbeddedError(`PostgreSQL (process ${postmaster.pid}) does not end. End it, then start again.`);
}

async function alterRole({ socketDir: host, port }: Cluster, login: Login): Promise<void> {
  const at = { host, port, user: login.role, database: 'template1', ssl: false };
  const client = new Client({ ...at, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // queries report it
  await client.connect();
  try {
    await client.query(`ALTER ROLE ${login.role} PASSWORD '${verifierOf(login)}'`);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** As PostgreSQL sees the other end of a socket. */
function nameOfThisUser(): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new EmbeddedError(
      `User ${process.getuid?.()} has no name in /etc/passwd, and PostgreSQL needs one to set the password of an embedded database. Add a line for it. ${OWN_DATABASE}`,
      { cause: error },
    );
  }
}
