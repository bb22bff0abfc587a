/**
 * Which bank details a recipient must have, by country of the account and currency of the payout. One table for what
 * `GET /v1/recipients/requirements` answers and what `bank-details.ts` checks. Pure.
 */
import { currencyOf } from '../../core/values/currencies.ts';
import { isOutsideEea, schemeOfIban } from '../../core/rails/payment-schemes.ts';
import { ibanExample, ibanPattern, ibanPrefixes, isCountry, isIbanCountry } from './iban-countries.ts';

/** All bank-detail parameters in the order of output, with their descriptions for the API reference. */
export const BANK_FIELDS = {
  iban: 'International Bank Account Number. Blanks are removed; length, format and check digits are verified.',
  bic: 'Business Identifier Code (SWIFT code) of the bank, 8 or 11 characters, in the country of the account.',
  account_number: 'Account number in the form of its country. Blanks and hyphens are removed.',
  routing_number: 'United States: ABA routing number, nine digits with a check digit.',
  account_type: 'United States: `checking` (the default) or `savings`.',
  sort_code: 'United Kingdom: six digits, with or without hyphens.',
  bsb: 'Australia: Bank State Branch number, six digits, with or without a hyphen.',
  ifsc: 'India: Indian Financial System Code, eleven characters.',
  clabe: 'Mexico: CLABE, 18 digits with a check digit.',
  institution_number: 'Canada: number of the bank, three digits.',
  transit_number: 'Canada: number of the branch, five digits.',
  bank_name: 'Name of the bank, up to 140 characters; for your own reference.',
} as const satisfies Record<string, string>;

export type BankField = keyof typeof BANK_FIELDS;

/** One field of a scheme. `regex` (anchored, without flags) is for the value without blanks and hyphens. */
export interface Requirement {
  readonly field: BankField;
  readonly label: string;
  readonly required: boolean;
  readonly regex: string;
  readonly example: string;
  readonly description: string;
}

/** One accepted way of naming a bank account. */
export interface Scheme {
  /** `iban`, `swift`, or one of {@link LOCAL_SCHEMES}. */
  readonly name: string;
  readonly fields: readonly Requirement[];
}

interface LocalScheme extends Scheme {
  readonly currency: string;
  readonly countries: readonly string[];
}

function needed(field: BankField, label: string, regex: string, example: string, description: string): Requirement {
  return { field, label, required: true, regex, example, description };
}

const optional = (requirement: Requirement): Requirement => ({ ...requirement, required: false });

const NOT_CHECKED = 'For your own reference; never checked against the other details.';
const BANK_NAME = optional(needed('bank_name', 'Bank name', '^.{1,140}$', 'Example Bank', NOT_CHECKED));
const KINDS = '`checking` or `savings`; `checking` where left out.';
const ACCOUNT_TYPE = optional(needed('account_type', 'Account type', '^(checking|savings)$', 'checking', KINDS));

function accountNumber(regex: string, example: string, description: string): Requirement {
  return needed('account_number', 'Account number', regex, example, description);
}

function local(name: string, currency: string, countries: string, fields: readonly Requirement[]): LocalScheme {
  return { name, currency, countries: countries.split(' '), fields: [...fields, BANK_NAME] };
}

// Domestic schemes take the country's own currency only. Payouts in another currency go by SWIFT or IBAN.
const LOCAL_SCHEMES: readonly LocalScheme[] = [
  local('us_routing_number', 'USD', 'US AS GU MP PR VI', [
    accountNumber('^[0-9]{5,17}$', '000123456789', '5 to 17 digits, as on a check.'),
    needed(
      'routing_number',
      'Routing number',
      '^(0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)[0-9]{7}$',
      '110000000',
      'The ABA routing number: nine digits, of which the last is a check digit.',
    ),
    ACCOUNT_TYPE,
  ]),
  local('gb_sort_code', 'GBP', 'GB GG IM JE', [
    accountNumber('^[0-9]{8}$', '00012345', 'Eight digits; a shorter number is filled up with leading zeros.'),
    needed('sort_code', 'Sort code', '^[0-9]{6}$', '108800', 'Six digits; `10-88-00` is read as `108800`.'),
  ]),
  local('au_bsb', 'AUD', 'AU CC CX NF', [
    accountNumber('^[0-9]{5,9}$', '000123456', '5 to 9 digits.'),
    needed('bsb', 'BSB', '^[0-9]{6}$', '110000', 'Bank State Branch: six digits; `110-000` is read as `110000`.'),
  ]),
  local('in_ifsc', 'INR', 'IN', [
    accountNumber('^[0-9]{9,18}$', '000123456789', '9 to 18 digits.'),
    needed(
      'ifsc',
      'IFSC',
      '^[A-Z]{4}0[A-Z0-9]{6}$',
      'HDFC0004051',
      'Indian Financial System Code: four letters, a zero, six letters or digits.',
    ),
  ]),
  local('mx_clabe', 'MXN', 'MX', [
    needed('clabe', 'CLABE', '^[0-9]{18}$', '002010077777777771', '18 digits, of which the last is a check digit.'),
  ]),
  local('ca_transit_number', 'CAD', 'CA', [
    accountNumber('^[0-9]{7,12}$', '000123456789', '7 to 12 digits.'),
    needed('institution_number', 'Institution number', '^[0-9]{3}$', '000', 'The bank: three digits.'),
    needed('transit_number', 'Transit number', '^[0-9]{5}$', '11000', 'The branch: five digits.'),
  ]),
];

/** The accepted schemes, the preferred one first. `undefined`: no such country or currency (both upper case), or no banks. */
export function schemesFor(country: string, currency: string): readonly Scheme[] | undefined {
  if (!isCountry(country) || !currencyOf(currency)) return undefined;
  const local = LOCAL_SCHEMES.filter((each) => each.currency === currency && each.countries.includes(country));
  const schemes: Scheme[] = local.map(({ name, fields }) => ({ name, fields }));
  const official = isIbanCountry(country);
  if (official) schemes.push(ibanScheme(country, currency));
  else if (schemes.length === 0) schemes.push(swiftScheme(country));
  // Some banks of countries without registered IBANs give out IBANs: accepted, not preferred.
  if (!official && ibanPrefixes(country).length > 0) schemes.push(ibanScheme(country, currency));
  return schemes;
}

function ibanScheme(country: string, currency: string): Scheme {
  const prefixes = ibanPrefixes(country);
  const example = ibanExample(prefixes[0] ?? country);
  const patterns = prefixes.map(ibanPattern).join('|');
  const regex = prefixes.length === 1 ? `^${patterns}$` : `^(${patterns})$`;
  const description = `Begins with ${prefixes.join(' or ')}, ${example.length} characters; blanks are taken out.`;
  const iban = needed('iban', 'IBAN', regex, example, description);
  return { name: 'iban', fields: [iban, bic(country, schemeOfIban(country, currency) === null), BANK_NAME] };
}

function swiftScheme(country: string): Scheme {
  const description = '5 to 34 letters and digits; hyphens are taken out.';
  const number = accountNumber('^[A-Z0-9]{5,34}$', '000123456789', description);
  return { name: 'swift', fields: [number, bic(country, true), BANK_NAME] };
}

function bic(country: string, required: boolean): Requirement {
  const use = isOutsideEea(country)
    ? ' Sent if you have it: banks outside the EEA ask for it.'
    : ' Not needed with an IBAN here.';
  const description = `8 or 11 characters, with ${country} as the fifth and sixth.${required ? '' : use}`;
  const regex = '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$';
  return { ...needed('bic', 'BIC (SWIFT code)', regex, `BANK${country}22`, description), required };
}
