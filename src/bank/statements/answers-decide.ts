/** Messages of a bank about payouts in a file (pain.002) are taken in, a chunk a commit. What cannot be is said in the notes of the document. Pure. */
import { failureOfReason, isDuplicate } from '../../core/rails/bank-reasons.ts';
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing } from '../../core/values/errors.ts';
import { type Answer, answered, type Meaning } from '../../paying/payouts/facts-decide.ts';
import { takeEarly } from './booking.ts';

export interface NoteBankAnswers {
  readonly type: 'note_bank_answers';
  readonly document: string;
  readonly answers: readonly Answer[];
}

/** Of a document; the rest is counted by nobody. */
const MOST_NOTES = 1_000;

/** The bank will not execute it: rejected, or canceled at the bank. */
const REJECTIONS: ReadonlySet<string> = new Set(['RJCT', 'CANC']);

/** Executed: where the bank account takes a bank's word for it. */
const SETTLEMENTS: ReadonlySet<string> = new Set(['ACSC', 'ACCC']);

function kindOf(draft: Draft, { file, status, reason }: Answer): Meaning['kind'] {
  if (REJECTIONS.has(status)) return isDuplicate(reason) ? 'noted' : 'rejected';
  if (!SETTLEMENTS.has(status)) return 'noted';
  const account = draft.find('bank_account', draft.find('bank_file', file)?.bankAccount ?? '');
  return account?.paidBy === 'status' ? 'settled' : 'noted';
}

/** Refuses `resource_missing`. Answers the document. */
export function noteBankAnswers(draft: Draft, { document: id, answers }: NoteBankAnswers): Decision {
  const document = draft.find('bank_document', id);
  if (!document) return missing('bank document', id);
  const notes: string[] = [];
  for (const answer of answers) {
    const meaning = { kind: kindOf(draft, answer), failureCode: failureOfReason(answer.reason) } as const;
    const wrong = answered(draft, answer, { ...meaning, takeEarly: takeEarly(draft) });
    if (wrong !== null) notes.push(typeof wrong === 'string' ? wrong : wrong.message);
  }
  if (notes.length === 0) return document;
  return draft.update({ ...document, notes: [...document.notes, ...notes].slice(0, MOST_NOTES) });
}
