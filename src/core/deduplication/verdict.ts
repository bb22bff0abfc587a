/**
 * Whether entries of a statement are new: the balance decides. Each way in which the statement may lie beside what was booked (`spans.ts`)
 * says what the two have in common, in money. Pairs of entries (`pairs.ts`) say which entries that may be. Exactly one answer that comes to the
 * balance is certain. None, or two, are a person's. Pure. Live rails, section 17; decision 0079.
 */
import { canAddUpTo, couldBeKnown, isArbitrary, manifoldOf, namedOf } from './doubts.ts';
import { type Ground, type Likeness, pairsOf, sumOf } from './pairs.ts';
import { type BookedSpan, type Position, positionsBeside, type Span } from './spans.ts';

/** An entry that was booked. `statement`: that reported it first. */
export interface KnownEntry extends Likeness {
  readonly statement: string;
}

export interface Reported {
  readonly span: Span;
  /** In the order of the statement. */
  readonly entries: readonly Likeness[];
}

export interface Books {
  /** Statements that share a day with the one that was reported. */
  readonly spans: readonly BookedSpan[];
  /** Entries that they reported first. Those of other statements are of no span: they may be in it or not. */
  readonly entries: readonly KnownEntry[];
  /**
   * Entries near its days that were booked by statements of other days, which share a day with one of `spans`: that one may have told them
   * again. They are no part of the statement by its days, but its sources may not agree on days.
   */
  readonly behind: readonly Likeness[];
}

/** A way to read the statement that comes to its balance. */
export interface Reading {
  /** The places of its new entries, in order. */
  readonly added: readonly number[];
  /** What tells the others from new ones; `null`: there are no others. */
  readonly ground: Ground | null;
}

export type Verdict =
  | { readonly isCertain: true; readonly reading: Reading }
  | { readonly isCertain: false; readonly readings: readonly Reading[] };

/** Further ways are not looked at: the statement is a person's. */
const MOST_WAYS = 64;

/** From which pairs known entries are found, the strongest grounds first. References that mislead are left out in the second half. */
const TIERS: readonly (readonly Ground[])[] = [
  ['reference'],
  ['reference', 'details'],
  ['reference', 'details', 'day'],
  ['details'],
  ['details', 'day'],
];
/** By the amount alone, where the balances say that the one lies in the other. */
const LAST_TIERS: readonly (readonly Ground[])[] = [
  ['reference', 'details', 'day', 'amount'],
  ['details', 'day', 'amount'],
];

export function verdictOn(reported: Reported, books: Books): Verdict {
  const found = new Readings(reported, books);
  const ways = waysOf(positionsBeside(reported.span, books.spans));
  if (ways === null) return { isCertain: false, readings: [] };
  for (const way of ways) found.read(way);
  const certain = found.certain;
  return certain ? { isCertain: true, reading: certain } : { isCertain: false, readings: found.all };
}

/** Each combination of positions; `null`: too many. */
function waysOf(positions: readonly (readonly Position[])[]): Position[][] | null {
  let ways: Position[][] = [[]];
  for (const each of positions) {
    ways = ways.flatMap((way) => each.map((position) => [...way, position]));
    if (ways.length > MOST_WAYS) return null;
  }
  return ways;
}

/** `known`: may be in the statement. `beside`: of statements that follow on, or that it follows. */
interface Shared {
  readonly known: readonly KnownEntry[];
  readonly beside: readonly KnownEntry[];
  /** In minor units. */
  readonly shared: bigint;
}

interface Found {
  readonly reading: Reading;
  readonly isDoubtful: boolean;
  /** What it has in common with what was booked, minor units. */
  readonly shared: bigint;
  /** Places of entries that are known by no chance, and which they are. */
  readonly sure: ReadonlyMap<number, KnownEntry>;
  /** It leaves nothing over that messages without balances reported of its days. */
  readonly isComplete: boolean;
}

class Readings {
  readonly #found = new Map<string, Found>();
  /** That of a statement of which the bank's references and the days name each entry: no other way can explain it. */
  #named: Reading | undefined;
  /** What the amounts alone would allow it to have in common with what was booked. */
  readonly #shared: { readonly shared: bigint; readonly known: ReadonlySet<KnownEntry> }[] = [];
  readonly #reported: Reported;
  readonly #books: Books;
  readonly #sum: bigint;

