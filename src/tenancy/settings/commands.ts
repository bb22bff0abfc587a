/** The commands of settings, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { approveBankAccounts, rejectBankAccounts, updateSettings } from './decide.ts';

export const settingsDecisions = decisions({
  update_settings: updateSettings,
  approve_bank_accounts: approveBankAccounts,
  reject_bank_accounts: rejectBankAccounts,
});
export type SettingsCommand = CommandOf<typeof settingsDecisions>;
