/**
 * Entries without a place: many assigned at once, or sent back. Lists and single assignments: `bank/statements/routes.ts`; the
 * decisions: `bank/statements/assign-decide.ts`, `return-decide.ts`.
 */
import { demand } from '../../core/scopes.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { PAYEE_ERRORS, answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import type { MatchingCommand } from './slice.ts';
import { assignEntriesParams, returnParams } from '../statements/parameters.ts';
import { ASSIGNMENT_ERRORS, ENTRY_EXAMPLE } from '../statements/schema.ts';
import { BANK_ENTRIES } from '../statements/sql.ts';

const route = routesOf('Bank statements', 'bank_entries');

export interface UnmatchedParts {
  /** Wait before the sandbox moves a payout. */
  settlementDelay(livemode: boolean): number | null;
}

export function entryRoutes(service: Service<MatchingCommand>, parts: UnmatchedParts): Route[] {
  return [
    route('assignBankEntryBatch', 'POST /v1/bank_entries/assign/batch', {
      summary: 'Assign many bank entries',
      description: 'Up to 100 entries in one commit: all entries or none.',
      body: assignEntriesParams,
      request: { entries: [{ entry: 'be_01jd3v9q4ne8v8k3w2m6r5t7xa', to: 'fees' }], reason: 'Fees of November' },
      response: answers('AssignedEntries', { data: [{ ...ENTRY_EXAMPLE, status: 'matched', amount_unassigned: 0 }] }),
      errors: [...ASSIGNMENT_ERRORS, 'resource_missing'],
      handle: (call) => {
        const { entries, reason = null } = call.body;
        const wanted = entries.map(({ entry, to, amount = null }) => ({ entry, target: { to, amount, payouts: [] } }));
        return service.write(call, { type: 'assign_bank_entries', entries: wanted, reason });
      },
    }),
    route('returnBankEntry', 'POST /v1/bank_entries/:id/return', {
      summary: 'Send money back to its sender',
      mayNeed: ['payouts:write'],
      description:
        'Assigns the part of the entry without a place to an account and pays it out from there, in the same commit, without a fee. It goes to the IBAN that it came from, or to `recipient`, for which the key needs `payouts:write`. The payout is `return_payout` of the entry and has the entry’s id in `metadata`. Limits and approvals count as for any payout. If it does not arrive, the money is in the account.',
      body: returnParams,
      request: { reason: 'Paid by mistake' },
      response: answers('BankEntry', {
        ...ENTRY_EXAMPLE,
        status: 'matched',
        amount_unassigned: 0,
        return_payout: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
      }),
      errors: [
        'bank_entry_not_returnable',
        'bank_entry_voided',
        'bank_entry_assigned',
        'sender_unknown',
        'account_missing',
        'account_currency_mismatch',
        'account_closed',
        ...PAYEE_ERRORS,
        'payouts_frozen',
        'limit_exceeded',
        'rate_unavailable',
        'payout_not_payable',
        'balance_too_large',
      ],
      handle: async (call) => {
        const entry = pathId(call, 'be');
        const { account = null, recipient = null, reason = null } = call.body;
        if (recipient !== null) demand(call.caller.scopes, 'payouts:write', 'a return to a recipient');
        const { environmentId, livemode } = call.caller;
        const [row] = await service.rows(BANK_ENTRIES.load([{ environmentId, id: entry }]));
        const currency = row === undefined ? null : BANK_ENTRIES.read(row).currency;
        const settlementDelayMs = parts.settlementDelay(livemode);
        const wanted = { entry, account, currency, recipient, reason, settlementDelayMs };
        return service.write(call, { type: 'return_bank_entry', ...wanted });
      },
    }),
  ];
}
