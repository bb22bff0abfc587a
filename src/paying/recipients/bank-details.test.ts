import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../core/values/errors.ts';
import { maskBankDetails, validateBankDetails, clabeCheckDigit, isAbaNumber } from './bank-details.ts';
import { BANK_FIELDS } from './requirements.ts';
import { ibanExample } from './iban-countries.ts';

type Fields = Record<string, string>;

function accepted(country: string, currency: string, fields: Fields) {
  const check = validateBankDetails(country, currency, fields);
  if (!check.ok) throw new Error(JSON.stringify(check.faults));
  return check;
}

/** The faults as `param code`, in order. */
function faults(country: string, currency: string, fields: Fields): string[] {
  return refused(country, currency, fields).map((fault) => `${fault.param} ${fault.code}`);
}

function refused(country: string, currency: string, fields: Fields) {
  const check = validateBankDetails(country, currency, fields);
  return check.ok ? [] : check.faults;
}

const US = { account_number: '000123456789', routing_number: '110000000' };
const GB = { account_number: '00012345', sort_code: '108800' };

describe('accepted details are normalised', () => {
  it('takes blanks and hyphens out and writes upper case', () => {
    expect(accepted('DE', 'EUR', { iban: ' de89 3704 0044\u00a00532 0130 00 ', bic: 'cobadeff xxx' })).toEqual({
      ok: true,
      details: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    });
    expect(accepted('GB', 'GBP', { account_number: '0001 2345', sort_code: '10-88-00' }).details).toEqual(GB);
    expect(accepted('AU', 'AUD', { account_number: '000123456', bsb: '110-000' }).details.bsb).toBe('110000');
    const zealand = { account_number: '12-3456-0123456-00', bic: 'ASBBNZ2A' };
    expect(accepted('NZ', 'NZD', zealand).details.account_number).toBe('123456012345600');
    expect(accepted('MX', 'MXN', { clabe: '002 010 07777777777 1' }).details.clabe).toBe('002010077777777771');
  });

  it('takes out what nobody sees, as it stands in copied numbers', () => {
    for (const unseen of ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e']) {
      const iban = `${unseen}DE89${unseen}3704 0044${unseen}0532 0130 00${unseen}`;
      const details = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
      expect(accepted('DE', 'EUR', { iban, bic: `COBA${unseen}DEFFXXX` }).details, JSON.stringify(unseen)).toEqual(
        details,
      );
      const british = { account_number: `0001${unseen}2345`, sort_code: `10${unseen}-88-00` };
      expect(accepted('GB', 'GBP', british).details).toEqual(GB);
    }
  });

  it('writes out the default account type of the United States', () => {
    expect(accepted('US', 'USD', US).details).toEqual({ ...US, account_type: 'checking' });
    expect(accepted('US', 'USD', { ...US, account_type: ' Savings' }).details.account_type).toBe('savings');
  });

  it('takes an IBAN instead of a sort code, and keeps the bank name', () => {
    const iban = 'GB29NWBK60161331926819';
    expect(accepted('GB', 'GBP', { iban, bank_name: ' Crédit & Söhne ' }).details).toEqual({
      iban,
      bank_name: 'Crédit & Söhne',
    });
  });

  it('takes the IBAN and BIC of the parent country for its territories', () => {
    const iban = 'FR1420041010050500013M02606';
    for (const country of ['GP', 'RE', 'NC', 'BL', 'FR']) {
      expect(accepted(country, 'USD', { iban, bic: 'BNPAFRPPXXX' }).details.iban).toBe(iban);
    }
    const british = { iban: 'GB29NWBK60161331926819', bic: 'RBOSJESX' };
    expect(accepted('JE', 'GBP', british).details).toEqual(british);
    const finnish = { iban: 'FI2112345600000785' };
    expect(accepted('AX', 'EUR', finnish).details).toEqual(finnish);
  });
});

