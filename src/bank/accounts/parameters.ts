/** The parameters of requests about bank accounts. Which bank details belong follows from country and currency, as for recipients. */
import { CALENDARS, usualCalendar } from '../../core/rails/business-days.ts';
import { schemeOfIban } from '../../core/rails/payment-schemes.ts';
import { isNone } from '../../platform/http/request/param.ts';
import { date } from '../../platform/http/request/date.ts';
import * as param from '../../platform/http/request/params.ts';
import { timeZone } from '../../platform/http/request/time-zone.ts';
import { addressFields } from '../../paying/recipients/address-parameters.ts';
import { validateBankDetails } from '../../paying/recipients/bank-details.ts';
import { bankDetailsIn, errorOf, holderName, nestedBankDetails } from '../../paying/recipients/parameters.ts';
import type { CreateBankAccount, UpdateBankAccount } from './decide.ts';
import * as fields from './fields.ts';

const cutOff = param.text({
  kind: 'code',
  max: 5,
  pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
  shape: 'a time of day such as 14:30',
  description: 'Your bank executes payment files that come before this time on the same day, `HH:MM`. Ask your bank.',
  example: '14:30',
});

const zone = timeZone(
  'The time zone of your bank, an IANA name: of `cut_off`, and of the days of instants in statements.',
);

const holder = holderName(70, 'Example GmbH');

/** Some years of them. Those to come are in the row of the environment, which each batch reads. */
const MAX_HOLIDAYS = 100;

const days = param.list(date({ description: 'A day.', example: '2027-12-24' }), {
  min: 0,
  max: MAX_HOLIDAYS,
  description:
    'Days on which your bank is closed beside those of `calendar`, each once: what a government adds for one year, or your bank by itself. All of them; null, in a form an empty value, unsets them. Nothing is executed on them.',
});

const holidays: param.Param<readonly string[]> = {
  ...days,
  clearable: true,
  nullable: true,
  parse(value, path, notation) {
    if (isNone(value, notation)) return [];
    const given = days.parse(value, path, notation);
    const again = given.findIndex((day, index) => given.indexOf(day) !== index);
    if (again === -1) return given.toSorted();
    throw param.paramError(
      'parameter_invalid',
      `${path}[${again}]`,
      `${path} has ${given[again]} twice. Name each day once.`,
    );
  },
};

const changing = {
  name: param.text({
    kind: 'name',
    max: 70,
    description: 'Your name for it. An empty value or null unsets it.',
    clearable: true,
  }),
  holder_address: addressFields.address,
  uses: param.list(param.oneOf(fields.USES, { description: 'One use.' }), {
    max: fields.USES.length,
    description: 'Its uses: `payouts` leave from it, `collections` come in to it. By default both.',
  }),
  profile: param.oneOf(fields.PROFILES, {
    description:
      'The dialect of payment files that your bank takes. By default `de_dk` for Germany, `ch_sps` for Switzerland and Liechtenstein, `epc` for the rest of SEPA, else `generic`.',
  }),
  calendar: param.oneOf(CALENDARS, {
    description:
      'The business days of your bank: `target` (euro), `ch` (SIC), `gb` (CHAPS), `us` (Fedwire), `pl` (Elixir), `se` (RIX), `dk` (Kronos), `no` (NBO), `cz` (CERTIS), `hu` (GIRO), `ro` (ReGIS), or `weekdays`. By default those of the clearing of its currency.',
  }),
  holidays,
  booked_by: param.oneOf(fields.BOOKING_MESSAGES, {
    description:
      'The messages whose booked entries move the ledger; by default `camt.053`, the statement of a day. An MT940 counts as a `camt.053`, an MT942 as a `camt.052`.',
  }),
  payee_check: param.oneOf(fields.PAYEE_CHECKS, {
    description: 'Whether payment files ask the bank to verify payees; by default `on`.',
  }),
  exports: param.oneOf(fields.EXPORTS, {
    description:
      'When payouts leave. `by_hand`, the default: with each export that you ask for. `before_cut_off`: also half an hour before the cut-off of each business day.',
  }),
  paid_by: param.oneOf(fields.PAID_BY, {
    description:
      'What makes a payout `paid`. `booking`, the default: its booked debit. `status`: also the bank’s status ACSC (or ACCC). SEPA has no positive final status: ask your bank what it means by this one.',
  }),
  reversal_sign: param.oneOf(fields.REVERSAL_SIGNS, {
    description:
      'The sign of a reversal (`RvslInd`) in statements. `own`, the default: its own, as in ISO 20022. `original`: that of the undone entry. The proofs of statements show which one is right.',
  }),
  charges: param.oneOf(fields.CHARGES, {
    description:
      'Where debits go that the bank marks as its own charges by their transaction code. `to_fees`, the default: to `fees` by themselves. `by_hand`: they wait for a person.',
  }),
  on_drift: param.oneOf(fields.ON_DRIFT, {
    description:
      'What happens when a statement’s balance differs from the ledger’s. `warn`, the default: only the event `bank_statement.drift_detected`. `stop_exports`: no payout leaves the account until somebody resumes the exports.',
  }),
  metadata: param.metadata(),
};

