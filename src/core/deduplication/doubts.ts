/** What makes an answer that comes to the balance doubtful: another one could come to it as well. Pure. Next: `verdict.ts`. */
import { DAY_MS } from '../values/time.ts';
import { alikeKey, type Ground, type Likeness, marksInCommon, type Pairs } from './pairs.ts';

/** Between booking day and value day there are some days at most. */
export const NEAR_DAYS = 7;
export const isNear = (one: string | null, other: string | null): boolean =>
  one === null || other === null || Math.abs(Date.parse(one) - Date.parse(other)) <= NEAR_DAYS * DAY_MS;

/** More comparisons than this are not made, and more sums not added up: then there is doubt. */
const MOST = 20_000;

/** So many different payments are not made once more on their days by chance. */
const KINDS_BEYOND_CHANCE = 8;
/** So many end-to-end ids, or references of the bank, do not stand for the same amounts on the same days by chance. */
const IDS_BEYOND_CHANCE = 3;
const REFERENCES_BEYOND_CHANCE = 2;

/** The places whose pairs are of one day, if they are of so many different payments that the statement reports again what these known ones are. */
export function manifoldOf<T extends Likeness>(
  reported: readonly Likeness[],
  known: readonly T[],
  pairs: Pairs,
  isMeant: (each: T) => boolean = () => true,
): readonly number[] {
  const places = [...pairs].flatMap(([at, { known: other }]) => {
    const [{ day }, theirs] = [reported[at] as Likeness, known[other] as T];
    return day !== null && day === theirs.day && isMeant(theirs) ? [at] : [];
  });
  const kinds = new Set<string>();
  for (const at of places) {
    kinds.add(alikeKey(reported[at] as Likeness));
    if (kinds.size >= KINDS_BEYOND_CHANCE) return places;
  }
  return [];
}

/** The places whose pairs are of one day, by a reference of the bank or an end-to-end id; none, if they are few. */
export function namedOf(reported: readonly Likeness[], known: readonly Likeness[], pairs: Pairs): readonly number[] {
  const ofOneDay = [...pairs].filter(([at, { known: other }]) => {
    const { day } = reported[at] as Likeness;
    return day !== null && day === known[other]?.day;
  });
  const byReference = ofOneDay.flatMap(([at, { ground }]) => (ground === 'reference' ? [at] : []));
  const byId = ofOneDay.flatMap(([at, { known: other }]) =>
    reported[at]?.endToEndId !== null && known[other]?.endToEndId !== null ? [at] : [],
  );
  const ids = new Set(byId.map((at) => reported[at]?.endToEndId));
  return [
    ...(byReference.length < REFERENCES_BEYOND_CHANCE ? [] : byReference),
    ...(ids.size < IDS_BEYOND_CHANCE ? [] : byId),
  ];
}

/** Somebody could tell them apart: later by the reference too, if nothing but the amount was said. */
const isOther = (entry: Likeness, one: Likeness, ground: Ground): boolean =>
  alikeKey(entry) !== alikeKey(one) || (ground === 'amount' && entry.reference !== one.reference);

/** An entry that looks new could be the known one that another entry was taken for, and it matters to somebody which. */
export function isArbitrary(
  reported: readonly Likeness[],
  known: readonly Likeness[],
  pairs: Pairs,
  added: readonly number[],
): boolean {
  const weak = new Map<string, readonly [Likeness, Likeness, Ground]>();
  for (const [at, { known: other, ground }] of pairs) {
    if (ground === 'reference') continue;
    const [one, theirs] = [reported[at] as Likeness, known[other] as Likeness];
    weak.set(`${alikeKey(one)} ${alikeKey(theirs)} ${theirs.day}`, [one, theirs, ground]);
  }
  return someOf(
    added,
    reported,
    [...weak.values()],
    ([one]) => one.amount,
    (entry, [one, theirs, ground]) => {
      const common = marksInCommon(entry, theirs);
      const paired = marksInCommon(one, theirs);
      const isAsNear = common > 0 && common === paired ? entry.day === theirs.day : isNear(entry.day, theirs.day);
      return common >= paired && isAsNear && isOther(entry, one, ground);
    },
  );
}

