/** Accounts, as the write path knows them. */
import { ACCOUNT } from '../../core/account.ts';
import type { CommandOf } from '../../core/decision.ts';
import { nothing, slice } from '../../core/slice.ts';
import * as decide from './decide.ts';
import { ACCOUNTS } from './sql.ts';

export const accounts = slice({
  decisions: {
    create_account: decide.createAccount,
    update_account: decide.updateAccount,
    close_account: decide.closeAccount,
    fund_account: decide.fundAccount,
  },
  needs: {
    create_account: nothing,
    update_account: (need, { account }) => need.keys('accounts', account),
    close_account: (need, { account }) => need.closing(account),
    fund_account: (need, { account }) => need.keys('accounts', account),
  },
  tables: { account: ACCOUNTS },
  objects: { account: ACCOUNT },
});
export type AccountCommand = CommandOf<typeof accounts.decisions>;
