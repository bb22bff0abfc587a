/** What names a movement, from a row of `statementPage` (`sql.ts`). */
import { idOf } from '../../core/values/ids.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import type { Names } from './lines.ts';

const idOrNull = (prefix: 'rcp' | 'plink' | 'pay', uuid: unknown) =>
  uuid === null ? null : idOf(prefix, uuid as string);

export const namesFrom = (row: Row): Names => ({
  recipient: idOrNull('rcp', row['recipient_id']),
  recipientName: row['recipient_name'] as string | null,
  reference: row['reference'] as string | null,
  externalId: row['external_id'] as string | null,
  paymentLink: idOrNull('plink', row['link_id']),
  refundOf: idOrNull('pay', row['refund_of']),
});
