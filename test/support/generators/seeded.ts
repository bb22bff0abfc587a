/**
 * Chance with a seed, for tests that break things at random: the same seed makes the same choices, though not the same
 * moments, since those belong to the processes. Never for ids or keys.
 */

/** A number from 0 up to, but not including, 1. */
export type Chance = () => number;

/** The generator mulberry32: 32 bits of state, good enough to choose by. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed of {@link seeded}, to be told wherever it is used: `SEED` where it is set, as for every change (`random-cases.ts`), else any. */
export function newSeed(): number {
  const given = process.env['SEED'];
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}

/** A number between two others. */
export function between(chance: Chance, least: number, most: number): number {
  return least + chance() * (most - least);
}
