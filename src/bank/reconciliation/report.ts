/**
 * The reconciliation of a bank account for a month: what the bank had, what came, where it went, and what proves it. A past month stays
 * the same for ever, unless a file about it comes late, because entries count by their booking days (decision 0059). Amounts are minor
 * units. Pure. What is read: `fields.ts`, `sql.ts`; on the wire: `schema.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { DAY_MS } from '../../core/values/time.ts';
import type { Counted, Figures, Month, Sides, UnderWay } from './fields.ts';

/** The places of money. Every report has all of them, in this order. */
export const PLACES = ['accounts', 'payments', 'expected_payments', 'payouts', 'bank_accounts', 'fees', 'fx'] as const;

/** Whole days since payouts have left; the last one has no end. */
export const AGES = [
  { fromDays: 0, toDays: 1 },
  { fromDays: 2, toDays: 3 },
  { fromDays: 4, toDays: 7 },
  { fromDays: 8, toDays: 30 },
  { fromDays: 31, toDays: null },
] as const;

export const PROOF_STATES = ['ok', 'failed', 'gap', 'drift', 'incomplete', 'none'] as const;

export interface Report extends Omit<Figures, 'booked' | 'places'> {
  readonly bankAccount: string;
  readonly livemode: boolean;
  /** `2026-11`. */
  readonly month: string;
  readonly of: Month;
  readonly places: readonly (Sides & { readonly place: (typeof PLACES)[number] })[];
  readonly inTransit: Counted & { readonly ages: readonly (Counted & (typeof AGES)[number])[] };
  readonly proof: (typeof PROOF_STATES)[number];
}

export function reportOf(
  { bankAccount, livemode, of }: Pick<Report, 'bankAccount' | 'livemode' | 'of'>,
  { booked, places, ...figures }: Figures,
  underWay: readonly UnderWay[],
): Report {
  const known: readonly string[] = PLACES;
  for (const place of places.keys()) assert(known.includes(place), `${place} is a place of reconciliations`);
  return {
    bankAccount,
    livemode,
    month: of.firstDay.slice(0, 7),
    of,
    ...figures,
    places: PLACES.map((place) => ({ place, ...(places.get(place) ?? { in: 0n, out: 0n }) })),
    inTransit: inTransitOf(underWay, booked, of.untilMs),
    proof: proofOf(figures),
  };
}

/** A payout has arrived at the bank's books with its own debit, or with that of its whole file. */
function inTransitOf(underWay: readonly UnderWay[], booked: ReadonlySet<string>, untilMs: number): Report['inTransit'] {
  const left = underWay.filter(({ payout, file, isPaid }) => !booked.has(payout) && !(isPaid && booked.has(file)));
  const ages = AGES.map((age) => {
    const { fromDays, toDays } = age;
    const isOf = ({ departedMs }: UnderWay): boolean => {
      const days = Math.floor((untilMs - departedMs) / DAY_MS);
      return days >= fromDays && (toDays === null || days <= toDays);
    };
    return { ...age, ...counted(left.filter(isOf)) };
  });
  return { ...counted(left), ages };
}

const counted = (all: readonly UnderWay[]): Counted => ({
  count: all.length,
  amount: all.reduce((sum, { amount }) => sum + amount, 0n),
});

/** The worst first. */
function proofOf({ failed, gaps, provedAtEnd, behind }: Omit<Figures, 'booked' | 'places'>): Report['proof'] {
  if (failed > 0) return 'failed';
  if (gaps > 0) return 'gap';
  if (provedAtEnd === null) return 'none';
  if (provedAtEnd.closing !== provedAtEnd.ledger) return 'drift';
  return behind > 0 ? 'incomplete' : 'ok';
}
