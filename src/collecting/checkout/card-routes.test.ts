/** Card payments over real HTTP with a fake Stripe: the way there and back, notifications, and that each counts once. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { type FakeStripe, type Misbehaviour, startFakeStripe } from '../../../test/support/harness/fake-stripe.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf, type Seen } from '../../../test/support/browser/payer.ts';

const KEY = 'sk_test_canaryKEY51HxyzABCDEF';
const SECRET = 'whsec_canarySECRETabcdef0123456789';
const NOTIFICATIONS = '/pay/notifications/stripe';
const PAID = 'checkout.session.completed';

let stripe: FakeStripe;
let application: Application;
let client: Client;
let payer: Payer;
const logged: string[] = [];

beforeAll(async () => {
  stripe = await startFakeStripe({ secretKey: KEY, webhookSecret: SECRET });
  application = await startApplication({
    config: { stripeSecretKey: KEY, stripeWebhookSecret: SECRET, stripeApiUrl: stripe.url },
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
  client = application.sandbox.client;
  payer = new Payer(application.address);
});
beforeEach(() => {
  stripe.misbehaviour = 'none';
  stripe.notifyUrl = null;
});
afterAll(async () => {
  payer?.close();
  await application?.stop();
  await stripe?.stop();
});

interface Link {
  readonly id: string;
  readonly path: string;
  readonly account: string;
}
const link = async (body: object = {}): Promise<Link> => {
  const currency = (body as { currency?: string }).currency ?? 'EUR';
  const account = idIn(await client.post('/v1/accounts', { currency }));
  const { json } = must(await client.post('/v1/payment_links', { amount: 250, currency, account, ...body }));
  return { id: json['id'] as string, path: pathOf(json['url'] as string), account };
};
const payments = async ({ id }: Link) =>
  must(await client.get(`/v1/payments?payment_link=${id}&order=asc`)).json['data'] as readonly Json[];
const balance = async ({ account }: Link) => must(await client.get(`/v1/accounts/${account}`)).json['balance'];
/** The session that an answer leads to. */
const sessionIn = ({ status, headers }: Seen): string => {
  const [, id] = /\/c\/pay\/(cs_test_\w+)/.exec(headers.location ?? '') ?? [];
  if (status !== 303 || id === undefined) throw new Error(`${status} leads to ${headers.location}`);
  return id;
};
/** A link whose payer has just been sent to the acquirer. */
const sent = async (body: object = {}) => {
  const made = await link(body);
  return { made, session: sessionIn(await payer.start(made.path, 'card')) };
};
const addressIn = (session: string, which: 'success_url' | 'cancel_url') =>
  pathOf(stripe.sessions.get(session)?.[which] as string);
/** Where the payer stands after the acquirer has sent them back. */
const back = async (session: string) => {
  const answer = await payer.open(addressIn(session, 'success_url'));
  return payer.open(answer.headers.location as string);
};
const notify = (body: string, options: Parameters<FakeStripe['sign']>[1] = {}) => {
  const { signature } = stripe.sign(body, options);
  return payer.ask('POST', NOTIFICATIONS, { body, headers: { 'stripe-signature': signature } });
};
const handle = () => {
  stripe.notifyUrl = application.address + NOTIFICATIONS;
};
const isCounted = async (made: Link) => {
  expect(await payments(made)).toMatchObject([{ status: 'succeeded', method: 'card', amount_received: 250 }]);
  expect(await balance(made)).toBe(25_000);
};

