/** Positions in foreign currencies: amounts are exact, books follow the average. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fx, fxFromJson, fxToJson, movedPosition, NO_FX, realisedResult, withFxMoved } from './fx.ts';

const moved = (...moves: readonly (readonly [string, bigint, bigint | null])[]): Fx =>
  moves.reduce((fx, [currency, change, value]) => withFxMoved(fx, currency, change, value), NO_FX);

describe('a position', () => {
  it('is taken in at what is given, and leaves at the average', () => {
    const held = movedPosition(movedPosition(undefined, 100n, 80n), 100n, 100n);
    expect(held).toEqual({ amount: 200n, book: 180n });
    expect(movedPosition(held, -50n, null)).toEqual({ amount: 150n, book: 135n });
    expect(movedPosition(held, -50n, -70n)).toEqual({ amount: 150n, book: 135n });
    expect(movedPosition(held, -200n, null)).toEqual({ amount: 0n, book: 0n });
  });

  it('that turns to the other side begins a new average', () => {
    expect(movedPosition({ amount: 100n, book: 80n }, -300n, -270n)).toEqual({ amount: -200n, book: -180n });
    expect(movedPosition({ amount: 100n, book: 80n }, -300n, null)).toEqual({ amount: -200n, book: -160n });
  });

  it('of which nothing is known is taken in for nothing', () => {
    expect(movedPosition(undefined, 5n, null)).toEqual({ amount: 5n, book: 0n });
  });
});

describe('the result', () => {
  it('is nothing while the exchange is open, and the difference once the bank closed it', () => {
    const open = moved(['EUR', 10_000n, 10_000n], ['USD', -11_551n, -10_000n]);
    expect(open.positions).toEqual({ EUR: { amount: 10_000n, book: 0n }, USD: { amount: -11_551n, book: -10_000n } });
    expect(realisedResult(open)).toBe(0n);
    const half = withFxMoved(withFxMoved(open, 'USD', 5_775n, null), 'EUR', -4_980n, null);
    expect(realisedResult(half)).toBe(10_000n - 4_980n - 5_000n); // half of the USD for half of what was given
    const closed = withFxMoved(withFxMoved(half, 'USD', 5_776n, null), 'EUR', -4_995n, null);
    expect(closed.positions).toEqual({ EUR: { amount: 25n, book: 0n } });
    expect(realisedResult(closed)).toBe(25n);
  });
});

const move = fc.tuple(
  fc.constantFrom('EUR', 'USD', 'JPY'),
  fc.bigInt(-1_000_000n, 1_000_000n).filter((n) => n !== 0n),
  fc.option(fc.bigInt(1n, 1_000_000n)),
);

it('amounts are the sums of what moved, whatever the books say; the row keeps all of it', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const fx = moved(...moves.map(([c, n, v]) => [c, n, v && (n < 0n ? -v : v)] as const));
      for (const currency of ['EUR', 'USD', 'JPY']) {
        const sum = moves.reduce((total, [c, n]) => (c === currency ? total + n : total), 0n);
        expect(fx.positions[currency]?.amount ?? 0n).toBe(sum);
      }
      expect(fxFromJson(fxToJson(fx))).toEqual(fx);
    }),
  );
});

it('a book has the sign of its amount, or is nothing', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const fx = moved(...moves.map(([c, n, v]) => [c, n, v && (n < 0n ? -v : v)] as const));
      for (const { amount, book } of Object.values(fx.positions))
        expect(book === 0n || book > 0n === amount > 0n).toBe(true);
    }),
  );
});
