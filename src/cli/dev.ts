/**
 * `bursar dev`: the server with a sandbox that is never empty, a quiet log, and its events forwarded like by `bursar
 * listen`.
 */
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { localAddress } from '../server/banner.ts';
import { UsageError } from '../operator/exit.ts';
import { fetch } from '../platform/outbound/fetch.ts';
import type { ListenOptions } from './remote/listen.ts';
import { forwardTarget } from './remote/receiver.ts';
import { say } from './remote/terminal.ts';
import { startServer, untilEnded } from './server.ts';

const QUIET = { BURSAR_LOG_LEVEL: 'warn', BURSAR_VERIFY_HOUR: 'off' };
const LOOK_MS = 100;

/** A server that answers. */
interface Running {
  readonly url: string;
  /** Of the sandbox. */
  readonly key: string;
}

export function devCommand(): Command {
  return new Command('dev')
    .description(
      'run the server for development: embedded database, a sandbox with accounts and money in it, a quiet log',
    )
    .option('--forward-to <url>', 'forward events to this address, signed like deliveries')
    .option('--events <types>', 'only these, with commas: payout.*,payment.succeeded')
    .addHelpText(
      'after',
      '\nExamples:\n  BURSAR_DATA=/tmp/bursar bursar dev\n  bursar dev --forward-to http://127.0.0.1:3000/webhooks',
    )
    .action(async ({ forwardTo, events }: Pick<ListenOptions, 'forwardTo' | 'events'>) => {
      if (forwardTo !== undefined) forwardTarget(forwardTo);
      const config = loadConfig();
      if (config.databaseUrl !== null)
        throw new UsageError('bursar dev works on the embedded database: unset DATABASE_URL, or run bursar start.');
      if (config.port === 0) throw new UsageError('bursar dev needs to know its port: set PORT to another one than 0.');
      const server = startServer(QUIET);
      const stopping = new AbortController();
      const ended = untilEnded(server, () => stopping.abort());
      const running = await whenReady(config, stopping.signal);
      if (running !== null) {
        await seed(running);
        say(`Ready for development on ${running.url}.`);
        if (forwardTo)
          await forwardEvents({ ...running, forwardTo, ...(events && { events }) }, stopping.signal, server);
      }
      process.exitCode = await ended;
    });
}

/** `null`: the server ended before. */
async function whenReady({ host, port, dataDir }: Config, stopping: AbortSignal): Promise<Running | null> {
  const url = localAddress(host, port);
  while (!stopping.aborted) {
    const response = await fetch(`${url}/readyz`, { signal: stopping }).catch(() => null);
    const key = await readFile(join(dataDir, 'sandbox-key'), 'utf8').catch(() => '');
    if (response?.ok === true && key !== '') return { url, key: key.trim() };
    await sleep(LOOK_MS);
  }
  return null;
}

/** Accounts with money and a recipient, where a reset has left nothing. */
async function seed({ url, key }: Running): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/v1/accounts?limit=1`, { headers });
  const { data } = (await response.json()) as { data?: readonly unknown[] };
  if (data?.length !== 0) return;
  await fetch(`${url}/v1/test_helpers/reset`, { method: 'POST', headers, body: '{"seed":true}' });
  say('The sandbox was empty: it has three accounts with money and a recipient now.');
}

/** Where forwarding cannot go on, the server ends too: somebody waits for the events. */
async function forwardEvents(options: ListenOptions, stopping: AbortSignal, server: ChildProcess): Promise<void> {
  const { listen } = await import('./remote/listen.ts');
  try {
    await listen({ profile: 'default', ...options }, stopping);
  } catch (error) {
    server.kill('SIGTERM');
    throw error;
  }
}
