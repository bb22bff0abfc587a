import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFilters, writeFilters } from './filter-values.ts';

const SPEC = { state: 'many', q: 'one' } as const;

describe('filters in the address', () => {
  it('read what is there, repeated or with commas, and nothing of what is not', () => {
    expect(readFilters(SPEC, 'state=paid&state=failed,returned&q=a')).toEqual({
      state: ['paid', 'failed', 'returned'],
      q: 'a',
    });
    expect(readFilters(SPEC, '')).toEqual({ state: [], q: '' });
  });

  it('keep what else stands in the address, and leave out what is empty', () => {
    expect(writeFilters(SPEC, 'tab=x&q=old', { state: ['paid', 'failed'], q: '' })).toBe('tab=x&state=paid,failed');
  });

  it('come back as they were, whatever is typed', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => !text.includes(','));
    fc.assert(
      fc.property(fc.array(word), fc.string({ unit: 'grapheme' }), (state, q) => {
        const values = { state, q };
        expect(readFilters(SPEC, writeFilters(SPEC, '', values))).toEqual(values);
      }),
    );
  });
});
