/**
 * Every currency of ISO 4217 list one of 2026-01-01. By hand: no package is current, and `Intl` has wrong minor digits
 * for sixteen. Left out: funds and units of account, metals, test and withdrawn codes. Never take an exponent from
 * anywhere else. Amounts: `money.ts`.
 */

export interface Currency {
  /** Three letters, upper case: `EUR`. */
  readonly code: string;
  /** Decimals of the minor unit: JPY 0, EUR 2, KWD 3. */
  readonly exponent: 0 | 2 | 3;
}

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const TWO_DECIMALS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
  CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
  KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
  NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
  TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`;
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';

function withExponent(codes: string, exponent: Currency['exponent']): Currency[] {
  return codes
    .trim()
    .split(/\s+/)
    .map((code) => Object.freeze({ code, exponent }));
}

export const CURRENCIES: readonly Currency[] = [
  ...withExponent(NO_DECIMALS, 0),
  ...withExponent(TWO_DECIMALS, 2),
  ...withExponent(THREE_DECIMALS, 3),
].sort((one, other) => (one.code < other.code ? -1 : 1));

const BY_CODE: ReadonlyMap<string, Currency> = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

/** The currency of an upper-case code, exactly; lower case is the parser's business. */
export function currencyOf(code: string): Currency | undefined {
  return BY_CODE.get(code);
}
