/** Decisions that change what an environment charges. Each leaves an entry in the audit log. Pure. What a fee comes to: `core/fee-rules.ts`. */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { type FeeRule, isSameCase, MAX_FEES } from '../../core/fee-rules.ts';

export interface CreateFee extends Omit<FeeRule, 'id' | 'createdAt'> {
  readonly type: 'create_fee';
}

interface DeleteFee {
  readonly type: 'delete_fee';
  readonly fee: string;
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly fee: { readonly object: 'fee'; readonly id: string; readonly rule: FeeRule };
  }
}

/** Refuses `fee_count`, `fee_exists`, and `resource_missing` for a payment link. */
export function createFee(draft: Draft, command: CreateFee): Decision {
  const { type: _, ...given } = command;
  const before = draft.state.environment.fees;
  if (given.paymentLink !== null && !draft.find('payment_link', given.paymentLink)) {
    return missing('payment link', given.paymentLink, 'payment_link');
  }
  const same = before.find((rule) => isSameCase(given, rule));
  if (same) {
    const message = `Fee ${same.id} is for the same. Delete it first.`;
    return refusal('fee_exists', message, { resource_id: same.id });
  }
  if (before.length >= MAX_FEES) {
    return refusal('fee_count', `An environment has at most ${MAX_FEES} fees. Delete one first.`);
  }
  const rule: FeeRule = { id: draft.newId('fee'), ...given, createdAt: draft.atMs };
  draft.patch({ fees: [...before, rule] });
  draft.audit('fee.created', rule.id, described(rule));
  return { object: 'fee', id: rule.id, rule };
}

/** What was charged by it, and what quotes promise, stays. Refuses `resource_missing`. */
export function deleteFee(draft: Draft, { fee: id }: DeleteFee): Decision {
  const before = draft.state.environment.fees;
  const rule = before.find((each) => each.id === id);
  if (!rule) return missing('fee', id);
  draft.patch({ fees: before.filter((each) => each !== rule) });
  draft.audit('fee.deleted', id, described(rule));
  return { object: 'deleted', kind: 'fee', id };
}

const described = (rule: FeeRule) => ({
  on: rule.on,
  currency: rule.currency,
  scheme: rule.scheme,
  buy_currency: rule.buyCurrency,
  method: rule.method,
  payment_link: rule.paymentLink,
  amount_minor: String(rule.fixed),
  basis_points: rule.basisPoints,
});
