/** The operations of standing orders. What happens on a planned day: `runs.ts`, `run-routes.ts`. */
import { equal } from '../../platform/db/wire/page.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { actorId, currency, id, oneOf } from '../../platform/http/request/params.ts';
import {
  PAYEE_ERRORS,
  always,
  AMOUNT_ERRORS,
  answers,
  answersList,
  answersOrTries,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { lineMates, readsOf, type Service, withoutPayroll } from '../../platform/http/service.ts';
import type { StandingOrderCommand } from './slice.ts';
import { STANDING_ORDER, STANDING_ORDER_STATUSES } from './fields.ts';
import { changesFrom, createStandingOrderParams, orderFrom, updateStandingOrderParams } from './schema.ts';
import { STANDING_ORDERS } from './sql.ts';

const route = routesOf('Standing orders', 'standing_orders');
/** What moves money needs what a payout needs. */
const alsoNeeds = 'payouts:write';

const EXAMPLE = exampleOf(STANDING_ORDER);

export function standingOrderRoutes(service: Service<StandingOrderCommand>): Route[] {
  const ofAccounts = 't.account_id = ANY ($::uuid[])';
  const { idIn, list, retrieve } = readsOf(service, STANDING_ORDER, STANDING_ORDERS, { ofAccounts });
  return [
    route('createStandingOrder', 'POST /v1/standing_orders', {
      summary: 'Create a standing order',
      description:
        'Makes the same payout on every planned day. All days follow from `starts_on`: the 31st runs on the last day of a shorter month. Each payout is checked on its day like any other, against the limits of the key that ordered it. Missed days are made up.',
      alsoNeeds,
      body: createStandingOrderParams,
      request: {
        amount: 850,
        currency: 'EUR',
        recipient: EXAMPLE['recipient'],
        interval: 'month',
        starts_on: '2026-12-31',
        reference: 'Rent',
      },
      response: answersOrTries('StandingOrder', EXAMPLE),
      errors: [
        ...AMOUNT_ERRORS,
        'currency_unsupported',
        'resource_missing',
        ...PAYEE_ERRORS,
        'account_missing',
        'account_closed',
        'account_currency_mismatch',
        'parameter_conflict',
        'parameter_missing',
        'payout_not_payable',
      ],
      handle: (call) => service.write(call, orderFrom(call.body), { dryRun: call.body.dry_run }),
    }),
    route('listStandingOrders', 'GET /v1/standing_orders', {
      summary: 'List standing orders',
      isRepeatable: always,
      query: listParams('so', {
        status: oneOf(STANDING_ORDER_STATUSES, { description: 'Only in this state.' }),
        recipient: id('rcp', { description: 'Only orders that pay this recipient.' }),
        account: id('acct', { description: 'Only orders that debit this account.' }),
        currency: currency({ description: 'Only of this currency.' }),
        ordered_by: actorId({
          description:
            'Only orders whose payouts this key has ordered, or one that it was rolled from or to; or this user.',
        }),
      }),
      response: answersList('StandingOrder', EXAMPLE),
      handle: async (call) => {
        const { ordered_by: keys, ...others } = call.query;
        const inLine = equal({ 't.ordered_by': await lineMates(service, call.caller, keys) });
        const query = { ...others, ordered_by: undefined };
        const conditions = [...inLine, ...withoutPayroll(call.caller, [query.recipient])];
        return list({ ...call, query }, { recipient: 'recipient_id', account: 'account_id' }, conditions);
      },
    }),
    route('retrieveStandingOrder', 'GET /v1/standing_orders/:id', {
      summary: 'Retrieve a standing order',
      isRepeatable: always,
      response: answers('StandingOrder', EXAMPLE),
      handle: retrieve,
    }),
    route('updateStandingOrder', 'POST /v1/standing_orders/:id', {
      summary: 'Update a standing order',
      description:
        'Parameters that you leave out stay. A change counts for coming days, made-up ones included. The key that changes the amount has ordered the payouts from then on. Days and recipient never change: make another order.',
      alsoNeeds,
      body: updateStandingOrderParams,
      request: { amount: 875 },
      response: answers('StandingOrder', { ...EXAMPLE, amount: 875, amount_minor: 87_500 }),
      errors: [
        ...AMOUNT_ERRORS,
        'parameter_conflict',
        'parameter_missing',
        'standing_order_state_invalid',
        'metadata_invalid',
        'payout_not_payable',
      ],
      handle: (call) =>
        service.write(call, { type: 'update_standing_order', standingOrder: idIn(call), ...changesFrom(call.body) }),
    }),
    route('pauseStandingOrder', 'POST /v1/standing_orders/:id/pause', {
      summary: 'Pause a standing order',
      description: 'Planned days during the pause are left out and not made up.',
      response: answers('StandingOrder', { ...EXAMPLE, status: 'paused', paused_reason: 'requested' }),
      errors: ['standing_order_state_invalid'],
      handle: (call) => service.write(call, { type: 'pause_standing_order', standingOrder: idIn(call) }),
    }),
    route('resumeStandingOrder', 'POST /v1/standing_orders/:id/resume', {
      summary: 'Resume a paused standing order',
      description: 'Goes on with the next planned day. Days during the pause are left out.',
      alsoNeeds,
      response: answers('StandingOrder', EXAMPLE),
      errors: ['standing_order_state_invalid'],
      handle: (call) => service.write(call, { type: 'resume_standing_order', standingOrder: idIn(call) }),
    }),
    route('cancelStandingOrder', 'POST /v1/standing_orders/:id/cancel', {
      summary: 'Cancel a standing order',
      description: 'No further payout is made. Existing payouts go on; cancel them one by one.',
      response: answers('StandingOrder', {
        ...EXAMPLE,
        status: 'canceled',
        next_run_on: null,
        ended_at: 1_732_190_000,
      }),
      errors: ['standing_order_state_invalid'],
      handle: (call) => service.write(call, { type: 'cancel_standing_order', standingOrder: idIn(call) }),
    }),
  ];
}
