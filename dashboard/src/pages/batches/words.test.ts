/** The states of a batch: words that are true. */
import { expect, it } from 'vitest';
import { batchState } from './words.ts';

it.each([
  [{ status: 'processing', payouts_count: 9, open_count: 9, failed_count: 0 }, 'going', 'Under way'],
  [{ status: 'processing', payouts_count: 240, open_count: 40, failed_count: 1 }, 'going', '200 of 240 ended'],
  [{ status: 'completed', payouts_count: 3, open_count: 0, failed_count: 0 }, 'done', 'Paid'],
  [{ status: 'completed_with_failures', payouts_count: 3, open_count: 0, failed_count: 2 }, 'bad', '2 not paid'],
  [{ status: 'completed_with_failures', payouts_count: 3, open_count: 0, failed_count: 3 }, 'off', 'None was paid'],
  [{ status: 'completed_with_failures', payouts_count: 0, open_count: 0, failed_count: 0 }, 'off', 'Nothing was made'],
] as const)('%j is %s: %s', (batch, mark, word) => {
  expect(batchState(batch)).toEqual({ mark, word });
});
