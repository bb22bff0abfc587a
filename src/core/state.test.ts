/** State, draft and apply: a decision changes nothing by itself, and what is applied is what the next command sees. */
import { describe, expect, it } from 'vitest';
import {
  account,
  ACCOUNT,
  AT,
  ENDPOINT,
  environment,
  idAt,
  payout,
  recipient,
  seededIds,
  webhookEndpoint,
} from '../../test/support/harness/literals.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { type EventObject } from './objects.ts';
import { type WebhookEndpoint } from '../events/webhooks/fields.ts';
import { Draft } from './draft.ts';
import { NO_FX } from './fx.ts';
import { type Change, State, apply, subscriptionsOf } from './state.ts';

const ORIGIN = { actor: 'worker' as const, requestId: idAt('req', 1), idempotencyKey: 'k' };
const stateOf = (...objects: Parameters<State['put']>[0][]) => {
  const state = new State(environment(7n));
  for (const object of objects) state.put(object);
  return state;
};
const draftOf = (state: State) => new Draft(state, { atMs: AT, ids: seededIds(), actor: 'worker' });

describe('Draft', () => {
  it('sees its own writes; the state does not', () => {
    const state = stateOf(account());
    const draft = draftOf(state);
    draft.update(account({ balance: 1n }));
    draft.create(payout({ externalId: 'mine' }));
    expect(draft.find('account', ACCOUNT)?.balance).toBe(1n);
    expect(draft.payoutWithExternalId('mine')).toBe(payout().id);
    expect(state.tables.account.get(ACCOUNT)?.balance).toBe(100_000n);
    expect([state.tables.payout.size, state.externalIds.size, state.updated.size]).toEqual([0, 0, 0]);
  });

  it('finds an object under its own kind only', () => {
    const draft = draftOf(stateOf(account()));
    draft.create(payout());
    expect(draft.find('payout', ACCOUNT)).toBeUndefined();
    expect(draft.find('account', payout().id)).toBeUndefined();
  });

  it('leaves a closed account out of the oldest open ones, also if it closed it itself', () => {
    const draft = draftOf(stateOf(account(), account({ id: idAt('acct', 2) })));
    expect(draft.oldestOpenAccount('EUR')?.id).toBe(ACCOUNT);
    draft.update(account({ status: 'closed', balance: 0n }));
    expect(draft.oldestOpenAccount('EUR')?.id).toBe(idAt('acct', 2));
    expect(draft.oldestOpenAccount('USD')).toBeUndefined();
  });

  it('numbers events on from the environment’s sequence', () => {
    const draft = draftOf(stateOf(account()));
    draft.emit('account.updated', account(), { name: null });
    draft.emit('account.closed', account());
    expect(draft.changes).toMatchObject([
      { event: { sequence: 8n, createdAt: AT } },
      { event: { sequence: 9n, previous: null } },
    ]);
  });
});

describe('apply', () => {
  const event = (sequence: bigint): Change => ({
    kind: 'event',
    event: {
      id: idAt('evt', 1),
      sequence,
      type: 'account.updated',
      object: account(),
      previous: null,
      transfer: null,
      createdAt: AT,
    },
  });

  it('keeps objects in their final form: created stays created, updated once', () => {
    const state = stateOf(account());
    const fresh = account({ id: idAt('acct', 2), balance: 0n });
    apply(
      state,
      [
        { kind: 'object', object: fresh, isNew: true },
        { kind: 'object', object: { ...fresh, balance: 5n }, isNew: false },
        { kind: 'object', object: account({ balance: 1n }), isNew: false },
        { kind: 'object', object: account({ balance: 2n }), isNew: false },
      ],
      ORIGIN,
    );
    expect([...state.created.values()]).toEqual([{ ...fresh, balance: 5n }]);
    expect([...state.updated.values()]).toEqual([account({ balance: 2n })]);
    expect(state.tables.account.get(ACCOUNT)?.balance).toBe(2n);
    expect(state.openAccounts.get('EUR')).toEqual(new Set([ACCOUNT, fresh.id]));
  });

  it('moves the sequence on and keeps who asked', () => {
    const state = stateOf();
    apply(state, [event(8n), event(9n)], ORIGIN);
    expect(state.environment.lastSequence).toBe(9n);
    expect(state.events.map(({ origin }) => origin)).toEqual([ORIGIN, ORIGIN]);
  });

  it('stops at a gap in the sequence: that is a bug', () => {
    expect(() => apply(stateOf(), [event(9n)], ORIGIN)).toThrow('continue the sequence');
    expect(() => apply(stateOf(), [event(8n), event(8n)], ORIGIN)).toThrow('continue the sequence');
  });

  it('keeps a version of a recipient for each version, not for each change', () => {
    const state = stateOf();
    const ada = recipient({ version: 1 });
    const put = (object: typeof ada, isNew = false): Change => ({ kind: 'object', object, isNew });
    apply(state, [put(ada, true), put({ ...ada, email: 'a@b.example' }), put({ ...ada, version: 2 })], ORIGIN);
    expect(state.recipientVersions.map(({ version }) => version)).toEqual([1, 2]);
  });

  it('closes an account to the choice of the oldest, moves the clock, takes external ids', () => {
    const state = stateOf(account());
    apply(
      state,
      [
        { kind: 'object', object: account({ status: 'closed', balance: 0n }), isNew: false },
        { kind: 'object', object: payout({ externalId: 'e' }), isNew: true },
        { kind: 'environment', patch: { clockOffsetMs: 5000 } },
      ],
      ORIGIN,
    );
    expect(state.openAccounts.get('EUR')?.size).toBe(0);
    expect(state.externalIds.get('e')).toBe(payout().id);
    expect(state.environment.clockOffsetMs).toBe(5000);
  });

  it.each([
    [{ payoutRules: null }, ['payout_rules'], false],
    [{ fees: [] }, ['fees'], false],
    [{ payingBanks: [] }, ['paying_banks'], false],
    [{ fx: NO_FX }, [], true],
    [{ clockOffsetMs: 0 }, [], false],
  ] as const)(
    'notes what of an environment is to be written, also if it becomes empty: %j',
    (patch, written, hasNewFx) => {
      const state = stateOf();
      apply(state, [{ kind: 'environment', patch }], ORIGIN);
      expect([[...state.newRules], state.hasNewFx]).toEqual([written, hasNewFx]);
    },
  );
});

