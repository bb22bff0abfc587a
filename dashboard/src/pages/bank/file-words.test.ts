/** What is said of a payment file. */
import { expect, it } from 'vitest';
import { fileState, namesInWords } from './file-words.ts';

const OPEN = { status: 'sealed', answered_at: null, bank_reason: null } as const;

it.each([
  [OPEN, 'wait', 'No answer yet'],
  [{ ...OPEN, answered_at: 5 }, 'done', 'Answered'],
  [{ ...OPEN, status: 'claiming' }, 'going', 'Being made'],
  [{ ...OPEN, status: 'abandoning' }, 'off', 'Given up'],
  [{ ...OPEN, bank_reason: { code: 'FF01', text: 'Format fehlerhaft' } }, 'bad', 'Format fehlerhaft'],
  [{ ...OPEN, bank_reason: { code: 'FF01', text: null } }, 'bad', 'FF01'],
] as const)('%o', (file, mark, word) => expect(fileState(file)).toEqual({ mark, word }));

it('names of payees are counted, but for kinds that there are none of', () => {
  const check = { match_count: 7, close_match_count: 0, no_match_count: 2, not_possible_count: 0, payouts: [] };
  expect(namesInWords(check)).toBe('7 the same, 2 other names');
  expect(namesInWords({ ...check, match_count: 0, no_match_count: 0 })).toBeNull();
  expect(namesInWords(null)).toBeNull();
});
