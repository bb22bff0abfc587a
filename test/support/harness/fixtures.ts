/**
 * One object of every kind, each the way a client would make it, so that a test has an id to try wherever an id can
 * stand. Live accounts cannot be funded over HTTP; their money comes down the write path.
 */
import { newReference, newToken } from '../../../src/payments/tokens.ts';
import type { Application, Holder } from './application.ts';
import { idIn, must, RECIPIENT } from './tenant-fixture.ts';
import type { Client, Json } from './http.ts';
import type { Kind } from '../generators/places.ts';

/** Ids by prefix: `{acct: 'acct_01h…', po: 'po_01h…'}`. */
export type Fixtures = Readonly<Record<Kind, string>> & {
  /** A second account of the currency of the first, for transfers. */
  readonly otherAccount: string;
  /** A quote that nobody used. */
  readonly quote: string;
};

/** An account of the merchant at a bank, another one each time. */
export const houseBank = () => ({
  currency: 'USD',
  country: 'US',
  holder: 'Rossum',
  bank_details: { routing_number: '110000000', account_number: String(100_000_000 + Math.floor(Math.random() * 9e8)) },
  cut_off: '14:30',
  time_zone: 'America/New_York',
});

/** `mark` stands in every text that can be chosen, so that a leak is seen. Only a `limited` environment gets a limit: it has no state cache then. */
export async function furnish(
  application: Application,
  holder: Holder,
  mark = 'furniture',
  { limited = false } = {},
): Promise<Fixtures> {
  const { client, environmentId } = holder;
  const metadata = { mark };
  const post = async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await client.post(path, body);
    if (status !== 200) throw new Error(`${path}: ${text}`);
    return json;
  };
  const id = async (path: string, body: object) => (await post(path, body))['id'] as string;

  const acct = await id('/v1/accounts', { currency: 'EUR', name: mark, metadata });
  await application.submit(environmentId, { type: 'fund_account', account: acct, amount: '100000' });
  const otherAccount = await id('/v1/accounts', { currency: 'EUR', name: mark, metadata });
  const rcp = await id('/v1/recipients', { ...RECIPIENT, name: mark, metadata });
  const trf = await id('/v1/transfers', { from: acct, to: otherAccount, amount: 10, description: mark, metadata });
  const wanted = { sell_currency: 'EUR', buy_currency: 'USD', amount: 100, metadata };
  const quo = await id('/v1/exchanges/quote', wanted);
  const exc = await id('/v1/exchanges', { quote: quo, metadata });
  const quote = await id('/v1/exchanges/quote', wanted);
  const order = { amount: 5, currency: 'EUR', recipient: rcp, account: acct };
  const po = await id('/v1/payouts', { ...order, reference: mark, external_id: mark, metadata });
  const pob = await id('/v1/payouts/batch', { payouts: [order, order], metadata });
  const rhythm = { interval: 'month', first: '2099-01-31' };
  const so = await id('/v1/standing_orders', {
    amount: 5,
    currency: 'EUR',
    recipient: rcp,
    ...rhythm,
    reference: mark,
  });
  const { we, dlv } = await delivered(client, mark);
  const rep = await replayed(client, we);
  const key = await id('/v1/keys', { name: mark, scopes: ['payouts:read'] });
  const lim = limited ? await id('/v1/limits', { count: 1_000_000 }) : 'lim_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const ba = await id('/v1/bank_accounts', { ...houseBank(), name: mark });
  const [entry] = (await client.get('/v1/audit_log?limit=1')).json['data'] as readonly [Json];
  const account = { account_holder: mark, iban: RECIPIENT.iban };
  await post('/v1/settings', { name: mark, bank_accounts: { EUR: account } });
  const words = { description: mark, reference: mark, metadata };
  const plink = await id('/v1/payment_links', { amount: 7, currency: 'EUR', account: acct, ...words, reusable: true });
  const fee = await id('/v1/fees', { on: 'payment', payment_link: plink, basis_points: 0 });
  const paid = { type: 'pay_payment_link', amount: null, payerName: mark, payerIban: RECIPIENT.iban } as const;
  const start = { link: plink, method: 'bank_transfer', token: newToken(), reference: newReference() } as const;
  const pay = JSON.parse(await application.submit(environmentId, { ...paid, start })) as Json;
  const events = (await client.get('/v1/events?limit=1')).json['data'] as readonly Json[];
  return {
    acct,
    otherAccount,
    rcp,
    trf,
    quo,
    quote,
    exc,
    po,
    pob,
    plink,
    pay: pay['id'] as string,
    evt: events[0]?.['id'] as string,
    we,
    dlv,
    rep,
    key,
    lim,
    fee,
    ba,
    so,
    aud: entry['id'] as string,
  };
}

/**
 * An enabled endpoint, and a delivery to it that nobody will ever send: it was held while the endpoint was disabled. So
 * nothing of the furniture moves by itself.
 */
async function delivered(client: Client, mark: string): Promise<{ we: string; dlv: string }> {
  const endpoint = { url: `https://hooks.example.com/${mark}`, enabled_events: ['recipient.archived'] };
  const we = idIn(await client.post('/v1/webhook_endpoints', { ...endpoint, description: mark, metadata: { mark } }));
  must(await client.post(`/v1/webhook_endpoints/${we}/disable`));
  const gone = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: mark }));
  must(await client.write('DELETE', `/v1/recipients/${gone}`, ''));
  must(await client.post(`/v1/webhook_endpoints/${we}/enable`));
  const { data } = must(await client.get(`/v1/webhook_endpoints/${we}/deliveries`)).json;
  return { we, dlv: (data as readonly Json[])[0]?.['id'] as string };
}

/** A replay of nothing, once it is done. */
async function replayed(client: Client, we: string): Promise<string> {
  const path = `/v1/webhook_endpoints/${we}`;
  const rep = idIn(await client.post(`${path}/replay`, { after_sequence: Number.MAX_SAFE_INTEGER }));
  for (let i = 0; i < 500; i++) {
    if (must(await client.get(`${path}/replays/${rep}`)).json['status'] === 'completed') return rep;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${rep} was never completed`);
}
