/** How a standing order ends before its last day: somebody cancels it, or the person that it pays is erased. Pure. */
import type { Draft } from './draft.ts';
import type { Stored } from './objects.ts';

type StandingOrder = Stored['standing_order'];

export function cancelOrder(draft: Draft, order: StandingOrder, why: StandingOrder['canceledReason']): StandingOrder {
  const ended = { status: 'canceled', pausedReason: null, next: null, dueAt: null, endedAt: draft.atMs } as const;
  const after: StandingOrder = { ...order, ...ended, canceledReason: why };
  return draft.update(after, 'standing_order.canceled', { status: order.status, next_run_on: order.next });
}
