/**
 * What is chosen among payouts that wait: each as it was on the screen when it was chosen. One that has changed since is chosen no more, so nobody
 * approves what they have not seen. Pure.
 */
import type { Seen } from '../../api/step-up.ts';

/** Fingerprints by id. */
export type Chosen = ReadonlyMap<string, string>;

/** As many as one request takes. */
export const MOST_AT_ONCE = 1_000;

/** A payout as far as this is about it. `unfit`: why it cannot be chosen. */
export interface Choosable extends Seen {
  readonly unfit: string | null;
  readonly minor: number;
  readonly currency: string;
}

export const isChosen = (chosen: Chosen, { id, fingerprint, unfit }: Choosable): boolean =>
  unfit === null && chosen.get(id) === fingerprint;

/** Those of the rows that are chosen, in their order. */
export const chosenOf = <T extends Choosable>(chosen: Chosen, rows: readonly T[]): readonly T[] =>
  rows.filter((row) => isChosen(chosen, row)).slice(0, MOST_AT_ONCE);

export function toggled(chosen: Chosen, row: Choosable): Chosen {
  if (row.unfit !== null) return chosen;
  const next = new Map(chosen);
  if (isChosen(chosen, row)) next.delete(row.id);
  else next.set(row.id, row.fingerprint);
  return next;
}

export const all = (rows: readonly Choosable[]): Chosen =>
  new Map(
    rows
      .filter(({ unfit }) => unfit === null)
      .slice(0, MOST_AT_ONCE)
      .map(({ id, fingerprint }) => [id, fingerprint]),
  );

/** By currency, in the order of the currencies; never over currencies. */
export function sumsOf(
  rows: readonly Pick<Choosable, 'minor' | 'currency'>[],
): readonly { readonly currency: string; readonly minor: bigint }[] {
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of rows) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
  return [...sums]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
