/**
 * The bank accounts that payouts leave from, as new payouts need them, the oldest first: of a currency the first one pays where none is
 * named. Kept in the environment's row.
 */

import { type Refusal, refusal } from '../values/errors.ts';
import { idOf, uuidOf } from '../values/ids.ts';
import type { CutOff } from './execution-day.ts';

export interface PayingBank extends CutOff {
  readonly id: string;
  readonly currency: string;
  /** Dialect of its payment files. */
  readonly profile: string;
  readonly country: string;
  readonly hasIban: boolean;
  /** Whether its files can name its holder. */
  readonly hasName: boolean;
  /** Whether its files say where its holder lives. */
  readonly hasAddress: boolean;
}

/** As JSON for the row; `null`: none. */
export const payingBanksToJson = (banks: readonly PayingBank[]): string | null =>
  banks.length === 0 ? null : JSON.stringify(banks.map((bank) => ({ ...bank, id: uuidOf(bank.id) })));

export const payingBanksFromJson = (json: string | null): readonly PayingBank[] =>
  json === null
    ? NO_BANKS
    : (JSON.parse(json) as readonly PayingBank[]).map((bank) => ({ ...bank, id: idOf('ba', bank.id) }));

export const NO_BANKS: readonly PayingBank[] = [];

/** The one that is named, or pays in the currency where none is. */
export const payingBankOf = (
  banks: readonly PayingBank[],
  { currency, bankAccount }: { readonly currency: string; readonly bankAccount: string | null },
): PayingBank | undefined =>
  banks.find((bank) => (bankAccount === null ? bank.currency === currency : bank.id === bankAccount));

/** Refuses `bank_account_currency_mismatch` and `bank_account_not_paying`. `param`: what named the account. */
export function refusedBankAccount(
  banks: readonly PayingBank[],
  id: string | null | undefined,
  currency: string,
  param = 'bank_account',
): Refusal | null {
  const found = banks.find((bank) => bank.id === id);
  if (id == null || found?.currency === currency) return null;
  const paying = banks.filter((bank) => bank.currency === currency).map((bank) => bank.id);
  const others =
    paying.length === 0
      ? `None of yours pays in ${currency}: add one with POST /v1/bank_accounts`
      : `These pay: ${paying.join(', ')}`;
  const details = { param, allowed: paying };
  if (found) {
    const message = `${param} is ${id}, which is in ${found.currency}, not ${currency}. ${others}.`;
    return refusal('bank_account_currency_mismatch', message, details);
  }
  const why = 'it is closed, or payouts is not among its uses';
  return refusal('bank_account_not_paying', `${param} is ${id}, which pays no payouts: ${why}. ${others}.`, details);
}
