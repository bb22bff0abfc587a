/** What banks report, as the write path knows it. */
import type { CommandOf } from '../../core/decision.ts';
import { isUnclear } from '../../core/rails/named-references.ts';
import { withEntries } from '../../core/deduplication/spans.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { slice } from '../../core/slice.ts';
import { assignBankEntryBatch, assignBankEntry, unassignBankEntry } from './assign-decide.ts';
import * as decide from './decide.ts';
import { bringEntryDetails, keepEntryDetails, redactEntryDetails } from './details-decide.ts';
import { noteFileAnswer } from './file-decide.ts';
import { noteBankAnswers } from './answers-decide.ts';
import {
  STATEMENT_FILE,
  BANK_ENTRY,
  BANK_ENTRY_DETAILS,
  BANK_RULE,
  BANK_STATEMENT,
  BANK_WAITING_LINES,
} from './fields.ts';
import { redactBankEntry } from './redact.ts';
import { createBankRule, deleteBankRule } from './rule-decide.ts';
import { reviewBankStatement, supersedeBankStatement } from './review-decide.ts';
import { BANK_DETAILS, STATEMENT_FILES, BANK_ENTRIES, BANK_RULES, BANK_STATEMENTS, BANK_WAITING } from './sql.ts';
import * as voiding from './void-decide.ts';

interface Imported extends Pick<decide.ImportBankEntries, 'bankAccount' | 'lines' | 'plan' | 'waited'> {
  readonly statement: Pick<
    decide.ImportBankEntries['statement'],
    'identity' | 'series' | 'startsOn' | 'closedOn' | 'entriesFrom' | 'entriesUntil'
  >;
}

/** The objects that its entries may be about, and equal entries that are stored already. */
function needsOfEntries(need: ReadSet, { bankAccount, statement, lines, plan, waited }: Imported): void {
  const { identity, series, startsOn, closedOn } = withEntries(statement);
  need.all('bankAccountsOf');
  need.all('bankRulesOf');
  need.statement({ bankAccount, identity, series, startsOn, closedOn });
  need.keys('bankStatements', plan?.supersedes ?? null);
  need.keys('bankWaitingLines', waited);
  for (const line of lines) {
    need.reported(line.payouts.map(({ payout }) => payout));
    // Several lead nowhere, and neither does one that only looks like a reference.
    if (line.references.length === 1) need.referencesOf(line.references.filter((each) => !isUnclear(each)));
  }
}

/** Where a part of an entry goes, by the prefix of its id. */
function needsOfTarget(need: ReadSet, id: string): void {
  if (id.startsWith('acct_')) need.keys('accounts', id);
  else if (id.startsWith('po_')) need.reported([id]);
  else if (id.startsWith('xp_')) need.keys('expectedPayments', id);
  else if (id.startsWith('pay_')) need.keys('payments', id);
  else if (id.startsWith('be_')) need.keys('bankEntries', id);
  else if (id.startsWith('ba_')) need.all('bankAccountsOf');
}

/** Of no day: the last statements, and those whose proof waits for something. */
const THE_LAST = { identity: '', series: '', startsOn: null, closedOn: null };

