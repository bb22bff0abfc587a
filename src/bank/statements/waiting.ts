/**
 * Entries that wait until it is known whether they are new: kept, and forgotten once they are booked or known. Pure. Who decides:
 * `core/deduplication/plan.ts`, or a person (`review-decide.ts`).
 */
import type { Draft } from '../../core/draft.ts';
import type { Stored } from '../../core/objects.ts';
import type { BankLine } from './booking.ts';
import type { BankStatement, BankWaitingLines } from './fields.ts';
import { noteDrift } from './proof.ts';

type WaitingLines = BankWaitingLines;

/** A row of them, opened. */
export interface WaitingRow {
  readonly id: string;
  readonly lines: readonly BankLine[];
}

/** Keeps `waiting`, and forgets the row `waited`. */
export function keepWaiting(
  draft: Draft,
  { id: statement }: BankStatement,
  { waiting, waited }: { readonly waiting: readonly BankLine[]; readonly waited: string | null },
): void {
  const row = waited === null ? undefined : draft.find('bank_waiting_lines', waited);
  if (row) draft.update<WaitingLines>({ ...row, isWaiting: false, content: textOf([]) });
  if (waiting.length === 0) return;
  const object = 'bank_waiting_lines';
  const id = draft.newId('bwl');
  draft.create<WaitingLines>({
    object,
    id,
    statement,
    isWaiting: true,
    content: textOf(waiting),
    createdAt: draft.atMs,
  });
}

/**
 * All that waits is kept. One that is issued again without entries of the ledger drifts at once, and one that does not add up says so. `sum`:
 * of its entries. Answers the statement.
 */
export function wait(
  draft: Draft,
  account: Stored['bank_account'],
  statement: BankStatement,
  sum: bigint,
): BankStatement {
  const { opening, closing, missingEntries, supersedes } = statement;
  const left = opening === null || closing === null ? 0n : closing - opening - sum;
  const before = draft.find('bank_statement', supersedes ?? '')?.closing ?? 0n;
  const isDrifting = left === 0n && missingEntries.length > 0;
  const waiting: BankStatement = {
    ...statement,
    status: 'needs_review',
    ...(left !== 0n && { proof: 'failed', difference: left }),
    ...(isDrifting && { proof: 'drift', difference: (closing ?? 0n) - before }),
  };
  const after = draft.update(waiting, 'bank_statement.needs_review');
  if (left !== 0n) draft.emit('bank_statement.proof_failed', after);
  if (isDrifting) noteDrift(draft, account, after);
  return after;
}

const textOf = (lines: readonly BankLine[]): string =>
  JSON.stringify(lines, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

type Texts<T> = Omit<T, 'amount'> & { readonly amount: string };
type LineText = Texts<Omit<BankLine, 'payouts'>> & { readonly payouts: readonly Texts<BankLine['payouts'][number]>[] };

/** The lines of a row, opened. */
export function linesOf({ content }: Pick<WaitingLines, 'content'>): readonly BankLine[] {
  const minor = <T extends { readonly amount: string }>(each: T) => ({ ...each, amount: BigInt(each.amount) });
  return (JSON.parse(content) as LineText[]).map((each) => ({ ...minor(each), payouts: each.payouts.map(minor) }));
}
