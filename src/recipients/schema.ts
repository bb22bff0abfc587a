/** The answers about recipients, and the bank details each country needs. Parameters of requests: `parameters.ts`. */
import { strictObject } from '../core/json-schema.ts';
import { PAYMENT_SCHEMES, schemeOf } from '../core/payment-schemes.ts';
import { schemaOf } from '../http/object-schema.ts';
import { type JsonSchema, ref } from '../http/request/params.ts';
import { RECIPIENT } from './fields.ts';
import type { BankFault } from './bank-details.ts';
import { BANK_FIELDS, schemesFor } from './requirements.ts';

/** What a recipient of that country and currency needs: the preferred way of naming an account, then the others. */
export function renderRequirements(country: string, currency: string): string {
  const schemes = (schemesFor(country, currency) ?? []).map(({ name, fields }) => {
    const bankDetails = Object.fromEntries(fields.filter(({ required }) => required).map(({ field }) => [field, '']));
    return { scheme: name, payment_scheme: schemeOf({ country, currency, bankDetails }), fields };
  });
  const [preferred, ...alternatives] = schemes;
  return JSON.stringify({
    object: 'recipient_requirements',
    country,
    currency,
    ...preferred,
    alternatives,
    holder: HOLDER,
  });
}

/** What is asked of the account holder beside the bank details. */
const HOLDER = [
  { field: 'name', required: true, max_length: 140, example: 'Ada Lovelace', description: 'As the bank knows it.' },
  {
    field: 'latin_name',
    required: false,
    max_length: 70,
    example: 'Ada Lovelace',
    description: 'For a name in another script than Latin.',
  },
  {
    field: 'address',
    required: false,
    max_length: null,
    example: 'address[line1]=Invalidenstraße 43&address[postal_code]=10115&address[city]=Berlin&address[country]=DE',
    description:
      'Town and country at least. Banks outside the EEA ask for it, and SWIFT payments often stop without it.',
  },
] as const;

export function renderValidation(faults: readonly BankFault[], duplicateOf: string | null): string {
  const valid = faults.length === 0;
  return JSON.stringify({ object: 'recipient_validation', valid, duplicate_of: duplicateOf, errors: faults });
}

const schemeProperties: Readonly<Record<string, JsonSchema>> = {
  scheme: { type: 'string', description: 'The way of naming an account, such as `iban` or `us_routing_number`.' },
  payment_scheme: { type: 'string', enum: PAYMENT_SCHEMES, description: 'How the money travels then.' },
  fields: { type: 'array', items: ref('RecipientRequirement') },
};

export const RECIPIENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Recipient: schemaOf(RECIPIENT, 'Whom payouts go to.'),
  DeletedRecipient: strictObject('A recipient that was deleted. It stays readable as `archived`.', {
    id: { type: 'string' },
    object: { const: 'recipient' },
    deleted: { const: true },
  }),
  RecipientRequirement: strictObject('One bank detail.', {
    field: { type: 'string', enum: Object.keys(BANK_FIELDS), description: 'The parameter.' },
    label: { type: 'string', description: 'For a form.' },
    required: { type: 'boolean' },
    regex: { type: 'string', description: 'What the value matches once blanks and hyphens are out.' },
    example: { type: 'string' },
    description: { type: 'string' },
  }),
  RecipientRequirements: strictObject('The bank details a recipient of a country and currency needs.', {
    object: { const: 'recipient_requirements' },
    country: { type: 'string' },
    currency: { type: 'string' },
    ...schemeProperties,
    alternatives: {
      type: 'array',
      description: 'Other accepted ways; send the fields of one way only.',
      items: strictObject('Another way.', schemeProperties),
    },
    holder: {
      type: 'array',
      description: 'What is asked of the account holder, beside the bank details.',
      items: strictObject('One parameter.', {
        field: { type: 'string', enum: HOLDER.map(({ field }) => field) },
        required: { type: 'boolean' },
        max_length: { type: ['integer', 'null'] },
        example: { type: 'string' },
        description: { type: 'string' },
      }),
    },
  }),
  RecipientValidation: strictObject('What a create with these parameters would be refused for.', {
    object: { const: 'recipient_validation' },
    valid: { type: 'boolean' },
    duplicate_of: { type: ['string', 'null'], description: 'The oldest active recipient with the same account.' },
    errors: {
      type: 'array',
      items: strictObject('One fault.', {
        param: { type: 'string' },
        code: { type: 'string', description: 'A code of the errors page.' },
        message: { type: 'string' },
      }),
    },
  }),
};
