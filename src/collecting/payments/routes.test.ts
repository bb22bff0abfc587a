/** Payments over real HTTP, grouped by status: read, found, and sent back. How they come about: `collecting/checkout/routes.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { Payer } from '../../../test/support/browser/payer.ts';
import { SANDBOX_PAYER } from './sandbox-bank.ts';

const UNKNOWN = 'pay_01jd3v9q4ne8v8k3w2m6r5t7xa';

let application: Application;
let holder: Holder;
let client: Client;
let payer: Payer;

beforeAll(async () => {
  application = await startApplication();
  holder = application.sandbox;
  client = holder.client;
  payer = new Payer(application.address);
});
afterAll(async () => {
  payer?.close();
  await application?.stop();
});

const link = async (body: object = {}, from = client) =>
  must(await from.post('/v1/payment_links', { amount: 250, currency: 'EUR', ...body })).json as Json & {
    id: string;
    url: string;
    account: string;
  };
const pay = async (id: string, body: object = {}, from = client) =>
  must(await from.post(`/v1/test_helpers/payment_links/${id}/pay`, body)).json as { id: string; reference: string };
/** A payment that is paid, to an account of its own. */
const paid = async (amount = 250) => {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  const { id } = await link({ amount: 250, account });
  return { ...(await pay(id, { amount })), account, link: id };
};
const retrieve = async (id: string) => must(await client.get(`/v1/payments/${id}`)).json;
const refund = (id: string, body: object = {}, options = {}): Promise<Reply> =>
  client.post(`/v1/payments/${id}/refund`, body, options);
const balance = async (account: string) => must(await client.get(`/v1/accounts/${account}`)).json['balance'];
const step = async (payout: unknown, verb: string) =>
  must(await client.post(`/v1/test_helpers/payouts/${payout as string}/${verb}`));
const listed = async (query: string, from = client) =>
  must(await from.get(`/v1/payments?${query}`)).json['data'] as readonly Json[];
const idsOf = async (query: string, from = client) => (await listed(query, from)).map(({ id }) => id);
const recipients = () => application.sql('SELECT count(*)::int FROM recipients');
const newest = async () => (must(await client.get('/v1/events?limit=1')).json['data'] as readonly Json[])[0] as Json;
const previousIn = (event: Json) => (event['data'] as Json)['previous_attributes'];
const receive = async (payment: string, amount: bigint, payerIban: string | null = SANDBOX_PAYER.payerIban) =>
  JSON.parse(
    await application.submit(holder.environmentId, {
      type: 'receive_payment',
      payment,
      method: 'bank_transfer',
      session: null,
      amount,
      payerName: 'Ada Lovelace',
      payerIban,
    }),
  ) as Json & { id: string };

