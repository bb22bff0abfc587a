/**
 * The queue of entries without a place: suggestions, many assigned at once, or sent back. Entries and single assignments:
 * `bank/statements/routes.ts`; the decisions: `bank/statements/assign-decide.ts`, `return-decide.ts`.
 */
import { demand } from '../../core/scopes.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { amountMembers, majorOf } from '../../core/values/money.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { listParams } from '../../platform/http/lists.ts';
import { id, oneOf, pathId } from '../../platform/http/request/params.ts';
import {
  PAYEE_ERRORS,
  AMOUNT_ERRORS,
  answers,
  answersList,
  type Call,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { listPage, type Service } from '../../platform/http/service.ts';
import { inSlices } from '../../platform/http/slices.ts';
import type { ListQuery } from '../../platform/http/lists.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { type CandidateParts, candidatesFor } from './candidates.ts';
import type { MatchingCommand } from './slice.ts';
import { BANK_ENTRY, type BankEntry } from '../statements/fields.ts';
import { assignEntriesParams, returnParams } from '../statements/parameters.ts';
import { ENTRY_EXAMPLE } from '../statements/schema.ts';
import { BANK_ENTRIES } from '../statements/sql.ts';
import { type Sought, soughtIn, type Suggestion, suggestionsFor } from './suggestions.ts';

const route = routesOf('Bank statements', 'bank_entries');

const WAITING = {
  ...ENTRY_EXAMPLE,
  waiting_days: 2,
  suggestions: [
    {
      to: 'pay_01jd3v9q4ne8v8k3w2m6r5t7xa',
      amount: 100,
      amount_minor: 10_000,
      reasons: ['amount', 'name'],
      assignments: [{ to: 'pay_01jd3v9q4ne8v8k3w2m6r5t7xa', amount: 100 }],
    },
  ],
};

export interface UnmatchedParts extends Omit<CandidateParts, 'rows'> {
  /** Wait before the sandbox moves a payout. */
  settlementDelay(livemode: boolean): number | null;
}

export function unmatchedRoutes(service: Service<MatchingCommand>, parts: UnmatchedParts): Route[] {
  return [
    route('listUnmatchedEntries', 'GET /v1/bank/unmatched', {
      summary: 'List bank entries without a place',
      description:
        'Entries with a part in `house:unmatched`, and suggestions where they belong. A suggestion moves no money. It has its reasons, and `assignments` ready for `POST /v1/bank/entries/:id/assign`. A CSV without `limit` has no suggestions.',
      query: listParams('be', {
        bank_account: id('ba', { description: 'Only objects of this bank account.' }),
        direction: oneOf(['credit', 'debit'], { description: 'Only money that came in, or went out.' }),
      }),
      response: answersList('UnmatchedEntry', WAITING),
      handle: (call) => unmatched(service, parts, call),
    }),
    route('assignBankEntries', 'POST /v1/bank/unmatched/assign', {
      summary: 'Assign many bank entries',
      description: 'Up to 100 entries in one commit: all entries or none.',
      body: assignEntriesParams,
      request: { entries: [{ entry: 'be_01jd3v9q4ne8v8k3w2m6r5t7xa', to: 'fees' }], reason: 'Fees of November' },
      response: answers('AssignedEntries', { data: [{ ...ENTRY_EXAMPLE, status: 'matched', amount_unassigned: 0 }] }),
      errors: [
        ...AMOUNT_ERRORS,
        'resource_missing',
        'bank_entry_assigned',
        'bank_entry_voided',
        'account_currency_mismatch',
        'account_closed',
        'balance_insufficient',
        'balance_too_large',
        'payout_state_invalid',
      ],
      handle: (call) => {
        const { entries, reason = null } = call.body;
        const wanted = entries.map(({ entry, to, amount = null }) => ({ entry, target: { to, amount, payouts: [] } }));
        return service.write(call, { type: 'assign_bank_entries', entries: wanted, reason });
      },
    }),
    route('returnBankEntry', 'POST /v1/bank/entries/:id/return', {
      summary: 'Send money back to its sender',
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

/** Entries that are looked at in one turn of the event loop: their texts are those of strangers. */
const SLICE = 10;

type Asked = Call<unknown, ListQuery & { readonly bank_account?: unknown; readonly direction?: unknown }>;

async function unmatched(service: Service, parts: UnmatchedParts, call: Asked): ReturnType<typeof listPage> {
  const { environmentId, livemode } = call.caller;
  const { bank_account: bankAccount, direction } = call.query;
  const conditions = [
    ...(typeof bankAccount === 'string' ? [{ sql: 't.bank_account_id = $', value: uuidOf(bankAccount) }] : []),
    ...(typeof direction === 'string' ? [{ sql: 't.direction = $', value: direction }] : []),
  ];
  const source = {
    from: `(SELECT * FROM bank_entries u WHERE u.status = 'unmatched') AS t`, // a literal, for the index bank_entries_unmatched
    columns: BANK_ENTRIES.columns('t'),
    environmentId,
    conditions,
    cursors: { table: 'bank_entries', conditions: [] },
  };
  const nowMs = await environmentNow(service, environmentId);
  const page: BankEntry[] = [];
  const render = (entry: BankEntry, suggestions: readonly Suggestion[]): string => {
    const days = Math.floor((nowMs - entry.createdAt) / DAY_MS);
    const shown = suggestions.map((each) => suggestionJson(each, entry.currency));
    return `${BANK_ENTRY.render(entry, livemode).slice(0, -1)},"waiting_days":${days},"suggestions":[${shown.join(',')}]}`;
  };
  return listPage(
    service,
    call,
    source,
    (row) => {
      const entry = parts.seals.open(BANK_ENTRIES.read(row));
      page.push(entry);
      return render(entry, []);
    },
    (row) => idOf('be', row['id'] as string),
    async () => {
      const reads = { ...parts, rows: (statement: Statement) => service.rows(statement) };
      const sought: Sought[] = [];
      for await (const entry of inSlices(page, SLICE)) sought.push(soughtIn(entry));
      const candidates = await candidatesFor(reads, environmentId, sought);
      const texts: string[] = [];
      for await (const each of inSlices(sought, SLICE))
        texts.push(render(each.entry, suggestionsFor(each, candidates)));
      return texts;
    },
  );
}

function suggestionJson({ to, amount, reasons, split }: Suggestion, currency: string): string {
  const assignments = split.map((part) => `{"to":"${part.to}","amount":${majorOf(part.amount, currency)}}`);
  return `{"to":${JSON.stringify(to)},${amountMembers(amount, currency)},"reasons":${JSON.stringify(reasons)},"assignments":[${assignments.join(',')}]}`;
}
