import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMinor } from '../../../client/src/money.ts';
import { digitsOf, separatorsOf, withAmounts } from './digits.ts';

const ENGLISH = separatorsOf('en');

describe('digits of an amount', () => {
  it.each([
    [0, 'EUR', '0.00'],
    [5, 'EUR', '0.05'],
    [-123_450, 'EUR', '−1,234.50'],
    [1_000, 'JPY', '1,000'],
    [1_000, 'KWD', '1.000'],
    ['123456789012345678901', 'EUR', '1,234,567,890,123,456,789.01'],
  ])('%s of %s are %s', (minor, currency, expected) => {
    expect(digitsOf(minor, currency, false, ENGLISH)).toBe(expected);
  });

  it('have the reader’s separators', () => {
    expect(digitsOf(123_456_789, 'EUR', false, separatorsOf('de'))).toBe('1.234.567,89');
  });

  it('have a plus only where it is asked for, and never before nothing', () => {
    expect(digitsOf(100, 'EUR', true, ENGLISH)).toBe('+1.00');
    expect(digitsOf(100, 'EUR', false, ENGLISH)).toBe('1.00');
    expect(digitsOf(0, 'EUR', true, ENGLISH)).toBe('0.00');
  });

  it('are those of the amount, all of them, whatever it is', () => {
    const amounts = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
    fc.assert(
      fc.property(amounts, fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
        const plain = digitsOf(minor, currency, false, ENGLISH).replaceAll(',', '').replace('−', '-');
        expect(plain).toBe(fromMinor(minor, currency));
      }),
    );
  });

  it('of what is no integer are refused', () => {
    expect(() => digitsOf('1.5', 'EUR')).toThrow(SyntaxError);
    expect(() => digitsOf(1.5, 'EUR')).toThrow(RangeError);
  });
});

describe('amounts in a sentence', () => {
  const said = (text: string, amounts: readonly string[], locale = 'en') =>
    withAmounts(text, amounts, separatorsOf(locale));

  it('are written as the reader writes them, each of them, and nothing else is', () => {
    const text = 'Created: 2232.28 EUR of 12232.28 EUR, fee 10.00 EUR, "RG 2232.28".';
    expect(said(text, ['2232.28 EUR', '10.00 EUR'])).toBe(
      'Created: 2,232.28 EUR of 12232.28 EUR, fee 10.00 EUR, "RG 2232.28".',
    );
    expect(said('5000 JPY.', ['5000 JPY'], 'de')).toBe('5.000 JPY.');
    expect(said(text, [])).toBe(text);
  });

  it('are written once, also where one ends like another', () => {
    expect(said('1110.00 EUR and 110.00 EUR', ['110.00 EUR', '1110.00 EUR'])).toBe('1,110.00 EUR and 110.00 EUR');
  });

  it('keep their digits, whatever they are', () => {
    const minor = fc.bigInt({ min: 0n, max: 10n ** 18n });
    fc.assert(
      fc.property(fc.array(minor, { minLength: 1 }), fc.constantFrom('EUR', 'JPY', 'KWD'), (all, currency) => {
        const amounts = all.map((each) => `${fromMinor(each, currency)} ${currency}`);
        const text = amounts.join(' and ');
        expect(said(text, amounts).replaceAll(',', '')).toBe(text);
      }),
    );
  });

  it('are never a pattern', () => {
    expect(said('a.* 5.00 EUR', ['.* EUR', '(', '5.00 EUR'])).toBe('a.* 5.00 EUR');
  });
});
