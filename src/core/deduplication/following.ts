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

/** Those of others that lie before or behind a statement, one following on another. */
export function sequelsOf<T extends Sequel>(statement: Sequel, others: readonly T[]): readonly T[] {
  const reached = (isLink: (each: Sequel, of: Sequel) => boolean): T[] => {
    const found: T[] = [];
    for (let last: readonly Sequel[] = [statement]; last.length > 0; ) {
      const next = others.filter((each) => !found.includes(each) && last.some((of) => isLink(each, of)));
      found.push(...next);
      last = next;
    }
    return found;
  };
  return [...reached(precedes), ...reached((each, of) => precedes(of, each))];
}

/** The first ends before the next one begins: by their instants, or the next number and the balance that the first ends with. */
export const precedes = (first: Sequel, next: Sequel): boolean =>
  (endsBefore(first, next) && !haveOneEnd(first, next)) || isNext(first, next);

const endsBefore = ({ periodUntil }: Sequel, { periodFrom }: Sequel): boolean =>
  periodUntil !== null && periodFrom !== null && periodUntil <= periodFrom;

/** Both move the balance, and from or to the same one: whatever their instants say, they share what they report. */
const haveOneEnd = (one: Sequel, other: Sequel): boolean =>
  one.opening !== one.closing &&
  other.opening !== other.closing &&
  (one.opening === other.opening || one.closing === other.closing);

/** The next number, and the balance that the first ends with. */
function isNext(first: Sequel, next: Sequel): boolean {
  const number = numberOf(first.sequence);
  return (
    isNumberedBefore(first, next) &&
    number !== null &&
    numberOf(next.sequence) === number + 1n &&
    first.closing === next.opening &&
    (first.closedOn ?? '') <= (next.startsOn ?? '')
  );
}

/** Of the same message, with a lower number. */
export function isNumberedBefore(one: Sequel, other: Sequel): boolean {
  const [number, higher] = [numberOf(one.sequence), numberOf(other.sequence)];
  return one.message === other.message && number !== null && higher !== null && number < higher;
}

const numberOf = (sequence: string | null): bigint | null =>
  sequence !== null && /^[0-9]{1,18}$/.test(sequence) ? BigInt(sequence) : null;
