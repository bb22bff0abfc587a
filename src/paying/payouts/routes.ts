/** The operations of single payouts and their sandbox helpers. Batches: `batch-routes.ts`. */
import { exampleId } from '../../core/values/ids.ts';
import type { Code } from '../../core/values/errors.ts';
import { expandQuery } from '../../platform/http/expand.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import {
  PAYEE_ERRORS,
  PAYING_ACCOUNT_ERRORS,
  AMOUNT_ERRORS,
  type Answer,
  answers,
  answersOrTries,
  type Call,
  type Caller,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { referenceTypeFrom } from '../../platform/http/request/reference-type.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import type { PayoutCommand } from './slice.ts';
import type { StepPayout } from './connector-decide.ts';
import { PAYOUT } from './fields.ts';
import { payoutListRoute } from './list-routes.ts';
import type { OrderPricer } from './priced-orders.ts';
import {
  createPayoutParams,
  failPayoutParams,
  isRepeatableWith,
  orderFrom,
  PAYOUT_EXPANDABLE,
  updatePayoutParams,
} from './schema.ts';
import { type BankDetailsOf, detailsOfPayout, expectedOutcome } from './settlement.ts';
import { OF_ACCOUNTS, PAYOUTS } from './sql.ts';

const route = routesOf('Payouts', 'payouts');
const helper = routesOf('Test helpers', 'test_helpers');

/** Milliseconds before the settlement worker takes the next step of a sandbox payout; `null` in live: the bank decides. */
export type SettlementDelay = (livemode: boolean) => number | null;

/** The answer to a dry run, with what bank accounts do not cover. */
export type Completing = (caller: Caller, answer: Answer) => Promise<Answer>;

export const PAYOUT_EXAMPLE = exampleOf(PAYOUT);

export const ORDER_ERRORS: readonly Code[] = [
  ...AMOUNT_ERRORS,
  'currency_unsupported',
  'resource_missing',
  ...PAYEE_ERRORS,
  'account_missing',
  'account_closed',
  'account_currency_mismatch',
  'balance_insufficient',
  'external_id_used',
  'scheduled_on_invalid',
  'wait_until_on_invalid',
  'payouts_frozen',
  'limit_exceeded',
  'payout_not_payable',
  ...PAYING_ACCOUNT_ERRORS,
  'parameter_missing',
  'parameter_conflict',
  'currency_pair_invalid',
  'rate_unavailable',
  'position_limit_exceeded',
  'quote_expired',
  'quote_already_used',
  'quote_mismatch',
  'balance_too_large',
];

