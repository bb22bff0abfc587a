/** Accounts on the wire: the parameters of requests, and the schema of answers. */
import { ACCOUNT } from '../../core/account.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import * as param from '../../platform/http/request/params.ts';

const description = 'Your name for the account. An empty value or null unsets it.';
const changing = {
  name: param.text({ kind: 'name', max: 100, clearable: true, description }),
  metadata: param.metadata(),
};

export const createAccountParams = param.params({
  currency: param.currency({ description: 'ISO 4217 code of its currency; lower case is accepted.' }),
  ...param.optional(changing),
});

export const updateAccountParams = param.changesParams(changing);

export const fundAccountParams = param.params({
  amount: param.amount({ description: 'Fake money to add, in major units of the account’s currency.', example: 250 }),
});

export const ACCOUNT_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  Account: schemaOf(ACCOUNT, 'Money of one currency. Never below zero.'),
};
