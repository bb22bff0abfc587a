/** The commands of bank accounts, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { closeBankAccount, createBankAccount, resumeExports, updateBankAccount } from './decide.ts';

export const bankDecisions = decisions({
  create_bank_account: createBankAccount,
  update_bank_account: updateBankAccount,
  close_bank_account: closeBankAccount,
  resume_bank_account: resumeExports,
});
export type BankCommand = CommandOf<typeof bankDecisions>;
