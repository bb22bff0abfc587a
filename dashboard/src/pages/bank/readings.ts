/**
 * Ways to read a statement that waits, and what each would book. A choice is named by the positions of its entries and not by its number: a file
 * that comes meanwhile can make another reading the first one. Pure.
 */
import type { BankStatement, WaitingEntries } from '../../../../client/src/generated/types.ts';

export type WaitingEntry = WaitingEntries['data'][number];

export interface Way {
  /** `1`, `2`, …: the reading; `none`; `own`: the entries that a person has ticked. */
  readonly key: string;
  readonly word: string;
  /** What is sent: `1-3,7`, or `none`. */
  readonly newEntries: string;
  isNew(entry: Pick<WaitingEntry, 'position'>): boolean;
}

/** `1-3,7` → whether a position is in it; empty: none is. */
export function positionsIn(text: string): (position: number) => boolean {
  const ranges = text
    .split(',')
    .filter((each) => each !== '')
    .map((each) => each.split('-').map(Number))
    .map(([from = 0, to = from]) => [from, to] as const);
  return (position) => ranges.some(([from, to]) => from <= position && position <= to);
}

/** `[7, 1, 2, 3]` → `1-3,7`, as the API takes it; of none: `none`. */
export function positionsOf(positions: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const position of positions.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && position <= last[1] + 1) last[1] = position;
    else ranges.push([position, position]);
  }
  return ranges.length === 0
    ? 'none'
    : ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** The readings, that nothing is new where no reading says so, and one's own choice. */
export function waysOf(readings: BankStatement['readings'], ticked: ReadonlySet<number>): readonly Way[] {
  const read = readings.map(({ entries, count }, at): Way => {
    const isIn = positionsIn(entries);
    const number = `Reading ${at + 1}`;
    return {
      key: String(at + 1),
      word: count === 0 ? `${number}: none is new` : number,
      newEntries: entries === '' ? 'none' : entries,
      isNew: ({ position }) => isIn(position),
    };
  });
  const none: Way = { key: 'none', word: 'None is new', newEntries: 'none', isNew: () => false };
  return [
    ...read,
    ...(readings.some(({ count }) => count === 0) ? [] : [none]),
    {
      key: 'own',
      word: 'I choose',
      newEntries: positionsOf([...ticked]),
      isNew: ({ position }) => ticked.has(position),
    },
  ];
}

/** Whether the readings are at odds about it. One's own choice is no reading. */
export const differs = ({ new_in: readings }: Pick<WaitingEntry, 'new_in'>, count: number): boolean =>
  readings.length > 0 && readings.length < count;

interface Sums {
  readonly count: number;
  /** Minor units, both above zero. */
  readonly came: bigint;
  readonly went: bigint;
}

/** What a way would book, of these entries. */
export function sumsOf(
  entries: readonly Pick<WaitingEntry, 'position' | 'direction' | 'amount_minor'>[],
  way: Way,
): Sums {
  const sums = { count: 0, came: 0n, went: 0n };
  for (const entry of entries) {
    if (!way.isNew(entry)) continue;
    sums.count += 1;
    sums[entry.direction === 'credit' ? 'came' : 'went'] += BigInt(entry.amount_minor);
  }
  return sums;
}
