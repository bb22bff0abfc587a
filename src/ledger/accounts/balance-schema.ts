/** Balances on the wire: of every account and every currency, now or at an instant. */
import type { Account } from '../../core/account.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { JsonSchema } from '../../platform/http/request/params.ts';

/** `accounts`: with the balance of the instant, oldest first. `atMs`: the last millisecond that counts. */
export function renderBalances(accounts: readonly Account[], atMs: number, livemode: boolean): string {
  const sums = new Map<string, bigint>();
  for (const { currency, balance } of accounts) sums.set(currency, (sums.get(currency) ?? 0n) + balance);
  const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const currencies = sorted.map(([code, sum]) => `{"currency":"${code}","balance":${sum}}`);
  const each = accounts.map(({ id, currency, balance, name }) => {
    return `{"account":"${id}","name":${JSON.stringify(name)},"currency":"${currency}","balance":${balance}}`;
  });
  return `{"object":"balances","at":${unixSeconds(atMs)},"livemode":${livemode},"currencies":[${currencies.join(',')}],"accounts":[${each.join(',')}]}`;
}

const currency = { type: 'string' } as const;
const balance = { type: 'integer', minimum: 0, description: 'Minor units.' } as const;

export const BALANCE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Balances: strictObject('The balances of all accounts at one instant.', {
    object: { const: 'balances' },
    at: { type: 'integer', description: 'The instant, Unix seconds.' },
    livemode: { type: 'boolean' },
    currencies: { type: 'array', items: strictObject('All accounts of a currency together.', { currency, balance }) },
    accounts: {
      type: 'array',
      description: 'Oldest first.',
      items: strictObject('One account.', {
        account: { type: 'string' },
        name: { type: ['string', 'null'], description: 'Its present name.' },
        currency,
        balance,
      }),
    },
  }),
};
