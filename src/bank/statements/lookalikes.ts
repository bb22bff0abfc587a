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

/** Whether each entry of a page was `booked` before. A booking is taken for one entry, for an equal one if there is one. */
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
  for (const [at, mark] of entries.entries()) {
    if (left.size === 0) break;
    if (known[at]) continue;
    for (const other of left) {
      if (!mayBeOne(mark, booked[other] as Mark)) continue;
      left.delete(other);
      known[at] = true;
      break;
    }
  }
  return known;
}

const keyOf = ({ endToEndId, account }: Mark): string => JSON.stringify([endToEndId, account]);

const mayBeOne = (one: Mark, other: Mark): boolean =>
  (one.endToEndId === null || other.endToEndId === null || one.endToEndId === other.endToEndId) &&
  (one.account === null || other.account === null || one.account === other.account);