describe('a payer who pays', () => {
  it('goes there and comes back to a receipt', async () => {
    const made = await link({ description: 'Garden table', customer_email: 'ada@example.com' });
    const page = await payer.open(`${made.path}?lang=de`);
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${stripe.url}; `);
    const answer = await payer.press(page, 'card');
    const session = sessionIn(answer);
    expect(stripe.sessions.get(session)).toMatchObject({ amount_total: 25_000, currency: 'eur', locale: 'de' });
    expect(stripe.sessions.get(session)).toMatchObject({ customer_email: 'ada@example.com' });
    const waiting = await payer.open(made.path);
    expect([waiting.state, waiting.words]).toEqual(['waiting', expect.stringContaining('being confirmed')]);
    expect(waiting.words, 'no bank details for who pays by card').not.toContain('IBAN');
    const paying = await fetch(`${answer.headers.location?.replace(/#.*/, '')}/pay`, { redirect: 'manual' });
    const returned = await payer.open(pathOf(paying.headers.get('location') as string));
    expect(returned.status).toBe(303);
    expect((await payer.open(returned.headers.location as string)).state).toBe('paid');
    await isCounted(made);
    const [payment] = await payments(made);
    expect(payment?.['payer']).toEqual({ name: 'Ada Payer', account_last4: null });
  });

  it('is known to have paid before coming back, and the return counts nothing again', async () => {
    const { made, session } = await sent();
    handle();
    await stripe.pay(session);
    await isCounted(made);
    expect((await back(session)).state).toBe('paid');
    await isCounted(made);
  });

  it('is counted once, though it arrives often and by both ways at once', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    const event = stripe.event(PAID, session);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? back(session) : notify(event))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await isCounted(made);
    expect((await notify(stripe.event(PAID, session))).html).toBe('{"received":true}');
    await isCounted(made);
  });

  it('with a method that takes days: waits, then has paid, or has not', async () => {
    handle();
    const slow = await sent();
    await stripe.pay(slow.session, { later: true });
    expect((await back(slow.session)).state).toBe('waiting');
    expect(await balance(slow.made)).toBe(0);
    await stripe.settle(slow.session, true);
    await isCounted(slow.made);
    const broken = await sent();
    await stripe.pay(broken.session, { later: true });
    await stripe.settle(broken.session, false);
    expect((await payer.open(broken.made.path)).state).toBe('failed');
    expect(await payments(broken.made)).toMatchObject([{ status: 'failed', failure_code: 'declined' }]);
  });

  it('an amount of their own, on a page of their own', async () => {
    const made = await link({ amount: undefined, amount_type: 'open', reusable: true });
    const session = sessionIn(await payer.start(made.path, 'card', { amount: '12.34' }));
    expect(stripe.sessions.get(session)).toMatchObject({ amount_total: 1_234 });
    const own = addressIn(session, 'cancel_url');
    expect(own.replace(/\?.*/, '')).not.toBe(made.path);
    await stripe.pay(session);
    expect((await back(session)).state).toBe('paid');
    expect((await payer.open(made.path)).state).toBe('open');
    expect(await payments(made)).toMatchObject([{ status: 'succeeded', amount: 12.34 }]);
  });

  it('a session for an amount that somebody else has replaced since: it is booked as what its payer was shown', async () => {
    const made = await link({ amount: undefined, amount_type: 'open' });
    const honest = sessionIn(await payer.start(made.path, 'card', { amount: '100' }));
    const stranger = sessionIn(await payer.start(made.path, 'card', { amount: '1' }));
    const page = await payer.open(addressIn(honest, 'cancel_url'));
    expect([page.state, page.words]).toEqual(['waiting', expect.stringContaining('€100.00')]);
    const again = sessionIn(await payer.press(page, 'card'));
    expect(stripe.sessions.get(again)).toMatchObject({ amount_total: 10_000 });
    await stripe.pay(again);
    expect((await back(again)).state, 'asked for, without a notification').toBe('paid');
    expect(await payments(made)).toMatchObject([
      { amount: 100, amount_received: 100, status: 'succeeded', method: 'card' },
      { amount: 1, amount_received: 0, status: 'pending' },
    ]);
    handle();
    await stripe.pay(stranger);
    await notify(stripe.event(PAID, stranger));
    expect(await payments(made)).toMatchObject([
      { amount: 100, amount_received: 100 },
      { amount: 1, amount_received: 1, status: 'succeeded' },
    ]);
    expect(await balance(made)).toBe(10_100);
  });

  it('pressing twice, or ten times at once, leads to one session of one payment', async () => {
    const made = await link();
    const page = await payer.open(made.path);
    const answers = await Promise.all(Array.from({ length: 10 }, () => payer.press(page, 'card')));
    expect(new Set(answers.map(sessionIn)).size).toBe(1);
    expect(await payments(made)).toHaveLength(1);
    const again = await payer.press(await payer.open(made.path), 'card');
    expect(sessionIn(again)).toBe(sessionIn(answers[0] as Seen));
  });
});

