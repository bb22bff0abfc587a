/**
 * Decisions about what a bank reports: a document comes, and its entries are booked, a chunk a commit. The commit that stores an entry
 * also moves its money, and nothing is guessed. Which entries are new is planned before (`core/deduplication/plan.ts`), and a plan whose books have
 * changed since is not carried out. A document can be handed in again, also half way: a statement knows how far it came. Pure. Where entries
 * go: `booking.ts`; by hand: `assign-decide.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import type { Stored } from '../../core/objects.ts';
import { Positions } from '../../core/deduplication/positions.ts';
import { type BankLine, bookEntry, bookOpening, Places } from './booking.ts';
import { type StatementFile, type BankStatement, MOST_NOTES } from './fields.ts';
import { finish, neighboursOf, proofOf, type StatementHead } from './proof.ts';
import { keepWaiting, wait } from './waiting.ts';

type BankAccount = Stored['bank_account'];

export interface BeginStatementFile extends Pick<StatementFile, 'sha256' | 'sizeBytes'> {
  readonly type: 'begin_statement_file';
}

export interface FinishStatementFile extends Pick<StatementFile, 'statementsCount' | 'skippedCount' | 'notes'> {
  readonly type: 'finish_statement_file';
  readonly document: string;
}

/** What is planned for a statement before its first entry is booked. */
export interface StatementPlan
  extends Pick<BankStatement, 'added' | 'readings' | 'missingEntries' | 'supersedes' | 'waitingCount'> {
  /** That of the bank account when the plan was made; `null`: it rests on nothing. */
  readonly booksVersion: number | null;
}

/** A chunk of the booked entries of a statement, in the order of the statement. */
export interface ImportBankEntries {
  readonly type: 'import_bank_entries';
  readonly document: string;
  readonly bankAccount: string;
  readonly statement: StatementHead;
  /** `null`: the statement was begun before. */
  readonly plan: StatementPlan | null;
  /** What the ledger holds from before its first day, minor units; counts for the first statement of a bank account. */
  readonly heldBefore: bigint;
  /** Its new entries. */
  readonly lines: readonly BankLine[];
  /** Its entries that wait for a person. */
  readonly waiting: readonly BankLine[];
  /** The row of lines that have waited, and wait no more; `null`: the lines come from a file. */
  readonly waited: string | null;
  readonly isLast: boolean;
}

/** Answers the document that has these bytes, new or known. */
export function beginStatementFile(draft: Draft, { sha256, sizeBytes }: BeginStatementFile): Decision {
  const known = draft.all('statement_file').find((each) => each.sha256 === sha256);
  if (known) return known;
  const document: StatementFile = {
    object: 'statement_file',
    id: draft.newId('sf'),
    sha256,
    status: 'importing',
    sizeBytes,
    statementsCount: 0,
    skippedCount: 0,
    notes: [],
    importedAt: null,
    createdAt: draft.atMs,
  };
  draft.audit('statement_file.imported', document.id, { sha256 });
  return draft.create(document);
}

/** Refuses `resource_missing`. */
export function finishStatementFile(draft: Draft, command: FinishStatementFile): Decision {
  const { type: _, document: id, ...found } = command;
  const document = draft.find('statement_file', id);
  if (!document) return missing('statement file', id);
  if (document.status === 'imported') return document;
  const notes = [...found.notes, ...document.notes].slice(0, MOST_NOTES);
  return draft.update({ ...document, ...found, notes, status: 'imported', importedAt: draft.atMs } as const);
}

/**
 * Refuses `resource_missing`, `bank_account_closed` and `bank_statement_incomplete`. Answers the statement; or the bank account, where the books
 * are others than those that the plan rests on: then nothing is done, and a new plan is needed.
 */
export function importBankEntries(draft: Draft, command: ImportBankEntries): Decision {
  const { statement: head, plan, waited } = command;
  let account = draft.find('bank_account', command.bankAccount);
  if (!account) return missing('bank account', command.bankAccount);
  if (account.status === 'closed') {
    return refusal('bank_account_closed', `Bank account ${account.id} is closed.`, { current_status: 'closed' });
  }
  const others = draft.all('bank_statement').filter((each) => each.bankAccount === account?.id);
  const known = others.find(({ identity }) => identity === head.identity);
  if (known && known.status !== 'importing') {
    keepWaiting(draft, known, { waiting: [], waited });
    return known;
  }
  if (!known && (plan === null || (plan.booksVersion ?? account.booksVersion) !== account.booksVersion)) return account;
  const isOpening = account.booksFrom === null && head.startsOn !== null && head.opening !== null;
  if (isOpening && (head.page ?? 1) > 1) {
    const message = `Statement ${head.reference} is the first of bank account ${account.id}, and page ${head.page} of it. Begin with page 1.`;
    return refusal('bank_statement_incomplete', message);
  }
  let statement = known ?? begin(draft, account, command, plan as StatementPlan);
  if (!known) account = draft.update(changed(account));
  if (statement.status === 'before_opening') return statement;
  if (isOpening && statement.waitingCount === 0) {
    account = bookOpening(draft, draft.update({ ...account, booksFrom: head.startsOn }), statement, command.heldBefore);
  }
  const { booksFrom } = account;
  const isNew = (line: BankLine): boolean => line.position > statement.taken && !isOlder(line, head, booksFrom);
  const [lines, waiting] = [command.lines, command.waiting].map((all) => all.filter(isNew)) as [BankLine[], BankLine[]];
  const places = new Places(draft);
  for (const line of lines) {
    const booked = bookEntry(draft, account, statement, { line, places });
    account = booked.account;
    statement = {
      ...statement,
      newCount: statement.newCount + 1,
      unmatchedCount: statement.unmatchedCount + (booked.entry.status === 'unmatched' ? 1 : 0),
    };
  }
  keepWaiting(draft, statement, { waiting, waited });
  const taken = Math.max(statement.taken, ...[command.lines, command.waiting].map((all) => all.at(-1)?.position ?? 0));
  statement = { ...statement, taken };
  if (!command.isLast) return draft.update(statement);
  account = draft.update(changed(account));
  if (!isOpening && statement.newCount === 0 && isBefore(statement, account)) {
    return draft.update<BankStatement>({ ...statement, status: 'before_opening' }, 'bank_statement.imported');
  }
  if (statement.waitingCount > 0) return wait(draft, account, statement, head.sum);
  return finish(draft, account, { ...statement, ...proofOf(head, neighboursOf(head, others)) }, others);
}

