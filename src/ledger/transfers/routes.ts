/** The operations of transfers: between own accounts, and reading the ledger as a whole or as one account sees it. */
import { idOf } from '../../core/values/ids.ts';
import { CAUSES, TRANSFER } from '../../core/transfer.ts';
import { equal } from '../../platform/db/wire/page.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { currency, oneOf, pathId } from '../../platform/http/request/params.ts';
import { always, AMOUNT_ERRORS, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { listPage, missing, readsOf, type Service } from '../../platform/http/service.ts';
import type { TransferCommand } from './slice.ts';
import { createTransferParams, renderStatementLine } from './schema.ts';
import { accountExists, SIDES, TRANSFERS } from './sql.ts';

const route = routesOf('Transfers', 'transfers');
const accountRoute = routesOf('Accounts', 'accounts');

const EXAMPLE = exampleOf(TRANSFER);
const { from, to, ...shared } = EXAMPLE;
const LINE = { ...shared, account: from, counterparty: to, amount: -25.5, amount_minor: -2550, balance_after: 97_450 };

const columns = TRANSFERS.columns('t');

const OF_ACCOUNTS = '(t.debit_account = ANY ($::uuid[]) OR t.credit_account = ANY ($::uuid[]))';

const causeFilter = oneOf(CAUSES, { description: 'Only transfers of this cause.' });

export function transferRoutes(service: Service<TransferCommand>): Route[] {
  const { list, retrieve } = readsOf(service, TRANSFER, TRANSFERS, { ofAccounts: OF_ACCOUNTS });
  return [
    route('createTransfer', 'POST /v1/transfers', {
      summary: 'Transfer between own accounts',
      description: 'Moves money between two accounts of one currency, at once.',
      body: createTransferParams,
      request: { from, to, amount: 25.5 },
      response: answers('Transfer', EXAMPLE),
      errors: [
        'resource_missing',
        'account_same',
        'account_currency_mismatch',
        'account_closed',
        'balance_insufficient',
        'balance_too_large',
        ...AMOUNT_ERRORS,
      ],
      handle: (call) => {
        const { from, to, amount, description = null, metadata } = call.body;
        return service.write(call, { type: 'create_transfer', from, to, amount, description, metadata });
      },
    }),
    route('listTransfers', 'GET /v1/transfers', {
      summary: 'List transfers',
      description: 'Every movement of the ledger.',
      isRepeatable: always,
      query: listParams('trf', {
        currency: currency({ description: 'Only of this currency.' }),
        cause: causeFilter,
      }),
      response: answersList('Transfer', EXAMPLE),
      handle: (call) => list(call),
    }),
    route('retrieveTransfer', 'GET /v1/transfers/:id', {
      summary: 'Retrieve a transfer',
      isRepeatable: always,
      response: answers('Transfer', EXAMPLE),
      handle: retrieve,
    }),
    accountRoute('listAccountTransfers', 'GET /v1/accounts/:id/transfers', {
      summary: 'List the transfers of an account',
      description:
        'Signed amounts, each with the balance after it and its cause. `/statement` shows a period with opening and closing balance.',
      isRepeatable: always,
      query: listParams('trf', { cause: causeFilter }),
      response: answersList('StatementLine', LINE),
      handle: async (call) => {
        const { environmentId, livemode, accounts } = call.caller;
        const id = pathId(call, 'acct');
        if (accounts?.has(id) === false) throw missing('account', id);
        const [account] = await service.rows(accountExists(environmentId, id));
        if (!account) throw missing('account', id);
        const conditions = [{ sql: 't.party = $', value: account['id'] }, ...equal({ 't.cause': call.query.cause })];
        const render = (row: Row) => renderStatementLine(TRANSFERS.read(row), id, livemode);
        const ofAccount = { sql: '$ IN (t.debit_account, t.credit_account)', value: account['id'] };
        const cursors = { table: 'transfers', conditions: [ofAccount] };
        const source = { from: SIDES, columns, environmentId, conditions, cursors };
        return listPage(service, call, source, render, (row) => idOf('trf', row['id'] as string));
      },
    }),
  ];
}