export function payoutRoutes(
  service: Service<PayoutCommand>,
  settlementDelay: SettlementDelay,
  pricer: OrderPricer,
  bankDetailsOf: BankDetailsOf,
  withShortfalls: Completing,
): Route[] {
  const { idIn, retrieve } = readsOf(service, PAYOUT, PAYOUTS, { ofAccounts: OF_ACCOUNTS });
  const step = (
    call: Call<unknown, unknown>,
    to: StepPayout['to'],
    failureCode: string | null = null,
    expected?: StepPayout['expected'],
  ) =>
    service.write(call, {
      type: 'step_payout',
      payout: idIn(call),
      to,
      failureCode,
      expected,
      nextDelayMs: to === 'next' ? settlementDelay(call.caller.livemode) : null,
    });
  /** What the bank does next is decided under the lock; what it thinks of the account never changes, so it is read before. */
  const advance = async (call: Call<unknown, unknown>) => {
    const [row] = await service.rows(detailsOfPayout(call.caller.environmentId, idIn(call)));
    return step(call, 'next', null, row && expectedOutcome(row, bankDetailsOf));
  };
  return [
    route('createPayout', 'POST /v1/payouts', {
      summary: 'Create a payout',
      mayNeed: ['exchanges:write'],
      description:
        'Debits the account at once and sends the money to the recipient. `pending → in_transit → paid`; `failed`, `canceled` and `returned` payouts credit the account back. With `source_currency`, `source_account` or `quote`, an exchange pays for it, in the same commit (`exchange`). Money that comes back stays in the currency of the payout.',
      body: createPayoutParams,
      request: { amount: 250, currency: 'EUR', recipient: exampleId('rcp') },
      response: answersOrTries('Payout', PAYOUT_EXAMPLE),
      errors: ORDER_ERRORS,
      handle: async (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const order = await pricer.one(call.caller, orderFrom(call.body));
        const command = { type: 'create_payout', order, settlementDelayMs } as const;
        const answer = service.write(call, command, { dryRun: call.body.dry_run });
        return call.body.dry_run ? withShortfalls(call.caller, await answer) : answer;
      },
    }),
    payoutListRoute(service),
    route('retrievePayout', 'GET /v1/payouts/:id', {
      summary: 'Retrieve a payout',
      isRepeatable: (query) => isRepeatableWith(query),
      query: expandQuery(PAYOUT_EXPANDABLE),
      response: answers('Payout', PAYOUT_EXAMPLE),
      handle: (call) => retrieve(call),
    }),
    route('updatePayout', 'POST /v1/payouts/:id', {
      summary: 'Update a payout',
      description:
        'Metadata can change at any time; `reference`, `scheduled_on`, `category_purpose`, `purpose` and `bank_account` while the payout is pending. Such a change voids approvals.',
      body: updatePayoutParams,
      request: { metadata: { invoice: '4711' } },
      response: answers('Payout', { ...PAYOUT_EXAMPLE, metadata: { invoice: '4711' } }),
      errors: [
        'metadata_invalid',
        'payout_state_invalid',
        'scheduled_on_invalid',
        'payout_not_payable',
        'parameter_missing',
        'limit_exceeded',
        'rate_unavailable',
        ...PAYING_ACCOUNT_ERRORS,
      ],
      handle: (call) => {
        const {
          metadata,
          reference,
          scheduled_on: scheduledOn,
          category_purpose: categoryPurpose,
          purpose,
        } = call.body;
        const texts = { reference: orNull(reference), referenceType: referenceTypeFrom(call.body, '') };
        const purposes = { categoryPurpose, purpose, bankAccount: call.body.bank_account };
        const changes = { metadata, ...texts, scheduledOn: orNull(scheduledOn), ...purposes };
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        return service.write(call, { type: 'update_payout', payout: idIn(call), ...changes, settlementDelayMs });
      },
    }),
    route('cancelPayout', 'POST /v1/payouts/:id/cancel', {
      summary: 'Cancel a pending payout',
      description: 'Credits the account back. Possible only while the payout is pending.',
      response: answers('Payout', {
        ...PAYOUT_EXAMPLE,
        status: 'canceled',
        reversal: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb',
      }),
      errors: ['payout_not_cancelable', 'balance_too_large'],
      handle: (call) => service.write(call, { type: 'cancel_payout', payout: idIn(call) }),
    }),
    helper('advancePayout', 'POST /v1/test_helpers/payouts/:id/advance', {
      summary: 'Move a sandbox payout one step on',
      description:
        'Takes the step that would come next. A payout to a test account fails or comes back with the account’s code (`GET /v1/test_helpers/test_accounts`). Any other payout is paid.',
      response: answers('Payout', { ...PAYOUT_EXAMPLE, status: 'in_transit', in_transit_at: 1_732_184_003 }),
      errors: ['payout_state_invalid', 'payouts_frozen', 'payout_held', 'limit_exceeded', 'rate_unavailable'],
      handle: advance,
    }),
    helper('payPayout', 'POST /v1/test_helpers/payouts/:id/pay', {
      summary: 'Let a sandbox payout arrive',
      response: answers('Payout', { ...PAYOUT_EXAMPLE, status: 'paid', ended_at: 1_732_184_006 }),
      errors: ['payout_state_invalid', 'payouts_frozen', 'payout_held', 'limit_exceeded', 'rate_unavailable'],
      handle: (call) => step(call, 'paid'),
    }),
    helper('failPayout', 'POST /v1/test_helpers/payouts/:id/fail', {
      summary: 'Let a sandbox payout fail',
      body: failPayoutParams,
      request: { failure_code: 'no_account' },
      response: answers('Payout', { ...PAYOUT_EXAMPLE, status: 'failed' }),
      errors: ['payout_state_invalid'],
      handle: (call) => step(call, 'failed', call.body.failure_code),
    }),
    helper('returnPayout', 'POST /v1/test_helpers/payouts/:id/return', {
      summary: 'Let a paid sandbox payout come back',
      body: failPayoutParams,
      request: { failure_code: 'account_closed' },
      response: answers('Payout', { ...PAYOUT_EXAMPLE, status: 'returned' }),
      errors: ['payout_state_invalid'],
      handle: (call) => step(call, 'returned', call.body.failure_code),
    }),
  ];
}

/** An empty text unsets. */
const orNull = (text: string | undefined) => (text === '' ? null : text);
