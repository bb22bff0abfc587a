/** Settings on the wire. There is one of them an environment, so that they have no id, and are not made but changed. */
import { strictObject } from '../../core/values/json-schema.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { SETTINGS, type Settings } from './fields.ts';

export function renderSettings(settings: Settings, livemode: boolean): string {
  return `{"object":"settings","livemode":${livemode}${SETTINGS.members(settings)}}`;
}

export const SETTINGS_EXAMPLE = {
  object: 'settings',
  livemode: false,
  ...SETTINGS.examples,
  name: 'Example GmbH',
  accent_color: '#0a7c53',
};

export const SETTINGS_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Settings: strictObject('How an environment appears to payers, and what it is told.', {
    object: { const: 'settings' },
    livemode: { type: 'boolean' },
    ...SETTINGS.schemas,
  }),
};
