/** Own accounts at banks, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { slice } from '../../core/slice.ts';
import { closeBankAccount, createBankAccount, resumeExports, updateBankAccount } from './decide.ts';
import { approveBankAccount, rejectBankAccount } from './hold-decide.ts';
import { BANK_ACCOUNT } from './fields.ts';
import { BANK_ACCOUNTS } from './sql.ts';

/** All bank accounts, and what the settings say of them. */
const bankAccountsAndSettings = (need: ReadSet): void => {
  need.all('bankAccountsOf');
  need.ownSettings();
};

export const bankAccounts = slice({
  decisions: {
    create_bank_account: createBankAccount,
    update_bank_account: updateBankAccount,
    close_bank_account: closeBankAccount,
    resume_bank_account: resumeExports,
    approve_bank_account: approveBankAccount,
    reject_bank_account: rejectBankAccount,
  },
  needs: {
    create_bank_account: bankAccountsAndSettings,
    update_bank_account: bankAccountsAndSettings,
    close_bank_account: bankAccountsAndSettings,
    resume_bank_account: bankAccountsAndSettings,
    approve_bank_account: (need) => {
      bankAccountsAndSettings(need);
      need.all('familiesOf');
    },
    reject_bank_account: bankAccountsAndSettings,
  },
  audited: [
    'create_bank_account',
    'update_bank_account',
    'close_bank_account',
    'resume_bank_account',
    'approve_bank_account',
    'reject_bank_account',
  ],
  tables: { bank_account: BANK_ACCOUNTS },
  objects: { bank_account: BANK_ACCOUNT },
});
export type BankCommand = CommandOf<typeof bankAccounts.decisions>;
