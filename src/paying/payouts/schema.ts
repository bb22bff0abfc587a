/** Payouts and payout batches on the wire. What a request for a batch may say: `batch-schema.ts`. */
import type { Replies } from '../../core/decision.ts';
import type { Rendering } from '../../core/slice.ts';
import { DEFAULT_FAILURE_CODE, FAILURE_CODES } from '../../core/rails/failures.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { SPEEDS } from '../../core/rails/payment-schemes.ts';
import { type Expandable, expandedSchema } from '../../platform/http/expand.ts';
import { dryRunOf, schemaOf } from '../../platform/http/object-schema.ts';
import type { JsonSchema, Parsed } from '../../platform/http/request/params.ts';
import { date } from '../../platform/http/request/date.ts';
import { newPurposes, purposes } from '../../platform/http/request/purposes.ts';
import { newReferenceType, referenceType, referenceTypeFrom } from '../../platform/http/request/reference-type.ts';
import * as param from '../../platform/http/request/params.ts';
import { PAYOUT, PAYOUT_BATCH } from './fields.ts';
import { renderTried, TRIED_MEMBERS, TRIED_SCHEMAS } from './results-schema.ts';
import { paramError, pathOf } from '../../platform/http/request/param.ts';
import { type AskedOrder, type Source, sourceFields, sourceFrom } from './source-parameters.ts';

/** One payout to be made, alone or as an item of a batch. */
export const orderFields = {
  ...param.optional({
    amount: param.amount({
      description:
        'The amount that arrives, in major units: 250, 250.0 or 250.00. Required without `source_amount` and `quote`.',
      example: 250,
    }),
  }),
  currency: param.currency({ description: 'ISO 4217 code of the currency that the recipient is paid in.' }),
  recipient: param.id('rcp', { description: 'The recipient to pay.' }),
  ...param.optional({
    account: param.id('acct', { description: 'Account to debit; by default the oldest open one of the currency.' }),
    reference: param.text({ max: 140, description: 'Text for the recipient.', example: 'Invoice 4711' }),
    reference_type: referenceType,
    statement_descriptor: param.text({ max: 22, description: 'Short text for the recipient’s statement.' }),
    external_id: param.text({
      kind: 'id',
      max: 100,
      description: 'Your own id, unique for ever in this environment: a second guard against paying twice.',
    }),
    scheduled_on: date({
      description: 'The day on which it should leave, today or later. The account is debited at once.',
    }),
    speed: param.oneOf(SPEEDS, {
      description:
        '`standard`, the default. `instant`: within seconds, at any hour (SEPA instant: euro, from IBAN to IBAN). `urgent`: through the settlement system for large payments; the recipient needs a BIC or clearing number. It is refused with `payout_not_payable` if your bank account cannot do it.',
    }),
    on_insufficient_funds: param.oneOf(['refuse', 'wait'], {
      description:
        '`wait`: if the account does not hold enough, the payout is `waiting`. It is debited as soon as the account holds enough, in order of creation. By default it is refused. What waiting payouts of the account need is kept for them, unless `waiting_payouts` of the payout rules lets them be passed.',
    }),
    wait_until_on: date({
      description: 'With `on_insufficient_funds=wait`: the last day on which it waits; 30 days from now by default.',
    }),
  }),
  ...purposes,
  ...sourceFields,
  ...param.optional({ metadata: param.metadata() }),
};

export const createPayoutParams = param.params({ ...orderFields, dry_run: param.dryRun });
export const updatePayoutParams = param.params({
  ...param.optional({ reference_type: newReferenceType }),
  ...param.changes({
    reference: param.text({
      max: 140,
      clearable: true,
      description: 'Text for the recipient. An empty value or null removes it.',
      example: 'Invoice 4711',
    }),
    scheduled_on: date({
      clearable: true,
      description:
        'The day on which it should leave, today or later. With null (in a form an empty value) it leaves as soon as possible.',
    }),
    ...newPurposes,
    metadata: param.metadata(),
  }),
});
export const failPayoutParams = param.params({
  failure_code: param.withDefault(
    param.oneOf(Object.keys(FAILURE_CODES), { description: 'Why it fails.' }),
    DEFAULT_FAILURE_CODE,
  ),
});

/** The order of parsed parameters. Only here does the text of the amount become minor units, by its currency. */
export function orderFrom<R extends string | null>(
  parsed: Omit<Parsed<typeof orderFields>, 'recipient'> & { readonly recipient: R },
  path = '',
): Omit<AskedOrder, 'recipient'> & { readonly recipient: R } {
  const amountPath = pathOf(path, 'amount');
  const source = sourceFrom(parsed, path);
  const type = referenceTypeFrom(parsed, path);
  return {
    amount: parsed.amount === undefined ? null : param.amountIn(parsed.currency, parsed.amount, amountPath),
    currency: parsed.currency.code,
    recipient: parsed.recipient,
    account: parsed.account ?? null,
    reference: parsed.reference ?? null,
    ...(type !== null && { referenceType: type }),
    statementDescriptor: parsed.statement_descriptor ?? null,
    externalId: parsed.external_id ?? null,
    scheduledOn: parsed.scheduled_on ?? null,
    speed: parsed.speed ?? 'standard',
    categoryPurpose: parsed.category_purpose,
    purpose: parsed.purpose,
    bankAccount: parsed.bank_account,
    metadata: parsed.metadata,
    source,
    waiting: waitingFrom(parsed, source, path),
  };
}

