/** Why the server would refuse an approval, as far as the page knows. Pure. A key of the person's own it cannot know: the server says it. */
import type { Payout } from '../../../client/src/generated/types.ts';

export interface Approver {
  /** The user, as `created_by` names it. */
  readonly id: string;
  readonly mayApprove: boolean;
  /** Whether a third person has confirmed it. */
  readonly isConfirmed: boolean;
}

/** `null`: it may be tried. */
export function unfitToApprove(
  { created_by: maker, release }: Pick<Payout, 'created_by' | 'release'>,
  { id, mayApprove, isConfirmed }: Approver,
): string | null {
  if (!mayApprove) return 'Your role may not approve.';
  if (!isConfirmed) return 'You may approve once a third person has confirmed you, on your page under People.';
  if (maker === id) return 'You asked for it. Somebody else has to approve it.';
  if (release?.changed_by.includes(id) === true) return 'You changed it. Somebody else has to approve it.';
  if (release?.approvals.some(({ actor }) => actor === id) === true) return 'You have approved it already.';
  return null;
}
