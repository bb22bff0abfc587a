/** The command line as a process of its own, from the sources, with settings and nothing else of this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface CliRun {
  readonly child: ChildProcess;
  /** What it has said so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

const FROM_SOURCE = ['--import', 'tsx', 'src/cli/bursar.ts'];
/** Three times as fast to start. Call `builtProgram` of `server-process.ts` first. */
export const BUILT = ['dist/src/cli/bursar.js'];

export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: readonly string[] = FROM_SOURCE,
): CliRun {
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

export const cli = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: readonly string[] = FROM_SOURCE,
) => startCli(args, env, program).ended;
