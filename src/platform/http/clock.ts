/** The present of an environment, for reads: its clock (that of the database, and what a sandbox was moved ahead) and its newest event. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';

interface Reading {
  rows(statement: Statement): Promise<readonly Row[]>;
}

export interface Present {
  /** Milliseconds. Never before the newest write, whatever the clock of the database does. */
  readonly nowMs: number;
  /** Of the newest event. */
  readonly lastSequence: bigint;
}

/** By primary key. */
export async function presentOf(service: Reading, environmentId: string): Promise<Present> {
  const [row] = await service.rows({
    name: 'present_of_environment',
    text: `SELECT now() AS now, clock_offset_ms, greatest(last_at, 'epoch') AS last_at, last_sequence FROM environments
      WHERE environment_id = $1`,
    values: [uuidOf(environmentId)],
  });
  const { now, clock_offset_ms: offset, last_at: last, last_sequence: lastSequence } = row as Row;
  const nowMs = Math.max((now as number) + Number(offset), last as number);
  return { nowMs, lastSequence: lastSequence as bigint };
}

/** Milliseconds. */
export const environmentNow = async (service: Reading, environmentId: string): Promise<number> =>
  (await presentOf(service, environmentId)).nowMs;
