/**
 * Commands of the operator, who sits at the command line: down the write path like any other, by a writer of their own beside those
 * of running servers. Who calls this: `cli/`, `process/restored.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { ServiceActor } from '../core/actor.ts';
import { newId } from '../core/ids.ts';
import { openPools, type PoolOptions, type Pools } from '../db/pool.ts';
import { atRest } from '../write/at-rest.ts';
import type { Command } from '../write/commands.ts';
import type { Limits } from '../write/queue.ts';
import { PlainWriter } from '../write/writer.ts';
import { connector } from './app.ts';
import { internal } from './internal.ts';

const ACTOR: ServiceActor = 'cli';
const LIMITS: Limits = { batchCommands: 1, batchChanges: 16, queueCommands: 1 };
const PATIENCE_MS = 15_000;

/** Resolves with the answer. */
export type Submit = (
  environmentId: string,
  command: Command,
) => Promise<{ readonly status: number; readonly body: string }>;

/** Runs `work` with a writer, and closes it. */
export async function withOperator<T>(
  options: PoolOptions,
  work: (submit: Submit, pools: Pools) => Promise<T>,
): Promise<T> {
  const pools = await openPools({ ...options, readPoolSize: 1 });
  const writer = new PlainWriter({
    limits: LIMITS,
    connect: connector(pools.openWriter()),
    patienceMs: PATIENCE_MS,
    // What the operator's commands read and write holds nothing sealed; a secret that nobody keeps could open nothing.
    sealing: atRest({ current: randomBytes(32).toString('hex'), previous: [] }),
    outbox: { roomFor: () => 0, committed: () => undefined }, // servers send the deliveries
    onFault: (message) => options.log.error(message),
  });
  try {
    return await work(
      (environmentId, command) => writer.write(internal(ACTOR, environmentId, command, newId('req'))),
      pools,
    );
  } finally {
    await writer.stop();
    await pools.close();
  }
}
