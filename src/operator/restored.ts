/**
 * After the database was put back to an earlier state: moves the sequence of every environment on and writes
 * `environment.restored`. May run beside servers and be repeated; each run leaves out more numbers. Who calls this:
 * `cli/restore.ts`.
 */
import { connectPatiently, type PoolOptions } from '../platform/db/pool.ts';
import { END_EVERYTHING } from '../tenancy/sessions/sql.ts';
import { inEveryEnvironment } from './operator.ts';

/** The most that one run may leave out: ids of events have room for a thousand such runs. */
export const MOST_SKIPPED = 1_000_000_000;

/** An environment whose sequence was moved on. */
export interface Restored {
  readonly environmentId: string;
  readonly lastSequence: number;
  readonly nextSequence: number;
}

/** Resolves with every environment, in order of their ids. Signs everybody out, and ends all one-time links. */
export async function noteRestores(options: PoolOptions, skip: number): Promise<readonly Restored[]> {
  await signEverybodyOut(options);
  const answers = await inEveryEnvironment(options, { type: 'note_restore', skip: BigInt(skip) });
  return answers.map(({ environmentId, body }) => {
    const restore = JSON.parse(body) as { last_sequence: number; next_sequence: number };
    return { environmentId, lastSequence: restore.last_sequence, nextSequence: restore.next_sequence };
  });
}

/** Sessions that had ended, and links that were used, may be open again in what was restored. */
async function signEverybodyOut({ url, log }: PoolOptions): Promise<void> {
  const client = await connectPatiently(url, log);
  try {
    for (const statement of END_EVERYTHING) await client.query(statement);
  } finally {
    await client.end();
  }
}
