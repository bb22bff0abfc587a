/**
 * Where the books of a bank account begin. What is older is in their opening balance: it is left out, of a statement and of those beside it.
 * Pure. Live rails, section 17; decision 0079.
 */
import type { Likeness } from './pairs.ts';
import type { BookedSpan, Span } from './spans.ts';

/** A statement that was booked. */
interface Done {
  readonly id: string;
  readonly startsOn: string | null;
  readonly closedOn: string | null;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
}

export class BookStart {
  readonly #day: string;
  readonly #first: Done | undefined;
  /** Balances of that day that lie before the books: their opening, and where statements begin that lead to it. */
  readonly #before = new Set<bigint>();

  /** `day`: the first one of the books. `done`: statements with balances that were booked, of this day at least. */
  constructor(day: string, done: readonly Done[]) {
    this.#day = day;
    // Ids sort by age: the books began with the first one that was booked.
    const ofDay = done
      .filter(({ startsOn }) => startsOn === day)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    this.#first = ofDay[0];
    if (this.#first === undefined) return;
    this.#before.add(this.#first.opening as bigint);
    for (let size = 0; size < this.#before.size; ) {
      size = this.#before.size;
      for (const each of done) if (this.isAfter(each)) this.#before.add(each.opening as bigint);
    }
  }

  /** Whether the books begin after all of a statement. On their first day its closing balance tells. */
  isAfter({ closedOn, opening, closing }: Omit<Done, 'id' | 'startsOn'>): boolean {
    if (closedOn === null || closedOn < this.#day) return closedOn !== null;
    if (closedOn > this.#day || opening === null || closing === null) return false;
    return this.#before.has(closing) && !this.#before.has(opening) && opening !== this.#first?.closing;
  }

  /** The statement without what is older, and the places of what is left; `null`: what is older does not come to the opening balance. */
  since<T extends Span & { readonly entries: readonly Likeness[] }>(
    reported: T,
  ): { readonly reported: T; readonly places: readonly number[] } | null {
    const all = [...reported.entries.keys()];
    if (this.isAfter(reported)) return { reported, places: [] };
    if (reported.startsOn >= this.#day) return { reported, places: all };
    const places = all.filter((at) => (reported.entries[at]?.day ?? this.#day) >= this.#day);
    const entries = places.map((at) => reported.entries[at] as Likeness);
    const sum = (some: readonly Likeness[]) => some.reduce((total, { amount }) => total + amount, 0n);
    const opening = reported.opening + sum(reported.entries) - sum(entries);
    if (this.#first !== undefined && opening !== this.#first.opening) return null;
    return { reported: { ...reported, startsOn: this.#day, opening, entries }, places };
  }

  /** Statements as far as they were booked. `booked`: how many entries each reported first. */
  spansSince(spans: readonly BookedSpan[], booked: (span: BookedSpan) => number): readonly BookedSpan[] {
    return spans.flatMap((each) => {
      if (this.isAfter(each)) return [];
      if (each.startsOn >= this.#day || this.#first === undefined) return [each];
      return [{ ...each, startsOn: this.#day, opening: this.#first.opening as bigint, entriesCount: booked(each) }];
    });
  }
}
