/** Amounts as people write them. Random ones come back to the cent in every notation; the control takes the wrong mark. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf, type Mark, markOf } from './amounts.ts';

describe('the mark of a column', () => {
  it.each<[readonly string[], string, unknown]>([
    [['1.234,56', '980'], 'EUR', { mark: ',' }],
    [['1,234.56', '980'], 'EUR', { mark: '.' }],
    [["1'234.50"], 'CHF', { mark: '.' }],
    [['1 234,5', '1.234'], 'EUR', { mark: ',' }],
    [['1.234.567'], 'EUR', { mark: ',' }],
    [['1234.567'], 'EUR', { mark: '.' }],
    [['0,125'], 'KWD', { mark: ',' }],
    [['1.234'], 'JPY', { mark: ',' }],
    [['980', '12', ''], 'EUR', { mark: null }],
    [['12.50 €', '€ 3'], 'EUR', { mark: '.' }],
  ])('of %j in %s is seen', (cells, currency, found) => {
    expect(markOf(cells, currency)).toEqual(found);
  });
  it('that may be either is asked', () => {
    expect(markOf(['980', '1.234', '2,500'], 'EUR')).toEqual({ ask: '1.234', why: 'ambiguous' });
  });
  it('that is both is asked, with one of each', () => {
    expect(markOf(['12,50', '1,250.00'], 'EUR')).toEqual({ ask: '1,250.00', other: '12,50', why: 'mixed' });
  });
});

describe('an amount', () => {
  const EUR = (cell: string, mark: Mark | null = ',') => amountOf(cell, mark, 'EUR');
  it.each<[string, Mark | null, string, string, bigint]>([
    ['1.234,56', ',', 'EUR', '1234.56', 123_456n],
    ['1,234.5', '.', 'EUR', '1234.50', 123_450n],
    ["1'234’567.00", '.', 'CHF', '1234567.00', 123_456_700n],
    ['1\u00a0234,00\u00a0€', ',', 'EUR', '1234.00', 123_400n],
    ['1\u202f234', null, 'EUR', '1234.00', 123_400n],
    ['EUR 7', null, 'EUR', '7.00', 700n],
    ['100.–', '.', 'CHF', '100.00', 10_000n],
    ['12.500', '.', 'EUR', '12.50', 1250n],
    ['1.234', ',', 'JPY', '1234', 1234n],
    ['0,125', ',', 'KWD', '0.125', 125n],
    ['007', null, 'EUR', '7.00', 700n],
  ])('%s with %s in %s is exact', (cell, mark, currency, amount, minor) => {
    expect(amountOf(cell, mark, currency)).toEqual({ amount, minor });
  });
  it.each([
    ['', /missing/],
    ['abc', /no amount/],
    ['12.50', /no amount with a decimal comma/],
    ['1.23.456', /no amount/],
    ['1,2,3', /no amount/],
    ['1e3', /shortened/],
    ['1,2E+5', /shortened/],
    ['-5', /below zero/],
    ['(5,00)', /below zero/],
    ['5-', /below zero/],
    ['0,00', /is zero/],
    ['1,005', /3 decimals/],
    ['=A1*2', /formula/],
    ['#REF!', /formula/],
    ['£5', /not in EUR/],
    ['USD 5', /not in EUR/],
    ['9'.repeat(20), /larger/],
    ['1/2', /no amount/],
  ])('%s is none, and the reason is said', (cell, fault) => {
    expect(EUR(cell)).toEqual({ fault: expect.stringMatching(fault) });
  });
  it('with decimals where the column has none is none', () => {
    expect(EUR('1.5', null)).toEqual({ fault: expect.stringMatching(/no amount with digits/) });
  });
});

describe('random amounts', () => {
  const grouped = (whole: string, group: string) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  const cents = fc.bigInt(1n, 999_999_999_999_999n);
  const comesBack = (markGiven: (mark: Mark) => Mark) =>
    !fc.check(
      fc.property(cents, fc.constantFrom<Mark>('.', ','), fc.constantFrom('', ' ', "'", 'other'), (minor, mark, by) => {
        const digits = String(minor).padStart(3, '0');
        const group = by === 'other' ? (mark === '.' ? ',' : '.') : by;
        const cell = `${grouped(digits.slice(0, -2), group)}${mark}${digits.slice(-2)}`;
        const read = amountOf(cell, markGiven(mark), 'EUR');
        return 'minor' in read && read.minor === minor && markOf([cell], 'EUR') !== null;
      }),
    ).failed;

  it('come back to the cent in every notation', () => {
    expect(comesBack((mark) => mark)).toBe(true);
  });
  it('control: with the other mark they do not', () => {
    expect(comesBack((mark) => (mark === '.' ? ',' : '.'))).toBe(false);
  });
  it('of a column are read with the mark they were written with, or it is asked', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 20 }), fc.constantFrom<Mark>('.', ','), (all, mark) => {
        const other = mark === '.' ? ',' : '.';
        const cells = all.map((minor) => {
          const digits = String(minor).padStart(3, '0');
          const decimals = digits.slice(-2) === '00' ? '' : `${mark}${digits.slice(-2)}`;
          return `${grouped(digits.slice(0, -2), other)}${decimals}`;
        });
        const found = markOf(cells, 'EUR');
        return 'ask' in found ? found.why === 'ambiguous' : found.mark === null || found.mark === mark;
      }),
    );
  });
});
