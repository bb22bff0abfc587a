/** What most tests over HTTP need first: a company with a key of its own, funded accounts and recipients. */
import { Client, type Reply } from './http.ts';
import { makeKey } from './server-process.ts';

export interface Tenant {
  readonly client: Client;
  readonly environmentId: string;
  /** A new account with that much money in it, in major units; its id. */
  account(currency: string, amount?: string): Promise<string>;
  /** A new recipient paid in EUR; its id. */
  recipient(): Promise<string>;
}

/** A merchant's sandbox of its own on the server at `address`. */
export async function createTenant(databaseUrl: string, address: string, merchant = 'tests'): Promise<Tenant> {
  const made = await makeKey(databaseUrl, merchant);
  const client = new Client(address, made.key);
  return {
    client,
    environmentId: made.environmentId,
    async account(currency, amount) {
      const id = idIn(await client.post('/v1/accounts', { currency }));
      if (amount !== undefined) must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount }));
      return id;
    },
    recipient: async () => idIn(await client.post('/v1/recipients', RECIPIENT)),
  };
}

export const RECIPIENT = {
  name: 'Ada Lovelace',
  type: 'individual',
  currency: 'EUR',
  country: 'DE',
  iban: 'DE89370400440532013000',
} as const;

/** One's own account at a bank, as POST /v1/bank_accounts takes it. */
export const BANK_ACCOUNT = {
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum GmbH',
  bank_details: { iban: 'DE89370400440532013000' },
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
} as const;

/** The reply if it is a success; throws with its text if not. */
export function must(reply: Reply): Reply {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

export function idIn(reply: Reply): string {
  return must(reply).json['id'] as string;
}
