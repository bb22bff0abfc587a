/**
 * Bank details: from typed text to one canonical record, or to all faults. A message never holds a whole account
 * number: of any field it shows the last four characters only. Pure. Which fields belong: `requirements.ts`.
 */
import { ValidationErrorsIBAN, isValidBIC, validateIBAN } from 'ibantools';
import { withoutBlanks } from '../../core/rails/blanks.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import type { Code } from '../../core/values/errors.ts';
import { bicCountries, ibanLength, ibanPrefixes } from './iban-countries.ts';
import { BANK_FIELDS, type BankField, type Requirement, type Scheme, schemesFor } from './requirements.ts';

/** Validated and normalised: no blanks or hyphens, upper case, the fields of one scheme only. */
export type BankDetails = { readonly [F in BankField]?: string };

export interface BankFault {
  readonly param: string;
  readonly code: Code;
  readonly message: string;
}

export type BankCheck =
  | { readonly ok: true; readonly details: BankDetails }
  | { readonly ok: false; readonly faults: readonly [BankFault, ...BankFault[]] };

/** Account identifiers, masked in every output. A scheme has exactly one. */
export const ACCOUNT_FIELDS = ['iban', 'account_number', 'clabe'] as const satisfies readonly BankField[];

// Longer than any field allows. A longer value is refused before a regular expression reads it.
const MAX_RAW_CHARACTERS = 256;

/**
 * Checks the bank details of an account in `country` for payouts in `currency` (both upper case). Returns all faults, those
 * of fields that do not belong first, then those of the scheme's fields. Of several accepted schemes it takes the one that
 * shares most fields with `fields`. Codes: `country_unsupported`, `currency_unsupported`, `parameter_missing`, `parameter_unknown`,
 * `parameter_invalid`, `iban_invalid` and those of {@link FIELD_CODES}.
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
  return { ok: true, details };
}

/** The details for output: account identifiers with all but their last four characters as `*`, other fields unchanged. */
export function maskBankDetails(details: BankDetails): BankDetails {
  const out: { [F in BankField]?: string } = {};
  for (const field of Object.keys(BANK_FIELDS) as BankField[]) {
    const value = details[field];
    if (value !== undefined) out[field] = ACCOUNT_FIELDS.some((each) => each === field) ? masked(value) : value;
  }
  return out;
}

/** The masked number of the account: all that remains of bank details after the person was erased. */
export function accountOnly(details: BankDetails): Readonly<Record<string, string>> {
  const field = ACCOUNT_FIELDS.find((account) => details[account] !== undefined);
  return field === undefined ? {} : { [field]: masked(details[field] as string) };
}

/** All but the last four characters hidden; of four or less, all. */
const masked = (value: string): string => (value.length <= 4 ? '' : value.slice(-4)).padStart(value.length, '*');

/** A refused value for a message: at most its last four characters, and none that could garble a log line or a terminal. */
function shown(value: string): string {
  if (value === '') return 'an empty value';
  return masked(value.slice(-40)).replace(/[^A-Za-z0-9*]/g, '?');
}

/** A parameter's name for a message: cut and reduced to plain characters, because a client chose it. */
function named(param: string): string {
  return `\`${param.slice(0, 40).replace(/[^A-Za-z0-9_.[\]-]/g, '?')}\``;
}

