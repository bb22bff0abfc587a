/**
 * A real server in a process of its own, to be killed: the compiled program on a database of the test cluster. Ends with the
 * process that started it, however that ends. `fault` starts one with a known fault, for control runs. Next: `test/support/faults/fault-injection.ts`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { TYPES } from '../../../src/platform/db/wire/types.ts';
import type { MadeKey } from '../../../src/operator/keys.ts';
import { insertKey } from './keys.ts';
import type { Fault } from '../faults/fault-injection.ts';
import type { StopPoint } from '../../../src/platform/workers/stop-points.ts';
import { ARMED, OBEYS_STARTER, orderFor, STOPPED } from '../faults/stop-at.ts';
import { UNLIMITED } from './unlimited.ts';

/** Every test server has this one, so that keys made in the database work on all of them. */
export const TEST_SECRET = 'a secret that only tests use, 0123456789abcdef';

export interface ServerOptions {
  readonly databaseUrl: string;
  /** Default: any free one. */
  readonly port?: number;
  readonly fault?: Fault;
  /** A fault that no statement shows; see `test/support/faults/fifo-fault.ts`. */
  readonly fifo?: boolean;
  /** Cuts off nobody who takes a file slowly. */
  readonly patient?: boolean;
  /** Settings on top: BURSAR_… */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ServerProcess {
  readonly pid: number;
  readonly address: string;
  readonly port: number;
  /** From the start of the process until it listened. */
  readonly readyMs: number;
  /** What it wrote to standard error, and its log. */
  readonly output: () => string;
  /**
   * Resolves when it is sure to stop at the point, the so-manieth time from now (default: the first), with a promise of the stop: there it
   * stands still until it is killed. That promise rejects when the process ends before. An infinite time takes an earlier order back.
   */
  stopAt(point: StopPoint, time?: number): Promise<{ readonly reached: Promise<void> }>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** For a server that hangs; beside much other work a start that loads its faults has taken more than a minute. */
const START_WITHIN_MS = 180_000;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Resolves when it listens; rejects with its output when it ends before. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const startedMs = performance.now();
  const child = spawnServer(options);
  running.add(child);
  let output = '';
  const awaited: { readonly line: string; readonly resolve: () => void }[] = [];
  /** Resolves when it has said that. */
  const says = (line: string) =>
    new Promise<void>((resolve, reject) => {
      awaited.push({ line, resolve });
      void ended.then((code) => reject(new Error(`The server ended with ${code} and never said "${line}": ${output}`)));
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  void ended.then(() => running.delete(child));
  const address = await new Promise<string>((resolve, reject) => {
    const give = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`The server ${why}: ${output}`));
    };
    const timer = setTimeout(() => give(`did not listen within ${START_WITHIN_MS} ms`), START_WITHIN_MS);
    void ended.then((code) => give(`ended with ${code}`)).finally(() => clearTimeout(timer));
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      for (const { line, resolve } of awaited) if (output.includes(line)) resolve();
      const listens = /Bursar listens on (\S+)/.exec(output);
      if (listens) {
        clearTimeout(timer);
        resolve(listens[1] as string);
      }
    };
    child.stderr?.on('data', read);
    child.stdout?.on('data', read);
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid as number,
    address,
    port: Number(new URL(address).port),
    readyMs: performance.now() - startedMs,
    output: () => output,
    stopAt: async (point, time = 1) => {
      const armed = says(`${ARMED}${point}`);
      const reached = says(`${STOPPED}${point}`);
      reached.catch(() => undefined); // whoever awaits it is told
      child.stdin?.write(orderFor(point, time));
      await armed;
      return { reached };
    },
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

let built = false;

/** The compiled program, made anew when a source has changed. */
export function builtProgram(): string {
  if (!built) {
    const made = spawnSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: ROOT, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`The program does not compile: ${made.stderr}`);
    built = true;
  }
  return 'dist/src/server/main.js';
}

function spawnServer({
  databaseUrl,
  port = 0,
  fault,
  fifo = false,
  patient = false,
  env,
}: ServerOptions): ChildProcess {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const program = builtProgram();
  // Compiled with the program (scripts/run.mjs): a loader for the sources would take a second of each start.
  const loaded = { 'fault-injection': fault !== undefined, 'fifo-fault': fifo, patient };
  const preload = Object.entries(loaded).flatMap(([name, isLoaded]) =>
    isLoaded ? ['--import', pathToFileURL(join(ROOT, `dist/test/support/faults/${name}.js`)).href] : [],
  );
  return spawn(process.execPath, ['--import', OBEYS_STARTER, ...preload, program], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      ...(TMPDIR !== undefined && { TMPDIR }),
      DATABASE_URL: databaseUrl,
      BURSAR_SECRET: TEST_SECRET,
      PORT: String(port),
      ...UNLIMITED,
      BURSAR_LOG_LEVEL: 'error',
      BURSAR_WRITER: process.env['BURSAR_WRITER'],
      ...(fault !== undefined && { FAULT: fault }),
      ...env,
    },
  });
}

/** A port that nobody listens on now, for servers that must come back at the same address. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A key made straight in the database, for every server on it; merchant and environment come to be with it. */
export async function makeKey(databaseUrl: string, merchant = 'tests', livemode = false): Promise<MadeKey> {
  const client = new pg.Client({ connectionString: databaseUrl, types: TYPES });
  await client.connect();
  try {
    return await insertKey(async (statement) => (await client.query(statement)).rows, TEST_SECRET, {
      merchant,
      livemode,
    });
  } finally {
    await client.end();
  }
}
