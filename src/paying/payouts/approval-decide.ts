/**
 * Decisions of the second person on payouts that are held: approve, reject, one by one or a whole batch. Whoever created a payout cannot
 * approve it, nor a key that the creator has made, nor one that is younger than the payout. Pure. What is held: `rules.ts`.
 */
import { unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { fingerprintOf, type Payout } from './fields.ts';
import { cancelHeld, planned } from './decide.ts';

export interface ApprovePayout {
  readonly type: 'approve_payout';
  readonly payout: string;
  /** What the approver has seen; `undefined`: not looked at. */
  readonly fingerprint: string | undefined;
  readonly settlementDelayMs: number | null;
}

export interface RejectPayout {
  readonly type: 'reject_payout';
  readonly payout: string;
  readonly reason: string | null;
}

export interface ApprovePayoutBatch {
  readonly type: 'approve_payout_batch';
  readonly batch: string;
  readonly settlementDelayMs: number | null;
}

export interface RejectPayoutBatch {
  readonly type: 'reject_payout_batch';
  readonly batch: string;
  readonly reason: string | null;
}

export function approvePayout(draft: Draft, { payout: id, fingerprint, settlementDelayMs }: ApprovePayout): Decision {
  const payout = findHeld(draft, id);
  if (isRefusal(payout)) return payout;
  const seen = fingerprintOf(payout);
  if (fingerprint !== undefined && fingerprint !== seen) {
    const message = `Payout ${id} is not what was approved: its fingerprint is ${seen}. Look at it again.`;
    return refusal('approval_outdated', message, { param: 'fingerprint' });
  }
  return approve(draft, payout, settlementDelayMs);
}

/** Refuses `payout_not_held`; a reject is a cancel with a reason. */
export function rejectPayout(draft: Draft, { payout: id, reason }: RejectPayout): Decision {
  const payout = findHeld(draft, id);
  return isRefusal(payout) ? payout : reject(draft, payout, reason);
}

/** All held payouts of the batch, or none. Refuses what a single one is refused for, and `payout_not_held`. */
export function approvePayoutBatch(draft: Draft, { batch: id, settlementDelayMs }: ApprovePayoutBatch): Decision {
  return overBatch(draft, id, (payout) => approve(draft, payout, settlementDelayMs));
}

export function rejectPayoutBatch(draft: Draft, { batch: id, reason }: RejectPayoutBatch): Decision {
  return overBatch(draft, id, (payout) => reject(draft, payout, reason));
}

function overBatch(draft: Draft, id: string, act: (payout: Payout) => Payout | Refusal): Decision {
  if (!draft.find('payout_batch', id)) return missing('payout batch', id);
  const held = draft.payoutsOf(id).filter(isHeld);
  if (held.length === 0) return refusal('payout_not_held', `No payout of batch ${id} is held.`);
  for (const payout of held) {
    const done = act(payout);
    if (isRefusal(done)) return done;
  }
  return draft.find('payout_batch', id) ?? missing('payout batch', id);
}

const isHeld = ({ status, release }: Payout): boolean => status === 'pending' && release?.status === 'held';

function findHeld(draft: Draft, id: string): Payout | Refusal {
  const payout = draft.find('payout', id);
  if (!payout) return missing('payout', id);
  if (isHeld(payout)) return payout;
  const state = payout.release === null ? 'not held' : payout.release.status;
  return refusal(
    'payout_not_held',
    `Payout ${id} is ${payout.status} and ${state}; only a held one can be approved or rejected.`,
    {
      current_status: payout.status,
    },
  );
}

function approve(draft: Draft, payout: Payout, settlementDelayMs: number | null): Payout | Refusal {
  const { release } = payout;
  if (release === null) return payout;
  const { createdBy: by, createdAt: atMs } = payout;
  const unfit = unfitApprover(draft, { what: `Payout ${payout.id}`, by, atMs, approvals: release.approvals });
  if (unfit) return unfit;
  const approvals = [...release.approvals, { by: draft.actor, at: draft.atMs }];
  const isLast = approvals.length >= release.approvalsRequired;
  const judged: Payout = { ...payout, release: { ...release, approvals, status: isLast ? 'approved' : 'held' } };
  const after: Payout = isLast ? { ...judged, ...planned(draft, judged, settlementDelayMs) } : judged;
  draft.audit('payout.approved', payout.id, { approvals: approvals.length, required: release.approvalsRequired });
  return draft.update(after, isLast ? 'payout.approved' : 'payout.updated');
}

function reject(draft: Draft, payout: Payout, reason: string | null): Payout | Refusal {
  const { release } = payout;
  if (release === null) return payout;
  const rejected: Payout = {
    ...payout,
    release: { ...release, status: 'rejected', rejection: { by: draft.actor, at: draft.atMs, reason } },
  };
  draft.audit('payout.rejected', payout.id, { reason });
  draft.emit('payout.rejected', rejected);
  return cancelHeld(draft, rejected);
}