describe('200', () => {
  it('shows exactly what the interface shows, the payer’s account by its end alone', async () => {
    const { id, account, link: through } = await paid();
    const { json, text } = must(await client.get(`/v1/payments/${id}`));
    expect(json).toEqual({
      id: expect.stringMatching(/^pay_[0-9a-z]{26}$/),
      object: 'payment',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      amount: 250,
      amount_minor: 25_000,
      amount_received: 250,
      amount_received_minor: 25_000,
      amount_refunded: 0,
      amount_refunded_minor: 0,
      currency: 'EUR',
      status: 'succeeded',
      method: 'bank_transfer',
      payment_link: through,
      account,
      reference: expect.stringMatching(/^RF\d\d[0-9A-Z]{13}$/),
      payer: { name: 'Grace Hopper', account_last4: '4300' },
      duplicate_of: null,
      failure_code: null,
      transfer: expect.stringMatching(/^trf_/),
      fees: [],
      refund: null,
      expires_at: null,
      paid_at: expect.closeTo(Date.now() / 1000, -2),
      metadata: {},
    });
    expect(text).not.toContain(SANDBOX_PAYER.payerIban);
    const transfer = must(await client.get(`/v1/transfers/${json['transfer'] as string}`)).json;
    expect(transfer).toMatchObject({ from: 'house:bank', to: account, amount: 250, cause: 'payment', cause_id: id });
  });

  it('waits fourteen days for a payer who has begun', async () => {
    const { id, url } = await link();
    await payer.start(url);
    const [waiting] = await listed(`payment_link=${id}`);
    expect(waiting).toMatchObject({
      status: 'pending',
      amount_received: 0,
      payer: { name: null, account_last4: null },
    });
    expect(waiting?.['expires_at']).toBe((waiting?.['created'] as number) + 14 * 86_400);
  });

  it('lists by every filter, newest first, page by page; a reference is read as people write it', async () => {
    const own = (await application.key({ merchant: 'lister of payments' })).client;
    const euros = await link({ reusable: true }, own);
    const dollars = await link({ currency: 'USD' }, own);
    const first = await pay(euros.id, {}, own);
    const part = await pay(euros.id, { amount: 1 }, own);
    const other = await pay(dollars.id, {}, own);
    expect(await idsOf('', own)).toEqual([other.id, part.id, first.id]);
    expect(await idsOf('status=succeeded', own)).toEqual([other.id, first.id]);
    expect(await idsOf('status=partially_paid', own)).toEqual([part.id]);
    expect(await idsOf(`payment_link=${euros.id}&order=asc`, own)).toEqual([first.id, part.id]);
    expect(await idsOf('currency=usd', own)).toEqual([other.id]);
    expect(await idsOf('method=bank_transfer&limit=1', own)).toEqual([other.id]);
    expect(await idsOf('method=card', own)).toEqual([]);
    const reference = first.reference;
    const written = reference.replace(/(.{4})/g, '$1 ').toLowerCase();
    expect(await idsOf(`reference=${encodeURIComponent(written)}`, own)).toEqual([first.id]);
    expect(await idsOf('reference=RF18539007547034', own)).toEqual([]);
    expect(await idsOf(`starting_after=${other.id}&limit=1`, own)).toEqual([part.id]);
    expect(await idsOf('', application.otherSandbox.client)).toEqual([]);
  });

  it('finds a payment and its duplicates by one reference', async () => {
    const { id, reference } = await paid();
    const twice = await receive(id, 25_000n);
    expect(twice).toMatchObject({
      status: 'succeeded',
      duplicate_of: id,
      amount: 250,
      amount_received: 250,
      reference,
    });
    expect(await newest()).toMatchObject({ type: 'payment.duplicate', data: { object: twice } });
    expect(await idsOf(`reference=${reference}`)).toEqual([twice.id, id]);
    expect(await idsOf(`duplicate=true&reference=${reference}`)).toEqual([twice.id]);
    expect(await idsOf(`duplicate=false&reference=${reference}`)).toEqual([id]);
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', amount_received: 250 });
  });

  it('updates metadata and nothing else', async () => {
    const { id } = await paid();
    must(await client.post(`/v1/payments/${id}`, { metadata: { a: 'b', c: 'd' } }));
    const { json } = must(await client.post(`/v1/payments/${id}`, 'metadata[a]=&metadata[e]=f', { form: true }));
    expect(json).toMatchObject({ metadata: { c: 'd', e: 'f' }, status: 'succeeded' });
    const event = await newest();
    expect(event).toMatchObject({ type: 'payment.updated', data: { object: json } });
    expect(previousIn(event)).toEqual({ metadata: { a: 'b', e: null } });
    must(await client.post(`/v1/payments/${id}`, { metadata: { e: 'f' } }));
    expect((await newest())['id'], 'nothing changed, nothing is told').toBe(event['id']);
  });
});

