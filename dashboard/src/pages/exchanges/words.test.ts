/** Rates and markups as people read them, without a digit lost. */
import { expect, it } from 'vitest';
import { percentText, rateText } from './words.ts';

it('a rate keeps all its digits, with the point of the reader', () => {
  expect(rateText('EUR', '1.1551050000001', 'USD', '.')).toBe('1 EUR = 1.1551050000001 USD');
  expect(rateText('JPY', '0.006', 'EUR', ',')).toBe('1 JPY = 0,006 EUR');
  expect(rateText('USD', '151', 'JPY', ',')).toBe('1 USD = 151 JPY');
});

it.each([
  [1, '0.01 %'],
  [25, '0.25 %'],
  [40, '0.4 %'],
  [100, '1 %'],
  [1_005, '10.05 %'],
])('%d basis points are %s', (bps, text) => expect(percentText(bps, '.')).toBe(text.replace(' ', '\u00a0')));
