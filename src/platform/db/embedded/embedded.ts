/**
 * The embedded PostgreSQL in the data folder, started before the server and stopped after it. As durable as any other
 * (fsync, full_page_writes, synchronous_commit); reached through a socket only. Two servers must never share a data
 * folder. Next: `cluster.ts` (processes and files), `lock.ts` (ownership), `platform/db/pool.ts`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keptLogin, type Login, OWNER_ROLE, passwordFile, secure, urlOf } from './access.ts';
import { EmbeddedError, findBinaries } from './binaries.ts';
import {
  type Cluster,
  clearLeftOvers,
  DATABASE_PORT,
  endPostmaster,
  ensureCluster,
  type Postmaster,
  SOCKET_FILE,
  socketAnswers,
  startPatiently,
  STOP_PATIENCE_MS,
} from './cluster.ts';
import { type Log, openDataDir } from './data-folder.ts';
import { letGo, type Owner, ownerLives, readOwner, takeOwnership } from './lock.ts';
import { databaseUser } from './user.ts';

export { EmbeddedError } from './binaries.ts';
export type { Log } from './data-folder.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** PostgreSQL settings on top of the defaults below. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether PostgreSQL is started again when it ends by itself (default); crash tests restart it themselves. */
  readonly supervise?: boolean;
}

export interface Embedded {
  /** For `pg`: the socket, as user and database `bursar`. Stays the same over restarts. Has the password in it: never log it. */
  readonly url: string;
  readonly pid: number;
  /** For crash tests: sends a signal to the postmaster, and waits for its end if the signal ends it. */
  kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** For crash tests without supervision: starts it again. */
  restart(): Promise<void>;
  /** Fast shutdown; resolves when the process has ended and the folder is free. May be called twice. */
  stop(): Promise<void>;
}

/** Longest socket path, in bytes, that macOS (104) and Linux (108) both take, with its closing NUL. */
const SOCKET_PATH_LIMIT_BYTES = 103;
const LOG_FILE_LIMIT_BYTES = 10 * 1024 * 1024;
const RESTART_PAUSE_MS = { first: 100, most: 2_000 } as const;

/** Given on the command line, so that a new version of Bursar changes them for existing folders too. */
const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  max_wal_size: '4GB', // checkpoints by time, not by volume, under full load
  checkpoint_timeout: '5min', // and recovery stays short
  max_connections: '100',
  jit: 'off', // statements are short; compiling one takes longer than running it
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic', // statements of users do not belong in a log
  log_error_verbosity: 'terse', // nor do the keys that were used twice
  log_checkpoints: 'off',
  cluster_name: 'bursar',
} as const;

/**
 * 1 to 2 s the first time, then some 50 ms. Rejects while another server owns the folder; takes over from a dead one.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options;
  const dataDir = await openDataDir(options.dataDir, log);
  const folder = join(dataDir, 'postgres');
  const socketDir = await chooseSocketDir(dataDir, folder);
  await assertNotUsedElsewhere(dataDir);
  const { mine, before } = takeOwnership(dataDir, socketDir, (owner) =>
    ownerLives(owner) === true ? inUse(dataDir, `process ${owner.pid}`) : null,
  );
  const undo: (() => unknown)[] = [() => letGo(dataDir, mine)];
  try {
    await clearLeftOvers({ folder }, (message) => log.warn(message));
    const user = databaseUser(dataDir, folder);
    if (before !== null) await removeSocketDir(before.socketDir);
    if (socketDir !== folder) {
      mkdirSync(socketDir, { mode: 0o700 });
      undo.unshift(() => removeSocketDir(socketDir));
      if (user !== null) await chown(socketDir, user.uid, user.gid);
    }
    const first = isFirstStart(folder);
    if (first) log.info(`Preparing PostgreSQL in ${folder} (first start, a moment) …`);
    const binaries = await findBinaries(user, dataDir);
    undo.unshift(() => binaries.dispose());
    const logFile = join(dataDir, 'postgres.log');
    rotate(logFile);
    const settings = { ...SETTINGS, ...options.settings };
    const port = DATABASE_PORT;
    const cluster: Cluster = { folder, binaries: binaries.folder, user, socketDir, port, logFile, settings };
    await ensureCluster(cluster, dataDir);
    const login = await secure(cluster, dataDir, first, log);
    return await supervised(cluster, login, options, async () => {
      for (const step of undo) await step();
    });
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}

/** For short-lived commands: the database of the running server (`attached`), or one that runs until `stop`. */
export async function attachOrStart(
  options: EmbeddedOptions,
): Promise<{ readonly url: string; readonly attached: boolean; stop(): Promise<void> }> {
  const { dataDir } = options;
  const owner = ownerIn(dataDir);
  const lives = owner !== null && ownerLives(owner) !== false;
  if (lives && (await answersSoon(owner, options))) {
    const login = keptLogin(dataDir, OWNER_ROLE);
    if (login !== null)
      return { url: urlOf(owner.socketDir, DATABASE_PORT, login), attached: true, stop: async () => {} };
    throw new EmbeddedError(
      `${passwordFile(dataDir, OWNER_ROLE)} is missing or damaged. Restart the server: it makes a new password.`,
    );
  }
  const embedded = await startEmbedded(options);
  return { url: embedded.url, attached: false, stop: () => embedded.stop() };
}

