/** Who may get the bytes of another caller's read: nobody in a session. */
import { describe, expect, it } from 'vitest';
import { callerWith } from '../../../test/support/harness/keys.ts';
import type { Session } from './route.ts';
import { sharedBy } from './serve.ts';

const session: Session = {
  id: 's1',
  person: 'usr_1',
  method: 'passkey',
  steppedUpAt: null,
  steppedUpBy: null,
  secondFactor: true,
};
const own = new Set(['payouts:read']);

describe('who shares an answer', () => {
  it('the control: keys that see everything of an environment, with each other', () => {
    expect(sharedBy(callerWith({ actorId: 'key_1' }))).toBe(sharedBy(callerWith({ actorId: 'key_2' })));
  });

  it('no key that sees a part', () => {
    const [one, two] = ['key_1', 'key_2'].map((actorId) => sharedBy(callerWith({ actorId, scopes: own })));
    expect(one).not.toBe(two);
  });

  it('no session: not with keys, with another session of the person, or with the same in another environment', () => {
    const inSession = (fields: Parameters<typeof callerWith>[0]) =>
      sharedBy(callerWith({ actorId: 'usr_1', session, scopes: own, ...fields }));
    const all = [
      sharedBy(callerWith()),
      inSession({}),
      inSession({ scopes: null }),
      inSession({ actorId: 'usr_2', session: { ...session, person: 'usr_2' } }),
      inSession({ session: { ...session, id: 's2' } }),
      inSession({ environmentId: 'env_2' }),
    ];
    expect(new Set(all).size).toBe(all.length - 1); // scopes alone make no other caller of a session
  });
});
