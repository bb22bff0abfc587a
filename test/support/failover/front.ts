/**
 * What stands before the pair: HAProxy, which sends everybody to the node whose health check passes, and PgBouncer in session mode
 * before it. The check asks each node whether it takes writes, as Patroni's `GET /primary` does. Next: `standby-pair.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../harness/server-process.ts';
import { type Node, type StandbyPair, unprivileged, until } from './standby-pair.ts';
import { rowsOf } from '../model/audit.ts';

const CHECK_MS = 500;

export class Front {
  readonly proxyPort: number;
  readonly poolerPort: number;
  readonly #children: ChildProcess[] = [];
  readonly #checks: Server[] = [];
  #forced: Node | null = null;

  private constructor(ports: readonly [number, number]) {
    [this.proxyPort, this.poolerPort] = ports;
  }

  /** Resolves when both lead to the primary. */
  static async start(pair: StandbyPair): Promise<Front> {
    const front = new Front([await freePort(), await freePort()]);
    const checks = await Promise.all(pair.nodes.map((node) => front.#check(node)));
    front.#haproxy(pair, checks);
    front.#pgbouncer(pair.folder);
    for (const port of [front.proxyPort, front.poolerPort]) {
      const url = `postgres://bursar_server@127.0.0.1:${port}/bursar`;
      await until(`port ${port} leads to the primary`, async () => (await rowsOf(url, 'SELECT 1')).length === 1);
    }
    return front;
  }

  /** As a proxy or DNS that is wrong: everybody is sent to `node`, whatever it is. `null`: right again. */
  pointAt(node: Node | null): void {
    this.#forced = node;
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const server of this.#checks) server.close();
  }

  async #check(node: Node): Promise<number> {
    const server = createServer((_, response) => {
      const healthy = this.#forced === null ? takesWrites(node) : Promise.resolve(this.#forced === node);
      void healthy.then((is) => response.writeHead(is ? 200 : 503).end());
    });
    this.#checks.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    return (server.address() as AddressInfo).port;
  }

  #haproxy({ folder, nodes }: StandbyPair, checks: readonly number[]): void {
    const lines = [
      'defaults',
      '  mode tcp',
      '  timeout connect 1s',
      '  timeout client 1h',
      '  timeout server 1h',
      '  timeout check 1s',
      'listen postgresql',
      `  bind 127.0.0.1:${this.proxyPort}`,
      '  option httpchk GET /primary',
      '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
      ...nodes.map(({ port }, index) => `  server node${index} 127.0.0.1:${port} check port ${checks[index]}`),
    ];
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, `${lines.join('\n')}\n`);
    this.#children.push(spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore', ...unprivileged() }));
  }

  #pgbouncer(folder: string): void {
    const lines = [
      '[databases]',
      `bursar = host=127.0.0.1 port=${this.proxyPort} user=bursar_server`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${this.poolerPort}`,
      'auth_type = any',
      'unix_socket_dir =',
      'pool_mode = session',
      'default_pool_size = 40',
      'server_login_retry = 1',
    ];
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, lines.join('\n'));
    this.#children.push(spawn('/usr/sbin/pgbouncer', ['-q', file], { stdio: 'ignore', ...unprivileged() }));
  }
}

async function takesWrites({ url }: Node): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS });
  client.on('error', () => {}); // the node is killed meanwhile
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    return rows[0]?.standby === false;
  } catch {
    return false;
  } finally {
    client.end().catch(() => {});
  }
}
