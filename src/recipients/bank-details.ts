/**
 * Bank details: from what a user typed to one canonical record, or the list of everything wrong with it. What is
 * accepted where stands in `requirements.ts`. A fault's message must never hold a whole account number: values are shown
 * by their last four characters only, whatever field they were put into. Pure: no I/O.
 */
import { ValidationErrorsIBAN, isValidBIC, validateIBAN } from 'ibantools';
import { currencyOf } from '../core/currencies.ts';
import type { Code } from '../core/errors.ts';
import { clabeCheckDigit, isAbaNumber } from './check-digits.ts';
import { bicCountries, ibanLength, ibanPrefixes } from './iban-countries.ts';
import { BANK_FIELDS, type BankField, type Requirement, type Scheme, schemesFor } from './requirements.ts';

/** Validated and normalised: no blanks or hyphens, upper case, one scheme's fields and nothing else. */
export type BankDetails = { readonly [F in BankField]?: string };

/** Codes this file answers with; all are in the error table. */
export type BankFaultCode = Extract<
  Code,
  | 'country_unsupported'
  | 'currency_unsupported'
  | 'parameter_missing'
  | 'parameter_unknown'
  | 'parameter_invalid'
  | 'iban_invalid'
  | 'bic_invalid'
  | 'routing_number_invalid'
  | 'sort_code_invalid'
  | 'account_number_invalid'
>;

export interface BankFault {
  readonly param: string;
  readonly code: BankFaultCode;
  readonly message: string;
}

export type BankCheck =
  | { readonly ok: true; readonly details: BankDetails; readonly last4: string }
  | { readonly ok: false; readonly faults: readonly [BankFault, ...BankFault[]] };

/** What names the account itself: masked in every output. A scheme has exactly one of them. */
const ACCOUNT_FIELDS = ['iban', 'account_number', 'clabe'] as const satisfies readonly BankField[];

// Longer than any field allows; what is longer is refused before a regular expression sees it.
const MAX_RAW_CHARACTERS = 256;

/**
 * Checks the bank details of an account in `country` for payouts in `currency` (both upper case). Answers all faults, in
 * the order: fields that do not belong, then the scheme's fields. Where several schemes are accepted, the one that shares
 * most fields with what was given is meant. `last4` are the last four characters of the account identifier. Codes:
 * {@link BankFaultCode}.
 */
export function validateBankDetails(
  country: string,
  currency: string,
  fields: Readonly<Record<string, string>>,
): BankCheck {
  const given = new Map(Object.entries(fields));
  const schemes = schemesFor(country, currency);
  const scheme = schemes && closest(schemes, given);
  if (!scheme) return { ok: false, faults: [unsupported(country, currency)] };

  const faults: BankFault[] = [];
  const place = `an account in ${country} paid in ${currency}`;
  for (const param of given.keys()) {
    if (scheme.fields.some((requirement) => requirement.field === param)) continue;
    const takes = (schemes ?? []).map((s) => s.fields.map((f) => f.field).join(', ')).join('; or: ');
    const what = Object.hasOwn(BANK_FIELDS, param) ? 'does not belong to' : 'is not a bank detail of';
    faults.push({ param, code: 'parameter_unknown', message: `${named(param)} ${what} ${place}. Send: ${takes}.` });
  }

  const details: { [F in BankField]?: string } = {};
  for (const requirement of scheme.fields) {
    const { field } = requirement;
    const raw = given.get(field);
    if (raw === undefined) {
      if (requirement.required) {
        const message = `\`${field}\` is missing: ${place} needs it. ${requirement.description}`;
        faults.push({ param: field, code: 'parameter_missing', message });
      }
      continue;
    }
    const value = raw.length > MAX_RAW_CHARACTERS ? raw : normalised(field, raw);
    const wrong = faultOf(requirement, value, country);
    if (wrong) faults.push({ param: field, ...wrong });
    else details[field] = value;
  }
  const [first, ...others] = faults;
  if (first) return { ok: false, faults: [first, ...others] };
  if (scheme.name === 'us_routing_number') details.account_type ??= 'checking';
  return { ok: true, details, last4: lastFour(details) };
}

/** The form for every output: account identifiers with all but the last four characters as `*`, the rest as they are. */
export function maskBankDetails(details: BankDetails): BankDetails {
  const out: { [F in BankField]?: string } = {};
  for (const field of Object.keys(BANK_FIELDS) as BankField[]) {
    const value = details[field];
    if (value !== undefined) out[field] = isAccountField(field) ? masked(value) : value;
  }
  return out;
}

function isAccountField(field: BankField): boolean {
  return ACCOUNT_FIELDS.some((account) => account === field);
}

function lastFour(details: BankDetails): string {
  const field = ACCOUNT_FIELDS.find((account) => details[account] !== undefined);
  return field ? (details[field] ?? '').slice(-4) : '';
}

function masked(value: string): string {
  const hidden = value.length <= 4 ? value.length : value.length - 4;
  return '*'.repeat(hidden) + value.slice(hidden);
}

/** A refused value for a message: at most its last four, and nothing that could garble a log line or a terminal. */
function shown(value: string): string {
  if (value === '') return 'an empty value';
  return masked(value.slice(-40)).replace(/[^A-Za-z0-9*]/g, '?');
}

