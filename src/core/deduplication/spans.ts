/**
 * How a statement may lie beside those that were booked, in days and balances. Statements of one day can overlap, or follow on: their days do
 * not say which, so each way is a reading, and entries and balances decide (`verdict.ts`). Pure. Live rails, section 17.
 */

/** What a statement covers: from `opening`, before all entries of `startsOn`, to `closing`, after all of `closedOn`. Minor units. */
export interface Span {
  readonly startsOn: string;
  readonly closedOn: string;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** With the days of its entries, where they are more than its own. */
interface Extent {
  readonly entriesFrom: string;
  readonly entriesUntil: string;
}

/** A statement that was booked. */
export interface BookedSpan extends Span, Partial<Extent> {
  readonly id: string;
  readonly entriesCount: number;
}

/** Statements that were booked and lie together without a gap. */
interface Segment extends Pick<Span, 'startsOn' | 'closedOn'> {
  readonly spans: readonly BookedSpan[];
}

/** One way in which the statement may lie beside statements that lie together. */
export interface Position {
  /** Their ids. */
  readonly statements: ReadonlySet<string>;
  /** They share nothing. */
  readonly isApart: boolean;
  /** All of theirs is in the statement. */
  readonly isInside: boolean;
  /** All of the statement is in theirs. */
  readonly isAround: boolean;
  /** The sum of what both have. */
  readonly shared: bigint;
  /** The sum of what one of them has before it. */
  readonly before: bigint;
  /** How many entries they reported; `null`: not known of several that overlap. */
  readonly entriesCount: number | null;
  /** No day is within both, and they begin and end with different balances: something between them may be missing. */
  readonly mayBeApart: boolean;
}

const isApartByDays = (one: Pick<Span, 'startsOn' | 'closedOn'>, other: Pick<Span, 'startsOn' | 'closedOn'>): boolean =>
  one.closedOn < other.startsOn || other.closedOn < one.startsOn;

/** For each group of statements that share days, the ways in which the statement may lie beside it. */
export function positionsBeside(span: Span & Partial<Extent>, booked: readonly BookedSpan[]): (readonly Position[])[] {
  const beside = booked.filter((each) => !isApartByDays(span, each));
  const ofOtherDays = booked.filter(
    (each) => isApartByDays(span, each) && !isApartByDays(withEntries(span), withEntries(each)),
  );
  return [
    ...segmentsOf(beside).map((segment) => positionsOf(span, segment)),
    ...ofOtherDays.map((each) => positionsByEntries(span, each)),
  ];
}

interface Days {
  readonly startsOn: string | null;
  readonly closedOn: string | null;
  readonly entriesFrom?: string | null;
  readonly entriesUntil?: string | null;
}

/** With the days of its entries. */
export const withEntries = <T extends Days>(each: T): T => ({
  ...each,
  startsOn: each.entriesFrom ?? each.startsOn,
  closedOn: each.entriesUntil ?? each.closedOn,
});

/**
 * Beside a statement of other days, which has entries of its days, or the other way round: a bank may report on Monday what it booked on
 * Saturday, and another source in a statement of Saturday. If both begin, or end, with one balance, the one is in the other.
 */
function positionsByEntries(span: Span & Partial<Extent>, other: BookedSpan): Position[] {
  const [one, whole] = [withEntries(span), withEntries(other)];
  const haveEnd = span.opening !== span.closing && (span.opening === other.opening || span.closing === other.closing);
  const over = positionsOf(one, { startsOn: whole.startsOn, closedOn: whole.closedOn, spans: [whole] }).filter(
    ({ isApart }) => !isApart,
  );
  const apart = apartFrom(new Set([other.id]), other.entriesCount);
  return [...(haveEnd ? [] : [apart]), ...over.map((each) => ({ ...each, mayBeApart: !haveEnd }))];
}

function segmentsOf(booked: readonly BookedSpan[]): readonly Segment[] {
  let segments: Segment[] = [];
  for (const span of booked) {
    let joined: Segment = { ...span, spans: [span] };
    const rest: Segment[] = [];
    for (const each of segments) {
      if (isApartByDays(each, joined)) rest.push(each);
      else {
        joined = {
          startsOn: each.startsOn < joined.startsOn ? each.startsOn : joined.startsOn,
          closedOn: each.closedOn > joined.closedOn ? each.closedOn : joined.closedOn,
          spans: [...each.spans, ...joined.spans],
        };
      }
    }
    segments = [...rest, joined];
  }
  return segments;
}

/** Two that begin, or end, on one day may do so in either order. */
function positionsOf(span: Span, segment: Segment): Position[] {
  const found: Position[] = [];
  const statements = new Set(segment.spans.map(({ id }) => id));
  const entriesCount = isChain(segment.spans) ? segment.spans.reduce((sum, each) => sum + each.entriesCount, 0) : null;
  for (const whole of wholesOf(segment)) {
    const isApartPossible = mayBeApart(span, whole) && !segment.spans.some((each) => haveOneEnd(span, each));
    if (follows(span, whole) || follows(whole, span)) {
      found.push(apartFrom(statements, entriesCount));
    }
    for (const [isFirst, isLater] of waysOf(span.startsOn, whole.startsOn, span.opening === whole.opening)) {
      for (const [isLast, isEarlier] of waysOf(whole.closedOn, span.closedOn, span.closing === whole.closing)) {
        const [from, before] = isFirst
          ? [whole.opening, whole.opening - span.opening]
          : [span.opening, span.opening - whole.opening];
        const to = isLast ? whole.closing : span.closing;
        const [isInside, isAround] = [isFirst && isLast, isLater && isEarlier];
        found.push({
          statements,
          isApart: false,
          isInside,
          isAround,
          shared: to - from,
          before,
          entriesCount,
          mayBeApart: isApartPossible,
        });
      }
    }
  }
  return found;
}

const apartFrom = (statements: ReadonlySet<string>, entriesCount: number | null): Position => ({
  statements,
  isApart: true,
  isInside: false,
  isAround: false,
  shared: 0n,
  before: 0n,
  entriesCount,
  mayBeApart: true,
});

/** They follow on one another, so that none reports what another does. */
function isChain(spans: readonly BookedSpan[]): boolean {
  const left = new Set(spans);
  let last = spans.find((each) => !spans.some((other) => other !== each && follows(each, other)));
  while (last !== undefined && left.delete(last)) {
    const end: BookedSpan = last;
    const next = [...left].filter((each) => follows(each, end));
    last = next.length === 1 ? next[0] : undefined;
  }
  return left.size === 0;
}

/** One more than anybody reads (`verdict.ts`). */
const MOST_WHOLES = 65;

/** Where they may begin and end together: where no other one of that day goes on. */
function wholesOf({ startsOn, closedOn, spans }: Segment): readonly Span[] {
  // Of two that begin at one point, the one with more entries ends later; and of two that end there it begins earlier.
  const isPart = (each: BookedSpan, at: (one: Span) => string) =>
    spans.some((other) => at(other) === at(each) && other.entriesCount > each.entriesCount);
  const first = spans.filter((each) => each.startsOn === startsOn && !isPart(each, endOf));
  const last = spans.filter((each) => each.closedOn === closedOn && !isPart(each, beginOf));
  const goesOn = (one: Span, other: Span) => one !== other && one.opening !== one.closing && follows(other, one);
  const starts = first.filter((one) => !spans.some((other) => goesOn(other, one)));
  const ends = last.filter((one) => !spans.some((other) => goesOn(one, other)));
  const openings = new Set((starts.length > 0 ? starts : first).map(({ opening }) => opening));
  const closings = new Set((ends.length > 0 ? ends : last).map(({ closing }) => closing));
  const wholes = [...openings].flatMap((opening) =>
    [...closings].map((closing) => ({ startsOn, closedOn, opening, closing })),
  );
  return wholes.slice(0, MOST_WHOLES);
}

const beginOf = (one: Span): string => `${one.startsOn} ${one.opening}`;
const endOf = (one: Span): string => `${one.closedOn} ${one.closing}`;

/** Begins on the day and with the balance with which the other ends. */
const follows = (one: Span, other: Span): boolean => one.startsOn === other.closedOn && one.opening === other.closing;

const mayBeApart = (one: Span, other: Span): boolean =>
  (one.startsOn === other.closedOn || other.startsOn === one.closedOn) && !haveOneEnd(one, other);

/** They begin, or end, on one day with one balance. */
const haveOneEnd = (one: Span, other: Span): boolean =>
  (one.startsOn === other.startsOn && one.opening === other.opening) ||
  (one.closedOn === other.closedOn && one.closing === other.closing);

/** Whether the one comes first, and whether the other does. On one day either may; with the same balance they are one point. */
const waysOf = (day: string, other: string, isSame: boolean): readonly (readonly [boolean, boolean])[] => {
  if (day !== other) return day < other ? [[true, false]] : [[false, true]];
  return isSame
    ? [[true, true]]
    : [
        [true, false],
        [false, true],
      ];
};
