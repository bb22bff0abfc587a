/** How the headers of an endpoint change, and what is shown of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../core/decision.ts';
import {
  type HeaderChange,
  MASK,
  masked,
  mergeHeaders,
  previousHeaders,
  type SealedHeader,
  withoutValues,
} from './headers.ts';

const merge = (before: readonly SealedHeader[], changes: readonly HeaderChange[]): readonly SealedHeader[] => {
  const after = mergeHeaders(before, changes);
  if (isRefusal(after)) throw new Error(after.message);
  return after;
};

describe('an update', () => {
  const before = [
    { name: 'Authorization', sealed: 'v1.a' },
    { name: 'X-Team', sealed: 'v1.b' },
  ];

  it('sets, unsets and keeps, whatever the case', () => {
    const after = merge(before, [
      { name: 'AUTHORIZATION', sealed: 'v1.c' },
      { name: 'x-team', sealed: null },
      { name: 'X-New', sealed: 'v1.d' },
      { name: 'X-Never-There', sealed: null },
    ]);
    expect(after).toEqual([
      { name: 'AUTHORIZATION', sealed: 'v1.c' },
      { name: 'X-New', sealed: 'v1.d' },
    ]);
    expect(masked(after)).toEqual({ AUTHORIZATION: MASK, 'X-New': MASK });
    expect(previousHeaders(before, after)).toEqual({ AUTHORIZATION: MASK, 'X-New': null, 'X-Team': MASK });
  });

  it('unsets all with the empty name', () => expect(merge(before, [{ name: '', sealed: null }])).toEqual([]));

  it('counts what is left, not what is sent', () => {
    const ten = Array.from({ length: 10 }, (_, at) => ({ name: `x-${at}`, sealed: 'v1.a' }));
    const others = ten.map(({ name, sealed }) => ({ name: `other-${name}`, sealed }));
    const gone = ten.map(({ name }) => ({ name, sealed: null }));
    expect(merge(ten, [...gone, ...others])).toEqual(others);
    const refused = mergeHeaders(ten, [{ name: 'x-10', sealed: 'v1.b' }]);
    expect(refused).toMatchObject({ code: 'webhook_header_limit', details: { param: 'headers' } });
  });
});

describe('what a receiver repeats', () => {
  const VALUE = 'Bearer 8f3a2c91d4e5';
  it.each([
    ['as it was sent', 'got Authorization: Bearer 8f3a2c91d4e5', 'got Authorization: ****'],
    ['without its scheme', 'unknown token 8f3a2c91d4e5!', 'unknown token ****!'],
    ['cut off at the end', 'You sent 8f3a2c91', 'You sent ****'],
  ])('is masked: %s', (_, text, shown) => expect(withoutValues(text, [VALUE])).toBe(shown));

  it('stays as it is where it says nothing', () => {
    expect(withoutValues('Bearer is missing', [VALUE])).toBe('Bearer is missing');
    expect(withoutValues('any text', [])).toBe('any text');
  });

  it('is masked inside JSON', () => {
    expect(withoutValues(JSON.stringify({ h: 'user="a\\b";x' }), ['user="a\\b";x'])).toBe('{"h":"****"}');
  });

  it('holds no value of eight characters, wherever it stands', () => {
    const value = fc.stringMatching(/^[!-~]{8,40}$/);
    fc.assert(
      fc.property(fc.string(), fc.array(value, { minLength: 1, maxLength: 3 }), fc.string(), (head, values, tail) => {
        const shown = withoutValues(head + values.join(tail) + tail, values);
        // What a mask makes with its neighbours is not what was sent.
        for (const each of values) expect(each.includes('*') || !shown.includes(each)).toBe(true);
      }),
    );
  });
});
