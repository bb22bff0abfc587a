/** How long servers and PostgreSQL may be away in T8 and T9 of the bar: the limits of the named soaks. Next: `test/support/faults/kills.ts`. */

const SERVER_BACK_WITHIN_MS = 3_000;
/** On a slow machine half of them may take as much more than the first starts, before anything was killed. */
const MEDIAN_TO_FIRST = 1.5;
/** On a busy machine one start of twenty may take longer: this many times as long as half of them take. */
const SLOWEST_TO_MEDIAN = 4;
const SERVICE_BACK_WITHIN_MS = 2_000;

/** Complaints about starts after kills, held against the first starts. */
export function slowStarts(readyMs: readonly number[], firstMs: number): string[] {
  const sorted = readyMs.map(Math.round).toSorted((a, b) => a - b);
  const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const slowestMs = sorted.at(-1) ?? 0;
  const withinMs = Math.max(SERVER_BACK_WITHIN_MS, MEDIAN_TO_FIRST * firstMs);
  const allowedMs = Math.max(withinMs, SLOWEST_TO_MEDIAN * medianMs);
  return [
    ...(medianMs > withinMs ? [`half of the servers took ${medianMs} ms and more to come back`] : []),
    ...(slowestMs > allowedMs ? [`a server took ${slowestMs} ms to come back`] : []),
  ];
}

/** Complaints about blows to PostgreSQL after which the service was away too long. */
export function slowReturns(backMs: readonly number[]): string[] {
  return [...backMs.entries()]
    .filter(([, ms]) => ms > SERVICE_BACK_WITHIN_MS)
    .map(([number, ms]) => `back ${Math.round(ms)} ms after blow ${number}`);
}
