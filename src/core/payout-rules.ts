/**
 * What an environment asks of its payouts beyond funds: a freeze, a second person, limits. Kept in the environment's row, which every
 * batch locks and reads anyway, so an environment without rules pays nothing for them. Applied by `paying/payouts/rules.ts`.
 */

export const LIMIT_SUBJECTS = ['environment', 'key', 'account', 'recipient'] as const;
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number];

/** So much a day (time zone of the rules, environment clock); at least one of `amount` and `count` is there. */
export interface Limit {
  readonly id: string;
  /** `null`: of every currency; then there is no `amount`. */
  readonly currency: string | null;
  /** Minor units. */
  readonly amount: bigint | null;
  readonly count: number | null;
  /** Each has the limit for itself. */
  readonly per: LimitSubject;
  /** Only this line of keys with all that descend from it, this account or recipient; `null`: each. */
  readonly of: string | null;
  readonly action: 'refuse' | 'hold';
  readonly createdAt: number;
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
  /** An IANA name: where the days of limits begin. */
  readonly timeZone: string;
  readonly limits: readonly Limit[];
}

export const ROUTES_AS_IN = ['sandbox', 'live'] as const;
export type Routes = (typeof ROUTES_AS_IN)[number];

export const NO_RULES: PayoutRules = {
  frozen: false,
  holdNewRecipientsHours: 0,
  holdBankAccounts: false,
  approvalsRequired: 1,
  routes: 'sandbox',
  timeZone: 'UTC',
  limits: [],
};

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
    readonly limits: readonly (Omit<Limit, 'amount'> & { readonly amount: string | null })[];
  };
  const limits = stored.limits.map((limit) => ({
    ...limit,
    amount: limit.amount === null ? null : BigInt(limit.amount),
  }));
  return { ...NO_RULES, ...stored, limits };
}
