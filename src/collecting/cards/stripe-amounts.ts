/**
 * Amounts as Stripe counts them: MGA has no decimals there, ISK and UGX have two that must be 00, dinars have three of
 * which the last must be 0. Exact or not at all. Source: docs.stripe.com/currencies (zero-decimal, three-decimal,
 * special cases, maximum charge amounts). Next: `stripe.ts`.
 */
import { currencyOf } from '../../core/values/currencies.ts';

/** Presentment currencies with two decimals at Stripe. Withdrawn codes of its list (ANG, BGN, STD) are not in ours. */
const TWO_DECIMALS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP
  DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD KES KGS KHR KYD KZT LAK LBP LKR LRD
  LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR
  SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH UGX USD UYU UZS WST XCD YER ZAR ZMW`;
const NO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
const THREE_DECIMALS = 'BHD JOD KWD OMR TND';

const DECIMALS: ReadonlyMap<string, number> = new Map(
  [NO_DECIMALS, '', TWO_DECIMALS, THREE_DECIMALS].flatMap((codes, decimals) =>
    [...codes.matchAll(/[A-Z]{3}/g)].map(([code]): [string, number] => [code, decimals]),
  ),
);

/** Twelve digits, the most that Stripe takes for a card. */
const MOST = 999_999_999_999n;

export function isStripeCurrency(currency: string): boolean {
  return currencyOf(currency) !== undefined && DECIMALS.has(currency);
}

/** ISO minor units to Stripe's; `null` where Stripe has no such currency or no such amount of it. */
export function toStripe(amount: bigint, currency: string): bigint | null {
  const decimals = DECIMALS.get(currency);
  const exponent = currencyOf(currency)?.exponent;
  if (decimals === undefined || exponent === undefined || amount <= 0n) return null;
  const less = 10n ** BigInt(Math.max(exponent - decimals, 0));
  if (amount % less !== 0n) return null;
  const counted = (amount / less) * 10n ** BigInt(Math.max(decimals - exponent, 0));
  return counted > MOST || (decimals === 3 && counted % 10n !== 0n) ? null : counted;
}
