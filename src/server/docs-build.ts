/**
 * Builds the documentation site beside a service that runs from a copy of the repository, once it listens: `npm start` asks for it. A package
 * has its site, and with NODE_ENV=production nothing is built. The build runs at the lowest priority and ends with the service. Next:
 * `platform/http/docs.ts`, which serves the site; `scripts/run.mjs`, which builds it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { BuildState } from '../platform/http/transfer/built-folder.ts';

/** The build takes 800 MB, and as much is left to the service and its database. */
const LEAST_FREE_BYTES = 1_600_000_000;
/** Of what a build has said, the end is logged when it fails. */
const KEPT_CHARACTERS = 2_000;
/** npm takes back what it has begun. */
const PATIENCE_MS = 5_000;

export interface DocsBuilder {
  readonly state: () => BuildState;
  /** Once the service listens. Does nothing where this is no copy of the repository. */
  start(): void;
  /** Ends a build that is under way. Resolves when all that it has started is gone, so that the next start does not build beside it. */
  stop(): Promise<void>;
}

export interface BuilderParts {
  readonly log: Logger;
  /** Left out: `scripts/run.mjs` of this copy. `null`: there is none. */
  readonly command?: readonly [program: string, ...args: string[]] | null;
  /** How long a build that is ended may take to end, in milliseconds. */
  readonly patienceMs?: number;
  /** Memory that may be used, in bytes. */
  readonly freeBytes?: () => number;
}

export function docsBuilder({
  log,
  command = ownCommand(),
  patienceMs = PATIENCE_MS,
  freeBytes = () => process.availableMemory(),
}: BuilderParts): DocsBuilder {
  let state: BuildState = 'none';
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
  const fail = (message: string, said: string) => {
    state = 'failed';
    log.warn({ said: said.trim() }, `${message} For /docs run: npm run docs`);
  };
  return {
    state: () => state,
    start() {
      if (command === null) return;
      if (freeBytes() < LEAST_FREE_BYTES) {
        state = 'memory';
        return;
      }
      const [program, ...args] = command;
      // A group of its own, so that it can be ended as a whole.
      const started = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
      child = started;
      state = 'running';
      let said = '';
      started.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-KEPT_CHARACTERS)));
      started.once('error', (error) => fail('The documentation could not be built.', error.message));
      started.once('close', (code) => {
        child = null;
        process.off('exit', end);
        if (code === 0) state = 'none';
        else if (state === 'running') fail('The documentation could not be built.', said);
      });
      process.once('exit', end);
    },
    async stop() {
      state = 'none';
      if (child === null) return;
      const closed = once(child, 'close'); // of its stderr too, which all that it has started shares
      end();
      const timer = setTimeout(() => signal('SIGKILL'), patienceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function ownCommand(): readonly [program: string, ...args: string[]] | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  const script = join(folder, 'scripts/run.mjs');
  return existsSync(script) ? [process.execPath, script, 'docs', '--if-old', '--beside'] : null;
}
