/**
 * The tests' PostgreSQL: one temporary cluster for a whole run with one migrated template database, cloned by every test
 * file. Vitest's global set-up; benchmarks and crash tests start one themselves. Never a mock, and fsync stays on. Next:
 * `database.ts`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Embedded, type Log, startEmbedded } from '../../../src/platform/db/embedded/embedded.ts';
import { verifierOf } from '../../../src/platform/db/embedded/access.ts';
import { ensureLogin } from '../../../src/platform/db/roles.ts';
import { prepareDatabase } from '../../../src/operator/database.ts';
import { ownerLives, readOwner } from '../../../src/platform/db/embedded/lock.ts';
import { withClient } from '../model/audit.ts';
import { type Database, databaseUrl, newDatabase, runSql, SERVER_LOGIN, TEMPLATE } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string;
    /** Empty, or why there is no database to clone; tests that need none still run. */
    clusterError: string;
  }
}

export interface TestCluster {
  /** The database `bursar`, empty. */
  readonly url: string;
  /** Process number of the postmaster, for signals. */
  readonly pid: number;
  /** A migrated database of its own. */
  createDatabase(): Promise<Database>;
  /** SIGKILL and SIGQUIT are awaited; nothing starts it again but `restart`. */
  kill: Embedded['kill'];
  restart: Embedded['restart'];
  /** Stops PostgreSQL and removes everything. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** PostgreSQL settings on top of Bursar's. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Parent of the temporary folder; another file system for disk-full tests. */
  readonly parent?: string;
  readonly log?: Log;
  /** A copy of a folder that is made once a process: from the second one on, a start takes a quarter of the time. */
  readonly copied?: boolean;
}

const PREFIX = 'bursar-test-';
const QUIET: Log = { info: () => {}, warn: () => {}, error: (message) => console.error(message) };

/** A running cluster with the template made. Removed when the process ends, however it ends short of kill -9. */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const parent = options.parent ?? tmpdir();
  mkdirSync(parent, { recursive: true });
  await removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, PREFIX));
  const settings = { shared_buffers: '128MB', ...options.settings };
  const log = options.log ?? QUIET;
  const dataDir = join(folder, 'data');
  const isCopy = options.copied === true;
  if (isCopy) copyFolder(await pattern(), dataDir);
  const embedded = await startEmbedded({ dataDir, log, supervise: false, settings });
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const leave = () => {
    try {
      process.kill(embedded.pid, 'SIGQUIT');
    } catch {
      // a crash test has killed it already
    }
    remove();
  };
  const undo = onSignals(leave);
  const stop = async () => {
    undo();
    await embedded.stop();
    remove();
  };
  try {
    if (!isCopy) await makeTemplate(embedded.url, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: embedded.url,
    get pid() {
      return embedded.pid;
    },
    createDatabase: () => newDatabase(embedded.url),
    kill: (signal) => embedded.kill(signal),
    restart: () => embedded.restart(),
    stop,
  };
}

let made: Promise<string> | undefined;

/** A data folder with the template, of a cluster that was stopped. Goes with the process. */
function pattern(): Promise<string> {
  made ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), PREFIX));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'data');
    const embedded = await startEmbedded({ dataDir, log: QUIET, supervise: false });
    await makeTemplate(embedded.url, QUIET);
    await embedded.stop();
    return dataDir;
  })();
  return made;
}

/** With owners and modes: PostgreSQL looks at both. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The folder of a cluster could not be copied: ${stderr}`);
}

let running: TestCluster | undefined;

/** Vitest calls it once before all test files. */
export async function setup(project: TestProject): Promise<void> {
  try {
    running = await startCluster();
    project.provide('clusterError', '');
  } catch (error) {
    console.error(`The tests' database could not be made: ${(error as Error).message}`);
    project.provide('clusterError', (error as Error).message);
  }
  project.provide('clusterUrl', running?.url ?? '');
}

/** Vitest calls it after all of them, also after Ctrl-C. */
export async function teardown(): Promise<void> {
  await running?.stop();
}

async function makeTemplate(url: string, log: Log): Promise<void> {
  await runSql(url, `CREATE DATABASE ${TEMPLATE}`);
  await prepareDatabase(databaseUrl(url, TEMPLATE), log);
  await withClient(url, (client) => ensureLogin(client, SERVER_LOGIN.role, verifierOf(SERVER_LOGIN)));
}

/** Clusters of runs that were killed: each is taken over, stopped and removed. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const dataDir = join(parent, name, 'data');
    const owner = readOwner(dataDir);
    if (owner === null || ownerLives(owner) !== false) continue;
    await startEmbedded({ dataDir, log: QUIET, supervise: false }).then(
      (embedded) => embedded.stop(),
      () => {}, // somebody else is at it
    );
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

function die(signal: keyof typeof EXIT_CODES): never {
  process.exit(EXIT_CODES[signal]);
}

function onSignals(leave: () => void): () => void {
  // Vitest has a Ctrl-C handler that runs `teardown`; a benchmark has none.
  const signals = (['SIGTERM', 'SIGHUP', 'SIGINT'] as const).filter((signal) => process.listenerCount(signal) === 0);
  process.on('exit', leave);
  for (const signal of signals) process.on(signal, die);
  return () => {
    process.off('exit', leave);
    for (const signal of signals) process.off(signal, die);
  };
}
