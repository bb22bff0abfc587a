/** What is sent of the form of a payout: never an amount that somebody did not mean. */
import { describe, expect, it } from 'vitest';
import { HALF } from '../../ui/half.ts';
import { balanceAfter, orderOf, type Values } from './order.ts';

const VALUES: Values = {
  recipient: 'rcp_1',
  currency: 'EUR',
  amount: '250',
  isPlain: false,
  account: '',
  reference: '',
  day: '',
  category: '',
  purpose: '',
};
const asked = (change: Partial<Values>) => orderOf({ ...VALUES, ...change });

describe('an order', () => {
  it.each([{ recipient: '' }, { amount: ' ' }, { currency: '' }, { day: HALF }])(
    'lacks something with %j',
    (change) => {
      expect(asked(change)).toEqual({ order: null });
    },
  );
  it.each([
    ['250', 'EUR', '250.00', 25_000n],
    ['1.234,50', 'EUR', '1234.50', 123_450n],
    ['1,234.5', 'EUR', '1234.50', 123_450n],
    ['1.234', 'JPY', '1234', 1234n],
    ['0,125', 'KWD', '0.125', 125n],
  ])('of %s %s is of %s', (amount, currency, sent, minor) => {
    expect(asked({ amount, currency })).toMatchObject({ order: { amount: sent, currency }, minor });
  });
  it.each([
    ['1.234', 'EUR', /two ways.* 1234 /],
    ['12,345', 'EUR', /two ways/],
    ['-5', 'EUR', /below zero/],
    ['1e3', 'EUR', /no amount|shortened/],
    ['0', 'EUR', /zero/],
    ['2.505', 'JPY', /^$/],
  ])('of %s %s is none', (amount, currency, why) => {
    const { order, fault = '' } = asked({ amount, currency }) as { order: unknown; fault?: string };
    if (why.source === '^$') expect(order).toMatchObject({ amount: '2505' });
    else expect([order, fault]).toEqual([null, expect.stringMatching(why)]);
  });
  it('of an amount that nobody typed is of that amount, which typed would be asked about', () => {
    const three = { currency: 'KWD', amount: '1.125' };
    expect(asked({ ...three, isPlain: true })).toMatchObject({ order: { amount: '1.125' }, minor: 1125n });
    expect(asked(three)).toMatchObject({ order: null, fault: expect.any(String) as string }); // control
  });
  it('has what was chosen, and nothing that was not', () => {
    expect(asked({}).order).toEqual({ recipient: 'rcp_1', currency: 'EUR', amount: '250.00' });
    expect(asked({ account: 'acct_1', reference: ' Invoice 7 ', day: '2026-12-01' }).order).toEqual({
      recipient: 'rcp_1',
      currency: 'EUR',
      amount: '250.00',
      account: 'acct_1',
      reference: 'Invoice 7',
      scheduled_on: '2026-12-01',
    });
  });
  it('of a salary that is paid again is of a salary', () => {
    const { order } = asked({ category: 'SALA', purpose: 'PAYR' });
    expect(order).toMatchObject({ category_purpose: 'SALA', purpose: 'PAYR' });
  });
});

describe('the balance behind it', () => {
  it('lacks the amount and each fee, exactly', () => {
    expect(
      balanceAfter(9_007_199_254_740_991, { amount_minor: 1, fees: [{ amount_minor: 2 }, { amount_minor: 3 }] }),
    ).toBe(9_007_199_254_740_985n);
    expect(balanceAfter(100, { amount_minor: 250, fees: [] })).toBe(-150n);
  });
});
