/**
 * Builds what the service shows in a browser beside a service that runs from a copy of the repository, once it listens: the dashboard, then the
 * documentation site. `npm start` asks for it. A package has both, and with NODE_ENV=production nothing is built. A build runs at the lowest
 * priority and ends with the service. Next: `platform/http/transfer/built-folder.ts`, which serves them; `scripts/run.mjs`, which builds them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { BuildState } from '../platform/http/transfer/built-folder.ts';

/** As `npm run` calls it. */
export type BuildName = 'dashboard' | 'docs';

type Command = readonly [program: string, ...args: string[]];

/** What it is called, and how much memory has to be free: what the build takes, and as much for the service and its database. */
const BUILDS: Readonly<Record<BuildName, { readonly what: string; readonly leastFreeBytes: number }>> = {
  dashboard: { what: 'The dashboard', leastFreeBytes: 1_000_000_000 },
  docs: { what: 'The documentation', leastFreeBytes: 1_600_000_000 },
};
/** Of what a build has said, the end is logged when it fails. */
const KEPT_CHARACTERS = 2_000;
/** npm takes back what it has begun. */
const PATIENCE_MS = 5_000;

export interface Builder {
  /** A build that waits for another one is running. */
  readonly state: (name: BuildName) => BuildState;
  /** Once the service listens. Does nothing where this is no copy of the repository. */
  start(): void;
  /** Ends a build that is under way. Resolves when all that it has started is gone, so that the next start does not build beside it. */
  stop(): Promise<void>;
}

export interface BuilderParts {
  readonly log: Logger;
  /** What is built, in this order: one takes as much memory and time as there is to spare. */
  readonly names: readonly BuildName[];
  /** Left out: `scripts/run.mjs` of this copy. `null`: there is none. */
  readonly commandOf?: (name: BuildName) => Command | null;
  /** How long a build that is ended may take to end, in milliseconds. */
  readonly patienceMs?: number;
  /** Memory that may be used, in bytes. */
  readonly freeBytes?: () => number;
}

export function builder({
  log,
  names,
  commandOf = ownCommand,
  patienceMs = PATIENCE_MS,
  freeBytes = () => process.availableMemory(),
}: BuilderParts): Builder {
  const states = new Map<BuildName, BuildState>();
  let isStopped = false;
  let child: ChildProcess | null = null;
  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    if (child?.pid === undefined) return;
    try {
      process.kill(-child.pid, name); // npm and what it started, too
    } catch {
      // it has ended just now
    }
  };
  const end = () => signal('SIGTERM');
  const fail = (name: BuildName, said: string) => {
    states.set(name, 'failed');
    log.warn({ said: said.trim() }, `${BUILDS[name].what} could not be built. For /${name} run: npm run ${name}`);
  };
  const begin = ([name, ...later]: readonly BuildName[]) => {
    if (name === undefined || isStopped) return;
    const command = commandOf(name);
    if (command === null || freeBytes() < BUILDS[name].leastFreeBytes) {
      states.set(name, command === null ? 'none' : 'memory');
      begin(later);
      return;
    }
    const [program, ...args] = command;
    // A group of its own, so that it can be ended as a whole.
    const started = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let said = '';
    started.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-KEPT_CHARACTERS)));
    started.once('error', (error) => fail(name, error.message));
    started.once('close', (code) => {
      child = null;
      process.off('exit', end);
      if (code === 0) states.set(name, 'none');
      else if (states.get(name) === 'running') fail(name, said);
      begin(later);
    });
    process.once('exit', end);
  };
  return {
    state: (name) => states.get(name) ?? 'none',
    start() {
      for (const name of names) states.set(name, 'running');
      begin(names);
    },
    async stop() {
      isStopped = true;
      states.clear();
      if (child === null) return;
      const closed = once(child, 'close'); // of its stderr too, which all that it has started shares
      end();
      const timer = setTimeout(() => signal('SIGKILL'), patienceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function ownCommand(name: BuildName): Command | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  const script = join(folder, 'scripts/run.mjs');
  return existsSync(script) ? [process.execPath, script, name, '--if-old', '--beside'] : null;
}
