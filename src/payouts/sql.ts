/** The statements of payouts and payout batches. Loads and writes run inside the write path, the rest on the readers. */
import { idOf, type Prefix } from '../core/ids.ts';
import type { Metadata, Payout, PayoutBatch } from '../core/objects.ts';
import { texts, uuids } from '../db/wire/columns.ts';
import { KEYS, keyed } from '../db/wire/keyed.ts';
import type { Key, Row, Statement } from '../db/wire/statement.ts';
import { column, json, mutable, table } from '../db/wire/table.ts';
import { unnest } from '../db/wire/unnest.ts';

/** The primary key is the only index an update of status touches not at all; payouts_due loses the row when it ends. */
export const PAYOUTS = table<Payout>('payouts', {
  id: column('uuid', (payout) => payout.id),
  account_id: column('uuid', (payout) => payout.account),
  recipient_id: column('uuid', (payout) => payout.recipient),
  recipient_version: column('int4', (payout) => payout.recipientVersion),
  amount: column('int8', (payout) => payout.amount),
  currency: column('text', (payout) => payout.currency),
  status: mutable('text', (payout) => payout.status),
  transfer_id: column('uuid', (payout) => payout.transfer),
  created_at: column('timestamptz', (payout) => payout.createdAt),
  reversal_id: mutable('uuid', (payout) => payout.reversal),
  batch_id: column('uuid', (payout) => payout.batch),
  reference: column('text', (payout) => payout.reference),
  statement_descriptor: column('text', (payout) => payout.statementDescriptor),
  external_id: column('text', (payout) => payout.externalId),
  scheduled_for: column('date', (payout) => payout.scheduledFor),
  failure_code: mutable('text', (payout) => payout.failureCode),
  metadata: mutable('jsonb', (payout) => (Object.keys(payout.metadata).length === 0 ? null : json(payout.metadata))),
  due_at: mutable('timestamptz', (payout) => payout.dueAt),
  in_transit_at: mutable('timestamptz', (payout) => payout.inTransitAt),
  ended_at: mutable('timestamptz', (payout) => payout.endedAt),
  refund_of: column('uuid', (payout) => payout.refundOf),
});

export const PAYOUT_BATCHES = table<PayoutBatch>('payout_batches', {
  id: column('uuid', (batch) => batch.id),
  status: mutable('text', (batch) => batch.status),
  mode: column('text', (batch) => batch.mode),
  payouts_count: column('int4', (batch) => batch.payoutsCount),
  rejected_count: column('int4', (batch) => batch.rejectedCount),
  open_count: mutable('int4', (batch) => batch.openCount),
  failed_count: mutable('int4', (batch) => batch.failedCount),
  metadata: column('jsonb', (batch) => json(batch.metadata)),
  created_at: column('timestamptz', (batch) => batch.createdAt),
  completed_at: mutable('timestamptz', (batch) => batch.completedAt),
});

const maybeId = (prefix: Prefix, uuid: unknown) => (uuid === null ? null : idOf(prefix, uuid as string));

export function payoutFrom(row: Row): Payout {
  return {
    object: 'payout',
    id: idOf('po', row['id'] as string),
    account: idOf('acct', row['account_id'] as string),
    recipient: idOf('rcp', row['recipient_id'] as string),
    recipientVersion: row['recipient_version'] as number,
    amount: row['amount'] as bigint,
    currency: row['currency'] as string,
    status: row['status'] as Payout['status'],
    transfer: idOf('trf', row['transfer_id'] as string),
    reversal: maybeId('trf', row['reversal_id']),
    refundOf: maybeId('pay', row['refund_of']),
    batch: maybeId('pob', row['batch_id']),
    reference: row['reference'] as string | null,
    statementDescriptor: row['statement_descriptor'] as string | null,
    externalId: row['external_id'] as string | null,
    scheduledFor: row['scheduled_for'] as string | null,
    failureCode: row['failure_code'] as string | null,
    metadata: row['metadata'] === null ? {} : (JSON.parse(row['metadata'] as string) as Metadata),
    dueAt: row['due_at'] as number | null,
    inTransitAt: row['in_transit_at'] as number | null,
    endedAt: row['ended_at'] as number | null,
    createdAt: row['created_at'] as number,
  };
}

export function payoutBatchFrom(row: Row): PayoutBatch {
  return {
    object: 'payout_batch',
    id: idOf('pob', row['id'] as string),
    status: row['status'] as PayoutBatch['status'],
    mode: row['mode'] as PayoutBatch['mode'],
    payoutsCount: row['payouts_count'] as number,
    rejectedCount: row['rejected_count'] as number,
    openCount: row['open_count'] as number,
    failedCount: row['failed_count'] as number,
    metadata: JSON.parse(row['metadata'] as string) as Metadata,
    createdAt: row['created_at'] as number,
    completedAt: row['completed_at'] as number | null,
  };
}

export const loadPayouts = keyed('payouts', PAYOUTS.columns('p'), 'p');

/** The batches that payouts belong to. */
export function loadBatchesOfPayouts(payouts: readonly Key[]): Statement {
  return {
    name: 'load_batches_of_payouts',
    text: `SELECT ${PAYOUT_BATCHES.columns('b')} FROM ${KEYS} AS k
      CROSS JOIN LATERAL (SELECT * FROM payouts p
        WHERE p.environment_id = k.environment_id AND p.id = k.id LIMIT 1) AS p
      CROSS JOIN LATERAL (SELECT * FROM payout_batches b
        WHERE b.environment_id = k.environment_id AND b.id = p.batch_id LIMIT 1) AS b`,
    values: [uuids(payouts.map((key) => key.environmentId)), uuids(payouts.map((key) => key.id))],
  };
}

/** Which external ids are taken, by the unique index payouts_external_id. */
export function loadExternalIds(
  wanted: readonly { readonly environmentId: string; readonly externalId: string }[],
): Statement {
  return {
    name: 'load_external_ids',
    text: `SELECT p.environment_id, p.external_id, p.id FROM ${unnest({ environment_id: 'uuid', external_id: 'text' })} AS k
      CROSS JOIN LATERAL (SELECT * FROM payouts p
        WHERE p.environment_id = k.environment_id AND p.external_id = k.external_id LIMIT 1) AS p`,
    values: [uuids(wanted.map((want) => want.environmentId)), texts(wanted.map((want) => want.externalId))],
  };
}
