/**
 * One PostgreSQL cluster folder and its postmaster. Never deletes a folder that holds a cluster. Started by root, the
 * programs run as an unprivileged user in the cluster folder, with `/proc/self/cwd` as data directory: the kernel does
 * not walk the path, so the cluster may lie below a closed home (/root). Used by `embedded.ts`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseUser, EmbeddedError } from './binaries.ts';
import { type Log, succeeds, syncFolder, textIn } from './data-folder.ts';
import { giveTo, userOfInitdb } from './user.ts';

export const DATABASE_PORT = 5432; // only names the socket; nothing listens on TCP
export const SOCKET_FILE = `.s.PGSQL.${DATABASE_PORT}`;
export const STOP_PATIENCE_MS = 60_000;
/** Backends of a killed postmaster end within this time; until then a new postmaster refuses the cluster. */
const ORPHANS_LEAVE_MS = 5_000;
const MAJOR_VERSION = '18';
const POLL_MS = 10;
const INITDB_PREFIX = 'postgres.new-';

export interface Cluster {
  /** The cluster folder, absolute and real. */
  readonly folder: string;
  /** Folder of PostgreSQL's programs. */
  readonly binaries: string;
  readonly user: DatabaseUser;
  /** Where the socket goes: the cluster folder itself or a short path elsewhere. */
  readonly socketDir: string;
  /** Names the socket in `socketDir`. */
  readonly port: number;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface Postmaster {
  readonly pid: number;
  /** Resolves when the process has ended, with its exit code or signal in words. */
  readonly ended: Promise<string>;
  signal(name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

/**
 * Crash-safe: the cluster is made under another name and renamed when complete. Nobody can log in yet; see `access.ts`.
 */
export async function ensureCluster(cluster: Cluster, dataDir: string): Promise<'made' | 'kept'> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(INITDB_PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
  }
  if (fs.existsSync(join(cluster.folder, 'PG_VERSION'))) {
    const major = fs.readFileSync(join(cluster.folder, 'PG_VERSION'), 'utf8').trim();
    if (major === MAJOR_VERSION) return 'kept';
    throw new EmbeddedError(
      `${cluster.folder} was made by PostgreSQL ${major}, and this Bursar carries ${MAJOR_VERSION}. Dump it with the Bursar that made it, start with an empty data folder and restore the dump.`,
    );
  }
  await rmdir(cluster.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return;
    throw new EmbeddedError(
      `${cluster.folder} exists but holds no PostgreSQL cluster. Move it away and start again. (${error.code})`,
    );
  });
  const folder = join(dataDir, `${INITDB_PREFIX}${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  const user = userOfInitdb(cluster.user);
  if (user !== null) await chown(folder, user.uid, user.gid);
  const made = { ...cluster, folder, user };
  const options =
    '-U bursar -E UTF8 --locale-provider=libc --locale=C -k --auth-local=reject --auth-host=reject --no-instructions';
  await initdb(made, ['-D', nameOf(made), ...options.split(' ')]);
  if (cluster.user !== null) giveTo(folder, cluster.user);
  await rename(folder, cluster.folder);
  syncFolder(dataDir);
  return 'made';
}

/** Starts the postmaster and resolves when it accepts connections. Calls `slow` every 5 s of crash recovery. */
async function startPostmaster(cluster: Cluster, slow: (seconds: number) => void): Promise<Postmaster> {
  const settings = {
    ...cluster.settings,
    listen_addresses: '',
    port: String(cluster.port),
    hba_file: `${nameOf(cluster)}/pg_hba.conf`, // these two, whatever postgresql.conf says
    ident_file: `${nameOf(cluster)}/pg_ident.conf`,
    unix_socket_directories: cluster.socketDir === cluster.folder ? '.' : cluster.socketDir,
    unix_socket_permissions: '0700',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = fs.openSync(cluster.logFile, 'a', 0o600);
  const logFrom = fs.statSync(cluster.logFile).size;
  const child = run(cluster, 'postgres', ['-D', nameOf(cluster), ...flags], ['ignore', log, log]);
  fs.closeSync(log);
  const farewell = () => child.kill('SIGINT'); // a process that exits without `stop` leaves no orphan
  process.on('exit', farewell);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  }).finally(() => process.off('exit', farewell));
  let end = null as string | null;
  void ended.then((how) => (end = how));
  const startedAt = Date.now();
  let reported = 0;
  for (;;) {
    if (end !== null) throw startFault(end, fs.readFileSync(cluster.logFile).subarray(logFrom).toString());
    const [pid, , , , , , , state] = pidFile(cluster.folder);
    if (pid === String(child.pid) && state?.trim() === 'ready') break;
    await sleep(POLL_MS);
    const seconds = Math.floor((Date.now() - startedAt) / 1000);
    if (seconds >= reported + 5) slow((reported = seconds));
  }
  return { pid: child.pid as number, ended, signal: (name) => child.kill(name) };
}

/** Starts it as soon as what a killed server left has ended. For the owner of the data folder only. */
export async function startPatiently(cluster: Cluster, log: Log): Promise<Postmaster> {
  const until = Date.now() + ORPHANS_LEAVE_MS;
  for (;;) {
    try {
      return await startPostmaster(cluster, (seconds) => log.info(`PostgreSQL is recovering, ${seconds} s so far …`));
    } catch (error) {
      const hasOrphans = error instanceof EmbeddedError && error.hasOrphans;
      if (!hasOrphans || Date.now() > until) throw error;
      await clearLeftOvers(cluster, (message) => log.warn(message));
      await sleep(50);
    }
  }
}

/** The error of a failed start; `text` is PostgreSQL's output. */
export function startFault(end: string, text: string): EmbeddedError {
  // The whole output is searched, because orphans of a killed server write messages after the reason.
  const hasOrphans = /still in use|already exists/.test(text);
  return new EmbeddedError(`PostgreSQL did not start (${end}): ${lastLines(text)}`, { hasOrphans });
}

/** Stops a postmaster: a fast shutdown, then an immediate one when the first takes longer than `patienceMs`. */
export async function endPostmaster(
  postmaster: { signal(name: 'SIGINT' | 'SIGQUIT'): void; ended: Promise<unknown> },
  patienceMs: number,
): Promise<boolean> {
  const done = postmaster.ended.then(() => true);
  for (const name of ['SIGINT', 'SIGQUIT'] as const) {
    postmaster.signal(name);
    const timer = new AbortController();
    const late = sleep(patienceMs, false, { signal: timer.signal }).catch(() => false);
    const over = await Promise.race([done, late]);
    timer.abort();
    if (over) return true;
  }
  return false;
}

/** Cleans up after a killed server: stops its postmaster, removes stale lock files. Rejects if the postmaster stays. */
export async function clearLeftOvers(cluster: Pick<Cluster, 'folder'>, warn: (message: string) => void): Promise<void> {
  const pid = Number(pidFile(cluster.folder)[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (worksIn(pid, cluster.folder)) {
    warn(`Stopping the PostgreSQL (process ${pid}) that a killed server left behind …`);
    const signal = (name: 'SIGINT' | 'SIGQUIT') => succeeds(() => process.kill(pid, name), 'ESRCH');
    const ended = (async () => {
      while (worksIn(pid, cluster.folder)) await sleep(POLL_MS);
    })();
    if (await endPostmaster({ signal, ended }, 10_000)) return;
    throw new EmbeddedError(
      `PostgreSQL process ${pid} works on ${cluster.folder} and does not end. End it, then start again.`,
    );
  }
  // Another process has the number now. PostgreSQL would take that process for its predecessor and refuse to start. No
  // process works in the folder, not even an orphaned backend, so the lock files are stale.
  if (process.platform === 'linux' && fs.existsSync(`/proc/${pid}`) && !anyWorksIn(cluster.folder)) {
    const stale = fs
      .readdirSync(cluster.folder)
      .filter((name) => /^(postmaster\.pid|\.s\.PGSQL\.\d+\.lock)$/.test(name));
    for (const name of stale) fs.rmSync(join(cluster.folder, name), { force: true });
  }
}

/** To be awaited before the cluster changes hands: PostgreSQL starts beside processes of another user. */
export async function waitUntilIdle(cluster: Pick<Cluster, 'folder'>, log: Log): Promise<void> {
  const until = Date.now() + ORPHANS_LEAVE_MS;
  while (process.platform === 'linux' && anyWorksIn(cluster.folder)) {
    if (Date.now() > until) {
      throw new EmbeddedError(
        `Processes of a killed PostgreSQL still work on ${cluster.folder}. When they have ended, start again; ps -u '#${fs.statSync(cluster.folder).uid}' shows them.`,
      );
    }
    await clearLeftOvers(cluster, (message) => log.warn(message));
    await sleep(POLL_MS);
  }
}

/** Whether a server answers on the socket in `socketDir`. Works across containers that share the folder. */
export function socketAnswers(socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketDir, SOCKET_FILE));
    const answer = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

function nameOf(cluster: Cluster): string {
  return cluster.user !== null && fs.existsSync('/proc/self/cwd') ? '/proc/self/cwd' : cluster.folder;
}

// In a session of its own (detached), so that Ctrl-C reaches only the server, which drains and then stops PostgreSQL.
function run(cluster: Cluster, program: string, args: string[], stdio: ('pipe' | 'ignore' | number)[]): ChildProcess {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const options = { cwd: cluster.folder, env, stdio, detached: true, ...cluster.user };
  return spawn(join(cluster.binaries, program), args, options);
}

function initdb(cluster: Cluster, args: string[]): Promise<void> {
  const child = run(cluster, 'initdb', args, ['ignore', 'pipe', 'pipe']);
  let output = '';
  const keep = (chunk: unknown) => {
    output = (output + String(chunk)).slice(-4000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new EmbeddedError(`PostgreSQL's initdb failed: ${lastLines(output)}`));
    });
  });
}

const pidFile = (folder: string): string[] => textIn(join(folder, 'postmaster.pid')).split('\n');

function worksIn(pid: number, folder: string): boolean {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0);
    if (fs.readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'postgres\n') return false;
    return workingFolder(pid, folder) === fs.realpathSync(folder);
  } catch {
    return false; // it has ended
  }
}

/** Root of a container may not look into processes of other users; their own user may. */
function workingFolder(pid: number, folder: string): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || process.getuid?.() !== 0) throw error;
    const { uid, gid } = fs.statSync(folder);
    if (fs.statSync(`/proc/${pid}`).uid !== uid) return '';
    const found = spawnSync('readlink', [`/proc/${pid}/cwd`], { cwd: '/', uid, gid, encoding: 'utf8' });
    return found.error === undefined ? found.stdout.trimEnd() : fs.realpathSync(folder); // not to be found out: suppose it does
  }
}

function anyWorksIn(folder: string): boolean {
  return fs.readdirSync('/proc').some((name) => /^\d+$/.test(name) && worksIn(Number(name), folder));
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-6).join(' | ');
}