describe('200, refunded', () => {
  it('sends all of it back by a payout to the account it came from', async () => {
    const { id, account, reference } = await paid();
    const { json } = must(await refund(id));
    expect(json).toMatchObject({ status: 'refunded', amount_refunded: 250, refund: expect.stringMatching(/^po_/) });
    expect(await balance(account)).toBe(0);
    const event = await newest();
    expect(event).toMatchObject({ type: 'payment.refunded', data: { object: json } });
    expect(previousIn(event)).toEqual({ status: 'succeeded', amount_refunded_minor: 0 });
    const payout = must(await client.get(`/v1/payouts/${json['refund'] as string}`)).json;
    expect(payout).toMatchObject({ amount: 250, account, reference, status: 'pending' });
    const recipient = must(await client.get(`/v1/recipients/${payout['recipient'] as string}`)).json;
    expect(recipient).toMatchObject({ name: 'Grace Hopper', currency: 'EUR', country: 'NL' });
    await step(payout['id'], 'pay');
    expect(await retrieve(id)).toEqual(json);
  });

  it('sends parts back, until nothing is left', async () => {
    const { id, account } = await paid();
    expect(must(await refund(id, { amount: '50.00' })).json).toMatchObject({
      status: 'succeeded',
      amount_refunded: 50,
    });
    expect(previousIn(await newest())).toEqual({ amount_refunded_minor: 0 });
    const much = await refund(id, { amount: '200.01' });
    expect(outcome(much)).toBe('400 refund_too_large amount');
    expect(much.json['error']).toMatchObject({ available_minor: 20_000 });
    expect(must(await refund(id, { amount: 200 })).json).toMatchObject({ status: 'refunded', amount_refunded: 250 });
    expect(await balance(account)).toBe(0);
    const over = await refund(id, { amount: '0.01' });
    expect(outcome(over)).toBe('400 payment_state_invalid');
    expect(over.json['error']).toMatchObject({ current_status: 'refunded' });
  });

  it('counts for limits per recipient, by the account of the payer', async () => {
    const limit = must(await client.post('/v1/limits', { currency: 'EUR', amount: 100, per: 'recipient' })).json;
    const [one, two] = [await paid(), await paid()];
    expect(outcome(await refund(one.id, { amount: 60 }))).toBe('200');
    expect(outcome(await refund(two.id, { amount: 41 }))).toBe('400 limit_exceeded');
    expect(outcome(await refund(two.id, { amount: 40 }))).toBe('200');
    must(await client.send('DELETE', `/v1/limits/${limit['id'] as string}`, '', {}));
  });

  it('has the money again when the payout fails or comes back', async () => {
    const { id, account } = await paid();
    const { json: failing } = must(await refund(id, { amount: 100 }));
    await step(failing['refund'], 'fail');
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
    const { json: whole } = must(await refund(id));
    await step(whole['refund'], 'pay');
    await step(whole['refund'], 'return');
    const back = await retrieve(id);
    expect(back).toMatchObject({ status: 'succeeded', amount_refunded: 0, refund: whole['refund'] });
    expect(await balance(account)).toBe(25_000);
    const [event] = must(await client.get('/v1/events?type=payment.updated&limit=1')).json['data'] as readonly Json[];
    expect(event).toMatchObject({ data: { object: back } });
    expect(previousIn(event as Json)).toEqual({ status: 'refunded', amount_refunded_minor: 25_000 });
  });

  it('sends back what came too early, too much or twice', async () => {
    const part = await paid(100);
    expect(must(await refund(part.id)).json).toMatchObject({ status: 'refunded', amount_refunded: 100 });
    const through = must(await client.get(`/v1/payment_links/${part.link}`)).json;
    expect(through).toMatchObject({ open_payments_count: 0, payments_count: 0, status: 'active' });
    const over = await paid(300);
    expect(must(await refund(over.id, { amount: 50 })).json).toMatchObject({ status: 'overpaid', amount_refunded: 50 });
    const once = await paid();
    const twice = await receive(once.id, 25_000n);
    expect(must(await refund(twice.id)).json).toMatchObject({ status: 'refunded', duplicate_of: once.id });
    expect(await retrieve(once.id)).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
    expect(await balance(once.account)).toBe(25_000);
  });

  it.each(['USD', 'JPY', 'KWD'])('sends %s back', async (currency) => {
    const { id } = await link({ currency, amount: 5 });
    const { id: payment } = await pay(id);
    const { json } = must(await refund(payment));
    const payout = must(await client.get(`/v1/payouts/${json['refund'] as string}`)).json;
    expect(payout).toMatchObject({ amount: 5, currency });
    await step(payout['id'], 'pay');
    const recipient = must(await client.get(`/v1/recipients/${payout['recipient'] as string}`)).json;
    expect(recipient).toMatchObject({ currency, name: 'Grace Hopper' });
  });

  it('pays whoever is named where it is not known who paid', async () => {
    const { id, url } = await link();
    await payer.start(url);
    const [payment] = (await idsOf(`payment_link=${id}`)) as [string];
    await receive(payment, 25_000n, null);
    expect(await retrieve(payment)).toMatchObject({ payer: { name: 'Ada Lovelace', account_last4: null } });
    expect(outcome(await refund(payment))).toBe('400 refund_recipient_missing recipient');
    const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
    const { json } = must(await refund(payment, { recipient }));
    expect(must(await client.get(`/v1/payouts/${json['refund'] as string}`)).json).toMatchObject({ recipient });
  });

  it('is sent once under one key, however often it is asked for', async () => {
    const { id, account } = await paid();
    const once = { idempotencyKey: 'refund once' };
    const [first, again] = [await refund(id, { amount: 100 }, once), await refund(id, { amount: '100.0' }, once)];
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await balance(account)).toBe(15_000);
    const { id: raced, account: other } = await paid();
    const all = await Promise.all(Array.from({ length: 20 }, () => refund(raced, { amount: 100 })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(new Set(all.filter(({ status }) => status !== 200).map(outcome))).toEqual(
      new Set(['400 refund_too_large amount']),
    );
    expect(await balance(other)).toBe(5_000);
  });
});

describe('400', () => {
  it.each<[string, object]>([
    ['amount_invalid amount', { amount: '5.001' }],
    ['amount_invalid amount', { amount: '1e1' }],
    ['amount_too_small amount', { amount: 0 }],
    ['amount_too_large amount', { amount: '10000000000000' }],
    ['refund_too_large amount', { amount: '250.01' }],
    ['parameter_invalid recipient', { recipient: 'rcp_1' }],
    ['parameter_unknown reason', { reason: 'requested' }],
    ['parameter_unknown currency', { currency: 'USD' }],
  ])('a refund: %s', async (what, body) => {
    const { id, account } = await paid();
    expect(outcome(await refund(id, body))).toBe(`400 ${what}`);
    expect(await balance(account)).toBe(25_000);
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', refund: null });
  });

  it('a refund of nothing', async () => {
    const { id, url } = await link();
    await payer.start(url);
    const [waiting] = await listed(`payment_link=${id}`);
    const refused = await refund(waiting?.['id'] as string);
    expect(outcome(refused)).toBe('400 payment_state_invalid');
    expect(refused.json['error']).toMatchObject({ current_status: 'pending' });
  });

  it('a refund of money that was spent', async () => {
    const { id, account } = await paid();
    const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
    must(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient, account }));
    const before = await recipients();
    const refused = await refund(id);
    expect(outcome(refused)).toMatch(/^400 balance_insufficient/);
    expect(refused.json['error']).toMatchObject({ available_minor: 24_900 });
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', amount_refunded: 0, refund: null });
    expect(await recipients(), 'nobody was made for a refund that was refused').toEqual(before);
    expect(must(await refund(id, { amount: 249 })).json).toMatchObject({ amount_refunded: 249 });
  });

  it('recipients that do not fit, or are somebody else’s', async () => {
    const { id } = await paid();
    const yen = { ...RECIPIENT, currency: 'JPY', bic: 'COBADEFFXXX' };
    const other = idIn(await client.post('/v1/recipients', yen));
    expect(outcome(await refund(id, { recipient: other }))).toMatch(/^400 recipient_currency_mismatch/);
    const gone = idIn(await client.post('/v1/recipients', RECIPIENT));
    must(await client.write('DELETE', `/v1/recipients/${gone}`, ''));
    expect(outcome(await refund(id, { recipient: gone }))).toBe('400 recipient_archived recipient');
    const theirs = idIn(await application.otherSandbox.client.post('/v1/recipients', RECIPIENT));
    expect(outcome(await refund(id, { recipient: theirs }))).toBe('404 resource_missing recipient');
    const live = idIn(await application.live.client.post('/v1/recipients', RECIPIENT));
    expect(outcome(await refund(id, { recipient: live }))).toBe('404 resource_missing recipient');
    expect(await retrieve(id)).toMatchObject({ amount_refunded: 0 });
  });

  it('metadata and filters that are not', async () => {
    const { id } = await paid();
    const { metadata } = await retrieve(id);
    expect(must(await client.post(`/v1/payments/${id}`)).json['metadata'], 'nothing changed').toEqual(metadata);
    expect(outcome(await client.post(`/v1/payments/${id}`, { metadata: {}, status: 'failed' }))).toBe(
      '400 parameter_unknown status',
    );
    expect(outcome(await client.get('/v1/payments?status=lost'))).toBe('400 parameter_invalid status');
    expect(outcome(await client.get('/v1/payments?method=cash'))).toBe('400 parameter_invalid method');
    expect(outcome(await client.get('/v1/payments?payment_link=pay_1'))).toBe('400 parameter_invalid payment_link');
  });
});

