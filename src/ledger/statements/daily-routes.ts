/** The operations of statements that were made day by day. When they are: `issuing.ts`; what they say: `documents.ts`. */
import { DAY_MS, dayStartMs } from '../../core/values/time.ts';
import { listParams } from '../../platform/http/lists.ts';
import { date } from '../../platform/http/request/date.ts';
import { id, optional, params } from '../../platform/http/request/params.ts';
import { always, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import { type Asked, formAsked, statementOfAll } from './documents.ts';
import type { StatementParts } from './document-routes.ts';
import { DAILY, STATEMENT_SET } from './examples.ts';
import { DAILY_STATEMENT } from './fields.ts';
import { formFields } from './parameters.ts';
import { STATEMENT_FORMS } from './schema.ts';
import { DAILY_STATEMENTS } from './sql.ts';

const route = routesOf('Statements', 'accounts');

const contentQuery = params(
  {
    ...formFields,
    ...optional({
      account: id('acct', { description: 'Only this account. Without it, all accounts are in one document.' }),
    }),
  },
  undefined,
  ['parameter_conflict'],
);

export function dailyStatementRoutes(service: Service, parts: StatementParts): Route[] {
  const { find, retrieve, list } = readsOf(service, DAILY_STATEMENT, DAILY_STATEMENTS);
  return [
    route('listDailyStatements', 'GET /v1/daily_statements', {
      summary: 'List the daily statements',
      description: 'The statements that exist because the setting `daily_statements` is on, newest first.',
      isRepeatable: always,
      query: listParams('stm', { day: date({ description: 'Only the statement of this day.' }) }),
      response: answersList('DailyStatement', DAILY),
      handle: list,
    }),
    route('retrieveDailyStatement', 'GET /v1/daily_statements/:id', {
      summary: 'Retrieve a daily statement',
      description: 'When it was made, and where its content is.',
      isRepeatable: always,
      response: answers('DailyStatement', DAILY),
      handle: retrieve,
    }),
    route('retrieveStatementContent', 'GET /v1/daily_statements/:id/content', {
      summary: 'Download a daily statement',
      description: `All accounts of the day, or one of your choice, each with opening balance, every movement and closing balance. The figures are the same in every download; names are the present ones. Sent, and shown, as the statement of an account is.`,
      query: contentQuery,
      downloads: true,
      response: answers('AccountStatements', STATEMENT_SET),
      forms: STATEMENT_FORMS,
      errors: ['statement_empty'],
      handle: async (call) => {
        const { caller, query } = call;
        const { id, day, createdAt } = await find(call);
        const fromMs = dayStartMs(day);
        const asked: Asked = {
          ...formAsked(call),
          period: () => ({ fromMs, untilMs: fromMs + DAY_MS }),
          issued: { id, atMs: createdAt },
          wordsOf: parts.entryWords,
        };
        return statementOfAll(service, caller, asked, query.account ?? null);
      },
    }),
  ];
}
