/** The operation that makes many recipients at once. The decision: `batch-decide.ts`. */
import type { Code } from '../../core/values/errors.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { answersOrTries, PAYING_ACCOUNT_ERRORS, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { createRecipientBatchParams, MAX_RECIPIENTS, recipientBatchFrom } from './batch-schema.ts';
import { RECIPIENT } from './fields.ts';
import type { RecipientCommand } from './slice.ts';

const route = routesOf('Recipients', 'recipients');

const ADA = { name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE' };
const EXAMPLE = exampleOf(RECIPIENT, { bank_details: { iban: '******************3000' } });

/** `errors`: what single recipients are refused for, which faults of items repeat. */
export function recipientBatchRoutes(service: Service<RecipientCommand>, errors: readonly Code[]): Route[] {
  return [
    route('createRecipientBatch', 'POST /v1/recipients/batch', {
      summary: `Create up to ${MAX_RECIPIENTS} recipients in one request`,
      description:
        'All or nothing: any fault is a 400, nothing is created, and `error.errors[]` has the faults of all items, each with its `index` and by the name of its own parameter. Two with the same account are no fault: see `duplicate_of`. Which of them are known already says `POST /v1/recipients/match/batch`.',
      body: createRecipientBatchParams,
      request: { recipients: [{ ...ADA, iban: 'DE89370400440532013000' }] },
      response: answersOrTries('RecipientBatch', {
        object: 'recipient_batch',
        results: [{ index: 0, recipient: EXAMPLE }],
      }),
      errors: ['batch_invalid', ...errors, ...PAYING_ACCOUNT_ERRORS],
      handle: (call) => service.write(call, recipientBatchFrom(call.body), { dryRun: call.body.dry_run }),
    }),
  ];
}
