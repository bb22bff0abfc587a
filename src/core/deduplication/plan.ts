/**
 * What a statement adds to the ledger: the plan of its import. Statements with balances are decided by these (`verdict.ts`). Of messages
 * without balances an entry like one of another document waits for a person, unless a reference of the bank tells which it is. Pure. Live
 * rails, section 17; decision 0079.
 */
import { BookStart } from './book-start.ts';
import { type Likeness, pairsOf } from './pairs.ts';
import { Positions } from './positions.ts';
import type { BookedSpan } from './spans.ts';
import { spelledAs } from './spellings.ts';
import { type KnownEntry, type Reading, type Verdict, verdictOn } from './verdict.ts';

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

/** An entry of the ledger, with the statement and the document that reported it first. */
export interface Booked extends KnownEntry {
  readonly id: string;
  readonly document: string;
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

interface Reported extends Outline {
  /** The document that it came with. */
  readonly document: string;
  readonly entries: readonly Likeness[];
}

/** Of an outline that has them. */
type Balanced = { readonly [K in 'startsOn' | 'closedOn']: string } & { readonly [K in 'opening' | 'closing']: bigint };

/** More entries than this are not compared, since nobody is answered meanwhile: 60,000 take about a second. */
export const MOST_COMPARED = 60_000;
/** A person is shown some ways at most. */
const MOST_READINGS = 5;

export const hasBalances = ({ opening, closing, startsOn, closedOn }: Outline): boolean =>
  [opening, closing, startsOn, closedOn].every((each) => each !== null);

const isDone = ({ status }: Beside): boolean => status === 'imported';
const isProof = (each: Beside): boolean => isDone(each) && hasBalances(each);
/** Days that both are about. One that does not say its days may be about any. */
const shareDays = (one: Outline, other: Outline): boolean =>
  !((one.closedOn ?? '9') < (other.startsOn ?? '') || (other.closedOn ?? '9') < (one.startsOn ?? ''));
type PageOf = Pick<Outline, 'series' | 'page'>;
/** Of the same statement. The whole of it is no page: sent again without pages, it repeats them. */
export const isOtherPage = (one: PageOf, other: PageOf): boolean =>
  one.series === other.series && one.page !== null && other.page !== null && one.page !== other.page;

/** Statements that say which entries of this one are known; other pages of it say nothing. */
export const besideOf = (reported: Outline, statements: readonly Beside[]): readonly Beside[] =>
  statements.filter(
    (each) => shareDays(each, reported) && !isOtherPage(each, reported) && each.identity !== reported.identity,
  );

/** Nothing of it can be known: all of it is new if it adds up. */
export function planOfNew(reported: Outline, count: number, sum: bigint): Plan {
  const all = Positions.upTo(count);
  const isRight = !hasBalances(reported) || (reported.opening as bigint) + sum === reported.closing;
  return isRight ? { ...NOTHING, added: all } : { ...NOTHING, waiting: all, readings: [all] };
}

const NOTHING: Plan = {
  added: Positions.NONE,
  waiting: Positions.NONE,
  readings: [],
  gone: [],
  supersedes: null,
  olderCount: 0,
};

export function planOf(reported: Reported, books: Books): Plan {
  const { entries } = reported;
  const all = Positions.upTo(entries.length);
  const beside = besideOf(reported, books.statements);
  // What another one adds is known once it is imported.
  if (beside.some(({ status }) => status === 'importing')) return { ...NOTHING, waiting: all };
  if (!hasBalances(reported)) return planByLikeness(reported, books.entries);
  if (entries.length + books.entries.length > MOST_COMPARED) return { ...NOTHING, waiting: all };
  return planBeside({ ...reported, entries: spelledAs(entries, books.entries) }, books, beside);
}

/** Of a statement with balances. */
function planBeside(reported: Reported, books: Books, beside: readonly Beside[]): Plan {
  const { entries } = reported;
  const all = Positions.upTo(entries.length);
  const former = formerOf(reported, beside);
  const again = former && reissued(reported, books, former, beside);
  if (again) return again;
  const supersedes = former?.id ?? null;
  const start = books.booksFrom === null ? null : new BookStart(books.booksFrom, beside.filter(isProof));
  const whole = reported as Reported & Balanced;
  const since = start === null ? { reported: whole, places: [...entries.keys()] } : start.since(whole);
  if (since === null) return { ...NOTHING, waiting: all, readings: [all], supersedes };
  const { places } = since;
  const olderCount = entries.length - places.length;
  if (olderCount > 0 && places.length === 0) return { ...NOTHING, olderCount, supersedes };
  const ofBooks = { start, entries: books.entries };
  const verdict = verdictBeside(since.reported, ofBooks, beside);
  const found =
    verdict.isCertain || !former
      ? verdict
      : verdictBeside(since.reported, ofBooks, withoutVoided(beside, former, books));
  const positionsOf = ({ added }: Reading): Positions => placesOf(added.map((at) => places[at] as number));
  if (found.isCertain) return { ...NOTHING, added: positionsOf(found.reading), supersedes, olderCount };
  return { ...NOTHING, waiting: all, readings: found.readings.slice(0, MOST_READINGS).map(positionsOf), supersedes };
}

/** By the balances of the statements beside it. */
function verdictBeside(
  reported: Reported & Balanced,
  { start, entries }: { readonly start: BookStart | null; readonly entries: readonly Booked[] },
  beside: readonly Beside[],
): Verdict {
  const spans = spansOf(beside);
  const known = entries.map((each) => ({ ...each, statement: spans.idOf(each.statement) }));
  const countOf = ({ id }: BookedSpan): number => known.filter(({ statement }) => statement === id).length;
  const all = start?.spansSince(spans.all, countOf) ?? spans.all;
  const { startsOn, closedOn, opening, closing } = reported;
  const span = { startsOn, closedOn, opening, closing };
  return verdictOn({ span, entries: reported.entries }, { spans: all, entries: known });
}

/** Of one that is issued again without entries of the ledger; `null`: it has all of them. */
function reissued(reported: Reported, books: Books, former: Beside, beside: readonly Beside[]): Plan | null {
  const { entries } = reported;
  const theirs = entriesOf(former, books, beside);
  const pairs = pairsOf(entries, theirs, ['reference', 'details', 'day']);
  const again = new Set(Array.from(pairs.values(), ({ known }) => known));
  const gone = theirs.flatMap(({ id }, at) => (again.has(at) ? [] : [id]));
  if (gone.length === 0) return null;
  const added = [...entries.keys()].filter((at) => !pairs.has(at));
  const isRight = sumOf(entries) + (reported.opening as bigint) === reported.closing;
  const found = { ...NOTHING, gone, supersedes: former.id };
  if (added.length === 0 && isRight) return found;
  return { ...found, waiting: Positions.upTo(entries.length), readings: [placesOf(added)] };
}

const entriesOf = (statement: Beside, { entries }: Books, beside: readonly Beside[]): readonly Booked[] =>
  entries.filter((each) => originOf(each.statement, beside) === statement.id);

/** Of the former one, entries were voided since: it ends where what is left of it leads. */
const withoutVoided = (beside: readonly Beside[], former: Beside, books: Books): readonly Beside[] =>
  beside.map((each) => {
    if (each !== former) return each;
    const left = entriesOf(former, books, beside);
    return { ...each, closing: (each.opening as bigint) + sumOf(left), entriesCount: left.length };
  });

const sumOf = (entries: readonly Likeness[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n);
const placesOf = (added: readonly number[]): Positions => Positions.of(added.map((at) => at + 1));

/** The statement in whose place this one is issued again: of the same series and page, and it begins alike. */
function formerOf(reported: Outline, beside: readonly Beside[]): Beside | null {
  const superseded = new Set(beside.map(({ supersedes }) => supersedes));
  const isFormer = (each: Beside): boolean =>
    isDone(each) &&
    !superseded.has(each.id) &&
    each.series === reported.series &&
    each.page === reported.page &&
    each.opening === reported.opening &&
    each.startsOn === reported.startsOn &&
    !(each.closing === reported.opening && each.closedOn === reported.startsOn) && // this one may follow on
    (each.closedOn ?? '') <= (reported.closedOn ?? '');
  return beside.find(isFormer) ?? null;
}

/** The last statement in the place of this one. */
function originOf(statement: string, beside: readonly Beside[]): string {
  const next = beside.find((each) => each.supersedes === statement && isDone(each));
  return next === undefined ? statement : originOf(next.id, beside);
}

/** Statements with balances, pages that follow on as one. */
function spansOf(beside: readonly Beside[]) {
  const superseded = new Set(beside.filter(isDone).map(({ supersedes }) => supersedes));
  const series = new Map<string, Beside[]>();
  for (const each of beside) {
    if (!isProof(each) || superseded.has(each.id)) continue;
    const key = each.page === null ? each.id : each.series;
    series.set(key, [...(series.get(key) ?? []), each]);
  }
  const ids = new Map<string, string>();
  const all = [...series.values()].flatMap((pages): BookedSpan[] => {
    const sorted = pages.toSorted((one, other) => (one.page ?? 0) - (other.page ?? 0));
    const isChain = sorted.every((each, at) => at === 0 || each.opening === sorted[at - 1]?.closing);
    const groups = isChain ? [sorted] : sorted.map((each) => [each]);
    return groups.map((group) => {
      const [first, last] = [group[0] as Beside, group.at(-1) as Beside];
      for (const { id } of group) ids.set(id, first.id);
      return {
        id: first.id,
        startsOn: first.startsOn as string,
        closedOn: last.closedOn as string,
        opening: first.opening as bigint,
        closing: last.closing as bigint,
        entriesCount: group.reduce((sum, { entriesCount }) => sum + entriesCount, 0),
      };
    });
  });
  return { all, idOf: (statement: string) => ids.get(originOf(statement, beside)) ?? statement };
}

/** Without balances: by what each entry says. Within a document equal entries are bookings of their own. */
function planByLikeness(reported: Reported, books: readonly Booked[]): Plan {
  const { document } = reported;
  const others = books.filter((each) => each.document !== document && !isOtherPage(each, reported));
  const entries = spelledAs(reported.entries, others);
  const taken = new Set<number>();
  const known = new Set<number>();
  /** The same reference on another day: banks begin their numbers anew, and days differ between booking and value. */
  const doubted = new Set<number>();
  for (const [at, pair] of pairsOf(entries, others, ['reference'])) {
    const { day } = entries[at] as Likeness;
    if (day === others[pair.known]?.day) {
      known.add(at);
      taken.add(pair.known);
    } else doubted.add(at);
  }
  const left = new Set(others.flatMap((each, at) => (taken.has(at) ? [] : keysOf(each))));
  const added: number[] = [];
  const waiting: number[] = [];
  for (const [at, each] of entries.entries()) {
    if (known.has(at)) continue;
    const mayBeKnown = doubted.has(at) || lookedFor(each).some((key) => left.has(key));
    (mayBeKnown ? waiting : added).push(at);
  }
  const doubtful = placesOf(waiting);
  const readings = waiting.length === 0 ? [] : [doubtful, Positions.NONE];
  return { ...NOTHING, added: placesOf(added), waiting: doubtful, readings };
}

const ANY = '*';
const keyOf = ({ amount }: Likeness, ...marks: readonly (string | null)[]): string =>
  JSON.stringify([String(amount), ...marks]);
const combined = (
  days: readonly (string | null)[],
  ids: readonly (string | null)[],
  accounts: readonly (string | null)[],
) => days.flatMap((day) => ids.flatMap((id) => accounts.map((account) => [day, id, account] as const)));

/** An entry stands under what it says, and under each part of it. */
const keysOf = (each: Likeness): readonly string[] =>
  combined([each.day, ANY], [each.endToEndId, ANY], [each.account, ANY]).map((marks) => keyOf(each, ...marks));

/** What is not said may be anything: with the same amount and sign, nothing that both say differs. */
const lookedFor = (each: Likeness): readonly string[] => {
  const [days, ids, accounts] = [each.day, each.endToEndId, each.account].map((mark) =>
    mark === null ? [ANY] : [mark, null],
  );
  return combined(days ?? [], ids ?? [], accounts ?? []).map((marks) => keyOf(each, ...marks));
};
