/** The statements of environments. The row that is the lock of the path is read in `write/load.ts`. */
import type { Statement } from '../../platform/db/wire/statement.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import { RESTORE } from './fields.ts';

export const RESTORES = tableOf(RESTORE, 'restores');

/** The ids of all environments. */
export const ALL_ENVIRONMENTS: Statement = {
  text: 'SELECT environment_id FROM environments ORDER BY environment_id',
  values: [],
};