/**
 * Entries that look new could be known ones with another day, and others, which were taken for known ones, new in their place: the balances
 * would be the same. It matters only if the two differ in more than the day. `left`: known ones not in a pair. `loose`: entries of the
 * statement whose pairs are no proof.
 */
export function couldBeKnown(
  reported: readonly Likeness[],
  added: readonly number[],
  left: readonly Likeness[],
  loose: readonly number[],
  areDaysProved: boolean,
): boolean {
  const distinct = new Map(left.map((each) => [`${alikeKey(each)} ${each.day}`, each]));
  const isIt = (entry: Likeness, each: Likeness) =>
    marksInCommon(entry, each) >= 0 &&
    (areDaysProved ? entry.day === null || each.day === null || entry.day === each.day : isNear(entry.day, each.day));
  const near = added.filter((at) => someOf([at], reported, [...distinct.values()], ({ amount }) => amount, isIt));
  if (near.length === 0) return false;
  const kinds = new Map<string, { readonly amount: bigint; known: number; added: number }>();
  const kindOf = (entry: Likeness) => {
    const kind = kinds.get(alikeKey(entry)) ?? { amount: entry.amount, known: 0, added: 0 };
    kinds.set(alikeKey(entry), kind);
    return kind;
  };
  for (const at of near) kindOf(reported[at] as Likeness).known += 1;
  for (const at of loose) kindOf(reported[at] as Likeness).added += 1;
  return comeToNothing([...kinds.values()]);
}

/** Whether up to so many more known ones, and up to so many more that were added, could come to the same; one more known at least. */
function comeToNothing(
  kinds: readonly { readonly amount: bigint; readonly known: number; readonly added: number }[],
): boolean {
  /** Sums, and whether one more is known in one of the ways to them. */
  let sums = new Map<bigint, boolean>([[0n, false]]);
  for (const { amount, known, added } of kinds) {
    const next = new Map<bigint, boolean>();
    for (const [sum, isMore] of sums) {
      for (let count = -added; count <= known; count += 1) {
        const to = sum + BigInt(count) * amount;
        next.set(to, isMore || count > 0 || next.get(to) === true);
        if (next.size > MOST) return true;
      }
    }
    sums = next;
  }
  return sums.get(0n) === true;
}

function someOf<T>(
  added: readonly number[],
  reported: readonly Likeness[],
  all: readonly T[],
  amountOf: (each: T) => bigint,
  holds: (entry: Likeness, each: T) => boolean,
): boolean {
  const byAmount = new Map<bigint, T[]>();
  for (const each of all) {
    const same = byAmount.get(amountOf(each));
    if (same) same.push(each);
    else byAmount.set(amountOf(each), [each]);
  }
  let looks = 0;
  for (const at of added) {
    const entry = reported[at] as Likeness;
    for (const each of byAmount.get(entry.amount) ?? []) {
      looks += 1;
      if (looks > MOST || holds(entry, each)) return true;
    }
  }
  return false;
}

/** Whether some of them, or none, add up to a sum. */
export const canAddUpTo = (entries: readonly Likeness[], wanted: bigint): boolean =>
  wanted === 0n || (sumsOf(entries)?.has(wanted) ?? true);

/** What some of them, one at least, add up to; `null`: too many sums. */
function sumsOf(entries: readonly Likeness[]): ReadonlySet<bigint> | null {
  const sums = new Set<bigint>();
  for (const { amount } of entries) {
    const before = Array.from(sums);
    for (const sum of before) sums.add(sum + amount);
    sums.add(amount);
    if (sums.size > MOST) return null;
  }
  return sums;
}
