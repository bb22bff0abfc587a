/** The commands of accounts, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import {
  type CreateAccount,
  createAccount,
  type UpdateAccount,
  updateAccount,
  type CloseAccount,
  closeAccount,
  type FundAccount,
  fundAccount,
} from './decide.ts';

export type AccountCommand = CreateAccount | UpdateAccount | CloseAccount | FundAccount;

export const accountDecisions: Decisions<AccountCommand> = {
  create_account: createAccount,
  update_account: updateAccount,
  close_account: closeAccount,
  fund_account: fundAccount,
};