describe('refused details', () => {
  it.each<[string, string, Fields, string[]]>([
    ['ZZ', 'EUR', {}, ['country country_unsupported']],
    ['de', 'EUR', {}, ['country country_unsupported']],
    ['AQ', 'USD', US, ['country country_unsupported']],
    ['DE', 'HRK', {}, ['currency currency_unsupported']],
    ['DE', 'EUR', {}, ['iban parameter_missing']],
    ['DE', 'USD', { iban: 'DE89370400440532013000' }, ['bic parameter_missing']],
    ['US', 'USD', {}, ['account_number parameter_missing', 'routing_number parameter_missing']],
    ['GB', 'GBP', { sort_code: '108800' }, ['account_number parameter_missing']],
    ['US', 'USD', { ...US, sort_code: '108800' }, ['sort_code parameter_unknown']],
    ['US', 'USD', { ...US, swift: 'CHASUS33' }, ['swift parameter_unknown']],
    ['GB', 'GBP', { ...GB, iban: 'GB29NWBK60161331926819' }, ['iban parameter_unknown']],
    [
      'DE',
      'EUR',
      US,
      ['account_number parameter_unknown', 'routing_number parameter_unknown', 'iban parameter_missing'],
    ],
    ['DE', 'EUR', { iban: '' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'DE00370400440532013000' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'DE8937040044053201300' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'DE893704004405320130000' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'DE8937040044O532013000' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'DE٨٩370400440532013000' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'FR1420041010050500013M02606' }, ['iban iban_invalid']],
    ['FI', 'EUR', { iban: 'ﬁ2112345600000785' }, ['iban iban_invalid']],
    // Right by mod 97, wrong by the check digits Belgium has inside the account number.
    ['BE', 'EUR', { iban: 'BE41539007547035' }, ['iban iban_invalid']],
    ['DE', 'EUR', { iban: 'DE89370400440532013000', bic: 'BNPAFRPP' }, ['bic bic_invalid']],
    ['DE', 'EUR', { iban: 'DE89370400440532013000', bic: 'COBADEF' }, ['bic bic_invalid']],
    ['DE', 'EUR', { iban: 'DE89370400440532013000', bic: 'COBA1EFF' }, ['bic bic_invalid']],
    ['JP', 'JPY', { account_number: '1234567', bic: 'BOTKQQJT' }, ['bic bic_invalid']],
    ['US', 'USD', { ...US, routing_number: '110000001' }, ['routing_number routing_number_invalid']],
    ['US', 'USD', { ...US, routing_number: '000000000' }, ['routing_number routing_number_invalid']],
    ['US', 'USD', { ...US, routing_number: '11000000' }, ['routing_number routing_number_invalid']],
    ['US', 'USD', { ...US, account_type: 'current' }, ['account_type parameter_invalid']],
    ['US', 'USD', { ...US, account_type: '' }, ['account_type parameter_invalid']],
    ['US', 'USD', { ...US, account_number: '12345678901234567890' }, ['account_number account_number_invalid']],
    ['GB', 'GBP', { ...GB, sort_code: '1088' }, ['sort_code sort_code_invalid']],
    ['GB', 'GBP', { ...GB, account_number: '1234567' }, ['account_number account_number_invalid']],
    ['AU', 'AUD', { account_number: '000123456', bsb: '11000' }, ['bsb parameter_invalid']],
    ['IN', 'INR', { account_number: '000123456789', ifsc: 'HDFC1004051' }, ['ifsc parameter_invalid']],
    ['MX', 'MXN', { clabe: '002010077777777772' }, ['clabe account_number_invalid']],
    ['MX', 'MXN', { clabe: '00201007777777777' }, ['clabe account_number_invalid']],
    [
      'CA',
      'CAD',
      { account_number: '000123456789', institution_number: '10', transit_number: '1100' },
      ['institution_number parameter_invalid', 'transit_number parameter_invalid'],
    ],
    ['US', 'USD', { ...US, bank_name: 'evil \u202e bank' }, ['bank_name parameter_invalid']],
    ['US', 'USD', { ...US, bank_name: 'two\nlines' }, ['bank_name parameter_invalid']],
    ['US', 'USD', { ...US, bank_name: 'x'.repeat(141) }, ['bank_name parameter_invalid']],
    ['US', 'USD', { ...US, constructor: 'x' }, ['constructor parameter_unknown']],
  ])('%s %s %j → %j', (country, currency, fields, expected) => {
    expect(faults(country, currency, fields)).toEqual(expected);
  });

  it('says which country, which length and where the IBAN belongs', () => {
    const message = (fields: Fields) => refused('DE', 'EUR', fields)[0]?.message ?? '';
    expect(message({ iban: 'FR1420041010050500013M02606' })).toMatch(/is of FR, but `country` is DE/);
    expect(message({ iban: 'DE8937040044053201300' })).toMatch(/has 21 characters; an IBAN of DE has 22/);
    expect(message({ iban: 'DE90370400440532013000' })).toMatch(/check digits/);
    expect(message({ account_number: '1234567' })).toMatch(/does not belong to an account in DE.*iban, bic, bank_name/);
  });

  it('uses only codes of the error table, each with the parameter it is about', () => {
    const check = refused('US', 'USD', { iban: 'x', account_number: '', routing_number: '1', account_type: 'z' });
    expect(check).toHaveLength(4);
    for (const fault of check) expect(ERRORS).toHaveProperty(fault.code);
  });
});

