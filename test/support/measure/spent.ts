/** Processor time of this process, which other programs on the machine do not spend. Next: `growth.ts`. */

const ROUNDS = 5;

/** Milliseconds that the work takes, the best of five rounds; not more rounds once it is at most `enoughMs`. */
export async function leastSpentMs(work: () => unknown, enoughMs = 0): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && best > enoughMs; round++) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** Says of any work how many times as much it takes as `honest` work. Stops measuring where it is at most `enough` times. */
export async function comparedWith(honest: () => unknown) {
  await honest(); // what is only slow the first time does not count
  const honestMs = await leastSpentMs(honest);
  return async (work: () => unknown, enough: number) => (await leastSpentMs(work, enough * honestMs)) / honestMs;
}
