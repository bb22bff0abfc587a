/** The table of settings. */
import { tableOf } from '../../platform/db/wire/table.ts';
import { SETTINGS } from './fields.ts';

export const SETTINGS_ROWS = tableOf(SETTINGS, 'settings');
