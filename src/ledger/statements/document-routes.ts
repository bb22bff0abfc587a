/** The operations that answer with a statement, of one account or of all. What they send: `documents.ts`. */
import { pathId } from '../../platform/http/request/params.ts';
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { accountStatement, statementOfAll } from './documents.ts';
import { STATEMENT, STATEMENT_SET } from './examples.ts';
import { periodOf, statementQuery } from './parameters.ts';
import { CONTENT_TYPES } from './schema.ts';

const accountRoute = routesOf('Accounts', 'accounts');
const route = routesOf('Statements', 'accounts');

export const CUT_OFF =
  'Sent while it is read: an answer that cannot be finished is cut off, so check that the transfer was complete (CSV: the last row is `closing`; XML: it is well-formed; PDF: it has its last page).';
export const NAMED =
  'What names a payout (recipient, reference, `external_id`) is shown to keys with `payouts:read`, what names a payment to keys with `payments:read`.';

export function statementRoutes(service: Service): Route[] {
  return [
    accountRoute('retrieveStatement', 'GET /v1/accounts/:id/statement', {
      summary: 'Retrieve the statement of an account',
      description: `Opening balance, every movement with the balance after it, closing balance. The end of one statement is the beginning of the next. ${CUT_OFF} ${NAMED}`,
      query: statementQuery,
      downloads: true,
      response: answers('Statement', STATEMENT),
      responseContentTypes: CONTENT_TYPES,
      handle: ({ caller, query, ...call }) =>
        accountStatement(service, caller, pathId(call, 'acct'), {
          format: query.format,
          period: (nowMs) => periodOf(nowMs, query),
        }),
    }),
    route('retrieveStatementOfAll', 'GET /v1/statement', {
      summary: 'Retrieve the statements of all accounts',
      description: `One document: the statement of every account that there was in the period, up to one instant, so that what left one account has come to the other. In camt.053 each account is a \`Stmt\`. ${CUT_OFF} ${NAMED}`,
      query: statementQuery,
      downloads: true,
      response: answers('StatementSet', STATEMENT_SET),
      responseContentTypes: CONTENT_TYPES,
      errors: ['statement_empty'],
      handle: ({ caller, query }) =>
        statementOfAll(service, caller, { format: query.format, period: (nowMs) => periodOf(nowMs, query) }),
    }),
  ];
}
