/** The statements of fees: they are kept in the environment's row. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';

export const feesOf = (environmentId: string): Statement => ({
  name: 'fees_of',
  text: 'SELECT fees FROM environments WHERE environment_id = $1',
  values: [uuidOf(environmentId)],
});
