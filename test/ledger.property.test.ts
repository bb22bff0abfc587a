import fc from 'fast-check';
import { expect, it } from 'vitest';
import { throws } from '../src/testing/arbitraries.ts';
import { REAL, rehearse, type Tally } from '../src/testing/rehearsal.ts';
it('x', () => {
  const tally: Tally = new Map();
  const t = performance.now();
  fc.assert(fc.property(throws(50), (dice) => rehearse(dice, REAL, tally)), { numRuns: 500 });
  console.log(performance.now() - t, [...tally].sort());
});
