/**
 * Programs of this repository as processes: found whether the benchmark runs from dist/ or from the sources (tsx), given
 * a free port, waited for until they answer, and stopped. Their output goes to a file, as a service's would.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HERE = import.meta.url;
/** The folder with `bench/` and `src/`: of the repository, or `dist/`. */
const ROOT = fileURLToPath(HERE.slice(0, HERE.lastIndexOf('/bench/')));
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 20_000;

/** `bench/load/generator` → its file beside the one that runs now. */
export function programFile(name: string): string {
  return join(ROOT, `${name}${HERE.endsWith('.ts') ? '.ts' : '.js'}`);
}

export interface Program {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number;
  /** Whether it still runs, and if not how it ended and what it said last. */
  fate(): string;
  /** Empties the log, which a million requests would fill. */
  truncateLog(): void;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder for its output. */
  readonly folder: string;
  /** Answers 200 once the program is ready. */
  readonly readyPath: string;
  /** Options of Node itself, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
}

/** Starts a program and waits for its first answer; rejects with the end of its output when it dies before. */
export async function startProgram({
  name,
  env,
  folder,
  readyPath,
  nodeOptions = [],
}: ProgramOptions): Promise<Program> {
  const port = await freePort();
  const logFile = join(folder, `${name.replaceAll('/', '-')}-${port}.log`);
  const out = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, ...nodeOptions, programFile(name)], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const leave = () => child.kill('SIGKILL'); // a benchmark that ends early leaves nothing running
  process.once('exit', leave);
  child.once('exit', () => process.off('exit', leave));
  while (!(await answers(port, readyPath))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_PATIENCE_MS) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
    await sleep(5);
  }
  return {
    pid: child.pid as number,
    port,
    startMs: performance.now() - startedAt,
    fate: () => {
      const how = child.signalCode ?? child.exitCode;
      if (how === null) return 'The server still runs.';
      return `The server ended (${how}): ${readFileSync(logFile, 'utf8').slice(-1000)}`;
    },
    truncateLog: () => truncateSync(logFile, 0),
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(late);
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ port, path, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once('error', () => resolve(false));
    asked.end();
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
