/** Amounts of the client beside those of the service, over all currencies. */
import { expect, it } from 'vitest';
import fc from 'fast-check';
import { CURRENCIES } from '../../src/core/values/currencies.ts';
import { formatMinor, parseAmount } from '../../src/core/values/money.ts';
import { decimal, decimalsOf, fromMinor, toMinor } from '../src/bursar.ts';
import { parse } from '../src/parse.ts';

it('are written and read as the service does it', () => {
  const minor = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), minor, (currency, amount) => {
      const text = fromMinor(amount, currency.code);
      expect(text).toBe(formatMinor(amount, currency.exponent));
      expect(toMinor(text, currency.code)).toBe(amount);
      expect(parseAmount(text, currency)).toBe(amount);
      expect(fromMinor(Number(amount), currency.code)).toBe(text);
    }),
  );
});

it('know the decimals of every currency, and no others', () => {
  expect(CURRENCIES.map(({ code }) => decimalsOf(code))).toEqual(CURRENCIES.map(({ exponent }) => exponent));
  expect(() => decimalsOf('XXX')).toThrow('not a currency');
});

it('keep their sign', () => {
  expect([fromMinor(-5n, 'EUR'), toMinor('-0.05', 'EUR'), fromMinor(-100, 'JPY')]).toEqual(['-0.05', -5n, '-100']);
});

it('are never rounded', () => {
  expect(() => toMinor('1.005', 'EUR')).toThrow('more decimals than EUR');
  expect(toMinor('1.500', 'EUR')).toBe(150n);
  expect(() => fromMinor(0.5, 'EUR')).toThrow('no exact integer');
  for (const text of ['1e3', '1,5', ' 1', '', 'NaN', '0x1', '1.']) expect(() => decimal(text)).toThrow(RangeError);
});

it('come out of answers with the digits of the wire', () => {
  const text =
    '{"amount":9999999999999.99,"amount_minor":999999999999999,"lines":[{"amount":-0.10}],"sell_amount":null}';
  expect(parse(text)).toEqual({
    amount: '9999999999999.99',
    amount_minor: 999_999_999_999_999,
    lines: [{ amount: '-0.10' }],
    sell_amount: null,
  });
});

it('leave texts alone that look like one', () => {
  const value = { metadata: { amount: '5', note: '"amount":250,' }, description: '{"amount":1}', 'a"amount': [1] };
  expect(parse(JSON.stringify(value))).toEqual(value);
});
