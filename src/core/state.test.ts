/** State, draft and apply: a decision changes nothing by itself, and what is applied is what the next command sees. */
import { describe, expect, it } from 'vitest';
import { ACCOUNT, AT, account, idAt, payout, recipient, seededIds } from '../testing/literals.ts';
import { type Change, Draft, State, apply } from './state.ts';

const ORIGIN = { requestId: idAt('req', 1), idempotencyKey: 'k' };
const stateOf = (...objects: Parameters<State['put']>[0][]) => {
  const state = new State({ id: idAt('env', 1), livemode: false, lastSequence: 7n, lastAtMs: AT, clockOffsetMs: 0 });
  for (const object of objects) state.put(object);
  return state;
};
const draftOf = (state: State) => new Draft(state, { atMs: AT, ids: seededIds() });

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

  it('moves the sequence on and remembers who asked', () => {
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
        { kind: 'clock', offsetMs: 5000 },
      ],
      ORIGIN,
    );
    expect(state.openAccounts.get('EUR')?.size).toBe(0);
    expect(state.externalIds.get('e')).toBe(payout().id);
    expect(state.environment.clockOffsetMs).toBe(5000);
  });
});
