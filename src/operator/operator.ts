/**
 * Commands from the command line: down the write path, by a writer beside those of running servers. Who calls this:
 * `cli/`, `restored.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { ServiceActor } from '../core/actor.ts';
import { idOf, newId } from '../core/values/ids.ts';
import { openPools, type PoolOptions, type Pools } from '../platform/db/pool.ts';
import { ALL_ENVIRONMENTS } from '../tenancy/environments/sql.ts';
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

/** Sends the command to every environment, in order of their ids. One that is refused rejects; those before it are done. */
export const inEveryEnvironment = (options: PoolOptions, command: Command) =>
  withOperator(options, async (submit, pools) => {
    const answers: { readonly environmentId: string; readonly body: string }[] = [];
    for (const row of await pools.readers.query(ALL_ENVIRONMENTS)) {
      const environmentId = idOf('env', row['environment_id'] as string);
      const { status, body } = await submit(environmentId, command);
      if (status !== 200) throw new Error(body);
      answers.push({ environmentId, body });
    }
    return answers;
  });
