/** The commands of accounts, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import * as decide from './decide.ts';

export type AccountCommand = decide.CreateAccount | decide.UpdateAccount | decide.CloseAccount | decide.FundAccount;

export const accountDecisions: Decisions<AccountCommand> = {
  create_account: decide.createAccount,
  update_account: decide.updateAccount,
  close_account: decide.closeAccount,
  fund_account: decide.fundAccount,
};
