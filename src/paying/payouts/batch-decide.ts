/**
 * The decision that cancels what is still pending of a payout batch; what has left stays. Each payout is decided on under the
 * environment's lock, so of a cancel and a step of the bank exactly one wins. Pure.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { type CancelPayout, cancelPayout } from './decide.ts';
import type { PayoutBatch } from './fields.ts';

export interface CancelPayoutBatch {
  readonly type: 'cancel_payout_batch';
  readonly batch: string;
}

/** Refuses `payout_not_cancelable` where no payout is pending, and what a single cancel is refused for: then all stay. */
export function cancelPayoutBatch(draft: Draft, { batch: id }: CancelPayoutBatch): Decision {
  const batch = draft.find('payout_batch', id);
  if (!batch) return missing('payout batch', id);
  const pending = draft.payoutsOf(id).filter(({ status }) => status === 'pending' || status === 'waiting');
  if (pending.length === 0) {
    const message = `Payout batch ${id} is ${batch.status}; none of its payouts is waiting or pending.`;
    return refusal('payout_not_cancelable', message, { current_status: batch.status, allowed: ['waiting', 'pending'] });
  }
  for (const { id: payout } of pending) {
    const command: CancelPayout = { type: 'cancel_payout', payout };
    const canceled = cancelPayout(draft, command);
    if (isRefusal(canceled)) return canceled;
  }
  const after = draft.find('payout_batch', id) as PayoutBatch;
  const canceledCount = pending.length;
  const keptCount = batch.payoutsCount - canceledCount;
  return { object: 'payout_batch_cancellation', id, batch: after, canceledCount, keptCount };
}
