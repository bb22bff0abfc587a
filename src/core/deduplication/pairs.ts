/**
 * Which entries of a statement may be bookings that are known: pairs of the same amount and sign, by what else they say. What is not said may
 * be anything; two different end-to-end ids, accounts or references of ours are two bookings. Pure. Who decides: `verdict.ts`.
 */

/** An entry, reported or known. `amount`: minor units, debits below zero. `null`: not said. */
export interface Likeness {
  readonly amount: bigint;
  readonly day: string | null;
  /** The bank's reference. */
  readonly reference: string | null;
  readonly endToEndId: string | null;
  /** Account of the other side. */
  readonly account: string | null;
  /** What it names of ours. */
  readonly named: string | null;
}

/** Minor units. */
export const sumOf = (entries: readonly Pick<Likeness, 'amount'>[]): bigint =>
  entries.reduce((sum, { amount }) => sum + amount, 0n);

/** By what a pair is one. `details`: the day and a mark; `day`, `amount`: no mark differs. */
export const GROUNDS = ['reference', 'details', 'day', 'amount'] as const;
export type Ground = (typeof GROUNDS)[number];

/** Texts that banks write where they have no reference (`NONREF`: SWIFT MT 940, field 61; `NOTPROVIDED`: EPC guidelines). */
const NO_REFERENCE: ReadonlySet<string> = new Set(['', 'NONREF', 'NOTPROVIDED', 'NOT PROVIDED', 'NOREF', 'N/A', '0']);
export const saidOf = (reference: string | null): string | null =>
  reference === null || NO_REFERENCE.has(reference.trim().toUpperCase()) ? null : reference.trim();

const MARKS = ['endToEndId', 'account', 'named'] as const;
/** The marks that an entry says, as bits. */
export const marksOf = (one: Likeness): number =>
  MARKS.reduce((bits, mark, at) => (one[mark] === null ? bits : bits | (1 << at)), 0);
const countOf = (bits: number): number => (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1);

/** Two with the same key: nobody could tell them apart, and nobody gets another sum if one is booked for the other. */
export const alikeKey = ({ amount, endToEndId, account, named }: Likeness): string =>
  JSON.stringify([String(amount), endToEndId, account, named]);

/** Marks that both say, and say alike; -1: they contradict each other, or have different amounts. */
export function marksInCommon(one: Likeness, other: Likeness): number {
  if (one.amount !== other.amount) return -1;
  let common = 0;
  for (const mark of MARKS) {
    if (one[mark] === null || other[mark] === null) continue;
    if (one[mark] !== other[mark]) return -1;
    common += 1;
  }
  return common;
}

/** A pair: places of a known entry and of its ground, by that of an entry of the statement. */
export type Pairs = ReadonlyMap<number, { readonly known: number; readonly ground: Ground }>;

/**
 * Pairs by these grounds, the strongest first. Each entry is in one pair at most. Anybody can send ten thousand equal payments on a day, so
 * the work grows with their number, not with its square.
 */
export function pairsOf(reported: readonly Likeness[], known: readonly Likeness[], grounds: readonly Ground[]): Pairs {
  const found = new Map<number, { known: number; ground: Ground }>();
  const taken = new Set<number>();
  const join = (one: number, other: number, ground: Ground): void => {
    found.set(one, { known: other, ground });
    taken.add(other);
  };
  for (const ground of grounds) {
    if (ground === 'reference') {
      const theirs = onceByReference(known);
      for (const [reference, one] of onceByReference(reported)) {
        const other = theirs.get(reference) ?? null;
        if (one === null || other === null) continue;
        if (marksInCommon(reported[one] as Likeness, known[other] as Likeness) >= 0) join(one, other, ground);
      }
      continue;
    }
    const isOpen = ({ day }: Likeness): boolean => ground === 'amount' || day !== null;
    const ours = [...reported.keys()].filter((at) => !found.has(at) && isOpen(reported[at] as Likeness));
    const places = [...known.keys()].filter((at) => !taken.has(at) && isOpen(known[at] as Likeness));
    const index = new Index(known, places, ground !== 'amount');
    for (const [said, others] of index.waysOf(
      ours.map((at) => marksOf(reported[at] as Likeness)),
      ground === 'details' ? 1 : 0,
    )) {
      for (const at of ours) {
        const one = reported[at] as Likeness;
        if (found.has(at) || marksOf(one) !== said) continue;
        const other = index.first(one, others, taken);
        if (other !== undefined) join(at, other, ground);
      }
    }
  }
  return found;
}

/** Places by reference; `null` where it stands more than once: one that repeats is no reference. */
function onceByReference(all: readonly Likeness[]): ReadonlyMap<string, number | null> {
  const found = new Map<string, number | null>();
  for (const [at, { reference }] of all.entries()) {
    if (reference !== null) found.set(reference, found.has(reference) ? null : at);
  }
  return found;
}

/** Places of known entries, in order; those before `from` are taken. */
interface Bucket {
  readonly places: number[];
  from: number;
}

/** Known entries by the marks that an entry of the statement has in common with them. */
class Index {
  readonly #known: readonly Likeness[];
  readonly #isDaily: boolean;
  /** By what they say. */
  readonly #places = new Map<number, number[]>();
  /** By what they say and what both say, then by the values. */
  readonly #buckets = new Map<number, Map<string, Bucket>>();

  constructor(known: readonly Likeness[], places: readonly number[], isDaily: boolean) {
    this.#known = known;
    this.#isDaily = isDaily;
    for (const at of places) added(this.#places, marksOf(known[at] as Likeness), () => []).push(at);
  }

  /** What an entry says, and what known ones say: those that say the same first, then those with more marks in common. */
  waysOf(said: readonly number[], least: number): (readonly [number, number])[] {
    const ways = [...new Set(said)].flatMap((one) => [...this.#places.keys()].map((other) => [one, other] as const));
    const rank = ([one, other]: readonly [number, number]) => (one === other ? 8 : 0) + countOf(one & other);
    return ways
      .filter(([one, other]) => countOf(one & other) >= least)
      .toSorted((way, other) => rank(other) - rank(way));
  }

  first(one: Likeness, others: number, taken: ReadonlySet<number>): number | undefined {
    const common = marksOf(one) & others;
    const bucket = this.#bucketsOf(others, common).get(this.#keyOf(one, common));
    if (!bucket) return undefined;
    while (bucket.from < bucket.places.length && taken.has(bucket.places[bucket.from] as number)) bucket.from += 1;
    return bucket.places[bucket.from];
  }

  #bucketsOf(others: number, common: number): Map<string, Bucket> {
    return added(this.#buckets, (others << 3) | common, () => {
      const buckets = new Map<string, Bucket>();
      for (const at of this.#places.get(others) ?? []) {
        const key = this.#keyOf(this.#known[at] as Likeness, common);
        added(buckets, key, () => ({ places: [], from: 0 })).places.push(at);
      }
      return buckets;
    });
  }

  #keyOf(one: Likeness, marks: number): string {
    const values = MARKS.map((mark, at) => ((marks >> at) & 1 ? one[mark] : null));
    return JSON.stringify([String(one.amount), this.#isDaily ? one.day : null, ...values]);
  }
}

function added<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
