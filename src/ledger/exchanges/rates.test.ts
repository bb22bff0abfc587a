/** Properties of pricing. Each is run against wrong roundings too and must catch them: else it would prove nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyOf } from '../../core/values/currencies.ts';
import { MAX_AMOUNT_MINOR } from '../../core/values/money.ts';
import { RateTable } from './rate-table.ts';
import {
  clientRate,
  computedSide,
  divide,
  type FixedSide,
  MAX_MARKUP_BPS,
  type Pair,
  parseRate,
  price,
  printRate,
  type Ratio,
  SIGNIFICANT_DIGITS,
} from './rates.ts';
import { sandboxRates } from './rate-source.ts';

type ComputedSide = typeof computedSide;

const RUNS = 2_000;
const CODES = ['JPY', 'VND', 'EUR', 'USD', 'KWD', 'TND'] as const;
const exponentOf = (code: string) => currencyOf(code)?.exponent ?? Number.NaN;
const valueOf = (text: string): Ratio => parseRate(text) ?? { numerator: 0n, denominator: 1n };
const unit = (code: string) => 10n ** BigInt(exponentOf(code));

/** As many small numbers as large ones. */
const logarithmic = (max: bigint) =>
  fc.integer({ min: 1, max: max.toString().length }).chain((digits) => {
    const top = 10n ** BigInt(digits) - 1n;
    return fc.bigInt({ min: 1n, max: top < max ? top : max });
  });
const amount = logarithmic(MAX_AMOUNT_MINOR);
const ratio = fc.record({ numerator: logarithmic(10n ** 12n), denominator: logarithmic(10n ** 12n) });
const pair = fc
  .shuffledSubarray([...CODES], { minLength: 2, maxLength: 2 })
  .map(([sellCurrency, buyCurrency]): Pair => ({ sellCurrency: `${sellCurrency}`, buyCurrency: `${buyCurrency}` }));
const side = fc.constantFrom<FixedSide>('sell', 'buy');
const rate = ratio.map((exact) => printRate(exact, 'down'));
const markup = fc.integer({ min: 0, max: MAX_MARKUP_BPS });
const reversed = ({ sellCurrency, buyCurrency }: Pair): Pair => ({
  sellCurrency: buyCurrency,
  buyCurrency: sellCurrency,
});

interface Verdict {
  readonly failed: boolean;
  /** How it failed, for the control runs. */
  readonly cause: string;
  /** Counterexample and seed, for people. */
  readonly report: string;
}

function run<T>(property: fc.IProperty<T>): Verdict {
  const details = fc.check(property, { numRuns: RUNS });
  const cause = details.failed ? String(details.errorInstance) : '';
  return { failed: details.failed, cause, report: fc.defaultReportMessage(details) ?? '' };
}

/** What must hold of the computed side, whoever computes it. */
const PROPERTIES = {
  // The oracle: cross-multiplied, without a division. The best amount that is not in the client's favour, no other.
  'is exactly the best amount that is not in the client’s favour': (computed: ComputedSide) =>
    run(
      fc.property(rate, pair, side, amount, (text, of, fixed, given) => {
        const { numerator, denominator } = valueOf(text);
        const other = computed(text, of, fixed, given);
        // sold × rate against bought, both over the same denominator
        const sold = (minor: bigint) => minor * numerator * unit(of.buyCurrency);
        const bought = (minor: bigint) => minor * denominator * unit(of.sellCurrency);
        if (fixed === 'sell') return bought(other) <= sold(given) && bought(other + 1n) > sold(given);
        return sold(other) >= bought(given) && sold(other - 1n) < bought(given);
      }),
    ),
  'never yields more by exchanging back': (computed: ComputedSide) =>
    run(
      fc.property(ratio, markup, pair, amount, ({ numerator, denominator }, bps, of, given) => {
        const there = clientRate(printRate({ numerator, denominator }, 'down'), bps).rate;
        const back = clientRate(printRate({ numerator: denominator, denominator: numerator }, 'down'), bps).rate;
        const got = computed(there, of, 'sell', given);
        const cost = computed(there, of, 'buy', given);
        return (
          computed(back, reversed(of), 'sell', got) <= given &&
          computed(back, reversed(of), 'sell', given) <= cost &&
          computed(back, reversed(of), 'buy', given) >= got
        );
      }),
    ),
  'never falls as the amount rises': (computed: ComputedSide) =>
    run(
      fc.property(rate, pair, side, amount, logarithmic(1_000n), (text, of, fixed, given, more) => {
        return computed(text, of, fixed, given) <= computed(text, of, fixed, given + more);
      }),
    ),
};
type Name = keyof typeof PROPERTIES;

