/** Settings on the wire. They are as old as their environment, whose id they have: they are not made but changed. */
import { instantOf } from '../../core/values/ids.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { SETTINGS, type Settings } from './fields.ts';

export function renderSettings(settings: Settings, livemode: boolean): string {
  return SETTINGS.render({ ...settings, createdAt: instantOf(settings.id) }, livemode);
}

export const SETTINGS_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Settings: schemaOf(
    SETTINGS,
    'How an environment appears to payers, and what it is told. `id` and `created` are those of the environment.',
  ),
};
