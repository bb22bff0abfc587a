/** The state of a batch in words. */
import type { PayoutBatch } from '../../../../client/src/generated/types.ts';
import type { StateWords } from '../../ui/state.tsx';
import { countOf } from '../../ui/digits.ts';

type Counted = Pick<PayoutBatch, 'status' | 'payouts_count' | 'open_count' | 'failed_count'>;

export function batchState({
  status,
  payouts_count: all,
  open_count: open,
  failed_count: failed,
}: Counted): StateWords {
  if (status === 'processing' && open === all) return { mark: 'going', word: 'Under way' };
  if (status === 'processing') return { mark: 'going', word: `${countOf(all - open)} of ${countOf(all)} ended` };
  if (all === 0) return { mark: 'off', word: 'Nothing was made' };
  if (failed === all) return { mark: 'off', word: 'None was paid' };
  if (failed > 0) return { mark: 'bad', word: `${countOf(failed)} not paid` };
  return { mark: 'done', word: 'Paid' };
}
