/**
 * The statements of recipients, set-based. Rows hold the whole bank details: only `RECIPIENT.render` may show a row, since
 * it masks them.
 */
import { RECIPIENT, type Recipient } from './fields.ts';
import { column, json, table, tableOf } from '../db/wire/table.ts';

/** Updates are heap-only: the primary key is the only index. */
export const RECIPIENTS = tableOf(RECIPIENT, 'recipients');

/** Insert only: payouts name the version they were made with, so no version ever changes. */
export const RECIPIENT_VERSIONS = table<Recipient>('recipient_versions', {
  recipient_id: column('uuid', (recipient) => recipient.id),
  version: column('int4', (recipient) => recipient.version),
  name: column('text', (recipient) => recipient.name),
  type: column('text', (recipient) => recipient.type),
  currency: column('text', (recipient) => recipient.currency),
  country: column('text', (recipient) => recipient.country),
  bank_details: column('jsonb', (recipient) => json(recipient.bankDetails)),
  created_at: column('timestamptz', versionedAt),
});

/** When this version was made. A `FreshRecipient` carries the instant; the first version is as old as the recipient. */
function versionedAt(recipient: Recipient): number {
  const isFresh = 'versionedAt' in recipient && typeof recipient.versionedAt === 'number';
  return isFresh ? (recipient.versionedAt as number) : recipient.createdAt;
}
