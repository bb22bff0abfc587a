/**
 * Debian's PostgreSQL twice, in a temporary folder: a primary and a standby that it replicates to. The nodes change roles; each
 * keeps its port. Commits wait for the standby (`synchronous_standby_names`) unless the pair is asynchronous, for control
 * runs. The settings wait in a file of their own, because a promoted standby must not wait for one that is gone. Next: `front.ts`, `rounds.ts`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chownSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '../faults/kills.ts';
import { freePort } from '../harness/server-process.ts';
import { rowsOf } from '../model/audit.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const NEEDED = [`${BIN}/postgres`, '/usr/sbin/haproxy', '/usr/sbin/pgbouncer'];
const WAIT_MS = 60_000;

/** PostgreSQL and PgBouncer refuse root: then they run as Debian's user for them. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Throws a sentence with the command that installs what is missing. */
export function assertInstalled(): void {
  const missing = NEEDED.filter((path) => {
    try {
      accessSync(path, constants.X_OK);
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length === 0) return;
  throw new Error(`${missing.join(', ')} is missing. On Debian 12: apt-get install postgresql-15 haproxy pgbouncer`);
}

/** Polls until `is` answers true. Errors count as false. Rejects after a minute, with `what`. */
export async function until(what: string, is: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await is().catch(() => false))) {
    if (performance.now() > end) throw new Error(`Not so after ${WAIT_MS / 1000} s: ${what}`);
    await sleep(50);
  }
}

export class Node {
  readonly dataDir: string;
  readonly port: number;
  readonly url: string;
  #child: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(folder: string, name: string, port: number) {
    this.dataDir = join(folder, name);
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/bursar`;
  }

  start(): void {
    const log = openSync(`${this.dataDir}.log`, 'a');
    const child = spawn(`${BIN}/postgres`, ['-D', this.dataDir, '-p', String(this.port)], {
      stdio: ['ignore', log, log],
      ...unprivileged(),
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
  }

  /** To the postmaster and all its children. */
  signal(name: NodeJS.Signals): void {
    if (this.#child?.exitCode !== null || this.#child.signalCode !== null) return;
    for (const pid of familyOf(this.#child.pid as number)) {
      try {
        process.kill(pid, name);
      } catch {
        // ended meanwhile
      }
    }
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /** A clean end, which hands the last of its log to the standby first. */
  async shutDown(): Promise<void> {
    this.#child?.kill('SIGINT');
    await this.#ended;
  }

  /** What commits wait for, from now on. */
  waitFor(standbys: '' | '*'): void {
    writeFileSync(join(this.dataDir, 'standbys.conf'), `synchronous_standby_names = '${standbys}'\n`);
    this.#child?.kill('SIGHUP');
  }
}

export class StandbyPair {
  readonly folder: string;
  readonly nodes: readonly [Node, Node];
  readonly #synchronous: boolean;
  primary: Node;
  standby: Node;

  private constructor(folder: string, ports: readonly [number, number], synchronous: boolean) {
    this.folder = folder;
    this.nodes = [new Node(folder, 'one', ports[0]), new Node(folder, 'two', ports[1])];
    [this.primary, this.standby] = this.nodes;
    this.#synchronous = synchronous;
  }

  /** Resolves when the standby follows and the empty database `bursar` is there with the logins of the guide. */
  static async start({ synchronous }: { readonly synchronous: boolean }): Promise<StandbyPair> {
    assertInstalled();
    const folder = mkdtempSync(join(tmpdir(), 'bursar-failover-'));
    const { uid, gid } = unprivileged();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const pair = new StandbyPair(folder, [await freePort(), await freePort()], synchronous);
    try {
      await pair.#create();
    } catch (error) {
      pair.end();
      throw error;
    }
    return pair;
  }

  async #create(): Promise<void> {
    const { dataDir, url } = this.primary;
    run('initdb', ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
    const settings = [
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${this.folder}'`,
      'max_connections = 200',
      'shared_buffers = 64MB',
      'wal_keep_size = 256MB',
      'hot_standby_feedback = on',
      "include_if_exists = 'standbys.conf'",
    ];
    writeFileSync(join(dataDir, 'postgresql.conf'), `${settings.join('\n')}\n`);
    this.primary.start();
    const maintenance = url.replace(/bursar$/, 'postgres');
    await until('the primary answers', async () => (await rowsOf(maintenance, 'SELECT 1')).length === 1);
    for (const sql of [
      'CREATE ROLE bursar_app',
      'CREATE ROLE bursar_server LOGIN IN ROLE bursar_app',
      "CREATE DATABASE bursar TEMPLATE template0 ENCODING 'UTF8'",
    ]) {
      await rowsOf(maintenance, sql);
    }
    await this.rebuildStandby();
  }

  /** Promotes the standby. The primary must be dead: two that take writes would be worse than none. */
  async promote(): Promise<void> {
    this.standby.waitFor(''); // nobody follows it yet
    await rowsOf(this.standby.url, 'SELECT pg_promote(true, 60)');
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** A new copy of the primary in the place of the standby; resolves when commits wait for it. */
  async rebuildStandby(): Promise<void> {
    const { standby, primary } = this;
    await standby.kill();
    rmSync(standby.dataDir, { recursive: true, force: true });
    const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
    await runLater('pg_basebackup', ['-D', standby.dataDir, '-d', from, '-R', '-X', 'stream', '-c', 'fast']);
    standby.waitFor('');
    standby.start();
    const state = async () =>
      (
        await rowsOf<{ sync_state: string }>(
          primary.url,
          "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
        )
      )[0]?.sync_state;
    await until('the standby follows', async () => (await state()) !== undefined);
    if (!this.#synchronous) return;
    primary.waitFor('*');
    await until('commits wait for the standby', async () => (await state()) === 'sync');
  }

  /** Kills both and removes the folder, at once. */
  end(): void {
    for (const node of this.nodes) node.signal('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(join(BIN, program), args, { stdio: 'pipe', ...unprivileged() });
}

/** For what takes long: the load goes on meanwhile. */
async function runLater(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(join(BIN, program), args, { stdio: ['ignore', 'ignore', 'pipe'], ...unprivileged() });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${said}`);
}
