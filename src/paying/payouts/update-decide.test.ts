/** The decision that changes a payout, given / when / then. */
import { describe, expect, it } from 'vitest';
import { BANK } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { account, apiKey, AT, BATCH, idAt, payout, payoutBatch } from '../../../test/support/harness/literals.ts';
import type { Actor } from '../../core/actor.ts';
import { NO_RULES } from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import { fingerprintOf, fingerprintOfHeld } from './fingerprints.ts';
import type { UpdatePayout } from './update-decide.ts';

const PAYOUT = payout().id;
const day = (days: number) => isoDay(AT + days * DAY_MS);
const change = (changes: Partial<UpdatePayout>) =>
  ({
    type: 'update_payout',
    payout: PAYOUT,
    metadata: undefined,
    reference: undefined,
    scheduledOn: undefined,
    settlementDelayMs: 3000,
    ...changes,
  }) as const;
const update = (metadata: Record<string, string>) => change({ metadata });

describe('update_payout', () => {
  it('changes metadata in any state', () => {
    const outcome = given(payout({ status: 'paid', metadata: { a: '1' } })).when(update({ a: '', b: '2' }));
    outcome.thenAccepts({ reply: { metadata: { b: '2' }, status: 'paid' }, transfers: [], events: ['payout.updated'] });
    expect(outcome.events[0]?.previous).toEqual({ metadata: { a: '1', b: null } });
    given(payout({ metadata: { a: '1' } }))
      .when(update({ a: '1' }))
      .thenAccepts({ events: [] });
  });

  it('refuses the unknown and more than fifty keys', () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    given().when(update({})).thenRefuses('resource_missing');
    given(payout({ metadata: { one: 'more' } }))
      .when(update(fifty))
      .thenRefuses('metadata_invalid', { param: 'metadata' });
  });

  it('changes text and day while it is pending, and plans it anew', () => {
    const outcome = given(payout({ reference: 'Invoice 7', dueAt: AT })).when(
      change({ reference: null, scheduledOn: day(2) }),
    );
    outcome.thenAccepts({
      reply: { reference: null, scheduledOn: day(2), dueAt: Date.parse(`${day(2)}T00:00:00Z`) },
      events: ['payout.updated'],
      transfers: [],
    });
    expect(outcome.events[0]?.previous).toEqual({ reference: 'Invoice 7', scheduled_on: null });
    outcome
      .when(change({ scheduledOn: null }))
      .thenAccepts({ reply: { scheduledOn: null, dueAt: expect.closeTo(AT + 3000, -6) } });
  });

  it.each([
    ['category_purpose', { categoryPurpose: 'SALA' }],
    ['purpose', { purpose: 'BONU' }],
    ['bank_account', { bankAccount: null }],
  ] as const)('changes its %s while it is pending, and voids its approvals', (name, changes) => {
    const approvals = [{ by: 'key_1', at: AT }];
    const release = { status: 'approved', reasons: ['x'], approvalsRequired: 1, approvals, rejection: null } as const;
    const before = payout({ release, ...(name === 'bank_account' && { bankAccount: BANK }) });
    const outcome = given(before)
      .when(change(changes))
      .thenAccepts({ reply: { ...changes, release: { status: 'held', approvals: [] } } });
    expect(outcome.events[0]?.previous).toEqual({ [name]: name === 'bank_account' ? BANK : null });
    given({ ...before, status: 'in_transit', inTransitAt: AT })
      .when(change(changes))
      .thenRefuses('payout_state_invalid', { param: name });
  });

  it('voids the approvals of what it changes, and holds it again', () => {
    const approvals = [{ by: 'key_1', at: AT }];
    const release = {
      status: 'approved' as const,
      reasons: ['new_recipient'],
      approvalsRequired: 1,
      approvals,
      rejection: null,
    };
    const after = {
      release: { ...release, status: 'held', approvals: [] },
      changedBy: ['worker'],
      dueAt: null,
    };
    const approved = payout({ release, dueAt: AT });
    given(approved)
      .when(change({ reference: 'Another' }))
      .thenAccepts({ reply: after, events: ['payout.updated', 'payout.held'] });
    given(approved)
      .when(change({ scheduledOn: day(2) }))
      .thenAccepts({ reply: after });
    given(approved)
      .when(update({ a: '1' }))
      .thenAccepts({ reply: { release, dueAt: AT }, events: ['payout.updated'] });
  });

  it('does not plan what is held, or what only a bank moves', () => {
    given(payout({ dueAt: null }))
      .when(change({ scheduledOn: day(2) }))
      .thenAccepts({ reply: { scheduledOn: day(2), dueAt: null } });
  });

  it('what is said again changes nothing, also when it has left', () => {
    given(payout({ status: 'paid', reference: 'Invoice 7', scheduledOn: day(-3) }))
      .when(change({ reference: 'Invoice 7', scheduledOn: day(-3) }))
      .thenAccepts({ events: [] });
  });

  it.each(['in_transit', 'paid', 'failed', 'canceled', 'returned'] as const)(
    'refuses text and day once it is %s',
    (status) => {
      given(payout({ status }))
        .when(change({ reference: 'x' }))
        .thenRefuses('payout_state_invalid', { param: 'reference' });
      given(payout({ status }))
        .when(change({ scheduledOn: day(1) }))
        .thenRefuses('payout_state_invalid', { param: 'scheduled_on' });
    },
  );

  it.each([day(-1), day(367)])('refuses the day %s', (scheduledOn) => {
    given(payout({ dueAt: AT }))
      .when(change({ scheduledOn }))
      .thenRefuses('scheduled_on_invalid');
  });
});

