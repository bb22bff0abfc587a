/**
 * Decisions of the second person on what would loosen the rules of payouts: a change of them, the deletion of a limit. Pure. What waits for one:
 * `rules-decide.ts`; who that may be: `core/approvals.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { fingerprintOfChanges, fingerprintOfDeletion, type Limit } from '../../core/payout-rules.ts';
import { type Approve, approved, isLast, notHeld } from '../../core/approvals.ts';
import type { Pending } from '../../core/pending.ts';
import type { Refusal } from '../../core/values/errors.ts';
import { findLimit, putLimit, putRules, removeLimit, rulesOf } from './rules-decide.ts';

type OfLimit = { readonly limit: string };

/** The last approval makes the change. Refuses `change_not_held`, `approval_outdated`, and what `unfitApprover` refuses. */
export function approvePayoutRules(
  draft: Draft,
  command: Approve & { readonly type: 'approve_payout_rules' },
): Decision {
  const before = rulesOf(draft);
  const { pending } = before;
  if (pending === null) return notHeld('change of the payout rules');
  const seen = { pending, fingerprint: fingerprintOfChanges(before, pending) };
  const after = approved(draft, 'The change of the payout rules', seen, command);
  if (isRefusal(after)) return after;
  const { approvals, approvalsRequired: required } = after;
  draft.audit('payout_rules.change_approved', null, { approvals: approvals.length, required });
  if (!isLast(after)) return putRules(draft, before, { ...before, pending: after }, []);
  const names = Object.keys(pending.changes) as (keyof typeof pending.changes)[];
  return putRules(draft, before, { ...before, ...pending.changes, pending: null }, names);
}

/** In the audit log. */
const REJECTIONS = {
  reject_payout_rules: 'payout_rules.change_rejected',
  reject_limit_deletion: 'limit.deletion_rejected',
} as const;

/** Refuses `change_not_held`. */
export function rejectPayoutRules(draft: Draft, { type }: { readonly type: 'reject_payout_rules' }): Decision {
  const before = rulesOf(draft);
  if (before.pending === null) return notHeld('change of the payout rules');
  draft.audit(REJECTIONS[type], null);
  return putRules(draft, before, { ...before, pending: null }, []);
}

/** The last approval deletes the limit. Refuses `resource_missing`, and what `approvePayoutRules` refuses. */
export function approveLimitDeletion(
  draft: Draft,
  command: Approve & OfLimit & { readonly type: 'approve_limit_deletion' },
): Decision {
  const limit = pendingLimit(draft, command.limit);
  if (isRefusal(limit)) return limit;
  const { id, pendingDeletion: pending } = limit;
  const seen = { pending, fingerprint: fingerprintOfDeletion(id, pending) };
  const after = approved(draft, `The deletion of limit ${id}`, seen, command);
  if (isRefusal(after)) return after;
  draft.audit('limit.deletion_approved', id, { approvals: after.approvals.length, required: after.approvalsRequired });
  return isLast(after) ? removeLimit(draft, limit) : putLimit(draft, limit, { ...limit, pendingDeletion: after });
}

/** Refuses `resource_missing` and `change_not_held`. */
export function rejectLimitDeletion(
  draft: Draft,
  command: OfLimit & { readonly type: 'reject_limit_deletion' },
): Decision {
  const limit = pendingLimit(draft, command.limit);
  if (isRefusal(limit)) return limit;
  draft.audit(REJECTIONS[command.type], limit.id);
  const { pendingDeletion: _, ...after } = limit;
  return putLimit(draft, limit, after);
}

function pendingLimit(draft: Draft, id: string): (Limit & { readonly pendingDeletion: Pending }) | Refusal {
  const limit = findLimit(draft, id);
  if (isRefusal(limit)) return limit;
  const { pendingDeletion } = limit;
  return pendingDeletion === undefined ? notHeld(`deletion of limit ${id}`) : { ...limit, pendingDeletion };
}
