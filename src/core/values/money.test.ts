/** Amounts as text: the list of what must never get through, and exactness for everything that does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency, currencyOf } from './currencies.ts';
import { amountMembers, formatMinor, MAX_AMOUNT_MINOR, parseAmount, quoted } from './money.ts';

const [EUR, JPY, KWD] = ['EUR', 'JPY', 'KWD'].map((code) => currencyOf(code) as Currency) as [
  Currency,
  Currency,
  Currency,
];
const parsed = (text: string, currency = EUR) => {
  const result = parseAmount(text, currency);
  return typeof result === 'bigint' ? result : result.code;
};

describe('parseAmount', () => {
  it.each([
    ['250', 25_000n],
    ['250.0', 25_000n],
    ['250.00', 25_000n],
    ['250.000', 25_000n],
    ['0.01', 1n],
    ['00250.10', 25_010n],
    ['100.5', 10_050n],
    ['9999999999999.99', MAX_AMOUNT_MINOR],
  ])('reads %s EUR', (text, minor) => expect(parsed(text)).toBe(minor));

  it('reads by the currency’s decimals', () => {
    expect(parsed('100', JPY)).toBe(100n);
    expect(parsed('100.00', JPY)).toBe(100n);
    expect(parsed('100.50', JPY)).toBe('amount_invalid');
    expect(parsed('0.001', KWD)).toBe(1n);
    expect(parsed('1.5', KWD)).toBe(1500n);
    expect(parsed('0.0005', KWD)).toBe('amount_invalid');
    expect(parsed('999999999999999', JPY)).toBe(MAX_AMOUNT_MINOR);
    expect(parsed('1000000000000000', JPY)).toBe('amount_too_large');
  });

  it.each([
    '',
    ' ',
    '1e3',
    '1E3',
    '1e-2',
    '0x10',
    '0b1',
    '0o7',
    '-5',
    '+5',
    '-0',
    'NaN',
    'Infinity',
    'null',
    'true',
    '1,000.00',
    '1.000,00',
    '1_000',
    "1'000",
    '1 000',
    ' 1',
    '1 ',
    '1\n',
    '\t1',
    '1\u00a0',
    '1\u0000',
    '.5',
    '5.',
    '.',
    '1.2.3',
    '1..2',
    '100.505',
    '0.001',
    '１２３',
    '1２3',
    '٣',
    '१',
    '²',
    '1\u202e2',
    '\ufeff1',
    '€5',
    '5€',
    '5 EUR',
    '1/2',
    '1%',
    '(5)',
    '[5]',
    '−5',
    '1٫5',
    '1．5',
    '99999999999999999999999999999999999999.999',
    `${'9'.repeat(60)}.5`,
  ])('refuses %j as no amount', (text) => expect(parsed(text)).toBe('amount_invalid'));

  it('refuses zero and less than the smallest unit apart from what is no amount', () => {
    for (const text of ['0', '0.00', '000', '0.000000000000']) expect(parsed(text)).toBe('amount_too_small');
  });

  it('refuses what is too large, however long', () => {
    for (const text of [
      '9007199254740993.10',
      '10000000000000',
      '9'.repeat(30),
      '9'.repeat(40),
      '9'.repeat(1_000_000),
    ]) {
      expect(parsed(text)).toBe('amount_too_large');
    }
  });

  it('names what was given, briefly, and what is allowed', () => {
    expect(parseAmount('1e3', JPY)).toMatchObject({
      message: expect.stringMatching(/^amount is "1e3", which is no amount\..*250/) as string,
    });
    expect(parseAmount('100.505', EUR)).toMatchObject({ message: expect.stringContaining('at most 2') as string });
    const long = parseAmount('9'.repeat(1_000_000), EUR);
    if (typeof long === 'bigint') throw new Error('refused');
    expect(long.message.length).toBeLessThan(200);
    expect(long.message).toContain('9999999999999.99 EUR');
  });

  it('gives back every amount it printed, in every currency, with any zeros around it', () => {
    const amount = fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR });
    fc.assert(
      fc.property(amount, fc.constantFrom(...CURRENCIES), fc.nat(3), fc.nat(3), (minor, currency, before, after) => {
        const text = formatMinor(minor, currency.exponent);
        expect(parseAmount(text, currency)).toBe(minor);
        const dressed = `${'0'.repeat(before)}${text}${text.includes('.') ? '' : '.'}${'0'.repeat(after)}`;
        if (!dressed.endsWith('.')) expect(parseAmount(dressed, currency)).toBe(minor);
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes text that is not plain digits and at most one point', () => {
    const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: fc.constantFrom(...'0159.,-+eExX _ ') }));
    fc.assert(
      fc.property(text, (given) => {
        fc.pre(!/^[0-9]+(\.[0-9]+)?$/.test(given));
        expect(typeof parseAmount(given, EUR)).not.toBe('bigint');
      }),
      { numRuns: 5000 },
    );
  });

  it('agrees with arithmetic on integers, never with a float', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999_999n }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        fc.pre(whole + BigInt(cents) > 0n);
        expect(parsed(`${whole}.${String(cents).padStart(2, '0')}`)).toBe(whole * 100n + BigInt(cents));
      }),
      { numRuns: 2000 },
    );
    expect(parsed('4503599627370.17')).toBe(450359962737017n); // a float of it times 100 is …016
  });
});

describe('formatMinor', () => {
  it.each([
    [25_000n, 2, '250.00'],
    [1n, 2, '0.01'],
    [0n, 2, '0.00'],
    [-5n, 2, '-0.05'],
    [-12_345n, 3, '-12.345'],
    [7n, 0, '7'],
    [9_007_199_254_740_991n, 2, '90071992547409.91'],
  ])('prints %s with %i decimals as %s', (minor, exponent, text) => expect(formatMinor(minor, exponent)).toBe(text));
});

describe('amountMembers', () => {
  it('writes the exact literal and the integer', () => {
    expect(amountMembers(25_000n, 'EUR')).toBe('"amount":250.00,"amount_minor":25000');
    expect(amountMembers(250n, 'JPY', 'sell_')).toBe('"sell_amount":250,"sell_amount_minor":250');
  });

  it('is exact for a JSON reader with floats, up to the largest amount of any currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (minor, code) => {
          const read = JSON.parse(`{${amountMembers(minor, code)}}`) as { amount: number; amount_minor: number };
          expect(BigInt(read.amount_minor)).toBe(minor);
          expect(read.amount.toFixed(currencyOf(code)?.exponent)).toBe(
            formatMinor(minor, currencyOf(code)?.exponent ?? 0),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('quoted', () => {
  it('shortens and escapes', () => {
    expect(quoted('a\u0000"\n')).toBe('"a\\u0000\\"\\n"');
    expect(quoted('x'.repeat(500)).length).toBeLessThan(65);
  });
});
