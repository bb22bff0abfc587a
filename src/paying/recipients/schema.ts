/** The answers about recipients, and the bank details each country needs. Parameters of requests: `parameters.ts`. */
import { strictObject } from '../../core/values/json-schema.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { PAYMENT_SCHEMES, schemeOf, SPEEDS } from '../../core/rails/payment-schemes.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { type JsonSchema, ref } from '../../platform/http/request/params.ts';
import { RECIPIENT } from './fields.ts';
import { type BankDetails, type BankFault, maskBankDetails } from './bank-details.ts';
import { type Payable, payableWith, type PayoutJudge } from './payable.ts';
import { BANK_FIELDS, schemesFor } from './requirements.ts';

/**
 * What a recipient of that country and currency needs: the preferred way of naming an account, then the others. Speeds are those of the
 * bank account that pays; in a sandbox without one, all that the scheme has.
 */
export function renderRequirements(country: string, currency: string, judge: PayoutJudge): string {
  const isJudged = judge.bank !== undefined || judge.isStrict;
  const schemes = (schemesFor(country, currency) ?? []).map((scheme) => {
    const { name, fields } = scheme;
    const bankDetails = Object.fromEntries(fields.filter(({ required }) => required).map(({ field }) => [field, '']));
    const paymentScheme = schemeOf({ country, currency, bankDetails });
    const payable = isJudged
      ? payableWith(judge, country, currency, scheme)
      : { speeds: SPEEDS.filter((speed) => speed !== 'instant' || paymentScheme === 'sepa'), errors: [] };
    return { scheme: name, payment_scheme: paymentScheme, ...payable, fields };
  });
  const [preferred, ...alternatives] = schemes;
  const object = 'recipient_requirements';
  return JSON.stringify({ object, country, currency, ...preferred, alternatives, holder: HOLDER });
}

function asked(field: string, required: boolean, max_length: number | null, example: string, description: string) {
  return { field, required, max_length, example, description };
}

/** What is asked of the account holder beside the bank details. */
const HOLDER = [
  asked('name', true, 140, 'Ada Lovelace', 'The holder’s name at the bank.'),
  asked('latin_name', false, 70, 'Ada Lovelace', 'For a name in another script than Latin.'),
  asked(
    'address',
    false,
    null,
    'address[line1]=Invalidenstraße 43&address[postal_code]=10115&address[city]=Berlin&address[country]=DE',
    'Town and country at least. Banks outside the EEA ask for it, and SWIFT payments often stop without it.',
  ),
];

/** A version as it is shown: `details` are whole and are masked here. Instants are milliseconds. */
export function renderVersion(version: {
  readonly version: number;
  readonly createdAt: number;
  readonly name: string;
  readonly latinName: string | null;
  readonly details: BankDetails;
  readonly address: object | null;
}): string {
  const { version: number, createdAt, name, latinName, details, address } = version;
  return JSON.stringify({
    object: 'recipient_version',
    version: number,
    created: unixSeconds(createdAt),
    name,
    latin_name: latinName,
    bank_details: maskBankDetails(details),
    address,
  });
}

/** `payable`: `null` where the recipient itself is faulty. */
export function renderValidation(
  faults: readonly BankFault[],
  duplicateOf: string | null,
  payable: Payable | null,
): string {
  return JSON.stringify({
    object: 'recipient_validation',
    valid: faults.length === 0,
    duplicate_of: duplicateOf,
    errors: faults,
    ...(payable ?? { speeds: [], address_sent: null }),
  });
}

const REFUSED = strictObject('Why a payout would be refused.', {
  param: {
    type: 'string',
    description: 'Of the payout, the recipient, or your bank account (`holder`, `holder_address`).',
  },
  code: { const: 'payout_not_payable' },
  message: { type: 'string' },
});

const schemeProperties: Readonly<Record<string, JsonSchema>> = {
  scheme: { type: 'string', description: 'The way to name an account, such as `iban` or `us_routing_number`.' },
  payment_scheme: { type: 'string', enum: PAYMENT_SCHEMES, description: 'How the money then travels.' },
  speeds: {
    type: 'array',
    items: { type: 'string', enum: SPEEDS },
    description:
      'The possible values of `speed`, from the bank account that pays in this currency. `urgent` in euro needs the BIC.',
  },
  errors: {
    type: 'array',
    items: REFUSED,
    description: 'Why a payout at the speed `standard` would be refused now, whoever the recipient is.',
  },
  fields: { type: 'array', items: ref('RecipientRequirement') },
};

export const FAULT = strictObject('One fault.', {
  param: { type: 'string' },
  code: { type: 'string', description: 'A code of the errors page.' },
  message: { type: 'string' },
});

export const RECIPIENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Recipient: schemaOf(RECIPIENT, 'A person or organisation that payouts go to.'),
  RecipientVersion: strictObject(
    'A recipient as it was from some time on. Payouts go to the version that they were made with.',
    {
      object: { const: 'recipient_version' },
      version: { type: 'integer', description: 'From 1.' },
      created: { type: 'integer' },
      name: { type: 'string' },
      latin_name: { type: ['string', 'null'] },
      bank_details: RECIPIENT.schemas['bank_details'] as JsonSchema,
      address: RECIPIENT.schemas['address'] as JsonSchema,
    },
  ),
  DeletedRecipient: strictObject('A recipient that was deleted. It stays readable as `archived`.', {
    id: { type: 'string' },
    object: { const: 'recipient' },
    deleted: { const: true },
  }),
  RecipientRequirement: strictObject('One bank detail.', {
    field: { type: 'string', enum: Object.keys(BANK_FIELDS), description: 'The parameter.' },
    label: { type: 'string', description: 'For a form.' },
    required: { type: 'boolean' },
    regex: { type: 'string', description: 'A regular expression for the value without blanks and hyphens.' },
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
      description: 'Parameters about the account holder, in addition to the bank details.',
      items: strictObject('One parameter.', {
        field: { type: 'string', enum: HOLDER.map(({ field }) => field) },
        required: { type: 'boolean' },
        max_length: { type: ['integer', 'null'] },
        example: { type: 'string' },
        description: { type: 'string' },
      }),
    },
  }),
  RecipientValidation: strictObject('The faults for which a create with these parameters would be refused.', {
    object: { const: 'recipient_validation' },
    valid: { type: 'boolean' },
    duplicate_of: { type: ['string', 'null'], description: 'The oldest active recipient with the same account.' },
    errors: { type: 'array', items: FAULT },
    speeds: {
      type: 'array',
      description: 'For each speed, whether a payout to it could be made now. Empty if the recipient itself is faulty.',
      items: strictObject('One speed.', {
        speed: { type: 'string', enum: SPEEDS },
        payable: { type: 'boolean' },
        route: {
          type: ['string', 'null'],
          description: 'How it would leave. `null` if it could not, and in a sandbox without a paying bank account.',
        },
        errors: {
          type: 'array',
          items: REFUSED,
        },
      }),
    },
    address_sent: {
      type: ['boolean', 'null'],
      description:
        'Whether payment files contain its address. `false` if the town cannot be written. `null` if it has no address, or no bank account pays.',
    },
  }),
};
