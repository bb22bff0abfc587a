/** What is left of an erased entry still tells its booking from others when a bank reports it again. */
import { expect, it } from 'vitest';
import { NOTHING_EXPLAINED } from './fields.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import { pairsOf } from '../../core/deduplication/pairs.ts';
import { redactedEntry } from './redact.ts';

const explanation = { ...NOTHING_EXPLAINED, name: 'Ada', account: 'DE89', text: 'Rent of Ada', endToEndId: 'E2E-1' };

it('an erased booking is known when it is reported again', () => {
  const said = { direction: 'credit', amount: 1n, bookedOn: '2026-03-13', valueOn: null, file: null };
  const likeness = (words: typeof explanation) => [likenessOf({ ...said, explanation: words })];
  const booked = [likenessOf({ ...said, explanation: redactedEntry({ explanation }).explanation })];
  expect(pairsOf(likeness(explanation), booked, ['details']).size).toBe(1);
  expect(pairsOf(likeness({ ...explanation, endToEndId: 'E2E-2' }), booked, ['details']).size).toBe(0); // another booking
  expect(JSON.stringify(redactedEntry({ explanation }))).not.toMatch(/Ada|DE89/);
});

it('what the bank did not say stays unsaid', () => {
  expect(redactedEntry({ explanation: NOTHING_EXPLAINED }).explanation).toEqual(NOTHING_EXPLAINED);
});