describe('a payer who does not', () => {
  it('is declined, gives up, and pays by bank transfer; a card that pays later all the same is a duplicate', async () => {
    const { made, session } = await sent();
    const declined = await (await fetch(`${stripe.url}/c/pay/${session}/decline`)).text();
    expect(declined).toContain('declined');
    const page = await payer.open(addressIn(session, 'cancel_url'));
    expect(page.state).toBe('waiting');
    const transfer = await payer.press(page, 'bank_transfer');
    expect(transfer.words).toContain('IBAN');
    expect((await payer.press(transfer, 'exact')).state).toBe('paid');
    handle();
    await stripe.pay(session);
    await notify(stripe.event(PAID, session));
    await back(session);
    const [first, second, ...more] = await payments(made);
    expect(first).toMatchObject({ status: 'succeeded', method: 'bank_transfer' });
    expect(second).toMatchObject({ status: 'succeeded', method: 'card', duplicate_of: first?.['id'] });
    expect(more).toEqual([]);
    expect(await balance(made)).toBe(50_000);
  });

  it('pays by card and by transfer: the transfer is the duplicate', async () => {
    const { made, session } = await sent();
    const transfer = await payer.open(`${made.path}?method=bank_transfer`);
    await stripe.pay(session);
    expect((await notify(stripe.event(PAID, session))).status).toBe(200);
    expect((await payer.press(transfer, 'exact')).state).toBe('paid');
    expect(await payments(made)).toMatchObject([
      { status: 'succeeded', method: 'card' },
      { status: 'succeeded', method: 'bank_transfer', duplicate_of: expect.stringMatching(/^pay_/) },
    ]);
    expect(await balance(made)).toBe(50_000);
  });

  it('lets the session end: failed, and begun again with another', async () => {
    const { made, session } = await sent();
    handle();
    await stripe.expire(session);
    const failed = await payer.open(made.path);
    expect(failed.state).toBe('failed');
    expect(await payments(made)).toMatchObject([{ status: 'failed', failure_code: 'expired' }]);
    const other = sessionIn(await payer.press(failed, 'card'));
    expect(other).not.toBe(session);
    await stripe.pay(other);
    expect((await back(other)).state).toBe('paid');
    expect(await payments(made)).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
    expect(await balance(made)).toBe(25_000);
  });

  it('comes back without having paid: still waits', async () => {
    const { made, session } = await sent();
    expect((await back(session)).state).toBe('waiting');
    expect(await balance(made)).toBe(0);
    expect((await payer.open(`${(await link()).path}/return`)).status, 'nobody was sent from here').toBe(404);
  });

  it('is sent back where it is not known from which account the money came', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    await back(session);
    const [payment] = await payments(made);
    const path = `/v1/payments/${payment?.['id'] as string}/refund`;
    expect(outcome(await client.post(path))).toBe('400 refund_recipient_missing recipient');
    const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
    expect(must(await client.post(path, { recipient })).json).toMatchObject({ status: 'refunded' });
  });
});

describe('an acquirer that does not answer', () => {
  it.each<Misbehaviour>(['server_error', 'reset', 'html', 'garbage', 'huge', 'redirect'])(
    '%s: the page says so, and a bank transfer still works',
    async (how) => {
      stripe.misbehaviour = how;
      const made = await link();
      const answer = await payer.start(made.path, 'card');
      expect([answer.status, answer.alert]).toEqual([400, expect.stringContaining('Card payments are not available')]);
      const transfer = await payer.press(await payer.open(made.path), 'bank_transfer');
      expect(transfer.state).toBe('waiting');
      expect((await payer.press(transfer, 'exact')).state).toBe('paid');
      expect(await payments(made)).toMatchObject([{ status: 'succeeded', method: 'bank_transfer' }]);
    },
  );

  it('is away when the payer comes back: waits, and the notification follows', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    stripe.misbehaviour = 'reset';
    expect((await back(session)).state).toBe('waiting');
    stripe.misbehaviour = 'none';
    expect((await notify(stripe.event(PAID, session))).status).toBe(200);
    await isCounted(made);
  });

  it('takes no such currency or amount: nobody is sent there', async () => {
    const rials = await payer.open((await link({ currency: 'IRR' })).path);
    expect(rials.forms.flatMap(({ buttons }) => buttons.map(({ value }) => value))).toEqual(['bank_transfer']);
    const dinars = await payer.start((await link({ currency: 'KWD', amount: '1.234' })).path, 'card');
    expect([dinars.status, dinars.alert]).toEqual([400, expect.stringContaining('not available')]);
    const live = await application.live.client.post('/v1/payment_links', { amount: 5, currency: 'EUR' });
    expect(outcome(live), 'its key is for sandboxes').toBe('400 payment_method_not_configured currency');
  });
});

