/**
 * Approving many payouts at once is approving them one by one, in this order: the same payouts, usages of limits, events and entries of the audit log,
 * or the refusal of the first that would be refused, and then nothing. Control: one that lets refused rows be is noticed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../core/actor.ts';
import { isRefusal } from '../../core/decision.ts';
import { Draft } from '../../core/draft.ts';
import { type Limit, NO_RULES } from '../../core/payout-rules.ts';
import { apply, type Change, type State } from '../../core/state.ts';
import { decide } from '../../write/slices.ts';
import { given } from '../../../test/support/harness/given.ts';
import { AT, account, idAt, payout, recipient, seededIds } from '../../../test/support/harness/literals.ts';
import { asUser, user, userId } from '../../../test/support/harness/people.ts';
import { approvePayout, type SeenPayout } from './approval-decide.ts';
import type { Payout } from './fields.ts';
import { fingerprintOf } from './fingerprints.ts';

const APPROVER = userId(1);
const BEFORE_HIM = userId(2);
const MAKERS: readonly Actor[] = [userId(3), 'cli'];
const from = { requestId: null, idempotencyKey: null, actor: APPROVER };
const base = {
  currency: 'EUR',
  allCurrencies: false,
  count: null,
  of: null,
  per: 'environment',
  createdAt: AT,
} as const;
/** Some of the payouts pass the first; approved ones may pass the second. */
const LIMITS: readonly Limit[] = [
  { ...base, id: idAt('lim', 1), amount: 2_000n, action: 'refuse' },
  { ...base, id: idAt('lim', 2), amount: 700n, action: 'hold' },
];

/** A row of a request, and what is wrong with it, if anything is. */
interface Row {
  readonly amount: number;
  readonly needs: 1 | 2;
  readonly hasOne: boolean;
  readonly maker: 0 | 1;
  readonly fault: 'none' | 'own' | 'changed' | 'repeated' | 'free' | 'missing';
}
const fine = fc.record<Row>({
  amount: fc.integer({ min: 1, max: 300 }),
  needs: fc.constantFrom(1, 2),
  hasOne: fc.boolean(),
  maker: fc.constantFrom(0, 1),
  fault: fc.constant('none'),
});
const row = fc.oneof(
  { weight: 12, arbitrary: fine },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fine, fc.constantFrom<Row['fault']>('own', 'changed', 'repeated', 'free', 'missing'))
      .map(([each, fault]) => ({ ...each, fault })),
  },
);
const rows = fc.array(row, { minLength: 1, maxLength: 14 });

function payoutOf({ amount, needs, hasOne, maker, fault }: Row, index: number): Payout {
  const first = fault === 'repeated' ? APPROVER : BEFORE_HIM;
  const approvals = fault === 'repeated' || (hasOne && needs === 2) ? [{ by: first, at: AT - 1 }] : [];
  return payout({
    id: idAt('po', index + 1),
    amount: BigInt(amount),
    createdBy: fault === 'own' ? APPROVER : (MAKERS[maker] as Actor),
    dueAt: null,
    release: {
      status: fault === 'free' ? 'approved' : 'held',
      reasons: ['new_recipient'],
      approvalsRequired: fault === 'repeated' ? 2 : needs,
      approvals,
      rejection: null,
    },
  });
}

function worldOf(all: readonly Row[]): State {
  const payouts = all.flatMap((each, index) => (each.fault === 'missing' ? [] : [payoutOf(each, index)]));
  const { state } = given(account(), recipient(), user(1), user(2), user(3), ...payouts);
  state.environment = { ...state.environment, payoutRules: { ...NO_RULES, limits: LIMITS } };
  state.hasUsages = true;
  return state;
}

const seenOf = (all: readonly Row[]): SeenPayout[] =>
  all.map((each, index) => ({
    id: idAt('po', index + 1),
    fingerprint: each.fault === 'changed' ? 'as it was' : fingerprintOf(payoutOf(each, index)),
  }));

const context = () => ({ atMs: AT, ids: seededIds(), ...asUser(APPROVER) });

