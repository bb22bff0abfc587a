/** The decision that changes a payout: metadata always, its text and its day while it is pending. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { mergeMetadata } from '../../core/metadata.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { checkPlannedDay, planned } from './decide.ts';
import type { Payout } from './fields.ts';

const CHANGING = ['reference', 'scheduledFor'] as const;

export interface UpdatePayout extends Given<Payout, 'metadata' | (typeof CHANGING)[number]> {
  readonly type: 'update_payout';
  readonly payout: string;
  /** As in `create_payout`: a payout with a new day is planned anew. */
  readonly settlementDelayMs: number | null;
}

/** Refuses `resource_missing`, `metadata_invalid`, `payout_state_invalid` and `scheduled_for_invalid`. */
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
  if (changed.scheduledFor === payout.scheduledFor) return update(draft, payout, changed, previous, 'payout.updated');
  const misplanned = checkPlannedDay(changed.scheduledFor, draft.atMs);
  if (misplanned) return misplanned;
  // One that is held or waits has no day of its first step yet.
  if (payout.status === 'waiting') return update(draft, payout, changed, previous, 'payout.updated');
  const isPlanned = payout.dueAt !== null;
  const plan = isPlanned ? planned(draft, changed, command.settlementDelayMs) : { dueAt: null };
  return update(draft, payout, { ...changed, ...plan }, previous, 'payout.updated');
}
