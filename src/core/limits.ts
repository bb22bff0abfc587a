/**
 * Counts what leaves an environment against its limits (`payout-rules.ts`), under the lock of what leaves, so that limits are exact. Who
 * pays (environment, key, account) uses what its account is debited, who is paid uses what arrives. A limit in all currencies counts values
 * at the rates of the state; what it counted once it keeps, however rates move. Pure. What a passed limit does to a payout:
 * `paying/payouts/rules.ts`.
 */
import { isRefusal } from './decision.ts';
import type { Draft } from './draft.ts';
import * as field from './fields.ts';
import type { Limit, PayoutRules } from './payout-rules.ts';
import { assert } from './values/assert.ts';
import { type Refusal, refusal } from './values/errors.ts';
import { formatMoney, MAX_AMOUNT_MINOR, type Money } from './values/money.ts';
import { localTime } from './rails/execution-day.ts';
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

/** What leaves an account: an exchange, or a payout. A payout that is converted is both, and only the exchange takes money from an account. */
export interface Outflow extends Money {
  /** `null`: one that is opened for it. */
  readonly account: string | null;
  /** The lines that the payer descends from, its own last. */
  readonly lines: readonly string[];
  /** The day on which it leaves. */
  readonly day: string;
  /** Whom it reaches, and what arrives; `null`: an exchange, which a `count` does not count. */
  readonly payee: (Money & { readonly recipient: string; readonly recipientVersion: number }) | null;
}

/** What an outflow makes of the usage of a limit. */
export interface Use {
  readonly limit: Limit;
  /** What leaves or arrives, before it is valued. */
  readonly money: Money;
  readonly before: LimitUsage;
  readonly after: LimitUsage;
}

/** What a payout has used of a limit, and gives back where it does not leave. Kept as JSON. */
export interface Share {
  readonly limit: string;
  /** Id of the usage, which may be of another day by now. */
  readonly usage: string;
  readonly day: string;
  /** Minor units as text. */
  readonly amount: string;
}

/** The day of limits at an instant. */
export function limitDay(rules: PayoutRules | null, atMs: number): string {
  const { timeZone } = rules ?? { timeZone: 'UTC' };
  return timeZone === 'UTC' ? isoDay(atMs) : localTime(atMs, timeZone).day;
}

export const todayOf = ({ state, atMs }: Draft): string => limitDay(state.environment.payoutRules, atMs);

/** The lines that count for what the actor of the draft pays. */
export const linesOf = ({ actor, lineage }: Draft): readonly string[] => (lineage.length === 0 ? [actor] : lineage);

/**
 * The uses of the limits that an outflow counts for, of those that are `wanted`; nothing is counted yet. Refuses `rate_unavailable` where one
 * of them cannot value it, whatever its action: nobody could say what is used of it.
 */
export function usesOf(
  draft: Draft,
  outflow: Outflow,
  wanted: (limit: Limit) => boolean = () => true,
): readonly Use[] | Refusal {
  const limits = draft.state.environment.payoutRules?.limits ?? [];
  const counted = outflow.payee === null ? 0 : 1;
  const uses: Use[] = [];
  for (const limit of limits) {
    const money = countedBy(limit, outflow);
    if (money === null || !wanted(limit) || (!limit.allCurrencies && limit.currency !== money.currency)) continue;
    const subjects = subjectsOf(limit, draft, outflow);
    if (subjects.length === 0) continue;
    const added = valueFor(draft, limit, money);
    if (added === null) return unvalued(limit, money);
    if (added === 0n && counted === 0) continue;
    for (const subject of subjects) {
      const before = usageOf(draft, limit.id, subject, outflow.day);
      const usedAmount = before.usedAmount + added;
      uses.push({ limit, money, before, after: { ...before, usedAmount, usedCount: before.usedCount + counted } });
    }
  }
  return uses;
}

/**
 * What a limit counts of an outflow; `null`: nothing. In all currencies what is sold is still there, in another currency, and counts when it
 * is paid out. Only an account has lost it.
 */
function countedBy({ per, currency, allCurrencies }: Limit, outflow: Outflow): Money | null {
  const isStillThere = allCurrencies && currency !== null && per !== 'account';
  return per === 'recipient' || isStillThere ? outflow.payee : outflow;
}

/** More than any limit, and few enough digits for the sum of a day. */
const MOST_COUNTED = MAX_AMOUNT_MINOR + 1n;

/** Minor units that a limit counts; `null`: there is no rate. What is in its own currency needs none. */
function valueFor({ state }: Draft, { currency }: Limit, money: Money): bigint | null {
  if (currency === null) return 0n;
  if (currency === money.currency || money.amount === 0n) return money.amount;
  const value = state.valueIn(currency, money);
  return value === null || value < MOST_COUNTED ? value : MOST_COUNTED;
}

function unvalued({ id, currency }: Limit, money: Money): Refusal {
  const message = `Limit ${id} counts all currencies in ${currency}, and no rate from ${money.currency} to ${currency} is known to value this one at.`;
  return refusal('rate_unavailable', message, { resource_id: id });
}

