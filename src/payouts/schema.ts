/** Payouts and payout batches on the wire. */
import { type ItemFault, RequestError } from '../core/errors.ts';
import { DEFAULT_FAILURE_CODE, FAILURE_CODES, isFailureCode } from '../core/failures.ts';
import { amountMembers } from '../core/money.ts';
import { PAYOUT_STATUSES, type Payout, type PayoutBatch } from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import { commonMembers, nullableText, strictObject } from '../http/object-schema.ts';
import {
  amount,
  amountIn,
  boolean,
  currency,
  date,
  id,
  type JsonSchema,
  list,
  metadata,
  object,
  oneOf,
  optional,
  type Param,
  type Parsed,
  params,
  ref,
  text,
  withDefault,
} from '../http/request/params.ts';
import type { PayoutOrder } from './decide.ts';

const orderFields = {
  amount: amount({ description: 'In major units: 250, 250.0 or 250.00.', example: 250 }),
  currency: currency({ description: 'ISO 4217 code; the currency the recipient is paid in.' }),
  recipient: id('rcp', 'recipient', { description: 'Whom to pay.' }),
  account: optional(
    id('acct', 'account', { description: 'Account to debit; by default the oldest open one of the currency.' }),
  ),
  reference: optional(text({ max: 140, description: 'Text for the recipient.', example: 'Invoice 4711' })),
  statement_descriptor: optional(text({ max: 22, description: 'Short text for the recipient’s statement.' })),
  external_id: optional(
    text({
      max: 100,
      description: 'Your own id, unique for ever in this environment: a second guard against paying twice.',
    }),
  ),
  scheduled_for: optional(
    date({ description: 'The day it is to leave, today or later. The account is debited at once.' }),
  ),
  metadata: optional(metadata()),
};
const dryRun = optional(boolean({ description: 'Check everything, answer as if it had happened, write nothing.' }));

export const createPayoutParams = params({ ...orderFields, dry_run: dryRun });
export const updatePayoutParams = params({ metadata: metadata() });
export const failPayoutParams = params({
  failure_code: withDefault(oneOf(Object.keys(FAILURE_CODES), { description: 'Why it fails.' }), DEFAULT_FAILURE_CODE),
});

/** Amount and currency belong together: only here does the text become minor units. */
export function orderFrom(parsed: Parsed<typeof orderFields>, path = ''): PayoutOrder {
  const amountPath = path === '' ? 'amount' : `${path}[amount]`;
  return {
    amount: amountIn(parsed.currency, parsed.amount, amountPath),
    currency: parsed.currency.code,
    recipient: parsed.recipient,
    account: parsed.account ?? null,
    reference: parsed.reference ?? null,
    statementDescriptor: parsed.statement_descriptor ?? null,
    externalId: parsed.external_id ?? null,
    scheduledFor: parsed.scheduled_for ?? null,
    metadata: parsed.metadata,
  };
}

const item = object(orderFields, { description: 'One payout.' });

/** An item of a batch: the order, or what is wrong with it; the other items are still read. */
export type BatchItem = PayoutOrder | { readonly fault: Omit<ItemFault, 'index'> };
const faultyItem: Param<BatchItem> = {
  schema: item.schema,
  optional: false,
  description: item.description,
  parse(value, path, notation) {
    try {
      return orderFrom(item.parse(value, path, notation), path);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { code, message, details } = error;
      const param = details.param?.startsWith(`${path}[`) ? inside(details.param, path) : details.param;
      return { fault: { code, message, ...(param !== undefined && { param }) } };
    }
  },
};
/** `payouts[3][metadata][a]` seen from the item: `metadata[a]`. */
const inside = (param: string, path: string) => param.slice(path.length + 1).replace(']', '');

export const MAX_BATCH_ITEMS = 1000;
export const createPayoutBatchParams = params(
  {
    payouts: list(faultyItem, { max: MAX_BATCH_ITEMS, description: `1 to ${MAX_BATCH_ITEMS} payouts.` }),
    mode: withDefault(
      oneOf(['atomic', 'partial'], { description: '`atomic`: all or nothing. `partial`: item by item.' }),
      'atomic',
    ),
    metadata: optional(metadata()),
    dry_run: dryRun,
  },
  ({ payouts, mode }) => {
    const errors = mode === 'partial' ? [] : formFaults(payouts);
    if (errors.length === 0) return;
    const count = `${errors.length} of ${payouts.length} payouts`;
    throw new RequestError('batch_invalid', `${count} are malformed; nothing was created.`, {
      param: 'payouts',
      errors,
    });
  },
);

/** Items that could not be read: in atomic mode the whole request is malformed, in partial mode they are rejected. */
function formFaults(items: readonly BatchItem[]): ItemFault[] {
  return items.flatMap((each, index) => ('fault' in each ? [{ index, ...each.fault }] : []));
}

