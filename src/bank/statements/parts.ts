/** Parts of entries: where the money of an entry went, or may go. Pure. */
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import type { Taken } from '../../paying/payouts/facts-decide.ts';
import { type Assignment, type BankEntry, unassigned } from './fields.ts';

export type Part = Pick<Assignment, 'to' | 'amount' | 'transfer'> & Partial<Pick<Assignment, 'reason'>>;
/** Parts of an entry that found their places, or why they found none. */
export interface Found {
  readonly parts: readonly Part[];
  readonly conflicts: readonly string[];
}
export const NOWHERE: Found = { parts: [], conflicts: [] };

export function withPart(draft: Draft, entry: BankEntry, part: Required<Part>): BankEntry {
  const by = { by: draft.actor ?? 'worker', at: draft.atMs, undoneBy: null };
  const assignments = [...entry.assignments, { ...part, ...by }];
  return { ...entry, assignments, status: unassigned({ ...entry, assignments }) === 0n ? 'matched' : 'unmatched' };
}

export const isVoided = ({ id, status }: BankEntry): Refusal =>
  refusal('bank_entry_voided', `Entry ${id} is voided. Un-void it first.`, { current_status: status });

/** Two entries about a payout close each other: both lie in `unmatched`, so that no money moves. `to`: the other one. */
export const closing = (to: string, amount: bigint, payout: string): Required<Part> => ({
  to,
  amount,
  transfer: null,
  reason: `The bank debited payout ${payout} once too often, and gave it back.`,
});

/** The payout that both entries of {@link closing} are about. */
export const payoutOfClosing = ({ reason }: Pick<Assignment, 'reason'>): string | null =>
  reason?.match(/\bpo_[0-9a-z]{26}\b/)?.[0] ?? null;

/** What became of a booking, as parts of its entry. */
export function partsOf(taken: Taken, payout: string, reason: string | null): Required<Part>[] {
  const parts = taken.closed.map(({ entry, amount }) => closing(entry, amount, payout));
  const { to } = taken;
  return to === 'payout' ? [...parts, { to: payout, amount: taken.amount, transfer: taken.transfer, reason }] : parts;
}

/** What a target must suit. `currency`, `bankAccount`: of the entry; `null` is any, or none. */
export interface BankPlace {
  readonly currency: string | null;
  readonly bankAccount: string | null;
  readonly param: string;
}

/** A target that is no account: `fees`, `fx`, another bank account. `null`: it is one. Refuses `resource_missing`, `parameter_invalid`. */
export function bankOrHouseOf(
  draft: Draft,
  to: string,
  { currency, bankAccount, param }: BankPlace,
): 'fees' | 'fx' | 'bank' | Refusal | null {
  if (to === 'fees' || to === 'fx') return to;
  if (!to.startsWith('ba_')) return null;
  const other = draft.find('bank_account', to);
  if (!other) return missing('bank account', to, param);
  // What left one bank account and has not come to the other is outside; the entry of the other brings it in.
  if (other.id !== bankAccount && (currency === null || other.currency === currency)) return 'bank';
  return refusal('parameter_invalid', `Name another bank account${currency ? `, one of ${currency}` : ''}.`, { param });
}
