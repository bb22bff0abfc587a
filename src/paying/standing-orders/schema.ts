/** Standing orders on the wire. */
import { dryRunOf, schemaOf } from '../../platform/http/object-schema.ts';
import type { JsonSchema, Parsed } from '../../platform/http/request/params.ts';
import { date } from '../../platform/http/request/date.ts';
import { newPurposeCodes, purposeCodes } from '../../platform/http/request/purposes.ts';
import { newReferenceType, referenceType, referenceTypeFrom } from '../../platform/http/request/reference-type.ts';
import * as param from '../../platform/http/request/params.ts';
import { SPEEDS } from '../../core/rails/payment-schemes.ts';
import { INTERVALS } from './calendar.ts';
import type { CreateStandingOrder, UpdateStandingOrder } from './decide.ts';
import { STANDING_ORDER, STANDING_ORDER_RUN } from './fields.ts';

const MAX_INTERVAL_COUNT = 366;
const MAX_COUNT = 100_000;

const count = param.integer({
  min: 1,
  max: MAX_COUNT,
  description: 'How many days are planned in all. Not together with `ends_on`.',
});
const lastDay = date({ description: 'No run is planned after this day. Not together with `count`.' });

const refuseTwoEnds = ({
  ends_on: last,
  count,
}: {
  ends_on?: string | null | undefined;
  count?: number | null | undefined;
}) => {
  if ((last ?? null) === null || (count ?? null) === null) return;
  const message = 'ends_on and count exclude each other. Send one of them, or neither for an order without an end.';
  throw param.paramError('parameter_conflict', 'count', message);
};

const createFields = {
  amount: param.amount({ description: 'Amount of each payout, in major units: 250, 250.0 or 250.00.', example: 250 }),
  currency: param.currency({ description: 'ISO 4217 code of the currency that the recipient is paid in.' }),
  recipient: param.id('rcp', { description: 'The recipient to pay.' }),
  ...param.optional({
    account: param.id('acct', {
      description: 'Account to debit; by default the oldest open one of the currency today.',
    }),
    // No default: idempotency records would contain it, and those of earlier requests have none.
    speed: param.oneOf(SPEEDS, {
      description: 'Speed of each payout, as in `POST /v1/payouts`; by default `standard`.',
    }),
  }),
  interval: param.oneOf(INTERVALS, { description: 'The rhythm, together with `interval_count`.' }),
  interval_count: param.withDefault(
    param.integer({ min: 1, max: MAX_INTERVAL_COUNT, description: 'The order runs on every n-th interval.' }),
    1,
  ),
  starts_on: date({ description: 'The first planned day (UTC), today or later. All other days follow from it.' }),
  ...param.optional({
    ends_on: lastDay,
    count,
    reference: param.text({ max: 140, description: 'Text for the recipient.', example: 'Rent' }),
    reference_type: referenceType,
    statement_descriptor: param.text({ max: 22, description: 'Short text for the recipient’s statement.' }),
    metadata: param.metadata(),
  }),
  ...purposeCodes,
  dry_run: param.dryRun,
};
export const createStandingOrderParams = param.params(createFields, refuseTwoEnds, ['parameter_conflict']);

const NEW_LAST = 'The new last day, not before the next planned one. It replaces `count`. Null removes it.';
const NEW_COUNT = 'How many days are planned in all. It replaces `ends_on`. Null removes it.';
const changing = (parameter: { readonly schema: JsonSchema }, description: string) => ({
  schema: { ...parameter.schema, description },
  description,
});

const updateFields = {
  ...param.changes({
    ...newPurposeCodes,
    amount: param.amount({ description: 'Amount of each payout from now on, in major units.', example: 875 }),
    ends_on: { ...param.unsettable(lastDay), ...changing(lastDay, NEW_LAST) },
    count: { ...param.unsettable(count), ...changing(count, NEW_COUNT) },
    reference: param.text({
      max: 140,
      clearable: true,
      description: 'Text for the recipient. An empty value or null unsets it.',
    }),
    statement_descriptor: param.text({
      max: 22,
      clearable: true,
      description: 'Short text for the recipient’s statement. An empty value or null unsets it.',
    }),
    metadata: param.metadata(),
  }),
  ...param.optional({ reference_type: newReferenceType }),
};
export const updateStandingOrderParams = param.params(updateFields, refuseTwoEnds, ['parameter_conflict']);

/** The command of parsed parameters. Only here does the text of the amount become minor units, by its currency. */
export function orderFrom(parsed: Parsed<typeof createFields>): CreateStandingOrder {
  return {
    type: 'create_standing_order',
    amount: param.amountIn(parsed.currency, parsed.amount, 'amount'),
    currency: parsed.currency.code,
    recipient: parsed.recipient,
    account: parsed.account ?? null,
    speed: parsed.speed ?? 'standard',
    interval: parsed.interval,
    intervalCount: parsed.interval_count,
    first: parsed.starts_on,
    last: parsed.ends_on ?? null,
    count: parsed.count ?? null,
    reference: parsed.reference ?? null,
    referenceType: referenceTypeFrom(parsed, ''),
    statementDescriptor: parsed.statement_descriptor ?? null,
    categoryPurpose: parsed.category_purpose ?? null,
    purpose: parsed.purpose ?? null,
    metadata: parsed.metadata,
  };
}

/** What an update says; the amount stays text until the currency is known. `end`: see `withEnd`. */
export function changesFrom(parsed: Parsed<typeof updateFields>): Omit<UpdateStandingOrder, 'type' | 'standingOrder'> {
  const { amount, ends_on: last, count: most, reference, statement_descriptor: descriptor, metadata } = parsed;
  const isEnd = last !== undefined || most !== undefined;
  return {
    amount,
    end: isEnd ? { last, count: most } : undefined,
    reference: reference === '' ? null : reference,
    referenceType: referenceTypeFrom(parsed, ''),
    categoryPurpose: parsed.category_purpose,
    purpose: parsed.purpose,
    statementDescriptor: descriptor === '' ? null : descriptor,
    metadata,
  };
}

const order = schemaOf(STANDING_ORDER, 'The same payout again and again, on planned days.');

export const STANDING_ORDER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  StandingOrder: order,
  StandingOrderDryRun: dryRunOf(order, ['id']),
  StandingOrderRun: schemaOf(STANDING_ORDER_RUN, 'The result of one planned day of a standing order.'),
};
