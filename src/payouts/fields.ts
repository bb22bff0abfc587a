/** Payouts and payout batches, field by field. Types, rows, JSON and schemas follow from these lists. */
import type { Refusal } from '../core/errors.ts';
import { FAILURE_CODES, isFailureCode } from '../core/failures.ts';
import * as field from '../core/fields.ts';
import type { Limit, PayoutRules } from '../core/payout-rules.ts';
import { unixSeconds } from '../core/time.ts';

export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled', 'returned'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** What a second person has to do with a payout. Instants are milliseconds. */
export interface Release {
  readonly status: 'held' | 'approved' | 'rejected';
  /** `new_recipient`, `changed_recipient`, or the id of a limit. */
  readonly reasons: readonly string[];
  readonly approvalsRequired: number;
  readonly approvals: readonly { readonly by: string; readonly at: number }[];
  readonly rejection: { readonly by: string; readonly at: number; readonly reason: string | null } | null;
}

interface Bound {
  readonly amount: bigint;
  readonly currency: string;
  readonly recipient: string;
  readonly recipientVersion: number;
}

/** What an approval is bound to. No bank details of a recipient's version ever change, so its number stands for them. */
export const fingerprintOf = ({ amount, currency, recipient, recipientVersion }: Bound): string =>
  `${amount}.${currency}.${recipient}.${recipientVersion}`;

const stored = field.jsonOrNull<Release>({});
const APPROVAL = { type: 'object', properties: { by: { type: 'string' }, at: { type: 'integer' } } };
const release: field.Field<Release | null> = {
  column: { ...stored.column, mutable: true },
  shown: () => ({
    schemas: {
      release: {
        type: ['object', 'null'],
        description: 'Set where a rule held the payout: it stays `pending` until it is approved.',
        additionalProperties: false,
        required: ['status', 'reasons', 'approvals_required', 'approvals', 'rejection', 'fingerprint'],
        properties: {
          status: { type: 'string', enum: ['held', 'approved', 'rejected'] },
          reasons: {
            type: 'array',
            items: { type: 'string' },
            description: '`new_recipient`, `changed_recipient`, or the id of the limit that it passes.',
          },
          approvals_required: { type: 'integer' },
          approvals: { type: 'array', items: APPROVAL, description: 'By which keys, and when.' },
          rejection: {
            type: ['object', 'null'],
            properties: { ...APPROVAL.properties, reason: { type: ['string', 'null'] } },
          },
          fingerprint: {
            type: 'string',
            description: 'Names amount, recipient and bank details. Send it to approve what was seen.',
          },
        },
      },
    },
    json(value, object) {
      if (value === null) return '"release":null';
      const { status, reasons, approvalsRequired, approvals, rejection } = value;
      const at = (atMs: number) => unixSeconds(atMs);
      return `"release":${JSON.stringify({
        status,
        reasons,
        approvals_required: approvalsRequired,
        approvals: approvals.map((each) => ({ by: each.by, at: at(each.at) })),
        rejection: rejection && { by: rejection.by, at: at(rejection.at), reason: rejection.reason },
        fingerprint: fingerprintOf(object as unknown as Bound),
      })}`;
    },
  }),
};

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
  release,
  inTransitAt: field.instantOrNull({ description: 'When it left.', mutable: true }),
  endedAt: field.instantOrNull({ description: 'When it became paid, failed, canceled or returned.', mutable: true }),
  standingOrder: field.idOrNull('so', { column: 'standing_order_id', description: 'The standing order that made it.' }),
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

/** How much of a limit somebody has used. */
export const LIMIT_USAGE = field.objectType('limit_usage', 'lus', {
  limit: field.id('lim', { column: 'limit_id' }),
  subject: field.code(),
  day: field.day({ mutable: true }),
  usedAmount: field.minor({ mutable: true }),
  usedCount: field.count({ mutable: true }),
});
export type LimitUsage = field.ObjectOf<typeof LIMIT_USAGE>;

/** The result of one item of a batch. */
export type ItemResult =
  | { readonly status: 'created'; readonly payout: Payout }
  | { readonly status: 'rejected'; readonly refusal: Refusal };

declare module '../core/objects.ts' {
  interface Stored {
    readonly payout: Payout;
    readonly payout_batch: PayoutBatch;
    readonly limit_usage: LimitUsage;
  }
  interface Unannounced {
    readonly limit_usage: LimitUsage;
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
    readonly payout_rules: { readonly object: 'payout_rules'; readonly id: string; readonly rules: PayoutRules };
    readonly limit: { readonly object: 'limit'; readonly id: string; readonly limit: Limit };
  }
}
