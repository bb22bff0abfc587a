/**
 * What a statement adds to the ledger: the plan of its import. Statements with balances are decided by these (`verdict.ts`). Of messages
 * without balances an entry like one of another message waits for a person, unless a reference of the bank tells which it is. Pure. Live
 * rails, section 17; decision 0079.
 */
import { BookStart } from './book-start.ts';
import { sequelsOf } from './following.ts';
import {
  type Balanced,
  type Beside,
  besideOf,
  type Booked,
  type Books,
  hasBalances,
  isDone,
  isProof,
  MOST_COMPARED,
  NOTHING,
  type Outline,
  type Plan,
  placesOf,
  type Reported,
  shareDays,
} from './outline.ts';
import { type Likeness, pairsOf, sumOf } from './pairs.ts';
import { Positions } from './positions.ts';
import { type BookedSpan, withEntries } from './spans.ts';
import { spelledAs } from './spellings.ts';
import { type Reading, type Verdict, verdictOn } from './verdict.ts';
import { planByLikeness } from './without-balances.ts';

/** A person is shown some ways at most. */
const MOST_READINGS = 5;

export function planOf(reported: Reported, books: Books): Plan {
  const { entries } = reported;
  const all = Positions.upTo(entries.length);
  const apart = apartFrom(reported, books);
  const known = books.entries.filter(({ statement }) => !apart.has(statement));
  const beside = besideOf(reported, books.statements).filter(({ id }) => !apart.has(id));
  // What another one adds is known once it is imported.
  if (beside.some(({ status }) => status === 'importing')) return { ...NOTHING, waiting: all };
  if (!hasBalances(reported)) return planByLikeness(reported, known);
  if (entries.length + known.length + books.behind.length > MOST_COMPARED) return { ...NOTHING, waiting: all };
  return planBeside(
    { ...reported, entries: spelledAs(entries, known) },
    { start: startOf(books), entries: known, behind: books.behind },
    beside,
  );
}

/** What is known of the days of a statement. `start`: of the books; `null`: there are none yet. */
interface Known {
  readonly start: BookStart | null;
  readonly entries: readonly Booked[];
  readonly behind: readonly Likeness[];
}

/** Of a statement with balances. */
function planBeside(reported: Reported, known: Known, beside: readonly Beside[]): Plan {
  const { entries } = reported;
  const all = Positions.upTo(entries.length);
  const former = formerOf(reported, beside);
  const again = former && reissued(reported, known, former, beside);
  if (again) return again;
  const supersedes = former?.id ?? null;
  const whole = reported as Reported & Balanced;
  const nothingOlder = { reported: whole, places: [...entries.keys()], isClear: true };
  const since = known.start === null ? nothingOlder : known.start.since(whole);
  if (since === null) return { ...NOTHING, waiting: all, readings: [all, Positions.NONE], supersedes };
  const { places } = since;
  const olderCount = entries.length - places.length;
  if (olderCount > 0 && places.length === 0) return { ...NOTHING, olderCount, supersedes };
  const verdict = verdictBeside(since.reported, known, beside);
  const found =
    verdict.isCertain || !former ? verdict : verdictBeside(since.reported, known, withoutVoided(beside, former, known));
  const positionsOf = ({ added }: Reading): Positions => placesOf(added.map((at) => places[at] as number));
  if (found.isCertain) {
    const added = positionsOf(found.reading);
    if (since.isClear || added.count === 0) return { ...NOTHING, added, supersedes, olderCount };
    return { ...NOTHING, waiting: all, readings: [added, Positions.NONE], supersedes };
  }
  return { ...NOTHING, waiting: all, readings: found.readings.slice(0, MOST_READINGS).map(positionsOf), supersedes };
}

function startOf({ booksFrom, statements, entries }: Books): BookStart | null {
  if (booksFrom === null) return null;
  return new BookStart(booksFrom, statements.filter(isProof), new Set(entries.map(({ statement }) => statement)));
}

/** Those that the statement follows, or that follow it, unless the bank's references say that both report one booking. */
function apartFrom(reported: Reported, { statements, entries }: Books): ReadonlySet<string> {
  if (!hasBalances(reported)) return new Set();
  const isNamed = ({ id }: Beside): boolean => {
    const theirs = entries.filter(({ statement }) => statement === id);
    return pairsOf(reported.entries, theirs, ['reference']).size > 0;
  };
  const sequels = sequelsOf(reported, statements.filter(isProof));
  return new Set(sequels.filter((each) => !isNamed(each)).map(({ id }) => id));
}

/** By the balances of the statements beside it. */
function verdictBeside(
  reported: Reported & Balanced,
  { start, entries, behind }: Known,
  beside: readonly Beside[],
): Verdict {
  const spans = spansOf(beside);
  const known = entries.map((each) => ({ ...each, statement: spans.idOf(each.statement) }));
  const entriesOfSpan = ({ id }: BookedSpan) => known.filter(({ statement }) => statement === id);
  const since = start?.spansSince(spans.all, (each) => entriesOfSpan(each).length) ?? spans.all;
  const { startsOn, closedOn, opening, closing } = reported;
  const days = withEntries(reported) as Balanced;
  const span = { startsOn, closedOn, opening, closing, entriesFrom: days.startsOn, entriesUntil: days.closedOn };
  const others = since.filter((each) => !shareDays(each, reported));
  const apart = new Set(
    others.filter((each) => !haveBookings(reported.entries, entriesOfSpan(each))).map(({ id }) => id),
  );
  return verdictOn(
    { span, entries: reported.entries },
    {
      spans: since.filter(({ id }) => !apart.has(id)),
      entries: known.filter(({ statement }) => !apart.has(statement)),
      behind,
    },
  );
}

/** Whether both may report a booking, by its day and what else they say. */
const haveBookings = (reported: readonly Likeness[], known: readonly Likeness[]): boolean =>
  [...pairsOf(reported, known, ['reference', 'details', 'day'])].some(
    ([at, pair]) => reported[at]?.day === known[pair.known]?.day,
  );

/** Of one that is issued again without entries of the ledger; `null`: it has all of them. */
function reissued(reported: Reported, known: Known, former: Beside, beside: readonly Beside[]): Plan | null {
  const { entries } = reported;
  const theirs = entriesOf(former, known, beside);
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

const entriesOf = (statement: Beside, { entries }: Known, beside: readonly Beside[]): readonly Booked[] =>
  entries.filter((each) => originOf(each.statement, beside) === statement.id);

/** Of the former one, entries were voided since: it ends where what is left of it leads. */
const withoutVoided = (beside: readonly Beside[], former: Beside, known: Known): readonly Beside[] =>
  beside.map((each) => {
    if (each !== former) return each;
    const left = entriesOf(former, known, beside);
    return { ...each, closing: (each.opening as bigint) + sumOf(left), entriesCount: left.length };
  });

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
        entriesFrom: group.map((each) => withEntries(each).startsOn as string).toSorted()[0] as string,
        entriesUntil: group
          .map((each) => withEntries(each).closedOn as string)
          .toSorted()
          .at(-1) as string,
      };
    });
  });
  return { all, idOf: (statement: string) => ids.get(originOf(statement, beside)) ?? statement };
}
