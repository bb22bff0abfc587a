/** What events say of payments, in words with exact amounts. */
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../client/src/generated/types.ts';
import { standingOf } from './standing.ts';
import { chapterOf, transfersIn } from './story.ts';
import { expectedState, inFours, paymentState, whyNoCode } from './words.ts';

const PAYMENT = {
  amount_minor: 25_000,
  amount_received_minor: 0,
  amount_refunded_minor: 0,
  currency: 'EUR',
  status: 'pending',
  method: 'bank_transfer',
  duplicate_of: null,
  failure_code: null,
  refund: null,
};
const event = (type: string, object: object, before?: object): Event =>
  ({ type, data: { object, ...(before !== undefined && { previous_attributes: before }) } }) as unknown as Event;
const said = (type: string, change: object, before?: object) =>
  chapterOf(event(type, { ...PAYMENT, ...change }, before))?.text;

describe('of a payment', () => {
  it.each([
    ['payment.pending', {}, undefined, /250\.00 EUR is asked for/],
    [
      'payment.partially_paid',
      { amount_received_minor: 5_000 },
      { amount_received_minor: 0 },
      /^50\.00 EUR came\. 200\.00 EUR is missing\.$/,
    ],
    [
      'payment.succeeded',
      { amount_received_minor: 25_000 },
      { amount_received_minor: 5_000 },
      /^200\.00 EUR came\. It is paid in full\.$/,
    ],
    [
      'payment.succeeded',
      { amount_received_minor: 25_001 },
      { amount_received_minor: 0 },
      /0\.01 EUR more than was asked/,
    ],
    ['payment.duplicate', { amount_received_minor: 25_000 }, undefined, /250\.00 EUR came, though it was paid already/],
    ['payment.failed', { failure_code: 'expired' }, { status: 'pending' }, /Nobody paid in time/],
    ['payment.failed', { failure_code: 'expired' }, { amount_received_minor: 5_000 }, /50\.00 EUR was taken back/],
    [
      'payment.refunded',
      { amount_refunded_minor: 7_500 },
      { amount_refunded_minor: 2_500 },
      /^50\.00 EUR is sent back\.$/,
    ],
    [
      'payment.updated',
      { amount_refunded_minor: 2_500 },
      { amount_refunded_minor: 7_500 },
      /^50\.00 EUR of a refund did not arrive/,
    ],
    ['payment.updated', { amount_received_minor: 1 }, { amount_received_minor: 2 }, /^0\.01 EUR was taken back/],
    ['payment.updated', { method: 'card' }, { method: 'bank_transfer' }, /pay by card/],
    ['payment.updated', {}, { metadata: {} }, /Metadata/],
    ['payment.reminder_due', {}, undefined, /still waits/],
  ] as const)('%s %j after %j', (type, change, before, words) => expect(said(type, change, before)).toMatch(words));
  it('has the digits of its currency', () => {
    const all = { amount_minor: 250, amount_received_minor: 250 };
    const before = { amount_received_minor: 0 };
    expect(said('payment.succeeded', { ...all, currency: 'JPY' }, before)).toMatch(/^250 JPY came/);
    expect(said('payment.succeeded', { ...all, currency: 'KWD' }, before)).toMatch(/^0\.250 KWD came/);
  });
  it('says nothing of what is no event of one', () => expect(chapterOf(event('ping', {}))).toBeNull());
});

describe('of an expected payment', () => {
  it.each([
    ['expected_payment.created', {}, undefined, /Expected/],
    ['expected_payment.paid', { amount_received_minor: 25_000 }, { amount_received_minor: 1 }, /^249\.99 EUR came/],
    ['expected_payment.overdue', { amount_received_minor: 1 }, { status: 'open' }, /^Its day has passed\. 249\.99 EUR/],
    ['expected_payment.canceled', {}, { status: 'open' }, /Canceled/],
    [
      'expected_payment.updated',
      { amount_received_minor: 1 },
      { amount_received_minor: 3 },
      /^0\.02 EUR was taken back/,
    ],
  ] as const)('%s %j after %j', (type, change, before, words) => expect(said(type, change, before)).toMatch(words));
  it('names each transfer that credited it once, in order', () =>
    expect(
      transfersIn([
        event('expected_payment.created', { transfer: null }),
        event('expected_payment.partially_paid', { transfer: 'trf_1' }),
        event('expected_payment.paid', { transfer: 'trf_2' }),
        event('expected_payment.updated', { transfer: 'trf_2' }),
        event('payment.succeeded', { transfer: 'trf_3' }),
      ]),
    ).toEqual(['trf_1', 'trf_2']));
});

type Payment = Parameters<typeof standingOf>[0];
const payment = (change: object) => ({ ...PAYMENT, ...change }) as unknown as Payment;

describe('how a payment stands', () => {
  it.each([
    [{}, 'Waits for money', /No money has come yet/],
    [{ status: 'failed', failure_code: 'expired' }, 'Not paid in time', /No money came/],
    [{ status: 'failed', failure_code: 'declined' }, 'Declined', /No money came/],
    [{ status: 'partially_paid', amount_received_minor: 1 }, 'Partly paid', /^249\.99 EUR is missing/],
    [{ status: 'succeeded', amount_received_minor: 25_000 }, 'Paid', null],
    [{ status: 'overpaid', amount_received_minor: 25_001 }, 'Overpaid', /^0\.01 EUR more/],
    [
      { status: 'succeeded', amount_received_minor: 25_000, duplicate_of: 'pay_1' },
      'Came twice',
      /^250\.00 EUR came twice/,
    ],
    [
      { status: 'succeeded', amount_received_minor: 25_000, amount_refunded_minor: 1 },
      'Partly refunded',
      /^0\.01 EUR was sent back/,
    ],
    [
      { status: 'refunded', amount_received_minor: 25_000, amount_refunded_minor: 25_000, duplicate_of: 'pay_1' },
      'Refunded',
      /^All of it, 250\.00 EUR/,
    ],
  ])('%j is %s', (change, word, title) => {
    expect(paymentState(payment(change)).word).toBe(word);
    const found = standingOf(payment(change));
    if (title === null) expect(found).toBeNull();
    else expect(found?.title).toMatch(title);
  });
  it('an expected one that is late is red, and more than was asked for says so', () => {
    const sums = { amount_minor: 100, amount_received_minor: 101 };
    expect(expectedState({ ...sums, status: 'overdue' }).mark).toBe('bad');
    expect(expectedState({ ...sums, status: 'paid' }).word).toBe('Overpaid');
    expect(expectedState({ ...sums, status: 'paid', amount_received_minor: 100 }).word).toBe('Paid');
  });
  it('a reference is read out in fours', () => expect(inFours('RF28K3W2M6R5T7XA1')).toBe('RF28 K3W2 M6R5 T7XA 1'));
});

describe('a code for banking apps', () => {
  const bank = { uses: ['payouts', 'collections'], status: 'open', currency: 'EUR', holder_address: null } as const;
  it.each([
    ['EUR', [bank], null],
    ['EUR', [], /collects EUR/],
    ['EUR', [{ ...bank, uses: ['payouts'] }], /collects EUR/],
    ['EUR', [{ ...bank, status: 'closed' }], /collects EUR/],
    ['USD', [{ ...bank, currency: 'USD' }], /EUR and CHF/],
    ['CHF', [{ ...bank, currency: 'CHF' }], /address/],
  ] as const)('in %s', (currency, banks, why) => {
    const found = whyNoCode(currency, banks);
    if (why === null) expect(found).toBeNull();
    else expect(found).toMatch(why);
  });
});