const textOrNull = (value: string | null) => (value === null ? 'null' : JSON.stringify(value));
const idOrNull = (value: string | null) => (value === null ? 'null' : `"${value}"`);
const seconds = (atMs: number | null) => (atMs === null ? 'null' : String(unixSeconds(atMs)));

export function renderPayout(payout: Payout, livemode: boolean): string {
  const { failureCode } = payout;
  const failure = failureCode !== null && isFailureCode(failureCode) ? FAILURE_CODES[failureCode] : null;
  return `{"id":"${payout.id}","object":"payout","created":${unixSeconds(payout.createdAt)},"livemode":${livemode},${amountMembers(payout.amount, payout.currency)},"currency":"${payout.currency}","recipient":"${payout.recipient}","account":"${payout.account}","status":"${payout.status}","reference":${textOrNull(payout.reference)},"statement_descriptor":${textOrNull(payout.statementDescriptor)},"external_id":${textOrNull(payout.externalId)},"scheduled_for":${textOrNull(payout.scheduledFor)},"batch":${idOrNull(payout.batch)},"transfer":"${payout.transfer}","reversal":${idOrNull(payout.reversal)},"refund_of":${idOrNull(payout.refundOf)},"failure_code":${textOrNull(failureCode)},"failure_message":${textOrNull(failure)},"in_transit_at":${seconds(payout.inTransitAt)},"ended_at":${seconds(payout.endedAt)},"metadata":${JSON.stringify(payout.metadata)}}`;
}

const batchMembers = (batch: PayoutBatch, livemode: boolean) =>
  `"id":"${batch.id}","object":"payout_batch","created":${unixSeconds(batch.createdAt)},"livemode":${livemode},"status":"${batch.status}","mode":"${batch.mode}","payouts_count":${batch.payoutsCount},"rejected_count":${batch.rejectedCount},"open_count":${batch.openCount},"failed_count":${batch.failedCount},"completed_at":${seconds(batch.completedAt)},"metadata":${JSON.stringify(batch.metadata)}`;

export function renderPayoutBatch(batch: PayoutBatch, livemode: boolean): string {
  return `{${batchMembers(batch, livemode)}}`;
}

/** The answer to a created batch: the batch, and one result an item in the order sent. */
export function renderBatchResults(batch: PayoutBatch, results: readonly string[], livemode: boolean): string {
  return `{${batchMembers(batch, livemode)},"results":[${results.join(',')}]}`;
}

const instant = (description: string): JsonSchema => ({ type: ['integer', 'null'], description });
const batchProperties: Readonly<Record<string, JsonSchema>> = {
  ...commonMembers('payout_batch', 'pob_…'),
  status: { type: 'string', enum: ['processing', 'completed', 'completed_with_failures'] },
  mode: { type: 'string', enum: ['atomic', 'partial'] },
  payouts_count: { type: 'integer', description: 'Payouts created.' },
  rejected_count: { type: 'integer', description: 'Items rejected (partial mode).' },
  open_count: { type: 'integer', description: 'Payouts still pending or in transit.' },
  failed_count: { type: 'integer', description: 'Payouts failed or canceled.' },
  completed_at: instant('When the last payout ended.'),
  metadata: ref('Metadata'),
};

export const PAYOUT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Payout: strictObject('Money on its way to a recipient. The account is debited at creation.', {
    ...commonMembers('payout', 'po_…'),
    amount: { type: 'number', exclusiveMinimum: 0, description: 'Major units.' },
    amount_minor: { type: 'integer', minimum: 1 },
    currency: { type: 'string' },
    recipient: { type: 'string' },
    account: { type: 'string', description: 'Account debited.' },
    status: { type: 'string', enum: PAYOUT_STATUSES },
    reference: nullableText('Text for the recipient.'),
    statement_descriptor: nullableText('Short text for the recipient’s statement.'),
    external_id: nullableText('Your own id.'),
    scheduled_for: nullableText('The day it is to leave.'),
    batch: nullableText('The batch it was created in.'),
    transfer: { type: 'string', description: 'The transfer that debited the account.' },
    reversal: nullableText('The transfer that credited the account back.'),
    refund_of: nullableText('The payment that it refunds.'),
    failure_code: { type: ['string', 'null'], enum: [...Object.keys(FAILURE_CODES), null] },
    failure_message: nullableText('The failure code in words.'),
    in_transit_at: instant('When it left.'),
    ended_at: instant('When it became paid, failed, canceled or returned.'),
    metadata: ref('Metadata'),
  }),
  PayoutBatch: strictObject('Payouts created by one request.', batchProperties),
  PayoutBatchResults: strictObject('A created batch with one result an item, in the order sent.', {
    ...batchProperties,
    results: {
      type: 'array',
      items: {
        oneOf: [
          strictObject('Created.', { index: { type: 'integer' }, status: { const: 'created' }, payout: ref('Payout') }),
          strictObject('Rejected (partial mode).', {
            index: { type: 'integer' },
            status: { const: 'rejected' },
            error: ref('ErrorDetail'),
          }),
        ],
      },
    },
  }),
};
