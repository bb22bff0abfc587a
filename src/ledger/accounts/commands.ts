/** The commands of accounts, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as decide from './decide.ts';

export const accountDecisions = decisions({
  create_account: decide.createAccount,
  update_account: decide.updateAccount,
  close_account: decide.closeAccount,
  fund_account: decide.fundAccount,
});
export type AccountCommand = CommandOf<typeof accountDecisions>;
