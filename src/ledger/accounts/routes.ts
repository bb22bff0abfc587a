/** The operations of accounts. Handlers parse, write or read, and render; decisions are in `decide.ts`. */
import { ACCOUNT } from '../../core/account.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { currency, oneOf, optionalParams } from '../../platform/http/request/params.ts';
import { always, AMOUNT_ERRORS, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import { accountAt, atParam } from './balance-routes.ts';
import type { AccountCommand } from './slice.ts';
import { createAccountParams, fundAccountParams, updateAccountParams } from './schema.ts';
import { ACCOUNTS } from './sql.ts';

const route = routesOf('Accounts', 'accounts');
const helper = routesOf('Test helpers', 'test_helpers');

const EXAMPLE = exampleOf(ACCOUNT);
const filters = {
  currency: currency({ description: 'Only of this currency.' }),
  status: oneOf(['open', 'closed'], { description: 'Only in this state.' }),
};

export function accountRoutes(service: Service<AccountCommand>): Route[] {
  const { idIn, list, retrieve } = readsOf(service, ACCOUNT, ACCOUNTS, { ofAccounts: 't.id = ANY ($::uuid[])' });
  return [
    route('createAccount', 'POST /v1/accounts', {
      summary: 'Create an account',
      description: 'Opens an account at zero. Several accounts of one currency may exist.',
      body: createAccountParams,
      request: { currency: 'EUR' },
      response: answers('Account', EXAMPLE),
      handle: (call) => {
        const { currency: of, name, metadata } = call.body;
        return service.write(call, { type: 'create_account', currency: of.code, name: name || null, metadata });
      },
    }),
    route('listAccounts', 'GET /v1/accounts', {
      summary: 'List accounts',
      isRepeatable: always,
      query: listParams('acct', filters, 100),
      response: answersList('Account', EXAMPLE),
      handle: (call) => list(call),
    }),
    route('retrieveAccount', 'GET /v1/accounts/:id', {
      summary: 'Retrieve an account',
      description: 'With `at`, the answer is the present account with its balance at that instant.',
      isRepeatable: ({ at }) => at === undefined,
      query: optionalParams({ at: atParam }),
      response: answers('Account', EXAMPLE),
      handle: (call) => (call.query.at === undefined ? retrieve(call) : accountAt(service, call, call.query.at)),
    }),
    route('updateAccount', 'POST /v1/accounts/:id', {
      summary: 'Update an account',
      body: updateAccountParams,
      request: { name: 'Operations' },
      response: answers('Account', { ...EXAMPLE, name: 'Operations' }),
      handle: (call) => {
        const { name, metadata } = call.body;
        const changes = { name: name === '' ? null : name, metadata };
        return service.write(call, { type: 'update_account', account: idIn(call), ...changes });
      },
    }),
    route('closeAccount', 'POST /v1/accounts/:id/close', {
      summary: 'Close an account',
      description: 'Only an account at zero can be closed. A closed account stays readable.',
      response: answers('Account', { ...EXAMPLE, balance: 0, status: 'closed' }),
      errors: ['account_not_empty', 'account_closed'],
      handle: (call) => service.write(call, { type: 'close_account', account: idIn(call) }),
    }),
    helper('fundAccount', 'POST /v1/test_helpers/accounts/:id/fund', {
      summary: 'Add fake money to a sandbox account',
      body: fundAccountParams,
      request: { amount: 250 },
      response: answers('Account', { ...EXAMPLE, balance: 125_000 }),
      errors: ['account_closed', ...AMOUNT_ERRORS, 'balance_too_large'],
      handle: (call) => service.write(call, { type: 'fund_account', account: idIn(call), amount: call.body.amount }),
    }),
  ];
}