describe('what was changed while no rule held it, and is held later', () => {
  const by = (n: number) => ({ actor: idAt('key', n) as Actor, lineage: [idAt('key', n)] });
  const [CREATOR, CHANGER, THIRD] = [by(1), by(2), by(3)];
  const keys = [1, 2, 3].map((n) => apiKey(n));
  const hold = (state: State) => {
    const all = { currency: null, allCurrencies: true, amount: null, per: 'environment', of: null } as const;
    const limit = { ...all, id: idAt('lim', 1), count: 0, action: 'hold', createdAt: AT } as const;
    state.environment = { ...state.environment, payoutRules: { ...NO_RULES, limits: [limit] } };
    state.hasUsages = true;
  };
  const leave = {
    type: 'step_payout',
    payout: PAYOUT,
    to: 'in_transit',
    failureCode: null,
    nextDelayMs: null,
  } as const;
  const rest = { settlementDelayMs: null } as const;
  const approve = (state: State) => {
    const seen = state.tables.payout.get(PAYOUT) ?? payout();
    return { type: 'approve_payout', payout: PAYOUT, fingerprint: fingerprintOf(seen), ...rest } as const;
  };
  const approveBatch = (state: State) => {
    const fingerprint = fingerprintOfHeld([...state.tables.payout.values()]);
    return { type: 'approve_payout_batch', batch: BATCH, fingerprint, ...rest } as const;
  };
  const world = () =>
    given(...keys, account(), payoutBatch(), payout({ createdBy: CREATOR.actor, dueAt: AT, batch: BATCH }));

  it.each(['reference', 'day', 'day under the limit'])('is for neither who made it nor who changed its %s', (what) => {
    const here = world();
    if (what === 'day under the limit') hold(here.state);
    const changed = here.when(
      change(what === 'reference' ? { reference: 'For another' } : { scheduledOn: day(2) }),
      CHANGER,
    );
    changed.thenAccepts({ reply: { changedBy: [CHANGER.actor] } });
    hold(here.state);
    const held = changed.when(leave);
    expect(held.now(PAYOUT)).toMatchObject({ status: 'pending', release: { status: 'held' } });
    for (const each of [CREATOR, CHANGER]) {
      held.when(approve(here.state), each).thenRefuses('approval_by_creator');
      held.when(approveBatch(here.state), each).thenRefuses('approval_by_creator');
    }
    held.when(approve(here.state), THIRD).thenAccepts({ events: ['payout.approved'] });
  });

  it('is for nobody who changed it, however many did', () => {
    const here = world();
    const changed = here.when(change({ reference: 'One' }), CHANGER).when(change({ reference: 'Two' }), THIRD);
    changed.thenAccepts({ reply: { changedBy: [CHANGER.actor, THIRD.actor] } });
    hold(here.state);
    const held = changed.when(leave);
    for (const each of [CREATOR, CHANGER, THIRD])
      held.when(approve(here.state), each).thenRefuses('approval_by_creator');
  });

  it('control: who changed nothing of it approves, also alone or with the batch', () => {
    for (const approval of [approve, approveBatch]) {
      const here = world();
      const noted = here.when(update({ a: '1' }), CHANGER).when(change({ reference: null }), CHANGER);
      hold(here.state);
      const held = noted.when(leave);
      expect(held.now(PAYOUT)).toMatchObject({ changedBy: null, metadata: { a: '1' }, release: { status: 'held' } });
      held.when(approval(here.state), CREATOR).thenRefuses('approval_by_creator');
      held.when(approval(here.state), CHANGER).thenAccepts({ events: ['payout.approved'] });
    }
  });
});
