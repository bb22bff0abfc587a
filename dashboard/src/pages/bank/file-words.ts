/** Payment files in words. Pure. */
import type { PaymentFile } from '../../../../client/src/generated/types.ts';
import type { StateWords } from '../../ui/state.tsx';

/** What the bank said of a file, in its own words where it gave a reason. */
export function fileState({
  status,
  answered_at: answered,
  bank_reason: reason,
}: Pick<PaymentFile, 'status' | 'answered_at' | 'bank_reason'>): StateWords {
  if (status === 'claiming') return { mark: 'going', word: 'Being made' };
  if (status === 'abandoning' || status === 'abandoned') return { mark: 'off', word: 'Given up' };
  if (reason !== null) return { mark: 'bad', word: reason.text ?? reason.code ?? 'The bank has refused it' };
  return answered === null ? { mark: 'wait', word: 'No answer yet' } : { mark: 'done', word: 'Answered' };
}

/** How the bank compared the names of payees with those of their accounts: what there is none of is not said. `null`: nothing to say. */
export function namesInWords(check: PaymentFile['payee_check']): string | null {
  if (check === null) return null;
  const counts = [
    [check.match_count, 'the same'],
    [check.close_match_count, 'nearly the same'],
    [check.no_match_count, 'other names'],
    [check.not_possible_count, 'not known to their banks'],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return said.length === 0 ? null : said.join(', ');
}
