/**
 * After the database was put back to an earlier state (a backup, a standby that lagged): moves the sequence of every
 * environment on and writes `environment.restored`, down the write path. May run beside servers and may be repeated: each run
 * leaves out more numbers and says so. Who calls this: `cli/restored.ts`.
 */
import { randomBytes } from 'node:crypto';
import { openPools, type PoolOptions } from '../db/pool.ts';
import { atRest } from '../write/at-rest.ts';
import type { Limits } from '../write/queue.ts';
import { PlainWriter } from '../write/writer.ts';
import { idOf } from '../core/ids.ts';
import { ALL_ENVIRONMENTS } from '../environments/sql.ts';
import { connector } from './app.ts';
import { internal } from './internal.ts';

/** The most that one run may leave out: ids of events have room for a thousand such runs. */
export const MOST_SKIPPED = 1_000_000_000;

const LIMITS: Limits = { batchCommands: 1, batchChanges: 16, queueCommands: 1 };
const PATIENCE_MS = 15_000;

/** An environment whose sequence was moved on. */
export interface Restored {
  readonly environmentId: string;
  readonly lastSequence: number;
  readonly nextSequence: number;
}

/** Resolves with every environment, in order of their ids. One that fails rejects; those before it are done. */
export async function noteRestores(options: PoolOptions, skip: number): Promise<readonly Restored[]> {
  const pools = await openPools({ ...options, readPoolSize: 1 });
  const writer = new PlainWriter({
    limits: LIMITS,
    connect: connector(pools.openWriter()),
    patienceMs: PATIENCE_MS,
    // What it reads and writes holds nothing sealed; a secret that nobody keeps could open nothing.
    sealing: atRest({ current: randomBytes(32).toString('hex'), previous: [] }),
    outbox: { roomFor: () => 0, committed: () => undefined }, // servers send the deliveries
    onFault: (message) => options.log.error(message),
  });
  try {
    const done: Restored[] = [];
    for (const row of await pools.readers.query(ALL_ENVIRONMENTS)) {
      const environmentId = idOf('env', row['environment_id'] as string);
      const { status, body } = await writer.write(
        internal('cli', environmentId, { type: 'note_restore', skip: BigInt(skip) }),
      );
      if (status !== 200) throw new Error(body);
      const restore = JSON.parse(body) as { last_sequence: number; next_sequence: number };
      done.push({ environmentId, lastSequence: restore.last_sequence, nextSequence: restore.next_sequence });
    }
    return done;
  } finally {
    await writer.stop();
    await pools.close();
  }
}
