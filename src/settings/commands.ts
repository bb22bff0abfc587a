/** The commands of settings, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import { type UpdateSettings, updateSettings } from './decide.ts';

export type SettingsCommand = UpdateSettings;

export const settingsDecisions: Decisions<SettingsCommand> = {
  update_settings: updateSettings,
};
