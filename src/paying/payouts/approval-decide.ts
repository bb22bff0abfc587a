/**
 * Decisions of the second person on held payouts: approve, reject, one by one, many or a whole batch. Who that may be:
 * `core/approvals.ts`. Pure. What is held: `rules.ts`.
 */
import type { Actor } from '../../core/actor.ts';
import { makersOfPayout, outdated, unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { cancelHeld, planned } from './decide.ts';
import type { Payout, Release } from './fields.ts';
import { fingerprintOf, fingerprintOfHeld } from './fingerprints.ts';
import { judgeAgain } from './rules.ts';

interface Approve<T extends string> {
  readonly type: T;
  readonly settlementDelayMs: number | null;
}

interface Reject<T extends string> {
  readonly type: T;
  readonly reason: string | null;
}

type OfPayout = { readonly payout: string };
type OfBatch = { readonly batch: string };
/** Who approves, where it is not who asks: whom a test helper stands for. */
type As = { readonly as?: Actor };
/** What the approver has seen. `null`: a test helper approves whatever is there. */
type Seen = { readonly fingerprint: string | null };
/** What proves that a passkey signed what its person saw; `null` or left out: nothing does. */
type Proven = { readonly proof?: string | null | undefined };
type HeldPayout = Payout & { readonly release: Release };

/**
 * The last approval makes it free to leave. Refuses `approval_outdated`, `payout_not_held`, what `unfitApprover` refuses, `limit_exceeded` and
 * `rate_unavailable`: then it stays held.
 */
export function approvePayout(
  draft: Draft,
  command: Approve<'approve_payout'> & OfPayout & Seen & As & Proven,
): Payout | Refusal {
  const { payout: id, fingerprint } = command;
  const payout = findHeld(draft, id);
  if (isRefusal(payout)) return payout;
  if (fingerprint !== null && fingerprint !== fingerprintOf(payout)) return outdated(`Payout ${id}`);
  return approve(draft, payout, command);
}

/** A payout, and the fingerprint of what the approver saw of it. */
export interface SeenPayout {
  readonly id: string;
  readonly fingerprint: string;
}

/**
 * All of them or none, each as it would be approved by itself after those before it. Refuses what a single one is refused for, with the
 * row in `param`. No payout may stand in it twice.
 */
export function approvePayouts(
  draft: Draft,
  { payouts, ...rest }: Approve<'approve_payouts'> & Proven & { readonly payouts: readonly SeenPayout[] },
): Decision {
  let approvedCount = 0;
  for (const [index, { id, fingerprint }] of payouts.entries()) {
    const after = approvePayout(draft, { ...rest, type: 'approve_payout', payout: id, fingerprint });
    if (isRefusal(after)) return ofRow(after, index);
    if (after.release?.status === 'approved') approvedCount += 1;
  }
  const { id } = draft.state.environment;
  return { object: 'payout_approval', id, approvedCount, heldCount: payouts.length - approvedCount };
}

const ofRow = ({ details, ...rest }: Refusal, index: number): Refusal => ({
  ...rest,
  details: { ...details, param: `payouts[${index}][${details.param ?? 'id'}]` },
});

/** Refuses `payout_not_held`; a reject is a cancel with a reason. */
export function rejectPayout(draft: Draft, { payout: id, reason }: Reject<'reject_payout'> & OfPayout): Decision {
  const payout = findHeld(draft, id);
  return isRefusal(payout) ? payout : reject(draft, payout, reason);
}

/**
 * All held payouts of the batch, or none. Those that the approver's family approved by themselves count as approved. Refuses what a single
 * one is refused for.
 */
export function approvePayoutBatch(
  draft: Draft,
  {
    batch: id,
    fingerprint,
    settlementDelayMs,
    proof,
  }: Approve<'approve_payout_batch'> & OfBatch & Proven & { readonly fingerprint: string },
): Decision {
  const batch = draft.find('payout_batch', id);
  if (batch && fingerprint !== fingerprintOfHeld(draft.payoutsOf(id))) return outdated(`Batch ${id}`);
  return overBatch(draft, id, (payout) => approve(draft, payout, { settlementDelayMs, proof }));
}

export function rejectPayoutBatch(draft: Draft, command: Reject<'reject_payout_batch'> & OfBatch): Decision {
  return overBatch(draft, command.batch, (payout) => reject(draft, payout, command.reason));
}

function overBatch(draft: Draft, id: string, act: (payout: HeldPayout) => Payout | Refusal): Decision {
  if (!draft.find('payout_batch', id)) return missing('payout batch', id);
  const held = draft.payoutsOf(id).filter(isHeld);
  if (held.length === 0)
    return refusal('payout_not_held', `No payout of batch ${id} is held, so there is nothing to approve or reject.`);
  const done = held.map(act);
  const refused = done.filter(isRefusal);
  const stopping = refused.find(({ code }) => code !== 'approval_repeated');
  if (stopping ?? refused.length === held.length) return stopping ?? (refused[0] as Refusal);
  return draft.find('payout_batch', id) ?? missing('payout batch', id);
}

const isHeld = (payout: Payout): payout is HeldPayout =>
  payout.status === 'pending' && payout.release?.status === 'held';

function findHeld(draft: Draft, id: string): HeldPayout | Refusal {
  const payout = draft.find('payout', id);
  if (!payout) return missing('payout', id);
  if (isHeld(payout)) return payout;
  const { status, release } = payout;
  const state = release?.status ?? 'not held';
  const message = `Payout ${id} is ${status} and ${state}; only a held one can be approved or rejected.`;
  return refusal('payout_not_held', message, { current_status: status });
}

function approve(
  draft: Draft,
  payout: HeldPayout,
  { settlementDelayMs, as: approver = draft.actor, proof }: Pick<Approve<never>, 'settlementDelayMs'> & As & Proven,
): Payout | Refusal {
  const { release } = payout;
  const asked = { what: `Payout ${payout.id}`, by: makersOfPayout(payout), approvals: release.approvals };
  const unfit = unfitApprover(draft, asked, approver);
  if (unfit) return unfit;
  const proven = typeof proof === 'string' && { proof };
  const approvals = [...release.approvals, { by: approver, at: draft.atMs, ...proven }];
  const isLast = approvals.length >= release.approvalsRequired;
  const judged: Payout = { ...payout, release: { ...release, approvals, status: isLast ? 'approved' : 'held' } };
  const counted = isLast ? judgeAgain(draft, judged) : null;
  if (counted !== null && isRefusal(counted)) return counted;
  const after: Payout = isLast ? { ...judged, ...counted, ...planned(draft, judged, settlementDelayMs) } : judged;
  const counts = { approvals: approvals.length, required: release.approvalsRequired };
  draft.audit('payout.approved', payout.id, { ...counts, ...proven });
  return draft.update(after, isLast ? 'payout.approved' : 'payout.updated');
}

function reject(draft: Draft, payout: HeldPayout, reason: string | null): Payout | Refusal {
  const rejection = { by: draft.actor, at: draft.atMs, reason };
  const rejected: Payout = { ...payout, release: { ...payout.release, status: 'rejected', rejection } };
  draft.audit('payout.rejected', payout.id, { reason });
  draft.emit('payout.rejected', rejected);
  return cancelHeld(draft, rejected);
}
