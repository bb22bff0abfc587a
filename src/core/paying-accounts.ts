/** Bank accounts that a command names to pay payouts. Pure. What the environment's row knows of them: `rails/paying-banks.ts`. */
import type { Draft } from './draft.ts';
import { refusedBankAccount } from './rails/paying-banks.ts';
import { missing, type Refusal } from './values/errors.ts';

/**
 * Refuses `resource_missing`, `bank_account_currency_mismatch` and `bank_account_not_paying`. A command that names a bank account has loaded
 * those of its environment. `param`: what names it; that of a recipient was there when it was given.
 */
export function refusedPayingAccount(
  draft: Draft,
  id: string | null | undefined,
  currency: string,
  param: 'bank_account' | 'recipient' = 'bank_account',
): Refusal | null {
  if (id == null) return null;
  const { payingBanks } = draft.state.environment;
  const isKnown = param === 'recipient' || payingBanks.some((bank) => bank.id === id) || draft.find('bank_account', id);
  return isKnown ? refusedBankAccount(payingBanks, id, currency, param) : missing('bank account', id, param);
}
