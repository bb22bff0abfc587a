/**
 * Two entries of one day, amount, sign and reference may be one booking that is reported twice, or two bookings. Different end-to-end ids
 * or accounts of the other side are different bookings. The rest is counted. Pure.
 */
import type { Explanation } from './fields.ts';

export type Mark = Pick<Explanation, 'endToEndId' | 'account'>;

export const markOf = ({ endToEndId, account }: Mark): Mark => ({
  endToEndId: endToEndId === 'NOTPROVIDED' ? null : endToEndId,
  account,
});

/**
 * The marks of a page by the identity of its entries, in its order. Each is kept as two short texts, because a statement may have
 * millions: 0.5 GB for 1.5 million entries, where objects took 0.85.
 */
export class Lookalikes {
  /** A mark as JSON, or those of several entries. */
  readonly #marks = new Map<string, string | Mark[]>();
  /** Of those that several entries have. */
  readonly #counts = new Map<string, number>();

  add(identity: string, mark: Mark): void {
    const key = keyed(identity);
    const known = this.#marks.get(key);
    if (known === undefined) this.#marks.set(key, keyOf(mark));
    else if (typeof known === 'string') this.#marks.set(key, [markIn(known), mark]);
    else known.push(mark);
  }

  /** Of the next entry with this identity: all that have it, and its place among them. */
  next(identity: string): { readonly lookalikes: readonly Mark[]; readonly occurrence: number } {
    const key = keyed(identity);
    const known = this.#marks.get(key) ?? [];
    if (typeof known === 'string') return { lookalikes: [markIn(known)], occurrence: 1 };
    const occurrence = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, occurrence);
    return { lookalikes: known, occurrence };
  }
}

/** Two hex digits in a character. */
const keyed = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');

const markIn = (text: string): Mark => {
  const [endToEndId, account] = JSON.parse(text) as [string | null, string | null];
  return { endToEndId, account };
};

/**
 * Whether each entry of a page was `booked` before. A booking is taken for one entry, for an equal one if there is one. Anybody can send ten
 * thousand equal payments on a day, so the work grows with their number, not with its square.
 */
export function knownOf(entries: readonly Mark[], booked: readonly Mark[]): readonly boolean[] {
  const free = new Map<string, number[]>();
  const left = new Set(booked.keys());
  for (const [at, mark] of booked.entries()) {
    const same = free.get(keyOf(mark));
    if (same) same.push(at);
    else free.set(keyOf(mark), [at]);
  }
  const known = entries.map((mark) => {
    const at = free.get(keyOf(mark))?.pop();
    if (at !== undefined) left.delete(at);
    return at !== undefined;
  });
  const queues = queuesOf(booked, left);
  for (const [at, mark] of entries.entries()) {
    if (left.size === 0) break;
    if (known[at]) continue;
    const other = Math.min(...mayBe(mark).map((key) => firstLeft(queues.get(key), left)));
    known[at] = left.delete(other);
  }
  return known;
}

/** Places of bookings, in order; `from`: those before it are taken. */
interface Queue {
  readonly places: number[];
  from: number;
}

/** What is not said may be anything: a booking stands under what it says, under each half of it, and among all. */
function queuesOf(booked: readonly Mark[], left: ReadonlySet<number>): ReadonlyMap<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const at of left) {
    const { endToEndId, account } = booked[at] as Mark;
    for (const key of [keyOf({ endToEndId, account }), ...halvesOf({ endToEndId, account }), ALL]) {
      const queue = queues.get(key);
      if (queue) queue.places.push(at);
      else queues.set(key, { places: [at], from: 0 });
    }
  }
  return queues;
}

const ALL = 'all';
const halvesOf = ({ endToEndId, account }: Mark) => [JSON.stringify({ endToEndId }), JSON.stringify({ account })];

/** The keys of the bookings that an entry may be. */
function mayBe({ endToEndId, account }: Mark): readonly string[] {
  if (endToEndId === null && account === null) return [ALL];
  if (endToEndId === null) return [account, null].map((each) => JSON.stringify({ account: each }));
  if (account === null) return [endToEndId, null].map((each) => JSON.stringify({ endToEndId: each }));
  return [endToEndId, null].flatMap((id) => [account, null].map((each) => keyOf({ endToEndId: id, account: each })));
}

function firstLeft(queue: Queue | undefined, left: ReadonlySet<number>): number {
  if (queue === undefined) return Number.POSITIVE_INFINITY;
  while (queue.from < queue.places.length && !left.has(queue.places[queue.from] as number)) queue.from += 1;
  return queue.places[queue.from] ?? Number.POSITIVE_INFINITY;
}

const keyOf = ({ endToEndId, account }: Mark): string => JSON.stringify([endToEndId, account]);
