/** Places of entries in a statement, from 1, as ranges: a statement may have millions, and mostly all of them are meant. Pure. */

type Range = readonly [number, number];

export class Positions {
  static readonly NONE = new Positions([]);
  readonly #ranges: readonly Range[];

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /** The first `count`. */
  static upTo(count: number): Positions {
    return count === 0 ? Positions.NONE : new Positions([[1, count]]);
  }

  /** In rising order. */
  static of(positions: Iterable<number>): Positions {
    const ranges: [number, number][] = [];
    for (const each of positions) {
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === each - 1) last[1] = each;
      else ranges.push([each, each]);
    }
    return new Positions(ranges);
  }

  /** Of `1-3,7`; `null`: it is no such text, or its ranges are not in order. */
  static read(text: string): Positions | null {
    if (text === '') return Positions.NONE;
    if (!/^[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*$/.test(text)) return null;
    const ranges = text.split(',').map((each): Range => {
      const [from = '', to = from] = each.split('-');
      return [Number(from), Number(to)];
    });
    const isInOrder = ranges.every(([from, to], at) => from > (ranges[at - 1]?.[1] ?? 0) && from <= to);
    return isInOrder ? new Positions(ranges) : null;
  }

  get count(): number {
    return this.#ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  /** The last one; 0: there is none. */
  get last(): number {
    return this.#ranges.at(-1)?.[1] ?? 0;
  }

  has(position: number): boolean {
    let [low, high] = [0, this.#ranges.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [from, to] = this.#ranges[middle] as Range;
      if (position < from) high = middle - 1;
      else if (position > to) low = middle + 1;
      else return true;
    }
    return false;
  }

  /** As `1-3,7`. */
  get text(): string {
    return this.#ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
  }
}
