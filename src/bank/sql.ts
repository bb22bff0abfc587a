/** The statements of bank accounts. */
import { uuids } from '../db/wire/columns.ts';
import type { Statement } from '../db/wire/statement.ts';
import { tableOf } from '../db/wire/table.ts';
import { BANK_ACCOUNT } from './fields.ts';

export const BANK_ACCOUNTS = tableOf(BANK_ACCOUNT, 'bank_accounts');

/** All bank accounts of these environments; an environment has few. */
export function loadBankAccountsOf(environmentIds: readonly string[]): Statement {
  return {
    name: 'load_bank_accounts_of',
    text: `SELECT ${BANK_ACCOUNTS.columns('b')} FROM bank_accounts b
      WHERE b.environment_id = ANY ($1::uuid[]) ORDER BY b.environment_id, b.id`,
    values: [uuids(environmentIds)],
  };
}
