/**
 * Recipients on the wire: what an answer looks like. Bank details leave masked, here and nowhere else but in
 * `previous_attributes` (`decide.ts`). What a request may say: `parameters.ts`.
 */
import type { Recipient } from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import { commonMembers, strictObject } from '../http/object-schema.ts';
import { type JsonSchema, ref } from '../http/request/params.ts';
import { maskBankDetails } from './bank-details.ts';
import { BANK_FIELDS } from './requirements.ts';
import { type Fault, RECIPIENT_TYPES } from './parameters.ts';
import { type Scheme, schemesFor } from './requirements.ts';

/** `{"id", "object", "created", "livemode", "name", …, "bank_details", …}`; account identifiers by their last four. */
export function renderRecipient(recipient: Recipient, livemode: boolean): string {
  const { name, type, currency, country, email, status } = recipient;
  const bankDetails = JSON.stringify(maskBankDetails(recipient.bankDetails));
  return `{"id":"${recipient.id}","object":"recipient","created":${unixSeconds(recipient.createdAt)},"livemode":${livemode},"name":${JSON.stringify(name)},"type":"${type}","currency":"${currency}","country":"${country}","email":${JSON.stringify(email)},"bank_details":${bankDetails},"status":"${status}","metadata":${JSON.stringify(recipient.metadata)}}`;
}

/** What a recipient of that country and currency needs: the preferred way of naming an account, then the others. */
export function renderRequirements(country: string, currency: string): string {
  const [preferred, ...alternatives] = (schemesFor(country, currency) ?? []).map(schemeMembers);
  return JSON.stringify({ object: 'recipient_requirements', country, currency, ...preferred, alternatives });
}

const schemeMembers = ({ name, fields }: Scheme) => ({ scheme: name, fields });

export function renderValidation(faults: readonly Fault[]): string {
  return JSON.stringify({ object: 'recipient_validation', valid: faults.length === 0, errors: faults });
}

const bankProperties = Object.fromEntries(
  Object.entries(BANK_FIELDS).map(([field, description]) => [field, { type: 'string', description }]),
);
const schemeProperties: Readonly<Record<string, JsonSchema>> = {
  scheme: { type: 'string', description: 'The way of naming an account, such as `iban` or `us_routing_number`.' },
  fields: { type: 'array', items: ref('RecipientRequirement') },
};

export const RECIPIENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Recipient: strictObject('Whom payouts go to.', {
    ...commonMembers('recipient', 'rcp_…'),
    name: { type: 'string', description: 'Name of the account holder.' },
    type: { type: 'string', enum: RECIPIENT_TYPES },
    currency: { type: 'string', description: 'The currency it is paid in.' },
    country: { type: 'string', description: 'Country of the bank account, ISO 3166-1 alpha-2.' },
    email: { type: ['string', 'null'] },
    bank_details: {
      type: 'object',
      description: 'Only the fields it has. `iban`, `account_number` and `clabe` show their last four characters.',
      additionalProperties: false,
      properties: bankProperties,
    },
    status: { type: 'string', enum: ['active', 'archived'], description: '`archived` once it was deleted.' },
    metadata: ref('Metadata'),
  }),
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