  constructor(reported: Reported, books: Books) {
    this.#reported = reported;
    this.#books = books;
    this.#sum = sumOf(reported.entries);
  }

  get all(): readonly Reading[] {
    return Array.from(this.#found.values(), ({ reading }) => reading);
  }

  /** The only one that can be, without doubt. */
  get certain(): Reading | undefined {
    if (this.#named) return this.#named;
    const all = [...this.#found.values()];
    const possible = all.filter(({ reading }) => !all.some(({ sure }) => reading.added.some((at) => sure.has(at))));
    // The ledger holds what is of its days, and its closing balance has it.
    const complete = possible.filter(({ isComplete }) => isComplete);
    const [only, ...others] = complete.length > 0 ? complete : possible;
    if (only === undefined || others.length > 0 || only.isDoubtful) return undefined;
    const sure = [...only.sure.values()];
    const ways = this.#shared.filter(({ known }) => sure.every((each) => known.has(each)));
    return ways.some(({ shared }) => shared !== only.shared) ? undefined : only.reading;
  }

  /** Adds what comes to the balance if the statement lies in this way. */
  read(way: readonly Position[]): void {
    const over = way.filter(({ isApart }) => !isApart);
    const shared = over.reduce((sum, position) => sum + position.shared, 0n);
    const spanned = new Set(this.#books.spans.map(({ id }) => id));
    const known = this.#books.entries.filter(
      ({ statement }) => !spanned.has(statement) || over.some(({ statements }) => statements.has(statement)),
    );
    const isWhole = over.length > 0 && over.every(({ isInside, isAround }) => isInside || isAround);
    const isKnown = new Set(known);
    const beside = this.#books.entries.filter((each) => !isKnown.has(each));
    for (const tier of isWhole ? [...TIERS, ...LAST_TIERS] : TIERS) {
      this.#readBy(tier, over, { known, beside, shared });
      if (this.#named) return;
    }
    if (this.#couldBe(over, known)) this.#shared.push({ shared, known: isKnown });
  }

  /** Whether the amounts alone would allow this way. */
  #couldBe(over: readonly Position[], known: readonly KnownEntry[]): boolean {
    const { entries } = this.#reported;
    return over.every(({ statements, isInside, isAround, shared, before, entriesCount: count }) => {
      const theirs = known.filter(({ statement }) => statements.has(statement));
      const both = pairsOf(entries, theirs, ['amount']);
      if (isInside && both.size < theirs.length) return false;
      if (isAround && both.size < entries.length) return false;
      const matched = new Set([...both.values()].map((pair) => pair.known));
      if (
        isInside &&
        !canAddUpTo(
          entries.filter((_, at) => !both.has(at)),
          before,
        )
      )
        return false;
      const rest = theirs.filter((_, at) => !matched.has(at));
      if (isAround && theirs.length === count && !canAddUpTo(rest, before)) return false;
      return canAddUpTo(
        [...both.keys()].map((at) => entries[at] as Likeness),
        shared,
      );
    });
  }

  #readBy(tier: readonly Ground[], over: readonly Position[], { known, beside, shared }: Shared): void {
    const { entries } = this.#reported;
    const pairs = pairsOf(entries, known, tier);
    const matched = new Set([...pairs.values()].map((pair) => pair.known));
    const added = [...entries.keys()].filter((at) => !pairs.has(at));
    const loose = sumOf(known.filter((each, at) => matched.has(at) && this.#isLoose(each)));
    if (
      !this.#comesTo(
        added.map((at) => entries[at] as Likeness),
        shared + loose,
      )
    )
      return;
    const left = known.filter((_, at) => !matched.has(at));
    const isIn = ({ statements }: Position, { statement }: KnownEntry) => statements.has(statement);
    const isPairedIn = (position: Position, at: number): boolean => {
      const pair = pairs.get(at);
      return pair !== undefined && isIn(position, known[pair.known] as KnownEntry);
    };
    for (const position of over) {
      if (sumOf(known.filter((each, at) => matched.has(at) && isIn(position, each))) !== position.shared) return;
      if (position.isAround && added.length > 0) return;
      if (position.isInside && left.some((each) => isIn(position, each))) return;
      const others = entries.filter((_, at) => !isPairedIn(position, at));
      if (position.isInside && !canAddUpTo(others, position.before)) return;
      const isComplete = known.filter((each) => isIn(position, each)).length === position.entriesCount;
      const rest = left.filter((each) => isIn(position, each));
      if (position.isAround && isComplete && !canAddUpTo(rest, position.before)) return;
    }
    const partly = left.filter(
      (each) => !over.some((position) => (position.isInside || position.isAround) && isIn(position, each)),
    );
    if (partly.some((each) => this.#isOfItsDays(each))) return;
    const isOtherDay = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;
    const isUnproved = (position: Position) =>
      position.mayBeApart &&
      [...pairs].some(([at, { known: other, ground }]) => {
        const each = known[other] as KnownEntry;
        return isIn(position, each) && (ground !== 'reference' || isOtherDay(entries[at]?.day ?? null, each.day));
      }) &&
      manifoldOf(entries, known, pairs, (each) => isIn(position, each)).length === 0;
    const manifold = manifoldOf(entries, known, pairs);
    const behind = over.some((position) => this.#mayRepeat(position)) ? this.#books.behind : [];
    const unproved = [...pairs].flatMap(([at, { ground }]) => (ground === 'reference' ? [] : [at]));
    const isDoubtful =
      over.some(isUnproved) ||
      isArbitrary(entries, known, pairs, added) ||
      couldBeKnown(entries, added, [...partly, ...beside, ...behind], unproved, manifold.length > 0);
    const isSameDay = ([at, pair]: readonly [number, { readonly known: number; readonly ground: Ground }]) =>
      pair.ground === 'reference' && entries[at]?.day !== null && entries[at]?.day === known[pair.known]?.day;
    if (added.length === 0 && [...pairs].every(isSameDay)) this.#named = { added, ground: 'reference' };
    const places = [...manifold, ...namedOf(entries, known, pairs)];
    const sure = new Map(places.map((at) => [at, known[pairs.get(at)?.known as number] as KnownEntry]));
    const { startsOn, closedOn } = this.#reported.span;
    const isComplete = !left.some(
      (each) => this.#isLoose(each) && (each.day ?? '') >= startsOn && (each.day ?? '') <= closedOn,
    );
    const ground = added.length === entries.length ? null : (tier.at(-1) as Ground);
    this.#add({ reading: { added, ground }, isDoubtful, shared, sure, isComplete });
  }

  /** Whether statements may repeat entries that others booked: fewer are in the books than these statements had. */
  #mayRepeat({ statements, entriesCount }: Position): boolean {
    return this.#books.entries.filter(({ statement }) => statements.has(statement)).length !== entriesCount;
  }

  #isLoose({ statement }: KnownEntry): boolean {
    return !this.#books.spans.some(({ id }) => id === statement);
  }

  /** Strictly within its days: the statement would have to tell it. */
  #isOfItsDays({ day, statement }: KnownEntry): boolean {
    const { startsOn, closedOn } = this.#reported.span;
    return day !== null && day > startsOn && day < closedOn && statement !== '';
  }

  /** Opening balance, what is shared and what is added give the closing balance. */
  #comesTo(added: readonly Likeness[], shared: bigint): boolean {
    const { opening, closing } = this.#reported.span;
    return opening + this.#sum === closing && sumOf(added) === closing - opening - shared;
  }

  /** Other grounds may lead to the same answer: it is doubtful if it is on all of them. */
  #add(found: Found): void {
    const key = keyOf(found.reading.added.map((at) => this.#reported.entries[at] as Likeness));
    const before = this.#found.get(key) ?? found;
    this.#found.set(key, {
      reading: before.reading,
      shared: before.shared,
      isDoubtful: found.isDoubtful && before.isDoubtful,
      sure: before.sure.size < found.sure.size ? found.sure : before.sure,
      isComplete: found.isComplete || before.isComplete,
    });
  }
}

/** The same for entries that nobody could tell apart. */
const keyOf = (entries: readonly Likeness[]): string =>
  entries
    .map(({ amount, endToEndId, account, named }) => JSON.stringify([String(amount), endToEndId, account, named]))
    .sort()
    .join();
