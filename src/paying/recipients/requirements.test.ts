import { countrySpecs } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../../core/values/currencies.ts';
import { validateBankDetails } from './bank-details.ts';
import { isCountry } from './iban-countries.ts';
import { BANK_FIELDS, schemesFor } from './requirements.ts';

const COUNTRIES = Object.keys(countrySpecs).filter(isCountry);
const names = (country: string, currency: string) => schemesFor(country, currency)?.map((scheme) => scheme.name);
const required = (country: string, currency: string) =>
  schemesFor(country, currency)?.[0]
    ?.fields.filter((requirement) => requirement.required)
    .map((requirement) => requirement.field);

describe('which details are needed where', () => {
  it.each([
    ['DE', 'EUR', ['iban']],
    ['DE', 'USD', ['iban', 'bic']],
    ['SE', 'SEK', ['iban']],
    ['CH', 'CHF', ['iban']],
    ['CH', 'EUR', ['iban']],
    ['BG', 'EUR', ['iban']],
    ['GP', 'EUR', ['iban']],
    ['TR', 'TRY', ['iban', 'bic']],
    ['BR', 'BRL', ['iban', 'bic']],
    ['GB', 'GBP', ['account_number', 'sort_code']],
    ['JE', 'GBP', ['account_number', 'sort_code']],
    ['GB', 'EUR', ['iban']],
    ['GB', 'USD', ['iban', 'bic']],
    ['US', 'USD', ['account_number', 'routing_number']],
    ['PR', 'USD', ['account_number', 'routing_number']],
    ['US', 'EUR', ['account_number', 'bic']],
    ['AU', 'AUD', ['account_number', 'bsb']],
    ['AU', 'USD', ['account_number', 'bic']],
    ['IN', 'INR', ['account_number', 'ifsc']],
    ['MX', 'MXN', ['clabe']],
    ['MX', 'USD', ['account_number', 'bic']],
    ['CA', 'CAD', ['account_number', 'institution_number', 'transit_number']],
    ['JP', 'JPY', ['account_number', 'bic']],
    ['SG', 'SGD', ['account_number', 'bic']],
    ['SN', 'XOF', ['account_number', 'bic']],
  ])('%s in %s: %j', (country, currency, fields) => {
    expect(required(country, currency)).toEqual(fields);
  });

  it('offers an alternative where there are two ways', () => {
    expect(names('GB', 'GBP')).toEqual(['gb_sort_code', 'iban']);
    expect(names('SN', 'XOF')).toEqual(['swift', 'iban']);
    expect(names('DE', 'EUR')).toEqual(['iban']);
    expect(names('US', 'USD')).toEqual(['us_routing_number']);
  });

  it('knows nothing of unknown countries, bankless ones and unknown currencies', () => {
    for (const country of ['', 'de', 'DEU', 'ZZ', 'UK', 'AQ', 'constructor', '__proto__']) {
      expect(schemesFor(country, 'EUR')).toBeUndefined();
    }
    for (const currency of ['', 'eur', 'HRK', 'XXX', 'constructor']) {
      expect(schemesFor('DE', currency)).toBeUndefined();
    }
  });
});

describe('every scheme of every country', () => {
  it('has examples that fit their own pattern and are accepted, with all fields and with the required ones', () => {
    expect(COUNTRIES.length).toBeGreaterThan(240);
    for (const country of COUNTRIES) {
      for (const currency of ['EUR', 'USD', 'GBP', 'AUD', 'INR', 'MXN', 'CAD', 'SEK']) {
        for (const { name, fields } of schemesFor(country, currency) ?? []) {
          const place = `${country} ${currency} ${name}`;
          for (const { regex, example, field } of fields) {
            expect(example, `${place} ${field}`).toMatch(new RegExp(regex));
            expect(BANK_FIELDS).toHaveProperty(field);
          }
          const all = Object.fromEntries(fields.map((f) => [f.field, f.example]));
          const least = Object.fromEntries(fields.filter((f) => f.required).map((f) => [f.field, f.example]));
          expect(validateBankDetails(country, currency, all), place).toMatchObject({ ok: true, details: all });
          expect(validateBankDetails(country, currency, least), place).toMatchObject({ ok: true, details: least });
        }
      }
    }
  });

  it('exists for every currency', () => {
    for (const { code } of CURRENCIES) expect(schemesFor('DE', code)?.[0]?.name).toBe('iban');
  });
});
