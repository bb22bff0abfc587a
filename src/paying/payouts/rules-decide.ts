/**
 * Decisions that change the rules of payouts: freeze, holds, limits. Each leaves an entry in the audit log. Pure. What loosens them may wait for
 * a second person: `loosening-decide.ts`. What the rules do: `rules.ts`.
 */
import type { AuditDetails } from '../../core/audit.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import {
  isSameChange,
  type Limit,
  loosened,
  MAX_LIMITS,
  needsSecondPerson,
  NO_RULES,
  type PayoutRules,
  type PendingRules,
  shownChanges,
  shownDeletion,
} from '../../core/payout-rules.ts';
import { snakeCase } from '../../core/fields.ts';
import { newlyAsked } from '../../core/approvals.ts';
import { type Given, previousOf } from '../../core/update.ts';

type Rule = Exclude<keyof PayoutRules, 'limits' | 'pending'>;

interface UpdatePayoutRules extends Given<PayoutRules, Rule> {
  readonly type: 'update_payout_rules';
}

export interface CreateLimit extends Omit<Limit, 'id' | 'createdAt' | 'pendingDeletion'> {
  readonly type: 'create_limit';
}

export const rulesOf = ({ state }: Draft): PayoutRules => state.environment.payoutRules ?? NO_RULES;

/**
 * What makes the rules stricter is done at once. What loosens them waits where something is held for a second person, and takes the place of
 * what waited before. To name a rule as it is takes back what waits about it. Refuses `parameter_conflict`: in live a payment needs a way to
 * leave.
 */
export function updatePayoutRules(draft: Draft, command: UpdatePayoutRules): Decision {
  const { type: _, ...given } = command;
  if (given.routes === 'sandbox' && draft.state.environment.livemode) {
    const message = 'In live, payouts are judged by the bank accounts that pay them: routes is live.';
    return refusal('parameter_conflict', message, { param: 'routes' });
  }
  const before = rulesOf(draft);
  const named = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined);
  const differing = named.filter((name) => given[name] !== before[name]);
  const looser = needsSecondPerson(before) ? loosened(before, { ...before, ...pick(given, differing) }) : [];
  const names = differing.filter((name) => !(looser as readonly string[]).includes(name));
  const rules: PayoutRules = { ...before, ...pick(given, names) };
  const pending = pendingAfter(draft, rules, { named, looser: pick(given, looser), hasChanged: names.length > 0 });
  if (looser.length > 0 && pending !== before.pending) {
    draft.audit('payout_rules.change_requested', null, changesOf(before, given, looser));
  }
  const withdrawn = looser.length > 0 ? [] : named.filter((name) => name in (before.pending?.changes ?? {}));
  if (withdrawn.length > 0) {
    draft.audit('payout_rules.change_rejected', null, { withdrawn: withdrawn.map(snakeCase) });
  }
  return putRules(draft, before, { ...rules, pending }, names);
}

const pick = <T extends object>(given: T, names: readonly (keyof T)[]) =>
  Object.fromEntries(names.map((name) => [name, given[name]])) as Partial<{ [K in keyof T]: NonNullable<T[K]> }>;

/** From what and to what, by wire names. */
const changesOf = (
  before: PayoutRules,
  after: { readonly [P in Rule]?: PayoutRules[P] | undefined },
  names: readonly Rule[],
): AuditDetails =>
  Object.fromEntries(names.map((name) => [snakeCase(name), [String(before[name]), String(after[name])]]));

interface Change {
  readonly named: readonly string[];
  readonly looser: PendingRules['changes'];
  /** Something else changes at once: then what was approved was approved of other rules. */
  readonly hasChanged: boolean;
}

