/** The operations that answer with a statement, of one account or of all. What they send: `documents.ts`. */
import { pathId } from '../../platform/http/request/params.ts';
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { accountStatement, formAsked, statementOfAll } from './documents.ts';
import { STATEMENT, STATEMENT_SET } from './examples.ts';
import type { WordsOfEntry } from './reading.ts';
import { periodOf, statementQuery } from './parameters.ts';
import { STATEMENT_FORMS } from './schema.ts';

const accountRoute = routesOf('Accounts', 'accounts');
const route = routesOf('Statements', 'accounts');

export interface StatementParts {
  /** Opens what bookings of banks say. */
  readonly entryWords: WordsOfEntry;
}

const CUT_OFF =
  'The answer is sent while it is read. If it cannot be finished it is cut off, so check that it is complete (CSV: the last row is `closing`; XML: it is well-formed; PDF: it has its last page).';
const NAMED =
  'Details of payouts (recipient, reference, `external_id`) need the scope `payouts:read`, details of payments `payments:read`, and who paid by a bank transfer that is no payment `bank_entries:read`.';

export function statementRoutes(service: Service, parts: StatementParts): Route[] {
  return [
    accountRoute('retrieveStatement', 'GET /v1/accounts/:id/statement', {
      summary: 'Retrieve the statement of an account',
      description: `Opening balance, every movement with the balance after it, closing balance. The end of one statement is the beginning of the next. ${CUT_OFF} ${NAMED}`,
      query: statementQuery,
      downloads: true,
      response: answers('Statement', STATEMENT),
      forms: STATEMENT_FORMS,
      handle: (call) =>
        accountStatement(service, call.caller, pathId(call, 'acct'), {
          ...formAsked(call),
          period: (nowMs) => periodOf(nowMs, call.query),
          wordsOf: parts.entryWords,
        }),
    }),
    route('retrieveAccountStatements', 'GET /v1/account_statements', {
      summary: 'Retrieve the statements of all accounts',
      description: `One document with the statement of every account of the period, up to one instant. Money that left one account has therefore reached the other. In camt.053 each account is a \`Stmt\`. Sent, and shown, as the statement of an account is.`,
      query: statementQuery,
      downloads: true,
      response: answers('AccountStatements', STATEMENT_SET),
      forms: STATEMENT_FORMS,
      errors: ['statement_empty'],
      handle: (call) =>
        statementOfAll(service, call.caller, {
          ...formAsked(call),
          period: (nowMs) => periodOf(nowMs, call.query),
          wordsOf: parts.entryWords,
        }),
    }),
  ];
}
