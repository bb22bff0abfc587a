/** Sandbox: the bank books money that somebody sent, as a statement with one entry would say it. Pure. What the entry does: `booking.ts`. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing } from '../../core/values/errors.ts';
import type { BankLine } from './booking.ts';
import { beginBankDocument, finishBankDocument, importBankEntries, type StatementHead } from './decide.ts';

export interface CreditByBank {
  readonly type: 'credit_by_bank';
  readonly bankAccount: string;
  /** Of a file that would say it: nothing else has it. */
  readonly sha256: string;
  /** Its balances follow from that of the bank account. */
  readonly statement: Omit<StatementHead, 'opening' | 'closing' | 'sum' | 'entriesCount'>;
  readonly line: BankLine;
}

/** Refuses `resource_missing` and `bank_account_closed`. Answers the entry. */
export function creditByBank(draft: Draft, { bankAccount, sha256, statement: said, line }: CreditByBank): Decision {
  const account = draft.find('bank_account', bankAccount);
  if (!account) return missing('bank account', bankAccount, 'bank_account');
  const document = beginBankDocument(draft, { type: 'begin_bank_document', sha256, sizeBytes: 0n });
  if (isRefusal(document)) return document;
  const { id } = document;
  // A notification has no balances.
  const opening = said.message === 'camt.054' ? null : account.balance;
  const closing = opening === null ? null : opening + line.amount;
  const balances = { opening, closing, sum: line.amount, entriesCount: 1 };
  const imported = importBankEntries(draft, {
    type: 'import_bank_entries',
    document: id,
    bankAccount,
    statement: { ...said, ...balances },
    lines: [line],
    isLast: true,
  });
  if (isRefusal(imported)) return imported;
  const counted = { statementsCount: 1, skippedCount: 0, notes: [] };
  const finished = finishBankDocument(draft, { type: 'finish_bank_document', document: id, ...counted });
  if (isRefusal(finished)) return finished;
  const entry = draft.all('bank_entry').find(({ identity }) => identity === line.identity);
  return entry ?? missing('bank entry', line.identity);
}
