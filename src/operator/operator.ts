/**
 * Commands of the operator, who sits at the command line: down the write path like any other, by a writer of their own beside those
 * of running servers. Who calls this: `cli/`, `restored.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { ServiceActor } from '../core/actor.ts';
import { newId } from '../core/values/ids.ts';
import { openPools, type PoolOptions, type Pools } from '../platform/db/pool.ts';
import { type AtRest, atRest } from '../write/at-rest.ts';
import type { Command } from '../write/slices.ts';
import type { Limits } from '../write/queue.ts';
import { PlainWriter, type Writer } from '../write/writer.ts';
import { connector } from '../write/connector.ts';
import { internal } from '../write/internal.ts';

const ACTOR: ServiceActor = 'cli';
const LIMITS: Limits = { batchCommands: 1, batchChanges: 16, queueCommands: 1 };
const PATIENCE_MS = 15_000;

/** Resolves with the answer. */
export type Submit = (
  environmentId: string,
  command: Command,
) => Promise<{ readonly status: number; readonly body: string }>;

/** Runs `work` with a writer of its own, and closes it. */
export async function withWriter<T>(
  options: PoolOptions,
  sealing: AtRest,
  work: (write: Writer['write'], pools: Pools) => Promise<T>,
): Promise<T> {
  const pools = await openPools({ ...options, readPoolSize: 1 });
  const writer = new PlainWriter({
    limits: LIMITS,
    connect: connector(pools.openWriter()),
    patienceMs: PATIENCE_MS,
    sealing,
    outbox: { roomFor: () => 0, committed: () => undefined }, // servers send the deliveries
    onFault: (message) => options.log.error(message),
  });
  try {
    return await work((submission) => writer.write(submission), pools);
  } finally {
    await writer.stop();
    await pools.close();
  }
}

/** The same for commands of the operator, under a key of their own each. `sealing` is needed where something sealed is read. */
export function withOperator<T>(
  options: PoolOptions,
  work: (submit: Submit, pools: Pools) => Promise<T>,
  // Keys and restores hold nothing sealed; a secret that nobody keeps could open nothing.
  sealing: AtRest = atRest({ current: randomBytes(32).toString('hex'), previous: [] }),
): Promise<T> {
  return withWriter(options, sealing, (write, pools) => {
    const submit: Submit = (environmentId, command) => write(internal(ACTOR, environmentId, command, newId('req')));
    return work(submit, pools);
  });
}