/** The exact figure before rounding, as `computedSide` has it. */
function unrounded(text: string, of: Pair, fixed: FixedSide, given: bigint): [bigint, bigint] {
  const { numerator, denominator } = valueOf(text);
  const [sell, buy] = [unit(of.sellCurrency), unit(of.buyCurrency)];
  return fixed === 'sell'
    ? [given * numerator * buy, denominator * sell]
    : [given * denominator * sell, numerator * buy];
}

/** Wrong ways to compute the other side, and the properties that must notice. */
const MUTANTS: Readonly<Record<string, { compute: ComputedSide; caughtBy: readonly Name[] }>> = {
  'rounds for the client': {
    compute: (text, of, fixed, given) => divide(...unrounded(text, of, fixed, given), fixed === 'sell' ? 'up' : 'down'),
    caughtBy: ['is exactly the best amount that is not in the client’s favour', 'never yields more by exchanging back'],
  },
  'rounds to the nearest': {
    compute: (text, of, fixed, given) => {
      const [above, below] = unrounded(text, of, fixed, given);
      return (2n * above + below) / (2n * below);
    },
    caughtBy: ['is exactly the best amount that is not in the client’s favour', 'never yields more by exchanging back'],
  },
  'rounds down on both sides': {
    compute: (text, of, fixed, given) => divide(...unrounded(text, of, fixed, given), 'down'),
    caughtBy: ['is exactly the best amount that is not in the client’s favour'],
  },
  'keeps a minor unit too much': {
    compute: (text, of, fixed, given) => {
      const right = computedSide(text, of, fixed, given);
      return fixed === 'sell' ? (right === 0n ? 0n : right - 1n) : right + 1n;
    },
    caughtBy: ['is exactly the best amount that is not in the client’s favour'],
  },
  'computes with floats': {
    compute: (text, of, fixed, given) => {
      const scale = 10 ** (exponentOf(of.buyCurrency) - exponentOf(of.sellCurrency));
      const float = fixed === 'sell' ? Number(given) * Number(text) * scale : Number(given) / Number(text) / scale;
      return BigInt(fixed === 'sell' ? Math.floor(float) : Math.ceil(float));
    },
    caughtBy: ['is exactly the best amount that is not in the client’s favour'],
  },
  'takes every currency for one with two decimals': {
    compute: (text, _, fixed, given) => computedSide(text, { sellCurrency: 'EUR', buyCurrency: 'USD' }, fixed, given),
    caughtBy: ['is exactly the best amount that is not in the client’s favour'],
  },
  'adds a minor unit to odd amounts': {
    compute: (text, of, fixed, given) => {
      const right = computedSide(text, of, fixed, given);
      return given % 2n === 1n ? right + 1n : right;
    },
    caughtBy: ['never falls as the amount rises'],
  },
};

describe('the computed side', () => {
  for (const [name, property] of Object.entries(PROPERTIES)) {
    it(name, () => expect(property(computedSide)).toEqual({ failed: false, cause: '', report: '' }));
  }

  for (const [mutant, { compute, caughtBy }] of Object.entries(MUTANTS)) {
    for (const name of caughtBy) {
      it(`control: one that ${mutant} fails "${name}"`, () => {
        const { failed, cause } = PROPERTIES[name](compute);
        expect(failed).toBe(true);
        expect(cause).toMatch(/returning false/); // a wrong answer, not a crash of the mutant
      });
    }
  }

  it('minds the decimals of both currencies', () => {
    const jpyToKwd = { sellCurrency: 'JPY', buyCurrency: 'KWD' };
    expect(computedSide('0.002', jpyToKwd, 'sell', 1n)).toBe(2n);
    expect(computedSide('0.002', jpyToKwd, 'sell', 1_000n)).toBe(2_000n);
    expect(computedSide('0.002', jpyToKwd, 'buy', 2_001n)).toBe(1_001n);
    expect(computedSide('500', reversed(jpyToKwd), 'sell', 1n)).toBe(0n);
    expect(computedSide('500', reversed(jpyToKwd), 'buy', 1n)).toBe(2n);
    expect(computedSide('500', reversed(jpyToKwd), 'sell', 1_999n)).toBe(999n);
  });
});

