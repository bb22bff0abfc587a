/** A company as others see it: its name, and which of its bank accounts pay and are paid. Pure. What the environment's row knows: `rails/paying-banks.ts`. */
import type { Draft } from './draft.ts';
import type { Stored } from './objects.ts';
import { refusedBankAccount } from './rails/paying-banks.ts';
import { missing, type Refusal } from './values/errors.ts';

/** The merchant of a first start, until the operator names others. An internal name: nobody outside reads it. */
export const FIRST_MERCHANT = 'default';

/**
 * That name in SQL: of the settings; else of the merchant, unless that is {@link FIRST_MERCHANT}; else the holder of the
 * company's oldest bank account. Takes the aliases of `settings` (may be missing), `merchants` and `environments`.
 */
export const companyName = (settings: string, merchant: string, environment: string): string =>
  `coalesce(${settings}.name, nullif(${merchant}.name, '${FIRST_MERCHANT}'),
        (SELECT b.holder FROM bank_accounts b WHERE b.environment_id = ${environment}.environment_id ORDER BY b.environment_id, b.id LIMIT 1),
        CASE WHEN ${environment}.livemode THEN 'Payee' ELSE 'Example company' END)`;

type BankAccount = Stored['bank_account'];

/** The open bank accounts that take payments in a currency, the oldest first. */
export const collecting = (all: readonly BankAccount[], currency: string): readonly BankAccount[] =>
  all.filter((each) => each.status === 'open' && each.currency === currency && each.uses.includes('collections'));

/**
 * The first of them in SQL, as `id`, `holder`, `bank_details`, and `account`: these and the address of the holder, all texts. Every place that shows payers an account asks here. What waits for a second
 * person is not in `uses` (`bank/accounts/hold-decide.ts`).
 */
export const collectingIn = (environmentId: string, currency: string): string =>
  `SELECT b.id, b.holder, b.bank_details, b.bank_details || jsonb_build_object('account_holder', b.holder) || jsonb_strip_nulls(coalesce(b.holder_address, '{}')) AS account FROM bank_accounts b WHERE b.environment_id = ${environmentId} AND b.currency = ${currency}
        AND b.status = 'open' AND 'collections' = ANY (b.uses) ORDER BY b.environment_id, b.id LIMIT 1`;

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
