/**
 * Whether two statements of a day follow on, by what the bank says of them: their instants, or their numbers. It decides where balances do not,
 * because the entries of one come to nothing. Pure. Live rails, section 17; decision 0079.
 */

/** Of a statement with balances. */
export interface Sequel {
  /** Of which kind it is: kinds are numbered each for themselves. */
  readonly message: string;
  readonly sequence: string | null;
  /** Milliseconds since 1970. */
  readonly periodFrom: number | null;
  readonly periodUntil: number | null;
  readonly startsOn: string | null;
  readonly closedOn: string | null;
  /** Minor units. */
  readonly opening: bigint | null;
  readonly closing: bigint | null;
}

/** In either order. */
export const followOn = (one: Sequel, other: Sequel): boolean =>
  areApart(one, other) || isNext(one, other) || isNext(other, one);

/** Their instants do not overlap. */
function areApart(one: Sequel, other: Sequel): boolean {
  const isBefore = (first: Sequel, next: Sequel) =>
    first.periodUntil !== null && next.periodFrom !== null && first.periodUntil <= next.periodFrom;
  return isBefore(one, other) || isBefore(other, one);
}

/** The next number, and the balance that the first ends with. */
function isNext(first: Sequel, next: Sequel): boolean {
  const [number, following] = [first, next].map(({ sequence }) => numberOf(sequence));
  return (
    first.message === next.message &&
    number != null &&
    following === number + 1n &&
    first.closing === next.opening &&
    (first.closedOn ?? '') <= (next.startsOn ?? '')
  );
}

const numberOf = (sequence: string | null): bigint | null =>
  sequence !== null && /^[0-9]{1,18}$/.test(sequence) ? BigInt(sequence) : null;
