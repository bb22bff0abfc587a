/** Settings, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { slice } from '../../core/slice.ts';
import { updateSettings } from './decide.ts';
import { renderSettings } from './schema.ts';
import { SETTINGS_ROWS } from './sql.ts';

export const settings = slice({
  decisions: { update_settings: updateSettings },
  needs: { update_settings: (need) => need.ownSettings() },
  audited: ['update_settings'],
  tables: { settings: SETTINGS_ROWS },
  objects: { settings: { render: renderSettings } },
});
export type SettingsCommand = CommandOf<typeof settings.decisions>;
