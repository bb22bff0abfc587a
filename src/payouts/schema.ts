/** Payouts and payout batches on the wire. */
import { type ItemFault, RequestError } from '../core/errors.ts';
import { DEFAULT_FAILURE_CODE, FAILURE_CODES } from '../core/failures.ts';
import { schemaOf, strictObject } from '../http/object-schema.ts';
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
import { PAYOUT, PAYOUT_BATCH, type PayoutBatch } from './fields.ts';

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
  codes: item.codes,
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
