/** Debian's PgBouncer in front of a test database. Without it the tests are left out, unless BURSAR_REQUIRE_PGBOUNCER=1. */
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startProxy } from '../faults/proxy.ts';
import { SERVER_LOGIN } from './database.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
/** PgBouncer refuses to run as root. */
const DAEMON = process.getuid?.() === 0 ? { uid: 1, gid: 1 } : {};

export interface PgBouncer {
  /** The database through it, as the login of servers. */
  readonly url: string;
  stop(): Promise<void>;
}

function isInstalled(): boolean {
  try {
    accessSync(PROGRAM, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** For `describe.skipIf`. */
export const withoutPgBouncer = !isInstalled() && process.env['BURSAR_REQUIRE_PGBOUNCER'] !== '1';

/** The path of the socket that an address of the embedded database leads to. */
export function socketOf(url: string): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  return `${query.get('host')}/.s.PGSQL.${query.get('port')}`;
}

/** `poolMode`: session, transaction or statement. `poolSize`: connections to PostgreSQL. */
export async function startPgBouncer(serverUrl: string, poolMode: string, poolSize = 20): Promise<PgBouncer> {
  if (!isInstalled()) throw new Error(`${PROGRAM} is missing: apt-get install pgbouncer`);
  const database = await startProxy(socketOf(serverUrl), () => ({}));
  const port = await freePort();
  const name = /\/(\w+)\?/.exec(serverUrl)?.[1] as string;
  const folder = mkdtempSync(join(tmpdir(), 'bursar-pgbouncer-'));
  chmodSync(folder, 0o755);
  const { role, password } = SERVER_LOGIN;
  const lines = [
    '[databases]',
    `${name} = host=127.0.0.1 port=${new URL(database.address).port} user=${role} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    'unix_socket_dir =',
    `pool_mode = ${poolMode}`,
    `default_pool_size = ${poolSize}`,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  const child = spawn(PROGRAM, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...DAEMON });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `postgres://${role}@127.0.0.1:${port}/${name}`;
  await answering(url);
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(50);
    }
  }
}
