/**
 * The parameters of requests about recipients. Bank details are flat parameters beside the others. Country and currency
 * decide which bank details belong, so they are checked together after parsing, by `bank-details.ts`. No message may hold a
 * whole account number. Answers: `schema.ts`.
 */
import { RequestError } from '../core/errors.ts';
import { type Param, param as custom, paramError, type Tree } from '../http/request/param.ts';
import type { Params, Parsed } from '../http/request/params.ts';
import * as param from '../http/request/params.ts';
import { type BankFault, ibanToFind, validateBankDetails } from './bank-details.ts';
import type { CreateRecipient } from './decide.ts';
import { RECIPIENT_TYPES } from './fields.ts';
import { BANK_FIELDS, type BankField, schemesFor } from './requirements.ts';

/** ISO 20022 `Max140Text`: the longest name a payment message carries. */
const MAX_NAME_LENGTH = 140;

const FIELDS = Object.keys(BANK_FIELDS) as readonly BankField[];

/**
 * A bank detail as it was typed. Not `param.text`, whose messages may show the value. A JSON number is refused, because it has already lost its leading zeros.
 */
function bankDetail(field: BankField): Param<string> {
  const description = BANK_FIELDS[field];
  if (field === 'bank_name') return param.text({ kind: 'name', max: 140, description });
  return custom({ description }, { type: 'string', minLength: 1 }, (value, path) => {
    if (typeof value === 'string' && value !== '') return value;
    const allowed = value === '' ? 'must not be empty' : 'must be text; in JSON it stands in quotes';
    throw paramError('parameter_invalid', path, `${path} ${allowed}.`);
  });
}

/** An IBAN to look for. Throws `iban_invalid`. */
export const ibanFilter: Param<string> = custom(
  {
    description:
      'Only recipients with this account. Blanks do not count. Proxies may log addresses, and so the number.',
  },
  { type: 'string', minLength: 1 },
  (value, path) => {
    const found = ibanToFind(typeof value === 'string' ? value : '');
    if ('iban' in found) return found.iban;
    throw paramError(found.code, path, found.message);
  },
);

type BankParams = { readonly [F in BankField]: Param<string | undefined> };
const bankFields = Object.fromEntries(FIELDS.map((field) => [field, param.optional(bankDetail(field))])) as BankParams;

const name = param.text({
  kind: 'name',
  max: MAX_NAME_LENGTH,
  pattern: /\S/,
  shape: 'a name',
  description: 'Name of the account holder, as the bank knows it.',
  example: 'Ada Lovelace',
});
const emailField = param.optional(
  param.email({ clearable: true, description: 'For notices. An empty value unsets it.' }),
);
const countryField = param.country({ description: 'Country of the bank account, ISO 3166-1 alpha-2.' });
const currencyField = param.currency({ description: 'The currency it is paid in.' });

const createFields = {
  name,
  type: param.oneOf(RECIPIENT_TYPES, { description: 'A person or an organisation.' }),
  currency: currencyField,
  country: countryField,
  email: emailField,
  ...bankFields,
  metadata: param.optional(param.metadata()),
};
export type RecipientBody = Parsed<typeof createFields>;
const createForm = param.params(createFields);

/** Parses bank details to their canonical form, so that their spelling does not change the idempotency fingerprint. */
export const createRecipientParams: Params<RecipientBody> = {
  ...createForm,
  parse(tree) {
    const body = createForm.parse(tree);
    const check = validateBankDetails(body.country, body.currency.code, bankDetailsIn(body) ?? {});
    if (!check.ok) throw errorOf(check.faults[0]);
    return { ...body, ...check.details };
  },
};

export function createCommand(body: RecipientBody): CreateRecipient {
  return {
    type: 'create_recipient',
    name: body.name,
    recipientType: body.type,
    currency: body.currency.code,
    country: body.country,
    email: body.email || null,
    bankDetails: bankDetailsIn(body) ?? {},
    metadata: body.metadata,
  };
}

const errorOf = (fault: BankFault) => paramError(fault.code, fault.param, fault.message);

/** The bank details that were sent; `undefined` for none. */
export function bankDetailsIn(body: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const sent = FIELDS.flatMap((field) => (typeof body[field] === 'string' ? [[field, body[field]] as const] : []));
  return sent.length === 0 ? undefined : Object.fromEntries(sent);
}

const updateForm = param.params({
  name: param.optional(name),
  email: emailField,
  ...bankFields,
  metadata: param.optional(param.metadata()),
});
const FIXED = ['type', 'currency', 'country'] as const;

/** Refuses parameters that never change as `parameter_unknown`, with a message of their own. */
export const updateRecipientParams: typeof updateForm = {
  ...updateForm,
  parse(tree) {
    const fixed = FIXED.find((each) => memberOf(tree, each) !== undefined);
    if (fixed === undefined) return updateForm.parse(tree);
    const message = `${fixed} of a recipient cannot be changed. Create a new recipient and delete this one.`;
    throw paramError('parameter_unknown', fixed, message, { allowed: Object.keys(updateForm.fields) });
  },
};

export const requirementsParams = param.params({ country: countryField, currency: currencyField }, (query) => {
  if (schemesFor(query.country, query.currency.code)) return;
  const check = validateBankDetails(query.country, query.currency.code, {});
  if (!check.ok) throw errorOf(check.faults[0]);
});

// One form a parameter. All of these parameters are texts, which a form and JSON write the same way.
const singles = Object.entries(createFields).map(([field, kind]) => [field, param.params({ [field]: kind })] as const);

/**
 * Parses to all faults a create would be refused for, in the order of the parameters, bank details last. Throws only
 * faults of the request itself: `body_invalid`, and `parameter_unknown` for a name no recipient has.
 */
export const validateRecipientParams: Params<readonly BankFault[]> = {
  ...createForm,
  parse(tree) {
    refuseRequest(tree);
    const body: Record<string, unknown> = {};
    const faults: BankFault[] = [];
    for (const [field, single] of singles) {
      const value = memberOf(tree, field);
      try {
        Object.assign(body, single.parse(value === undefined ? {} : { [field]: value }));
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        faults.push({ param: error.details.param ?? field, code: error.code, message: error.message });
      }
    }
    return [...faults, ...bankFaults(body).filter(({ param }) => !faults.some((fault) => fault.param === param))];
  },
};

/** Throws what is wrong with the request itself. */
function refuseRequest(tree: Tree): void {
  try {
    createForm.parse(tree);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code === 'body_invalid' || error.code === 'parameter_unknown') {
      throw error;
    }
  }
}

/** No faults while country or currency are unknown: bank details cannot be checked without them. */
function bankFaults(body: Readonly<Record<string, unknown>>): readonly BankFault[] {
  const { country: place, currency: money } = body as Partial<RecipientBody>;
  if (place === undefined || money === undefined) return [];
  const check = validateBankDetails(place, money.code, bankDetailsIn(body) ?? {});
  return check.ok ? [] : check.faults;
}

function memberOf(tree: Tree, member: string): Tree | undefined {
  return typeof tree === 'object' && tree !== null && member in tree
    ? (tree as Record<string, Tree>)[member]
    : undefined;
}
