/** The parameters of requests about settings. Answers: `schema.ts`. */
import { isValidBIC, isValidIBAN } from 'ibantools';
import { withoutBlanks } from '../../core/rails/blanks.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import type { CollectionAccount } from '../../core/objects.ts';
import { invalid, isObject, param } from '../../platform/http/request/param.ts';
import {
  boolean,
  integer,
  metadata,
  object,
  optional,
  optionalParams,
  type Param,
  paramError,
  text,
} from '../../platform/http/request/params.ts';

/** Bytes of the picture, before base64. */
export const LOGO_MAX_BYTES = 65_536;
const LOGO_MAX_CHARACTERS = Math.ceil(LOGO_MAX_BYTES / 3) * 4;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

export function logoType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : null;
}

/** PNG and JPEG only: an SVG can hold a script. */
const logo: Param<string> = {
  ...param(
    { description: 'A PNG or JPEG of at most 64 kB, in base64. An empty value removes it.' },
    { type: 'string', maxLength: LOGO_MAX_CHARACTERS },
    (value, path) => {
      if (value === '') return value;
      const refuse = (why: string) => paramError('logo_invalid', path, `${path} ${why}`);
      if (typeof value !== 'string') throw invalid(path, value, 'base64 text');
      if (value.length > LOGO_MAX_CHARACTERS) throw refuse(`is larger than ${LOGO_MAX_BYTES / 1024} kB.`);
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) throw refuse('must be base64, padded.');
      if (logoType(Buffer.from(value, 'base64')) === null) throw refuse('must be a PNG or JPEG picture.');
      return value;
    },
  ),
  clearable: true,
};

const compact = (max: number, description: string, pattern: RegExp, shape: string, example?: string) =>
  param(
    { description, ...(example !== undefined && { example }) },
    { type: 'string', maxLength: 60 },
    (value, path) => {
      if (typeof value !== 'string' || value.length > 60) throw invalid(path, '…', shape);
      const kept = withoutBlanks(value).replaceAll('-', '').toUpperCase();
      // The message does not show the value: a mistyped account number is still an account number.
      if (kept.length > max || !pattern.test(kept))
        throw paramError('parameter_invalid', path, `${path} must be ${shape}.`);
      return kept;
    },
  );

const details = object(
  {
    account_holder: text({
      kind: 'name',
      max: 70,
      description: 'Name of the account holder at the bank.',
      example: 'Example GmbH',
    }),
    ...optional({
      bank_name: text({ kind: 'name', max: 70, description: 'Name of the bank.' }),
      iban: compact(34, 'IBAN. EUR needs it.', /^[A-Z0-9]+$/, 'an IBAN', 'DE89370400440532013000'),
      bic: compact(11, 'BIC of the bank.', /^[A-Z0-9]+$/, 'a BIC', 'COBADEFFXXX'),
      account_number: compact(34, 'Account number, if there is no IBAN.', /^[A-Z0-9]+$/, 'letters and digits'),
      routing_number: compact(9, 'ABA routing number.', /^\d{9}$/, 'nine digits'),
      sort_code: compact(6, 'Sort code.', /^\d{6}$/, 'six digits'),
      bsb: compact(6, 'Bank State Branch number.', /^\d{6}$/, 'six digits'),
      ifsc: compact(
        11,
        'Indian Financial System Code.',
        /^[A-Z]{4}0[A-Z0-9]{6}$/,
        'eleven characters, the fifth a zero',
      ),
      clabe: compact(18, 'CLABE.', /^\d{18}$/, '18 digits'),
    }),
  },
  { description: 'Details of one account.' },
);

/** Currency to account; an empty value removes one. */
const bankAccounts: Param<Readonly<Record<string, CollectionAccount | null>>> = param(
  {
    description:
      'Where payers send money, by currency: `bank_accounts[EUR][iban]`. An empty value for a currency removes it.',
  },
  {
    type: 'object',
    propertyNames: { pattern: '^[A-Za-z]{3}$' },
    additionalProperties: { anyOf: [details.schema, { const: '' }] },
  },
  (value, path, notation) => {
    if (!isObject(value)) throw invalid(path, value, `an object (form: ${path}[EUR][iban]=…)`);
    return Object.fromEntries(
      Object.entries(value).map(([code, account]) => {
        const at = `${path}[${code}]`;
        const known = /^[A-Za-z]{3}$/.test(code) ? currencyOf(code.toUpperCase())?.code : undefined;
        if (!known) throw paramError('currency_unsupported', at, `${at} is not named by a current ISO 4217 currency.`);
        return [known, account === '' ? null : accountIn(details.parse(account, at, notation), known, at)];
      }),
    );
  },
  details.codes,
);

function accountIn(given: ReturnType<typeof details.parse>, currency: string, path: string): CollectionAccount {
  const { iban, bic, account_number: number, clabe } = given;
  if (iban !== undefined && !isValidIBAN(iban)) {
    throw paramError('iban_invalid', `${path}[iban]`, `${path}[iban] is wrong: length, check digits or country.`);
  }
  if (bic !== undefined && !isValidBIC(bic)) {
    throw paramError('bic_invalid', `${path}[bic]`, `${path}[bic] must be a BIC of 8 or 11 characters.`);
  }
  if (currency === 'EUR' && iban === undefined) {
    throw paramError('parameter_missing', `${path}[iban]`, `${path}[iban] is missing: euros are sent to an IBAN.`);
  }
  if (iban === undefined && number === undefined && clabe === undefined) {
    const message = `${path} needs iban, account_number or clabe.`;
    throw paramError('parameter_missing', `${path}[account_number]`, message);
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as CollectionAccount;
}

export const updateSettingsParams = optionalParams({
  name: text({
    kind: 'name',
    max: 70,
    clearable: true,
    description: 'Name shown to payers. An empty value unsets it.',
  }),
  logo,
  accent_color: text({
    kind: 'code',
    max: 7,
    pattern: /^#[0-9a-fA-F]{6}$/,
    shape: 'a colour such as #0a7c53',
    clearable: true,
    description: 'Colour of buttons, as #rrggbb. An empty value unsets it.',
    example: '#0a7c53',
  }),
  bank_accounts: bankAccounts,
  payment_reminder_days: integer({
    description:
      'A payment that still waits for money after so many days causes `payment.reminder_due`. It counts for payments started from now on. 0: never.',
    min: 0,
    max: 13,
    example: 3,
  }),
  daily_statements: boolean({
    description:
      'Whether each day has a statement and the event `statement.created` once it has ended (UTC, by the clock of the environment). It begins with the day of the change. Off by default.',
  }),
  metadata: metadata(),
});
