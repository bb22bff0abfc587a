/**
 * Statements that wait: decided again whenever something was imported, and booked from the lines that were kept, once they are certain or a
 * person has said what is new (`bank/statements/review-decide.ts`).
 */
import type { Stored } from '../../core/objects.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import type { Beside } from '../../core/deduplication/outline.ts';
import { Positions } from '../../core/deduplication/positions.ts';
import type { BankStatement } from '../statements/fields.ts';
import type { BankLine, StatementHead, WaitingRow } from '../statements/slice.ts';
import { type ChunkParts, Chunks } from './chunks.ts';
import { heldBeforeOf, lookedUp, type PlanningParts } from './planning.ts';
import { accepted } from './sending.ts';
import { isSuperseded } from './superseded.ts';

type BankAccount = Stored['bank_account'];

/** Statements that wait are decided, and booked, as long as one makes another certain. Answers whether one was. */
export async function decideAgain(account: BankAccount, parts: PlanningParts & ChunkParts): Promise<boolean> {
  let isAny = false;
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const statement of await parts.waitingStatements(account.id)) {
      const rows = await parts.waitingLines(statement.id);
      const decided =
        (await superseded(statement, rows, parts)) ??
        (statement.status === 'importing' ? statement : await decidedNow(account, statement, rows, parts));
      if (decided === null) continue;
      await bookWaiting(account, decided, rows, parts);
      isDone = false;
      isAny = true;
    }
  }
  return isAny;
}

/** The statement, if it was read otherwise since, because a setting of the bank account had been wrong, or was issued again. */
async function superseded(
  statement: BankStatement,
  rows: readonly WaitingRow[],
  parts: PlanningParts & ChunkParts,
): Promise<BankStatement | null> {
  const { id, bankAccount, status, series, page, startsOn, opening } = statement;
  if (status !== 'needs_review') return null;
  const beside = await parts.books.statementsBeside(bankAccount, statement);
  const isLater = (each: Beside): boolean =>
    each.id > id && // ids sort by age
    each.status === 'imported' &&
    each.series === series &&
    each.page === page &&
    each.startsOn === startsOn &&
    each.opening === opening;
  const later = beside.filter(isLater);
  if (later.length === 0) return null;
  const entries = rows.flatMap((row) => row.lines.map(likenessOf));
  const ofOtherSign = entries.map((each) => ({ ...each, amount: -each.amount }));
  const known = await parts.books.entriesAlike(bankAccount, [...entries, ...ofOtherSign]);
  for (const each of later) {
    const { newCount } = (await parts.knownStatement(bankAccount, each.identity)) ?? { newCount: each.entriesCount };
    if (!isSuperseded({ statement, entries }, { ...each, newCount }, known)) continue;
    await accepted(parts, { type: 'supersede_bank_statement', statement: id });
    return { ...statement, added: '', status: 'superseded' };
  }
  return null;
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
  const { state, plan } = await lookedUp({ account, head, reported, document: statement.document }, parts);
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
  const heldBefore = await heldBeforeOf({ account, head }, await parts.books.stateOf(account.id), parts);
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
