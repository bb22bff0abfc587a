/** Reasons and places of suggestions in words; what this build does not know stays as it is. */
import { expect, it } from 'vitest';
import { kindOf, reasonsOf } from './reasons.ts';

it('says why, and what the place is', () => {
  expect(reasonsOf(['amount', 'name'])).toBe('the amount fits, the same name before');
  expect(reasonsOf(['of next year'])).toBe('of next year');
  expect(['xp_01jd3v9q4ne8', 'po_01jd3v9q4ne8', 'fees', 'fx'].map(kindOf)).toEqual([
    'expected payment',
    'payout',
    'fees',
    'fx',
  ]);
});
