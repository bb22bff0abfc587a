/**
 * Plans for statements: what the ledger knows is read, and compared with what the statement reports (`core/deduplication/plan.ts`). Next:
 * `chunks.ts`; what waits: `waiting-statements.ts`.
 */
import type { Stored } from '../../core/objects.ts';
import { type BooksState, isAlone, type LedgerBooks } from './books.ts';
import type { Likenesses } from '../../core/deduplication/likeness.ts';
import { planOf } from '../../core/deduplication/plan.ts';
import { hasBalances, planOfNew, type Plan } from '../../core/deduplication/outline.ts';
import { Positions } from '../../core/deduplication/positions.ts';
import type { StatementHead, StatementPlan, WaitingRow } from '../statements/slice.ts';
import type { BankStatement } from '../statements/fields.ts';

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
  const common = { account, document, head, again };
  if (known !== null) {
    const heldBefore = await heldBeforeOf(read, await parts.books.stateOf(account.id), parts);
    const isBegun = known.status === 'importing';
    const [added, waiting] = isBegun ? begunPlan(known) : [Positions.NONE, Positions.NONE];
    return { ...common, heldBefore, plan: null, added, waiting, notes: [] };
  }
  const { state, plan, heldBefore } = await lookedUp(read, parts);
  const { added, waiting, gone, supersedes } = plan;
  const readings = plan.readings.map((each) => ({ entries: each.text, count: each.count }));
  const stored = { added: added.text, waitingCount: waiting.count, readings, missingEntries: gone, supersedes };
  return {
    ...common,
    heldBefore,
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

/** What the ledger holds from before the first statement of a bank account, minor units; 0 for later ones. */
export async function heldBeforeOf(
  { account, head }: Pick<Read, 'account' | 'head'>,
  { booksFrom }: BooksState,
  { books }: PlanningParts,
): Promise<bigint> {
  return booksFrom === null && hasBalances(head) ? books.heldBefore(account.id, head.startsOn as string) : 0n;
}

/** What the ledger knows of a statement, and the plan that follows, for one that is new. */
export async function lookedUp({ account, head, reported, document }: Read, parts: PlanningParts) {
  const { books } = parts;
  const { id } = account;
  // First of all: whatever changes later is another version.
  const state = await books.stateOf(id);
  const heldBefore = await heldBeforeOf({ account, head }, state, parts);
  const alone = planOfNew(head, head.entriesCount, head.sum);
  const { booksFrom } = state;
  const statements = await books.statementsBeside(id, head);
  if (!hasBalances(head)) {
    const all = reported.all;
    const entries = await books.entriesAlike(id, all);
    const plan = planOf({ ...head, document, entries: all }, { booksFrom, statements, entries, behind: [] });
    return { state, heldBefore, plan };
  }
  const entries = await books.entriesBeside(id, head, statements);
  if (isAlone(head, state, statements, entries)) return { state, heldBefore, plan: alone };
  const behind = await books.entriesBehind(id, head, statements);
  const plan = planOf({ ...head, document, entries: reported.all }, { booksFrom, statements, entries, behind });
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
