/** Decisions that loosen the rules of payouts, given / when / then: what waits, for whom, and what takes it back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { apiKey, AT, idAt } from '../../../test/support/harness/literals.ts';
import type { Actor } from '../../core/actor.ts';
import {
  fingerprintOfChanges,
  fingerprintOfDeletion,
  type Limit,
  NO_RULES,
  type PayoutRules,
  rulesFromJson,
} from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import type { Command } from '../../write/slices.ts';

const key = (n: number) => ({ actor: idAt('key', n) as Actor, lineage: [idAt('key', n)] });
const [ONE, OTHER, THIRD] = [key(1), key(2), key(3)];
/** A key that the first one made, and that somebody confirmed. */
const CHILD = { actor: idAt('key', 4) as Actor, lineage: [idAt('key', 1), idAt('key', 4)] };
const KEYS = [
  ...[1, 2, 3].map((n) => apiKey(n)),
  apiKey(4, { createdBy: ONE.actor, confirmedBy: OTHER.actor, lineage: CHILD.lineage }),
];
const LIMIT = idAt('lim', 1);
const limit = (fields: Partial<Limit> = {}): Limit => ({
  id: LIMIT,
  currency: null,
  allCurrencies: true,
  amount: null,
  count: 3,
  per: 'environment',
  of: null,
  action: 'hold',
  createdAt: AT,
  ...fields,
});

function ruled(rules: Partial<PayoutRules>) {
  const world = given(...KEYS);
  world.state.environment = { ...world.state.environment, payoutRules: { ...NO_RULES, ...rules } };
  return world;
}
const rulesOf = ({ environment }: State): PayoutRules => environment.payoutRules ?? NO_RULES;
const update = (fields: Partial<Omit<PayoutRules, 'limits' | 'pending'>>): Command =>
  ({ type: 'update_payout_rules', ...fields }) as Command;
const remove = (id = LIMIT): Command => ({ type: 'delete_limit', limit: id });
const approve = (state: State): Command => {
  const rules = rulesOf(state);
  const fingerprint = rules.pending && fingerprintOfChanges(rules, rules.pending);
  return { type: 'approve_payout_rules', fingerprint: fingerprint ?? 'none' };
};
const approveDeletion = (state: State, id = LIMIT): Command => {
  const asked = rulesOf(state).limits.find((each) => each.id === id)?.pendingDeletion;
  return { type: 'approve_limit_deletion', limit: id, fingerprint: asked ? fingerprintOfDeletion(id, asked) : 'none' };
};

const STRICT: Partial<PayoutRules> = {
  frozen: true,
  holdNewRecipientsHours: 24,
  holdBankAccounts: true,
  approvalsRequired: 2,
  limits: [limit()],
};
const LOOSER = [
  { frozen: false },
  { holdNewRecipientsHours: 23 },
  { holdBankAccounts: false },
  { approvalsRequired: 1 },
  { timeZone: 'Pacific/Kiritimati' },
] as const;

