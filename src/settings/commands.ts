/** The commands of settings, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../core/decision.ts';
import { updateSettings } from './decide.ts';

export const settingsDecisions = decisions({ update_settings: updateSettings });
export type SettingsCommand = CommandOf<typeof settingsDecisions>;