/** Whose usage it counts for: none where the limit is about another. What a key pays counts for all lines that it descends from. */
function subjectsOf({ per, of }: Limit, draft: Draft, { account, lines, payee }: Outflow): readonly string[] {
  if (per === 'recipient') return payee === null ? [] : payeesOf(draft, of, payee);
  const subjects: Record<Exclude<Limit['per'], 'recipient'>, readonly string[]> = {
    environment: [draft.state.environment.id],
    key: lines,
    account: account === null ? [] : [account],
  };
  return subjects[per].filter((each) => of === null || of === each);
}

/** Recipients with one account are one. The usage of a limit of one recipient is named by that, else by the account. */
function payeesOf(draft: Draft, of: string | null, payee: NonNullable<Outflow['payee']>): readonly string[] {
  const account = payeeAccountOf(draft, payee.recipient, payee.recipientVersion);
  if (of === null) return [account];
  const only = draft.find('recipient', of);
  const isSame = payee.recipient === of || (only && payeeAccountOf(draft, of, only.version) === account);
  return isSame ? [of] : [];
}

/** The account of a version of a recipient; where none is known, the recipient itself. */
function payeeAccountOf(draft: Draft, id: string, version: number): string {
  const recipient = draft.find('recipient', id);
  if (recipient?.version === version) return draft.state.accountOf(recipient.bankDetails) ?? id;
  return draft.state.payeeAccounts.get(`${id} ${version}`) ?? id;
}

/** Whose usage a limit is about; `null`: each key, account or recipient has its own. */
export const onlySubjectOf = ({ per, of }: Limit, environment: string): string | null =>
  per === 'environment' ? environment : of;

/** The usage of a day; a row of a day that is over is used again, so that there are few. */
function usageOf(draft: Draft, limit: string, subject: string, day: string): LimitUsage {
  assert(draft.state.hasUsages, 'usages are loaded where there are limits');
  const known = draft.usagesOf(limit, subject);
  const ofDay = known.find((usage) => usage.day === day);
  if (ofDay) return ofDay;
  const zero = { day, usedAmount: 0n, usedCount: 0 };
  const today = todayOf(draft);
  const over = known.find((usage) => usage.day < today);
  if (over) return { ...over, ...zero };
  return { object: 'limit_usage', id: draft.newId('lus'), limit, subject, ...zero, createdAt: draft.atMs };
}

/** Whether the limit would be passed by this use, and not only by what was used before. */
export const isPassed = ({ limit: { amount, count }, before, after }: Use): boolean =>
  (amount !== null && after.usedAmount > amount && after.usedAmount > before.usedAmount) ||
  (count !== null && after.usedCount > count && after.usedCount > before.usedCount);

/** The same on a day on which nothing else leaves. */
export function alone({ before, after, ...use }: Use): Use {
  const usedAmount = after.usedAmount - before.usedAmount;
  const usedCount = after.usedCount - before.usedCount;
  return {
    ...use,
    before: { ...before, usedAmount: 0n, usedCount: 0 },
    after: { ...after, usedAmount, usedCount },
  };
}

/** `null`: nothing counts it. */
export function count(draft: Draft, uses: readonly Use[]): readonly Share[] | null {
  for (const { after } of uses) draft.putUsage(after);
  const shares = uses.map(({ limit, before, after: { id, day, usedAmount } }) => {
    const amount = String(usedAmount - before.usedAmount);
    return { limit: limit.id, usage: id, day, amount };
  });
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

/** An exchange leaves at once. */
export const usesOfExchange = (draft: Draft, sold: Pick<Outflow, 'account' | 'amount' | 'currency'>) =>
  usesOf(draft, { ...sold, lines: linesOf(draft), day: todayOf(draft), payee: null });

/** Counts an exchange. Refuses `limit_exceeded` also where a payout would be held, as an exchange cannot wait; and `rate_unavailable`. */
export function countExchange(draft: Draft, sold: Pick<Outflow, 'account' | 'amount' | 'currency'>): Refusal | null {
  const uses = usesOfExchange(draft, sold);
  if (isRefusal(uses)) return uses;
  const passed = uses.find(isPassed);
  if (passed) return exceeded(draft, passed);
  count(draft, uses);
  return null;
}

export function exceeded(
  draft: Draft,
  { limit, money: { amount: gross, currency: own }, before, after }: Use,
): Refusal {
  const { id, per, currency, amount, count: most } = limit;
  const money = (minor: bigint) => formatMoney(minor, currency as string);
  const parts = [
    ...(amount === null ? [] : [`${money(before.usedAmount)} of ${money(amount)}`]),
    ...(most === null ? [] : [`${before.usedCount} of ${most} payouts`]),
  ];
  const valued = currency === own ? '' : ` (${formatMoney(gross, own)})`;
  const over = currency === null ? 'one more' : `over ${money(after.usedAmount - before.usedAmount)}${valued}`;
  const on = before.day === todayOf(draft) ? 'today' : `on ${before.day}`;
  const message = `Limit ${id} (per ${per} and day) would be passed: ${parts.join(' and ')} are used ${on}, and this one is ${over}. Send less, or wait for the next day.`;
  const left = amount === null ? {} : { available_minor: amount - before.usedAmount };
  return refusal('limit_exceeded', message, { ...left, resource_id: id });
}
