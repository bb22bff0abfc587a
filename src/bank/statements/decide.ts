/**
 * Decisions about what a bank reports: a document comes, and its entries are booked, a chunk a commit. The commit that stores an entry
 * also moves its money, and nothing is guessed. A document can be handed in again, also half way: known entries are found by their
 * identity. Pure. Where entries go: `booking.ts`; by hand: `assign-decide.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import type { Stored } from '../../core/objects.ts';
import { type BankLine, bookEntry, bookOpening, entriesOf, Places } from './booking.ts';
import { knownOf, markOf } from './lookalikes.ts';
import { type BankDocument, type BankEntry, type BankStatement, MOST_NOTES } from './fields.ts';
import { failureOfReason, isDuplicate } from '../../core/rails/failures.ts';
import { type Answer, answered, type Meaning } from '../../paying/payouts/facts-decide.ts';

type BankAccount = Stored['bank_account'];

export interface BeginBankDocument extends Pick<BankDocument, 'sha256' | 'sizeBytes'> {
  readonly type: 'begin_bank_document';
}

export interface FinishBankDocument extends Pick<BankDocument, 'statementsCount' | 'skippedCount' | 'notes'> {
  readonly type: 'finish_bank_document';
  readonly document: string;
}

export interface StatementHead
  extends Pick<
    BankStatement,
    | 'message'
    | 'reference'
    | 'sequence'
    | 'page'
    | 'startsOn'
    | 'openedOn'
    | 'opening'
    | 'closedOn'
    | 'closing'
    | 'entriesCount'
    | 'identity'
    | 'series'
  > {
  /** Sum of its booked entries, debits below zero. */
  readonly sum: bigint;
}

/** A chunk of the booked entries of a statement, in the order of the statement. */
export interface ImportBankEntries {
  readonly type: 'import_bank_entries';
  readonly document: string;
  readonly bankAccount: string;
  readonly statement: StatementHead;
  readonly lines: readonly BankLine[];
  readonly isLast: boolean;
}

/** Answers the document that has these bytes, new or known. */
export function beginBankDocument(draft: Draft, { sha256, sizeBytes }: BeginBankDocument): Decision {
  const known = draft.all('bank_document').find((each) => each.sha256 === sha256);
  if (known) return known;
  const document: BankDocument = {
    object: 'bank_document',
    id: draft.newId('bd'),
    sha256,
    status: 'importing',
    sizeBytes,
    statementsCount: 0,
    skippedCount: 0,
    notes: [],
    importedAt: null,
    createdAt: draft.atMs,
  };
  draft.audit('bank_document.imported', document.id, { sha256 });
  return draft.create(document);
}

/** Refuses `resource_missing`. */
export function finishBankDocument(draft: Draft, command: FinishBankDocument): Decision {
  const { type: _, document: id, ...found } = command;
  const document = draft.find('bank_document', id);
  if (!document) return missing('bank document', id);
  if (document.status === 'imported') return document;
  const notes = [...found.notes, ...document.notes].slice(0, MOST_NOTES);
  return draft.update({ ...document, ...found, notes, status: 'imported', importedAt: draft.atMs } as const);
}

/** Refuses `resource_missing`, `bank_account_closed` and `bank_statement_incomplete`. Answers the statement. */
export function importBankEntries(draft: Draft, command: ImportBankEntries): Decision {
  const { statement: head, lines } = command;
  let account = draft.find('bank_account', command.bankAccount);
  if (!account) return missing('bank account', command.bankAccount);
  if (account.status === 'closed') {
    return refusal('bank_account_closed', `Bank account ${account.id} is closed.`, { current_status: 'closed' });
  }
  const others = draft.all('bank_statement').filter((each) => each.bankAccount === account?.id);
  const known = others.find(({ identity }) => identity === head.identity);
  if (known && known.status !== 'importing') return known;
  const neighbours = neighboursOf(head, others);
  const isFirst = account.booksFrom === null && head.startsOn !== null;
  if (isFirst && (head.page ?? 1) > 1) {
    const message = `Statement ${head.reference} is the first of bank account ${account.id}, and page ${head.page} of it. Begin with page 1.`;
    return refusal('bank_statement_incomplete', message);
  }
  let statement = known ?? begin(draft, account, command);
  if (statement.status === 'before_opening') return statement;
  if (isFirst) account = bookOpening(draft, draft.update({ ...account, booksFrom: head.startsOn }), statement);

  const equals = new Equals(draft, command, new Set([statement.id, ...neighbours.beside.map(({ id }) => id)]));
  const places = new Places(draft);
  for (const line of lines) {
    if (isOlder(line, head, account) || equals.isKnown(line)) continue;
    const booked = bookEntry(draft, account, statement, { line, ordinal: equals.next(line), places });
    account = booked.account;
    statement = {
      ...statement,
      newCount: statement.newCount + 1,
      unmatchedCount: statement.unmatchedCount + (booked.entry.status === 'unmatched' ? 1 : 0),
    };
  }
  if (!command.isLast) return draft.update(statement);
  return finish(draft, account, { ...statement, ...proofOf(head, neighbours) }, others);
}

