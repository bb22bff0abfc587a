/** The operations of accounts. Handlers parse, write or read, and render; decisions are in `decide.ts`. */
import { ACCOUNT } from '../core/account.ts';
import { listParams } from '../http/lists.ts';
import { currency, oneOf, optional, ref } from '../http/request/params.ts';
import { always, AMOUNT_ERRORS, type Route, route } from '../http/route.ts';
import { readsOf, type Service } from '../http/service.ts';
import type { AccountCommand } from './commands.ts';
import { createAccountParams, fundAccountParams, updateAccountParams } from './schema.ts';
import { ACCOUNTS, loadAccounts } from './sql.ts';

const EXAMPLE = {
  id: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'account',
  created: 1_732_184_000,
  livemode: false,
  currency: 'EUR',
  balance: 100_000,
  name: null,
  status: 'open',
  metadata: {},
};

export function accountRoutes(service: Service<AccountCommand>): Route[] {
  const { idIn, list, retrieve } = readsOf(service, ACCOUNT, ACCOUNTS, loadAccounts);
  return [
    route({
      method: 'POST',
      path: '/v1/accounts',
      operationId: 'createAccount',
      tag: 'Accounts',
      summary: 'Create an account',
      description: 'Opens an account at zero. Several accounts of one currency may exist.',
      scope: 'accounts:write',
      body: createAccountParams,
      response: ref('Account'),
      errors: [],
      example: { request: { currency: 'EUR' }, response: EXAMPLE },
      handle: (call) => {
        const { currency: of, name, metadata } = call.body;
        return service.write(call, { type: 'create_account', currency: of.code, name: name || null, metadata });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/accounts',
      operationId: 'listAccounts',
      tag: 'Accounts',
      summary: 'List accounts',
      scope: 'accounts:read',
      isRepeatable: always,
      query: listParams(
        'acct',
        'account',
        {
          currency: optional(currency({ description: 'Only accounts of this currency.' })),
          status: optional(oneOf(['open', 'closed'], { description: 'Only accounts in this state.' })),
        },
        100,
      ),
      response: ref('AccountList'),
      errors: [],
      example: { response: { data: [EXAMPLE] } },
      handle: (call) => list(call, { currency: call.query.currency?.code, status: call.query.status }),
    }),
    route({
      method: 'GET',
      path: '/v1/accounts/:id',
      operationId: 'retrieveAccount',
      tag: 'Accounts',
      summary: 'Retrieve an account',
      scope: 'accounts:read',
      isRepeatable: always,
      response: ref('Account'),
      errors: ['resource_missing'],
      example: { response: EXAMPLE },
      handle: retrieve,
    }),
    route({
      method: 'POST',
      path: '/v1/accounts/:id',
      operationId: 'updateAccount',
      tag: 'Accounts',
      summary: 'Update an account',
      scope: 'accounts:write',
      body: updateAccountParams,
      response: ref('Account'),
      errors: ['resource_missing'],
      example: { request: { name: 'Operations' }, response: { ...EXAMPLE, name: 'Operations' } },
      handle: (call) => {
        const { name, metadata } = call.body;
        const changes = { name: name === '' ? null : name, metadata };
        return service.write(call, { type: 'update_account', account: idIn(call), ...changes });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/accounts/:id/close',
      operationId: 'closeAccount',
      tag: 'Accounts',
      summary: 'Close an account',
      description: 'Only an account at zero can be closed. A closed account stays readable.',
      scope: 'accounts:write',
      response: ref('Account'),
      errors: ['resource_missing', 'account_not_empty', 'account_closed'],
      example: { response: { ...EXAMPLE, balance: 0, status: 'closed' } },
      handle: (call) => service.write(call, { type: 'close_account', account: idIn(call) }),
    }),
    route({
      method: 'POST',
      path: '/v1/test_helpers/accounts/:id/fund',
      operationId: 'fundAccount',
      tag: 'Test helpers',
      summary: 'Add fake money to a sandbox account',
      scope: 'test_helpers:write',
      sandboxOnly: true,
      body: fundAccountParams,
      response: ref('Account'),
      errors: ['resource_missing', 'account_closed', ...AMOUNT_ERRORS, 'balance_too_large'],
      example: { request: { amount: 250 }, response: { ...EXAMPLE, balance: 125_000 } },
      handle: (call) => service.write(call, { type: 'fund_account', account: idIn(call), amount: call.body.amount }),
    }),
  ];
}