describe('properties', () => {
  const prefixes = ['AT', 'BE', 'CH', 'DE', 'ES', 'FR', 'GB', 'IT', 'LT', 'MT', 'NL', 'NO', 'PL', 'SE', 'TR'];

  // A digit in place of a letter shifts all digits after it, so mod 97 misses one such change in 97; these it never misses.
  it('an IBAN with any digit changed to another, or any letter to another, is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...prefixes), fc.nat(), fc.integer({ min: 1, max: 25 }), (country, n, step) => {
        const iban = ibanExample(country);
        const place = n % iban.length;
        const set = /[0-9]/.test(iban.charAt(place)) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
        const other = set.charAt((set.indexOf(iban.charAt(place)) + step) % set.length);
        fc.pre(other !== iban.charAt(place));
        const changed = iban.slice(0, place) + other + iban.slice(place + 1);
        expect(accepted(country, 'EUR', { iban, bic: `BANK${country}22` }).details.iban).toBe(iban);
        expect(faults(country, 'EUR', { iban: changed, bic: `BANK${country}22` })).toEqual(['iban iban_invalid']);
      }),
      { numRuns: 1000 },
    );
  });

  it('no message shows more than the last four characters of what was sent, whatever field it was sent in', () => {
    const secret = fc.stringMatching(/^[0-9]{7,40}$/);
    const field = fc.constantFrom(...Object.keys(BANK_FIELDS));
    fc.assert(
      fc.property(
        fc.constantFrom('DE EUR', 'US USD', 'GB GBP', 'AU AUD', 'IN INR', 'MX MXN', 'CA CAD', 'JP JPY'),
        fc.dictionary(field, secret),
        (place, fields) => {
          const [country = '', currency = ''] = place.split(' ');
          for (const { message } of refused(country, currency, fields)) {
            for (const value of Object.values(fields)) expect(message).not.toContain(value.slice(-5));
          }
        },
      ),
    );
  });

  it('never throws, and accepts its own output again unchanged', () => {
    const anyFields = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(BANK_FIELDS)), fc.string()),
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9 -]{5,20}$/)),
    );
    fc.assert(
      fc.property(fc.constantFrom('US USD', 'GB GBP', 'JP JPY', 'CA CAD'), anyFields, (place, fields) => {
        const [country = '', currency = ''] = place.split(' ');
        const good = { JP: { account_number: '123 4567', bic: 'BOTKJPJT' }, US, GB }[country] ?? {};
        const check = validateBankDetails(country, currency, { ...fields, ...good });
        if (check.ok) expect(validateBankDetails(country, currency, { ...check.details })).toEqual(check);
      }),
    );
  });
});

describe('masking', () => {
  it('hides account identifiers but for the last four and shows bank codes', () => {
    expect(maskBankDetails({ iban: 'DE89370400440532013000', bic: 'COBADEFF', bank_name: 'B' })).toEqual({
      iban: '******************3000',
      bic: 'COBADEFF',
      bank_name: 'B',
    });
    expect(maskBankDetails({ ...US, account_type: 'checking' })).toEqual({
      account_number: '********6789',
      routing_number: '110000000',
      account_type: 'checking',
    });
    expect(maskBankDetails({ clabe: '002010077777777771' })).toEqual({ clabe: '**************7771' });
    expect(maskBankDetails({ account_number: '1234' })).toEqual({ account_number: '****' });
  });

  it('masks every field that names the account, for every scheme', () => {
    for (const field of ['iban', 'account_number', 'clabe']) {
      expect(maskBankDetails({ [field]: '1234567890' })).toEqual({ [field]: '******7890' });
    }
  });
});

const digits = (length: number) =>
  fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((list) => list.join(''));

/** The same digits with another one at `place`. */
function withOther(text: string, place: number, step: number): string {
  return text.slice(0, place) + String((Number(text[place]) + step) % 10) + text.slice(place + 1);
}

describe('ABA routing numbers', () => {
  it('accepts real ones', () => {
    for (const number of ['021000021', '011401533', '091000019', '110000000']) expect(isAbaNumber(number)).toBe(true);
  });

  it('has exactly one check digit for any first eight, and notices any changed digit', () => {
    fc.assert(
      fc.property(digits(8), fc.nat(8), fc.integer({ min: 1, max: 9 }), (first8, place, step) => {
        const valid = '0123456789'
          .split('')
          .map((last) => first8 + last)
          .filter(isAbaNumber);
        expect(valid).toHaveLength(1);
        expect(isAbaNumber(withOther(valid[0] ?? '', place, step))).toBe(false);
      }),
    );
  });
});

describe('CLABE', () => {
  it('computes the check digit of published examples', () => {
    for (const clabe of ['002010077777777771', '032180000118359719', '000000001234567897']) {
      expect(clabeCheckDigit(clabe.slice(0, 17))).toBe(clabe[17]);
    }
  });

  it('notices any changed digit', () => {
    fc.assert(
      fc.property(digits(17), fc.nat(16), fc.integer({ min: 1, max: 9 }), (first17, place, step) => {
        expect(clabeCheckDigit(withOther(first17, place, step))).not.toBe(clabeCheckDigit(first17));
      }),
    );
  });
});
