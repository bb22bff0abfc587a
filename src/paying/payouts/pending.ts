/**
 * What would loosen the rules of payouts and waits for a second person: as it is shown, and what an approval of it is bound to. Pure. What all
 * that waits has in common: `core/pending.ts`.
 */
import { snakeCase } from '../../core/fields.ts';
import { GUARDED, type Limit, type PayoutRules, type PendingRules } from '../../core/payout-rules.ts';
import { fingerprintOf, type Pending, shown } from '../../core/pending.ts';

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