/** Bookings from before the ledger's first day are in the opening balance. */
const isOlder = ({ bookedOn }: BankLine, { startsOn }: StatementHead, { booksFrom }: BankAccount): boolean =>
  startsOn !== null && booksFrom !== null && startsOn < booksFrom && bookedOn !== null && bookedOn < booksFrom;

/** `beside`: statements about a day of this one that are no other page of it. */
type Neighbours = Readonly<Record<'before' | 'after' | 'beside', readonly BankStatement[]>>;

function neighboursOf(
  head: Pick<StatementHead, 'identity' | 'series' | 'page' | 'startsOn' | 'closedOn'>,
  others: readonly BankStatement[],
): Neighbours {
  const booked = others.filter(({ identity, status }) => identity !== head.identity && status !== 'before_opening');
  const at = (each: BankStatement): keyof Neighbours => {
    if (isOtherPage(each, head)) return (each.page ?? 0) < (head.page ?? 0) ? 'before' : 'after';
    if (isBefore(each, head)) return 'before';
    return isBefore(head, each) ? 'after' : 'beside';
  };
  const of = (where: keyof Neighbours) => booked.filter((each) => at(each) === where);
  return {
    before: nearest(of('before'), head, (each, other) => (each.closedOn ?? '') > (other.closedOn ?? '')),
    after: nearest(of('after'), head, (each, other) => (each.startsOn ?? '') < (other.startsOn ?? '')),
    beside: of('beside'),
  };
}

type PageOf = Pick<StatementHead, 'series' | 'page'>;

/** Other pages, and of the rest those to which none is nearer. */
function nearest(
  all: readonly BankStatement[],
  head: PageOf,
  isNearer: (each: BankStatement, than: BankStatement) => boolean,
): readonly BankStatement[] {
  const rest = all.filter((each) => !isOtherPage(each, head));
  return all.filter((each) => isOtherPage(each, head) || !rest.some((other) => isNearer(other, each)));
}

/** Of the same statement. The whole of it is no page: sent again without pages, it repeats them. */
const isOtherPage = (one: PageOf, other: PageOf): boolean =>
  one.series === other.series && one.page !== null && other.page !== null && one.page !== other.page;

type Period = Pick<StatementHead, 'startsOn' | 'closedOn'>;
const isBefore = ({ closedOn }: Period, { startsOn }: Period): boolean =>
  closedOn !== null && startsOn !== null && closedOn < startsOn;

/** On one before it, or on another of its day. */
const followsOn = ({ before, beside }: Neighbours, { opening }: Pick<StatementHead, 'opening'>): boolean =>
  before.length === 0 || [...before, ...beside].some(({ closing }) => closing === opening);

function begin(draft: Draft, account: BankAccount, { document, statement: head }: ImportBankEntries): BankStatement {
  const { sum: _sum, ...said } = head;
  const { booksFrom } = account;
  const isEarlier = booksFrom !== null && head.closedOn !== null && head.closedOn < booksFrom;
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
    proof: 'none',
    difference: null,
    createdAt: draft.atMs,
  };
  return draft.create(statement, isEarlier ? 'bank.statement_imported' : undefined);
}

/**
 * Entries of the same day, amount, sign and reference that were booked before this chunk, by their identity: looked through once for all
 * its lines, of which all may be equal.
 */
