/** The story of a payout as entries of a timeline: from its history, or from its own members where the server has no history. */
import type { Payout } from '../../../../client/src/generated/types.ts';
import type { HistoryEntry } from '../../api/shapes.ts';
import type { Mark } from '../../ui/state.tsx';

const MARKS: Readonly<Record<string, Mark>> = {
  held: 'wait',
  sent: 'going',
  failed: 'bad',
  returned: 'bad',
  delivery: 'bad',
  rejected: 'off',
  canceled: 'off',
};

export const markOf = (kind: string): Mark => MARKS[kind] ?? 'done';

export function storyOf(payout: Payout): readonly HistoryEntry[] {
  const entry = (at: number | null | undefined, kind: string, text: string, actor: string | null = null) =>
    at === null || at === undefined ? [] : [{ at, kind, text, actor, actor_name: null, refs: {} }];
  const { release } = payout;
  return [
    ...entry(payout.created, 'created', 'Created', payout.created_by),
    ...(release === null ? [] : entry(payout.created, 'held', 'Held for approval')),
    ...(release?.approvals ?? []).flatMap(({ actor, at }) => entry(at, 'approved', 'Approved', actor ?? null)),
    ...entry(release?.rejection?.at, 'rejected', 'Rejected', release?.rejection?.actor ?? null),
    ...entry(payout.in_transit_at, 'sent', 'Sent to the bank'),
    ...entry(payout.accepted_at, 'bank', 'Accepted by the bank'),
    ...entry(payout.ended_at, payout.status, ENDS[payout.status] ?? 'Ended'),
  ].toSorted((a, b) => a.at - b.at);
}

const ENDS: Readonly<Record<string, string>> = {
  paid: 'Paid',
  failed: 'Failed',
  returned: 'Came back',
  canceled: 'Canceled',
};
