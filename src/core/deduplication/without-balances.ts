/**
 * The plan of a message without balances, which proves nothing: an entry like one of another message waits for a person, unless a reference of
 * the bank tells which it is. Pure. Who asks: `plan.ts`.
 */
import { type Booked, isOtherPage, NOTHING, type Plan, placesOf, type Reported } from './outline.ts';
import { type Likeness, pairsOf } from './pairs.ts';
import { Positions } from './positions.ts';
import { spelledAs } from './spellings.ts';

/** Without balances: by what each entry says. Within a message, and on pages of a statement, equal entries are bookings of their own. */
export function planByLikeness(reported: Reported, books: readonly Booked[]): Plan {
  const { document, messageInFile } = reported;
  const isOwn = (each: Booked): boolean => each.document === document && each.messageInFile === messageInFile;
  const others = books.filter((each) => !isOwn(each) && !isOtherPage(each, reported));
  const entries = spelledAs(reported.entries, others);
  const taken = new Set<number>();
  const known = new Set<number>();
  /** The same reference on another day: banks begin their numbers anew, and days differ between booking and value. */
  const doubted = new Set<number>();
  for (const [at, pair] of pairsOf(entries, others, ['reference'])) {
    const { day } = entries[at] as Likeness;
    if (day === others[pair.known]?.day) {
      known.add(at);
      taken.add(pair.known);
    } else doubted.add(at);
  }
  /** Two statements of a message may have equal entries, but hardly with one reference: a report may go on where the last one ended. */
  const beside = books.filter((each) => isOwn(each) && each.series !== reported.series);
  for (const [at, pair] of pairsOf(entries, beside, ['reference'])) {
    if (entries[at]?.day === beside[pair.known]?.day) doubted.add(at);
  }
  const left = new Set(others.flatMap((each, at) => (taken.has(at) ? [] : keysOf(each))));
  const added: number[] = [];
  const waiting: number[] = [];
  for (const [at, each] of entries.entries()) {
    if (known.has(at)) continue;
    const mayBeKnown = doubted.has(at) || lookedFor(each).some((key) => left.has(key));
    (mayBeKnown ? waiting : added).push(at);
  }
  const doubtful = placesOf(waiting);
  const readings = waiting.length === 0 ? [] : [doubtful, Positions.NONE];
  return { ...NOTHING, added: placesOf(added), waiting: doubtful, readings };
}

const ANY = '*';
const keyOf = ({ amount }: Likeness, ...marks: readonly (string | null)[]): string =>
  JSON.stringify([String(amount), ...marks]);
const combined = (
  days: readonly (string | null)[],
  ids: readonly (string | null)[],
  accounts: readonly (string | null)[],
) => days.flatMap((day) => ids.flatMap((id) => accounts.map((account) => [day, id, account] as const)));

/** An entry stands under what it says, and under each part of it. */
const keysOf = (each: Likeness): readonly string[] =>
  combined([each.day, ANY], [each.endToEndId, ANY], [each.account, ANY]).map((marks) => keyOf(each, ...marks));

/** What is not said may be anything: with the same amount and sign, nothing that both say differs. */
const lookedFor = (each: Likeness): readonly string[] => {
  const [days, ids, accounts] = [each.day, each.endToEndId, each.account].map((mark) =>
    mark === null ? [ANY] : [mark, null],
  );
  return combined(days ?? [], ids ?? [], accounts ?? []).map((marks) => keyOf(each, ...marks));
};
