/** The command line as a process of its own: the compiled program, with settings and nothing else of this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StopPoint } from '../../../src/platform/workers/stop-points.ts';
import { STOPPED, stopsAt } from '../faults/stop-at.ts';
import { builtProgram } from './server-process.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface CliRun {
  readonly child: ChildProcess;
  /** What it has said so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Three times as fast to start as the sources. `startCli` compiles it first. */
export const BUILT = ['dist/src/cli/bursar.js'];

export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: readonly string[] = BUILT,
): CliRun {
  builtProgram();
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...env },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...said })),
  );
  return { child, output: () => said, ended };
}

const stopped = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of stopped) child.kill('SIGKILL'); // it stands still, and cannot end by itself
});

/**
 * Starts the built program and resolves when it stands still at the point, the so-manieth time (default: the first);
 * kill it there. Rejects with its output when it ends before.
 */
export async function cliAt(
  point: StopPoint,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  time = 1,
): Promise<CliRun & { kill(): Promise<void> }> {
  const run = startCli(args, env, ['--import', stopsAt(point, time), ...BUILT]);
  stopped.add(run.child);
  void run.ended.then(() => stopped.delete(run.child));
  await new Promise<void>((resolve, reject) => {
    run.child.stderr?.on('data', () => {
      if (run.output().stderr.includes(`${STOPPED}${point}`)) resolve();
    });
    void run.ended.then(({ code, stderr }) => reject(new Error(`It ended with ${code} before ${point}: ${stderr}`)));
  });
  const kill = async () => {
    run.child.kill('SIGKILL');
    await run.ended;
  };
  return { ...run, kill };
}

export const cli = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: readonly string[] = BUILT,
) => startCli(args, env, program).ended;
