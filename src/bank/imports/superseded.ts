/**
 * Whether a statement that waits is no longer needed, because a later one was imported that says the same: issued again with all of its entries,
 * or the same one read with other signs. Some banks give all their statements one id, so that alone says nothing. Pure.
 * Who asks: `waiting-statements.ts`.
 */
import { type Ground, type Likeness, pairsOf, sumOf } from '../../core/deduplication/pairs.ts';
import type { Beside, Booked } from '../../core/deduplication/outline.ts';
import type { BankStatement } from '../statements/fields.ts';

/** Imported, and of the same series, page, first day and opening balance. */
export interface Later extends Pick<Beside, 'id' | 'opening' | 'closing' | 'startsOn' | 'closedOn' | 'entriesCount'> {
  /** Of its entries those that it reported first. */
  readonly newCount: number;
}

interface Waiting {
  readonly statement: Pick<BankStatement, 'id' | 'opening' | 'closing' | 'closedOn' | 'entriesCount'>;
  /** What of it waits. */
  readonly entries: readonly Likeness[];
}

/** `known`: entries of the ledger with the amounts of these, of either sign. */
export function isSuperseded({ statement, entries }: Waiting, later: Later, known: readonly Booked[]): boolean {
  const others = known.filter((each) => each.statement !== statement.id);
  const sum = sumOf(entries);
  const isRight = (statement.opening ?? 0n) + sum === (statement.closing ?? 0n);
  const isWhole = later.entriesCount === statement.entriesCount && entries.length === statement.entriesCount;
  const isSame = isWhole && later.closing === statement.closing && later.closedOn === statement.closedOn;
  if (
    !isRight &&
    isSame &&
    reports(later, others.map(withoutSign), { entries: entries.map(withoutSign), grounds: ALL })
  )
    return true;
  // Where one ends as it began, the next one begins alike: only references tell that it is not the next one.
  const mayFollow = statement.closing === later.opening && statement.closedOn === later.startsOn;
  return reports(later, others, { entries, grounds: mayFollow ? ['reference'] : ALL });
}

const ALL: readonly Ground[] = ['reference', 'details', 'day'];

const withoutSign = <T extends Likeness>(each: T): T => ({
  ...each,
  amount: each.amount < 0n ? -each.amount : each.amount,
});

interface Wanted {
  readonly entries: readonly Likeness[];
  readonly grounds: readonly Ground[];
}

/** Whether it reports all of these: as its own, or among those that it repeats, which are entries of others. */
function reports(
  { id, entriesCount, newCount }: Later,
  known: readonly Booked[],
  { entries, grounds }: Wanted,
): boolean {
  const own = pairsOf(
    entries,
    known.filter(({ statement }) => statement === id),
    grounds,
  );
  const left = entries.filter((_, at) => !own.has(at));
  if (left.length > entriesCount - newCount) return false;
  const repeated = known.filter(({ statement }) => statement !== id);
  return pairsOf(left, repeated, grounds).size === left.length;
}
