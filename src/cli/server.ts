/** The server as a process of its own, with the switches of Node that it is measured with. `bursar start`, and the server of `dev.ts`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environmentWith } from '../config.ts';
import { Command } from 'commander';

/** Fewer collections of short-lived objects, and enough threads for names that are slow to resolve (docs/guides/operating/proxy.md). */
const NODE_SWITCHES = ['--max-semi-space-size=32', '--heap-growing-percent=80', '--no-allocation-site-pretenuring'];
const SURROUNDINGS = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '32' };

/** Starts it; its output is this process's. `settings` apply where the environment says nothing. */
export function startServer(settings: Readonly<Record<string, string>> = {}): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(`../server/main.${isSource ? 'ts' : 'js'}`, import.meta.url));
  return spawn(process.execPath, [...process.execArgv, ...NODE_SWITCHES, program], {
    stdio: 'inherit',
    env: environmentWith({ ...SURROUNDINGS, ...settings }),
  });
}

/** Hands signals on, and resolves with the exit code when the server has ended. `onEnd` is called when it is told to end, or ends by itself. */
export function untilEnded(server: ChildProcess, onEnd: () => void = () => undefined): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      onEnd();
      server.kill(signal);
    });
  }
  return new Promise((resolve) => {
    server.once('close', (code) => {
      onEnd();
      resolve(code ?? 1);
    });
  });
}

/** `bursar start`: the server, until it is stopped. */
export function startCommand(): Command {
  return new Command('start')
    .description('run the server until it is stopped; settings come from variables (docs/settings.md)')
    .addHelpText('after', '\nExample:\n  PORT=4242 BURSAR_DATA=./data bursar start')
    .action(async () => {
      process.exitCode = await untilEnded(startServer());
    });
}
