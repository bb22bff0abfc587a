/** The parameters of requests about bank accounts. Which bank details belong follows from country and currency, as for recipients. */
import { CALENDARS, usualCalendar } from '../../core/rails/business-days.ts';
import { schemeOfIban } from '../../core/rails/payment-schemes.ts';
import { invalid, type Param, param as custom } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import { addressFields } from '../../paying/recipients/address-parameters.ts';
import { validateBankDetails } from '../../paying/recipients/bank-details.ts';
import { bankDetailsIn, errorOf, nestedBankDetails } from '../../paying/recipients/parameters.ts';
import type { CreateBankAccount, UpdateBankAccount } from './decide.ts';
import {
  type BankAccount,
  BOOKING_MESSAGES,
  CHARGES,
  EXPORTS,
  ON_DRIFT,
  PAID_BY,
  PAYEE_CHECKS,
  PROFILES,
  REVERSAL_SIGNS,
  USES,
} from './fields.ts';

const cutOff = param.text({
  kind: 'code',
  max: 5,
  pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
  shape: 'a time of day such as 14:30',
  description: 'Until when your bank executes a payment file on the same day, `HH:MM`. Your bank says it.',
  example: '14:30',
});

const timeZone: Param<string> = custom(
  { description: 'The time zone of `cut_off`, an IANA name.', example: 'Europe/Berlin' },
  { type: 'string', maxLength: 60 },
  (value, path) => {
    if (typeof value === 'string' && isTimeZone(value)) return value;
    throw invalid(path, value, 'the IANA name of a time zone, such as Europe/Berlin');
  },
);

/** Intl knows them all, and throws for others. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(?:\/[A-Za-z_+\-0-9]+)*$/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const uses = param.list(param.oneOf(USES, { description: 'One use.' }), {
  max: USES.length,
  description: 'What it is for: `payouts` leave from it, `collections` come in to it. Both, unless it is said.',
});

const name = param.text({
  kind: 'name',
  max: 70,
  description: 'Your name for it. An empty value unsets it.',
  clearable: true,
});
const holder = param.text({
  kind: 'name',
  max: 70,
  pattern: /\S/,
  shape: 'a name',
  description: 'Name of the account holder, as the bank has it.',
  example: 'Example GmbH',
});

const changing = {
  name: param.optional(name),
  holder_address: {
    ...addressFields.address,
    description: `${addressFields.address.description} Of the account holder.`,
  },
  uses: param.optional(uses),
  profile: param.optional(
    param.oneOf(PROFILES, {
      description:
        'The dialect of payment files that your bank takes. Unless it is said: `de_dk` for Germany, `ch_sps` for Switzerland and Liechtenstein, `epc` for the rest of SEPA, else `generic`.',
    }),
  ),
  calendar: param.optional(
    param.oneOf(CALENDARS, {
      description:
        'On which days your bank works: `target` (euro), `ch` (SIC, Swiss francs), `gb` (bank holidays of England and Wales), `us` (Fedwire), or `weekdays`. Unless it is said, that of the country and currency.',
    }),
  ),
  booked_by: param.optional(
    param.oneOf(BOOKING_MESSAGES, {
      description:
        'The messages whose booked entries move the ledger; `camt.053`, the statement of a day, unless it is said.',
    }),
  ),
  payee_check: param.optional(
    param.oneOf(PAYEE_CHECKS, {
      description: 'Whether payment files ask the bank to verify payees; `on` unless it is said.',
    }),
  ),
  exports: param.optional(
    param.oneOf(EXPORTS, {
      description:
        'When payouts leave: `by_hand`, with each export that you ask for, unless it is said; or `before_cut_off` too, half an hour before it on each business day.',
    }),
  ),
  paid_by: param.optional(
    param.oneOf(PAID_BY, {
      description:
        'What makes a payout `paid`: `booking`, its booked debit, unless it is said; or `status`, the status ACSC (or ACCC) of the bank too. SEPA has no positive final status: ask your bank what it means by it.',
    }),
  ),
  reversal_sign: param.optional(
    param.oneOf(REVERSAL_SIGNS, {
      description:
        'Whose sign a reversal has in statements (`RvslInd`): `own`, as ISO 20022 means it, unless it is said; or `original`, that of the entry that it undoes. The proofs of statements tell which of the two is right.',
    }),
  ),
  charges: param.optional(
    param.oneOf(CHARGES, {
      description:
        'Debits that the bank says, by their transaction code, are its own charges: `to_fees` by themselves, unless it is said, or `by_hand`.',
    }),
  ),
  on_drift: param.optional(
    param.oneOf(ON_DRIFT, {
      description:
        'What happens when a statement says another balance than the ledger holds: `warn`, the event `bank.drift_detected` alone, unless it is said; or `stop_exports`: no payout leaves the account until somebody resumes.',
    }),
  ),
  metadata: param.optional(param.metadata()),
};

export const resumeExportsParams = param.params({
  reason: param.text({
    max: 200,
    pattern: /\S/,
    shape: 'a reason',
    description: 'Why payouts may leave again; kept.',
    example: 'The missing statement was imported',
  }),
});

const createFields = {
  currency: param.currency({ description: 'Currency of the account.' }),
  country: param.country({ description: 'Country of the account, ISO 3166-1 alpha-2.' }),
  holder,
  bank_details: nestedBankDetails,
  cut_off: cutOff,
  time_zone: timeZone,
  ...changing,
};
const createForm = param.params(createFields);

/** Bank details come out canonical, so that their spelling does not change the idempotency fingerprint. */
export const createBankAccountParams: typeof createForm = {
  ...createForm,
  parse(tree) {
    const body = createForm.parse(tree);
    const check = validateBankDetails(body.country, body.currency.code, bankDetailsIn(body.bank_details) ?? {});
    if (check.ok) return { ...body, bank_details: { ...check.details } as typeof body.bank_details };
    const [fault] = check.faults;
    throw errorOf({ ...fault, param: `bank_details[${fault.param}]` });
  },
};

