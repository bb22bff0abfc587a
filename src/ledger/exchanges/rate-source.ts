/**
 * Which rates count now: a fixed table in the sandbox, the operator's source in live. A stale, missing or wrong rate is
 * a {@link NoRate} with its reason. Prices: `rates.ts`. The source: `ledger/live-rates/live-rates.ts`.
 */
import { pairName } from '../../core/fx.ts';
import type { FiledRates } from './filed-rates.ts';
import { RateTable } from './rate-table.ts';
import type { CurrentRate, NoRate, Pair } from './rates.ts';
import { whyNotGood } from './staleness.ts';

export type PairRate = CurrentRate & Pair;

/** Which pairs to list; without either, what selling the base currency of the table gives. */
type PairFilter = { readonly [Side in keyof Pair]: string | undefined };

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

interface RateSourceOptions {
  /** `null`: live has none. */
  readonly live: LiveRates | null;
  readonly businessDays?: number;
  readonly sandboxMarkupBps?: number;
}

const MINUTE_MS = 60_000;
const NONE_SET: NoRate = { unavailable: 'the operator has set no source of live rates' };

/** By default yesterday's rate is good until today's is there. */
export function rateSource({ live, businessDays = 1, sandboxMarkupBps = 25 }: RateSourceOptions): RateSource {
  const sandbox = sandboxRates(sandboxMarkupBps);

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
    const all = 'unavailable' in found ? null : found.table;
    return { of: (sell, buy) => current(livemode, sell, buy, nowMs), all };
  };
  return { table, current, now, businessDays };
}

/** The pairs of a table, with their markups, in the order of the codes. At least one side is fixed, so at most one pair a currency. */
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

/** Units per one EUR. Fixed, so that tests can rely on them; nobody's market rates. Exponents 0, 2 and 3 all occur. */
const PER_EUR = `
  AED 4.2528   AUD 1.7760   BHD 0.43542  BRL 6.2050   CAD 1.6240   CHF 0.9310   CLP 1085.0
  CNY 8.2300   CZK 24.240   DKK 7.4680   EGP 54.900   GBP 0.8790   HKD 9.0120   HUF 384.50
  IDR 19340    ILS 3.7800   INR 102.60   ISK 147.40   JOD 0.82102  JPY 178.20   KES 149.80
  KRW 1695.0   KWD 0.35560  MAD 10.740   MXN 21.360   MYR 4.8060   NGN 1680.0   NOK 11.720
  NZD 2.0410   PHP 68.100   PLN 4.2340   RON 5.0880   SAR 4.3425   SEK 10.965   SGD 1.5080
  THB 37.600   TND 3.4010   TRY 48.950   TWD 36.050   USD 1.1580   VND 30530    ZAR 20.060`;

export function sandboxRates(markupBps: number): RateTable {
  const rates = Object.fromEntries(
    [...PER_EUR.matchAll(/([A-Z]{3}) ([\d.]+)/g)].map(([, currency, rate]) => [currency, rate]),
  );
  return new RateTable({ source: 'sandbox', base: 'EUR', markupBps, rates });
}
