/** What is sent of the form of a standing order: a whole order, or none; and of a change what is another, and nothing else. */
import { describe, expect, it } from 'vitest';
import { HALF } from '../../ui/half.ts';
import { type Before, changeOf, type Changing, endIn, orderOf, type Values } from './order.ts';

const VALUES: Values = {
  recipient: 'rcp_1',
  currency: 'EUR',
  amount: '850',
  account: '',
  reference: '',
  interval: 'month',
  every: '1',
  firstDay: '2026-12-31',
  ends: 'open',
  lastDay: '',
  count: '',
};
const asked = (change: Partial<Values>) => orderOf({ ...VALUES, ...change });
const SENT = {
  recipient: 'rcp_1',
  currency: 'EUR',
  amount: '850.00',
  interval: 'month',
  interval_count: 1,
  starts_on: '2026-12-31',
};

describe('an order', () => {
  it.each([
    { recipient: '' },
    { currency: '' },
    { amount: ' ' },
    { firstDay: '' },
    { firstDay: HALF },
    { every: '' },
    // An end that was chosen and is not there yet is no order without an end.
    { ends: 'day' as const },
    { ends: 'day' as const, lastDay: HALF },
    { ends: 'count' as const },
  ])('lacks something with %j', (change) => expect(asked(change)).toEqual({ order: null, faults: {} }));

  it('has what was chosen, and nothing that was not', () => {
    expect(asked({}).order).toEqual(SENT);
    const typed = { lastDay: '2027-12-31', count: '7' };
    expect(asked(typed).order).toEqual(SENT);
    expect(asked({ ...typed, ends: 'day' }).order).toEqual({ ...SENT, ends_on: '2027-12-31' });
    expect(asked({ ...typed, ends: 'count' }).order).toEqual({ ...SENT, count: 7 });
    expect(asked({ account: 'acct_1', reference: ' Rent ', every: '2', interval: 'week' }).order).toEqual({
      ...SENT,
      account: 'acct_1',
      reference: 'Rent',
      interval: 'week',
      interval_count: 2,
    });
  });

  it.each([
    [{ amount: '1.234' }, 'amount', /two ways/],
    [{ amount: '-1' }, 'amount', /below zero/],
    [{ every: '0' }, 'every', /1 to 366/],
    [{ every: '367' }, 'every', /1 to 366/],
    [{ every: '1.5' }, 'every', /1 to 366/],
    [{ ends: 'count' as const, count: '1e3' }, 'count', /1 to 100000/],
    [{ ends: 'count' as const, count: '100001' }, 'count', /1 to 100000/],
  ] as const)('with %j is none, and says why', (change, field, why) =>
    expect(asked(change)).toEqual({ order: null, faults: { [field]: expect.stringMatching(why) as string } }),
  );
});

describe('a change', () => {
  const BEFORE: Before = {
    amount_minor: 85_000,
    currency: 'EUR',
    reference: ' Rent',
    ends_on: '2027-12-31',
    count: null,
  };
  const AS_IT_IS: Changing = { amount: '850.00', isPlain: true, reference: ' Rent', ...endIn(BEFORE) };
  const sent = (change: Partial<Changing>, before = BEFORE) => changeOf({ ...AS_IT_IS, ...change }, before);

  it('of nothing is none', () => {
    expect(sent({})).toEqual({ change: null, faults: {} });
    expect(sent({ amount: '850', isPlain: false })).toEqual({ change: null, faults: {} });
  });
  it.each([
    [{ amount: '875,5', isPlain: false }, { amount: '875.50' }],
    [{ reference: 'Rent 2' }, { reference: 'Rent 2' }],
    [{ reference: '  ' }, { reference: null }],
    [{ lastDay: '2028-01-31' }, { ends_on: '2028-01-31' }],
    [{ ends: 'count' as const, count: '24' }, { count: 24 }],
    [{ ends: 'open' as const }, { ends_on: null, count: null }],
  ])('to %j sends %j alone', (change, expected) => expect(sent(change).change).toEqual(expected));
  it.each([
    { amount: '1.234', isPlain: false },
    { amount: '' },
    { ends: 'day' as const, lastDay: HALF },
    { ends: 'count' as const, count: '0' },
  ])('to %j is none', (change) => expect(sent(change).change).toBeNull());
  it('keeps an order open that was', () => {
    const open = { ...BEFORE, ends_on: null };
    expect(sent(endIn(open), open).change).toBeNull();
  });
});
