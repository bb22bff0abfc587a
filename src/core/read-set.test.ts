/** What the state cache may answer: a batch that needs anything but what the cache holds is loaded. */
import { describe, expect, it } from 'vitest';
import { ReadSet } from './read-set.ts';

const CACHED = ['accounts', 'recipients', 'currencies', 'externalIds', 'records'];
/** No objects to be read. */
const GIVEN = ['environments', 'actors', 'environmentId'];

function put(set: ReadSet, name: string): void {
  const field = (set as unknown as Record<string, unknown>)[name];
  if (Array.isArray(field)) field.push({});
  else if (field instanceof Set) field.add('env_1');
  else if (field instanceof Map) field.set('env_1 EUR', {});
  else throw new Error(`${name} is no list, set or map`);
}

const fields = Object.keys(new ReadSet()).filter((name) => !GIVEN.includes(name));

describe('the cache serves', () => {
  it('a batch that needs nothing', () => expect(new ReadSet().areCacheable).toBe(true));
  it.each(CACHED)('a batch that needs %s', (name) => {
    const set = new ReadSet();
    set.begin('env_1', { actor: 'key_1' });
    put(set, name);
    expect(set.areCacheable).toBe(true);
  });
});

describe('the batch is loaded', () => {
  it('knows every field', () => expect(fields.length).toBeGreaterThan(25));
  it.each(fields.filter((name) => !CACHED.includes(name)))('for %s', (name) => {
    const set = new ReadSet();
    put(set, name);
    expect(set.areCacheable).toBe(false);
  });
});
