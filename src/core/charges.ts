/** Books fees: each is a transfer to the house account `fees`. What is charged: `fee-rules.ts`. Pure. */
import type { Account } from './account.ts';
import type { Draft } from './draft.ts';
import { feeFor, type FeeRule, type Occasion, ruleFor } from './fee-rules.ts';
import { type Fee, NONE } from './fees.ts';
import { move } from './ledger.ts';
import type { Cause } from './transfer.ts';

interface Reason {
  readonly cause: Cause;
  readonly causeId: string;
}

/** The rule of the draft's environment; `null`: nothing is charged. */
export const ruleOf = ({ state: { environment } }: Draft, occasion: Occasion): FeeRule | null =>
  environment.fees.length === 0 ? null : ruleFor(environment.fees, occasion);

/** What a rule charges for an amount, not taken yet. A fee of nothing is none. */
export function feesFor(rule: FeeRule | null, amount: bigint, currency: string): readonly Fee[] {
  const fee = feeFor(rule, amount);
  return rule === null || fee === 0n
    ? NONE
    : [{ rule: rule.id, amount: fee, currency, transfer: null, reversal: null }];
}

/** Takes fees from an account, which must hold them. Returns them as taken. */
export function charge(draft: Draft, account: string, fees: readonly Fee[], reason: Reason): readonly Fee[] {
  if (fees.length === 0) return fees;
  return fees.map((fee) => {
    const debit = draft.find('account', account) as Account;
    const { amount, currency } = fee;
    return { ...fee, transfer: move(draft, { debit, credit: 'fees', amount, currency, ...reason }).id };
  });
}

/** Gives fees back that were taken. Returns them with what gave them back. */
export function giveBackFees(draft: Draft, account: string, fees: readonly Fee[], reason: Reason): readonly Fee[] {
  if (fees.length === 0) return fees;
  return fees.map((fee) => {
    const credit = draft.find('account', account) as Account;
    const { amount, currency } = fee;
    return { ...fee, reversal: move(draft, { debit: 'fees', credit, amount, currency, ...reason }).id };
  });
}
