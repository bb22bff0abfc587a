/**
 * Waits for what comes to be by itself: work of a worker, a delivery, a file. The time it takes is not what is tested; a test whose
 * claim is a time belongs to `test/long/`. Where a worker announces a point, `test/support/faults/stop-at.ts` needs no waiting.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** So long that a slow machine beside other work does not decide a test. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 10;

/**
 * Looks until `isSo` gives something other than `false`, `null` or `undefined`, and returns that. Rejects after `patienceMs` with
 * `what`, and with what `seen` tells.
 */
export async function eventually<T>(
  what: string,
  isSo: () => T | Promise<T>,
  { patienceMs = PATIENCE_MS, seen }: { readonly patienceMs?: number; readonly seen?: () => unknown } = {},
): Promise<Exclude<T, false | null | undefined>> {
  for (const endMs = performance.now() + patienceMs; ; await sleep(LOOK_EVERY_MS)) {
    const found = await isSo();
    if (found !== false && found !== null && found !== undefined) return found as Exclude<T, false | null | undefined>;
    if (performance.now() < endMs) continue;
    const last = seen === undefined ? '' : ` Seen: ${JSON.stringify(seen())}`;
    throw new Error(`Not so after ${patienceMs / 1000} s: ${what}.${last}`);
  }
}