export const resumeExportsParams = param.params({
  reason: param.text({
    max: 200,
    pattern: /\S/,
    shape: 'a reason',
    description: 'Why payouts may leave again. The text is kept.',
    example: 'The missing statement was imported',
  }),
});

const createForm = param.params({
  currency: param.currency({ description: 'Currency of the account.' }),
  country: param.country({ description: 'Country of the account, ISO 3166-1 alpha-2.' }),
  holder,
  bank_details: nestedBankDetails,
  cut_off: cutOff,
  time_zone: zone,
  ...param.optional(changing),
});

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

export const updateBankAccountParams = param.changesParams({ holder, cut_off: cutOff, time_zone: zone, ...changing });

export const approveBankAccountParams = param.params({
  fingerprint: param.text({
    kind: 'code',
    max: 120,
    description: 'The fingerprint from `pending_changes`. Another one is refused: `approval_outdated`.',
  }),
});

type Create = ReturnType<(typeof createBankAccountParams)['parse']>;
type Update = ReturnType<(typeof updateBankAccountParams)['parse']>;

export function createCommand(body: Create): CreateBankAccount {
  const given = param.camelCased(body);
  const { country, currency } = given;
  return {
    type: 'create_bank_account',
    ...given,
    name: given.name || null,
    currency: currency.code,
    holderAddress: given.holderAddress ?? null,
    bankDetails: bankDetailsIn(body.bank_details) ?? {},
    uses: inOrder(given.uses ?? fields.USES),
    profile: given.profile ?? usualProfile(country, currency.code),
    calendar: given.calendar ?? usualCalendar(currency.code),
    holidays: given.holidays ?? [],
    bookedBy: given.bookedBy ?? 'camt.053',
    payeeCheck: given.payeeCheck ?? 'on',
    exports: given.exports ?? 'by_hand',
    paidBy: given.paidBy ?? 'booking',
    reversalSign: given.reversalSign ?? 'own',
    charges: given.charges ?? 'to_fees',
    onDrift: given.onDrift ?? 'warn',
  };
}

export const updateCommand = (bankAccount: string, body: Update): UpdateBankAccount => ({
  type: 'update_bank_account',
  bankAccount,
  ...param.camelCased(body),
  name: body.name === '' ? null : body.name,
  uses: body.uses && inOrder(body.uses),
});

const inOrder = (given: readonly string[]): fields.BankAccount['uses'] =>
  fields.USES.filter((use) => given.includes(use));

function usualProfile(country: string, currency: string): fields.BankAccount['profile'] {
  if (country === 'DE') return 'de_dk';
  if (country === 'CH' || country === 'LI') return 'ch_sps';
  return schemeOfIban(country, currency) === 'sepa' ? 'epc' : 'generic';
}