describe('a printed rate', () => {
  it('has at most ten significant digits and is the nearest such number below, or above', () => {
    fc.assert(
      fc.property(ratio, (exact) => {
        const [down, up] = [printRate(exact, 'down'), printRate(exact, 'up')];
        for (const text of [down, up]) {
          expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
          const digits = text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
          expect(digits.length).toBeLessThanOrEqual(SIGNIFICANT_DIGITS);
        }
        const [below, above] = [valueOf(down), valueOf(up)];
        const less = (a: Ratio, b: Ratio) => a.numerator * b.denominator - b.numerator * a.denominator;
        expect(less(below, exact)).toBeLessThanOrEqual(0n);
        expect(less(exact, above)).toBeLessThanOrEqual(0n);
        // One step of the tenth digit is at most one part in 10^9.
        const stepped = { numerator: below.numerator * (10n ** 9n + 1n), denominator: below.denominator * 10n ** 9n };
        expect(less(above, stepped)).toBeLessThanOrEqual(0n);
        if (less(below, exact) === 0n) expect(up).toBe(down);
      }),
      { numRuns: RUNS },
    );
  });

  it('is the mid-market rate less the markup, never more; the inverse is never less than one through it', () => {
    fc.assert(
      fc.property(rate, markup, (mid, bps) => {
        const { rate: printed, inverseRate } = clientRate(mid, bps);
        const [client, inverse, market] = [valueOf(printed), valueOf(inverseRate), valueOf(mid)];
        const [left, right] = [
          client.numerator * market.denominator * 10_000n,
          market.numerator * client.denominator * BigInt(10_000 - bps),
        ];
        expect(left).toBeLessThanOrEqual(right);
        expect(left * (10n ** 9n + 1n)).toBeGreaterThan(right * 10n ** 9n);
        expect(inverse.numerator * client.numerator).toBeGreaterThanOrEqual(inverse.denominator * client.denominator);
      }),
      { numRuns: RUNS },
    );
  });

  it('reads plain decimals only', () => {
    expect(parseRate('1.0842')).toEqual({ numerator: 10_842n, denominator: 10_000n });
    for (const text of ['', '0', '0.000', '.5', '5.', '-1', '+1', '1e3', '1,5', ' 1', '1 ', '0x1', 'NaN', '1.5\n']) {
      expect(parseRate(text)).toBeNull();
    }
  });

  it('control: crosses that round up would let a round trip gain', () => {
    const [there, back] = [
      { numerator: 3n, denominator: 7n },
      { numerator: 7n, denominator: 3n },
    ];
    const product = (rounding: 'down' | 'up') => {
      const [a, b] = [valueOf(printRate(there, rounding)), valueOf(printRate(back, rounding))];
      return a.numerator * b.numerator - a.denominator * b.denominator;
    };
    expect(product('down')).toBeLessThan(0n);
    expect(product('up')).toBeGreaterThan(0n);
  });
});

