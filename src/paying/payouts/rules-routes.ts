/** The operations of rules and limits. Decisions: `rules-decide.ts`. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { NO_RULES, type PayoutRules, rulesFromJson } from '../../core/payout-rules.ts';
import { camelCased, pathId } from '../../platform/http/request/params.ts';
import { AMOUNT_ERRORS, answers, answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { jsonOfEnvironment, readsOfFew, type Service } from '../../platform/http/service.ts';
import type { PayoutCommand } from './slice.ts';
import * as wire from './rules-schema.ts';

const route = routesOf('Payout rules', 'payout_rules');

const RULES: unknown = JSON.parse(wire.renderRules({ ...NO_RULES, holdNewRecipientsHours: 24 }, false));
const LIMIT = exampleOf(wire.LIMIT);
export function payoutRulesRoutes(service: Service<PayoutCommand>): Route[] {
  const rulesIn = async (caller: Caller): Promise<PayoutRules> => {
    const json = await jsonOfEnvironment(service, caller, 'payout_rules');
    return json === null ? NO_RULES : rulesFromJson(json);
  };
  const limits = readsOfFew('lim', async (caller) => (await rulesIn(caller)).limits, wire.renderLimit);
  return [
    route('retrievePayoutRules', 'GET /v1/payout_rules', {
      summary: 'Retrieve the rules of payouts',
      response: answers('PayoutRules', RULES),
      handle: async ({ caller }) => ({ status: 200, body: wire.renderRules(await rulesIn(caller), caller.livemode) }),
    }),
    route('updatePayoutRules', 'POST /v1/payout_rules', {
      summary: 'Change the rules of payouts, or freeze them',
      description:
        'A freeze stops every payout: none is made, and no pending one leaves. Payouts in transit go on, and cancels and returns stay possible. Parameters that you leave out stay.',
      body: wire.updateRulesParams,
      request: { hold_new_recipients_hours: 24 },
      response: answers('PayoutRules', RULES),
      handle: (call) => service.write(call, { type: 'update_payout_rules', ...camelCased(call.body) }),
    }),
    route('createLimit', 'POST /v1/limits', {
      summary: 'Limit the payouts of a day',
      description:
        'Every payout is counted under one lock, so simultaneous requests never pass a limit. Days are UTC. A payout that fails or is canceled does not give back its share. A limit cannot be changed: make another and delete it.',
      body: wire.createLimitParams,
      request: { currency: 'EUR', amount: 10_000, action: 'hold' },
      response: answers('Limit', LIMIT),
      errors: ['limit_count', 'resource_missing', 'parameter_missing', ...AMOUNT_ERRORS, 'parameter_conflict'],
      handle: (call) => service.write(call, wire.limitFrom(call.body)),
    }),
    route('listLimits', 'GET /v1/limits', {
      summary: 'List limits',
      description: 'All limits; there are at most 20.',
      response: answersList('Limit', LIMIT),
      handle: limits.list,
    }),
    route('retrieveLimit', 'GET /v1/limits/:id', {
      summary: 'Retrieve a limit',
      response: answers('Limit', LIMIT),
      handle: limits.retrieve,
    }),
    route('deleteLimit', 'DELETE /v1/limits/:id', {
      summary: 'Delete a limit',
      response: answers('DeletedLimit', { id: LIMIT.id, object: 'limit', deleted: true }),
      handle: (call) => service.write(call, { type: 'delete_limit', limit: pathId(call, 'lim') }),
    }),
  ];
}
