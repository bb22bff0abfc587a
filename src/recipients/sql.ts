/**
 * The statements of recipients. Loads and writes are set-based and run inside the write path; lists run on the readers.
 * Bank details come out of here whole: never send a row on without `RECIPIENT.render`.
 */
import { RECIPIENT, type Recipient } from './fields.ts';
import { keyed } from '../db/wire/keyed.ts';
import { equal, type PageSource } from '../db/wire/page.ts';
import { column, json, table, tableOf } from '../db/wire/table.ts';

/** Updates are heap-only: the primary key is the only index. */
export const RECIPIENTS = tableOf(RECIPIENT, 'recipients');

/** Insert only: a payout names a version, so none is ever changed. */
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

/** When this version came to be: a new one says so (`FreshRecipient`), the first is as old as the recipient. */
function versionedAt(recipient: Recipient): number {
  const isFresh = 'versionedAt' in recipient && typeof recipient.versionedAt === 'number';
  return isFresh ? (recipient.versionedAt as number) : recipient.createdAt;
}

/** Recipients by id, archived ones too. */
export const loadRecipients = keyed('recipients', RECIPIENTS.columns('r'), 'r');

export interface RecipientFilters {
  readonly currency: string | undefined;
  readonly country: string | undefined;
  readonly type: string | undefined;
  readonly status: string;
}

/** The list, by primary key; filters are applied on the way. */
export function recipientList(environmentId: string, filters: RecipientFilters): PageSource {
  const conditions = equal({
    't.currency': filters.currency,
    't.country': filters.country,
    't.type': filters.type,
    't.status': filters.status,
  });
  return { from: 'recipients AS t', columns: RECIPIENTS.columns('t'), environmentId, conditions };
}
