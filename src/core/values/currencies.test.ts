import { describe, expect, it } from 'vitest';
import { CURRENCIES, currencyOf } from './currencies.ts';

const codesWith = (exponent: number) => CURRENCIES.filter((c) => c.exponent === exponent).map((c) => c.code);

/** ICU rounds these to whole units (it answers how prices are shown); ISO 4217 counts them in smaller ones. */
const INTL_SHOWS_NO_DECIMALS = new Set('AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' '));
/** Codes ICU knows, or once knew, that ISO 4217 has withdrawn or never meant for accounts. */
const NOT_FOR_ACCOUNTS = (
  'ANG BGN CUC HRK MRO SLL STD VEF ZWL BOV CHE CHW CLF COU MXV USN UYI UYW ' +
  'XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'
).split(' ');
/** Newer than some ICU versions that run under the Node versions we support, or never listed there. */
const YOUNGER_THAN_ICU = new Set(['SLE', 'VED', 'XCG', 'ZWG']);

describe('the currency table', () => {
  it('is sorted, unique and well formed', () => {
    const codes = CURRENCIES.map((c) => c.code);
    expect(codes).toEqual([...codes].sort());
    expect(new Set(codes).size).toBe(155);
    for (const { code } of CURRENCIES) expect(code).toMatch(/^[A-Z]{3}$/);
  });

  it('has the exponents of ISO 4217', () => {
    expect(codesWith(0)).toEqual('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
    expect(codesWith(3)).toEqual('BHD IQD JOD KWD LYD OMR TND'.split(' '));
    expect(codesWith(2)).toHaveLength(155 - 16 - 7);
  });

  it('is the list of 2026: what came is in, what went is out', () => {
    for (const code of ['EUR', 'SLE', 'VED', 'VES', 'XCG', 'ZWG', 'XAF', 'XCD', 'XOF', 'XPF', 'MRU', 'STN']) {
      expect(currencyOf(code)?.code).toBe(code);
    }
    for (const code of NOT_FOR_ACCOUNTS) expect(currencyOf(code)).toBeUndefined();
  });

  it('agrees with Intl on which currencies exist, but for the known differences', () => {
    const known = new Set(Intl.supportedValuesOf('currency'));
    expect(CURRENCIES.filter((c) => !known.has(c.code) && !YOUNGER_THAN_ICU.has(c.code))).toEqual([]);
    expect([...known].filter((code) => !currencyOf(code) && !NOT_FOR_ACCOUNTS.includes(code))).toEqual([]);
  });

  it('agrees with Intl on minor digits, but for the known differences', () => {
    for (const { code, exponent } of CURRENCIES) {
      if (INTL_SHOWS_NO_DECIMALS.has(code) || YOUNGER_THAN_ICU.has(code)) continue;
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
      expect(`${code} ${format.resolvedOptions().maximumFractionDigits}`).toBe(`${code} ${exponent}`);
    }
  });

  it('looks up exactly', () => {
    expect(currencyOf('EUR')).toEqual({ code: 'EUR', exponent: 2 });
    for (const text of ['eur', 'Eur', ' EUR', 'EUR ', '', '978', 'constructor', '__proto__']) {
      expect(currencyOf(text)).toBeUndefined();
    }
  });
});