export const bankStatements = slice({
  decisions: {
    begin_statement_file: decide.beginStatementFile,
    finish_statement_file: decide.finishStatementFile,
    import_bank_entries: decide.importBankEntries,
    credit_by_bank: decide.creditByBank,
    note_bank_answers: noteBankAnswers,
    review_bank_statement: reviewBankStatement,
    supersede_bank_statement: supersedeBankStatement,
    note_file_answer: noteFileAnswer,
    assign_bank_entry: assignBankEntry,
    assign_bank_entries: assignBankEntryBatch,
    unassign_bank_entry: unassignBankEntry,
    void_bank_entry: voiding.voidBankEntry,
    unvoid_bank_entry: voiding.unvoidBankEntry,
    approve_bank_entry: voiding.approveBankEntry,
    reject_bank_entry: voiding.rejectBankEntry,
    redact_bank_entry: redactBankEntry,
    keep_entry_details: keepEntryDetails,
    bring_entry_details: bringEntryDetails,
    redact_entry_details: redactEntryDetails,
    create_bank_rule: createBankRule,
    delete_bank_rule: deleteBankRule,
  },
  needs: {
    begin_statement_file: (need, { sha256 }) => need.document(sha256),
    finish_statement_file: (need, { document }) => need.keys('statementFiles', document),
    import_bank_entries: needsOfEntries,
    credit_by_bank: (need, command) => {
      need.document(command.sha256);
      needsOfEntries(need, { ...command, lines: [command.line], plan: null, waited: null });
    },
    supersede_bank_statement: (need, { statement }) => need.keys('bankStatements', statement),
    review_bank_statement: (need, { statement }) => {
      need.all('bankAccountsOf');
      need.keys('bankStatements', statement);
    },
    note_bank_answers: (need, { document, answers }) => {
      need.keys('statementFiles', document);
      need.all('bankAccountsOf');
      need.reported(answers.map(({ payout }) => payout));
    },
    note_file_answer: (need, { document, file }) => {
      need.keys('statementFiles', document);
      need.keys('paymentFiles', file);
    },
    assign_bank_entry: (need, { entry, targets }) => {
      need.keys('bankEntries', entry);
      for (const { to, payouts } of targets) {
        needsOfTarget(need, to);
        need.reported(payouts.map(({ payout }) => payout));
      }
    },
    assign_bank_entries: (need, { entries }) => {
      for (const { entry, target } of entries) {
        need.keys('bankEntries', entry);
        needsOfTarget(need, target.to);
      }
    },
    unassign_bank_entry: (need, { entry, of }) => {
      need.keys('bankEntries', entry);
      needsOfTarget(need, of);
    },
    void_bank_entry: (need, { entry }) => need.keys('bankEntries', entry),
    unvoid_bank_entry: (need, { entry }) => need.keys('bankEntries', entry),
    approve_bank_entry: (need, { entry, bankAccount, parts }) => {
      need.keys('bankEntries', entry);
      if (bankAccount !== null) need.statement({ bankAccount, ...THE_LAST });
      need.all('bankAccountsOf');
      need.all('familiesOf');
      need.ownSettings(); // a payment that waits again may be reminded of
      for (const { to, payouts, payment } of parts) {
        needsOfTarget(need, to);
        need.keys('payments', payment?.id ?? null);
        need.reported(payouts);
      }
    },
    reject_bank_entry: (need, { entry }) => need.keys('bankEntries', entry),
    redact_bank_entry: (need, { id }) => {
      need.keys('bankEntries', id);
      need.keys('erased', id);
    },
    keep_entry_details: (need, { document, bankAccount, details }) => {
      need.keys('statementFiles', document);
      need.all('bankAccountsOf');
      need.marksOf(
        bankAccount,
        details.map(({ mark }) => mark),
      );
    },
    bring_entry_details: (need, { brought }) => {
      need.all('bankAccountsOf');
      for (const { details, entry, references } of brought) {
        need.keys('bankEntryDetails', details);
        need.keys('bankEntries', entry);
        need.referencesOf(references);
      }
    },
    redact_entry_details: (need, { id }) => need.keys('bankEntryDetails', id),
    create_bank_rule: (need, { rule }) => {
      need.all('bankAccountsOf');
      need.all('bankRulesOf');
      needsOfTarget(need, rule.target);
    },
    delete_bank_rule: (need) => need.all('bankRulesOf'),
  },
  audited: [
    'import_bank_entries',
    'begin_statement_file',
    'review_bank_statement',
    'credit_by_bank',
    'assign_bank_entry',
    'assign_bank_entries',
    'create_bank_rule',
    'delete_bank_rule',
    'unassign_bank_entry',
    'void_bank_entry',
    'unvoid_bank_entry',
    'approve_bank_entry',
    'reject_bank_entry',
    'redact_bank_entry',
    'redact_entry_details',
  ],
  tables: {
    statement_file: STATEMENT_FILES,
    bank_statement: BANK_STATEMENTS,
    bank_waiting_lines: BANK_WAITING,
    bank_entry: BANK_ENTRIES,
    bank_entry_details: BANK_DETAILS,
    bank_rule: BANK_RULES,
  },
  objects: {
    statement_file: STATEMENT_FILE,
    bank_statement: BANK_STATEMENT,
    bank_waiting_lines: BANK_WAITING_LINES,
    bank_entry: BANK_ENTRY,
    bank_entry_details: BANK_ENTRY_DETAILS,
    bank_rule: BANK_RULE,
  },
  replies: {
    bank_entries: ({ entries }, _livemode, { text }) => `{"data":[${entries.map(text).join(',')}]}`,
  },
});
export type { BankLine, NamedPayout } from './booking.ts';
export type { ImportBankEntries, StatementPlan } from './decide.ts';
export type { BringEntryDetails, EntryDetails } from './details-decide.ts';
export type { StatementHead } from './proof.ts';
export type { MovedPart } from './void-decide.ts';
export { linesOf, type WaitingRow } from './waiting.ts';
export type BankStatementCommand = CommandOf<typeof bankStatements.decisions>;
