/**
 * A bank that knows the truth, and tells it in statements that overlap: any split, in any order, with references, days and other sides left
 * out, changed or made up. And books that take them in by a rule. Pure. Who tells: `src/core/deduplication/verdict.test.ts`.
 */
import fc from 'fast-check';
import { shareDays } from '../../../src/core/deduplication/outline.ts';
import { type Likeness, saidOf } from '../../../src/core/deduplication/pairs.ts';
import type { BookedSpan } from '../../../src/core/deduplication/spans.ts';
import type { Books, KnownEntry, Reported, Verdict } from '../../../src/core/deduplication/verdict.ts';

export const DAYS = 5;
const FIRST_DAY = Date.UTC(2026, 2, 10);
export const dayOf = (n: number): string => new Date(FIRST_DAY + n * 86_400_000).toISOString().slice(0, 10);

/** An entry of the bank; `day`: from 0. */
export interface True {
  readonly day: number;
  readonly amount: bigint;
  readonly payer: string;
  readonly endToEndId: string | null;
}

/** How a source writes. */
export interface Source {
  readonly references: 'real' | 'own' | 'none' | 'NONREF' | 'some';
  readonly days: 'booked' | 'shifted' | 'some' | 'none';
  readonly payers: boolean;
  readonly endToEndIds: boolean;
}
export const HONEST: Source = { references: 'real', days: 'booked', payers: true, endToEndIds: true };

/** Entries `from` to `to` of the bank's, the last one not included. */
export interface Telling {
  readonly from: number;
  readonly to: number;
  readonly source: Source;
  readonly seed: number;
}

const entry = fc.record({
  amount: fc.constantFrom(1n, 2n, 5n, 5n, -1n, -5n, 10n, -10n),
  payer: fc.constantFrom('A', 'B', 'C'),
  endToEndId: fc.constantFrom(null, null, 'X', 'Y', 'Z'),
});
export const story: fc.Arbitrary<readonly True[]> = fc
  .array(fc.array(entry, { maxLength: 4 }), { minLength: DAYS, maxLength: DAYS })
  .map((days) => days.flatMap((entries, day) => entries.map((each) => ({ ...each, day }))));
export const sources: fc.Arbitrary<Source> = fc.record({
  references: fc.constantFrom('real', 'real', 'own', 'none', 'NONREF', 'some'),
  days: fc.constantFrom('booked', 'booked', 'booked', 'shifted', 'some', 'none'),
  payers: fc.boolean(),
  endToEndIds: fc.boolean(),
});

export const sumOf = (entries: readonly { readonly amount: bigint }[]): bigint =>
  entries.reduce((sum, { amount }) => sum + amount, 0n);

/** Days with all their entries. */
export const ofDays = (truth: readonly True[], first: number, last: number): Pick<Telling, 'from' | 'to'> => {
  const until = (day: number) => truth.filter((each) => each.day < day).length;
  return { from: until(first), to: until(last + 1) };
};

/** Numbers that look random, the same for a seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What a statement says. With the first and the last day that it covers. */
export function reportedOf(
  truth: readonly True[],
  { from, to, source, seed }: Telling,
  opening: bigint,
  [first, last]: readonly [number, number],
): Reported & { readonly truths: readonly number[] } {
  const random = randomOf(seed);
  const truths = Array.from({ length: to - from }, (_, at) => from + at);
  for (let at = truths.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [truths[at], truths[other]] = [truths[other] as number, truths[at] as number];
  }
  const said = truths.map((at) => likenessOf(truth[at] as True, at, source, random));
  const begin = opening + sumOf(truth.slice(0, from));
  const closing = begin + sumOf(truth.slice(from, to));
  return { span: { startsOn: dayOf(first), closedOn: dayOf(last), opening: begin, closing }, entries: said, truths };
}

function likenessOf(each: True, at: number, source: Source, random: (below: number) => number): Likeness {
  const real = `R${at}`;
  const reference = { real, own: `P${at * 7}`, none: null, NONREF: 'NONREF', some: random(2) === 0 ? real : 'R0' };
  const day = { booked: each.day, shifted: each.day + 1, some: each.day + random(3) - 1, none: null }[source.days];
  return {
    amount: each.amount,
    day: day === null ? null : dayOf(day),
    reference: saidOf(reference[source.references]),
    endToEndId: source.endToEndIds ? each.endToEndId : null,
    account: source.payers ? each.payer : null,
    named: null,
  };
}

export type Rule = (reported: Reported, books: Books) => Verdict;
type Statement = ReturnType<typeof reportedOf>;

/** What was booked: by a rule, and what waits decided again whenever something is booked. */
export class Ledger {
  readonly spans: (BookedSpan & { readonly truths: readonly number[] })[] = [];
  readonly entries: (KnownEntry & { readonly truth: number })[] = [];
  parked: Statement[] = [];
  readonly #rule: Rule;

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  tell(statement: Statement): void {
    this.parked.push(statement);
    for (let isDone = false; !isDone; ) {
      const booked = this.parked.find((each) => this.#take(each));
      this.parked = this.parked.filter((each) => each !== booked);
      isDone = booked === undefined;
    }
  }

  /** Booked by statements that share a day with one of `spans` and not with the one that is reported. */
  #behind({ span }: Statement, spans: readonly BookedSpan[]): readonly KnownEntry[] {
    const ids = new Set(
      this.spans
        .filter((each) => !shareDays(each, span) && spans.some((one) => shareDays(one, each)))
        .map(({ id }) => id),
    );
    return this.entries.filter(({ statement }) => ids.has(statement));
  }

  #take(reported: Statement): boolean {
    const { span } = reported;
    const spans = this.spans.filter((each) => shareDays(each, span));
    const ids = new Set(spans.map(({ id }) => id));
    const verdict = this.#rule(reported, {
      spans,
      entries: this.entries.filter(({ statement }) => ids.has(statement)),
      behind: this.#behind(reported, spans),
    });
    if (!verdict.isCertain) return false;
    const id = `bs${this.spans.length}`;
    this.spans.push({ ...span, id, entriesCount: reported.entries.length, truths: reported.truths });
    for (const at of verdict.reading.added) {
      this.entries.push({ ...(reported.entries[at] as Likeness), statement: id, truth: reported.truths[at] as number });
    }
    return true;
  }
}

/** Amounts, and whom they name, each as often as there. */
export const counted = (all: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
};
