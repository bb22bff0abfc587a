/**
 * Plans for statements: what the ledger knows is read, and compared with what the statement tells (`deduplication/plan.ts`). And what waits is
 * decided again whenever something was imported. Next: `chunks.ts`.
 */
import type { Stored } from '../../core/objects.ts';
import { type BooksState, isAlone, type LedgerBooks } from '../deduplication/books.ts';
import { type Likenesses, likenessOf } from '../deduplication/likeness.ts';
import { hasBalances, planOf, planOfNew, type Plan } from '../deduplication/plan.ts';
import { Positions } from '../deduplication/positions.ts';
import type { BankLine } from './booking.ts';
import { type ChunkParts, Chunks } from './chunks.ts';
import type { StatementHead, StatementPlan } from './decide.ts';
import type { BankStatement } from './fields.ts';
import { accepted } from './sending.ts';

type BankAccount = Stored['bank_account'];

export interface PlanningParts {
  readonly books: LedgerBooks;
  /** The statement, if it was handed in before. */
  knownStatement(this: void, bankAccount: string, identity: string): Promise<BankStatement | null>;
  /** Those that wait, and those that were decided and are not booked to their end; the oldest. */
  waitingStatements(this: void, bankAccount: string): Promise<readonly BankStatement[]>;
  /** What of a statement waits: rows, in order. */
  waitingLines(this: void, statement: string): Promise<readonly WaitingRow[]>;
}

export interface WaitingRow {
  readonly id: string;
  readonly lines: readonly BankLine[];
}

/** How a statement is imported. */
export interface Planning {
  readonly account: BankAccount;
  readonly document: string;
  readonly head: StatementHead;
  /** `null`: it was begun before. */
  readonly plan: StatementPlan | null;
  readonly added: Positions;
  readonly waiting: Positions;
  /** Minor units. */
  readonly heldBefore: bigint;
  /** For the document, a sentence each. */
  readonly notes: readonly string[];
  /** The books have changed: the plan that they ask for now. */
  again(): Promise<Planning>;
}

interface Read {
  readonly account: BankAccount;
  readonly head: StatementHead;
  readonly reported: Pick<Likenesses, 'all'>;
  readonly document: string;
}

export async function planningOf(read: Read, parts: PlanningParts): Promise<Planning> {
  const { account, head, document } = read;
  const known = await parts.knownStatement(account.id, head.identity);
  const again = (): Promise<Planning> => planningOf(read, parts);
  const { state, plan, heldBefore } = await lookedUp(read, parts, known === null);
  const common = { account, document, head, heldBefore, again };
  if (known !== null) {
    const isBegun = known.status === 'importing';
    const [added, waiting] = isBegun ? begunPlan(known) : [Positions.NONE, Positions.NONE];
    return { ...common, plan: null, added, waiting, notes: [] };
  }
  const { added, waiting, gone, supersedes } = plan;
  const readings = plan.readings.map((each) => ({ entries: each.text, count: each.count }));
  const stored = { added: added.text, waitingCount: waiting.count, readings, missingEntries: gone, supersedes };
  return {
    ...common,
    plan: { ...stored, booksVersion: state.version },
    added,
    waiting,
    notes: notesOf(head, state, plan),
  };
}

/** What was planned when the statement was begun. */
function begunPlan({ added, waitingCount, readings, entriesCount }: BankStatement): readonly [Positions, Positions] {
  const planned = Positions.read(added) ?? Positions.NONE;
  if (waitingCount === 0) return [planned, Positions.NONE];
  const doubtful =
    waitingCount === entriesCount ? Positions.upTo(entriesCount) : Positions.read(readings[0]?.entries ?? '');
  return [planned, doubtful ?? Positions.NONE];
}

async function lookedUp({ account, head, reported, document }: Read, { books }: PlanningParts, isNew: boolean) {
  const { id } = account;
  // First of all: whatever changes later is another version.
  const state = await books.stateOf(id);
  const isOpening = state.booksFrom === null && hasBalances(head);
  const heldBefore = isOpening ? await books.heldBefore(id, head.startsOn as string) : 0n;
  const alone = planOfNew(head, head.entriesCount, head.sum);
  if (!isNew) return { state, heldBefore, plan: alone };
  const { booksFrom } = state;
  const statements = await books.statementsBeside(id, head);
  if (!hasBalances(head)) {
    const all = reported.all;
    const entries = await books.entriesAlike(id, all);
    return { state, heldBefore, plan: planOf({ ...head, document, entries: all }, { booksFrom, statements, entries }) };
  }
  const entries = await books.entriesBeside(id, head, statements);
  if (isAlone(head, state, statements, entries)) return { state, heldBefore, plan: alone };
  const plan = planOf({ ...head, document, entries: reported.all }, { booksFrom, statements, entries });
  return { state, heldBefore, plan };
}