/** It ends before the ledger begins, so all of it is in the opening balance. */
const isBefore = ({ closedOn }: Pick<StatementHead, 'closedOn'>, { booksFrom }: BankAccount): boolean =>
  booksFrom !== null && closedOn !== null && closedOn < booksFrom;

/** Bookings from before the ledger's first day are in the opening balance, whoever takes them for new. */
const isOlder = ({ bookedOn }: BankLine, { startsOn }: StatementHead, booksFrom: string | null): boolean =>
  startsOn !== null && booksFrom !== null && startsOn < booksFrom && bookedOn !== null && bookedOn < booksFrom;

/** Plans that were made before do not count any more. */
export const changed = (account: BankAccount): BankAccount => ({ ...account, booksVersion: account.booksVersion + 1 });

function begin(
  draft: Draft,
  account: BankAccount,
  { document, statement: head }: ImportBankEntries,
  { added, readings, missingEntries, supersedes, waitingCount }: StatementPlan,
): BankStatement {
  const { sum: _sum, ...said } = head;
  const isEarlier = isBefore(head, account);
  const statement: BankStatement = {
    object: 'bank_statement',
    id: draft.newId('bs'),
    bankAccount: account.id,
    document,
    ...said,
    currency: account.currency,
    status: isEarlier ? 'before_opening' : 'importing',
    newCount: 0,
    unmatchedCount: 0,
    added,
    readings,
    missingEntries,
    supersedes,
    waitingCount,
    taken: 0,
    proof: 'none',
    difference: null,
    createdAt: draft.atMs,
  };
  return draft.create(statement, isEarlier ? 'bank_statement.imported' : undefined);
}

/** Nothing of a statement waits, and it takes the place of none. */
export const NOTHING_WAITS = { readings: [], missingEntries: [], supersedes: null, waitingCount: 0 } as const;

/** Sandbox: the bank books money that somebody sent, as if a statement had this one entry. */
interface CreditByBank {
  readonly type: 'credit_by_bank';
  readonly bankAccount: string;
  /** The hash of the statement file that would report it. No file has it. */
  readonly sha256: string;
  /** Without balances: they follow from the balance of the bank account. */
  readonly statement: Omit<StatementHead, 'opening' | 'closing' | 'sum' | 'entriesCount'>;
  readonly line: BankLine;
}

/** Refuses `resource_missing` and `bank_account_closed`. Answers the entry. */
export function creditByBank(draft: Draft, { bankAccount, sha256, statement: said, line }: CreditByBank): Decision {
  const account = draft.find('bank_account', bankAccount);
  if (!account) return missing('bank account', bankAccount, 'bank_account');
  const document = beginStatementFile(draft, { type: 'begin_statement_file', sha256, sizeBytes: 0n });
  if (isRefusal(document)) return document;
  // A notification has no balances.
  const opening = said.message === 'camt.054' ? null : account.balance;
  const closing = opening === null ? null : opening + line.amount;
  const statement = { ...said, opening, closing, sum: line.amount, entriesCount: 1 };
  const plan = { ...NOTHING_WAITS, added: Positions.upTo(1).text, booksVersion: null };
  const chunk = { document: document.id, bankAccount, statement, plan, heldBefore: account.balance, lines: [line] };
  const whole = { waiting: [], waited: null, isLast: true };
  const imported = importBankEntries(draft, { type: 'import_bank_entries', ...chunk, ...whole });
  if (isRefusal(imported)) return imported;
  const counted = { statementsCount: 1, skippedCount: 0, notes: [] };
  const finished = finishStatementFile(draft, { type: 'finish_statement_file', document: document.id, ...counted });
  if (isRefusal(finished)) return finished;
  const entry = draft.all('bank_entry').find((each) => each.identity === said.identity && each.kind === 'entry');
  return entry ?? missing('bank entry', said.identity);
}