export const updateBankAccountParams = param.params({
  holder: param.optional(holder),
  cut_off: param.optional(cutOff),
  time_zone: param.optional(timeZone),
  ...changing,
});

type Create = ReturnType<(typeof createBankAccountParams)['parse']>;
type Update = ReturnType<(typeof updateBankAccountParams)['parse']>;

export function createCommand(body: Create): CreateBankAccount {
  const { country, currency, holder: who } = body;
  return {
    type: 'create_bank_account',
    name: body.name || null,
    currency: currency.code,
    country,
    holder: who,
    holderAddress: body.holder_address ?? null,
    bankDetails: bankDetailsIn(body.bank_details) ?? {},
    uses: inOrder(body.uses ?? USES),
    profile: body.profile ?? usualProfile(country, currency.code),
    calendar: body.calendar ?? usualCalendar(country, currency.code),
    cutOff: body.cut_off,
    timeZone: body.time_zone,
    bookedBy: body.booked_by ?? 'camt.053',
    payeeCheck: body.payee_check ?? 'on',
    exports: body.exports ?? 'by_hand',
    paidBy: body.paid_by ?? 'booking',
    reversalSign: body.reversal_sign ?? 'own',
    charges: body.charges ?? 'to_fees',
    onDrift: body.on_drift ?? 'warn',
    metadata: body.metadata,
  };
}

export function updateCommand(bankAccount: string, body: Update): UpdateBankAccount {
  return {
    type: 'update_bank_account',
    bankAccount,
    name: body.name === '' ? null : body.name,
    holder: body.holder,
    holderAddress: body.holder_address,
    uses: body.uses && inOrder(body.uses),
    profile: body.profile,
    calendar: body.calendar,
    cutOff: body.cut_off,
    timeZone: body.time_zone,
    bookedBy: body.booked_by,
    payeeCheck: body.payee_check,
    exports: body.exports,
    paidBy: body.paid_by,
    reversalSign: body.reversal_sign,
    charges: body.charges,
    onDrift: body.on_drift,
    metadata: body.metadata,
  };
}

const inOrder = (given: readonly string[]): BankAccount['uses'] => USES.filter((use) => given.includes(use));

function usualProfile(country: string, currency: string): BankAccount['profile'] {
  if (country === 'DE') return 'de_dk';
  if (country === 'CH' || country === 'LI') return 'ch_sps';
  return schemeOfIban(country, currency) === 'sepa' ? 'epc' : 'generic';
}
