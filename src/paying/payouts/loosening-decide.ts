/**
 * Decisions of the second person on what would loosen the rules of payouts: a change of them, the deletion of a limit. Pure. What waits for one:
 * `rules-decide.ts`; who that may be: `core/approvals.ts`.
 */
import type { Actor } from '../../core/actor.ts';
import { outdated, unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { Asked, Limit } from '../../core/payout-rules.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { fingerprintOfChanges, fingerprintOfDeletion } from './pending.ts';
import { findLimit, putLimit, putRules, removeLimit, rulesOf } from './rules-decide.ts';

interface Approve {
  /** What the approver has seen. `null`: a test helper approves whatever is there. */
  readonly fingerprint: string | null;
  /** Who approves, where it is not who asks: whom a test helper stands for. */
  readonly as?: Actor;
}
type OfLimit = { readonly limit: string };

/** The last approval makes the change. Refuses `change_not_held`, `approval_outdated`, and what `unfitApprover` refuses. */
export function approvePayoutRules(
  draft: Draft,
  command: Approve & { readonly type: 'approve_payout_rules' },
): Decision {
  const before = rulesOf(draft);
  const { pending } = before;
  if (pending === null) return notHeld('change of the payout rules');
  const what = 'The change of the payout rules';
  const asked = approved(draft, what, pending, { ...command, seen: fingerprintOfChanges(before, pending) });
  if (isRefusal(asked)) return asked;
  const { approvals, approvalsRequired: required } = asked;
  draft.audit('payout_rules.change_approved', null, { approvals: approvals.length, required });
  if (!isLast(asked)) return putRules(draft, before, { ...before, pending: { ...pending, approvals } }, []);
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
  const { id, pendingDeletion } = limit;
  const seen = fingerprintOfDeletion(id, pendingDeletion);
  const asked = approved(draft, `The deletion of limit ${id}`, pendingDeletion, { ...command, seen });
  if (isRefusal(asked)) return asked;
  draft.audit('limit.deletion_approved', id, { approvals: asked.approvals.length, required: asked.approvalsRequired });
  return isLast(asked) ? removeLimit(draft, limit) : putLimit(draft, limit, { ...limit, pendingDeletion: asked });
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

function pendingLimit(draft: Draft, id: string): (Limit & { readonly pendingDeletion: Asked }) | Refusal {
  const limit = findLimit(draft, id);
  if (isRefusal(limit)) return limit;
  const { pendingDeletion } = limit;
  return pendingDeletion === undefined ? notHeld(`deletion of limit ${id}`) : { ...limit, pendingDeletion };
}

/** What was asked for, with one approval more. */
function approved<T extends Asked>(
  draft: Draft,
  what: string,
  asked: T,
  { fingerprint, seen, as = draft.actor }: Approve & { readonly seen: string },
): T | Refusal {
  if (fingerprint !== null && fingerprint !== seen) return outdated(what);
  const unfit = unfitApprover(draft, { what, by: [asked.by], approvals: asked.approvals }, as);
  return unfit ?? { ...asked, approvals: [...asked.approvals, { by: as, at: draft.atMs }] };
}

const isLast = ({ approvals, approvalsRequired }: Asked): boolean => approvals.length >= approvalsRequired;

const notHeld = (what: string): Refusal => refusal('change_not_held', `No ${what} waits for approval.`);