describe('what loosens the rules', () => {
  it.each(LOOSER)('%j waits, and takes effect once another family agreed', (looser) => {
    const asked = ruled({ ...STRICT, approvalsRequired: 'approvalsRequired' in looser ? 2 : 1 }).when(
      update(looser),
      ONE,
    );
    const before = rulesOf(asked.state);
    asked.thenAccepts({ reply: { object: 'payout_rules' }, events: ['payout_rules.updated'] });
    expect(before).toMatchObject({ ...STRICT, approvalsRequired: before.approvalsRequired, timeZone: 'UTC' });
    expect(before.pending).toMatchObject({ changes: looser, by: [ONE.actor], approvals: [] });
    expect(asked.audits).toMatchObject([{ action: 'payout_rules.change_requested' }]);
    asked.when(approve(asked.state), ONE).thenRefuses('approval_by_creator');
    asked.when(approve(asked.state), CHILD).thenRefuses('approval_by_creator');
    if (before.approvalsRequired === 2) {
      const first = asked.when(approve(asked.state), OTHER);
      expect(rulesOf(first.state)).toMatchObject({ approvalsRequired: 2, pending: { approvals: [{}] } });
      first.when(approve(first.state), OTHER).thenRefuses('approval_repeated');
      expect(rulesOf(first.when(approve(first.state), THIRD).state)).toMatchObject({ ...looser, pending: null });
      return;
    }
    const agreed = asked.when(approve(asked.state), OTHER);
    expect(rulesOf(agreed.state)).toEqual({ ...before, ...looser, pending: null });
    expect(agreed.audits.map(({ action }) => action)).toEqual(['payout_rules.change_approved', 'payout_rules.updated']);
    agreed.when(approve(agreed.state), OTHER).thenRefuses('change_not_held');
  });

  it.each([
    { holdNewRecipientsHours: 1 },
    { holdBankAccounts: true },
    { limits: [limit()] },
  ] satisfies Partial<PayoutRules>[])('waits where %j holds something', (rules) => {
    const asked = ruled({ ...rules, approvalsRequired: 2 }).when(update({ approvalsRequired: 1 }), ONE);
    expect(rulesOf(asked.state)).toMatchObject({
      approvalsRequired: 2,
      pending: { changes: { approvalsRequired: 1 } },
    });
  });

  it('control: where nothing is held there need be no second person, and it is done at once', () => {
    const refusing = { frozen: true, approvalsRequired: 2, limits: [limit({ action: 'refuse' })] };
    for (const looser of [{ frozen: false }, { approvalsRequired: 1 }, { timeZone: 'Europe/Berlin' }]) {
      expect(rulesOf(ruled(refusing).when(update(looser), ONE).state)).toEqual({ ...NO_RULES, ...refusing, ...looser });
    }
    ruled(refusing)
      .when(remove(), ONE)
      .thenAccepts({ reply: { object: 'deleted', id: LIMIT }, events: ['limit.deleted'] });
  });

  it('does not keep what makes them stricter from being done', () => {
    const { state } = ruled({ holdNewRecipientsHours: 24 }).when(
      update({ frozen: true, holdBankAccounts: true, approvalsRequired: 2, holdNewRecipientsHours: 0 }),
      ONE,
    );
    expect(rulesOf(state)).toMatchObject({
      frozen: true,
      holdBankAccounts: true,
      approvalsRequired: 2,
      holdNewRecipientsHours: 24,
      pending: { changes: { holdNewRecipientsHours: 0 }, approvalsRequired: 2 },
    });
  });
});

describe('the deletion of a limit', () => {
  it.each(['hold', 'refuse'] as const)('that may %s waits, and is rejected or approved', (action) => {
    const asked = ruled({ holdBankAccounts: true, limits: [limit({ action })] }).when(remove(), ONE);
    asked.thenAccepts({ reply: { object: 'kept_limit', id: LIMIT }, events: ['limit.updated'] });
    expect(rulesOf(asked.state).limits).toMatchObject([{ id: LIMIT, pendingDeletion: { by: [ONE.actor] } }]);
    asked.when(remove(), OTHER).thenAccepts({ reply: { object: 'kept_limit' }, events: [] }); // it waits already
    asked.when(approveDeletion(asked.state), CHILD).thenRefuses('approval_by_creator');
    asked
      .when({ type: 'approve_limit_deletion', limit: LIMIT, fingerprint: 'of something else' }, OTHER)
      .thenRefuses('approval_outdated');
    const rejected = asked.when({ type: 'reject_limit_deletion', limit: LIMIT }, OTHER);
    expect(rulesOf(rejected.state).limits).toEqual([limit({ action })]);
    rejected.when(approveDeletion(rejected.state), OTHER).thenRefuses('change_not_held');
    const again = rejected.when(remove(), OTHER);
    again
      .when(approveDeletion(again.state), ONE)
      .thenAccepts({ reply: { object: 'deleted', id: LIMIT }, events: ['limit.deleted'] });
    expect(rulesOf(again.state).limits).toEqual([]);
    again.when(approveDeletion(again.state), ONE).thenRefuses('resource_missing');
  });

  it('needs two where two are asked for', () => {
    const asked = ruled({ approvalsRequired: 2, limits: [limit()] }).when(remove(), ONE);
    const once = asked.when(approveDeletion(asked.state), OTHER);
    once.thenAccepts({ reply: { object: 'kept_limit' }, events: ['limit.updated'] });
    once.when(approveDeletion(once.state), OTHER).thenRefuses('approval_repeated');
    once.when(approveDeletion(once.state), THIRD).thenAccepts({ events: ['limit.deleted'] });
  });
});

