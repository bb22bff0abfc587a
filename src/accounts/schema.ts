/** Accounts on the wire: what a request may say, what an answer looks like. The only place that knows both spellings. */
import type { Account } from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import { commonMembers, nullableText, strictObject } from '../http/object-schema.ts';
import { amount, currency, type JsonSchema, metadata, optional, params, ref, text } from '../http/request/params.ts';

const name = text({ max: 100, clearable: true, description: 'Your name for the account. An empty value unsets it.' });

export const createAccountParams = params({
  currency: currency({ description: 'ISO 4217 code of the currency it holds; lower case is accepted.' }),
  name: optional(name),
  metadata: optional(metadata()),
});

export const updateAccountParams = params({ name: optional(name), metadata: optional(metadata()) });

export const fundAccountParams = params({
  amount: amount({ description: 'Fake money to add, in major units of the account’s currency.', example: 250 }),
});

/** `{"id", "object", "created", "livemode", "currency", "balance", …}`; balance in minor units. */
export function renderAccount(account: Account, livemode: boolean): string {
  return `{"id":"${account.id}","object":"account","created":${unixSeconds(account.createdAt)},"livemode":${livemode},"currency":"${account.currency}","balance":${account.balance},"name":${JSON.stringify(account.name)},"status":"${account.status}","metadata":${JSON.stringify(account.metadata)}}`;
}

export const ACCOUNT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Account: strictObject('Money of one currency. Never below zero.', {
    ...commonMembers('account', 'acct_…'),
    currency: { type: 'string', description: 'ISO 4217 code.' },
    balance: { type: 'integer', minimum: 0, description: 'In the currency’s minor unit: 1050 is 10.50 EUR.' },
    name: nullableText('Your name for it.'),
    status: { type: 'string', enum: ['open', 'closed'] },
    metadata: ref('Metadata'),
  }),
};
