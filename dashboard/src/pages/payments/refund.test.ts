/** What is sent of the dialog of a refund: exactly what stands on its button, and never more than is left. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, fromMinor, toMinor } from '../../../../client/src/money.ts';
import { isPayerKnown, leftOf, type RefundValues, refundOf } from './refund.ts';

const ALL: RefundValues = { isPart: false, amount: '', isToOther: false, recipient: '' };
const sums = (received: number, refunded = 0, currency = 'EUR') => ({
  amount_received_minor: received,
  amount_refunded_minor: refunded,
  currency,
});

describe('a refund', () => {
  it.each([
    ['EUR', 25_000, 5_000, '200.00', 20_000n],
    ['JPY', 25_000, 0, '25000', 25_000n],
    ['KWD', 25_000, 1, '24.999', 24_999n],
  ])('of all that is left in %s names the amount', (currency, received, refunded, amount, minor) =>
    expect(refundOf(ALL, sums(received, refunded, currency))).toEqual({ refund: { amount }, minor, rest: 0n }),
  );
  it.each([
    ['EUR', '250,00', '250.00', 25_000n],
    ['EUR', '250.5', '250.50', 25_050n],
    ['JPY', '2.505', '2505', 2505n],
    ['KWD', '0,125', '0.125', 125n],
  ])('of a part in %s, typed %s, is of %s', (currency, typed, amount, minor) =>
    expect(refundOf({ ...ALL, isPart: true, amount: typed }, sums(30_000, 0, currency))).toEqual({
      refund: { amount },
      minor,
      rest: 30_000n - minor,
    }),
  );
  it.each([
    ['300,01', /^At most 300.00 EUR can go back\.$/],
    ['1.234', /two ways/],
    ['1,2345', /two ways|decimals/],
    ['-1', /below zero/],
    ['0', /zero/],
    ['ten', /no amount/],
  ])('of a part, typed %s, is none', (amount, why) =>
    expect(refundOf({ ...ALL, isPart: true, amount }, sums(30_000))).toEqual({
      refund: null,
      fault: expect.stringMatching(why) as string,
    }),
  );
  it('waits for what is missing', () => {
    expect(refundOf({ ...ALL, isPart: true }, sums(30_000))).toEqual({ refund: null });
    expect(refundOf({ ...ALL, isToOther: true }, sums(30_000))).toEqual({ refund: null });
    expect(refundOf(ALL, sums(30_000, 30_000))).toEqual({ refund: null }); // all of it went back meanwhile
  });
  it('names a recipient only where it goes to somebody else', () => {
    expect(refundOf({ ...ALL, recipient: 'rcp_1' }, sums(100)).refund).toEqual({ amount: '1.00' });
    expect(refundOf({ ...ALL, isToOther: true, recipient: 'rcp_1' }, sums(100)).refund).toEqual({
      amount: '1.00',
      recipient: 'rcp_1',
    });
  });
  it.each([
    [{ name: 'Ada', account_last4: '3000' }, true],
    [{ name: 'Ada', account_last4: null }, false],
    [{ name: null, account_last4: '3000' }, false],
  ])('knows whom it came from: %j %j', (payer, known) => expect(isPayerKnown({ payer })).toBe(known));
});

describe('random refunds', () => {
  const cases = fc.record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    received: fc.integer({ min: 1, max: 999_999_999_999_999 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    asked: fc.integer({ min: 1, max: 999_999_999_999_999 }),
    comma: fc.boolean(),
  });
  type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;
  type Read = (typed: string, payment: ReturnType<typeof sums>) => ReturnType<typeof refundOf>;
  const holds = (read: Read) =>
    fc.property(cases, ({ currency, received, share, asked, comma }: Case) => {
      const payment = sums(received, Math.floor(received * share), currency);
      const left = leftOf(payment);
      const plain = fromMinor(asked, currency);
      // With decimals that are no thousands: four digits before them, or two or none behind.
      fc.pre(decimalsOf(currency) !== 3 || plain.indexOf('.') > 3 || plain.startsWith('0'));
      const found = read(comma ? plain.replace('.', ',') : plain, payment);
      if (BigInt(asked) > left) return found.refund === null;
      if (found.refund === null) return false;
      const sent = toMinor(found.refund.amount as `${number}`, currency);
      return sent === BigInt(asked) && found.minor === sent && found.minor + found.rest === left;
    });
  const own: Read = (amount, payment) => refundOf({ ...ALL, isPart: true, amount }, payment);
  it('are of what was typed, exactly, and leave the rest', () => fc.assert(holds(own), { numRuns: 1_000 }));
  it('control: one that passes through a float fails', () => {
    const float: Read = (typed, payment) => {
      const minor = BigInt(Math.floor(Number(typed.replace(',', '.')) * 10 ** decimalsOf(payment.currency)));
      const left = leftOf(payment);
      if (minor > left) return { refund: null };
      return { refund: { amount: fromMinor(minor, payment.currency) }, minor, rest: left - minor };
    };
    expect(fc.check(holds(float), { numRuns: 1_000, seed: 7 }).failed).toBe(true);
  });
  it('control: one that does not look at what went back already fails', () => {
    const careless: Read = (amount, payment) =>
      refundOf({ ...ALL, isPart: true, amount }, { ...payment, amount_refunded_minor: 0 });
    expect(fc.check(holds(careless), { numRuns: 1_000, seed: 7 }).failed).toBe(true);
  });
});
