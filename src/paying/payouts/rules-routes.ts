/** The operations of rules, limits and approvals. Decisions: `rules-decide.ts`, `approval-decide.ts`. */
import { limitDay, onlySubjectOf } from '../../core/limits.ts';
import { exampleId } from '../../core/values/ids.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { PAYOUT_BATCH } from './fields.ts';
import { NO_RULES, type PayoutRules, rulesFromJson } from '../../core/payout-rules.ts';
import { camelCased, pathId } from '../../platform/http/request/params.ts';
import { AMOUNT_ERRORS, answers, answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { jsonOfEnvironment, readsOfFew, type Service } from '../../platform/http/service.ts';
import type { PayoutCommand } from './slice.ts';
import { PAYOUT_EXAMPLE, type SettlementDelay } from './routes.ts';
import * as wire from './rules-schema.ts';
import { LIMIT_USAGES, usagesOfDay } from './sql.ts';

const route = routesOf('Payout rules', 'payout_rules');
const approval = routesOf('Approvals', 'payout_approvals');
const helper = routesOf('Test helpers', 'test_helpers');

const RULES: unknown = JSON.parse(wire.renderRules({ ...NO_RULES, holdNewRecipientsHours: 24 }, false));
const LIMIT = exampleOf(wire.LIMIT);
const release = (more: object) => ({
  status: 'held',
  reasons: [LIMIT.id],
  approvals_required: 1,
  approvals: [],
  rejection: null,
  fingerprint: `25000.EUR.${exampleId('rcp')}.1`,
  ...more,
});
const by = { by: 'key_01jd3v9q4ne8v8k3w2m6r5t7xb', at: 1_732_184_003 };
const APPROVED = { ...PAYOUT_EXAMPLE, release: release({ status: 'approved', approvals: [by] }) };
const AS_SECOND_PERSON = release({ status: 'approved', approvals: [{ ...by, by: 'second_person' }] });
const REJECTED = {
  ...PAYOUT_EXAMPLE,
  status: 'canceled',
  reversal: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb',
  release: release({ status: 'rejected', rejection: { ...by, reason: 'not our supplier' } }),
};
const BATCH = exampleOf(PAYOUT_BATCH, { payouts_count: 2, open_count: 2 });
const APPROVAL_ERRORS = ['payout_not_held', 'approval_by_creator', 'approval_repeated', 'limit_exceeded'] as const;

export function payoutRulesRoutes(service: Service<PayoutCommand>, settlementDelay: SettlementDelay): Route[] {
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
  const limits = readsOfFew('lim', limitsIn, wire.renderLimit);
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
      summary: 'Limit what leaves in a day',
      description:
        'Payouts and exchanges are counted under one lock, so simultaneous requests never pass a limit. Who pays uses what the account is debited, in its currency; a recipient uses what arrives. A payout counts on the day on which it leaves: today, its planned day, or that on which its money comes or it is approved. Days begin in the `time_zone` of the payout rules. A payout that is canceled, rejected or fails before it left gives back its share. A limit cannot be changed: make another and delete it.',
      body: wire.createLimitParams,
      request: { currency: 'EUR', amount: 10_000, action: 'hold' },
      response: answers('Limit', LIMIT),
      errors: ['limit_count', 'resource_missing', 'parameter_missing', ...AMOUNT_ERRORS, 'parameter_conflict'],
      handle: (call) => service.write(call, wire.limitFrom(call.body)),
    }),
    route('listLimits', 'GET /v1/limits', {
      summary: 'List limits',
      description: 'All limits with what is used of each; there are at most 20.',
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
    approval('approvePayout', 'POST /v1/payouts/:id/approve', {
      summary: 'Approve a held payout',
      description:
        'The approving key is of another family than the one that created the payout: its root, a key of the command line, is another one. Send the `fingerprint` from `release`, so that nothing else is approved. With `approvals_required` of 2, two families have to approve.',
      body: wire.approveParams,
      request: {},
      response: answers('Payout', APPROVED),
      errors: [...APPROVAL_ERRORS, 'approval_outdated'],
      handle: (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const payout = pathId(call, 'po');
        return service.write(call, { type: 'approve_payout', payout, ...call.body, settlementDelayMs });
      },
    }),
    helper('approvePayoutAsSecondPerson', 'POST /v1/test_helpers/payouts/:id/approve', {
      summary: 'Approve a held sandbox payout as a second person',
      description:
        'Stands for a second person, so that you need no second family of keys to try approvals. It approves once.',
      response: answers('Payout', { ...APPROVED, release: AS_SECOND_PERSON }),
      errors: ['payout_not_held', 'approval_repeated', 'limit_exceeded'],
      handle: (call) =>
        service.write(call, {
          type: 'approve_payout',
          payout: pathId(call, 'po'),
          fingerprint: undefined,
          settlementDelayMs: settlementDelay(call.caller.livemode),
          as: 'second_person',
        }),
    }),
    approval('rejectPayout', 'POST /v1/payouts/:id/reject', {
      summary: 'Reject a held payout',
      description: 'Cancels it, which credits the account back, and keeps the reason.',
      body: wire.rejectParams,
      request: { reason: 'not our supplier' },
      response: answers('Payout', REJECTED),
      errors: ['payout_not_held'],
      handle: (call) => {
        const { reason = null } = call.body;
        return service.write(call, { type: 'reject_payout', payout: pathId(call, 'po'), reason });
      },
    }),
    approval('approvePayoutBatch', 'POST /v1/payouts/batch/:id/approve', {
      summary: 'Approve the held payouts of a batch',
      description: 'All held payouts or none.',
      response: answers('PayoutBatch', BATCH),
      errors: [...APPROVAL_ERRORS],
      handle: (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        return service.write(call, { type: 'approve_payout_batch', batch: pathId(call, 'pob'), settlementDelayMs });
      },
    }),
    approval('rejectPayoutBatch', 'POST /v1/payouts/batch/:id/reject', {
      summary: 'Reject the held payouts of a batch',
      description: 'Cancels all held payouts.',
      body: wire.rejectParams,
      request: { reason: 'entered twice' },
      response: answers('PayoutBatch', {
        ...BATCH,
        status: 'completed_with_failures',
        open_count: 0,
        failed_count: 2,
        completed_at: 1_732_184_003,
      }),
      errors: ['payout_not_held'],
      handle: (call) => {
        const { reason = null } = call.body;
        return service.write(call, { type: 'reject_payout_batch', batch: pathId(call, 'pob'), reason });
      },
    }),
  ];
}
