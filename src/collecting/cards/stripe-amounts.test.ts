/** Minor units against what Stripe documents, currency by currency where they differ. */
import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../../core/values/currencies.ts';
import { isStripeCurrency, toStripe } from './stripe-amounts.ts';

describe('amounts', () => {
  it.each([
    ['EUR', 1n, 1n],
    ['EUR', 125_00n, 125_00n],
    ['JPY', 500n, 500n],
    ['ISK', 5n, 500n], // none at ISO, two at Stripe, always 00
    ['UGX', 5n, 500n],
    ['MGA', 1000n, 10n], // two at ISO, none at Stripe
    ['MGA', 1001n, null],
    ['HUF', 1045n, 1045n], // whole forints are asked of payouts alone
    ['TWD', 80045n, 80045n],
    ['KWD', 5120n, 5120n],
    ['KWD', 5124n, null], // the last digit must be 0
    ['EUR', 999_999_999_999n, 999_999_999_999n],
    ['EUR', 1_000_000_000_000n, null],
    ['ISK', 10_000_000_000n, null],
    ['EUR', 0n, null],
    ['EUR', -100n, null],
    ['IQD', 1000n, null], // not in Stripe's list
    ['STN', 1000n, null],
    ['XTS', 1000n, null],
    ['eur', 1000n, null],
  ])('%s %s minor units are %s at Stripe', (currency, amount, wanted) => {
    expect(toStripe(amount, currency)).toBe(wanted);
  });

  it('are counted as ISO 4217 does in every other currency that is taken', () => {
    const taken = CURRENCIES.filter(({ code }) => isStripeCurrency(code)).map(({ code }) => code);
    const others = taken.filter((code) => toStripe(100_000n, code) !== 100_000n);
    expect(others).toEqual(['ISK', 'MGA', 'UGX']);
    expect(taken.length).toBe(136);
  });

  it.each([
    ['USD', true],
    ['XOF', true],
    ['BHD', true],
    ['IQD', false],
    ['STN', false],
    ['BGN', false],
    ['XTS', false],
    ['usd', false],
    ['', false],
  ])('in %j: %s', (currency, wanted) => {
    expect(isStripeCurrency(currency)).toBe(wanted);
    expect(toStripe(100_000n, currency) !== null).toBe(wanted);
  });
});