function notesOf(
  { reference, closedOn, opening, entriesCount }: StatementHead,
  { booksFrom }: BooksState,
  plan: Plan,
): string[] {
  const name = `Statement ${reference ?? `of ${closedOn ?? 'an unknown day'}`}`;
  if (booksFrom !== null && closedOn !== null && closedOn < booksFrom && opening !== null) {
    return [
      `${name} ends before ${booksFrom}, where the ledger begins: it is in the opening balance, and books nothing. Begin with the oldest statement.`,
    ];
  }
  const notes: string[] = [];
  if (plan.olderCount > 0) {
    notes.push(
      `${plan.olderCount} entries of ${name} are of before ${booksFrom}, where the ledger begins: they are in the opening balance.`,
    );
  }
  if (plan.waiting.count > 0) {
    notes.push(
      `${name} needs a review: it is not certain which of its ${entriesCount} entries are new, so ${plan.waiting.count} wait.`,
    );
  }
  if (plan.gone.length > 0) {
    notes.push(`${name} was issued again without ${plan.gone.length} entries that it reported before.`);
  }
  return notes;
}

/** Statements that wait are decided, and booked, as long as one makes another certain. */
export async function decideAgain(account: BankAccount, parts: PlanningParts & ChunkParts): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const statement of await parts.waitingStatements(account.id)) {
      const rows = await parts.waitingLines(statement.id);
      const decided = statement.status === 'importing' ? statement : await decidedNow(account, statement, rows, parts);
      if (decided === null) continue;
      await bookWaiting(account, decided, rows, parts);
      isDone = false;
    }
  }
}

/** The statement, if its entries are certain now. */
async function decidedNow(
  account: BankAccount,
  statement: BankStatement,
  rows: readonly WaitingRow[],
  parts: PlanningParts & ChunkParts,
): Promise<BankStatement | null> {
  const lines = rows.flatMap((row) => row.lines);
  const head = headOf(statement, lines);
  const reported = { all: lines.map(likenessOf) };
  const { state, plan } = await lookedUp({ account, head, reported, document: statement.document }, parts, true);
  if (plan.waiting.count > 0) return null;
  const added = Positions.of(lines.flatMap(({ position }, at) => (plan.added.has(at + 1) ? [position] : []))).text;
  const { gone: missingEntries, supersedes } = plan;
  const certain = { missingEntries, supersedes, booksVersion: state.version };
  const review = { statement: statement.id, bankAccount: account.id, added, certain, reason: null };
  const answer = JSON.parse(await accepted(parts, { type: 'review_bank_statement', ...review })) as {
    readonly object: string;
  };
  // Something else was imported meanwhile: that import decides it again.
  return answer.object === 'bank_statement' ? { ...statement, added, taken: 0, status: 'importing' } : null;
}

/** Of a statement whose lines all wait the sum is that of the lines; of others it proves nothing. */
const headOf = (statement: BankStatement, lines: readonly BankLine[]): StatementHead => ({
  ...statement,
  entriesCount: lines.length,
  sum: lines.reduce((sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount), 0n),
});

/** Books the lines of a statement that was decided. */
export async function bookWaiting(
  account: BankAccount,
  statement: BankStatement,
  rows: readonly WaitingRow[],
  parts: PlanningParts & ChunkParts,
): Promise<void> {
  const { opening, closing, difference, proof } = statement;
  const whole = (closing ?? 0n) - (opening ?? 0n);
  const head = { ...statement, sum: proof === 'failed' ? whole - (difference ?? 0n) : whole };
  const { heldBefore } = await lookedUp(
    { account, head, reported: { all: [] }, document: statement.document },
    parts,
    false,
  );
  const added = Positions.read(statement.added) ?? Positions.NONE;
  const planning = {
    account,
    document: statement.document,
    head,
    heldBefore,
    plan: null,
    added,
    waiting: Positions.NONE,
    notes: [],
  };
  const chunks = new Chunks({ ...planning, again: () => Promise.reject(new Error('it was begun before')) }, parts);
  for (const [at, { id, lines }] of rows.entries()) {
    for (const line of lines) await chunks.addLine(line);
    await chunks.send({ isLast: at === rows.length - 1, waited: id });
  }
}
