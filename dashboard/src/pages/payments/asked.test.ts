/** What is sent of the forms of a payment link and of an expected payment. */
import { describe, expect, it } from 'vitest';
import { HALF } from '../../ui/half.ts';
import { expectedOf, type LinkValues, linkOf } from './asked.ts';

const LINK: LinkValues = {
  isOpen: false,
  amount: '250',
  minimum: '',
  maximum: '',
  currency: 'EUR',
  description: '',
  reference: '',
  account: '',
  isReusable: false,
  maxPayments: '',
  expiresAt: undefined,
  message: '',
  redirect: '',
};
const link = (change: Partial<LinkValues>) => linkOf({ ...LINK, ...change });

describe('a payment link', () => {
  it('has what was typed, and nothing that was not', () => {
    expect(link({})).toEqual({ body: { amount: '250.00', currency: 'EUR' }, faults: {} });
    expect(
      link({
        description: ' Garden table ',
        reference: 'Invoice 4711',
        account: 'acct_1',
        isReusable: true,
        maxPayments: ' 12 ',
        expiresAt: 1_800_000_000,
        message: 'Thanks.',
        redirect: 'https://shop.example.com/thanks',
      }).body,
    ).toEqual({
      amount: '250.00',
      currency: 'EUR',
      description: 'Garden table',
      reference: 'Invoice 4711',
      account: 'acct_1',
      reusable: true,
      max_payments: 12,
      expires_at: 1_800_000_000,
      after_completion: { redirect: { url: 'https://shop.example.com/thanks' }, message: 'Thanks.' },
    });
  });
  it.each([
    ['JPY', '1.234', { amount: '1234' }],
    ['EUR', '1.234,5', { amount: '1234.50' }],
    ['KWD', '0,125', { amount: '0.125' }],
  ])('of %s %s', (currency, amount, body) => expect(link({ currency, amount }).body).toMatchObject(body));
  it('whose payer chooses sends bounds, and never the amount that was typed before', () => {
    expect(link({ isOpen: true }).body).toEqual({ amount_type: 'open', currency: 'EUR' });
    expect(link({ isOpen: true, minimum: '1', maximum: '9,50' }).body).toEqual({
      amount_type: 'open',
      minimum_amount: '1.00',
      maximum_amount: '9.50',
      currency: 'EUR',
    });
    expect(link({ minimum: '1' }).body).toEqual({ amount: '250.00', currency: 'EUR' });
  });
  it('for one payment sends no number of payments', () =>
    expect(link({ maxPayments: '12' }).body).toEqual({ amount: '250.00', currency: 'EUR' }));
  it.each([
    [{ amount: '' }, {}],
    [{ currency: '' }, {}],
    [{ amount: '1.234' }, { amount: /two ways/ }],
    [{ amount: '-1' }, { amount: /below zero/ }],
    [{ isOpen: true, minimum: '10', maximum: '9' }, { maximum_amount: /below the least/ }],
    [{ isOpen: true, minimum: 'x' }, { minimum_amount: /no amount/ }],
    [{ isReusable: true, maxPayments: '0' }, { max_payments: /whole number/ }],
    [{ isReusable: true, maxPayments: '1.5' }, { max_payments: /whole number/ }],
  ] as const)('is none with %j', (change, faults) => {
    const found = link(change);
    expect(found.body).toBeNull();
    expect(Object.keys(found.faults)).toEqual(Object.keys(faults));
    for (const [name, why] of Object.entries(faults)) expect(found.faults[name]).toMatch(why);
  });
});

describe('an expected payment', () => {
  const VALUES = { amount: '119', currency: 'EUR', payer: '', description: '', dueOn: '', account: '' };
  it('has what was typed, and nothing that was not', () => {
    expect(expectedOf(VALUES).body).toEqual({ amount: '119.00', currency: 'EUR' });
    expect(
      expectedOf({ ...VALUES, payer: ' Example AG ', description: 'Invoice 17', dueOn: '2026-12-20' }).body,
    ).toEqual({
      amount: '119.00',
      currency: 'EUR',
      payer: 'Example AG',
      description: 'Invoice 17',
      due_on: '2026-12-20',
    });
  });
  it('without an amount, or with one that can be read in two ways, is none', () => {
    expect(expectedOf({ ...VALUES, amount: ' ' })).toEqual({ body: null, faults: {} });
    expect(expectedOf({ ...VALUES, dueOn: HALF }).body).toBeNull(); // half typed is not "never overdue"
    expect(expectedOf({ ...VALUES, amount: '1.190' }).faults).toEqual({
      amount: expect.stringMatching(/two ways/) as string,
    });
  });
});
