/**
 * The sandbox's rates: fixed, so that tests can rely on them, and plausible, so that demonstrations look right. They are
 * nobody's market rates and never used with a live key. Exponents 0, 2 and 3 all occur.
 */
import { RateTable } from './rate-table.ts';

/** Units per one EUR. */
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
