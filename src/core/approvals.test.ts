/** Who is a second person, by families of keys: and that a family which is not known is no other family. */
import { describe, expect, it } from 'vitest';
import { apiKey, AT, environment, idAt, seededIds } from '../../test/support/harness/literals.ts';
import type { ApiKey } from '../tenancy/keys/fields.ts';
import type { Actor } from './actor.ts';
import { unfitApprover } from './approvals.ts';
import { Draft } from './draft.ts';
import { State } from './state.ts';

const [ROOT, CHILD, OTHER] = [1, 2, 3].map((n) => idAt('key', n)) as [Actor, Actor, Actor];
const KEYS = [apiKey(1), apiKey(2, { lineage: [ROOT, CHILD], confirmedBy: OTHER }), apiKey(3)];

/** The code of the refusal where `approver` says yes to what `by` asked for and others approved, with these keys loaded. */
function asked(approver: Actor, by: readonly Actor[], approvals: readonly Actor[], keys: readonly ApiKey[]) {
  const state = new State(environment());
  for (const key of keys) state.put(key);
  const draft = new Draft(state, { atMs: AT, ids: seededIds(), actor: approver });
  const what = { what: 'It', by, approvals: approvals.map((each) => ({ by: each })) };
  return unfitApprover(draft, what)?.code ?? null;
}
const without = (id: string) => KEYS.filter((key) => key.id !== id);

describe('a key that is not loaded', () => {
  it('cannot pass for a family of its own: who asked', () => {
    expect(asked(ROOT, [CHILD], [], KEYS)).toBe('approval_by_creator');
    expect(() => asked(ROOT, [CHILD], [], without(CHILD))).toThrow(CHILD);
  });
  it('nor who approved before', () => {
    expect(asked(ROOT, [OTHER], [CHILD], KEYS)).toBe('approval_repeated');
    expect(() => asked(ROOT, [OTHER], [CHILD], without(CHILD))).toThrow(CHILD);
  });
  it('nor who approves, whose right may wait to be confirmed', () => {
    expect(asked(CHILD, [ROOT], [], KEYS)).toBe('approval_by_creator');
    expect(() => asked(CHILD, [ROOT], [], without(CHILD))).toThrow(CHILD);
    const unconfirmed = [...without(CHILD), apiKey(2, { lineage: [ROOT, CHILD] })];
    expect(asked(CHILD, [OTHER], [], unconfirmed)).toBe('approval_key_unconfirmed');
  });
});

it('a part of the service is a family of its own, and needs no key', () => {
  expect(asked('cli', ['worker'], [], [])).toBeNull();
  expect(asked('second_person', ['cli'], ['worker'], [])).toBeNull();
  expect(asked('cli', ['cli'], [], [])).toBe('approval_by_creator');
  expect(asked(OTHER, ['worker', CHILD], ['cli'], KEYS)).toBeNull();
});
