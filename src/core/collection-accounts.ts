/** The bank account that payers are shown: the oldest open one of the currency that takes collections. Pure. */
import type { Stored } from './objects.ts';

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
