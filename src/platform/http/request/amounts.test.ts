/** Amounts through both body formats against an oracle of their own (T19): nothing wrong is taken, nothing is rounded. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../../core/values/currencies.ts';
import type { Code } from '../../../core/values/errors.ts';
import { readForm } from './form.ts';
import { readJson } from './json.ts';
import { amount, amountIn, currency, params, type Tree } from './params.ts';

const d = { description: 'x' };
const form = (text: string) => readForm(text, 8);
const json = (value: unknown) => readJson(typeof value === 'string' ? value : JSON.stringify(value), 8);

// Our own oracle: what the contract says an amount is, written differently from the parser.
function oracle(given: string, exponent: number): bigint | null {
  let whole = '';
  let decimals = '';
  let point = false;
  for (const char of given) {
    if (char === '.') {
      if (point || whole === '') return null;
      point = true;
    } else if (char >= '0' && char <= '9' && char.length === 1) {
      if (point) decimals += char;
      else whole += char;
    } else return null;
  }
  if (whole === '' || (point && decimals === '') || given.length > 40) return null;
  while (decimals.length > exponent) {
    if (!decimals.endsWith('0')) return null;
    decimals = decimals.slice(0, -1);
  }
  const minor = BigInt(whole) * 10n ** BigInt(exponent) + BigInt(decimals.padEnd(exponent, '0') || '0');
  return minor > 0n && minor <= 999_999_999_999_999n ? minor : null;
}

describe('amounts (T19)', () => {
  const fields = params({ amount: amount(d), currency: currency(d) });
  const read = (tree: Tree): bigint | Code => {
    try {
      const parsed = fields.parse(tree);
      return amountIn(parsed.currency, parsed.amount, 'amount');
    } catch (error) {
      const { code, details } = error as { code: Code; details: { param?: string } };
      expect(details?.param, String(error)).toBe('amount');
      return code;
    }
  };
  const codes: readonly unknown[] = ['amount_invalid', 'amount_too_small', 'amount_too_large', 'parameter_missing'];
  const digits = fc.stringMatching(/^[0-9]{0,20}$/);
  const odd = fc.constantFrom(
    '',
    ' ',
    '+',
    '-',
    '.',
    ',',
    '_',
    '٣',
    '１',
    '²',
    'e',
    'E',
    'e3',
    'e-2',
    '0x',
    '0b1',
    'NaN',
    'Infinity',
    'null',
    'true',
    '\u00a0',
    '\u200b',
    '\u202e',
    '\t',
    '\n',
    '%',
    '€',
    '$',
    "'",
    '½',
    '1_000',
    '1,000',
    '1.000,00',
    'n',
  );
  const number = fc.tuple(digits, fc.constantFrom('', '.'), digits).map((parts) => parts.join(''));
  const torture = fc.oneof(
    { weight: 3, arbitrary: number },
    { weight: 3, arbitrary: fc.tuple(odd, number, odd).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.tuple(number, odd, number).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
    { weight: 1, arbitrary: fc.double().map(String) },
    { weight: 1, arbitrary: fc.bigInt().map(String) },
  );
  const anyCurrency = fc.constantFrom(...CURRENCIES);

  test('form text and JSON text: only what the contract allows, exactly', () => {
    let accepted = 0;
    fc.assert(
      fc.property(torture, anyCurrency, (given, { code, exponent }) => {
        const expected = oracle(given, exponent);
        const results = [read(json({ amount: given, currency: code }))];
        if (!/\p{Surrogate}/u.test(given))
          results.push(read(form(`amount=${encodeURIComponent(given)}&currency=${code}`)));
        for (const result of results) {
          if (expected === null) expect(codes, JSON.stringify(given)).toContain(result);
          else expect(result, JSON.stringify(given)).toBe(expected);
        }
        if (expected !== null) accepted += 1;
      }),
      { numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(200); // the run is worthless if everything is refused
  });

  test('JSON numbers: read as written, never through a float', () => {
    const written = fc.oneof(
      number.filter((text) => /^(0|[1-9]\d*)(\.\d+)?$/.test(text)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.tuple(fc.integer(), fc.constantFrom('e2', 'E+2', 'e-2', '.0e0', '.50')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(written, anyCurrency, (given, { code, exponent }) => {
        const result = read(json(`{"amount":${given},"currency":"${code}"}`));
        const expected = oracle(given, exponent);
        if (expected === null) expect(codes, given).toContain(result);
        else expect(result).toBe(expected);
      }),
      { numRuns: 2000 },
    );
    expect(read(json('{"amount":9007199254740.993,"currency":"KWD"}'))).toBe('amount_too_large');
    expect(read(json('{"amount":999999999999.999,"currency":"KWD"}'))).toBe(999_999_999_999_999n);
    expect(read(json('{"amount":1e2,"currency":"EUR"}'))).toBe('amount_invalid');
  });

  test('other JSON types are refused', () => {
    for (const given of ['true', '[]', '["5"]', '{}', '{"a":1}', '[5]']) {
      expect(read(json(`{"amount":${given},"currency":"EUR"}`)), given).toBe('amount_invalid');
    }
    expect(read(json('{"amount":null,"currency":"EUR"}'))).toBe('parameter_missing');
    expect(read(json(`{"amount":"${'9'.repeat(1_000_000)}","currency":"EUR"}`))).toBe('amount_too_large');
  });
});
