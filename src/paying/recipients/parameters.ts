/**
 * Parameters of recipients. Bank details come as `bank_details` or flat; `bank-details.ts` checks them after parsing,
 * by country and currency. No message may hold a whole account number. Answers: `schema.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import {
  invalid,
  isObject,
  type Param,
  param as custom,
  paramError,
  partOf,
  type Tree,
} from '../../platform/http/request/param.ts';
import type { Params, Parsed } from '../../platform/http/request/params.ts';
import * as param from '../../platform/http/request/params.ts';
import { newPurposes } from '../../platform/http/request/purposes.ts';
import { wordsOf } from '../../core/values/words.ts';
import { addressFields } from './address-parameters.ts';
import { ACCOUNT_FIELDS, type BankFault, ibanToFind, normalised, validateBankDetails } from './bank-details.ts';
import type { CreateRecipient } from './decide.ts';
import { type Recipient, RECIPIENT_TYPES } from './fields.ts';
import { BANK_FIELDS, type BankField, schemesFor } from './requirements.ts';

/** ISO 20022 `Max140Text`: the longest name a payment message carries. */
const MAX_NAME_LENGTH = 140;

const FIELDS = Object.keys(BANK_FIELDS) as readonly BankField[];

/** A bank detail as it was typed. Not `param.text`, whose messages may show the value. A JSON number is refused: it may have lost leading zeros. */
function bankDetail(field: BankField): Param<string> {
  const description = BANK_FIELDS[field];
  if (field === 'bank_name') return param.text({ kind: 'name', max: 140, description });
  return custom({ description }, { type: 'string', minLength: 1 }, (value, path) => {
    const wrong = (why: string) => paramError('parameter_invalid', path, `${path} ${why}`);
    if (value === '') throw wrong('must not be empty.');
    if (typeof value !== 'string') throw wrong('must be text; in JSON it stands in quotes.');
    if (value.includes('*') && ACCOUNT_FIELDS.some((each) => each === field))
      throw wrong('is masked: answers show the last four characters only. Send the whole of it.');
    return value;
  });
}

/** An IBAN to look for. Throws `iban_invalid`. */
const soughtIban: Param<string> = custom(
  { description: 'The account. Blanks do not count.' },
  { type: 'string', minLength: 1 },
  (value, path) => {
    const found = ibanToFind(typeof value === 'string' ? value : '');
    if ('iban' in found) return found.iban;
    throw paramError(found.code, path, found.message);
  },
);

const nameText = param.text({
  kind: 'name',
  max: MAX_NAME_LENGTH,
  description:
    'Beginnings of words of the name, or of a former one. Case and accents do not count, and the order does not either.',
});
/** Words of a name to look for (`core/values/words.ts`). Throws what a name throws, and `parameter_invalid` where it has no words. */
const soughtName: Param<readonly string[]> = custom(
  nameText,
  nameText.schema,
  (value, path, notation) => {
    const words = wordsOf(nameText.parse(value, path, notation));
    if (words.length > 0) return words;
    throw invalid(path, value, 'text with letters or digits');
  },
  [...nameText.codes, 'parameter_invalid'],
);

export const filters = {
  currency: param.currency({ description: 'Only of this currency.' }),
  country: param.country({ description: 'Only recipients with a bank account in this country.' }),
  type: param.oneOf(RECIPIENT_TYPES, { description: 'Only persons, or only organisations.' }),
  status: param.withDefault(
    param.oneOf(['active', 'archived', 'redacted'], { description: 'Only in this state.' }),
    'active',
  ),
};

const { status, ...narrowing } = filters;
export const searchParams = param.params(
  {
    ...param.optional({
      iban: soughtIban,
      name: soughtName,
      ...narrowing,
    }),
    status,
    limit: param.withDefault(param.integer({ description: 'How many to return, 1 to 100.', min: 1, max: 100 }), 10),
  },
  ({ iban, name }) => {
    if (iban !== undefined || name !== undefined) return;
    throw paramError('parameter_missing', 'iban', 'Send iban or name: what to look for.');
  },
);

/** Each bank detail there is; which belong follows from country and currency. */
export const bankFields = param.optional(
  Object.fromEntries(FIELDS.map((field) => [field, bankDetail(field)])) as Record<BankField, Param<string>>,
);

export const nestedBankDetails = param.object(bankFields, {
  description: 'The account, not masked. Country and currency decide which members it has.',
});

/** Of the holder of an account: a letter or digit of some script at least. */
export function holderName(max: number, example: string, hint = ''): Param<string> {
  const text = param.text({ kind: 'name', max, description: 'Name of the account holder at the bank.', example });
  return {
    ...text,
    codes: [...text.codes, 'parameter_invalid'],
    parse(value, path, notation) {
      const given = text.parse(value, path, notation);
      if (/[\p{L}\p{N}]/u.test(given)) return given;
      throw invalid(path, value, `a name with a letter in it${hint}`);
    },
  };
}