/** What a command leaves behind, without the ids that are made by the way, which count up. */
function trace(state: State, changes: readonly Change[]): unknown {
  const events = changes.flatMap((each) => (each.kind === 'event' ? [[each.event.type, each.event.object.id]] : []));
  const audits = changes.flatMap((each) => (each.kind === 'audit' ? [{ ...each.entry, id: null }] : []));
  const { payout: payouts, limit_usage: usages } = state.tables;
  const used = [...usages.values()].map(({ limit, subject, day, usedAmount, usedCount }) => [
    limit,
    subject,
    day,
    usedAmount,
    usedCount,
  ]);
  const shares = ({ shares: own }: Payout) => own?.map(({ limit, amount }) => [limit, amount]);
  const after = [...payouts.values()].map((each) => [each.id, each.status, each.release, each.dueAt, shares(each)]);
  return { events, audits, used, after };
}

type Many = (state: State, seen: readonly SeenPayout[]) => ReturnType<typeof decide>;
const atOnce: Many = (state, payouts) =>
  decide({ type: 'approve_payouts', payouts, settlementDelayMs: 3_000, proof: null }, state, context());

/** The outcome by the operation of a single payout. */
function oneByOne(all: readonly Row[]): unknown {
  const state = worldOf(all);
  const changes: Change[] = [];
  for (const [index, { id, fingerprint }] of seenOf(all).entries()) {
    const command = { type: 'approve_payout', payout: id, fingerprint, settlementDelayMs: 3_000 } as const;
    const decision = decide(command, state, context());
    if (!decision.accepted) return { refused: decision.refusal.code, row: index };
    apply(state, decision.changes, from);
    changes.push(...decision.changes);
  }
  return trace(state, changes);
}

function together(all: readonly Row[], many: Many): unknown {
  const state = worldOf(all);
  const decision = many(state, seenOf(all));
  if (!decision.accepted) {
    const { code, details } = decision.refusal;
    return { refused: code, row: Number(/^payouts\[(\d+)\]\[(?:id|fingerprint)\]$/.exec(details.param ?? '')?.[1]) };
  }
  apply(state, decision.changes, from);
  return trace(state, decision.changes);
}

/** Throws where they differ. Counts how many were approved, and which refusals were met. */
function check(many: Many, met: Map<string, number>): void {
  const property = fc.property(rows, (all) => {
    const expected = oneByOne(all);
    const { refused = 'approved' } = expected as { readonly refused?: string };
    met.set(refused, (met.get(refused) ?? 0) + 1);
    expect(together(all, many)).toEqual(expected);
  });
  fc.assert(property, { seed: 35, numRuns: 200 });
}

describe('many payouts at once', () => {
  it('are approved as one by one, or refused as the first that would be', () => {
    const met = new Map<string, number>();
    check(atOnce, met);
    const codes = ['approval_by_creator', 'approval_outdated', 'approval_repeated', 'payout_not_held'];
    expect([...met.keys()].toSorted()).toEqual(['approved', ...codes, 'limit_exceeded', 'resource_missing'].toSorted());
    expect(met.get('approved')).toBeGreaterThan(50);
  });

  it('control: to pass over what is refused is noticed', () => {
    const lenient: Many = (state, payouts) => {
      const draft = new Draft(state, context());
      for (const { id, fingerprint } of payouts) {
        const command = { type: 'approve_payout', payout: id, fingerprint, settlementDelayMs: 3_000 } as const;
        if (isRefusal(approvePayout(draft, command))) continue;
      }
      const { id } = state.environment;
      return {
        accepted: true,
        changes: draft.changes,
        reply: { object: 'payout_approval', id, approvedCount: 0, heldCount: 0 },
      };
    };
    expect(() => check(lenient, new Map())).toThrow(/refused|Property failed/);
  });

  it('says how many may leave now, and how many wait for one more', () => {
    const all: Row[] = [1, 2, 2].map((needs) => ({
      amount: 5,
      needs: needs as 1 | 2,
      hasOne: false,
      maker: 0,
      fault: 'none',
    }));
    const outcome = given(account(), recipient(), user(1), user(2), user(3), ...all.map(payoutOf)).when(
      { type: 'approve_payouts', payouts: seenOf(all), settlementDelayMs: null, proof: 'signed' },
      asUser(APPROVER),
    );
    outcome.thenAccepts({ reply: { object: 'payout_approval', approvedCount: 1, heldCount: 2 } });
    expect((outcome.now(idAt('po', 1)) as Payout).release?.approvals).toEqual([
      { by: APPROVER, at: AT, proof: 'signed' },
    ]);
    expect(outcome.audits[0]?.details).toEqual({ approvals: 1, required: 1, proof: 'signed' });
  });
});
