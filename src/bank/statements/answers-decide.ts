/** Decisions about a bank's messages on the payouts of a payment file (pain.002). Pure. Of the file as a whole: `file-decide.ts`. */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { failureOfReason, isDuplicate } from '../../core/rails/failures.ts';
import { missing } from '../../core/values/errors.ts';
import { type Answer, answered, type Meaning } from '../../paying/payouts/facts-decide.ts';
import { entriesOf } from './booking.ts';
import { MOST_NOTES } from './fields.ts';

/** A chunk of a bank's messages about the payouts of a payment file (pain.002). Impossible ones go into the document's notes. */
interface NoteBankAnswers {
  readonly type: 'note_bank_answers';
  readonly document: string;
  readonly answers: readonly Answer[];
}

/** Rejected, or canceled at the bank. */
const REJECTIONS: ReadonlySet<string> = new Set(['RJCT', 'CANC']);

/** Executed, if the bank account takes its bank's word for it (`paid_by`). */
const SETTLEMENTS: ReadonlySet<string> = new Set(['ACSC', 'ACCC']);

/** To be executed. ACTC is none of them: the bank has only read the file. */
const ACCEPTANCES: ReadonlySet<string> = new Set(['ACCP', 'ACFC', 'ACSP', 'ACWC', 'ACWP', 'ACPD']);

function kindOf(draft: Draft, { file, status, reason }: Answer): Meaning['kind'] {
  if (REJECTIONS.has(status)) return isDuplicate(reason) ? 'noted' : 'rejected';
  if (!SETTLEMENTS.has(status)) return ACCEPTANCES.has(status) ? 'accepted' : 'noted';
  const account = draft.find('bank_account', draft.find('payment_file', file)?.bankAccount ?? '');
  return account?.paidBy === 'status' ? 'settled' : 'accepted';
}

/** Refuses `resource_missing`. Answers the document. */
export function noteBankAnswers(draft: Draft, { document: id, answers }: NoteBankAnswers): Decision {
  const document = draft.find('statement_file', id);
  if (!document) return missing('statement file', id);
  const notes: string[] = [];
  for (const answer of answers) {
    const meaning = { kind: kindOf(draft, answer), failureCode: failureOfReason(answer.reason) } as const;
    const wrong = answered(draft, answer, meaning, entriesOf(draft));
    if (wrong !== null) notes.push(typeof wrong === 'string' ? wrong : wrong.message);
  }
  if (notes.length === 0) return document;
  return draft.update({ ...document, notes: [...document.notes, ...notes].slice(0, MOST_NOTES) });
}
