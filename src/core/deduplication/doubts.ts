/** What makes an answer that comes to the balance doubtful: another one could come to it as well. Pure. Next: `verdict.ts`. */
import { DAY_MS } from '../values/time.ts';
import { alikeKey, type Likeness, marksInCommon, type Pairs } from './pairs.ts';

/** Between booking day and value day there are some days at most. */
export const NEAR_DAYS = 7;
export const isNear = (one: string | null, other: string | null): boolean =>
  one === null || other === null || Math.abs(Date.parse(one) - Date.parse(other)) <= NEAR_DAYS * DAY_MS;

/** More comparisons than this are not made, and more sums not added up: then there is doubt. */
const MOST = 20_000;

/** An entry that looks new could be the known one that another entry was taken for, and it matters to somebody which. */
export function isArbitrary(
  reported: readonly Likeness[],
  known: readonly Likeness[],
  pairs: Pairs,
  added: readonly number[],
): boolean {
  const weak = new Map<string, readonly [Likeness, Likeness]>();
  for (const [at, { known: other, ground }] of pairs) {
    if (ground === 'reference') continue;
    const [one, theirs] = [reported[at] as Likeness, known[other] as Likeness];
    weak.set(`${alikeKey(one)} ${alikeKey(theirs)} ${theirs.day}`, [one, theirs]);
  }
  return someOf(
    added,
    reported,
    [...weak.values()],
    ([one]) => one.amount,
    (entry, [one, theirs]) => {
      const common = marksInCommon(entry, theirs);
      const isAsNear = common > 0 ? entry.day === theirs.day : isNear(entry.day, theirs.day);
      return common >= marksInCommon(one, theirs) && isAsNear && alikeKey(entry) !== alikeKey(one);
    },
  );
}

/**
 * Entries that look new could be known ones with another day, and others new in their place, and the balances would be the same. `left`: known
 * ones not in a pair.
 */
export function couldBeKnown(
  reported: readonly Likeness[],
  added: readonly number[],
  left: readonly Likeness[],
  pairs: Pairs,
): boolean {
  const distinct = new Map(left.map((each) => [`${alikeKey(each)} ${each.day}`, each]));
  const isIt = (entry: Likeness, each: Likeness) => marksInCommon(entry, each) >= 0 && isNear(entry.day, each.day);
  const near = added.filter((at) => someOf([at], reported, [...distinct.values()], ({ amount }) => amount, isIt));
  const instead = [...pairs].flatMap(([at, { ground }]) => (ground === 'reference' ? [] : [reported[at] as Likeness]));
  const sums = sumsOf(near.map((at) => reported[at] as Likeness));
  const others = sumsOf(instead);
  if (sums === null || (others === null && near.length > 0)) return true;
  return sums.has(0n) || [...sums].some((sum) => others?.has(sum));
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