const name = holderName(MAX_NAME_LENGTH, 'Ada Lovelace', ' (latin_name is for letters that banks cannot write)');
const email = param.email({ clearable: true, description: 'For notices. An empty value or null unsets it.' });
/** Bank details are flat or nested; `bankDetailsIn` brings the two together. */
const changing = {
  email,
  ...addressFields,
  ...newPurposes,
  bank_details: nestedBankDetails,
  metadata: param.metadata(),
};
const optionalFields = { ...param.optional(changing), ...bankFields };
const countryField = param.country({ description: 'Country of the bank account, ISO 3166-1 alpha-2.' });
const currencyField = param.currency({ description: 'The currency it is paid in.' });

/** Of a new recipient. */
export const createFields = {
  name,
  type: param.oneOf(RECIPIENT_TYPES, { description: 'A person or an organisation.' }),
  currency: currencyField,
  country: countryField,
  ...optionalFields,
};
type Form = Parsed<typeof createFields>;
/** Its bank details are flat. */
export type RecipientBody = Omit<Form, 'bank_details'>;
const createForm = param.params(createFields, refuseConflict, ['parameter_conflict']);

/** Parses bank details to their canonical form, so that their spelling does not change the idempotency fingerprint. */
export const createRecipientParams: Params<RecipientBody> = {
  ...createForm,
  parse(tree) {
    const { bank_details, ...body } = createForm.parse(tree);
    const check = validateBankDetails(body.country, body.currency.code, bankDetailsIn({ bank_details, ...body }) ?? {});
    if (!check.ok) throw errorOf(where(check.faults[0], bank_details !== undefined));
    return { ...body, ...check.details };
  },
};

/** `duplicateOf`: the oldest recipient with the same account; `null`: none. */
export function createCommand(body: RecipientBody, duplicateOf: string | null): CreateRecipient {
  return {
    type: 'create_recipient',
    name: body.name,
    recipientType: body.type,
    currency: body.currency.code,
    country: body.country,
    email: body.email || null,
    address: body.address ?? null,
    latinName: body.latin_name ?? null,
    categoryPurpose: body.category_purpose ?? null,
    purpose: body.purpose ?? null,
    bankAccount: body.bank_account ?? null,
    duplicateOf,
    bankDetails: bankDetailsIn(body) ?? {},
    metadata: body.metadata,
  };
}

export const errorOf = (fault: BankFault) => paramError(fault.code, fault.param, fault.message);

/** A body that may hold bank details, flat, nested, or both. */
type WithDetails = Readonly<Record<string, unknown>> & {
  readonly bank_details?: Readonly<Record<string, unknown>> | undefined;
};

