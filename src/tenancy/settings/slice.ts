/** Settings, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { slice } from '../../core/slice.ts';
import { approveBankAccounts, rejectBankAccounts, updateSettings } from './decide.ts';
import { renderSettings } from './schema.ts';
import { SETTINGS_ROWS } from './sql.ts';

const settingsAndFamilies = (need: ReadSet): void => {
  need.ownSettings();
  need.all('familiesOf');
};

export const settings = slice({
  decisions: {
    update_settings: updateSettings,
    approve_bank_accounts: approveBankAccounts,
    reject_bank_accounts: rejectBankAccounts,
  },
  needs: {
    update_settings: (need) => {
      need.ownSettings();
      need.all('bankAccountsOf');
    },
    approve_bank_accounts: settingsAndFamilies,
    reject_bank_accounts: settingsAndFamilies,
  },
  audited: ['update_settings', 'approve_bank_accounts', 'reject_bank_accounts'],
  tables: { settings: SETTINGS_ROWS },
  objects: { settings: { render: renderSettings } },
});
export type SettingsCommand = CommandOf<typeof settings.decisions>;
