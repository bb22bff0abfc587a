/**
 * After the database was put back to an earlier state: moves the sequence of every environment on and writes
 * `environment.restored`. May run beside servers and be repeated; each run leaves out more numbers. Who calls this:
 * `cli/restore.ts`.
 */
import type { PoolOptions } from '../platform/db/pool.ts';
import { inEveryEnvironment } from './operator.ts';

/** The most that one run may leave out: ids of events have room for a thousand such runs. */
export const MOST_SKIPPED = 1_000_000_000;

/** An environment whose sequence was moved on. */
export interface Restored {
  readonly environmentId: string;
  readonly lastSequence: number;
  readonly nextSequence: number;
}

/** Resolves with every environment, in order of their ids. */
export async function noteRestores(options: PoolOptions, skip: number): Promise<readonly Restored[]> {
  const answers = await inEveryEnvironment(options, { type: 'note_restore', skip: BigInt(skip) });
  return answers.map(({ environmentId, body }) => {
    const restore = JSON.parse(body) as { last_sequence: number; next_sequence: number };
    return { environmentId, lastSequence: restore.last_sequence, nextSequence: restore.next_sequence };
  });
}
