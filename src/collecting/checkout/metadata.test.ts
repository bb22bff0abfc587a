/** No route that needs no key tells metadata, of whatever object: each is asked, and so is what an acquirer is sent. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type FakeStripe, startFakeStripe } from '../../../test/support/harness/fake-stripe.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf, type Seen } from '../../../test/support/browser/payer.ts';
import { publicPaths } from '../../platform/http/public.ts';
import { cardPages } from './card-routes.ts';
import { paymentPages } from './routes.ts';

const KEY = 'sk_test_canaryKEY51HxyzABCDEF';
const SECRET = 'whsec_canarySECRETabcdef0123456789';
/** In the metadata of everything, as a name and as a value. */
const MARK = 'only-with-a-key';
const metadata = { [MARK]: MARK };

let stripe: FakeStripe;
let application: Application;
let client: Client;
let payer: Payer;
beforeAll(async () => {
  stripe = await startFakeStripe({ secretKey: KEY, webhookSecret: SECRET });
  const config = { stripeSecretKey: KEY, stripeWebhookSecret: SECRET, stripeApiUrl: stripe.url };
  application = await startApplication({ config });
  client = application.sandbox.client;
  payer = new Payer(application.address);
});
afterAll(async () => {
  payer?.close();
  await application?.stop();
  await stripe?.stop();
});

/** Every answer so far, with its head, by `GET /pay/…`. */
const replies: (readonly [route: string, text: string])[] = [];
function keep(route: string, ...answers: readonly Seen[]): void {
  for (const { headers, bytes } of answers) replies.push([route, `${JSON.stringify(headers)} ${bytes.toString()}`]);
}

/** One of each object that takes metadata. The link has a payment with metadata of its own. */
async function furnish(): Promise<string> {
  const make = async (path: string, body: object) => idIn(await client.post(path, { ...body, metadata }));
  const account = await make('/v1/accounts', { currency: 'EUR' });
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000 }));
  const recipient = await make('/v1/recipients', RECIPIENT);
  const order = { amount: 5, currency: 'EUR', recipient, account };
  await make('/v1/payouts', order);
  await make('/v1/payouts/batch', { payouts: [order] });
  await make('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: 10 });
  const to = await make('/v1/accounts', { currency: 'EUR' });
  await make('/v1/transfers', { from: account, to, amount: 1 });
  await make('/v1/expected_payments', { amount: 7, currency: 'EUR', account });
  await make('/v1/webhook_endpoints', { url: 'https://hooks.example.com/', enabled_events: ['account.closed'] });
  return account;
}

/** The path of the page of a new link whose payment, if it has one, has metadata too. */
async function linkOf(account: string, body: object = {}): Promise<{ id: string; page: string }> {
  const order = { amount: 250, currency: 'EUR', account, description: 'Chairs', metadata, ...body };
  const { id, url } = must(await client.post('/v1/payment_links', order)).json as { id: string; url: string };
  return { id, page: pathOf(url) };
}
async function marked(link: string): Promise<void> {
  const { data } = must(await client.get(`/v1/payments?payment_link=${link}`)).json;
  for (const { id } of data as readonly Json[]) must(await client.post(`/v1/payments/${id as string}`, { metadata }));
  expect(must(await client.get(`/v1/payments?payment_link=${link}`)).text).toContain(MARK); // the control
}

it('tells no metadata', async () => {
  const account = await furnish();
  for (const path of publicPaths(true)) keep(`GET ${path}`, await payer.open(path));

  for (const reusable of [false, true]) {
    const { id, page } = await linkOf(account, { reusable });
    const opened = await payer.open(page);
    const started = await payer.send(opened, 'bank_transfer');
    await marked(id);
    const waiting = await payer.open(String(started.headers.location));
    keep('GET /pay/:token', opened, waiting);
    keep('POST /pay/:token', started, await payer.ask('POST', page, { body: { csrf: 'none', method: 'card' } }));
    const at = waiting.path.replace(/\?.*/, '');
    const live = await payer.follow(waiting);
    const paid = await payer.send(waiting, 'exact');
    await live.until(({ changes }) => changes.length > 0);
    keep('POST /pay/:token/simulate', paid);
    replies.push(['GET /pay/:token/status', JSON.stringify([live.headers, live.changes])]);
    live.cut();
    keep('GET /pay/:token', await payer.open(waiting.path));
    keep('GET /pay/:token/code.png', await payer.open(`${at}/code.png`));
    keep('GET /pay/:token/receipt.pdf', await payer.open(`${at}/receipt.pdf`));
    keep('GET /pay/:token/logo', await payer.open(`${at}/logo`));
    keep('GET /pay/assets/:name', await payer.open('/pay/assets/none'));
  }

  const card = await linkOf(account);
  const gone = await payer.start(card.page, 'card');
  await marked(card.id);
  keep('POST /pay/:token', gone);
  keep('GET /pay/:token/return', await payer.open(`${card.page}/return`));
  keep('POST /pay/notifications/stripe', await payer.ask('POST', '/pay/notifications/stripe', { body: '{}' }));
  replies.push(['to the acquirer', JSON.stringify([stripe.requests, [...stripe.sessions]])]);

  const routes = [...paymentPages({} as never), ...cardPages({} as never, { acquirer: { name: 'stripe' } } as never)];
  const wanted = [
    ...publicPaths(true).map((path) => `GET ${path}`),
    ...routes.map(({ method, path }) => `${method} ${path}`),
  ];
  expect(new Set(replies.map(([route]) => route))).toEqual(new Set([...wanted, 'to the acquirer']));
  expect(replies.filter(([, text]) => text.includes(MARK))).toEqual([]);
  expect(replies.filter(([, text]) => text.includes('Chairs')).length).toBeGreaterThan(3); // the control
});
