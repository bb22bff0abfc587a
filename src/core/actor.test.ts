/** Actors in one column: keys, users and words differ by their uuids alone. */
import { describe, expect, it } from 'vitest';
import { actorId, actorOf, isActorId, isPerson, SERVICE_ACTORS } from './actor.ts';
import { encodeId, exampleId, idAs, instantOf, newId, uuidOf } from './values/ids.ts';

describe('actors as uuids', () => {
  it.each([newId('key'), newId('usr'), exampleId('key'), exampleId('usr'), ...SERVICE_ACTORS])(
    '%s there and back',
    (actor) => {
      expect(actorOf(uuidOf(actorId(actor as never) as string))).toBe(actor);
    },
  );

  it('has the instant in the id of a user, and the version 8', () => {
    const before = Date.now();
    const id = newId('usr');
    expect(instantOf(id)).toBeGreaterThanOrEqual(before);
    expect(uuidOf(id)[14]).toBe('8');
    expect(uuidOf(newId('key'))[14]).toBe('7');
  });

  it('takes no id whose uuid is that of another kind of actor', () => {
    const [key, user] = [newId('key'), newId('usr')];
    expect([key, user].map(isActorId)).toEqual([true, true]);
    expect(
      [idAs('usr', key), idAs('key', user), actorId('cli') as string, newId('po'), 'worker'].map(isActorId),
    ).toEqual(Array(5).fill(false));
  });

  it('knows a person by its id', () => {
    expect([newId('usr'), newId('key'), 'cli'].map(isPerson)).toEqual([true, false, false]);
  });

  it('knows no word of an instant 0 that is in no list: it is a user, which nobody has', () => {
    const bytes = new Uint8Array(16);
    bytes[6] = 0x80;
    bytes[8] = 0x80;
    bytes[15] = 200;
    expect(actorOf(uuidOf(encodeId('key', bytes)))).toBe(encodeId('usr', bytes));
  });
});
