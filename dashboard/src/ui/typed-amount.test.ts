/** One amount of a field: whatever is written comes back to the smallest unit, or is asked about. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMinor } from '../../../client/src/money.ts';
import { digitsOf } from './digits.ts';
import { typedAmount } from './typed-amount.ts';

const amounts = fc.record({
  minor: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
  currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
});
const SEPARATORS = [
  { group: ',', point: '.' },
  { group: '.', point: ',' },
  { group: '\u202f', point: ',' },
];

describe('a typed amount', () => {
  it('is exactly what was written, in each notation, or asked about', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(...SEPARATORS), ({ minor, currency }, separators) => {
        const typed = typedAmount(digitsOf(minor, currency, false, separators), currency);
        if (typed.amount === null) expect(typed.fault).toMatch(/two ways/);
        else expect(typed).toEqual({ amount: fromMinor(Number(minor), currency), minor });
      }),
    );
  });
  it('that the API wrote is that amount', () => {
    fc.assert(
      fc.property(amounts, ({ minor, currency }) => {
        const amount = fromMinor(Number(minor), currency);
        expect(typedAmount(amount, currency, true)).toEqual({ amount, minor });
      }),
    );
  });
  it('control: typed, a thousand and a piece of three digits are asked about', () => {
    expect(typedAmount('1.125', 'KWD')).toEqual({ amount: null, fault: expect.stringMatching(/1125/) as string });
    expect(typedAmount('1,234', 'EUR').amount).toBeNull();
  });
  it('is nothing yet, and nothing wrong', () => expect(typedAmount('  ', 'EUR')).toEqual({ amount: null }));
});
