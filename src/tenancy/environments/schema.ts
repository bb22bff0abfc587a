/** What environments tell of themselves, on the wire. */
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { RESTORE } from './fields.ts';

export const ENVIRONMENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Restore: schemaOf(RESTORE, 'A restore of the database from a backup.'),
};
