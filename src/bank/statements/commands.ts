/** The commands of what a bank reports, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { assignBankEntries, assignBankEntry, unassignBankEntry } from './assign-decide.ts';
import { creditByBank } from './credit-decide.ts';
import { noteBankAnswers } from './answers-decide.ts';
import { beginBankDocument, finishBankDocument, importBankEntries } from './decide.ts';
import { createBankRule, deleteBankRule } from './rule-decide.ts';

export const bankStatementDecisions = decisions({
  begin_bank_document: beginBankDocument,
  finish_bank_document: finishBankDocument,
  import_bank_entries: importBankEntries,
  credit_by_bank: creditByBank,
  note_bank_answers: noteBankAnswers,
  assign_bank_entry: assignBankEntry,
  assign_bank_entries: assignBankEntries,
  unassign_bank_entry: unassignBankEntry,
  create_bank_rule: createBankRule,
  delete_bank_rule: deleteBankRule,
});
export type BankStatementCommand = CommandOf<typeof bankStatementDecisions>;
