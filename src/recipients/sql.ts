/**
 * The statements of recipients. Loads and writes are set-based and run inside the write path; lists run on the readers.
 * Bank details come out of here whole: never send a row on without `renderRecipient`.
 */
import { idOf } from '../core/ids.ts';
import type { Metadata, Recipient } from '../core/objects.ts';
import { keyed } from '../db/wire/keyed.ts';
import { equal, type PageSource } from '../db/wire/page.ts';
import type { Row } from '../db/wire/statement.ts';
import { column, json, mutable, table } from '../db/wire/table.ts';

/** Updates are heap-only: the primary key is the only index. */
export const RECIPIENTS = table<Recipient>('recipients', {
  id: column('uuid', (recipient) => recipient.id),
  version: mutable('int4', (recipient) => recipient.version),
  name: mutable('text', (recipient) => recipient.name),
  type: column('text', (recipient) => recipient.type),
  currency: column('text', (recipient) => recipient.currency),
  country: column('text', (recipient) => recipient.country),
  email: mutable('text', (recipient) => recipient.email),
  bank_details: mutable('jsonb', (recipient) => json(recipient.bankDetails)),
  status: mutable('text', (recipient) => recipient.status),
  metadata: mutable('jsonb', (recipient) => json(recipient.metadata)),
  created_at: column('timestamptz', (recipient) => recipient.createdAt),
});

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

export function recipientFrom(row: Row): Recipient {
  return {
    object: 'recipient',
    id: idOf('rcp', row['id'] as string),
    version: row['version'] as number,
    name: row['name'] as string,
    type: row['type'] as Recipient['type'],
    currency: row['currency'] as string,
    country: row['country'] as string,
    email: row['email'] as string | null,
    bankDetails: JSON.parse(row['bank_details'] as string) as Record<string, string>,
    status: row['status'] as Recipient['status'],
    metadata: JSON.parse(row['metadata'] as string) as Metadata,
    createdAt: row['created_at'] as number,
  };
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
