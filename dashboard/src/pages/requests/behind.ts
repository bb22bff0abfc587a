/** How far the log may be behind what was just refused, and what a page does about it. Pure. */
import { troubleOf } from '../../api/errors.ts';

/** Between two looks for an id. */
export const LOOK_MS = 500;
/** Looks at an id that is not there yet: five seconds, several times what the log takes. */
const LOOKS = 10;
/** Between two questions whether there is a newer one. */
export const NEWEST_MS = 2_000;
/** Rows of a page. */
export const PAGE = 100;

/** Whether to look again after an answer that there is no such request. `looks`: how many there were before it. */
export const isAwaited = (looks: number, error: unknown): boolean =>
  troubleOf(error) === 'missing' && looks < LOOKS - 1;

interface Kept {
  readonly id: string;
}

/** The id of the newest request of the log where the list does not show it; `null` where there is nothing to read. */
export function newestIn(log: readonly Kept[] | undefined, shown: readonly Kept[]): string | null {
  const newest = log?.[0]?.id;
  return newest === undefined || shown.some(({ id }) => id === newest) ? null : newest;
}
