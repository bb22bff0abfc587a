/** Settings on the wire: without `created`, because they are not made but changed. */
import { type JsonSchema, strictObject } from '../core/json-schema.ts';
import { SETTINGS, type Settings } from './fields.ts';

export function renderSettings(settings: Settings, livemode: boolean): string {
  return `{"id":"${settings.id}","object":"settings","livemode":${livemode}${SETTINGS.members(settings)}}`;
}

export const SETTINGS_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Settings: strictObject('What an environment says about itself to payers, and where they send money.', {
    id: { type: 'string', description: 'That of the environment.' },
    object: { const: 'settings' },
    livemode: { type: 'boolean' },
    ...SETTINGS.schemas,
  }),
};
