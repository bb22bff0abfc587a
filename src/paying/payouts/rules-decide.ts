/** Decisions that change the rules of payouts: freeze, holds, limits. Each leaves an entry in the audit log. Pure. Next: `rules.ts`. */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { type Limit, MAX_LIMITS, NO_RULES, type PayoutRules } from '../../core/payout-rules.ts';
import { snakeCase } from '../../core/fields.ts';
import { type Given, previousOf } from '../../core/update.ts';

interface UpdatePayoutRules extends Given<PayoutRules, Exclude<keyof PayoutRules, 'limits'>> {
  readonly type: 'update_payout_rules';
}

export interface CreateLimit extends Omit<Limit, 'id' | 'createdAt'> {
  readonly type: 'create_limit';
}

const rulesOf = ({ state }: Draft): PayoutRules => state.environment.payoutRules ?? NO_RULES;

/** Refuses `parameter_conflict`: in live a payment needs a way to leave. */
export function updatePayoutRules(draft: Draft, command: UpdatePayoutRules): Decision {
  const { type: _, ...given } = command;
  if (given.routes === 'sandbox' && draft.state.environment.livemode) {
    const message = 'In live, payouts are judged by the bank accounts that pay them: routes is live.';
    return refusal('parameter_conflict', message, { param: 'routes' });
  }
  const before = rulesOf(draft);
  const names = (Object.keys(given) as (keyof typeof given)[]).filter(
    (name) => given[name] !== undefined && given[name] !== before[name],
  );
  const after = { ...before, ...Object.fromEntries(names.map((name) => [name, given[name]])) };
  const shown = { object: 'payout_rules', id: draft.state.environment.id, rules: after } as const;
  if (names.length > 0) {
    draft.patch({ payoutRules: after });
    draft.emit('payout_rules.updated', shown, previousOf(before, after, names));
    const details = Object.fromEntries(
      names.map((name) => [snakeCase(name), [String(before[name]), String(given[name])]]),
    );
    draft.audit('payout_rules.updated', null, details);
  }
  return shown;
}

/** Refuses `limit_count`, and `resource_missing` for an account or recipient. */
export function createLimit(draft: Draft, command: CreateLimit): Decision {
  const { type: _, ...given } = command;
  const before = rulesOf(draft);
  if (before.limits.length >= MAX_LIMITS) {
    return refusal('limit_count', `An environment has at most ${MAX_LIMITS} limits. Delete one first.`);
  }
  const { per } = given;
  let { of } = given;
  if (of !== null && per !== 'environment') {
    const found = draft.find(per === 'key' ? 'api_key' : per, of);
    if (!found) return missing(per, of, per);
    if (found.object === 'api_key') of = found.lineage.at(-1) ?? of;
  }
  const limit: Limit = { id: draft.newId('lim'), ...given, of, createdAt: draft.atMs };
  draft.patch({ payoutRules: { ...before, limits: [...before.limits, limit] } });
  draft.audit('limit.created', limit.id, described(limit));
  const shown = { object: 'limit', id: limit.id, limit, rules: before, atMs: draft.atMs, used: 0 } as const;
  draft.emit('limit.created', shown);
  return shown;
}

/** Refuses `resource_missing`. */
export function deleteLimit(
  draft: Draft,
  { limit: id }: { readonly type: 'delete_limit'; readonly limit: string },
): Decision {
  const before = rulesOf(draft);
  const limit = before.limits.find((each) => each.id === id);
  if (!limit) return missing('limit', id);
  draft.patch({ payoutRules: { ...before, limits: before.limits.filter((each) => each !== limit) } });
  draft.audit('limit.deleted', id, described(limit));
  draft.emit('limit.deleted', { object: 'limit', id, limit, rules: before, atMs: draft.atMs, used: null });
  return { object: 'deleted', kind: 'limit', id };
}

const described = ({ currency, amount, count, per, of, action }: Limit) => {
  const amount_minor = amount === null ? null : String(amount);
  return { currency, amount_minor, count, per, of, action };
};
