/**
 * Which rates count now: in the sandbox those of a fixed table, in live those of the source that the operator set. No rate is better than an
 * old one: what is stale, missing or wrong is a {@link NoRate} with its reason, which becomes `rate_unavailable`. Called at the edge; a
 * decision gets the rate as a value. Next: `rates.ts` for prices, `ledger/live-rates/live-rates.ts` for the source.
 */
import { pairName } from '../../core/fx.ts';
import type { FiledRates } from './filed-rates.ts';
import type { RateTable } from './rate-table.ts';
import type { CurrentRate, NoRate, Pair } from './rates.ts';
import { sandboxRates } from './sandbox-rates.ts';
import { whyNotGood } from './staleness.ts';

export type PairRate = CurrentRate & Pair;

/** Which pairs to list; without either, what selling the base currency of the table gives. */
export interface PairFilter {
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
}

/** The rates that a source gave last. */
export type LiveRates = (nowMs: number) => FiledRates | NoRate;

/** The rates at the moment of a request. */
export interface RatesNow {
  of(sellCurrency: string, buyCurrency: string): CurrentRate | NoRate;
  /** `null`: there are none. */
  readonly all: RateTable | null;
}

export interface RateSource {
  /** The rate of a pair now. */
  current(livemode: boolean, sellCurrency: string, buyCurrency: string, nowMs: number): CurrentRate | NoRate;
  /** The table of the sandbox, or the newest one of live that is still good. */
  table(livemode: boolean, nowMs: number): FiledRates | NoRate;
  /** Those of now, for a command. */
  now(livemode: boolean): RatesNow;
  /** How many business days a live rate is good after its own day. */
  readonly businessDays: number;
}

export interface RateSourceOptions {
  /** `null`: live has none. */
  readonly live: LiveRates | null;
  readonly businessDays?: number;
  readonly sandboxMarkupBps?: number;
}

/** Yesterday's rate until today's is there. */
export const DEFAULT_BUSINESS_DAYS = 1;
export const DEFAULT_SANDBOX_MARKUP_BPS = 25;
const MINUTE_MS = 60_000;
const NONE_SET: NoRate = { unavailable: 'the operator has set no source of live rates' };

export function rateSource(options: RateSourceOptions): RateSource {
  const { live, businessDays = DEFAULT_BUSINESS_DAYS } = options;
  const sandbox = sandboxRates(options.sandboxMarkupBps ?? DEFAULT_SANDBOX_MARKUP_BPS);

  const table = (livemode: boolean, nowMs: number): FiledRates | NoRate => {
    if (!livemode) return { table: sandbox, at: nowMs - (nowMs % MINUTE_MS) };
    const filed = live?.(nowMs) ?? NONE_SET;
    if ('unavailable' in filed) return filed;
    const why = whyNotGood(filed.at, nowMs, businessDays);
    return why === null ? filed : { unavailable: why };
  };

  const current: RateSource['current'] = (livemode, sellCurrency, buyCurrency, nowMs) => {
    const found = table(livemode, nowMs);
    if ('unavailable' in found) return found;
    const rate = found.table.rate(sellCurrency, buyCurrency, found.at);
    if (rate !== null) return rate;
    const { base, source } = found.table.parts;
    const lacking = [sellCurrency, buyCurrency].find((each) => !found.table.currencies.includes(each)) ?? base;
    return { unavailable: `${source} has no rate of ${lacking}` };
  };
  const now = (livemode: boolean): RatesNow => {
    const nowMs = Date.now();
    const found = table(livemode, nowMs);
    return {
      of: (sell, buy) => current(livemode, sell, buy, nowMs),
      all: 'unavailable' in found ? null : found.table,
    };
  };
  return { table, current, now, businessDays };
}

/** Those of a table with the markups of the pairs, in the order of the codes: one or two currencies are fixed, so there are never more than currencies. */
export function pairsOf(
  { table, at }: FiledRates,
  filter: PairFilter,
  markups: Readonly<Record<string, number>> = {},
): readonly PairRate[] {
  const sell = filter.sellCurrency ?? (filter.buyCurrency === undefined ? table.base : undefined);
  const sells = sell === undefined ? table.currencies : [sell];
  const buys = filter.buyCurrency === undefined ? table.currencies : [filter.buyCurrency];
  return sells.flatMap((sellCurrency) =>
    buys.flatMap((buyCurrency) => {
      const rate = table.rate(sellCurrency, buyCurrency, at);
      const markupBps = markups[pairName(sellCurrency, buyCurrency)] ?? rate?.markupBps ?? 0;
      return rate === null ? [] : [{ sellCurrency, buyCurrency, ...rate, markupBps }];
    }),
  );
}