function closest(schemes: readonly Scheme[], given: ReadonlyMap<string, string>): Scheme | undefined {
  const shared = (scheme: Scheme) => scheme.fields.filter(({ field }) => given.has(field)).length;
  // The earlier scheme wins a tie: the list is in order of preference.
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

/** A detail without what its spelling adds. */
export function normalised(field: BankField, raw: string): string {
  if (field === 'bank_name') return raw.trim().normalize('NFC');
  if (field === 'account_type') return raw.trim().toLowerCase();
  const bare = withoutBlanks(raw).replaceAll('-', '');
  // ASCII only: upper case turns some other letters into ASCII (the ligature "ﬁ" becomes "FI").
  return /^[A-Za-z0-9]*$/.test(bare) ? bare.toUpperCase() : bare;
}

/** An IBAN to look for, normalised; else its fault, which never holds the whole of it. */
export function ibanToFind(raw: string): { readonly iban: string } | Wrong {
  const iban = raw.length > MAX_RAW_CHARACTERS ? raw : normalised('iban', raw);
  const prefix = iban.slice(0, 2);
  if (ibanLength(prefix) === undefined) {
    const message = `IBAN ${shown(iban)} is wrong: it begins with the two letters of a country that has IBANs.`;
    return { code: 'iban_invalid', message };
  }
  return ibanFault(iban, prefix) ?? { iban };
}

/** The country that an IBAN begins with; `undefined`: none that has IBANs. */
export function countryOfIban(raw: string): string | undefined {
  const prefix = normalised('iban', raw.slice(0, MAX_RAW_CHARACTERS)).slice(0, 2);
  return ibanLength(prefix) === undefined ? undefined : prefix;
}

type Wrong = Omit<BankFault, 'param'>;

/** The code of a field's faults; `parameter_invalid` for the others. */
const FIELD_CODES: { readonly [F in BankField]?: Code } = {
  bic: 'bic_invalid',
  routing_number: 'routing_number_invalid',
  sort_code: 'sort_code_invalid',
  account_number: 'account_number_invalid',
  clabe: 'account_number_invalid',
};

function faultOf(requirement: Requirement, value: string, country: string): Wrong | undefined {
  const { field, regex, label, description } = requirement;
  if (field === 'iban') return ibanFault(value, country);
  const fits = value.length <= MAX_RAW_CHARACTERS && new RegExp(regex, 'u').test(value);
  // Control and format characters (direction overrides, zero-width) could make the output lie.
  if (field === 'bank_name' && !(fits && !/\p{C}/u.test(value))) {
    const message = '`bank_name` takes 1 to 140 characters, without control characters.';
    return { code: 'parameter_invalid', message };
  }
  const code = FIELD_CODES[field] ?? 'parameter_invalid';
  if (!fits) return { code, message: `${label} is wrong: got ${shown(value)}. ${description}` };
  if (field === 'bic') return bicFault(value, country);
  const failsCheckDigit =
    (field === 'routing_number' && !isAbaNumber(value)) ||
    (field === 'clabe' && clabeCheckDigit(value.slice(0, 17)) !== value[17]);
  if (!failsCheckDigit) return undefined;
  return { code, message: `${label} ${shown(value)} fails its check digit. ${description}` };
}

function ibanFault(value: string, country: string): Wrong | undefined {
  const wrong = (why: string): Wrong => ({ code: 'iban_invalid', message: `IBAN ${shown(value)} ${why}` });
  const prefixes = ibanPrefixes(country);
  if (!/^[A-Z]{2}[A-Z0-9]{1,40}$/.test(value)) {
    return wrong(`is wrong: it begins with ${prefixes.join(' or ')} and holds letters and digits only.`);
  }
  const prefix = value.slice(0, 2);
  if (!prefixes.includes(prefix)) {
    const begins = `whose IBANs begin with ${prefixes.join(' or ')}. \`country\` is where the account is held.`;
    return wrong(`is of ${prefix}, but \`country\` is ${country}, ${begins}`);
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
  const wrong = (why: string): Wrong => ({ code: 'bic_invalid', message: `BIC ${shown(value)} ${why}` });
  const allowed = bicCountries(country);
  const of = value.slice(4, 6);
  if (!isValidBIC(value)) return wrong(`names no country: ${of} is not one.`);
  if (allowed.includes(of)) return undefined;
  return wrong(`belongs to a bank in ${of}, but \`country\` is ${country} (allowed: ${allowed.join(', ')}).`);
}

/**
 * The digits weighted 3, 7, 1, 3, … and added up, modulo ten. (A CLABE takes each product modulo ten, which comes to the same.) Sort codes
 * have a modulus check too, but its tables are licensed: only their form is checked.
 */
const weightedSum = (digits: string): number =>
  digits.split('').reduce((sum, digit, place) => sum + Number(digit) * ([3, 7, 1][place % 3] as number), 0) % 10;

/** Whether nine digits are an ABA routing number: the weighted sum is a multiple of ten. Source: ABA key to routing numbers. */
export const isAbaNumber = (digits: string): boolean => weightedSum(digits) === 0;

/** The 18th digit of a CLABE from the first 17: what is missing from their weighted sum to a multiple of ten. Source: Banco de México. */
export const clabeCheckDigit = (first17: string): string => String((10 - weightedSum(first17)) % 10);

/** What names the bank of an `account_number`. The BIC only where there is nothing of the country. */
const BANK_NUMBERS = ['routing_number', 'sort_code', 'bsb', 'ifsc', 'institution_number', 'transit_number'] as const;

/** A British IBAN is a sort code and an account number. */
const BRITISH = /^GB\d\d[A-Z]{4}(\d{6})(\d{8})$/;

/**
 * The account in one text, whatever else is known of it: an IBAN is enough, an account number needs its bank. An account that can be written in
 * two ways is one. Behind it stands what older rows name it by.
 */
export function accountsOf(details: BankDetails): readonly string[] {
  const { iban, clabe, account_number: number, bic } = details;
  if (iban !== undefined) {
    const [, sortCode, british] = BRITISH.exec(iban) ?? [];
    const own = `iban ${iban}`;
    return british === undefined ? [own] : [`account_number ${british} sort_code ${sortCode}`, own];
  }
  if (clabe !== undefined) return [`clabe ${clabe}`];
  if (number === undefined) return [];
  const bank = BANK_NUMBERS.flatMap((name) => (details[name] === undefined ? [] : [`${name} ${details[name]}`]));
  return [['account_number', number, ...(bank.length > 0 ? bank : [`bic ${bic?.slice(0, 8)}`])].join(' ')];
}
