/** Decisions that change what an environment charges. Each leaves an entry in the audit log. Pure. What a fee comes to: `core/fee-rules.ts`. */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { type FeeRule, isSameCase, MAX_FEES } from '../../core/fee-rules.ts';

export interface CreateFee extends Omit<FeeRule, 'id' | 'createdAt'> {
  readonly type: 'create_fee';
}

declare module '../../core/objects.ts' {
  interface Announced {
    readonly fee_rule: { readonly object: 'fee_rule'; readonly id: string; readonly rule: FeeRule };
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
    const message = `Fee ${same.id} applies to the same case. Delete it first: DELETE /v1/fee_rules/${same.id}.`;
    return refusal('fee_exists', message, { resource_id: same.id });
  }
  if (before.length >= MAX_FEES) {
    return refusal('fee_count', `An environment has at most ${MAX_FEES} fees. Delete one first.`);
  }
  const rule: FeeRule = { id: draft.newId('fee'), ...given, createdAt: draft.atMs };
  draft.patch({ fees: [...before, rule] });
  draft.audit('fee_rule.created', rule.id, described(rule));
  const shown = { object: 'fee_rule', id: rule.id, rule } as const;
  draft.emit('fee_rule.created', shown);
  return shown;
}

/** What was charged by it, and what quotes promise, stays. Refuses `resource_missing`. */
export function deleteFee(draft: Draft, { fee: id }: { readonly type: 'delete_fee'; readonly fee: string }): Decision {
  const before = draft.state.environment.fees;
  const rule = before.find((each) => each.id === id);
  if (!rule) return missing('fee rule', id);
  draft.patch({ fees: before.filter((each) => each !== rule) });
  draft.audit('fee_rule.deleted', id, described(rule));
  draft.emit('fee_rule.deleted', { object: 'fee_rule', id, rule });
  return { object: 'deleted', kind: 'fee_rule', id };
}

const described = ({ on, currency, scheme, buyCurrency, method, paymentLink, fixed, basisPoints }: FeeRule) => {
  const terms = { on, currency, scheme, buy_currency: buyCurrency, method, payment_link: paymentLink };
  return { ...terms, amount_minor: String(fixed), basis_points: basisPoints };
};
