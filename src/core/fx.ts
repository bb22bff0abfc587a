/**
 * What an environment has open in foreign currencies, and what it allows itself: kept in the environment's row, which every batch locks and reads
 * anyway (as `payout-rules.ts`), so that a limit holds whatever comes at once. Pure. What a position is worth: `ledger/exchanges/exposure.ts`.
 */

/** Of one currency; the account `house:fx` holds the same amount. */
export interface FxPosition {
  /** Minor units; above zero: held, below zero: owed. */
  readonly amount: bigint;
  /** What it was taken in for, minor units of the base currency, signed as the amount. In the base currency itself 0. */
  readonly book: bigint;
}

export interface Fx {
  /** Currency in which positions are valued. */
  readonly base: string;
  /** The most that may be open, minor units of the base; `null`: no limit. */
  readonly positionLimit: bigint | null;
  /** Basis points by pair: in `EUR_USD`, EUR is sold and USD is bought. */
  readonly markups: Readonly<Record<string, number>>;
  /** By currency; those at zero are left out. */
  readonly positions: Readonly<Record<string, FxPosition>>;
}

export const NO_FX: Fx = { base: 'EUR', positionLimit: null, markups: {}, positions: {} };
/** An environment's row is read by every batch. */
export const MAX_FX_MARKUPS = 200;

export const pairName = (sellCurrency: string, buyCurrency: string): string => `${sellCurrency}_${buyCurrency}`;

/**
 * The position after an amount more or less. `value`: its price in the base currency, signed as the change; `null`: not known, so it is
 * taken in at what the rest was. What leaves, leaves at the average of what is there; what turns the position to the other side begins a new average.
 */
export function movedPosition(before: FxPosition | undefined, change: bigint, value: bigint | null): FxPosition {
  const { amount, book } = before ?? { amount: 0n, book: 0n };
  const after = amount + change;
  if (amount === 0n) return { amount: after, book: value ?? 0n };
  if (amount > 0n === change > 0n) return { amount: after, book: book + (value ?? (book * change) / amount) };
  if (after === 0n) return { amount: 0n, book: 0n };
  if (after > 0n === amount > 0n) return { amount: after, book: (book * after) / amount };
  return { amount: after, book: value === null ? (book * after) / amount : (value * after) / change };
}

export function withFxMoved(fx: Fx, currency: string, change: bigint, value: bigint | null): Fx {
  const moved = movedPosition(fx.positions[currency], change, currency === fx.base ? 0n : value);
  const { [currency]: _, ...others } = fx.positions;
  return { ...fx, positions: moved.amount === 0n ? others : { ...others, [currency]: moved } };
}

/** The result so far: the base currency that remains if every position is sold at its average price. Minor units. */
export const realisedResult = ({ base, positions }: Fx): bigint =>
  Object.entries(positions).reduce(
    (sum, [currency, { amount, book }]) => sum + (currency === base ? amount : book),
    0n,
  );

interface StoredFx {
  readonly base: string;
  readonly limit: string | null;
  readonly markups: Readonly<Record<string, number>>;
  /** Currency to amount and book, as text. */
  readonly positions: Readonly<Record<string, readonly [string, string]>>;
}

export function fxToJson({ base, positionLimit, markups, positions }: Fx): string {
  const limit = positionLimit === null ? null : String(positionLimit);
  const stored = Object.entries(positions).map(([currency, { amount, book }]) => [currency, [`${amount}`, `${book}`]]);
  return JSON.stringify({ base, limit, markups, positions: Object.fromEntries(stored) });
}

export function fxFromJson(json: string | null): Fx {
  if (json === null) return NO_FX;
  const { base, limit, markups, positions } = JSON.parse(json) as StoredFx;
  const read = Object.entries(positions).map(([currency, [amount, book]]): [string, FxPosition] => [
    currency,
    { amount: BigInt(amount), book: BigInt(book) },
  ]);
  return {
    base,
    positionLimit: limit === null ? null : BigInt(limit),
    markups,
    positions: Object.fromEntries(read),
  };
}
