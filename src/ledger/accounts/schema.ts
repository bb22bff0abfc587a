/** Accounts on the wire: the parameters of requests, and the schema of answers. */
import { ACCOUNT } from '../../core/account.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import {
  amount,
  currency,
  type JsonSchema,
  metadata,
  optional,
  optionalParams,
  params,
  text,
} from '../../platform/http/request/params.ts';

const name = text({
  kind: 'name',
  max: 100,
  clearable: true,
  description: 'Your name for the account. An empty value unsets it.',
});

export const createAccountParams = params({
  currency: currency({ description: 'ISO 4217 code of its currency; lower case is accepted.' }),
  ...optional({ name, metadata: metadata() }),
});

export const updateAccountParams = optionalParams({ name, metadata: metadata() });

export const fundAccountParams = params({
  amount: amount({ description: 'Fake money to add, in major units of the account’s currency.', example: 250 }),
});

export const ACCOUNT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Account: schemaOf(ACCOUNT, 'Money of one currency. Never below zero.'),
};
