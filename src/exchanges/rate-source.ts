/**
 * Where rates come from: the sandbox from a fixed table, live from a file the operator keeps up to date. No rate is
 * better than an old one: what is stale, missing or wrong is `null`, which becomes `rate_unavailable`. Called at the
 * edge; a decision gets the rate as a value. Next: `rates.ts` for prices, `rates-file.ts` for the file.
 */
import { DAY_MS } from '../core/time.ts';
import type { RateTable } from './rate-table.ts';
import type { CurrentRate, Pair } from './rates.ts';
import { ratesFile as filedRates } from './rates-file.ts';
import { sandboxRates } from './sandbox-rates.ts';

export type PairRate = CurrentRate & Pair;

/** Which pairs to list; without either, what selling the base currency of the table gives. */
export interface PairFilter {
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
}

export interface RateSource {
  /** The rate of a pair now, or `null`. */
  current(livemode: boolean, sellCurrency: string, buyCurrency: string, nowMs: number): CurrentRate | null;
  /** Rates in the order of the codes: one or two currencies are fixed, so there are never more than currencies. */
  list(livemode: boolean, filter: PairFilter, nowMs: number): readonly PairRate[];
}

export interface RateSourceOptions {
  /** Path of the file with live rates; `null`: live has none. */
  readonly ratesFile: string | null;
  /** How old a live rate may be. */
  readonly stalenessMs?: number;
  readonly sandboxMarkupBps?: number;
  /** Hears once of every state of the file that cannot be used. */
  readonly onFault?: (message: string) => void;
}

/** Friday's rates are still good on the Tuesday after a long weekend. */
export const DEFAULT_STALENESS_MS = 4 * DAY_MS;
export const DEFAULT_SANDBOX_MARKUP_BPS = 25;
/** How far the clock that made the file may be ahead of ours. A rate of next year would never grow stale. */
const AHEAD_TOLERANCE_MS = 300_000;
const MINUTE_MS = 60_000;

/** Looks at the file once, so that a wrong one is heard of at the start. */
export function rateSource(options: RateSourceOptions): RateSource {
  const { ratesFile, stalenessMs = DEFAULT_STALENESS_MS, onFault = () => {} } = options;
  const sandbox = sandboxRates(options.sandboxMarkupBps ?? DEFAULT_SANDBOX_MARKUP_BPS);
  const file = ratesFile === null ? null : filedRates(ratesFile, onFault);
  file?.(Date.now());

  const tableAt = (livemode: boolean, nowMs: number): { table: RateTable; at: number } | null => {
    if (!livemode) return { table: sandbox, at: nowMs - (nowMs % MINUTE_MS) };
    const filed = file?.(nowMs);
    if (!filed || filed.at < nowMs - stalenessMs || filed.at > nowMs + AHEAD_TOLERANCE_MS) return null;
    return filed;
  };

  return {
    current(livemode, sellCurrency, buyCurrency, nowMs) {
      const found = tableAt(livemode, nowMs);
      return found && found.table.rate(sellCurrency, buyCurrency, found.at);
    },
    list(livemode, filter, nowMs) {
      const found = tableAt(livemode, nowMs);
      if (!found) return [];
      const { table, at } = found;
      const sell = filter.sellCurrency ?? (filter.buyCurrency === undefined ? table.base : undefined);
      const sells = sell === undefined ? table.currencies : [sell];
      const buys = filter.buyCurrency === undefined ? table.currencies : [filter.buyCurrency];
      return sells.flatMap((sellCurrency) =>
        buys.flatMap((buyCurrency) => {
          const rate = table.rate(sellCurrency, buyCurrency, at);
          return rate === null ? [] : [{ sellCurrency, buyCurrency, ...rate }];
        }),
      );
    },
  };
}
