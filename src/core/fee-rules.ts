/**
 * What an environment charges: a fixed part, basis points, or both. Of the rules that fit, the most precise one is
 * taken. Kept in the environment's row, which every batch reads anyway. Booked by `charges.ts`; shown by `fees.ts`.
 */
import type { PaymentMethod, PaymentScheme } from './rails/payment-schemes.ts';

export const CHARGED = ['payout', 'exchange', 'payment'] as const;
export type Charged = (typeof CHARGED)[number];

/** What a rule may say about what it is for; `null`: any. */
interface Terms {
  /** Of a payout and a payment theirs, of an exchange that of the selling side; the fee is in it too. */
  readonly currency: string | null;
  /** Payouts only. */
  readonly scheme: PaymentScheme | null;
  /** Exchanges only. */
  readonly buyCurrency: string | null;
  /** Payments only. */
  readonly method: PaymentMethod | null;
  readonly paymentLink: string | null;
}

export interface FeeRule extends Terms {
  readonly id: string;
  readonly on: Charged;
  /** Minor units of `currency`, which is there then; 0: no fixed part. */
  readonly fixed: bigint;
  readonly basisPoints: number;
  readonly createdAt: number;
}

/** An environment's row is rewritten by every batch. */
export const MAX_FEES = 100;
export const NO_FEES: readonly FeeRule[] = [];

/** What is to be charged for: a payout, the selling side of an exchange, money that came for a payment. */
export type Occasion = { readonly on: Charged; readonly currency: string } & Partial<Omit<Terms, 'currency'>>;

/** Each outweighs those below it together, so no two different sets of terms weigh the same. */
const WEIGHTS = { paymentLink: 8, method: 4, scheme: 4, buyCurrency: 4, currency: 1 } as const;
const TERMS = Object.keys(WEIGHTS) as (keyof Terms)[];

const weightOf = (rule: FeeRule): number =>
  TERMS.reduce((sum, term) => (rule[term] === null ? sum : sum + WEIGHTS[term]), 0);

export const isSameCase = (one: Terms & { readonly on: Charged }, other: FeeRule): boolean =>
  one.on === other.on && TERMS.every((term) => one[term] === other[term]);

/** The rule that is taken; `null`: nothing is charged. */
export function ruleFor(rules: readonly FeeRule[], occasion: Occasion): FeeRule | null {
  let taken: FeeRule | null = null;
  for (const rule of rules) {
    const fits = rule.on === occasion.on && TERMS.every((term) => rule[term] === null || rule[term] === occasion[term]);
    if (fits && (taken === null || weightOf(rule) > weightOf(taken))) taken = rule;
  }
  return taken;
}

const PER_UNIT = 10_000n;

/** What a rule comes to for an amount, minor units: the fixed part, and basis points rounded half up. `null`: no rule, no fee. */
export function feeFor(rule: FeeRule | null, amount: bigint): bigint {
  if (rule === null) return 0n;
  return rule.fixed + (amount * BigInt(rule.basisPoints) + PER_UNIT / 2n) / PER_UNIT;
}

/** The largest amount that can be had with its fee for `total`, minor units; 0n: none. */
export function amountWithin(rule: FeeRule | null, total: bigint): bigint {
  if (rule === null) return total;
  const left = total - rule.fixed;
  if (left <= 0n) return 0n;
  // Rounding moves the fee by half a unit at most, so the answer is next to the exact one.
  let amount = (left * PER_UNIT) / (PER_UNIT + BigInt(rule.basisPoints)) + 1n;
  while (amount > 0n && amount + feeFor(rule, amount) > total) amount -= 1n;
  return amount;
}

/** As JSON for the row; bigint as text. */
export const feeRulesToJson = (rules: readonly FeeRule[]): string | null =>
  rules.length === 0 ? null : JSON.stringify(rules.map((rule) => ({ ...rule, fixed: String(rule.fixed) })));

/** The last ones read: a busy environment's row is read with every batch, and its fees hardly ever change. */
let known = { json: '', rules: NO_FEES };

export function feeRulesFromJson(json: string | null): readonly FeeRule[] {
  if (json === null) return NO_FEES;
  if (json === known.json) return known.rules;
  const stored = JSON.parse(json) as readonly (Omit<FeeRule, 'fixed'> & { readonly fixed: string })[];
  known = { json, rules: stored.map((rule) => ({ ...rule, fixed: BigInt(rule.fixed) })) };
  return known.rules;
}
