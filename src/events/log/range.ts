/**
 * Turns a range of instants into a range of sequences. Both rise together, so a binary search over the primary key (20
 * look-ups for a million events) saves an index.
 */
import { RequestError } from '../../core/values/errors.ts';
import type { Service } from '../../platform/http/service.ts';
import { eventFrom, lastSequence } from './sql.ts';

/** The sequence of the newest event. */
export async function newestSequence(rows: Service['rows'], environmentId: string): Promise<bigint> {
  const [environment] = await rows(lastSequence(environmentId));
  if (!environment) throw new RequestError('internal_error', 'The environment is gone.');
  return environment['last_sequence'] as bigint;
}

/** Throws `sequence_unknown` for a position beyond the newest event: a restore took back what its reader has seen. */
export async function assertReached(
  rows: Service['rows'],
  environmentId: string,
  position: bigint,
  param: string,
): Promise<void> {
  const newest = await newestSequence(rows, environmentId);
  if (position <= newest) return;
  const message = `${param} is ${position}, and the newest event has ${newest}. If the database was restored, read on after ${newest}.`;
  throw new RequestError('sequence_unknown', message, { param });
}

/** The events from `fromMs` on and before `untilMs`: those with sequences above `after`, up to `until`; `null` is no end. */
export async function sequencesBetween(
  service: Pick<Service, 'rows'>,
  environmentId: string,
  { fromMs, untilMs }: { readonly fromMs: number | undefined; readonly untilMs: number | undefined },
): Promise<{ readonly after: bigint; readonly until: bigint | null }> {
  const last = await newestSequence(service.rows, environmentId);
  const lastBefore = async (atMs: number): Promise<bigint> => {
    let [low, high] = [1n, last + 1n];
    while (low < high) {
      const middle = (low + high) / 2n;
      const [event] = await service.rows(eventFrom(environmentId, middle));
      if (event && (event['created_at'] as number) < atMs) low = (event['sequence'] as bigint) + 1n;
      else high = middle;
    }
    return low - 1n;
  };
  return {
    after: fromMs === undefined ? 0n : await lastBefore(fromMs),
    until: untilMs === undefined ? null : await lastBefore(untilMs),
  };
}