describe('401, 403, 404, 405', () => {
  it('keys that may not', async () => {
    const { id } = await paid();
    const nobody = { authorization: 'Bearer x' };
    expect(outcome(await client.send('GET', '/v1/payments', '', nobody))).toBe('401 api_key_invalid');
    const reader = (await application.key({ scopes: ['payments:read'] })).client;
    expect(outcome(await reader.get(`/v1/payments/${id}`))).toBe('200');
    expect(outcome(await reader.post(`/v1/payments/${id}/refund`))).toBe('403 scope_missing');
    expect(outcome(await reader.post(`/v1/payments/${id}`, { metadata: {} }))).toBe('403 scope_missing');
  });

  it('what does not exist, and what is somebody else’s', async () => {
    const { id, account } = await paid();
    for (const [who, payment] of [
      [client, UNKNOWN],
      [application.otherSandbox.client, id],
      [application.live.client, id],
    ] as const) {
      expect(outcome(await who.get(`/v1/payments/${payment}`))).toBe('404 resource_missing id');
      expect(outcome(await who.post(`/v1/payments/${payment}`, { metadata: {} }))).toMatch(/^404 resource_missing/);
      expect(outcome(await who.post(`/v1/payments/${payment}/refund`))).toMatch(/^404 resource_missing/);
    }
    expect(await balance(account)).toBe(25_000);
  });

  it('nobody makes or deletes a payment by hand', async () => {
    const { id } = await paid();
    expect(outcome(await client.post('/v1/payments', { amount: 5 }))).toBe('405 method_not_allowed');
    expect(outcome(await client.send('DELETE', `/v1/payments/${id}`, '', {}))).toBe('405 method_not_allowed');
  });
});

it('every sum of all this is right', async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});
