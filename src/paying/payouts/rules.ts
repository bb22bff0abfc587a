/**
 * What an environment's rules say of a new payout: nothing, a refusal, or a hold. How limits count: `core/limits.ts`. Pure. Next:
 * `rules-decide.ts`, `approval-decide.ts`.
 */
import type { Draft } from '../../core/draft.ts';
import { count, exceeded, isPassed, type Outflow, usesOf } from '../../core/limits.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import type { PayoutRules } from '../../core/payout-rules.ts';
import type { Payout } from './fields.ts';

export interface Judged extends Outflow {
  readonly payee: NonNullable<Outflow['payee']>;
  readonly recipient: { readonly createdAt: number; readonly changedAt: number | null };
}

/** What holds a payout, if anything does, and what it has used of limits. */
export type Verdict = Pick<Payout, 'release' | 'shares'>;
const NO_OBJECTION: Verdict = { release: null, shares: null };

const HOUR_MS = 3_600_000;

/** Refuses `payouts_frozen`: while the environment is frozen nothing leaves. */
export function refusedByFreeze(draft: Draft): Refusal | null {
  if (draft.state.environment.payoutRules?.frozen !== true) return null;
  return refusal('payouts_frozen', 'Payouts of this environment are frozen. Nothing was sent.');
}

/**
 * Judges a payout that could be made otherwise, and counts it. Refuses `payouts_frozen` and `limit_exceeded`; on a refusal the draft is
 * unchanged.
 */
export function judge(draft: Draft, payout: Judged): Verdict | Refusal {
  const rules = draft.state.environment.payoutRules;
  if (rules === null) return NO_OBJECTION;
  const frozen = refusedByFreeze(draft);
  if (frozen) return frozen;
  const uses = usesOf(draft, payout);
  const passed = uses.filter(isPassed);
  const refusing = passed.find(({ limit }) => limit.action === 'refuse');
  if (refusing) return exceeded(refusing);
  const shares = count(draft, uses);
  const reasons = [...tooNew(rules, payout.recipient, draft.atMs), ...passed.map(({ limit }) => limit.id)];
  if (reasons.length === 0) return { release: null, shares };
  const { approvalsRequired } = rules;
  return { release: { status: 'held', reasons, approvalsRequired, approvals: [], rejection: null }, shares };
}

function tooNew(
  { holdNewRecipientsHours: hours }: PayoutRules,
  recipient: Judged['recipient'],
  atMs: number,
): string[] {
  const since = atMs - hours * HOUR_MS;
  if (hours === 0) return [];
  if (recipient.createdAt > since) return ['new_recipient'];
  return recipient.changedAt !== null && recipient.changedAt > since ? ['changed_recipient'] : [];
}
