/**
 * An embedded database owned by a process of its own, which can be killed and can belong to another user. It can stand
 * still behind each change that it makes, of a file or in PostgreSQL, so that a kill comes between two of these and at
 * no other place.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from './server-process.ts';

export interface EmbeddedProcess {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves when its database runs; rejects when the process ends before. */
  readonly up: Promise<{ readonly url: string; readonly pid: number }>;
  /** The changes that it made until its database ran, in order: what was called, and the name of the file. */
  changes(): readonly string[];
  /** Resolves when it stands still at `standsBehind`; rejects when the process ends before. */
  readonly stands: Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Compiled, since it starts three times as fast. */
const PROGRAM = new URL('../../../dist/src/platform/db/embedded/embedded.js', import.meta.url).href;

export interface ProcessOptions {
  /** Of the process, which has to be able to read the program. */
  readonly user?: { readonly uid: number; readonly gid: number } | null;
  /** As root in a container has it: without the right to look into processes of other users. Needs `setpriv`. */
  readonly inContainer?: boolean;
  /** Stand still behind the change with this number, from 0. */
  readonly standsBehind?: number;
}

/** Counts every change of a file, every session and every statement of the process, and stands still behind one. */
const countingChanges = (last: number) => `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { basename } from 'node:path';
    import pg from 'pg';
    const changes = [];
    const changed = (what) => {
      changes.push(what);
      if (changes.length - 1 !== ${last}) return;
      fs.writeSync(1, 'stands\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
    for (const name of ['rmSync', 'renameSync', 'writeFileSync', 'chownSync', 'lchownSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        const result = real(...args);
        changed(name + ' ' + (name === 'writeFileSync' ? '' : basename(String(args[name === 'renameSync' ? 1 : 0]))));
        return result;
      };
    }
    syncBuiltinESMExports();
    for (const name of ['connect', 'query']) {
      const real = pg.Client.prototype[name];
      pg.Client.prototype[name] = async function (...args) {
        const result = await real.apply(this, args);
        changed(name);
        return result;
      };
    }`;

/** Prints `begins` just before it touches the folder. Ends with its database at SIGTERM. */
export function startEmbeddedProcess(dataDir: string, options: ProcessOptions = {}): EmbeddedProcess {
  builtProgram();
  const { user = null, inContainer = false, standsBehind = -1 } = options;
  const script = `${countingChanges(standsBehind)}
    const { startEmbedded } = await import(${JSON.stringify(PROGRAM)});
    process.on('SIGTERM', () => process.exit());
    // On one pipe, so that what it said before it was up is there when it is up.
    const log = { info: console.log, warn: console.log, error: console.log };
    console.log('begins');
    const { url, pid } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log });
    console.log('changes ' + JSON.stringify(changes));
    console.log('up ' + JSON.stringify({ url, pid }));
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', script];
  if (inContainer) args.unshift('--bounding-set=-sys_ptrace', process.execPath);
  const child = spawn(inContainer ? 'setpriv' : process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    ...user,
  });
  const exit = once(child, 'exit');
  let output = '';
  const up = new Promise<{ url: string; pid: number }>((resolve, reject) => {
    const read = (chunk: unknown) => {
      output += String(chunk);
      const found = /^up (.*)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(JSON.parse(found) as { url: string; pid: number });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', () => reject(new Error(`ended before its database ran: ${output}`)));
  });
  const stands = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (output.includes('stands\n')) resolve();
    });
    child.once('close', () => reject(new Error(`ended before change ${standsBehind}: ${output}`)));
  });
  for (const each of [up, stands]) each.catch(() => {}); // a test that awaits it gets the error
  return {
    child,
    output: () => output,
    changes: () => JSON.parse(/^changes (.*)$/m.exec(output)?.[1] ?? '[]') as string[],
    stands,
    up,
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
