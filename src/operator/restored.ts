/**
 * After the database was put back to an earlier state (a backup, a standby that lagged): moves the sequence of every
 * environment on and writes `environment.restored`, down the write path. May run beside servers and may be repeated: each run
 * leaves out more numbers and says so. Who calls this: `cli/restore.ts`.
 */
import type { PoolOptions } from '../platform/db/pool.ts';
import { idOf } from '../core/values/ids.ts';
import { ALL_ENVIRONMENTS } from '../tenancy/environments/sql.ts';
import { withOperator } from './operator.ts';

/** The most that one run may leave out: ids of events have room for a thousand such runs. */
export const MOST_SKIPPED = 1_000_000_000;

/** An environment whose sequence was moved on. */
export interface Restored {
  readonly environmentId: string;
  readonly lastSequence: number;
  readonly nextSequence: number;
}

/** Resolves with every environment, in order of their ids. One that fails rejects; those before it are done. */
export async function noteRestores(options: PoolOptions, skip: number): Promise<readonly Restored[]> {
  return withOperator(options, async (submit, pools) => {
    const done: Restored[] = [];
    for (const row of await pools.readers.query(ALL_ENVIRONMENTS)) {
      const environmentId = idOf('env', row['environment_id'] as string);
      const { status, body } = await submit(environmentId, { type: 'note_restore', skip: BigInt(skip) });
      if (status !== 200) throw new Error(body);
      const restore = JSON.parse(body) as { last_sequence: number; next_sequence: number };
      done.push({ environmentId, lastSequence: restore.last_sequence, nextSequence: restore.next_sequence });
    }
    return done;
  });
}
