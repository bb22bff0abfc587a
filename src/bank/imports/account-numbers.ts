/**
 * Whether a statement is about a bank account. Banks name it by IBAN, or by the national number, with or without the bank in front and
 * leading zeros. Each way here is exact; none looks at a part of a number. Pure.
 */
import type { AccountNumber } from '../../iso20022/read/items.ts';

type Details = Readonly<Record<string, string>>;

export function isNumberOf(details: Details, { iban, other }: Pick<AccountNumber, 'iban' | 'other'>): boolean {
  const { iban: own, account_number: number, clabe, sort_code: bank } = details;
  if (iban !== null && own !== undefined) return own === iban;
  // British: as it stands in an IBAN, behind the letters of the bank.
  if (iban !== null) return bank !== undefined && number !== undefined && iban.slice(4).endsWith(bank + number);
  if (other === null) return false;
  // Some Dutch banks put their name or BIC in front.
  const said = plain(own?.startsWith('NL') === true ? other.replace(/^[A-Za-z]+[0-9A-Za-z]*\//, '') : other);
  if (own !== undefined)
    return (
      numbersIn(own).some((each) => said === plain(each)) ||
      said === czechNumber(own, other) ||
      isBankAndNumber(own, other)
    );
  if (number === undefined) return clabe === other;
  return ['', ...banksOf(details)].some((bank) => said === plain(bank + number));
}

/** How an account with an IBAN is called within its country: what follows the check digits, and habits of single countries. */
function numbersIn(iban: string): string[] {
  const number = iban.slice(4);
  if (iban.startsWith('SE')) return [number, iban.slice(7)]; // without the bank
  if (iban.startsWith('PL')) return [number, iban.slice(2)]; // NRB, with the check digits
  if (iban.startsWith('GB')) return [number, iban.slice(8)]; // sort code and number
  if (iban.startsWith('NL')) return [number, iban.slice(8)]; // without the bank: older than its letters, and of one bank each
  return [number];
}

/** Czech and Slovak accounts: `19-2000145399/0800`, the prefix may be missing. `null`: it is not the one of the IBAN. */
function czechNumber(iban: string, other: string): string | null {
  const [, prefix = '', number = '', bank = ''] = /^(?:(\d{1,6})-)?(\d{2,10})\/(\d{4})$/.exec(other.trim()) ?? [];
  const isHere = iban.startsWith('CZ') || iban.startsWith('SK');
  return isHere && iban.slice(4) === bank + prefix.padStart(6, '0') + number.padStart(10, '0') ? plain(other) : null;
}

/**
 * Number of the bank and of the account, `37040044/532013000`, the latter without its zeros, in an MT940 of Germany or Austria. Together
 * they are all that stands in the IBAN.
 */
function isBankAndNumber(iban: string, other: string): boolean {
  const [, country = iban.slice(0, 2), bank = '', number = ''] = /^([A-Z]{2})?(\d{5,8})\/(\d{1,12})$/.exec(other) ?? [];
  const digits = iban.length - CHECKED_CHARACTERS - bank.length;
  return (
    iban.startsWith(country) && bank !== '' && iban.slice(CHECKED_CHARACTERS) === bank + number.padStart(digits, '0')
  );
}
/** Country and check digits. */
const CHECKED_CHARACTERS = 4;

/** Numbers of the bank or branch that may stand in front. */
const banksOf = (details: Details): string[] =>
  ['routing_number', 'sort_code', 'bsb', 'transit_number', 'ifsc'].flatMap((name) => details[name] ?? []);

const plain = (number: string): string =>
  number
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .replace(/^0+/, '');
