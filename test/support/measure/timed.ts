/** How long something takes, for what is held against a limit in a named soak or in `test/long/`. In `ci` nobody looks at it. */

/** Milliseconds until the work is done. Rejects as it does. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return performance.now() - fromMs;
}
