/** The operations of payout batches. */
import { exampleOf } from '../http/object-schema.ts';
import { always, answers, answersList, type Route, routesOf } from '../http/route.ts';
import { readsOf, type Service } from '../http/service.ts';
import type { PayoutCommand } from './commands.ts';
import { PAYOUT_BATCH } from './fields.ts';
import { ORDER_ERRORS, PAYOUT_EXAMPLE, type SettlementDelay } from './routes.ts';
import { batchCall, batchFrom, createPayoutBatchParams, listBatchesParams, payoutBatchQuery } from './batch-schema.ts';
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
  const { idIn, list, retrieve } = readsOf(service, PAYOUT_BATCH, PAYOUT_BATCHES, { ofAccounts: OF_ACCOUNTS });
  return [
    route('createPayoutBatch', 'POST /v1/payouts/batch', {
      summary: 'Create up to 1000 payouts in one request',
      description:
        'All or nothing by default: any fault is a 400 with `error.errors[]`, all faults of all items in one answer, and nothing is created. Money that is missing is one fault an account, with `needed_minor` of the batch as a whole. With `mode=partial` each item is answered for itself. JSON, form (`payouts[0][amount]=5`) or CSV with a header line (`amount,currency,recipient,reference`); beside a CSV file `mode`, `external_id`, `metadata` and `dry_run` go in the query, and faults name `line` and `column`.',
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
    route('listPayoutBatches', 'GET /v1/payouts/batches', {
      summary: 'List payout batches',
      description:
        'One batch has the path `/v1/payouts/batch/:id`, the list of all has `/v1/payouts/batches`: the word is singular wherever one batch is meant.',
      isRepeatable: always,
      query: listBatchesParams,
      response: answersList('PayoutBatch', EXAMPLE),
      handle: (call) => list(call),
    }),
    route('cancelPayoutBatch', 'POST /v1/payouts/batch/:id/cancel', {
      summary: 'Cancel what is still pending of a batch',
      description:
        'All pending payouts in one commit, each with its events; accounts are credited back. Payouts that have left or ended stay as they are: `kept_count`.',
      response: answers('PayoutBatchCancellation', {
        ...EXAMPLE,
        status: 'completed_with_failures',
        open_count: 0,
        failed_count: 1,
        completed_at: 1_732_184_003,
        canceled_count: 1,
        kept_count: 0,
      }),
      errors: ['payout_not_cancelable', 'balance_too_large', 'account_not_allowed'],
      handle: (call) => service.write(call, { type: 'cancel_payout_batch', batch: idIn(call) }),
    }),
    route('retrievePayoutBatch', 'GET /v1/payouts/batch/:id', {
      summary: 'Retrieve a payout batch',
      description:
        'Its payouts are listed with `GET /v1/payouts?batch=pob_…`, all batches with `GET /v1/payouts/batches`.',
      isRepeatable: always,
      response: answers('PayoutBatch', EXAMPLE),
      handle: retrieve,
    }),
  ];
}
