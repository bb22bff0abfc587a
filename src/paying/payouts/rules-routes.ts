/** The operations of rules and limits. Decisions: `rules-decide.ts`. */
import { limitDay, onlySubjectOf } from '../../core/limits.ts';
import { wholeListParams } from '../../platform/http/lists.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { NO_RULES, type PayoutRules, rulesFromJson } from '../../core/payout-rules.ts';
import { camelCased, pathId } from '../../platform/http/request/params.ts';
import { AMOUNT_ERRORS, answers, answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { jsonOfEnvironment, readsOfFew, type Service } from '../../platform/http/service.ts';
import type { PayoutCommand } from './slice.ts';
import * as wire from './rules-schema.ts';
import { LIMIT_USAGES, usagesOfDay } from './sql.ts';

const route = routesOf('Payout rules', 'payout_rules');
const limitRoute = routesOf('Payout rules', 'limits');

export const RULES_EXAMPLE: unknown = JSON.parse(wire.renderRules({ ...NO_RULES, holdNewRecipientsHours: 24 }, false));
export const LIMIT_EXAMPLE = exampleOf(wire.LIMIT);
export function payoutRulesRoutes(service: Service<PayoutCommand>): Route[] {
  const rulesIn = async (caller: Caller): Promise<PayoutRules> => {
    const json = await jsonOfEnvironment(service, caller, 'payout_rules');
    return json === null ? NO_RULES : rulesFromJson(json);
  };
  const limitsIn = async (caller: Caller): Promise<readonly wire.ShownLimit[]> => {
    const { environmentId } = caller;
    const [rules, nowMs] = await Promise.all([rulesIn(caller), environmentNow(service, environmentId)]);
    const wanted = rules.limits.flatMap((limit) => {
      const subject = onlySubjectOf(limit, environmentId);
      return subject === null ? [] : { limit: limit.id, subject };
    });
    const rows = await service.rows(usagesOfDay(environmentId, limitDay(rules, nowMs), wanted));
    const usages = new Map(rows.map((row) => LIMIT_USAGES.read(row)).map((usage) => [usage.limit, usage]));
    return rules.limits.map((limit) => ({ ...limit, ...wire.shownOn(limit, rules, nowMs, usages.get(limit.id)) }));
  };
  const limits = readsOfFew(service, 'lim', limitsIn, wire.renderLimit);
  return [
    route('retrievePayoutRules', 'GET /v1/settings/payouts', {
      summary: 'Retrieve the rules of payouts',
      response: answers('PayoutRules', RULES_EXAMPLE),
      handle: async ({ caller }) => ({ status: 200, body: wire.renderRules(await rulesIn(caller), caller.livemode) }),
    }),
    route('updatePayoutRules', 'POST /v1/settings/payouts', {
      summary: 'Change the rules of payouts, or freeze them',
      description:
        'A freeze stops every payout: none is made, and no pending one leaves. Payouts in transit go on, and cancels and returns stay possible. Parameters that you leave out stay. Where something is held for a second person, what loosens the rules waits in `pending_changes` for `POST /v1/settings/payouts/approve`; what makes them stricter is done at once. The newest request takes the place of what waits, and naming a rule as it is takes that back.',
      body: wire.updateRulesParams,
      request: { hold_new_recipients_hours: 24 },
      response: answers('PayoutRules', RULES_EXAMPLE),
      handle: (call) => service.write(call, { type: 'update_payout_rules', ...camelCased(call.body) }),
    }),
    limitRoute('createLimit', 'POST /v1/limits', {
      summary: 'Limit what leaves in a day',
      description:
        'Simultaneous requests never pass a limit. Who pays uses what the account is debited, in its currency; a recipient uses what arrives. With `all_currencies` other currencies count too, at their value in `currency` at the newest mid-market rate, rounded up; without a rate such a payout is refused with `rate_unavailable`. A payout counts on the day on which it leaves: today, its planned day, or that on which its money comes or it is approved. Days begin in the `time_zone` of the payout rules. A payout that is canceled, rejected or fails before it left gives back its share.',
      body: wire.createLimitParams,
      request: { currency: 'EUR', amount: 10_000, action: 'hold' },
      response: answers('Limit', LIMIT_EXAMPLE),
      errors: ['limit_count', 'resource_missing', 'parameter_missing', ...AMOUNT_ERRORS, 'parameter_conflict'],
      handle: (call) => service.write(call, wire.limitFrom(call.body)),
    }),
    limitRoute('listLimits', 'GET /v1/limits', {
      summary: 'List limits',
      description: 'All limits with what is used of each; there are at most 20.',
      query: wholeListParams,
      response: answersList('Limit', LIMIT_EXAMPLE),
      handle: limits.list,
    }),
    limitRoute('retrieveLimit', 'GET /v1/limits/:id', {
      summary: 'Retrieve a limit',
      response: answers('Limit', LIMIT_EXAMPLE),
      handle: limits.retrieve,
    }),
    limitRoute('deleteLimit', 'DELETE /v1/limits/:id', {
      summary: 'Delete a limit',
      description:
        'Where something is held for a second person, the limit stays, with `pending_deletion`, and the answer says `deleted: false`. `POST /v1/limits/:id/approve` deletes it.',
      response: answers('DeletedLimit', { id: LIMIT_EXAMPLE.id, object: 'limit', deleted: true }),
      handle: (call) => service.write(call, { type: 'delete_limit', limit: pathId(call, 'lim') }),
    }),
  ];
}
