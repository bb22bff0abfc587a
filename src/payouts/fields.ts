/** Payouts and payout batches, field by field. Types, rows, JSON and schemas follow from these lists. */
import type { Refusal } from '../core/errors.ts';
import { FAILURE_CODES, isFailureCode } from '../core/failures.ts';
import * as field from '../core/fields.ts';

export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled', 'returned'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PAYOUT = field.objectType('payout', 'po', {
  amount: field.money(),
  currency: field.code(),
  recipient: field.id('rcp', { column: 'recipient_id' }),
  account: field.id('acct', { column: 'account_id', description: 'Account debited.' }),
  status: field.oneOf(PAYOUT_STATUSES, { mutable: true }),
  reference: field.textOrNull({ description: 'Text for the recipient.' }),
  statementDescriptor: field.textOrNull({ description: 'Short text for the recipient’s statement.' }),
  externalId: field.textOrNull({ description: 'Your own id.' }),
  scheduledFor: field.dayOrNull({ description: 'The day it is to leave.' }),
  batch: field.idOrNull('pob', { column: 'batch_id', description: 'The batch it was created in.' }),
  transfer: field.id('trf', { column: 'transfer_id', description: 'The transfer that debited the account.' }),
  reversal: field.idOrNull('trf', {
    column: 'reversal_id',
    description: 'The transfer that credited the account back.',
    mutable: true,
  }),
  refundOf: field.idOrNull('pay', { description: 'The payment that it refunds.' }),
  failureCode: field.textOrNull({
    schema: { type: ['string', 'null'], enum: [...Object.keys(FAILURE_CODES), null] },
    mutable: true,
  }),
  failureMessage: field.derived(
    'failure_message',
    { type: ['string', 'null'], description: 'The failure code in words.' },
    ({ failureCode }: { failureCode: string | null }) =>
      failureCode !== null && isFailureCode(failureCode) ? JSON.stringify(FAILURE_CODES[failureCode]) : 'null',
  ),
  inTransitAt: field.instantOrNull({ description: 'When it left.', mutable: true }),
  endedAt: field.instantOrNull({ description: 'When it became paid, failed, canceled or returned.', mutable: true }),
  createdBy: field.actor(),
  metadata: field.metadata({ mutable: true, sparse: true }),
  /** The version of the recipient when the payout was created. */
  recipientVersion: field.count({ hidden: true }),
  /** When the settlement worker takes the next step; `null` is never. */
  dueAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type Payout = field.ObjectOf<typeof PAYOUT>;

export const PAYOUT_BATCH = field.objectType('payout_batch', 'pob', {
  status: field.oneOf(['processing', 'completed', 'completed_with_failures'], { mutable: true }),
  mode: field.oneOf(['atomic', 'partial']),
  payoutsCount: field.count({ description: 'Payouts created.' }),
  rejectedCount: field.count({ description: 'Items rejected (partial mode).' }),
  openCount: field.count({ description: 'Payouts still pending or in transit.', mutable: true }),
  failedCount: field.count({ description: 'Payouts failed or canceled.', mutable: true }),
  completedAt: field.instantOrNull({ description: 'When the last payout ended.', mutable: true }),
  metadata: field.metadata(),
});
export type PayoutBatch = field.ObjectOf<typeof PAYOUT_BATCH>;

/** The result of one item of a batch. */
export type ItemResult =
  | { readonly status: 'created'; readonly payout: Payout }
  | { readonly status: 'rejected'; readonly refusal: Refusal };

declare module '../core/objects.ts' {
  interface Stored {
    readonly payout: Payout;
    readonly payout_batch: PayoutBatch;
  }
}

declare module '../core/decision.ts' {
  interface Replies {
    readonly payout_batch_results: {
      readonly object: 'payout_batch_results';
      readonly id: string;
      readonly batch: PayoutBatch;
      readonly results: readonly ItemResult[];
    };
  }
}