describe('invalid notifications', () => {
  const nothingBooked = async (made: Link) => {
    expect(await payments(made)).toMatchObject([{ status: 'pending', amount_received: 0 }]);
    expect(await balance(made)).toBe(0);
  };

  it('forged, altered, old, or without a signature: 400, and nothing happens', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    const body = stripe.event(PAID, session);
    const { signature } = stripe.sign(body);
    const asked = (text: string, headers: Record<string, string>) =>
      payer.ask('POST', NOTIFICATIONS, { body: text, headers });
    const answers = [
      await notify(body, { secret: 'whsec_anotherSECRETabcdef0123456789' }),
      await notify(body, { atSeconds: Math.floor(Date.now() / 1000) - 600 }),
      await notify(body, { atSeconds: Math.floor(Date.now() / 1000) + 600 }),
      await asked(body, {}),
      await asked(body.replace('25000', '25001'), { 'stripe-signature': signature }),
      await asked(`${body} `, { 'stripe-signature': signature }),
      await asked('', { 'stripe-signature': signature }),
      await asked(body, { 'stripe-signature': signature.replace('v1=', 'v0=') }),
    ];
    for (const { status, html } of answers) expect([status, html]).toEqual([400, '{"received":false}']);
    await nothingBooked(made);
    expect((await notify(body)).status, 'the genuine one').toBe(200);
    await isCounted(made);
  });

  it('of another amount or currency than was ordered: refused, and nothing is booked', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    const metadata = stripe.sessions.get(session)?.metadata ?? {};
    const wrong = (changes: object) => notify(stripe.event(PAID, session, {}, changes as Record<string, unknown>));
    expect((await wrong({ amount_total: 1 })).status).toBe(400);
    expect((await wrong({ currency: 'usd' })).status).toBe(400);
    expect((await wrong({ client_reference_id: 'pay_x' })).status).toBe(400);
    expect((await wrong({ status: 'open', payment_status: 'unpaid' })).status).toBe(400);
    const dollars = { currency: 'usd', metadata: { ...metadata, currency: 'USD' } };
    expect((await wrong(dollars)).status, 'so that the acquirer sends it again').toBe(500);
    await nothingBooked(made);
  });

  it('of a payment or an environment that is not here: accepted, and nothing is booked', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    const metadata = stripe.sessions.get(session)?.metadata ?? {};
    const unknown = 'pay_01jd3v9q4ne8v8k3w2m6r5t7xa';
    const answers = (changes: object) => notify(stripe.event(PAID, session, {}, changes as Record<string, unknown>));
    for (const changes of [
      { client_reference_id: unknown, metadata: { ...metadata, payment: unknown } },
      { metadata: { ...metadata, environment: application.otherSandbox.environmentId } },
      { metadata: { ...metadata, environment: application.live.environmentId } },
      { metadata: {} },
    ])
      expect((await answers(changes)).status).toBe(200);
    expect((await notify(stripe.event('invoice.paid', session))).status).toBe(200);
    expect((await notify(stripe.event(PAID, session, { livemode: true }))).status).toBe(200);
    await nothingBooked(made);
  });

  it('of malformed ids: never 500, or the acquirer would send it for days', async () => {
    const { made, session } = await sent();
    await stripe.pay(session);
    const metadata = stripe.sessions.get(session)?.metadata ?? {};
    for (const [payment, environment] of [
      ['pay_x', metadata['environment']],
      [metadata['payment'], 'env_x'],
      ["'; --", 'x'],
      [made.id, metadata['environment']],
    ] as const) {
      const changes = { client_reference_id: payment, metadata: { ...metadata, payment, environment } };
      const { status } = await notify(stripe.event(PAID, session, {}, changes));
      expect([payment, environment, status]).toEqual([payment, environment, 200]);
    }
    await nothingBooked(made);
  });

  it('of the end of an abandoned session: the current session goes on', async () => {
    const { made, session } = await sent();
    handle();
    await stripe.expire(session);
    const other = sessionIn(await payer.press(await payer.open(made.path), 'card'));
    expect((await notify(stripe.event('checkout.session.expired', session))).status).toBe(200);
    expect((await payer.open(made.path)).state).toBe('waiting');
    await stripe.pay(other);
    expect((await payer.open(made.path)).state).toBe('paid');
  });
});

it('neither key nor secret has come into the log, and every sum is right', async () => {
  const text = logged.join('');
  expect(text).toContain(NOTIFICATIONS);
  expect(text).not.toContain('canary');
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});
