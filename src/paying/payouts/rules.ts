/**
 * What an environment's rules say of a new payout: nothing, a refusal, or a hold. Its use of limits is counted under
 * the lock of the payout, so limits are exact. Pure. Next: `rules-decide.ts`, `approval-decide.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import type { Draft } from '../../core/draft.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Limit, PayoutRules } from '../../core/payout-rules.ts';
import { isoDay } from '../../core/values/time.ts';
import type { LimitUsage, Release } from './fields.ts';

export interface Judged {
  /** `null`: one that is opened for it. */
  readonly account: string | null;
  readonly recipient: { readonly id: string; readonly createdAt: number; readonly changedAt: number | null };
  readonly amount: bigint;
  readonly currency: string;
}

const HOUR_MS = 3_600_000;

/** Refuses `payouts_frozen`: while the environment is frozen nothing leaves. */
export function refusedByFreeze(draft: Draft): Refusal | null {
  if (draft.state.environment.payoutRules?.frozen !== true) return null;
  return refusal('payouts_frozen', 'Payouts of this environment are frozen. Nothing was sent.');
}

/**
 * Judges a payout that could be made otherwise, and counts it. `null`: nothing holds it. Refuses `payouts_frozen` and
 * `limit_exceeded`; on a refusal the draft is unchanged.
 */
export function judge(draft: Draft, payout: Judged): Release | Refusal | null {
  const rules = draft.state.environment.payoutRules;
  if (rules === null) return null;
  const frozen = refusedByFreeze(draft);
  if (frozen) return frozen;
  const reasons = tooNew(rules, payout.recipient, draft.atMs);
  const day = isoDay(draft.atMs);
  const counted: LimitUsage[] = [];
  for (const { limit, subject } of rules.limits.flatMap((each) => subjectsOf(each, draft, payout))) {
    const before = usageOf(draft, limit.id, subject, day);
    const after = { ...before, usedAmount: before.usedAmount + payout.amount, usedCount: before.usedCount + 1 };
    if (passes(limit, after)) {
      if (limit.action === 'refuse') return exceeded(limit, before, payout);
      reasons.push(limit.id);
    }
    counted.push(after);
  }
  for (const usage of counted) draft.putUsage(usage);
  if (reasons.length === 0) return null;
  return { status: 'held', reasons, approvalsRequired: rules.approvalsRequired, approvals: [], rejection: null };
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

/** Whose usage a payout counts for: none where the limit is about another. What a key pays counts for all lines that it descends from. */
function subjectsOf(limit: Limit, { actor, lineage, state }: Draft, { account, recipient, currency }: Judged) {
  const { per, of } = limit;
  if (limit.currency !== null && limit.currency !== currency) return [];
  const subjects: Record<Limit['per'], readonly (string | null)[]> = {
    environment: [state.environment.id],
    key: lineage.length === 0 ? [actor] : lineage,
    account: [account],
    recipient: [recipient.id],
  };
  const known = subjects[per].filter((each) => each !== null && (of === null || of === each));
  return known.map((subject) => ({ limit, subject: subject as string }));
}

function usageOf(draft: Draft, limit: string, subject: string, day: string): LimitUsage {
  assert(draft.state.hasUsages, 'usages are loaded where there are limits');
  const known = draft.usageOf(limit, subject);
  if (known?.day === day) return known;
  const zero = { day, usedAmount: 0n, usedCount: 0 };
  if (known) return { ...known, ...zero };
  return { object: 'limit_usage', id: draft.newId('lus'), limit, subject, ...zero, createdAt: draft.atMs };
}

const passes = ({ amount, count }: Limit, { usedAmount, usedCount }: LimitUsage): boolean =>
  (amount !== null && usedAmount > amount) || (count !== null && usedCount > count);

function exceeded(limit: Limit, { usedAmount, usedCount }: LimitUsage, { amount, currency }: Judged): Refusal {
  const money = (minor: bigint) => formatMoney(minor, currency);
  const parts = [
    ...(limit.amount === null ? [] : [`${money(usedAmount)} of ${money(limit.amount)}`]),
    ...(limit.count === null ? [] : [`${usedCount} of ${limit.count} payouts`]),
  ];
  const message = `Limit ${limit.id} (per ${limit.per} and day) would be passed: ${parts.join(' and ')} are used today, and this one is over ${money(amount)}.`;
  const left = limit.amount === null ? {} : { available_minor: limit.amount - usedAmount };
  return refusal('limit_exceeded', message, { ...left, resource_id: limit.id });
}
