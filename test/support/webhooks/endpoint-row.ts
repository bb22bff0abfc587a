/** The row of an enabled endpoint that asks for everything, as the dispatcher reads it; its secrets are not sealed. */
import { uuidOf } from '../../../src/core/values/ids.ts';
import type { Row } from '../../../src/platform/db/wire/statement.ts';
import { idAt } from '../harness/literals.ts';

export const endpointRow = (fields: Row): Row => ({
  environment_id: uuidOf(idAt('env', 1)),
  id: uuidOf(idAt('we', 1)),
  description: null,
  enabled_events: '["*"]',
  ordered: false,
  status: 'enabled',
  disabled_reason: null,
  first_failed_at: null,
  deleted_at: null,
  secrets: JSON.stringify([{ sealed: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', expires_at: null }]),
  headers: '[]',
  metadata: '{}',
  created_at: 0,
  ...fields,
});
