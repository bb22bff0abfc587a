/**
 * Whether a statement is about a bank account. Banks name one account in several ways: by IBAN, by the national number in it, with or without
 * the number of the bank in front, with or without leading zeros. Each way here is exact; none looks at a part of a number. Pure.
 */
import type { AccountNumber } from '../../iso20022/read/items.ts';

type Details = Readonly<Record<string, string>>;

export function isNumberOf(details: Details, { iban, other }: Pick<AccountNumber, 'iban' | 'other'>): boolean {
  const own = details['iban'];
  if (iban !== null) return own === undefined ? iban.slice(4).endsWith(britishNumber(details) ?? NONE) : own === iban;
  if (other === null) return false;
  const said = plain(other);
  if (own !== undefined)
    return numbersIn(own).some((number) => said === plain(number)) || said === czechNumber(own, other);
  const { account_number: number, clabe } = details;
  if (number === undefined) return clabe === other;
  return ['', ...banksOf(details)].some((bank) => said === plain(bank + number));
}

/** No IBAN ends with it. */
const NONE = '-';

/** How an account with an IBAN is called within its country: what follows the check digits, and habits of single countries. */
function numbersIn(iban: string): string[] {
  const number = iban.slice(4);
  if (iban.startsWith('SE')) return [number, iban.slice(7)]; // without the bank
  if (iban.startsWith('PL')) return [number, iban.slice(2)]; // NRB, with the check digits
  if (iban.startsWith('GB')) return [number, iban.slice(8)]; // sort code and number
  return [number];
}

/** Czech and Slovak accounts are written `19-2000145399/0800`: a prefix that may be missing, the number, the bank. As the IBAN has it, else `null`. */
function czechNumber(iban: string, other: string): string | null {
  const [, prefix = '', number = '', bank = ''] = /^(?:(\d{1,6})-)?(\d{2,10})\/(\d{4})$/.exec(other.trim()) ?? [];
  const isHere = iban.startsWith('CZ') || iban.startsWith('SK');
  return isHere && iban.slice(4) === bank + prefix.padStart(6, '0') + number.padStart(10, '0') ? plain(other) : null;
}

/** As it stands in an IBAN, behind the letters of the bank. */
const britishNumber = ({ sort_code: bank, account_number: number }: Details): string | null =>
  bank === undefined || number === undefined ? null : bank + number;

/** Numbers of the bank or branch that may stand in front. */
const banksOf = (details: Details): string[] =>
  ['routing_number', 'sort_code', 'bsb', 'transit_number', 'ifsc'].flatMap((name) => details[name] ?? []);

const plain = (number: string): string =>
  number
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .replace(/^0+/, '');
