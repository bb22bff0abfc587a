/**
 * Whether work grows with its size or faster, by processor time of this process, which other programs on the machine do not spend.
 * Sixteen pieces are compared with one of sixteen times the size: linear work costs the same (1), quadratic work 16 times as much.
 */

const PIECES = 16;
const ROUNDS = 3;
/** So long that the gauge's steps and the collector of garbage are small beside it. */
const LEAST_MS = 20;
const MOST_REPEATS = 64;

/** From there on work is not linear: half way between 1 and 16, as quotients go. */
export const FASTER_THAN_LINEAR = 4;

function spentMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** How many times as much the large piece costs as the small ones together: the best of three rounds of each. */
export function growth(work: (size: number) => void, size: number): number {
  const small = () => {
    for (let piece = 0; piece < PIECES; piece++) work(size / PIECES);
  };
  const large = () => work(size);
  const repeated = (once: () => void, repeats: number) =>
    spentMs(() => {
      for (let time = 0; time < repeats; time++) once();
    });
  large(); // what is only slow the first time does not count
  let repeats = 1;
  while (repeats < MOST_REPEATS && repeated(small, repeats) < LEAST_MS) repeats *= 2;
  const best = (once: () => void) => Math.min(...Array.from({ length: ROUNDS }, () => repeated(once, repeats)));
  return best(large) / Math.max(best(small), 0.1);
}
