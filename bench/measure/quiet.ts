/**
 * Waiting for a quiet machine before a pass. It only looks at what others do, never at a result, so it cannot choose
 * figures; a pass that is disturbed all the same counts and says so (`foreignShare`).
 */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineCpuMs } from './proc.ts';

const LOOK_MS = 500;
/** Share of the cores that is as good as nothing: our own servers idle below it. */
const QUIET_SHARE = 0.08;

/** Resolves when nothing else runs for half a second, or after `patienceMs`. */
export async function untilQuiet(patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const [startedAt, before] = [performance.now(), machineCpuMs()];
    await sleep(LOOK_MS);
    const share = (machineCpuMs() - before) / ((performance.now() - startedAt) * availableParallelism());
    if (!(share > QUIET_SHARE)) return;
  }
}
