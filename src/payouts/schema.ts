/** Payouts and payout batches on the wire. What a request for a batch may say: `batch-schema.ts`. */
import { DEFAULT_FAILURE_CODE, FAILURE_CODES } from '../core/failures.ts';
import { strictObject } from '../core/json-schema.ts';
import { schemaOf } from '../http/object-schema.ts';
import type { JsonSchema, Parsed } from '../http/request/params.ts';
import * as param from '../http/request/params.ts';
import type { PayoutOrder } from './decide.ts';
import { PAYOUT, PAYOUT_BATCH, type PayoutBatch } from './fields.ts';

/** One payout to be made, alone or as an item of a batch. */
export const orderFields = {
  amount: param.amount({ description: 'In major units: 250, 250.0 or 250.00.', example: 250 }),
  currency: param.currency({ description: 'ISO 4217 code; the currency the recipient is paid in.' }),
  recipient: param.id('rcp', { description: 'Whom to pay.' }),
  account: param.optional(
    param.id('acct', { description: 'Account to debit; by default the oldest open one of the currency.' }),
  ),
  reference: param.optional(param.text({ max: 140, description: 'Text for the recipient.', example: 'Invoice 4711' })),
  statement_descriptor: param.optional(
    param.text({ max: 22, description: 'Short text for the recipient’s statement.' }),
  ),
  external_id: param.optional(
    param.text({
      kind: 'code',
      max: 100,
      description: 'Your own id, unique for ever in this environment: a second guard against paying twice.',
    }),
  ),
  scheduled_for: param.optional(
    param.date({ description: 'The day it is to leave, today or later. The account is debited at once.' }),
  ),
  metadata: param.optional(param.metadata()),
};

export const createPayoutParams = param.params({ ...orderFields, dry_run: param.dryRun });
export const updatePayoutParams = param.params({ metadata: param.metadata() });
export const failPayoutParams = param.params({
  failure_code: param.withDefault(
    param.oneOf(Object.keys(FAILURE_CODES), { description: 'Why it fails.' }),
    DEFAULT_FAILURE_CODE,
  ),
});

/** The order of parsed parameters. Only here does the text of the amount become minor units, by its currency. */
export function orderFrom(parsed: Parsed<typeof orderFields>, path = ''): PayoutOrder {
  const amountPath = path === '' ? 'amount' : `${path}[amount]`;
  return {
    amount: param.amountIn(parsed.currency, parsed.amount, amountPath),
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

/** The answer to a created batch: the batch, and one result an item in the order sent. */
export function renderBatchResults(batch: PayoutBatch, results: readonly string[], livemode: boolean): string {
  return PAYOUT_BATCH.render(batch, livemode, `,"results":[${results.join(',')}]`);
}

export const PAYOUT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Payout: schemaOf(PAYOUT, 'Money on its way to a recipient. The account is debited at creation.'),
  PayoutBatch: schemaOf(PAYOUT_BATCH, 'Payouts created by one request.'),
  PayoutBatchResults: schemaOf(PAYOUT_BATCH, 'A created batch with one result an item, in the order sent.', {
    results: {
      type: 'array',
      items: {
        oneOf: [
          strictObject('Created.', {
            index: { type: 'integer' },
            status: { const: 'created' },
            payout: param.ref('Payout'),
          }),
          strictObject('Rejected (partial mode).', {
            index: { type: 'integer' },
            status: { const: 'rejected' },
            error: param.ref('ErrorDetail'),
          }),
        ],
      },
    },
  }),
};
