/** The operations of payout batches. */
import { exampleOf } from '../http/object-schema.ts';
import { always, answers, type Route, routesOf } from '../http/route.ts';
import { readsOf, type Service } from '../http/service.ts';
import type { PayoutCommand } from './commands.ts';
import { PAYOUT_BATCH } from './fields.ts';
import { ORDER_ERRORS, PAYOUT_EXAMPLE, type SettlementDelay } from './routes.ts';
import { batchCall, batchFrom, createPayoutBatchParams, payoutBatchQuery } from './batch-schema.ts';
import { PAYOUT_BATCHES } from './sql.ts';

const route = routesOf('Payouts', 'payouts');

/** Every payout of the batch. */
const OF_ACCOUNTS = `NOT EXISTS (SELECT FROM payouts p
  WHERE p.environment_id = t.environment_id AND p.batch_id = t.id AND p.account_id <> ALL ($::uuid[]))`;

const EXAMPLE = exampleOf(PAYOUT_BATCH, {
  status: 'processing',
  mode: 'atomic',
  payouts_count: 1,
  rejected_count: 0,
  open_count: 1,
  failed_count: 0,
});

export function payoutBatchRoutes(service: Service<PayoutCommand>, settlementDelay: SettlementDelay): Route[] {
  return [
    route('createPayoutBatch', 'POST /v1/payouts/batch', {
      summary: 'Create up to 1000 payouts in one request',
      description:
        'All or nothing by default: any fault is a 400 with `error.errors[]`, and nothing is created. With `mode=partial` each item is answered for itself. JSON, form (`payouts[0][amount]=5`) or CSV with a header line (`amount,currency,recipient,reference`).',
      body: createPayoutBatchParams,
      query: payoutBatchQuery,
      acceptsCsv: true,
      request: { payouts: [{ amount: 250, currency: 'EUR', recipient: PAYOUT_EXAMPLE.recipient }] },
      response: answers('PayoutBatchResults', {
        ...EXAMPLE,
        results: [{ index: 0, status: 'created', payout: { ...PAYOUT_EXAMPLE, batch: EXAMPLE.id } }],
      }),
      errors: ['batch_invalid', ...ORDER_ERRORS],
      handle: (call) => {
        const { body, ...whole } = batchCall(call);
        const command = batchFrom(body, settlementDelay(call.caller.livemode));
        return service.write({ ...whole, body }, command, { dryRun: body.dry_run });
      },
    }),
    route('retrievePayoutBatch', 'GET /v1/payouts/batch/:id', {
      summary: 'Retrieve a payout batch',
      description: 'Its payouts are listed with `GET /v1/payouts?batch=pob_…`.',
      isRepeatable: always,
      response: answers('PayoutBatch', EXAMPLE),
      handle: readsOf(service, PAYOUT_BATCH, PAYOUT_BATCHES, { ofAccounts: OF_ACCOUNTS }).retrieve,
    }),
  ];
}
