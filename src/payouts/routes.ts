/** The operations of single payouts and their sandbox helpers. Batches: `batch-routes.ts`. */
import type { Code } from '../core/errors.ts';
import { uuidOf } from '../core/ids.ts';
import { listParams } from '../http/lists.ts';
import { currency, id, oneOf, optional, ref, text } from '../http/request/params.ts';
import { always, AMOUNT_ERRORS, type Call, type Route, route } from '../http/route.ts';
import { readsOf, type Service } from '../http/service.ts';
import type { PayoutCommand } from './commands.ts';
import type { StepPayout } from './decide.ts';
import { PAYOUT, PAYOUT_STATUSES } from './fields.ts';
import { createPayoutParams, failPayoutParams, orderFrom, updatePayoutParams } from './schema.ts';
import { loadPayouts, PAYOUTS } from './sql.ts';

/** Milliseconds before the settlement worker takes the next step of a sandbox payout; `null` in live: the bank decides. */
export type SettlementDelay = (livemode: boolean) => number | null;

export const PAYOUT_EXAMPLE = {
  id: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'payout',
  created: 1_732_184_000,
  livemode: false,
  amount: 250,
  amount_minor: 25_000,
  currency: 'EUR',
  recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
  account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  status: 'pending',
  reference: null,
  statement_descriptor: null,
  external_id: null,
  scheduled_for: null,
  batch: null,
  transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
  reversal: null,
  refund_of: null,
  failure_code: null,
  failure_message: null,
  in_transit_at: null,
  ended_at: null,
  metadata: {},
};

/** The faults of an order, alone or in a batch. */
export const ORDER_ERRORS: readonly Code[] = [
  ...AMOUNT_ERRORS,
  'currency_unsupported',
  'resource_missing',
  'recipient_archived',
  'recipient_currency_mismatch',
  'account_missing',
  'account_closed',
  'account_currency_mismatch',
  'balance_insufficient',
  'external_id_used',
  'scheduled_for_invalid',
];

