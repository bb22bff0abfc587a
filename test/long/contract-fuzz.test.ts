/**
 * T21, the contract fuzz: every answer is a documented status with a documented code and a body that its schema describes;
 * no 5xx; nothing that the document forbids is accepted. Ten thousand requests, until something of everything has succeeded. Small,
 * and its controls: `test/soak/contract-fuzz.test.ts`; a million: `npm run soak -- t21`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fuzz, runs } from '../support/generators/fuzz.ts';
import { newSeed } from '../support/generators/seeded.ts';

const RUNS = 10_000;
/** Further ones, of what has not succeeded yet, as often as needed: what has a chance in five rounds has succeeded. */
const RARE = 2_000;
const ROUNDS = 5;
const RUNS_OVER_SOCKETS = 500;

/** Another one each time; to repeat what failed, put it here. */
const seed = newSeed();
console.info(`seed ${seed}`);

let fuzz: Fuzz;
beforeAll(async () => {
  fuzz = await Fuzz.start();
});
afterAll(() => fuzz?.stop());

describe('every answer is what the document says', () => {
  // First: a connection that stood idle through the other test would be closed by the server just when it is used again.
  it(`for ${RUNS_OVER_SOCKETS} requests over sockets`, async () => {
    await fc.assert(fuzz.property(fuzz.overSocket), { ...runs(RUNS_OVER_SOCKETS), seed });
  });

  it(`for ${RUNS} requests, with something of everything among them`, async () => {
    await fc.assert(fuzz.property(fuzz.inject), { ...runs(RUNS), seed });
    expect(fuzz.requests).toBeGreaterThan(RUNS * 0.95);
    // Some find what they need only now and then.
    for (let round = 0; round < ROUNDS && fuzz.missing.length > 0; round++)
      await fc.assert(fuzz.property(fuzz.inject, fuzz.missing), { ...runs(RARE), seed: seed + round });
    const { counts } = fuzz;
    const seen = (status: string) => new Set([...counts.keys()].filter((key) => key.endsWith(status)));
    expect(fuzz.missing).toEqual([]);
    expect(seen(' 400').size).toBeGreaterThan(25);
    expect(seen(' 404').size).toBeGreaterThan(15);
    expect(seen(' 415').size).toBeGreaterThan(5);
  });
});
