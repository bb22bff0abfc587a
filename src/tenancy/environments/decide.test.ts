/** The decisions that follow a restore and a rotation, given / when / then. */
import { describe, expect, it } from 'vitest';
import { account, AT } from '../../../test/support/harness/literals.ts';
import { given } from '../../../test/support/harness/given.ts';

const noteRestore = (skip: bigint) => ({ type: 'note_restore', skip }) as const;

describe('note_restore', () => {
  it('leaves numbers out and says so in the event behind them', () => {
    const outcome = given(account()).when(noteRestore(1_000n));
    outcome.thenAccepts({
      reply: { object: 'restore', createdAt: AT, lastSequence: 41n, nextSequence: 1_042n },
      events: ['environment.restored'],
      transfers: [],
    });
    expect(outcome.events.map(({ sequence }) => sequence)).toEqual([1_042n]);
    expect(outcome.state.environment.lastSequence).toBe(1_042n);
  });

  it('goes on from there, and may be repeated', () => {
    const outcome = given().when(noteRestore(9n)).when(noteRestore(9n));
    outcome.thenAccepts({ reply: { lastSequence: 51n, nextSequence: 61n }, events: ['environment.restored'] });
    outcome.when({ type: 'create_account', currency: 'EUR', name: null, metadata: undefined }).thenAccepts({
      events: ['account.created'],
    });
    expect(outcome.state.environment.lastSequence).toBe(62n);
  });
});

it('a rotation of the server secret is in the audit log, and nothing else changes', () => {
  const outcome = given(account()).when({ type: 'note_rotation', secret: 'new', previous: ['old'] });
  outcome.thenAccepts({ reply: { object: 'noted' }, events: [], transfers: [] });
  expect(outcome.state.audits.map(({ entry }) => entry)).toMatchObject([
    { action: 'server_secret.rotated', subject: null, details: { secret: 'new', previous: ['old'] } },
  ]);
});