describe('which endpoints an event goes to', () => {
  const OTHER = idAt('we', 2);

  /** The endpoints that get a delivery, disabled ones with a mark. */
  function matching(endpoints: readonly WebhookEndpoint[], type: EventType, object: EventObject = account()): string[] {
    const state = stateOf(...endpoints);
    state.subscriptions = subscriptionsOf(endpoints);
    const draft = draftOf(state);
    draft.emit(type, object);
    apply(state, draft.changes, ORIGIN);
    return state.deliveries.map(({ subscription }) => `${subscription.endpoint}${subscription.enabled ? '' : ' held'}`);
  }

  it.each<[patterns: readonly string[], matched: readonly EventType[]]>([
    [['*'], EVENT_TYPES.filter((type) => type !== 'ping')],
    [['account.closed'], ['account.closed']],
    [
      ['recipient.*', 'account.closed'],
      ['account.closed', 'recipient.created', 'recipient.updated', 'recipient.archived', 'recipient.redacted'],
    ],
    [['payout.*', 'payout.paid'], EVENT_TYPES.filter((type) => type.startsWith('payout.'))],
    [['ping'], []],
  ])('%j is %j', (enabledEvents, matched) => {
    const endpoint = webhookEndpoint({ enabledEvents });
    expect(EVENT_TYPES.filter((type) => matching([endpoint], type).length > 0)).toEqual(matched);
  });

  it('each endpoint once, disabled ones as held, deleted ones not', () => {
    const endpoints = [
      webhookEndpoint({ enabledEvents: ['account.*', 'account.closed', '*'] }),
      webhookEndpoint({ id: OTHER, status: 'disabled' }),
      webhookEndpoint({ id: idAt('we', 3), deletedAt: AT }),
    ];
    expect(matching(endpoints, 'account.closed')).toEqual([ENDPOINT, `${OTHER} held`]);
  });

  it('a ping is for its own endpoint alone, whatever it asks for; all else about an endpoint is for the others', () => {
    const [own, other] = [webhookEndpoint({ enabledEvents: ['account.closed'] }), webhookEndpoint({ id: OTHER })];
    expect(matching([own, other], 'ping', own)).toEqual([ENDPOINT]);
    expect(matching([own, other], 'webhook_endpoint.updated', own)).toEqual([OTHER]);
    expect(matching([own, other], 'webhook_endpoint.updated', other)).toEqual([]);
  });

  it('a new endpoint gets what follows in its batch, a changed one by what it asks for then, a deleted one nothing', () => {
    const state = stateOf();
    const step = (object: WebhookEndpoint, isNew: boolean) => apply(state, [{ kind: 'object', object, isNew }], ORIGIN);
    const emit = (type: EventType) => {
      const draft = draftOf(state);
      draft.emit(type, account());
      apply(state, draft.changes, ORIGIN);
    };
    emit('account.created');
    step(webhookEndpoint(), true);
    emit('account.updated');
    step(webhookEndpoint({ enabledEvents: ['account.closed'] }), false);
    emit('account.updated');
    emit('account.closed');
    step(webhookEndpoint({ deletedAt: AT }), false);
    emit('account.closed');
    expect(state.deliveries.map(({ occurred }) => occurred.event.sequence)).toEqual([9n, 11n]);
    expect(state.environment.endpointsVersion).toBe(3n);
  });
});
