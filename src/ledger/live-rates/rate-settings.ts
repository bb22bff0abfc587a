/** The settings about live rates. All settings: `config.ts`; what is made of these: `live-rates.ts`. */
import { resolve } from 'node:path';
import { currencyOf } from '../../core/values/currencies.ts';
import { type Chosen, integer, optional, setting } from '../../core/values/setting.ts';
import { parseUrl } from '../../core/values/url.ts';
import { ratePointers } from './rate-pointers.ts';
import { MAX_MARKUP_BPS } from '../exchanges/rates.ts';
import { SOURCE_NAME } from './rates-document.ts';

/** Where it leads is judged at every connection (`platform/outbound/guard.ts`). */
function httpsUrl(text: string): string | undefined {
  const url = parseUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
}

export const RATE_SETTINGS = {
  ratesFile: optional(
    'BURSAR_RATES_FILE',
    'a JSON file, or an XML or CSV file of the ECB',
    'File with the exchange rates of live environments, read again when it changes. Without it and BURSAR_RATES_URL live exchanges answer rate_unavailable.',
    (v) => resolve(v),
  ),
  ratesUrl: optional(
    'BURSAR_RATES_URL',
    'an https:// address on the public internet',
    'Address of the exchange rates, instead of BURSAR_RATES_FILE. The address is never logged, because it may contain a key.',
    httpsUrl,
  ),
  ratesIntervalSeconds: integer(
    'BURSAR_RATES_INTERVAL_SECONDS',
    3600,
    60,
    86_400,
    'Seconds between two requests to BURSAR_RATES_URL; 30 after a failed one.',
  ),
  ratesPointers: optional(
    'BURSAR_RATES_POINTERS',
    'JSON pointers to the instant and to each rate, such as: at=/date, USD=/rates/USD, GBP=/quotes/0/mid',
    'Where the rates are in the JSON of another service. Rates are units of the currency for one unit of BURSAR_RATES_BASE.',
    ratePointers,
  ),
  ratesBase: setting(
    'BURSAR_RATES_BASE',
    'EUR',
    'an ISO 4217 code',
    'The base of the rates that BURSAR_RATES_POINTERS leads to.',
    (v) => (currencyOf(v) === undefined ? undefined : v),
  ),
  ratesSource: setting(
    'BURSAR_RATES_SOURCE',
    '',
    '1 to 40 characters of ASCII',
    'Name of the source of these rates, shown by quotes and exchanges. By default the host of BURSAR_RATES_URL, or `file`.',
    (v) => (v === '' || SOURCE_NAME.test(v) ? v : undefined),
  ),
  ratesMarkupBps: integer(
    'BURSAR_RATES_MARKUP_BPS',
    0,
    0,
    MAX_MARKUP_BPS,
    'Markup in basis points on rates of the ECB and of BURSAR_RATES_POINTERS. Bursar’s own JSON names its markup itself.',
  ),
  ratesBusinessDays: integer(
    'BURSAR_RATES_BUSINESS_DAYS',
    1,
    0,
    10,
    'A live rate is good for so many business days (TARGET) after its own day, to the end of the day (UTC). 1: Friday’s rate on Monday. 0: on its own day only.',
  ),
};
export type RateSettings = Chosen<typeof RATE_SETTINGS>;
