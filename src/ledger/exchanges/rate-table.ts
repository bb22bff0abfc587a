/**
 * Rates of many currencies against one base, and the cross rates between all of them. Pure. Crosses are exact quotients
 * rounded down when they are printed, so that no chain of exchanges through the table ends with more than it began with.
 */
import type { RateTableParts } from './fields.ts';
import { type CurrentRate, parseRate, printRate, type Ratio } from './rates.ts';

export class RateTable {
  readonly base: string;
  /** All currencies, the base included, in the order of their codes. */
  readonly currencies: readonly string[];
  readonly parts: RateTableParts;
  private readonly perBase: ReadonlyMap<string, Ratio>;
  /** Crosses printed before; at most one a pair of a table. */
  private readonly printed = new Map<string, string>();

  constructor(parts: RateTableParts) {
    this.base = parts.base;
    this.parts = parts;
    const perBase = new Map<string, Ratio>([[parts.base, { numerator: 1n, denominator: 1n }]]);
    for (const [currency, text] of Object.entries(parts.rates)) {
      const ratio = parseRate(text);
      if (!ratio) throw new RangeError(`${text} is no rate for ${currency}`);
      perBase.set(currency, ratio);
    }
    this.perBase = perBase;
    this.currencies = [...perBase.keys()].sort();
  }

  /** The rate of a pair, fixed at `at`; `null` for a currency that is not in the table, and for a pair of one currency. */
  rate(sellCurrency: string, buyCurrency: string, at: number): CurrentRate | null {
    const midRate = this.midRate(sellCurrency, buyCurrency);
    const { markupBps, source } = this.parts;
    return midRate === null ? null : { midRate, markupBps, source, at };
  }

  private midRate(sellCurrency: string, buyCurrency: string): string | null {
    const sell = this.perBase.get(sellCurrency);
    const buy = this.perBase.get(buyCurrency);
    if (!sell || !buy || sellCurrency === buyCurrency) return null;
    const pair = sellCurrency + buyCurrency;
    let midRate = this.printed.get(pair);
    if (midRate === undefined) {
      const numerator = buy.numerator * sell.denominator;
      midRate = printRate({ numerator, denominator: buy.denominator * sell.numerator }, 'down');
      this.printed.set(pair, midRate);
    }
    return midRate;
  }
}
