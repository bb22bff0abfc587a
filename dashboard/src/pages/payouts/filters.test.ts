import { describe, expect, it } from 'vitest';
import { readFilters } from '../../ui/filter-values.ts';
import { queryOf } from '../../api/query.ts';
import { PAYOUT_FILTERS, queryOfPayouts } from './filters.ts';

const asked = (search: string): string =>
  decodeURIComponent(queryOf(queryOfPayouts(readFilters(PAYOUT_FILTERS, search), 1_000_000)));

describe('filters of payouts', () => {
  it.each([
    ['', ''],
    ['state=failed,returned', '?status[]=failed&status[]=returned'],
    ['state=needs_approval', '?release=held'],
    ['since=1d', '?created[gte]=913600'],
    ['since=nonsense', ''],
    ['currency=EUR&amount=1 250.00', '?currency=EUR&amount=1250.00'],
  ])('%s asks for %s', (search, expected) => {
    expect(asked(search)).toBe(expected);
  });

  it('leave out an amount that has no currency', () => {
    expect(asked('amount=5.00')).toBe('');
  });
});
