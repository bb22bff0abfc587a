/** The statements of settings: one row an environment, with the environment's id. */
import { idOf } from '../core/ids.ts';
import type { Settings } from './fields.ts';
import type { Row } from '../db/wire/statement.ts';
import { column, json, mutable, table } from '../db/wire/table.ts';

export const SETTINGS = table<Settings>('settings', {
  id: column('uuid', (settings) => settings.id),
  name: mutable('text', (settings) => settings.name),
  logo: mutable('text', (settings) => settings.logo),
  accent_color: mutable('text', (settings) => settings.accentColor),
  bank_accounts: mutable('jsonb', (settings) => json(settings.bankAccounts)),
  created_at: column('timestamptz', (settings) => settings.createdAt),
});

export function settingsFrom(row: Row): Settings {
  return {
    object: 'settings',
    id: idOf('env', row['id'] as string),
    name: row['name'] as string | null,
    logo: row['logo'] as string | null,
    accentColor: row['accent_color'] as string | null,
    bankAccounts: JSON.parse(row['bank_accounts'] as string) as Settings['bankAccounts'],
    createdAt: row['created_at'] as number,
  };
}
