/** An embedded database owned by a process of its own, which can be killed and can belong to another user. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface EmbeddedProcess {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves when its database runs; rejects when the process ends before. */
  readonly up: Promise<{ readonly url: string; readonly pid: number }>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

const SOURCE = new URL('../../../src/db/embedded/embedded.ts', import.meta.url).href;

export interface ProcessOptions {
  /** Of the process, which has to be able to read the sources. */
  readonly user?: { readonly uid: number; readonly gid: number } | null;
  /** As root in a container has it: without the right to look into processes of other users. Needs `setpriv`. */
  readonly inContainer?: boolean;
}

/** Prints `begins` just before it touches the folder. Ends with its database at SIGTERM. */
export function startEmbeddedProcess(dataDir: string, options: ProcessOptions = {}): EmbeddedProcess {
  const { user = null, inContainer = false } = options;
  const script = `
    import { startEmbedded } from ${JSON.stringify(SOURCE)};
    process.on('SIGTERM', () => process.exit());
    console.log('begins');
    const { url, pid } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: console });
    console.log('up ' + JSON.stringify({ url, pid }));
    setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
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
  up.catch(() => {}); // those who wait for it get the error
  return {
    child,
    output: () => output,
    up,
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
