/** What is left of an erased entry still tells its booking from others when a bank reports it again. */
import { expect, it } from 'vitest';
import { NOTHING_EXPLAINED } from './fields.ts';
import { knownOf, markOf } from './lookalikes.ts';
import { redactedEntry } from './redact.ts';

const explanation = { ...NOTHING_EXPLAINED, name: 'Ada', account: 'DE89', text: 'Rent of Ada', endToEndId: 'E2E-1' };

it('an erased booking is known when it is reported again', () => {
  const booked = [markOf(redactedEntry({ explanation }).explanation)];
  expect(knownOf([markOf(explanation)], booked)).toEqual([true]);
  expect(knownOf([markOf({ ...explanation, endToEndId: 'E2E-2' })], booked)).toEqual([false]); // another booking
  expect(JSON.stringify(redactedEntry({ explanation }))).not.toMatch(/Ada|DE89/);
});

it('what the bank did not say stays unsaid', () => {
  expect(redactedEntry({ explanation: NOTHING_EXPLAINED }).explanation).toEqual(NOTHING_EXPLAINED);
});
