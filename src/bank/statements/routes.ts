/** The operations of what banks report. Decisions: `decide.ts`, `assign-decide.ts`; the import: `bank/imports/importing.ts`. */
import { RequestError } from '../../core/values/errors.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { id, oneOf, optional, params, pathId } from '../../platform/http/request/params.ts';
import { always, answers, answersList, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { assertUnrestricted, missing, one, readsOf, type Service } from '../../platform/http/service.ts';
import { ENCODING_NAMES, type EncodingName } from '../../iso20022/read/encoding.ts';
import type { NamedPayout } from './booking.ts';
import type { BankStatementCommand } from './slice.ts';
import {
  STATEMENT_FILE,
  BANK_ENTRY,
  BANK_STATEMENT,
  type Assignment,
  type BankEntry,
  ENTRY_STATUSES,
  MESSAGES,
  PROOFS,
  STATEMENT_STATUSES,
} from './fields.ts';
import { assignParams, unassignParams } from './parameters.ts';
import { type ReviewParts, reviewRoutes } from './review-routes.ts';
import { ASSIGNMENT_ERRORS, ENTRY_EXAMPLE, renderDeposits, STATEMENT_EXAMPLE as STATEMENT } from './schema.ts';
import { creditRoutes } from './credit-routes.ts';
import { type RuleParts, ruleRoutes } from './rule-routes.ts';
import { STATEMENT_FILES, BANK_ENTRIES, BANK_STATEMENTS, depositsOf } from './sql.ts';

const fileRoute = routesOf('Bank statements', 'statement_files');
const entryRoute = routesOf('Bank statements', 'bank_entries');
const accountRoute = routesOf('Bank statements', 'bank_accounts');

const DEPOSITS = {
  object: 'deposit_instructions',
  account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  currency: 'EUR',
  reference: 'RF6700CGR3XK5N8E0G',
  bank_account: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa',
  holder: 'Example GmbH',
  bank_details: { iban: 'DE02120300000000202051' },
};
const DOCUMENT = exampleOf(STATEMENT_FILE, { status: 'imported', size_bytes: 14_310, statements_count: 1 });

export interface BankStatementParts extends RuleParts, ReviewParts {
  /**
   * Imports a file for the caller. Resolves with the JSON of the document: imported, or after a while as it is by then. `encoding: null`:
   * what the file says.
   */
  importFile(
    call: Call<unknown, unknown>,
    file: AsyncIterable<Uint8Array>,
    encoding: EncodingName | null,
  ): Promise<string>;
  underWayOf(environmentId: string, file: string): Promise<readonly NamedPayout[]>;
  /** The same entries, those without a place with suggestions (`bank/matching/suggested.ts`). */
  withSuggestions(environmentId: string, entries: readonly BankEntry[]): Promise<readonly BankEntry[]>;
}

export function bankStatementRoutes(service: Service<BankStatementCommand>, parts: BankStatementParts): Route[] {
  const documents = readsOf(service, STATEMENT_FILE, STATEMENT_FILES);
  const statements = readsOf(service, BANK_STATEMENT, BANK_STATEMENTS);
  const entries = readsOf(service, BANK_ENTRY, BANK_ENTRIES, {
    open: (stored) => parts.seals.open(stored),
    complete: ({ environmentId }, found) => parts.withSuggestions(environmentId, found),
  });
  const bankAccount = id('ba', { description: 'Only objects of this bank account.' });
  return [
    ...creditRoutes(service),
    ...ruleRoutes(service, parts),
    ...reviewRoutes(service, parts),
    accountRoute('retrieveDepositInstructions', 'GET /v1/accounts/:id/deposit_instructions', {
      summary: 'Retrieve how to pay into an account',
      description:
        'The bank account that collects in its currency, and the reference that leads a transfer to this account. A key with `accounts` sees only its own accounts.',
      response: answers('DepositInstructions', DEPOSITS),
      handle: (call) => {
        const account = pathId(call, 'acct');
        const { environmentId, accounts } = call.caller;
        if (accounts !== null && !accounts.has(account)) throw missing('account', account);
        const look = depositsOf(environmentId, account);
        return one(service, look, 'account', account, (row) => renderDeposits(row, account));
      },
    }),
    fileRoute('importStatementFile', 'POST /v1/statement_files', {
      summary: 'Import a statement file',
      description:
        'The body is the file: camt.053, camt.052, camt.054 or pain.002 in XML, several one after another too, MT940 or MT942, or a ZIP of such files. The whole file is read before anything is booked. Sending it again, or another file with the same entries, books nothing twice, so it needs no idempotency key. What is not certain waits: the statement is in `needs_review`. A large file is answered while it is still `importing`. If the import is cut off, send the file again.',
      uploads: true,
      query: params({
        ...optional({
          encoding: oneOf(ENCODING_NAMES, {
            description:
              'The encoding of the file, if it does not say its own or lies about it; in a ZIP that of each file. By default what the file says.',
          }),
        }),
      }),
      response: answers('StatementFile', DOCUMENT),
      errors: [
        'statement_file_invalid',
        'bank_account_unknown',
        'bank_account_closed',
        'bank_statement_incomplete',
        'account_not_allowed',
        'body_invalid',
      ],
      handle: async (call) => {
        assertUnrestricted(call.caller, 'a statement file is about all of them');
        if (!call.upload) throw new RequestError('body_invalid', 'The body is empty. Send the file as the body.');
        return { status: 200, body: await parts.importFile(call, call.upload, call.query.encoding ?? null) };
      },
    }),
    fileRoute('listStatementFiles', 'GET /v1/statement_files', {
      summary: 'List statement files',
      isRepeatable: always,
      query: listParams('sf', {}),
      response: answersList('StatementFile', DOCUMENT),
      handle: (call) => documents.list(call),
    }),
    fileRoute('retrieveStatementFile', 'GET /v1/statement_files/:id', {
      summary: 'Retrieve a statement file',
      isRepeatable: always,
      response: answers('StatementFile', DOCUMENT),
      handle: (call) => documents.retrieve(call),
    }),
    fileRoute('listBankStatements', 'GET /v1/bank_statements', {
      summary: 'List bank statements',
      isRepeatable: always,
      query: listParams('bs', {
        bank_account: bankAccount,
        status: oneOf(STATEMENT_STATUSES, { description: 'Only in this state.' }),
        message: oneOf(MESSAGES, { description: 'Only statements of this message.' }),
        proof: oneOf(PROOFS, { description: 'Only statements with this result of the proof.' }),
      }),
      response: answersList('BankStatement', STATEMENT),
      handle: (call) => statements.list(call, { bank_account: 'bank_account_id' }),
    }),
    fileRoute('retrieveBankStatement', 'GET /v1/bank_statements/:id', {
      summary: 'Retrieve a bank statement',
      isRepeatable: always,
      response: answers('BankStatement', STATEMENT),
      handle: (call) => statements.retrieve(call),
    }),
    entryRoute('listBankEntries', 'GET /v1/bank_entries', {
      summary: 'List bank entries',
      description: 'With `status=unmatched`: those that wait for a place, each with `suggestions`.',
      isRepeatable: ({ status }) => status !== undefined && !status.includes('unmatched'),
      query: listParams('be', {
        bank_account: bankAccount,
        statement: id('bs', { description: 'Only entries that this statement reported first.' }),
        status: oneOf(ENTRY_STATUSES, { description: 'Only in this state.' }),
        direction: oneOf(['credit', 'debit'], { description: 'Only money that came in, or went out.' }),
      }),
      response: answersList('BankEntry', ENTRY_EXAMPLE),
      handle: (call) => entries.list(call, { bank_account: 'bank_account_id', statement: 'statement_id' }),
    }),
    entryRoute('retrieveBankEntry', 'GET /v1/bank_entries/:id', {
      summary: 'Retrieve a bank entry',
      response: answers('BankEntry', ENTRY_EXAMPLE),
      handle: (call) => entries.retrieve(call),
    }),
    entryRoute('assignBankEntry', 'POST /v1/bank_entries/:id/assign', {
      summary: 'Assign a bank entry',
      description:
        'Sends an unmatched entry, or a part of it, to its place. The money moves there from `house:unmatched` in the same commit.',
      body: assignParams,
      request: { assignments: [{ to: 'fees', amount: 1 }], reason: 'Fee of November' },
      response: answers('BankEntry', { ...ENTRY_EXAMPLE, status: 'matched', amount_unassigned: 0 }),
      errors: [...ASSIGNMENT_ERRORS, 'payment_file_sum_mismatch'],
      handle: async (call) => {
        const { assignments, reason = null } = call.body;
        const payoutsOf = (to: string) =>
          to.startsWith('pf_') ? parts.underWayOf(call.caller.environmentId, to) : Promise.resolve([]);
        const targets = await Promise.all(
          assignments.map(async ({ to, amount = null }) => ({ to, amount, payouts: await payoutsOf(to) })),
        );
        return service.write(call, { type: 'assign_bank_entry', entry: entries.idIn(call), targets, reason });
      },
    }),
    entryRoute('unassignBankEntry', 'POST /v1/bank_entries/:id/unassign', {
      summary: 'Undo an assignment',
      description:
        'Takes a part of an entry back to `house:unmatched`, by a transfer of its own. Money that went to a payment or a payout stays there.',
      body: unassignParams,
      request: { reason: 'Assigned by mistake' },
      response: answers('BankEntry', ENTRY_EXAMPLE),
      errors: ['bank_assignment_final', 'balance_insufficient'],
      handle: async (call) => {
        const entry = entries.idIn(call);
        const { transfer = null, reason = null } = call.body;
        const { environmentId } = call.caller;
        const [row] = await service.rows(BANK_ENTRIES.load([{ environmentId, id: entry }]));
        const assignments = row === undefined ? [] : BANK_ENTRIES.read(row).assignments;
        const isMeant = (part: Assignment) => part.undoneBy === null && (transfer ?? part.transfer) === part.transfer;
        const of = assignments.findLast(isMeant)?.to ?? '';
        return service.write(call, { type: 'unassign_bank_entry', entry, of, transfer, reason });
      },
    }),
  ];
}
