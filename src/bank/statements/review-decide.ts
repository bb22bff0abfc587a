/**
 * Decisions about a statement that waits: the ledger has what makes it certain now, or a person says which of its entries are new. Then it is
 * imported as if the file had just come, from the lines that were kept (`waiting.ts`). Pure. Live rails, section 17; decision 0079.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { changed } from './decide.ts';
import type { BankStatement } from './fields.ts';

interface SupersedeBankStatement {
  readonly type: 'supersede_bank_statement';
  readonly statement: string;
}

/** It was read otherwise, or issued again, and that was imported. Refuses `resource_missing`. */
export function supersedeBankStatement(draft: Draft, { statement: id }: SupersedeBankStatement): Decision {
  const statement = draft.find('bank_statement', id);
  if (!statement) return missing('bank statement', id);
  if (statement.status !== 'needs_review') return statement;
  return draft.update<BankStatement>({ ...statement, status: 'superseded', readings: [], waitingCount: 0 });
}

export interface ReviewBankStatement extends Pick<BankStatement, 'added'> {
  readonly type: 'review_bank_statement';
  readonly statement: string;
  readonly bankAccount: string;
  /** What else is known now; `null`: a person says it. */
  readonly certain: (Pick<BankStatement, 'missingEntries' | 'supersedes'> & { readonly booksVersion: number }) | null;
  /** Why, in a person's words. */
  readonly reason: string | null;
}

/**
 * Refuses `resource_missing` and `bank_statement_reviewed`. Answers the statement; or the bank account, where the books are others than those
 * that make it certain, or another import has decided it: then nothing is done.
 */
export function reviewBankStatement(draft: Draft, command: ReviewBankStatement): Decision {
  const { statement: id, certain, added, reason } = command;
  const statement = draft.find('bank_statement', id);
  if (!statement) return missing('bank statement', id);
  const account = draft.find('bank_account', statement.bankAccount);
  if (!account) return missing('bank account', statement.bankAccount);
  if (account.status === 'closed') {
    return refusal('bank_account_closed', `Bank account ${account.id} is closed.`, { current_status: 'closed' });
  }
  // A person has said it before, and its booking was cut off: it goes on.
  if (certain === null && statement.status === 'importing' && statement.waitingCount === 0) return statement;
  if (statement.status !== 'needs_review') {
    // Two imports at once may both find it certain: the other one was first, and books it.
    if (certain !== null) return account;
    const message = `Statement ${id} does not wait for anybody: it is ${statement.status}.`;
    return refusal('bank_statement_reviewed', message, { current_status: statement.status });
  }
  if (certain !== null && certain.booksVersion !== account.booksVersion) return account;
  if (certain === null) draft.audit('bank_statement.reviewed', id, { new_entries: added, reason });
  draft.update(changed(account));
  const { missingEntries, supersedes } = certain ?? statement;
  const found = { added, missingEntries, supersedes, readings: [], waitingCount: 0, taken: 0 };
  return draft.update<BankStatement>({ ...statement, ...found, status: 'importing' });
}