function pendingAfter(
  draft: Draft,
  { pending, approvalsRequired }: PayoutRules,
  { named, looser, hasChanged }: Change,
): PendingRules | null {
  const isAsked = Object.keys(looser).length > 0;
  const changes = isAsked ? looser : without(pending?.changes ?? {}, named);
  if (Object.keys(changes).length === 0) return null;
  const isSame = pending !== null && isSameChange(pending.changes, changes);
  if (isSame && !hasChanged && (!isAsked || pending.by.includes(draft.actor))) return pending;
  const anew = newlyAsked(draft, [draft.actor], approvalsRequired);
  return { changes, ...anew, ...(!isAsked && pending && { by: pending.by, at: pending.at }) };
}

const without = (changes: PendingRules['changes'], named: readonly string[]): PendingRules['changes'] =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => !named.includes(name)));

/** Writes the rules where they differ. `names`: what has changed of them, beside what waits. */
export function putRules(draft: Draft, before: PayoutRules, after: PayoutRules, names: readonly Rule[]): Decision {
  const shown = { object: 'payout_rules', id: draft.state.environment.id, rules: after } as const;
  const isMoved = after.pending !== before.pending;
  if (names.length === 0 && !isMoved) return shown;
  draft.patch({ payoutRules: after });
  const pending = isMoved && { pending_changes: shownChanges(before) };
  draft.emit('payout_rules.updated', shown, { ...previousOf(before, after, names), ...pending });
  if (names.length > 0) draft.audit('payout_rules.updated', null, changesOf(before, after, names));
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
    const found = draft.find(per, of);
    if (!found) return missing(per, of, per);
    if (found.object === 'key') of = found.lineage.at(-1) ?? of;
  }
  const limit: Limit = { id: draft.newId('lim'), ...given, of, createdAt: draft.atMs };
  draft.patch({ payoutRules: { ...before, limits: [...before.limits, limit] } });
  draft.audit('limit.created', limit.id, described(limit));
  const shown = { object: 'limit', id: limit.id, limit, rules: before, atMs: draft.atMs, used: 0 } as const;
  draft.emit('limit.created', shown);
  return shown;
}

/** Where something is held for a second person, the deletion waits for one. Refuses `resource_missing`. */
export function deleteLimit(
  draft: Draft,
  { limit: id }: { readonly type: 'delete_limit'; readonly limit: string },
): Decision {
  const before = rulesOf(draft);
  const limit = findLimit(draft, id);
  if (isRefusal(limit)) return limit;
  if (!needsSecondPerson(before)) return removeLimit(draft, limit);
  if (limit.pendingDeletion) return { object: 'kept_limit', id };
  draft.audit('limit.deletion_requested', id, described(limit));
  const pendingDeletion = newlyAsked(draft, [draft.actor], before.approvalsRequired);
  return putLimit(draft, limit, { ...limit, pendingDeletion });
}

export function findLimit(draft: Draft, id: string): Limit | Refusal {
  return rulesOf(draft).limits.find((each) => each.id === id) ?? missing('limit', id);
}

export function removeLimit(draft: Draft, limit: Limit): Decision {
  const before = rulesOf(draft);
  const { id } = limit;
  draft.patch({ payoutRules: { ...before, limits: before.limits.filter((each) => each.id !== id) } });
  draft.audit('limit.deleted', id, described(limit));
  draft.emit('limit.deleted', shownLimit(draft, limit));
  return { object: 'deleted', kind: 'limit', id };
}

/** A limit that stays. */
export function putLimit(draft: Draft, before: Limit, after: Limit): Decision {
  const rules = rulesOf(draft);
  const limits = rules.limits.map((each) => (each.id === after.id ? after : each));
  draft.patch({ payoutRules: { ...rules, limits } });
  draft.emit('limit.updated', shownLimit(draft, after), { pending_deletion: shownDeletion(before) });
  return { object: 'kept_limit', id: after.id };
}

const shownLimit = (draft: Draft, limit: Limit) =>
  ({ object: 'limit', id: limit.id, limit, rules: rulesOf(draft), atMs: draft.atMs, used: null }) as const;

const described = ({ currency, allCurrencies: all_currencies, amount, count, per, of, action }: Limit) => {
  const amount_minor = amount === null ? null : String(amount);
  return { currency, all_currencies, amount_minor, count, per, of, action };
};
