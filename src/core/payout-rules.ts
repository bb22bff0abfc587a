/**
 * What an environment asks of its payouts beyond funds: a freeze, a second person, limits. Kept in the environment's row, which every
 * batch locks and reads anyway, so an environment without rules pays nothing for them. Applied by `paying/payouts/rules.ts`.
 */
import { fingerprintOf, type Pending, type PendingChanges, shown } from './pending.ts';
import { snakeCase } from './fields.ts';

export const LIMIT_SUBJECTS = ['environment', 'key', 'account', 'recipient'] as const;
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number];

/** So much a day (time zone of the rules, environment clock); at least one of `amount` and `count` is there. */
export interface Limit {
  readonly id: string;
  /** `null`: of every currency; then there is no `amount`. */
  readonly currency: string | null;
  /** What is in another currency counts too, at its value in `currency`. */
  readonly allCurrencies: boolean;
  /** Minor units. */
  readonly amount: bigint | null;
  readonly count: number | null;
  /** Each has the limit for itself. */
  readonly per: LimitSubject;
  /** Only this line of keys with all that descend from it, this account or recipient; `null`: each. */
  readonly of: string | null;
  readonly action: 'refuse' | 'hold';
  readonly createdAt: number;
  /** Left out: nobody asked to delete it. */
  readonly pendingDeletion?: Pending;
}

export interface PayoutRules {
  /** No payout is made and none leaves. */
  readonly frozen: boolean;
  /** Payouts are held whose recipient, or its bank details, are younger than so many hours; 0: none. */
  readonly holdNewRecipientsHours: number;
  /** Changes of the bank accounts that payers see wait for approval. */
  readonly holdBankAccounts: boolean;
  readonly approvalsRequired: number;
  /** `live`: a payout that no bank account could make is refused, as in live; where none pays in its currency too. */
  readonly routes: Routes;
  /** Whether a payout may take money that an older one of its account waits for. */
  readonly waitingPayouts: WaitingPayouts;
  /** An IANA name: where the days of limits begin. */
  readonly timeZone: string;
  readonly limits: readonly Limit[];
  /** What would loosen the rules; `null`: nothing waits. */
  readonly pending: PendingRules | null;
}

export type PendingRules = PendingChanges<Partial<GuardedRules>>;

export const ROUTES_AS_IN = ['sandbox', 'live'] as const;
export type Routes = (typeof ROUTES_AS_IN)[number];

export const WAITING_PAYOUTS = ['in_order', 'may_be_passed'] as const;
export type WaitingPayouts = (typeof WAITING_PAYOUTS)[number];

export const NO_RULES: PayoutRules = {
  frozen: false,
  holdNewRecipientsHours: 0,
  holdBankAccounts: false,
  approvalsRequired: 1,
  routes: 'sandbox',
  waitingPayouts: 'in_order',
  timeZone: 'UTC',
  limits: [],
  pending: null,
};

export type GuardedRules = Pick<PayoutRules, keyof typeof LOOSENS>;

/** Whether payouts of an account get its money in order of creation. */
export const isInOrder = (rules: PayoutRules | null): boolean => (rules ?? NO_RULES).waitingPayouts === 'in_order';

/** When a rule becomes looser. Another time zone begins another day, in which nothing is used of a limit. */
const LOOSENS = {
  frozen: (before: PayoutRules, after: PayoutRules) => before.frozen && !after.frozen,
  holdNewRecipientsHours: (before: PayoutRules, after: PayoutRules) =>
    after.holdNewRecipientsHours < before.holdNewRecipientsHours,
  holdBankAccounts: (before: PayoutRules, after: PayoutRules) => before.holdBankAccounts && !after.holdBankAccounts,
  approvalsRequired: (before: PayoutRules, after: PayoutRules) => after.approvalsRequired < before.approvalsRequired,
  timeZone: (before: PayoutRules, after: PayoutRules) => before.limits.length > 0 && after.timeZone !== before.timeZone,
};
export const GUARDED = Object.keys(LOOSENS) as readonly (keyof typeof LOOSENS)[];

/** Whether something waits for a second person here. Then nobody loosens the rules alone. */
export const needsSecondPerson = ({ holdNewRecipientsHours, holdBankAccounts, limits }: PayoutRules): boolean =>
  holdNewRecipientsHours > 0 || holdBankAccounts || limits.some(({ action }) => action === 'hold');

/** The rules that are looser afterwards. */
export const loosened = (before: PayoutRules, after: PayoutRules): readonly (keyof GuardedRules)[] =>
  GUARDED.filter((name) => LOOSENS[name](before, after));

/** An environment's row is rewritten by every batch. */
export const MAX_LIMITS = 20;

/** As JSON for the row; bigint as text. */
export function rulesToJson(rules: PayoutRules): string {
  const limits = rules.limits.map((limit) => ({
    ...limit,
    amount: limit.amount === null ? null : String(limit.amount),
  }));
  return JSON.stringify({ ...rules, limits });
}

export function rulesFromJson(json: string): PayoutRules {
  const stored = JSON.parse(json) as Omit<PayoutRules, 'limits'> & {
    readonly limits: readonly (Omit<Limit, 'amount' | 'allCurrencies'> & {
      readonly amount: string | null;
      /** Left out: it was made before there were such limits. */
      readonly allCurrencies?: boolean;
    })[];
  };
  const limits = stored.limits.map(({ pendingDeletion: deletion, ...limit }) => ({
    ...limit,
    allCurrencies: limit.allCurrencies ?? limit.currency === null,
    amount: limit.amount === null ? null : BigInt(limit.amount),
    ...(deletion && { pendingDeletion: byAll(deletion) }),
  }));
  const pending = stored.pending && byAll(stored.pending);
  return { ...NO_RULES, ...stored, limits, pending: pending ?? null };
}

/** Rows from before 0.1.0 have one who asked, as text. */
const byAll = <P extends Pending>(pending: P): P => ({ ...pending, by: [pending.by].flat() });

const guardedOf = (rules: PendingRules['changes']) =>
  GUARDED.filter((name) => name in rules).map((name) => [name, rules[name]] as const);

export const isSameChange = (one: PendingRules['changes'], other: PendingRules['changes']): boolean =>
  JSON.stringify(guardedOf(one)) === JSON.stringify(guardedOf(other));

/** From what to what: so a change of the rules outdates it. */
export const fingerprintOfChanges = (rules: PayoutRules, pending: PendingRules): string =>
  fingerprintOf([guardedOf(rules), guardedOf(pending.changes)], pending);

/** A limit never changes, so its id stands for it. */
export const fingerprintOfDeletion = (limit: string, pending: Pending): string => fingerprintOf(limit, pending);

export function shownChanges(rules: PayoutRules): object | null {
  const { pending } = rules;
  if (pending === null) return null;
  const changes = Object.fromEntries(guardedOf(pending.changes).map(([name, value]) => [snakeCase(name), value]));
  return shown(pending, fingerprintOfChanges(rules, pending), { changes });
}

export const shownDeletion = ({ id, pendingDeletion }: Pick<Limit, 'id' | 'pendingDeletion'>): object | null =>
  pendingDeletion === undefined ? null : shown(pendingDeletion, fingerprintOfDeletion(id, pendingDeletion));