/** The bank details that were sent, flat or nested; `undefined` for none. An empty `bank_details` is none. */
export function bankDetailsIn(body: WithDetails): Record<string, string> | undefined {
  const sent = FIELDS.flatMap((field) => {
    const value = body[field] ?? body.bank_details?.[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return sent.length === 0 ? undefined : Object.fromEntries(sent);
}

/** Throws `parameter_conflict` where the same detail was sent flat and nested with different values; spelling does not count. */
function refuseConflict(body: WithDetails): void {
  const conflict = FIELDS.find((field) => {
    const [flat, nested] = [body[field], body.bank_details?.[field]];
    if (typeof flat !== 'string' || typeof nested !== 'string') return false;
    return normalised(field, flat) !== normalised(field, nested);
  });
  if (conflict === undefined) return;
  const message = `${conflict} and bank_details[${conflict}] differ. Send one of them.`;
  throw paramError('parameter_conflict', conflict, message);
}

/** The fault with the parameter as the client knows it: in `bank_details` if it sent that. */
const where = (fault: BankFault, isNested: boolean): BankFault =>
  isNested && Object.hasOwn(BANK_FIELDS, fault.param) ? { ...fault, param: `bank_details[${fault.param}]` } : fault;

/** They replace the former ones as a whole, so one that says "no value" is one that the new ones do not have. */
const updateForm = param.params({ ...param.changes({ name, ...changing }), ...bankFields }, refuseConflict, [
  'parameter_conflict',
]);
const FIXED = ['type', 'currency', 'country'] as const;

/** Refuses parameters that never change as `parameter_unknown`, with a message of their own. */
export const updateRecipientParams: typeof updateForm = {
  ...updateForm,
  parse(tree) {
    const fixed = FIXED.find((each) => memberOf(tree, each) !== undefined);
    if (fixed === undefined) return withDetails(tree, updateForm.parse(tree));
    const message = `${fixed} of a recipient cannot be changed. Create a new recipient and delete this one.`;
    throw paramError('parameter_unknown', fixed, message, { allowed: Object.keys(updateForm.fields) });
  },
};

/** Throws `parameter_invalid` where all bank details that were sent say "no value": there would be none. */
function withDetails<B extends WithDetails>(tree: Tree, body: B): B {
  const nested = memberOf(tree, 'bank_details');
  const sent = [
    ...FIELDS.filter((field) => memberOf(tree, field) !== undefined),
    ...FIELDS.filter((field) => memberOf(nested ?? null, field) !== undefined).map((field) => `bank_details[${field}]`),
  ];
  if (sent[0] === undefined || bankDetailsIn(body) !== undefined) return body;
  const message = `${sent[0]} has no value, and no other bank detail was sent. Send all bank details that the recipient is to have, or none.`;
  throw paramError('parameter_invalid', sent[0], message);
}

export const requirementsParams = param.params({ country: countryField, currency: currencyField }, (query) => {
  if (schemesFor(query.country, query.currency.code)) return;
  const check = validateBankDetails(query.country, query.currency.code, {});
  if (!check.ok) throw errorOf(check.faults[0]);
});

// One form a parameter. All of these parameters are texts, which a form and JSON write the same way.
const { bank_details: nestedField, ...singleFields } = createFields;
const singles = Object.entries(singleFields).map(([field, kind]) => [field, param.params({ [field]: kind })] as const);
const nestedForm = param.params({ bank_details: nestedField });

/** The members of `bank_details`, each in an object of its own. Anything but an object is returned unchanged. */
function nestedOf(tree: Tree): readonly Tree[] {
  const nested = memberOf(tree, 'bank_details');
  if (nested === undefined) return [];
  return isObject(nested)
    ? Object.entries(nested).map(([member, value]) => partOf(tree, { [member]: value }))
    : [nested];
}

export interface Payee
  extends Pick<Recipient, 'name' | 'latinName' | 'country' | 'currency' | 'bankAccount' | 'address'> {
  readonly details: Readonly<Record<string, string>>;
}

function payeeOf(body: RecipientBody, details: Payee['details']): Payee {
  const { name: payeeName, latin_name: latinName = null, country, currency, address = null } = body;
  const { bank_account: bankAccount = null } = body;
  return { name: payeeName, latinName, country, currency: currency.code, bankAccount, address, details };
}

/**
 * Parses to all faults a create would be refused for, in the order of the parameters, bank details last. Throws only
 * faults of the request itself: `body_invalid`, and `parameter_unknown` for a name no recipient has.
 */
export const validateRecipientParams: Params<{
  readonly faults: readonly BankFault[];
  /** Canonical; `null` where they are faulty. */
  readonly bankDetails: Readonly<Record<string, string>> | null;
  /** What banks would be told; `null` where it is faulty. */
  readonly payee: Payee | null;
}> = {
  ...createForm,
  parse(tree) {
    refuseRequest(tree);
    const body: Record<string, unknown> = {};
    const faults: BankFault[] = [];
    const attempt = (what: string, parse: () => void) => {
      try {
        parse();
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        faults.push({ param: error.details.param ?? what, code: error.code, message: error.message });
      }
    };
    for (const [field, single] of singles) {
      const value = memberOf(tree, field);
      attempt(field, () =>
        Object.assign(body, single.parse(partOf(tree, value === undefined ? {} : { [field]: value }))),
      );
    }
    const details: Record<string, unknown> = {};
    for (const one of nestedOf(tree)) {
      attempt('bank_details', () =>
        Object.assign(details, nestedForm.parse(partOf(tree, { bank_details: one })).bank_details),
      );
    }
    const all: WithDetails = { ...body, bank_details: details };
    attempt('bank_details', () => refuseConflict(all));
    const check = checked(all, isObject(memberOf(tree, 'bank_details') ?? null));
    if ('details' in check) {
      const payee = faults.length > 0 ? null : payeeOf(body as RecipientBody, check.details);
      return { faults, bankDetails: check.details, payee };
    }
    const found = check.faults.filter(({ param }) => !faults.some((fault) => fault.param === param));
    return { faults: [...faults, ...found], bankDetails: null, payee: null };
  },
};

/** Throws the fault of the request itself. */
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
function checked(
  body: WithDetails,
  isNested: boolean,
): { readonly faults: readonly BankFault[] } | { readonly details: Readonly<Record<string, string>> } {
  const { country: place, currency: money } = body as Partial<RecipientBody>;
  if (place === undefined || money === undefined) return { faults: [] };
  const check = validateBankDetails(place, money.code, bankDetailsIn(body) ?? {});
  return check.ok ? { details: check.details } : { faults: check.faults.map((fault) => where(fault, isNested)) };
}

function memberOf(tree: Tree, member: string): Tree | undefined {
  return typeof tree === 'object' && tree !== null && member in tree
    ? (tree as Record<string, Tree>)[member]
    : undefined;
}