describe('price', () => {
  const eurUsd = { midRate: '1.0842', markupBps: 25, sellCurrency: 'EUR', buyCurrency: 'USD' } as const;

  it('can be checked by the client, link by link', () => {
    expect(price({ ...eurUsd, fixedSide: 'sell', amountMinor: 10_000n })).toEqual({
      sellCurrency: 'EUR',
      buyCurrency: 'USD',
      sellAmount: 10_000n,
      buyAmount: 10_814n, // 100 × 1.0814895 = 108.14895
      fixedSide: 'sell',
      rate: '1.0814895', // 1.0842 × 0.9975
      inverseRate: '0.9246506786', // 1 ÷ 1.0814895 = 0.92465067853…
      midMarketRate: '1.0842',
      markupBps: 25,
    });
    expect(price({ ...eurUsd, fixedSide: 'buy', amountMinor: 10_000n })).toMatchObject({
      sellAmount: 9_247n, // 100 ÷ 1.0814895 = 92.465…
      buyAmount: 10_000n,
      fixedSide: 'buy',
    });
  });

  it('keeps the given side and computes the other one from the printed rate', () => {
    const request = fc.record({ midRate: rate, markupBps: markup, pair, fixedSide: side, amountMinor: amount });
    fc.assert(
      fc.property(request, ({ pair: of, ...rest }) => {
        const priced = price({ ...rest, ...of });
        const printed = clientRate(rest.midRate, rest.markupBps).rate;
        const expected = computedSide(printed, of, rest.fixedSide, rest.amountMinor);
        if (priced === 'too_small') return expected === 0n;
        if (priced === 'too_large') return expected > MAX_AMOUNT_MINOR;
        const [kept, computed] =
          rest.fixedSide === 'sell' ? (['sellAmount', 'buyAmount'] as const) : (['buyAmount', 'sellAmount'] as const);
        return priced[kept] === rest.amountMinor && priced[computed] === expected && priced.rate === printed;
      }),
      { numRuns: RUNS },
    );
  });

  it('never gets better with a higher markup', () => {
    fc.assert(
      fc.property(rate, pair, amount, markup, markup, (midRate, of, given, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const at = (bps: number, fixed: FixedSide) => computedSide(clientRate(midRate, bps).rate, of, fixed, given);
        return at(high, 'sell') <= at(low, 'sell') && at(high, 'buy') >= at(low, 'buy');
      }),
      { numRuns: RUNS },
    );
  });

  it('says when there is nothing left, and when it is too much', () => {
    const vndKwd = { midRate: '0.00001164755977', markupBps: 0, sellCurrency: 'VND', buyCurrency: 'KWD' } as const;
    expect(price({ ...vndKwd, fixedSide: 'sell', amountMinor: 85n })).toBe('too_small');
    expect(price({ ...vndKwd, fixedSide: 'sell', amountMinor: 86n })).toMatchObject({ buyAmount: 1n });
    expect(price({ ...vndKwd, fixedSide: 'buy', amountMinor: MAX_AMOUNT_MINOR })).toBe('too_large');
    expect(price({ ...eurUsd, fixedSide: 'sell', amountMinor: MAX_AMOUNT_MINOR })).toBe('too_large');
  });
});

describe('a table of rates', () => {
  it('gives every pair of the sandbox, and no way around that gains', () => {
    const table = sandboxRates(0);
    const codes = table.currencies;
    expect(codes.length).toBeGreaterThanOrEqual(35);
    const mids = new Map<string, Ratio>();
    for (const sell of codes) {
      for (const buy of codes) {
        const found = table.rate(sell, buy, 0);
        if (sell === buy) expect(found).toBeNull();
        else mids.set(sell + buy, valueOf(found?.midRate ?? '0'));
      }
    }
    const mid = (sell: string, buy: string) => mids.get(sell + buy) as Ratio;
    const gains: string[] = [];
    for (const a of codes) {
      for (const b of codes) {
        if (a === b) continue;
        const [ab, ba] = [mid(a, b), mid(b, a)];
        if (ab.numerator * ba.numerator > ab.denominator * ba.denominator) gains.push(`${a} ${b}`);
        for (const c of codes) {
          if (c === a || c === b) continue;
          const [bc, ca] = [mid(b, c), mid(c, a)];
          const product = ab.numerator * bc.numerator * ca.numerator;
          if (product > ab.denominator * bc.denominator * ca.denominator) gains.push(`${a} ${b} ${c}`);
        }
      }
    }
    expect(gains).toEqual([]);
  });

  it('knows only ISO 4217 currencies, with rates that lie where the real ones do', () => {
    for (const code of sandboxRates(0).currencies) expect(currencyOf(code)?.code).toBe(code);
    expect(sandboxRates(25).rate('EUR', 'USD', 7)).toEqual({
      midRate: '1.158',
      markupBps: 25,
      source: 'sandbox',
      at: 7,
    });
    expect(sandboxRates(25).rate('GBP', 'JPY', 7)).toMatchObject({ midRate: '202.7303754' });
    expect(sandboxRates(25).rate('EUR', 'XPF', 7)).toBeNull();
  });

  it('refuses what is no rate', () => {
    expect(() => new RateTable({ source: 's', base: 'EUR', markupBps: 0, rates: { USD: '0' } })).toThrow(/USD/);
  });
});
