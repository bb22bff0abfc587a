/**
 * Counts what leaves an environment against its limits (`payout-rules.ts`), under the lock of what leaves, so that limits are exact. Who
 * pays (environment, key, account) uses what its account is debited, who is paid uses what arrives. Pure. What a passed limit does to a
 * payout: `paying/payouts/rules.ts`.
 */
import type { Draft } from './draft.ts';
import * as field from './fields.ts';
import type { Limit } from './payout-rules.ts';
import { assert } from './values/assert.ts';
import { type Refusal, refusal } from './values/errors.ts';
import { formatMoney } from './values/money.ts';
import { isoDay } from './values/time.ts';

export const LIMIT_USAGE = field.objectType('limit_usage', 'lus', {
  limit: field.id('lim', { column: 'limit_id' }),
  subject: field.code(),
  day: field.day({ mutable: true }),
  usedAmount: field.minor({ mutable: true }),
  usedCount: field.count({ mutable: true }),
});
export type LimitUsage = field.ObjectOf<typeof LIMIT_USAGE>;

declare module './objects.ts' {
  interface Stored {
    readonly limit_usage: LimitUsage;
  }
  interface Unannounced {
    readonly limit_usage: LimitUsage;
  }
}

interface Money {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

/** What leaves an account. A payout that is converted leaves the account that sells. */
export interface Outflow extends Money {
  readonly account: string;
  /** By an exchange, which stands whatever becomes of the payout. */
  readonly isSold: boolean;
  /** Whom it reaches, and what arrives; `null`: an exchange, which a `count` does not count. */
  readonly payee: (Money & { readonly recipient: string }) | null;
}

/** What an outflow makes of the usage of a limit. */
export interface Use {
  readonly limit: Limit;
  readonly before: LimitUsage;
  readonly after: LimitUsage;
  /** Minor units that are given back where the payout does not leave. */
  readonly returns: bigint;
}

/** What a payout has used of a limit, and gives back where it does not leave. Kept as JSON. */
export interface Share {
  /** Id of the usage, which may be of another day by now. */
  readonly usage: string;
  readonly day: string;
  /** Minor units as text. Nothing of what was sold for it. */
  readonly amount: string;
}

/** The uses of all limits that an outflow counts for; nothing is counted yet. */
export function usesOf(draft: Draft, outflow: Outflow): readonly Use[] {
  const limits = draft.state.environment.payoutRules?.limits ?? [];
  return limits.flatMap((limit) => {
    const { amount, currency } = (limit.per === 'recipient' ? outflow.payee : outflow) ?? { amount: 0n, currency: '' };
    if (limit.currency !== null && limit.currency !== currency) return [];
    const added = limit.currency === null ? 0n : amount;
    return subjectsOf(limit, draft, outflow).map((subject): Use => {
      const before = usageOf(draft, limit.id, subject, isoDay(draft.atMs));
      const usedCount = before.usedCount + (outflow.payee === null ? 0 : 1);
      const returns = outflow.isSold && limit.per !== 'recipient' ? 0n : added;
      return { limit, before, after: { ...before, usedAmount: before.usedAmount + added, usedCount }, returns };
    });
  });
}

/** Whose usage it counts for: none where the limit is about another. What a key pays counts for all lines that it descends from. */
function subjectsOf({ per, of }: Limit, { actor, lineage, state }: Draft, outflow: Outflow): readonly string[] {
  const subjects: Record<Limit['per'], readonly string[]> = {
    environment: [state.environment.id],
    key: lineage.length === 0 ? [actor] : lineage,
    account: [outflow.account],
    recipient: outflow.payee === null ? [] : [outflow.payee.recipient],
  };
  return subjects[per].filter((each) => of === null || of === each);
}

function usageOf(draft: Draft, limit: string, subject: string, day: string): LimitUsage {
  assert(draft.state.hasUsages, 'usages are loaded where there are limits');
  const known = draft.usageOf(limit, subject);
  if (known?.day === day) return known;
  const zero = { day, usedAmount: 0n, usedCount: 0 };
  if (known) return { ...known, ...zero };
  return { object: 'limit_usage', id: draft.newId('lus'), limit, subject, ...zero, createdAt: draft.atMs };
}

/** Whether the limit would be passed by this use, and not only by what was used before. */
export const isPassed = ({ limit: { amount, count }, before, after }: Use): boolean =>
  (amount !== null && after.usedAmount > amount && after.usedAmount > before.usedAmount) ||
  (count !== null && after.usedCount > count && after.usedCount > before.usedCount);

/** `null`: nothing counts it. */
export function count(draft: Draft, uses: readonly Use[]): readonly Share[] | null {
  for (const { after } of uses) draft.putUsage(after);
  const shares = uses.map(({ after: { id, day }, returns }) => ({ usage: id, day, amount: String(returns) }));
  return shares.length === 0 ? null : shares;
}

/** Gives back what a payout has used that did not leave. What was used of a day that is over, or of a limit that is gone, is forgotten. */
export function giveBackShares(draft: Draft, shares: readonly Share[] | null): void {
  for (const { usage: id, day, amount } of shares ?? []) {
    const usage = draft.find('limit_usage', id);
    if (usage?.day !== day) continue;
    draft.putUsage({ ...usage, usedAmount: usage.usedAmount - BigInt(amount), usedCount: usage.usedCount - 1 });
  }
}

/** Counts an exchange. Refuses `limit_exceeded` also where a payout would be held: an exchange cannot wait. */
export function countExchange(draft: Draft, outflow: Omit<Outflow, 'payee' | 'isSold'>): Refusal | null {
  const uses = usesOf(draft, { ...outflow, isSold: true, payee: null });
  const passed = uses.find(isPassed);
  if (passed) return exceeded(passed);
  count(draft, uses);
  return null;
}

export function exceeded({ limit, before, after }: Use): Refusal {
  const { id, per, currency, amount, count: most } = limit;
  const money = (minor: bigint) => formatMoney(minor, currency as string);
  const parts = [
    ...(amount === null ? [] : [`${money(before.usedAmount)} of ${money(amount)}`]),
    ...(most === null ? [] : [`${before.usedCount} of ${most} payouts`]),
  ];
  const over = currency === null ? 'one more' : `over ${money(after.usedAmount - before.usedAmount)}`;
  const message = `Limit ${id} (per ${per} and day) would be passed: ${parts.join(' and ')} are used today, and this one is ${over}.`;
  const left = amount === null ? {} : { available_minor: amount - before.usedAmount };
  return refusal('limit_exceeded', message, { ...left, resource_id: id });
}