async function supervised(
  cluster: Cluster,
  login: Login,
  options: EmbeddedOptions,
  release: () => Promise<void>,
): Promise<Embedded> {
  const { log, supervise = true } = options;
  let postmaster = await startPatiently(cluster, log);
  let stopping: Promise<void> | null = null;
  let restarting: Promise<void> = Promise.resolve();

  const watch = async (watched: Postmaster) => {
    const how = await watched.ended;
    if (stopping !== null || !supervise) return;
    log.error(`PostgreSQL ended by itself (${how}); starting it again. See ${cluster.logFile}.`);
    restarting = comeBack();
  };
  const comeBack = async () => {
    let pauseMs: number = RESTART_PAUSE_MS.first;
    while (stopping === null) {
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS.most);
      try {
        postmaster = await startPatiently(cluster, log);
        void watch(postmaster);
        return;
      } catch (error) {
        log.error((error as Error).message);
      }
    }
  };
  void watch(postmaster);

  const stop = async () => {
    await restarting;
    if (!(await endPostmaster(postmaster, STOP_PATIENCE_MS)))
      log.error(`PostgreSQL (process ${postmaster.pid}) does not end.`);
    await release();
  };
  return {
    url: urlOf(cluster.socketDir, cluster.port, login),
    get pid() {
      return postmaster.pid;
    },
    kill: async (signal) => {
      const { ended } = postmaster;
      postmaster.signal(signal);
      if (signal === 'SIGKILL' || signal === 'SIGQUIT') await ended;
    },
    restart: async () => {
      await postmaster.ended;
      postmaster = await startPatiently(cluster, log);
      void watch(postmaster);
    },
    stop: () => (stopping ??= stop()),
  };
}

/** The cluster folder, which only its user may enter; a temporary one if the path is too long or sockets do not work there. */
async function chooseSocketDir(dataDir: string, folder: string): Promise<string> {
  const short = Buffer.byteLength(join(folder, SOCKET_FILE)) <= SOCKET_PATH_LIMIT_BYTES;
  if (short && (await holdsSockets(dataDir))) return folder;
  const key = createHash('sha256').update(`${dataDir} ${process.pid} ${Date.now()}`).digest('hex').slice(0, 12);
  const parent = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp';
  return join(parent, `bursar-socket-${key}`);
}

function holdsSockets(dataDir: string): Promise<boolean> {
  const path = join(dataDir, `.probe-${process.pid}`);
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(path, () => probe.close(() => resolve(true)));
  });
}

/** Removes only folders that {@link chooseSocketDir} names. */
async function removeSocketDir(socketDir: string): Promise<void> {
  if (/\/bursar-socket-[0-9a-f]{12}$/.test(socketDir)) await rm(socketDir, { recursive: true, force: true });
}

async function assertNotUsedElsewhere(dataDir: string): Promise<void> {
  const owner = readOwner(dataDir);
  if (owner === null || ownerLives(owner) !== 'elsewhere' || !(await socketAnswers(owner.socketDir))) return;
  throw inUse(dataDir, `process ${owner.pid} of another container or machine (${owner.place.split(' ')[0]})`);
}

function inUse(dataDir: string, by: string): EmbeddedError {
  return new EmbeddedError(
    `The data folder ${dataDir} is in use by ${by}. Stop that server first, or give this one a folder of its own with BURSAR_DATA.`,
  );
}

function ownerIn(dataDir: string): Owner | null {
  try {
    return readOwner(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EmbeddedError(
      `The data folder ${dataDir} cannot be read (${code}). Run this as the user of the server, or name another folder with BURSAR_DATA.`,
      { cause: error },
    );
  }
}

async function answersSoon(owner: Owner, { dataDir, log }: EmbeddedOptions): Promise<boolean> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await socketAnswers(owner.socketDir)) return true;
    if (readOwner(dataDir)?.nonce !== owner.nonce || ownerLives(owner) !== true) return false;
    if (attempt === 0) log.info('Waiting for the database of the running server …');
    await sleep(50);
  }
  throw new EmbeddedError(
    `The server (process ${owner.pid}) that owns ${dataDir} has no running database. Look at its log.`,
  );
}

function isFirstStart(folder: string): boolean {
  return statSync(join(folder, 'PG_VERSION'), { throwIfNoEntry: false }) === undefined;
}

function rotate(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_FILE_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
}
