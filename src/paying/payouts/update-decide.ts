/** The decision that changes a payout: metadata always, its text and its day while it is pending. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { giveBackShares } from '../../core/limits.ts';
import { mergeMetadata } from '../../core/metadata.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { checkPlannedDay, isHeld, planned } from './decide.ts';
import type { Payout } from './fields.ts';
import { judgeAgain } from './rules.ts';

const CHANGING = ['reference', 'scheduledFor'] as const;

export interface UpdatePayout extends Given<Payout, 'metadata' | (typeof CHANGING)[number]> {
  readonly type: 'update_payout';
  readonly payout: string;
  /** As in `create_payout`: a payout with a new day is planned anew. */
  readonly settlementDelayMs: number | null;
}

/** Refuses `resource_missing`, `metadata_invalid`, `payout_state_invalid`, `scheduled_for_invalid` and `limit_exceeded`. */
export function updatePayout(draft: Draft, command: UpdatePayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return missing('payout', command.payout);
  const metadata = mergeMetadata(payout.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const changed = withGiven({ ...payout, metadata }, command, CHANGING);
  const previous = previousOf(payout, changed, CHANGING);
  const [first] = Object.keys(previous);
  if (first !== undefined && payout.status !== 'pending' && payout.status !== 'waiting') {
    const message = `Payout ${payout.id} is ${payout.status}; its ${first} can be changed only while it is pending.`;
    return refusal('payout_state_invalid', message, {
      param: first,
      current_status: payout.status,
      allowed: ['waiting', 'pending'],
    });
  }
  const isMoved = changed.scheduledFor !== payout.scheduledFor;
  const misplanned = isMoved ? checkPlannedDay(changed.scheduledFor, draft.atMs) : null;
  if (misplanned) return misplanned;
  // A held or waiting payout has no day of its first step yet, and counts on none.
  if (!isMoved || payout.status === 'waiting' || isHeld(payout)) {
    return update(draft, payout, changed, previous, 'payout.updated');
  }
  giveBackShares(draft, payout.shares);
  const verdict = judgeAgain(draft, { ...changed, shares: null });
  if (isRefusal(verdict)) return verdict;
  const judged = { ...changed, ...verdict };
  const isPlanned = payout.dueAt !== null || isHeld(judged);
  const after = isPlanned ? { ...judged, ...planned(draft, judged, command.settlementDelayMs) } : judged;
  update(draft, payout, after, previous, 'payout.updated');
  if (isHeld(after)) draft.emit('payout.held', after);
  return after;
}