describe('what waits', () => {
  it('is outdated by a change of the rules, which voids its approvals', () => {
    const asked = ruled({ ...STRICT }).when(update({ frozen: false }), ONE);
    const seen = approve(asked.state);
    const once = asked.when(seen, OTHER);
    const stricter = once.when(update({ holdNewRecipientsHours: 48 }), OTHER);
    stricter.when(seen, THIRD).thenRefuses('approval_outdated');
    expect(rulesOf(stricter.state).pending).toMatchObject({
      changes: { frozen: false },
      by: [ONE.actor],
      approvals: [],
    });
    stricter.when(approve(stricter.state), THIRD).thenAccepts({});
    expect(rulesOf(stricter.state)).toMatchObject({ frozen: true, holdNewRecipientsHours: 48 });
  });

  it('gives way to the next request, whose asker cannot approve it', () => {
    const asked = ruled({ ...STRICT, approvalsRequired: 1 }).when(update({ frozen: false }), ONE);
    const seen = approve(asked.state);
    const next = asked.when(update({ holdBankAccounts: false }), OTHER);
    expect(rulesOf(next.state).pending).toMatchObject({ changes: { holdBankAccounts: false }, by: [OTHER.actor] });
    next.when(seen, THIRD).thenRefuses('approval_outdated');
    next.when(approve(next.state), OTHER).thenRefuses('approval_by_creator');
    next.when(approve(next.state), ONE).thenAccepts({});
    expect(rulesOf(next.state)).toMatchObject({ frozen: true, holdBankAccounts: false, pending: null });
  });

  it('stays as it is if the same one asks again; is taken back by naming the rule as it is; can be rejected', () => {
    const asked = ruled({ ...STRICT }).when(update({ frozen: false, holdBankAccounts: false }), ONE);
    const { pending } = rulesOf(asked.state);
    asked.when(update({ frozen: false, holdBankAccounts: false }), ONE).thenAccepts({ events: [] });
    expect(rulesOf(asked.state).pending).toBe(pending);
    const less = asked.when(update({ frozen: true }), ONE);
    less.thenAccepts({ events: ['payout_rules.updated'] });
    expect(less.audits).toMatchObject([{ action: 'payout_rules.change_rejected', details: { withdrawn: ['frozen'] } }]);
    expect(rulesOf(less.state).pending).toMatchObject({ changes: { holdBankAccounts: false }, by: [ONE.actor] });
    const rejected = less.when({ type: 'reject_payout_rules' }, OTHER);
    rejected.thenAccepts({ events: ['payout_rules.updated'] });
    expect(rulesOf(rejected.state)).toMatchObject({ ...STRICT, pending: null });
    rejected.when({ type: 'reject_payout_rules' }, OTHER).thenRefuses('change_not_held');
  });
});

it('whatever one family does, in whatever order, nothing is looser (control: with a second one it is)', () => {
  const hours = fc.constantFrom(0, 12, 24, 48);
  const rules = fc.record(
    {
      frozen: fc.boolean(),
      holdNewRecipientsHours: hours,
      holdBankAccounts: fc.boolean(),
      approvalsRequired: fc.constantFrom(1, 2),
      timeZone: fc.constantFrom('UTC', 'Asia/Tokyo'),
    },
    { requiredKeys: [] },
  );
  const step = fc.oneof(
    fc.record({ act: fc.constant('update' as const), rules, by: fc.constantFrom(ONE, CHILD) }),
    fc.record({
      act: fc.constantFrom('remove' as const, 'approve' as const, 'approve deletion' as const, 'reject' as const),
      by: fc.constantFrom(ONE, CHILD),
    }),
  );
  const run = (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[], second: boolean) => {
    let looser = 0;
    const world = ruled({ ...STRICT, approvalsRequired: 1 });
    for (const each of steps) {
      const before = rulesOf(world.state);
      const by = second && each.act !== 'update' ? OTHER : each.by;
      if (each.act === 'update') world.when(update(each.rules), by);
      if (each.act === 'remove') world.when(remove(), by);
      if (each.act === 'approve') world.when(approve(world.state), by);
      if (each.act === 'approve deletion') world.when(approveDeletion(world.state), second ? ONE : by);
      if (each.act === 'reject') world.when({ type: 'reject_payout_rules' }, by);
      const after = rulesOf(world.state);
      const isStricter =
        (after.frozen || !before.frozen) &&
        after.holdNewRecipientsHours >= before.holdNewRecipientsHours &&
        (after.holdBankAccounts || !before.holdBankAccounts) &&
        after.approvalsRequired >= before.approvalsRequired &&
        after.timeZone === before.timeZone &&
        after.limits.length >= before.limits.length;
      looser += isStricter ? 0 : 1;
    }
    return looser;
  };
  let byTwo = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      expect(run(steps, false)).toBe(0);
      byTwo += run(steps, true);
    }),
    { numRuns: 300 },
  );
  expect(byTwo).toBeGreaterThan(0);
});

it('who asked was one in rows from before 0.1.0', () => {
  const pending = { changes: { frozen: false }, by: ONE.actor, at: AT, approvalsRequired: 1, approvals: [] };
  const row = { ...NO_RULES, frozen: true, pending, limits: [{ ...limit(), pendingDeletion: pending }] };
  const { pending: waits, limits } = rulesFromJson(JSON.stringify(row));
  expect([waits?.by, limits[0]?.pendingDeletion?.by]).toEqual([[ONE.actor], [ONE.actor]]);
});
