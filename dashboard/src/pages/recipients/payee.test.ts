/** What is sent of the form of a recipient: of the way that was chosen, and nothing that was typed for another. */
import { describe, expect, it } from 'vitest';
import type { RecipientRequirement, RecipientRequirements } from '../../../../client/src/bursar.ts';
import { faultIn, isComplete, sentOf, type Values, wayOf } from './payee.ts';

const field = (name: RecipientRequirement['field'], required: boolean, regex: string): RecipientRequirement => ({
  field: name,
  label: name.toUpperCase(),
  required,
  regex,
  example: 'AB12',
  description: '',
});
const holder = (name: 'latin_name' | 'address', required: boolean) => ({
  field: name,
  required,
  max_length: null,
  example: '',
  description: '',
});
const REQUIRED = {
  scheme: 'iban',
  errors: [],
  fields: [field('iban', true, '^[A-Z]{2}\\d{2}$'), field('bic', false, '^[A-Z]{8}$')],
  alternatives: [{ scheme: 'number', errors: [], fields: [field('account_number', true, '^\\d{4}$')] }],
  holder: [holder('latin_name', false), holder('address', false)],
} as unknown as RecipientRequirements;

const VALUES: Values = {
  name: ' Ada Lovelace ',
  type: 'individual',
  country: 'DE',
  currency: 'EUR',
  email: '',
  way: '',
  details: { iban: 'AB 12', account_number: '1234' },
  latinName: '',
  address: { line1: '', postal_code: '', city: '', country: 'DE' },
};

describe('a recipient', () => {
  it('is sent with the details of its way alone', () => {
    const common = { name: 'Ada Lovelace', type: 'individual', country: 'DE', currency: 'EUR' };
    expect(sentOf(VALUES, wayOf(REQUIRED, ''))).toEqual({ ...common, bank_details: { iban: 'AB 12' } });
    expect(sentOf(VALUES, wayOf(REQUIRED, 'number'))).toEqual({ ...common, bank_details: { account_number: '1234' } });
  });
  it('has an address only with a town', () => {
    const address = { line1: '1 Main St', postal_code: '', city: 'Berlin', country: 'DE' };
    expect(sentOf({ ...VALUES, address }, wayOf(REQUIRED, '')).address).toEqual({
      line1: '1 Main St',
      city: 'Berlin',
      country: 'DE',
    });
    expect(sentOf(VALUES, wayOf(REQUIRED, ''))).not.toHaveProperty('address');
  });
  it('is complete with what is required, in the form that it has', () => {
    const complete = (change: Partial<Values>, required = REQUIRED) =>
      isComplete({ ...VALUES, ...change }, wayOf(required, ''), required);
    expect(complete({})).toBe(true);
    expect(complete({ name: ' ' })).toBe(false);
    expect(complete({ details: {} })).toBe(false);
    expect(complete({ details: { iban: 'AB 1' } })).toBe(false);
    expect(complete({ details: { iban: 'AB12', bic: 'X' } })).toBe(false);
    const strict = {
      ...REQUIRED,
      holder: [holder('latin_name', true), holder('address', true)],
    } as RecipientRequirements;
    expect(complete({}, strict)).toBe(false);
    expect(complete({ latinName: 'Ada', address: { ...VALUES.address, city: 'Berlin' } }, strict)).toBe(true);
  });
});

it('a fault is said once something is typed, and blanks, hyphens and small letters are none', () => {
  const [iban] = REQUIRED.fields as [RecipientRequirement];
  expect(faultIn(iban, '')).toBeUndefined();
  expect(faultIn(iban, 'ab-1 2')).toBeUndefined();
  expect(faultIn(iban, 'AB1')).toBe('That is no IBAN. One is AB12.');
});
