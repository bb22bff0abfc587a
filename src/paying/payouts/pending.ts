/**
 * What would loosen the rules of payouts and waits for a second person: as it is shown, and what an approval of it is bound to. Pure. Who
 * decides: `loosening-decide.ts`.
 */
import { snakeCase } from '../../core/fields.ts';
import { type Asked, GUARDED, type Limit, type PayoutRules, type PendingChanges } from '../../core/payout-rules.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { fingerprint } from '../../core/values/fingerprint.ts';

/** In an order of their own: jsonb does not keep that of members. */
const guardedOf = (rules: PendingChanges['changes']) =>
  GUARDED.filter((name) => name in rules).map((name) => [name, rules[name]] as const);

export const isSameChange = (one: PendingChanges['changes'], other: PendingChanges['changes']): boolean =>
  JSON.stringify(guardedOf(one)) === JSON.stringify(guardedOf(other));

/** From what to what, and who asked: so a change of the rules outdates it. */
export const fingerprintOfChanges = (rules: PayoutRules, { changes, by, at }: PendingChanges): string =>
  fingerprint(JSON.stringify([guardedOf(rules), guardedOf(changes), by, at]));

/** A limit never changes, so its id stands for it. */
export const fingerprintOfDeletion = (limit: string, { by, at }: Asked): string =>
  fingerprint(JSON.stringify([limit, by, at]));

const shown = ({ by, at, approvalsRequired, approvals }: Asked, print: string) => ({
  by,
  at: unixSeconds(at),
  approvals_required: approvalsRequired,
  approvals: approvals.map((each) => ({ by: each.by, at: unixSeconds(each.at) })),
  fingerprint: print,
});

export function shownChanges(rules: PayoutRules): object | null {
  const { pending } = rules;
  if (pending === null) return null;
  const changes = Object.fromEntries(guardedOf(pending.changes).map(([name, value]) => [snakeCase(name), value]));
  return { changes, ...shown(pending, fingerprintOfChanges(rules, pending)) };
}

export const shownDeletion = ({ id, pendingDeletion: asked }: Pick<Limit, 'id' | 'pendingDeletion'>): object | null =>
  asked === undefined ? null : shown(asked, fingerprintOfDeletion(id, asked));