export function payoutRoutes(service: Service<PayoutCommand>, settlementDelay: SettlementDelay): Route[] {
  const { idIn, list, retrieve } = readsOf(service, PAYOUT, PAYOUTS, loadPayouts);
  const step = (call: Call<unknown, unknown>, to: StepPayout['to'], failureCode: string | null = null) =>
    service.write(call, {
      type: 'step_payout',
      payout: idIn(call),
      to,
      failureCode,
      nextDelayMs: to === 'next' ? settlementDelay(call.caller.livemode) : null,
    });
  const helper = {
    method: 'POST',
    tag: 'Test helpers',
    scope: 'test_helpers:write',
    sandboxOnly: true,
    response: ref('Payout'),
    errors: ['resource_missing', 'payout_state_invalid'],
  } as const;
  return [
    route({
      method: 'POST',
      path: '/v1/payouts',
      operationId: 'createPayout',
      tag: 'Payouts',
      summary: 'Create a payout',
      description:
        'Debits the account at once and sends the money to the recipient. `pending → in_transit → paid`; `failed`, `canceled` and `returned` payouts credit the account back.',
      scope: 'payouts:write',
      body: createPayoutParams,
      response: ref('Payout'),
      errors: ORDER_ERRORS,
      example: {
        request: { amount: 250, currency: 'EUR', recipient: PAYOUT_EXAMPLE.recipient },
        response: PAYOUT_EXAMPLE,
      },
      handle: (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const command = { type: 'create_payout', order: orderFrom(call.body), settlementDelayMs } as const;
        return service.write(call, command, { dryRun: call.body.dry_run });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/payouts',
      operationId: 'listPayouts',
      tag: 'Payouts',
      summary: 'List payouts',
      scope: 'payouts:read',
      isRepeatable: always,
      query: listParams('po', 'payout', {
        status: optional(oneOf(PAYOUT_STATUSES, { description: 'Only payouts in this state.' })),
        recipient: optional(id('rcp', 'recipient', { description: 'Only payouts to this recipient.' })),
        batch: optional(id('pob', 'payout batch', { description: 'Only payouts of this batch.' })),
        currency: optional(currency({ description: 'Only payouts in this currency.' })),
        external_id: optional(text({ max: 100, description: 'Only the payout with this id of yours.' })),
      }),
      response: ref('PayoutList'),
      errors: [],
      example: { response: { data: [PAYOUT_EXAMPLE] } },
      handle: (call) => {
        const { status, recipient, batch, currency: of, external_id } = call.query;
        const ids = { recipient_id: recipient && uuidOf(recipient), batch_id: batch && uuidOf(batch) };
        return list(call, { status, ...ids, currency: of?.code, external_id });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/payouts/:id',
      operationId: 'retrievePayout',
      tag: 'Payouts',
      summary: 'Retrieve a payout',
      scope: 'payouts:read',
      isRepeatable: always,
      response: ref('Payout'),
      errors: ['resource_missing'],
      example: { response: PAYOUT_EXAMPLE },
      handle: retrieve,
    }),
    route({
      method: 'POST',
      path: '/v1/payouts/:id',
      operationId: 'updatePayout',
      tag: 'Payouts',
      summary: 'Update the metadata of a payout',
      scope: 'payouts:write',
      body: updatePayoutParams,
      response: ref('Payout'),
      errors: ['resource_missing', 'metadata_invalid'],
      example: {
        request: { metadata: { invoice: '4711' } },
        response: { ...PAYOUT_EXAMPLE, metadata: { invoice: '4711' } },
      },
      handle: (call) =>
        service.write(call, { type: 'update_payout', payout: idIn(call), metadata: call.body.metadata }),
    }),
    route({
      method: 'POST',
      path: '/v1/payouts/:id/cancel',
      operationId: 'cancelPayout',
      tag: 'Payouts',
      summary: 'Cancel a pending payout',
      description: 'Credits the account back. Possible only while the payout is pending.',
      scope: 'payouts:write',
      response: ref('Payout'),
      errors: ['resource_missing', 'payout_not_cancelable', 'balance_too_large'],
      example: { response: { ...PAYOUT_EXAMPLE, status: 'canceled', reversal: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb' } },
      handle: (call) => service.write(call, { type: 'cancel_payout', payout: idIn(call) }),
    }),
    route({
      ...helper,
      path: '/v1/test_helpers/payouts/:id/advance',
      operationId: 'advancePayout',
      summary: 'Move a sandbox payout one step on',
      example: { response: { ...PAYOUT_EXAMPLE, status: 'in_transit', in_transit_at: 1_732_184_003 } },
      handle: (call) => step(call, 'next'),
    }),
    route({
      ...helper,
      path: '/v1/test_helpers/payouts/:id/pay',
      operationId: 'payPayout',
      summary: 'Let a sandbox payout arrive',
      example: { response: { ...PAYOUT_EXAMPLE, status: 'paid', ended_at: 1_732_184_006 } },
      handle: (call) => step(call, 'paid'),
    }),
    route({
      ...helper,
      path: '/v1/test_helpers/payouts/:id/fail',
      operationId: 'failPayout',
      summary: 'Let a sandbox payout fail',
      body: failPayoutParams,
      example: { request: { failure_code: 'no_account' }, response: { ...PAYOUT_EXAMPLE, status: 'failed' } },
      handle: (call) => step(call, 'failed', call.body.failure_code),
    }),
    route({
      ...helper,
      path: '/v1/test_helpers/payouts/:id/return',
      operationId: 'returnPayout',
      summary: 'Let a paid sandbox payout come back',
      body: failPayoutParams,
      example: { request: { failure_code: 'account_closed' }, response: { ...PAYOUT_EXAMPLE, status: 'returned' } },
      handle: (call) => step(call, 'returned', call.body.failure_code),
    }),
  ];
}
