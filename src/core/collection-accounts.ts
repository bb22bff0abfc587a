/**
 * The account that payers are shown: that of the settings, else the oldest bank account of the currency that takes collections. Both may be
 * known, and then they must be the same: money that is paid to another account is never seen. Pure.
 */
import type { CollectionAccount, Stored } from './objects.ts';

type BankAccount = Stored['bank_account'];

/** The open bank accounts that take payments in a currency, the oldest first. */
export const collecting = (all: readonly BankAccount[], currency: string): readonly BankAccount[] =>
  all.filter((each) => each.status === 'open' && each.currency === currency && each.uses.includes('collections'));

/** Whether payers are shown an account that none of the collecting ones is. */
export const isConflict = (shown: CollectionAccount | null | undefined, accounts: readonly BankAccount[]): boolean =>
  shown != null &&
  accounts.length > 0 &&
  !accounts.some(({ bankDetails }) => numberOf(bankDetails) === numberOf(shown));

const numberOf = ({ iban, clabe, account_number: number }: Readonly<Record<string, string>>): string | undefined =>
  iban ?? clabe ?? number;
