/** Bank details in words. The API shows the last four characters of an account and no more. */
import type { Recipient } from '../../../client/src/generated/types.ts';

const WORDS: Readonly<Record<string, string>> = {
  iban: 'IBAN',
  bic: 'BIC',
  account_number: 'Account number',
  routing_number: 'Routing number',
  account_type: 'Kind of account',
  sort_code: 'Sort code',
  bsb: 'BSB',
  ifsc: 'IFSC',
  clabe: 'CLABE',
  institution_number: 'Institution',
  transit_number: 'Transit number',
  bank_name: 'Bank',
};

/** `iban` → `IBAN`; a member that is new keeps its name. */
export const wordOf = (member: string): string => WORDS[member] ?? member.replaceAll('_', ' ');

/** What is hidden as three dots: `******************3000` → `···3000`. */
export const shown = (value: string): string => value.replace(/^\*+/, '···');

/** `DE ···3000` */
export function accountEndOf({ country, bank_details: details }: Pick<Recipient, 'country' | 'bank_details'>): string {
  const account = details.iban ?? details.account_number ?? details.clabe;
  return account === undefined ? country : `${country} ${shown(account)}`;
}