class Equals {
  readonly #reported: ReadonlySet<string>;
  readonly #booked = new Map<string, BankEntry[]>();
  readonly #known = new Map<string, readonly boolean[]>();
  readonly #ordinals = new Map<string, number>();

  /** `reported`: by this statement or one beside it. Other entries are about other days. */
  constructor(draft: Draft, { bankAccount }: ImportBankEntries, reported: ReadonlySet<string>) {
    this.#reported = reported;
    for (const entry of draft.all('bank_entry')) {
      if (entry.bankAccount !== bankAccount || entry.kind !== 'entry') continue;
      const same = this.#booked.get(entry.identity);
      if (same) same.push(entry);
      else this.#booked.set(entry.identity, [entry]);
    }
  }

  isKnown({ identity, lookalikes, occurrence }: BankLine): boolean {
    let known = this.#known.get(identity);
    if (known === undefined) {
      const booked =
        this.#booked.get(identity)?.filter((each) => each.status !== 'voided' && this.#reported.has(each.statement)) ??
        [];
      known = knownOf(
        lookalikes,
        booked.map(({ explanation }) => markOf(explanation)),
      );
      this.#known.set(identity, known);
    }
    return known[occurrence - 1] === true;
  }

  /** The ordinal of a line that is booked. */
  next({ identity }: BankLine): number {
    const ordinal = this.#ordinals.get(identity) ?? this.#booked.get(identity)?.length ?? 0;
    this.#ordinals.set(identity, ordinal + 1);
    return ordinal;
  }
}

/** By the balances alone. The ledger is asked last: {@link proven}. */
function proofOf(head: StatementHead, neighbours: Neighbours): Pick<BankStatement, 'proof' | 'difference'> {
  const { opening, closing, sum } = head;
  if (opening === null || closing === null) return { proof: 'none', difference: null };
  if (opening + sum !== closing) return { proof: 'failed', difference: closing - opening - sum };
  if (followsOn(neighbours, head)) return { proof: 'ok', difference: null };
  const last = neighbours.before.toSorted(byDay).at(-1)?.closing ?? null;
  return { proof: 'gap', difference: last === null ? null : opening - last };
}

const byDay = (one: BankStatement, other: BankStatement): number =>
  (one.closedOn ?? '').localeCompare(other.closedOn ?? '') || (one.page ?? 0) - (other.page ?? 0);

function finish(draft: Draft, account: BankAccount, done: BankStatement, all: readonly BankStatement[]): BankStatement {
  const imported: BankStatement = { ...done, status: 'imported' };
  const after = proven(imported, all, account.balance);
  const statement = draft.update(after.get(done.identity) ?? imported, 'bank.statement_imported');
  const others = [...after.values()].filter(({ identity }) => identity !== done.identity);
  for (const each of [statement, ...others.map((other) => draft.update(other))]) {
    if (each.proof === 'failed' || each.proof === 'gap') draft.emit('bank.proof_failed', each);
    if (each.proof === 'drift') noteDrift(draft, account, each);
    if (each.proof === 'ok' && all.some(({ id, proof }) => id === each.id && proof === 'drift'))
      endDrift(draft, account);
  }
  return statement;
}

/** The ledger agrees: what differs later is another drift. */
function endDrift(draft: Draft, { id }: BankAccount): void {
  const account = draft.find('bank_account', id);
  if (account && account.driftDifference !== null) draft.update({ ...account, driftDifference: null });
}

/**
 * The statements whose proof has changed, by identity. Those right behind this one follow it, or do so no more. Once no statement is
 * missing, the ledger is compared with the last one; before, the ledger cannot agree, and that is no drift. `others`: as they were.
 */
