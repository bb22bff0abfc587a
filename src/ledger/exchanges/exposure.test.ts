/** The limit of the open position, as a property of any series of exchanges; and that the property fails where nobody looks at the limit. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fx, NO_FX, withFxMoved } from '../../core/fx.ts';
import { checkPositionLimit, exchangeValue, negative, openPosition } from './exposure.ts';
import { RateTable } from './rate-table.ts';

const RATES = new RateTable({
  source: 'test',
  base: 'EUR',
  markupBps: 0,
  rates: { USD: '1.158', JPY: '178.2', GBP: '0.879', KWD: '0.3556' },
});
const UNITS: Readonly<Record<string, bigint>> = { EUR: 100n, USD: 100n, GBP: 100n, JPY: 1n, KWD: 1000n };
const LIMIT = 500_00n;
const LIMITED: Fx = { ...NO_FX, positionLimit: LIMIT };

interface Order {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}
const code = fc.constantFrom(...Object.keys(UNITS));
/** At about the mid-market rate; what the limit does may not depend on the price. */
const order = fc
  .record({
    sellCurrency: code,
    buyCurrency: code,
    euros: fc.integer({ min: 1, max: 400 }),
    off: fc.integer({ min: 90, max: 110 }),
  })
  .filter(({ sellCurrency, buyCurrency }) => sellCurrency !== buyCurrency)
  .map(({ sellCurrency, buyCurrency, euros, off }): Order => {
    const amountOf = (currency: string, percent: number) => {
      const rate = currency === 'EUR' ? 1 : Number(RATES.parts.rates[currency]);
      return BigInt(Math.max(1, Math.round((euros * percent * rate * Number(UNITS[currency])) / 100)));
    };
    return {
      sellCurrency,
      buyCurrency,
      sellAmount: amountOf(sellCurrency, 100),
      buyAmount: amountOf(buyCurrency, off),
    };
  });

type Check = (fx: Fx, order: Order) => unknown;
const real: Check = (fx, each) => checkPositionLimit(fx, each, RATES);

function booked(fx: Fx, { sellCurrency, buyCurrency, sellAmount, buyAmount }: Order): Fx {
  const value = exchangeValue(fx, { sellCurrency, buyCurrency, sellAmount, buyAmount }, RATES);
  return withFxMoved(withFxMoved(fx, sellCurrency, sellAmount, value), buyCurrency, -buyAmount, negative(value));
}
const openOf = (fx: Fx) => openPosition(fx, RATES) as bigint;

/** After every exchange that was not refused the open position is within the limit. */
const isNeverPassed = (check: Check) =>
  fc.property(fc.array(order, { maxLength: 30 }), (orders) => {
    let fx = LIMITED;
    for (const each of orders) {
      if (check(fx, each) !== null) continue;
      fx = booked(fx, each);
      if (openOf(fx) > LIMIT) return false;
    }
    return true;
  });

describe('the limit', () => {
  it('is never passed, whatever is exchanged', () => {
    fc.assert(isNeverPassed(real), { numRuns: 500 });
  });

  it('control: it is passed where nobody looks, and where only the sold side is looked at', () => {
    const found = (check: Check) => fc.check(isNeverPassed(check), { numRuns: 500 }).failed;
    expect(found(() => null)).toBe(true);
    expect(
      found((fx, each) => (openOf(withFxMoved(fx, each.sellCurrency, each.sellAmount, 0n)) > LIMIT ? 'no' : null)),
    ).toBe(true);
    expect(found(real)).toBe(false);
  });

  it('refuses nothing that makes the position smaller, above the limit too', () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 10 }), order, (orders, next) => {
        const fx = { ...orders.reduce(booked, NO_FX), positionLimit: 1n };
        const [before, after] = [openOf(fx), openOf(booked(fx, next))];
        if (after < before) expect(real(fx, next)).toBeNull();
        if (after > 1n && after >= before) expect(real(fx, next)).not.toBeNull();
      }),
    );
  });

  it('an exchange between two foreign currencies counts once', () => {
    const dollars = { sellCurrency: 'GBP', buyCurrency: 'USD', sellAmount: 87_90n, buyAmount: 115_80n };
    expect(openOf(booked(NO_FX, dollars))).toBe(100_00n);
  });

  it('what cannot be valued is refused where there is a limit, and only there', () => {
    const each = { sellCurrency: 'EUR', buyCurrency: 'CHF', sellAmount: 1n, buyAmount: 1n };
    expect(checkPositionLimit(LIMITED, each, RATES)).toMatchObject({ code: 'rate_unavailable' });
    expect(checkPositionLimit(LIMITED, { ...each, buyCurrency: 'USD' }, null)).toMatchObject({
      code: 'rate_unavailable',
    });
    expect(checkPositionLimit(NO_FX, each, null)).toBeNull();
  });
});
