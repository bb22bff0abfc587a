/**
 * Where the books of a bank account begin. What is older is in their opening balance: it is left out, of a statement and of those beside it.
 * Pure. Live rails, section 17; decision 0079.
 */
import { isNumberedBefore, precedes, type Sequel } from './following.ts';
import { type Likeness, sumOf } from './pairs.ts';
import type { BookedSpan, Span } from './spans.ts';

/** A statement that was imported. */
export interface Done extends Sequel {
  readonly id: string;
}

interface Since<T> {
  readonly reported: T;
  /** The places of what is left. */
  readonly places: readonly number[];
  /** Whether it is known that none of what is left is older. */
  readonly isClear: boolean;
}

export class BookStart {
  readonly #day: string;
  readonly #first: Done | undefined;
  /** The first statement of the books, and those of its day that lead to it and booked nothing. */
  readonly #leading: Done[] = [];
  /** The first statement, and those of its day that were booked. */
  readonly #booked: readonly Done[] = [];

  /** `day`: the first one of the books. `done`: with balances, of this day at least. `booked`: the statements that entries came with. */
  constructor(day: string, done: readonly Done[], booked: ReadonlySet<string>) {
    this.#day = day;
    // Ids sort by age: the books began with the first one that was imported.
    const ofDay = done
      .filter(({ startsOn }) => startsOn === day)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    this.#first = ofDay[0];
    if (this.#first === undefined) return;
    this.#leading.push(this.#first);
    this.#booked = ofDay.filter((each) => each === this.#first || booked.has(each.id));
    const isLeading = (each: Done) =>
      !this.#leading.includes(each) && !this.#booked.includes(each) && this.isAfter(each) !== false;
    for (let size = 0; size < this.#leading.length; ) {
      size = this.#leading.length;
      this.#leading.push(...done.filter(isLeading));
    }
  }

  /**
   * Whether the books begin after all of a statement. On their first day the balance that it ends with tells, and its number or instants;
   * `null`: nothing tells whether it is before what was booked, or leads back there.
   */
  isAfter(each: Sequel): boolean | null {
    const { startsOn, closedOn, opening, closing } = each;
    if (closedOn === null || closedOn < this.#day) return closedOn !== null;
    if (closedOn > this.#day || opening === null || closing === null) return false;
    const next = this.#leading.filter((other) => other.opening === closing);
    if (next.some((other) => precedes(each, other))) return true;
    const isEarlierDay = startsOn !== null && startsOn < this.#day;
    if (!isEarlierDay && this.#first !== undefined && isNumberedBefore(each, this.#first)) return null;
    // It begins where they do: it reports some of what they report.
    if (next.length === 0 || this.#leading.some((other) => other.opening === opening)) return false;
    if (isEarlierDay) return true;
    return this.#booked.some((other) => other.closing === opening && precedes(other, each)) ? false : null;
  }

  /** The statement without what is older; `null`: what is older does not come to the opening balance. */
  since<T extends Span & Sequel & { readonly entries: readonly Likeness[] }>(reported: T): Since<T> | null {
    const all = [...reported.entries.keys()];
    const isAfter = this.isAfter(reported);
    if (isAfter === true) return { reported, places: [], isClear: true };
    if (reported.startsOn >= this.#day) return { reported, places: all, isClear: isAfter === false };
    const places = all.filter((at) => (reported.entries[at]?.day ?? this.#day) >= this.#day);
    const entries = places.map((at) => reported.entries[at] as Likeness);
    const opening = reported.opening + sumOf(reported.entries) - sumOf(entries);
    if (this.#first !== undefined && opening !== this.#first.opening) return null;
    return { reported: { ...reported, startsOn: this.#day, opening, entries }, places, isClear: true };
  }

  /** Statements as far as they were booked. `booked`: how many entries each reported first. */
  spansSince(spans: readonly BookedSpan[], booked: (span: BookedSpan) => number): readonly BookedSpan[] {
    const leading = new Set(this.#leading.slice(1).map(({ id }) => id));
    return spans.flatMap((each) => {
      if (each.closedOn < this.#day || leading.has(each.id)) return [];
      if (each.startsOn >= this.#day || this.#first === undefined) return [each];
      return [{ ...each, startsOn: this.#day, opening: this.#first.opening as bigint, entriesCount: booked(each) }];
    });
  }
}
