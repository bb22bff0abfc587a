/** How metadata changes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_METADATA_KEYS, mergeMetadata, newMetadata, previousMetadata } from './metadata.ts';

const keys = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

describe('mergeMetadata', () => {
  it('sets given keys, unsets empty ones, keeps the others', () => {
    expect(mergeMetadata({ a: '1', b: '2' }, { b: '3', a: '', c: '4' })).toEqual({ b: '3', c: '4' });
    expect(mergeMetadata({ a: '1' }, undefined)).toEqual({ a: '1' });
    expect(mergeMetadata({ a: '1' }, {})).toEqual({ a: '1' });
  });

  it('counts what the object would hold, not what was sent', () => {
    expect(mergeMetadata(keys(MAX_METADATA_KEYS), { k0: 'new' })).toMatchObject({ k0: 'new' });
    expect(mergeMetadata(keys(MAX_METADATA_KEYS), { k0: '', extra: 'x' })).toMatchObject({ extra: 'x' });
    expect(mergeMetadata(keys(MAX_METADATA_KEYS), { extra: 'x' })).toMatchObject({
      code: 'metadata_invalid',
      details: { param: 'metadata' },
    });
  });

  it('takes __proto__ and constructor as keys like any other', () => {
    const merged = mergeMetadata({}, JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>);
    expect(Object.entries(merged)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });
});

describe('newMetadata', () => {
  it('drops empty values', () => {
    expect(newMetadata({ a: '1', b: '' })).toEqual({ a: '1' });
    expect(newMetadata(undefined)).toEqual({});
  });
});

describe('previousMetadata', () => {
  it('says what changed keys were before', () => {
    expect(previousMetadata({ a: '1', b: '2', c: '3' }, { a: '1', b: 'x', d: '4' })).toEqual({
      b: '2',
      c: '3',
      d: null,
    });
    expect(previousMetadata({ a: '1' }, { a: '1' })).toEqual({});
  });

  const odd = fc.constantFrom('a', 'b', 'team', 'Floor 2');
  it('undoes a merge', () => {
    const metadata = fc.dictionary(odd, fc.constantFrom('1', '2', '3'));
    fc.assert(
      fc.property(metadata, fc.dictionary(odd, fc.constantFrom('', '1', '2')), (before, update) => {
        const after = mergeMetadata(before, update) as Record<string, string>;
        const undo = Object.fromEntries(Object.entries(previousMetadata(before, after)).map(([k, v]) => [k, v ?? '']));
        expect(mergeMetadata(after, undo)).toEqual(before);
      }),
    );
  });

  it('sees __proto__ and constructor like any other key', () => {
    const after = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    expect(JSON.stringify(previousMetadata({}, after))).toBe('{"__proto__":null,"constructor":null}');
  });
});
