/** The state of a payout in words. What waits for a person says so, though the payout is `pending` like others. */
import type { Payout } from '../../../client/src/generated/types.ts';
import type { StateWords } from './state.tsx';

export const PAYOUT_STATES: Readonly<Record<Payout['status'], StateWords>> = {
  waiting: { mark: 'wait', word: 'Waits for money' },
  pending: { mark: 'wait', word: 'Pending' },
  in_transit: { mark: 'going', word: 'On its way' },
  paid: { mark: 'done', word: 'Paid' },
  failed: { mark: 'bad', word: 'Failed' },
  canceled: { mark: 'off', word: 'Canceled' },
  returned: { mark: 'bad', word: 'Returned' },
};

export const isHeld = ({ status, release }: Pick<Payout, 'status' | 'release'>): boolean =>
  status === 'pending' && release?.status === 'held';

export function payoutState(payout: Pick<Payout, 'status' | 'release' | 'scheduled_on'>): StateWords {
  if (isHeld(payout)) return { mark: 'wait', word: 'Needs approval' };
  if (payout.status === 'canceled' && payout.release?.status === 'rejected') return { mark: 'off', word: 'Rejected' };
  if (payout.status === 'pending' && payout.scheduled_on !== null) return { mark: 'wait', word: 'Scheduled' };
  return PAYOUT_STATES[payout.status];
}

/** A state of a search hit or another word of the API: known ones as above, others as they are. */
export const stateOf = (status: string): StateWords =>
  (PAYOUT_STATES as Readonly<Record<string, StateWords>>)[status] ?? OTHERS[status] ?? { mark: 'off', word: status };

const OTHERS: Readonly<Record<string, StateWords>> = {
  open: { mark: 'done', word: 'Open' },
  closed: { mark: 'off', word: 'Closed' },
  active: { mark: 'done', word: 'Active' },
  archived: { mark: 'off', word: 'Archived' },
  redacted: { mark: 'off', word: 'Erased' },
  succeeded: { mark: 'done', word: 'Succeeded' },
  completed: { mark: 'done', word: 'Completed' },
  processing: { mark: 'going', word: 'Processing' },
  partially_paid: { mark: 'wait', word: 'Partly paid' },
  overpaid: { mark: 'done', word: 'Overpaid' },
  refunded: { mark: 'off', word: 'Refunded' },
  overdue: { mark: 'bad', word: 'Overdue' },
  expired: { mark: 'off', word: 'Expired' },
  held: { mark: 'wait', word: 'Needs approval' },
  parked: { mark: 'wait', word: 'Put aside' },
  enabled: { mark: 'done', word: 'Enabled' },
  disabled: { mark: 'off', word: 'Disabled' },
};

const HOLDS: Readonly<Record<string, string>> = {
  new_recipient: 'The recipient is new.',
  changed_recipient: 'The name or the bank details of the recipient changed lately.',
};

/** Why a rule holds it, each reason once. */
export function holdsInWords(reasons: readonly string[]): string {
  const words = reasons.map((reason) => HOLDS[reason] ?? 'It goes beyond a limit.');
  return [...new Set(words)].join(' ');
}
