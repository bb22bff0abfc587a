/** Amounts in four languages: exact however large, and read back as they were shown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, currencyOf } from '../../../core/values/currencies.ts';
import { formatMinor, MAX_AMOUNT_MINOR } from '../../../core/values/money.ts';
import { exampleAmount, hasDecimals, readAmount, showAmount, showInstant, typedAmount } from './amounts.ts';
import { LANGUAGES } from './view.ts';

const currency = fc.constantFrom(...[...CURRENCIES.values()].map(({ code }) => code));
const language = fc.constantFrom(...LANGUAGES);
const minor = fc.oneof(fc.bigInt(1n, MAX_AMOUNT_MINOR), fc.bigInt(1n, 100_000n), fc.constant(MAX_AMOUNT_MINOR));

describe('showAmount', () => {
  it.each([
    ['en', 'EUR', 123_450n, '€1,234.50'],
    ['de', 'EUR', 123_450n, '1.234,50\u00a0€'],
    ['fr', 'EUR', 123_450n, '1\u202f234,50\u00a0€'],
    ['es', 'EUR', 1_234_550n, '12.345,50\u00a0€'],
    ['en', 'USD', 5n, 'US$0.05'],
    ['de', 'JPY', 1_234n, '1.234\u00a0¥'],
    ['fr', 'KWD', 1_234n, '1,234\u00a0KWD'],
    // More than a float holds exactly, with decimals.
    ['en', 'EUR', 9_007_199_254_740_993n, '€90,071,992,547,409.93'],
    // ISO 4217 says two, `Intl` says none.
    ['en', 'AFN', 123_456n, 'AFN\u00a01,234.56'],
  ] as const)('%s %s %s is %s', (language, currency, amount, text) =>
    expect(showAmount(amount, currency, language)).toBe(text),
  );

  it('has the digits of the amount, in every currency and language, and no others', () => {
    fc.assert(
      fc.property(minor, currency, language, (amount, code, language) => {
        const exponent = currencyOf(code)?.exponent ?? 0;
        const digits = showAmount(amount, code, language).replace(/\D/g, '');
        expect(digits).toBe(formatMinor(amount, exponent).replace('.', ''));
      }),
    );
  });
});

describe('readAmount', () => {
  it.each([
    ['de', '12,50', '12.50'],
    ['de', '12,5', '12.5'],
    ['de', '12', '12'],
    ['de', ' 12,50 ', '12.50'],
    ['de', '1.234', '1234'],
    ['de', '1.234,5', '1234.5'],
    ['de', '1 234,50', '1234.50'],
    ['de', '12.50', '12.50'],
    ['de', '12.5', '12.5'],
    ['de', '1,234', '1.234'],
    ['en', '12.50', '12.50'],
    ['en', '12,50', '12.50'],
    ['en', '1,234', '1234'],
    ['en', '1.234', '1.234'],
    ['en', '1,234,567.89', '1234567.89'],
    ['en', "1'234.50", '1234.50'],
    ['en', '1’234.50', '1234.50'],
    ['fr', '1\u202f234,50', '1234.50'],
    ['fr', '1\u00a0234\u00a0567', '1234567'],
    ['fr', '1 234,50', '1234.50'],
    ['es', '1234,50', '1234.50'],
    ['es', '1.234.567,8', '1234567.8'],
  ] as const)('%s %j is %s', (language, text, amount) => expect(readAmount(text, language)).toBe(amount));

  it.each([
    ['de', ''],
    ['de', ' '],
    ['de', '12,'],
    ['de', ',50'],
    ['de', '1.23,45'],
    ['de', '1.2345'],
    ['de', '1234.567'],
    ['de', '12.34.567'],
    ['de', '1,234,567'],
    ['de', '1.234 567,00'],
    ['de', '1,234.56'],
    ['en', '1.234,56'],
    ['en', '12,3456'],
    ['en', '1,23,456'],
    ['en', '1,,234'],
    ['en', '1 23'],
    ['en', '-5'],
    ['en', '+5'],
    ['en', '1e3'],
    ['en', '0x10'],
    ['en', '١٢'],
    ['en', '€5'],
    ['en', 'NaN'],
    ['en', '1.2.3'],
    ['en', '9'.repeat(41)],
    ['fr', '1 2 3'],
  ] as const)('%s %j is no amount', (language, text) => expect(readAmount(text, language)).toBeNull());

  it('reads what the page itself shows and copies', () => {
    fc.assert(
      fc.property(minor, language, currency, (amount, language, code) => {
        const exact = formatMinor(amount, currencyOf(code)?.exponent ?? 0);
        expect(readAmount(typedAmount(amount, code, language), language)).toBe(exact);
        const bare = showAmount(amount, code, language).replace(/^[^\d]+|[^\d]+$/g, '');
        expect(readAmount(bare, language)).toBe(exact);
      }),
    );
  });
});

describe('showInstant', () => {
  it.each([
    ['en', '14 November 2023 at 22:13 UTC'],
    ['de', '14. November 2023 um 22:13 UTC'],
    ['fr', '14 novembre 2023 à 22:13 UTC'],
    ['es', '14 de noviembre de 2023 a las 22:13 UTC'],
  ] as const)('%s: %s', (language, text) => {
    expect(showInstant(1_700_000_000_000, language)).toBe(text);
  });
});

describe('exampleAmount', () => {
  it.each([
    ['en', 'EUR', '12.50'],
    ['de', 'EUR', '12,50'],
    ['en', 'JPY', '1250'],
    ['fr', 'KWD', '12,500'],
  ] as const)('%s, %s: %s', (language, currency, text) => {
    expect(exampleAmount(currency, language)).toBe(text);
  });

  it('is read as an amount with no more decimals than the currency has', () => {
    for (const language of LANGUAGES) {
      for (const { code, exponent } of CURRENCIES.values()) {
        const fraction = readAmount(exampleAmount(code, language), language)?.split('.')[1] ?? '';
        expect([code, fraction.length, hasDecimals(code)]).toEqual([code, exponent, exponent > 0]);
      }
    }
  });
});