function proven(
  done: BankStatement,
  others: readonly BankStatement[],
  balance: bigint,
): ReadonlyMap<string, BankStatement> {
  const all = [...others.filter(({ identity }) => identity !== done.identity), done];
  const { after: later, beside } = neighboursOf(done, all);
  const behind = [...later, ...beside];
  const known = all.filter(({ closing, status }) => closing !== null && status === 'imported');
  const linked = known.map((each) => (behind.includes(each) ? linkedTo(each, all) : each)).toSorted(byDay);
  const isWhole = linked.every(({ proof }) => proof !== 'gap');
  const newest = linked.filter((each) => byDay(each, linked.at(-1) as BankStatement) === 0);
  // Of two of one day, the second begins where the first ended.
  const ends = newest.filter((each) => !newest.some((other) => other !== each && other.opening === each.closing));
  const last = ends.length > 0 ? ends : newest;
  const agrees = last.some(({ closing }) => closing === balance);
  const changed = new Map<string, BankStatement>();
  for (const each of linked) {
    const { proof, closing } = each;
    const difference = (closing ?? 0n) - balance;
    let after = each;
    if (isWhole && agrees && proof === 'drift') after = { ...each, proof: 'ok', difference: null };
    if (isWhole && !agrees && each === last.at(-1) && proof !== 'failed')
      after = { ...each, proof: 'drift', difference };
    const before = known.find(({ identity }) => identity === each.identity);
    if (after.proof !== before?.proof || after.difference !== before.difference) changed.set(each.identity, after);
  }
  return changed;
}

function linkedTo(each: BankStatement, all: readonly BankStatement[]): BankStatement {
  if (each.proof === 'failed' || each.proof === 'none') return each;
  const follows = followsOn(neighboursOf(each, all), each);
  if (follows === (each.proof !== 'gap')) return each;
  return { ...each, proof: follows ? 'ok' : 'gap', difference: null };
}

/** Stops the exports of the bank account if it asks for that, once for a difference. The statement that stopped them first stays named. */
function noteDrift(draft: Draft, { id }: BankAccount, statement: BankStatement): void {
  draft.emit('bank.drift_detected', statement);
  const account = draft.find('bank_account', id);
  const { difference: driftDifference } = statement;
  if (account?.onDrift !== 'stop_exports' || account.driftDifference === driftDifference) return;
  if (account.stoppedBy !== null) {
    draft.update({ ...account, driftDifference });
    return;
  }
  draft.audit('bank_account.exports_stopped', id, {
    statement: statement.id,
    difference: String(driftDifference),
  });
  const after = { ...account, stoppedBy: statement.id, driftDifference };
  draft.update(after, 'bank_account.exports_stopped', { exports_stopped_by: null });
}

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
  const account = draft.find('bank_account', draft.find('bank_file', file)?.bankAccount ?? '');
  return account?.paidBy === 'status' ? 'settled' : 'accepted';
}

/** Refuses `resource_missing`. Answers the document. */
export function noteBankAnswers(draft: Draft, { document: id, answers }: NoteBankAnswers): Decision {
  const document = draft.find('bank_document', id);
  if (!document) return missing('bank document', id);
  const notes: string[] = [];
  for (const answer of answers) {
    const meaning = { kind: kindOf(draft, answer), failureCode: failureOfReason(answer.reason) } as const;
    const wrong = answered(draft, answer, meaning, entriesOf(draft));
    if (wrong !== null) notes.push(typeof wrong === 'string' ? wrong : wrong.message);
  }
  if (notes.length === 0) return document;
  return draft.update({ ...document, notes: [...document.notes, ...notes].slice(0, MOST_NOTES) });
}

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
  const document = beginBankDocument(draft, { type: 'begin_bank_document', sha256, sizeBytes: 0n });
  if (isRefusal(document)) return document;
  // A notification has no balances.
  const opening = said.message === 'camt.054' ? null : account.balance;
  const closing = opening === null ? null : opening + line.amount;
  const statement = { ...said, opening, closing, sum: line.amount, entriesCount: 1 };
  const chunk = { document: document.id, bankAccount, statement, lines: [line], isLast: true };
  const imported = importBankEntries(draft, { type: 'import_bank_entries', ...chunk });
  if (isRefusal(imported)) return imported;
  const counted = { statementsCount: 1, skippedCount: 0, notes: [] };
  const finished = finishBankDocument(draft, { type: 'finish_bank_document', document: document.id, ...counted });
  if (isRefusal(finished)) return finished;
  const entry = draft.all('bank_entry').find(({ identity }) => identity === line.identity);
  return entry ?? missing('bank entry', line.identity);
}
