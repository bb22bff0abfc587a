/** The clock of an environment, for reads: that of the database, and what a sandbox was moved ahead. */
import { uuidOf } from '../core/ids.ts';
import type { Service } from './service.ts';

/** Milliseconds. Never before the newest write, whatever the clock of the database does. */
export async function environmentNow(service: Pick<Service, 'rows'>, environmentId: string): Promise<number> {
  const [row] = await service.rows({
    name: 'environment_now',
    text: `SELECT now() AS now, clock_offset_ms, greatest(last_at, 'epoch') AS last_at FROM environments WHERE environment_id = $1`,
    values: [uuidOf(environmentId)],
  });
  const {
    now,
    clock_offset_ms: offset,
    last_at: last,
  } = row as Record<'now' | 'last_at', number> & {
    clock_offset_ms: bigint;
  };
  return Math.max(now + Number(offset), last);
}
