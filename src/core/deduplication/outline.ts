/** What is known of a statement, of those beside it and of their entries when it is planned, and what its plan says. Pure. Next: `plan.ts`. */
import type { Likeness } from './pairs.ts';
import { Positions } from './positions.ts';
import { withEntries } from './spans.ts';
import type { KnownEntry } from './verdict.ts';

/** What tells how a statement lies beside others. */
export interface Outline {
  readonly identity: string;
  readonly series: string;
  readonly page: number | null;
  readonly startsOn: string | null;
  readonly openedOn: string | null;
  /** Minor units. */
  readonly opening: bigint | null;
  readonly closedOn: string | null;
  readonly closing: bigint | null;
  /** The days of its entries, where they are outside of its own. */
  readonly entriesFrom: string | null;
  readonly entriesUntil: string | null;
  /** What the bank says of its place among others (`following.ts`). */
  readonly message: string;
  readonly sequence: string | null;
  readonly periodFrom: number | null;
  readonly periodUntil: number | null;
}

/** One that was handed in before. */
export interface Beside extends Outline {
  readonly id: string;
  readonly document: string;
  readonly status: string;
  readonly entriesCount: number;
  /** The statement that this one takes the place of. */
  readonly supersedes: string | null;
}

/** An entry of the ledger, with the statement, the document and the message in it that reported it first. */
export interface Booked extends KnownEntry {
  readonly id: string;
  readonly document: string;
  readonly messageInFile: number;
  /** Of the statement that reported it. */
  readonly series: string;
  readonly page: number | null;
}

export interface Books {
  /** The first day of the ledger; `null`: no statement with balances was imported yet. */
  readonly booksFrom: string | null;
  /** Statements of the bank account that share a day with the one that was read, or do not say their days. */
  readonly statements: readonly Beside[];
  /** Entries that it may tell again. */
  readonly entries: readonly Booked[];
  /** Entries that one of `statements` may have told again, booked by statements of other days (`verdict.ts`). */
  readonly behind: readonly Likeness[];
}

export interface Plan {
  /** Entries that are new. */
  readonly added: Positions;
  /** Entries that wait for a person. */
  readonly waiting: Positions;
  /** Which of these may be new: the ways to read the statement. */
  readonly readings: readonly Positions[];
  /** Entries of the ledger that the statement in whose place it is reissued reported, and it does not: their ids. */
  readonly gone: readonly string[];
  readonly supersedes: string | null;
  /** Entries that are left out, because they are in the opening balance of the ledger. */
  readonly olderCount: number;
}

export interface Reported extends Outline {
  /** The document that it came with, and which message of it, from 1. */
  readonly document: string;
  readonly messageInFile: number;
  readonly entries: readonly Likeness[];
}

/** Of an outline that has them. */
export type Balanced = { readonly [K in 'startsOn' | 'closedOn']: string } & {
  readonly [K in 'opening' | 'closing']: bigint;
};

/** More entries than this are not compared, since nobody is answered meanwhile: 60,000 take about a second. */
export const MOST_COMPARED = 60_000;

export const hasBalances = ({ opening, closing, startsOn, closedOn }: Outline): boolean =>
  [opening, closing, startsOn, closedOn].every((each) => each !== null);

export const isDone = ({ status }: Beside): boolean => status === 'imported';
export const isProof = (each: Beside): boolean => isDone(each) && hasBalances(each);
type Days = Pick<Outline, 'startsOn' | 'closedOn'>;
/** Days that both are about. One that does not say its days may be about any. */
export const shareDays = (one: Days, other: Days): boolean =>
  !((one.closedOn ?? '9') < (other.startsOn ?? '') || (other.closedOn ?? '9') < (one.startsOn ?? ''));
type PageOf = Pick<Outline, 'series' | 'page'>;
/** Of the same statement. The whole of it is no page: sent again without pages, it repeats them. */
export const isOtherPage = (one: PageOf, other: PageOf): boolean =>
  one.series === other.series && one.page !== null && other.page !== null && one.page !== other.page;

/** Statements that say which entries of this one are known; other pages of it say nothing. */
export const besideOf = (reported: Outline, statements: readonly Beside[]): readonly Beside[] =>
  statements.filter(
    (each) =>
      shareDays(withEntries(each), withEntries(reported)) &&
      !isOtherPage(each, reported) &&
      each.identity !== reported.identity,
  );

/** Nothing of it can be known: all of it is new if it adds up. */
export function planOfNew(reported: Outline, count: number, sum: bigint): Plan {
  const all = Positions.upTo(count);
  const isRight = !hasBalances(reported) || (reported.opening as bigint) + sum === reported.closing;
  return isRight ? { ...NOTHING, added: all } : { ...NOTHING, waiting: all, readings: [all] };
}

export const NOTHING: Plan = {
  added: Positions.NONE,
  waiting: Positions.NONE,
  readings: [],
  gone: [],
  supersedes: null,
  olderCount: 0,
};

/** Of indexes from 0. */
export const placesOf = (added: readonly number[]): Positions => Positions.of(added.map((at) => at + 1));
