/**
 * What an environment's rules say of a payout: nothing, a refusal, or a hold. A payout counts for limits when it is free to leave: at its
 * creation, or once its money has come or it is approved; and on the day on which it leaves. How limits count: `core/limits.ts`. Pure.
 * Next: `rules-decide.ts`, `approval-decide.ts`.
 */
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import {
  alone,
  count,
  exceeded,
  isPassed,
  linesOf,
  type Outflow,
  todayOf,
  type Use,
  usesOf,
  usesOfExchange,
} from '../../core/limits.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import type { Stored } from '../../core/objects.ts';
import type { PayoutRules } from '../../core/payout-rules.ts';
import type { Payout, Release } from './fields.ts';

export interface Judged extends Pick<Payout, 'amount' | 'currency' | 'scheduledOn'> {
  /** `null`: one that is opened for it. */
  readonly account: string | null;
  readonly recipient: Pick<Stored['recipient'], 'id' | 'version' | 'createdAt' | 'changedAt'>;
  /** What is sold for it; `null`: it is not converted. */
  readonly sold: Pick<Outflow, 'account' | 'amount' | 'currency'> | null;
  readonly isWaiting: boolean;
}

/** What holds a payout, if anything does, and what it has used of limits. */
export type Verdict = Pick<Payout, 'release' | 'shares'>;

const HOUR_MS = 3_600_000;

const FROZEN =
  'Payouts of this environment are frozen, so nothing was sent. A key with payout_rules:write ends the freeze with POST /v1/settings/payouts and frozen=false; where rules hold payouts, a second person agrees with POST /v1/settings/payouts/approve.';

/** Refuses `payouts_frozen`: while the environment is frozen nothing leaves. */
export function refusedByFreeze(draft: Draft): Refusal | null {
  if (draft.state.environment.payoutRules?.frozen !== true) return null;
  return refusal('payouts_frozen', FROZEN);
}

/**
 * Judges a payout that could be made otherwise, and counts it if it is free to leave. Refuses `payouts_frozen`, `limit_exceeded` and
 * `rate_unavailable`; on a refusal the draft is unchanged.
 */
export function judge(draft: Draft, payout: Judged): Verdict | Refusal {
  const rules = draft.state.environment.payoutRules;
  if (rules === null) return { release: null, shares: null };
  const frozen = refusedByFreeze(draft);
  if (frozen) return frozen;
  const { sold, recipient, isWaiting } = payout;
  const young = tooNew(rules, recipient, draft.atMs);
  const isLater = isWaiting || young.length > 0;
  const usesOfSale = sold === null ? [] : usesOfExchange(draft, sold);
  if (isRefusal(usesOfSale)) return usesOfSale;
  const uses = usesOf(draft, {
    ...payout,
    ...leavingOn(draft, payout),
    amount: sold === null ? payout.amount : 0n,
    lines: linesOf(draft),
    payee: { ...payout, recipient: recipient.id, recipientVersion: recipient.version },
  });
  if (isRefusal(uses)) return uses;
  // Which day it will use is not known yet; a day of its own must be enough.
  const passed = [...usesOfSale, ...(isLater ? uses.map(alone) : uses)].filter(isPassed);
  const refusing = passed.find(isRefusing);
  if (refusing) return exceeded(draft, refusing);
  const reasons = [...young, ...(isLater ? [] : idsOf(passed))];
  count(draft, usesOfSale);
  if (reasons.length > 0) return { release: held(rules, reasons), shares: null };
  return { release: null, shares: isWaiting ? null : count(draft, uses) };
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

const isRefusing = ({ limit }: Use): boolean => limit.action === 'refuse';

const idsOf = (uses: readonly Use[]) => uses.map(({ limit }) => limit.id);

const held = ({ approvalsRequired }: PayoutRules, reasons: readonly string[]): Release => ({
  status: 'held',
  reasons,
  approvalsRequired,
  approvals: [],
  rejection: null,
});

/**
 * Judges a payout that becomes free to leave: its money has come, it is approved, it leaves on another day, or it leaves now. Counts it
 * for the limits that have not counted it. A limit that holds, holds what nobody has approved. Refuses `limit_exceeded` and
 * `rate_unavailable`.
 */
export function judgeAgain(draft: Draft, payout: Payout, limits: LimitsOf = 'all'): Verdict | Refusal {
  const { payoutRules: rules } = draft.state.environment;
  const { release, shares } = payout;
  if (rules === null || rules.limits.length === 0) return { release, shares };
  const { exchange, createdBy, createdAt } = payout;
  const outflow = {
    ...payout,
    ...leavingOn(draft, payout),
    amount: exchange === null ? payout.amount : 0n,
    lines: draft.find('key', createdBy ?? '')?.lineage ?? [createdBy ?? ''],
    payee: payout,
  };
  const uses = usesOf(draft, outflow, ({ id, createdAt: since }) => {
    const isCounted = shares?.some(({ limit }) => limit === id) === true;
    return !isCounted && (limits === 'all' || since >= createdAt);
  });
  if (isRefusal(uses)) return uses;
  const passed = uses.filter(isPassed);
  const refusing = passed.find(isRefusing);
  if (refusing) return exceeded(draft, refusing);
  if (passed.length > 0 && release?.status !== 'approved') return { release: held(rules, idsOf(passed)), shares };
  const more = count(draft, uses);
  return { release, shares: more === null ? shares : [...(shares ?? []), ...more] };
}

/** Of a payout that leaves only those count that are not older: the others have counted it. One batch is one instant. */
type LimitsOf = 'all' | 'not_older';

/** From today on, or on its planned day. */
function leavingOn(draft: Draft, { scheduledOn }: Pick<Payout, 'scheduledOn'>): Pick<Outflow, 'day'> {
  const today = todayOf(draft);
  return { day: scheduledOn !== null && scheduledOn > today ? scheduledOn : today };
}
