/** What is sent of the form of an exchange, and what the accounts hold behind it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currenciesOf, heldBehind, leftBehind, newCurrencies, orderOf, type Values, withSell } from './order.ts';

const account = (id: string, currency: string, status = 'open') => ({ id, currency, status });
const ACCOUNTS = [account('acct_e', 'EUR'), account('acct_u', 'USD'), account('acct_j', 'JPY')];
const VALUES: Values = { sell: 'acct_e', buy: 'acct_u', side: 'sell', amount: '100' };
const asked = (change: Partial<Values>) => orderOf({ ...VALUES, ...change }, ACCOUNTS);

describe('an order', () => {
  it('names both accounts, and the side that was typed', () => {
    expect(asked({}).order).toEqual({
      sell_account: 'acct_e',
      sell_currency: 'EUR',
      buy_account: 'acct_u',
      buy_currency: 'USD',
      amount: '100.00',
      fixed_side: 'sell',
    });
  });
  it('into a currency without an account names none', () => {
    const { order } = asked({ buy: 'CHF', side: 'buy', amount: '7,5' });
    expect(order).toMatchObject({ buy_currency: 'CHF', amount: '7.50', fixed_side: 'buy' });
    expect(order).not.toHaveProperty('buy_account');
  });
  it('has the digits of the side that was typed', () => {
    expect(asked({ buy: 'acct_j', side: 'buy', amount: '1.500' }).order?.amount).toBe('1500');
    expect(asked({ sell: 'acct_j', buy: 'acct_e', amount: '1,500' }).order?.amount).toBe('1500');
    expect(asked({ buy: 'acct_j', side: 'sell', amount: '1.500' }).order).toBeNull(); // control: of euro it may be either
  });
  it.each([{ sell: '' }, { buy: '' }, { amount: '' }, { buy: 'acct_e' }, { buy: 'acct_of_others' }, { buy: 'usd' }])(
    'lacks something with %j',
    (change) => expect(asked(change)).toEqual({ order: null }),
  );
  it.each([
    ['1.234', /two ways/],
    ['-1', /below zero/],
    ['0', /zero/],
    ['1.005,001', /3 decimals/],
  ])('of %s is none', (amount, why) =>
    expect(asked({ amount })).toEqual({ order: null, fault: expect.stringMatching(why) as string }),
  );
});

describe('both sides', () => {
  it('are of two currencies: another paying account drops what it cannot buy, and nothing else', () => {
    expect(withSell(VALUES, 'acct_u', ACCOUNTS)).toEqual({ ...VALUES, sell: 'acct_u', buy: '' });
    expect(withSell(VALUES, 'acct_j', ACCOUNTS)).toEqual({ ...VALUES, sell: 'acct_j' });
    expect(withSell({ ...VALUES, buy: '' }, '', ACCOUNTS)).toEqual({ ...VALUES, sell: '', buy: '' });
    expect(currenciesOf({ ...VALUES, buy: 'CHF' }, ACCOUNTS)).toEqual({ sell: 'EUR', buy: 'CHF' });
  });
  it('may be a currency of which no account is open', () => {
    const rates = ['USD', 'CHF', 'GBP'].map((buy_currency) => ({ buy_currency }));
    expect(newCurrencies(rates, [...ACCOUNTS, account('acct_g', 'GBP', 'closed')])).toEqual(['CHF', 'GBP']);
  });
});

describe('balances behind it', () => {
  const amounts = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  it('lack what is sold and each fee, and have what is bought, exactly', () => {
    fc.assert(
      fc.property(amounts, amounts, amounts, fc.array(amounts, { maxLength: 4 }), (balance, sold, bought, fees) => {
        const price = {
          sell_amount_minor: sold,
          buy_amount_minor: bought,
          fees: fees.map((amount_minor) => ({ amount_minor })),
        };
        const paid = [sold, ...fees].reduce((sum, each) => sum + BigInt(each), 0n);
        expect(leftBehind(balance, price) + paid).toBe(BigInt(balance));
        expect(heldBehind(balance, price) - BigInt(bought)).toBe(BigInt(balance));
      }),
    );
  });
  it('control: a sum of floats would lose a cent', () => {
    const [balance, fee] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1];
    const price = { sell_amount_minor: fee, buy_amount_minor: fee, fees: [{ amount_minor: fee }, { amount_minor: 1 }] };
    expect(Number(heldBehind(balance, price))).not.toBe(Number.NaN);
    expect(heldBehind(balance, price)).toBe(18014398509481981n);
    expect(BigInt(balance + fee)).not.toBe(18014398509481981n);
  });
});
