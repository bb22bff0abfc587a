/** The answers about recipients, and the bank details each country needs. Parameters of requests: `parameters.ts`. */
import { strictObject } from '../core/json-schema.ts';
import { schemaOf } from '../http/object-schema.ts';
import { type JsonSchema, ref } from '../http/request/params.ts';
import { RECIPIENT } from './fields.ts';
import type { BankFault } from './bank-details.ts';
import { BANK_FIELDS, schemesFor } from './requirements.ts';

/** What a recipient of that country and currency needs: the preferred way of naming an account, then the others. */
export function renderRequirements(country: string, currency: string): string {
  const schemes = (schemesFor(country, currency) ?? []).map(({ name, fields }) => ({ scheme: name, fields }));
  const [preferred, ...alternatives] = schemes;
  return JSON.stringify({ object: 'recipient_requirements', country, currency, ...preferred, alternatives });
}

export function renderValidation(faults: readonly BankFault[]): string {
  return JSON.stringify({ object: 'recipient_validation', valid: faults.length === 0, errors: faults });
}

const schemeProperties: Readonly<Record<string, JsonSchema>> = {
  scheme: { type: 'string', description: 'The way of naming an account, such as `iban` or `us_routing_number`.' },
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
  }),
  RecipientValidation: strictObject('What a create with these parameters would be refused for.', {
    object: { const: 'recipient_validation' },
    valid: { type: 'boolean' },
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