/** A parameter's name for a message; it may come from anyone, so it is cut and reduced to plain characters. */
function named(param: string): string {
  return `\`${param.slice(0, 40).replace(/[^A-Za-z0-9_.[\]-]/g, '?')}\``;
}

function closest(schemes: readonly Scheme[], given: ReadonlyMap<string, string>): Scheme | undefined {
  const shared = (scheme: Scheme) => scheme.fields.filter(({ field }) => given.has(field)).length;
  // The earlier one wins a tie, because the list is in order of preference.
  return schemes.reduce<Scheme | undefined>((best, s) => (best && shared(best) >= shared(s) ? best : s), undefined);
}

function unsupported(country: string, currency: string): BankFault {
  if (!currencyOf(currency)) {
    const message = `${named(currency)} is not a current ISO 4217 currency.`;
    return { param: 'currency', code: 'currency_unsupported', message };
  }
  const message = `${named(country)} is not a country with banks. Send the two upper-case letters of ISO 3166-1, such as DE.`;
  return { param: 'country', code: 'country_unsupported', message };
}

function normalised(field: BankField, raw: string): string {
  if (field === 'bank_name') return raw.trim().normalize('NFC');
  if (field === 'account_type') return raw.trim().toLowerCase();
  const bare = raw.replace(/[\s-]/g, '');
  // Only plain letters: others could become plain ones in upper case (the ligature "ﬁ" becomes "FI").
  return /^[A-Za-z0-9]*$/.test(bare) ? bare.toUpperCase() : bare;
}

interface Wrong {
  readonly code: BankFaultCode;
  readonly message: string;
}

function faultOf(requirement: Requirement, value: string, country: string): Wrong | undefined {
  const { field, regex, label, description } = requirement;
  if (field === 'iban') return ibanFault(value, country);
  const fits = value.length <= MAX_RAW_CHARACTERS && new RegExp(regex, 'u').test(value);
  const formal = `${label} is wrong: got ${shown(value)}. ${description}`;
  switch (field) {
    case 'bic':
      return fits ? bicFault(value, country) : { code: 'bic_invalid', message: formal };
    case 'routing_number':
      if (!fits) return { code: 'routing_number_invalid', message: formal };
      if (isAbaNumber(value)) return undefined;
      return {
        code: 'routing_number_invalid',
        message: `Routing number ${shown(value)} fails its check digit. ${description}`,
      };
    case 'clabe':
      if (!fits) return { code: 'account_number_invalid', message: formal };
      if (clabeCheckDigit(value.slice(0, 17)) === value[17]) return undefined;
      return { code: 'account_number_invalid', message: `CLABE ${shown(value)} fails its check digit. ${description}` };
    case 'sort_code':
      return fits ? undefined : { code: 'sort_code_invalid', message: formal };
    case 'account_number':
      return fits ? undefined : { code: 'account_number_invalid', message: formal };
    case 'bank_name':
      // Control and format characters (direction overrides, zero-width) could make the output lie.
      if (fits && !/\p{C}/u.test(value)) return undefined;
      return {
        code: 'parameter_invalid',
        message: '`bank_name` takes 1 to 140 characters, without control characters.',
      };
    default:
      return fits ? undefined : { code: 'parameter_invalid', message: formal };
  }
}

function ibanFault(value: string, country: string): Wrong | undefined {
  const wrong = (why: string): Wrong => ({ code: 'iban_invalid', message: `IBAN ${shown(value)} ${why}` });
  const prefixes = ibanPrefixes(country);
  if (!/^[A-Z]{2}[A-Z0-9]{1,40}$/.test(value)) {
    return wrong(`is wrong: it begins with ${prefixes.join(' or ')} and holds letters and digits only.`);
  }
  const prefix = value.slice(0, 2);
  if (!prefixes.includes(prefix)) {
    return wrong(
      `is of ${prefix}, but \`country\` is ${country}, whose IBANs begin with ${prefixes.join(' or ')}. \`country\` is where the account is held.`,
    );
  }
  const length = ibanLength(prefix);
  if (length !== value.length) return wrong(`has ${value.length} characters; an IBAN of ${prefix} has ${length}.`);
  const { errorCodes } = validateIBAN(value);
  if (errorCodes.includes(ValidationErrorsIBAN.WrongBBANFormat)) {
    return wrong(`has letters where an IBAN of ${prefix} has digits, or the other way round.`);
  }
  if (errorCodes.includes(ValidationErrorsIBAN.WrongIBANChecksum) || !/^[0-9]{2}$/.test(value.slice(2, 4))) {
    return wrong('fails its check digits: a character is mistyped or two are swapped.');
  }
  if (errorCodes.length > 0) return wrong(`fails the check digits that ${prefix} has inside the account number.`);
  return undefined;
}

function bicFault(value: string, country: string): Wrong | undefined {
  const allowed = bicCountries(country);
  const of = value.slice(4, 6);
  if (!isValidBIC(value)) {
    return { code: 'bic_invalid', message: `BIC ${shown(value)} names no country: ${of} is not one.` };
  }
  if (allowed.includes(of)) return undefined;
  const message = `BIC ${shown(value)} belongs to a bank in ${of}, but \`country\` is ${country} (allowed: ${allowed.join(', ')}).`;
  return { code: 'bic_invalid', message };
}
