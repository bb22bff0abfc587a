/** What a person decides about a bank's reports: entries without a place, and payouts that no report ends. */
import { type Route, answers, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import type { MatchingCommand } from './slice.ts';
import { type UnmatchedParts, entryRoutes } from './entry-routes.ts';
import { type VoidParts, voidRoutes } from './void-routes.ts';
import { oneOf, params, pathId, text } from '../../platform/http/request/params.ts';
import { PAYOUT_EXAMPLE } from '../../paying/payouts/routes.ts';

export function matchingRoutes(service: Service<MatchingCommand>, parts: UnmatchedParts & VoidParts): Route[] {
  return [...entryRoutes(service, parts), ...voidRoutes(service, parts), ...resolveRoutes(service)];
}

const RESOLVED = { ...PAYOUT_EXAMPLE, status: 'failed', failure_code: 'timeout' };

const route = routesOf('Bank statements', 'bank_entries');

const resolveParams = params({
  outcome: oneOf(['paid', 'failed'], {
    description:
      'What the bank did, as you have found out. `paid`: it has executed the payout. `failed`: it has not and will not.',
  }),
  reason: text({
    max: 200,
    description: 'How you know. The audit log keeps it.',
    example: 'Confirmed by phone, Ms Roe',
  }),
});

/** Ends a payout by hand on which the bank has not reported for days. The decision: `resolve-decide.ts`. */
function resolveRoutes(service: Service<MatchingCommand>): Route[] {
  return [
    route('resolvePayout', 'POST /v1/payouts/:id/resolve', {
      needsStepUp: true,
      summary: 'End a payout by hand',
      description:
        'For a payout on which the bank has not reported, five business days after the day of execution. Ask your bank first. The key approves payouts, and is of another family than the one that made this one. `failed` credits the account, and the payout never leaves again. If the bank books it after all, the money waits in `house:unmatched` as a conflict. After `paid`, the debit is still expected, as after the bank’s status ACSC.',
      alsoNeeds: 'payout_approvals:write',
      body: resolveParams,
      request: { outcome: 'failed', reason: 'Confirmed by phone, Ms Roe' },
      response: answers('Payout', RESOLVED),
      errors: [
        'payout_state_invalid',
        'payout_not_overdue',
        'approval_by_creator',
        'approval_key_unconfirmed',
        'balance_too_large',
      ],
      handle: (call) => service.write(call, { type: 'resolve_payout', payout: pathId(call, 'po'), ...call.body }),
    }),
  ];
}
