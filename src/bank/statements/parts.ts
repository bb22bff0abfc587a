/** Parts of entries: where the money of an entry went. */
import type { Draft } from '../../core/draft.ts';
import { type Assignment, type BankEntry, unassigned } from './fields.ts';

/** A part of an entry that found its place; or why it found none. */
export type Part = Pick<Assignment, 'to' | 'amount' | 'transfer'> & Partial<Pick<Assignment, 'reason'>>;
export interface Found {
  readonly parts: readonly Part[];
  readonly conflicts: readonly string[];
}

/** The entry with one more part. */
export function withPart(
  draft: Draft,
  entry: BankEntry,
  part: Pick<Assignment, 'to' | 'amount' | 'transfer' | 'reason'>,
): BankEntry {
  const by = { by: draft.actor ?? 'worker', at: draft.atMs, undoneBy: null };
  const assignments = [...entry.assignments, { ...part, ...by }];
  return { ...entry, assignments, status: unassigned({ ...entry, assignments }) === 0n ? 'matched' : 'unmatched' };
}

type TransferMade = Extract<Draft['changes'][number], { readonly kind: 'transfer' }>;

/** The transfer that moved a payout last. */
export function lastTransfer(draft: Draft, causeId: string): string {
  const moved = draft.changes.findLast((change) => change.kind === 'transfer' && change.transfer.causeId === causeId);
  return (moved as TransferMade).transfer.id;
}
