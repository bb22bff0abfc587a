/** The operations of the second person on what would loosen the rules of payouts. Decisions: `loosening-decide.ts`. */
import { pathId } from '../../platform/http/request/params.ts';
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { approveDeletionParams, approveRulesParams } from './approval-schema.ts';
import { LIMIT_EXAMPLE, RULES_EXAMPLE } from './rules-routes.ts';
import type { PayoutCommand } from './slice.ts';

const approval = routesOf('Payout rules', 'payout_approvals');
const helper = routesOf('Test helpers', 'test_helpers');

const FINGERPRINT = '7d1c0e4fb3a25986e2c4a60d8f13b759';
const DELETED = { id: LIMIT_EXAMPLE.id, object: 'limit', deleted: true };
const APPROVAL_ERRORS = [
  'change_not_held',
  'approval_by_creator',
  'approval_repeated',
  'approval_key_unconfirmed',
] as const;
const STANDS_FOR = 'Stands for a second person, so that you need no second family of keys to try it. It approves once.';

export function looseningRoutes(service: Service<PayoutCommand>): Route[] {
  return [
    approval('approvePayoutRules', 'POST /v1/settings/payouts/approve', {
      summary: 'Approve a change that loosens the rules of payouts',
      description:
        'The approving key is of another family than the one that asked. With `approvals_required` of 2, two families have to approve.',
      body: approveRulesParams,
      request: { fingerprint: FINGERPRINT },
      response: answers('PayoutRules', RULES_EXAMPLE),
      errors: [...APPROVAL_ERRORS, 'approval_outdated'],
      handle: (call) => service.write(call, { type: 'approve_payout_rules', ...call.body }),
    }),
    approval('rejectPayoutRules', 'POST /v1/settings/payouts/reject', {
      summary: 'Reject a change that loosens the rules of payouts',
      response: answers('PayoutRules', RULES_EXAMPLE),
      errors: ['change_not_held'],
      handle: (call) => service.write(call, { type: 'reject_payout_rules' }),
    }),
    approval('approveLimitDeletion', 'POST /v1/limits/:id/approve', {
      summary: 'Approve the deletion of a limit',
      description: 'As a change of the rules of payouts is approved. The last approval deletes the limit.',
      body: approveDeletionParams,
      request: { fingerprint: FINGERPRINT },
      response: answers('DeletedLimit', DELETED),
      errors: [...APPROVAL_ERRORS, 'approval_outdated'],
      handle: (call) =>
        service.write(call, { type: 'approve_limit_deletion', limit: pathId(call, 'lim'), ...call.body }),
    }),
    approval('rejectLimitDeletion', 'POST /v1/limits/:id/reject', {
      summary: 'Reject the deletion of a limit',
      response: answers('DeletedLimit', { ...DELETED, deleted: false }),
      errors: ['change_not_held'],
      handle: (call) => service.write(call, { type: 'reject_limit_deletion', limit: pathId(call, 'lim') }),
    }),
    helper('approvePayoutRulesAsSecondPerson', 'POST /v1/test_helpers/settings/payouts/approve', {
      summary: 'Approve a change of a sandbox’s rules of payouts as a second person',
      description: STANDS_FOR,
      response: answers('PayoutRules', RULES_EXAMPLE),
      errors: ['change_not_held', 'approval_repeated'],
      handle: (call) => service.write(call, { type: 'approve_payout_rules', fingerprint: null, as: 'second_person' }),
    }),
    helper('approveLimitDeletionAsSecondPerson', 'POST /v1/test_helpers/limits/:id/approve', {
      summary: 'Approve the deletion of a sandbox’s limit as a second person',
      description: STANDS_FOR,
      response: answers('DeletedLimit', DELETED),
      errors: ['change_not_held', 'approval_repeated'],
      handle: (call) => {
        const limit = pathId(call, 'lim');
        return service.write(call, { type: 'approve_limit_deletion', limit, fingerprint: null, as: 'second_person' });
      },
    }),
  ];
}