/** Whether and until when the payout waits for money. Throws `parameter_missing` and `parameter_conflict`. */
export function waitingFrom(
  given: Pick<Parsed<typeof orderFields>, 'on_insufficient_funds' | 'wait_until_on'>,
  source: Source | null,
  path: string,
): { readonly until: string | null } | null {
  const { on_insufficient_funds: reaction, wait_until_on: until } = given;
  if (reaction !== 'wait') {
    if (until === undefined) return null;
    const message = 'wait_until_on needs on_insufficient_funds=wait. Send both or neither.';
    if (reaction === undefined) throw paramError('parameter_missing', pathOf(path, 'on_insufficient_funds'), message);
    throw paramError('parameter_conflict', pathOf(path, 'wait_until_on'), message);
  }
  if (source === null) return { until: until ?? null };
  const message =
    'on_insufficient_funds=wait does not go with a payout from another currency, whose rate is the one of this moment.';
  throw paramError('parameter_conflict', pathOf(path, 'on_insufficient_funds'), message);
}

/** The answer to a created batch: the batch, and one result an item in the order sent; after a dry run what `results-schema.ts` adds. */
export function renderBatchResults(
  { batch, results, tried }: Replies['payout_batch_results'],
  livemode: boolean,
  { text, refused }: Rendering,
): string {
  const rendered = results.map((result, index) =>
    result.status === 'created'
      ? `{"index":${index},"status":"created",${result.match ? `"recipient_match":"${result.match}",` : ''}"payout":${text(result.payout)}}`
      : `{"index":${index},"status":"rejected",${refused(result.refusal).slice(1)}`,
  );
  const more = tried === null ? '' : renderTried(tried);
  return PAYOUT_BATCH.render(batch, livemode, `,"results":[${rendered.join(',')}]${more}`);
}

export const PAYOUT_EXPANDABLE: Expandable = {
  recipient: 'Recipient',
  account: 'Account',
  batch: 'PayoutBatch',
  exchange: 'Exchange',
  transfer: 'Transfer',
  reversal: 'Transfer',
  created_by: 'Actor',
  flags: 'PayoutFlags',
};

/** Names of persons change past the write path. */
export const isRepeatableWith = (query: unknown): boolean =>
  (query as { readonly expand?: readonly string[] }).expand?.includes('created_by') !== true;

const payoutSchema = (expandable: Expandable, when?: string): JsonSchema =>
  schemaOf(
    PAYOUT,
    'Money on its way to a recipient. The account is debited at creation.',
    {},
    expandedSchema(expandable, when),
  );
const payout = payoutSchema(PAYOUT_EXPANDABLE);
/** A dry run shows the exchange that the payout would book. */
const triedPayout = payoutSchema(
  { exchange: 'ExchangeDryRun' },
  'The exchange that the payout would book, with its price. Present only where there is one.',
);

/** Of an item that a payout was made of; `of`: the schema of payouts. */
function createdItem(of: string): JsonSchema {
  const members = { index: { type: 'integer' }, status: { const: 'created' }, payout: param.ref(of) } as const;
  const description = 'Of an item that names its payee: whether the recipient was `found`, or is `new`.';
  const recipient_match = { type: 'string', enum: ['found', 'new'], description } as const;
  return { ...strictObject('Created.', members), properties: { ...members, recipient_match } };
}

const SHORTFALLS: JsonSchema = {
  type: 'array',
  description: 'Bank accounts that would not cover what is pending, in transit and tried. They pay all the same.',
  items: param.ref('Shortfall'),
};

/** A dry run says it to keys that may read bank accounts. */
const withShortfalls = ({ properties, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...(properties as object), shortfalls: SHORTFALLS },
});

/** A created batch; `of`: the schema of its payouts. */
const batchResults = (of: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  schemaOf(PAYOUT_BATCH, 'A created batch with one result for each item, in the order of the request.', {
    ...more,
    results: {
      type: 'array',
      items: {
        oneOf: [
          createdItem(of),
          {
            title: 'RejectedItem',
            ...strictObject('Rejected (partial mode).', {
              index: { type: 'integer' },
              status: { const: 'rejected' },
              error: param.ref('ErrorDetail'),
            }),
          },
        ],
      },
    },
  });

export const PAYOUT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Payout: payout,
  PayoutDryRun: withShortfalls(dryRunOf(triedPayout, ['id', 'account', 'recipient'])),
  PayoutBatch: schemaOf(PAYOUT_BATCH, 'Payouts created by one request.'),
  PayoutBatchResults: batchResults('Payout'),
  ...TRIED_SCHEMAS,
  PayoutBatchResultsDryRun: withShortfalls(dryRunOf(batchResults('PayoutDryRun', TRIED_MEMBERS), ['id'])),
};
