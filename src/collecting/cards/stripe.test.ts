/** Stripe Checkout against a fake that is as strict, and against the public library `stripe` for wire and signature. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeStripe, type Misbehaviour, startFakeStripe } from '../../../test/support/harness/fake-stripe.ts';
import { type Acquirer, AcquirerError, type CardFact, type CardOrder, NotificationRefused } from './acquirer.ts';
import { createStripe } from './stripe.ts';

const KEY = 'sk_test_canaryKEY51HxyzABCDEF';
const SECRET = 'whsec_canarySECRETabcdef0123456789';
const START_MS = Date.UTC(2026, 10, 21, 12, 0, 5);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const ORDER: CardOrder = {
  paymentId: 'pay_01jd3zk6y8f7q9x2m4n5p6r7s8',
  environmentId: 'env_01jd3zk6y8f7q9x2m4n5p6r7s9',
  livemode: false,
  amount: 125_00n,
  currency: 'EUR',
  description: 'Rechnung 4711 · Süßes & <b>Salziges</b>',
  customerEmail: 'ada@example.com',
  language: 'de',
  returnUrl: 'http://127.0.0.1:4242/pay/abcDEF123/return?lang=de',
  cancelUrl: 'http://127.0.0.1:4242/pay/abcDEF123?lang=de',
  expiresAtMs: null,
};

let nowMs = START_MS;
let fake: FakeStripe;
let stripe: Acquirer;
beforeEach(async () => {
  nowMs = START_MS;
  fake = await startFakeStripe({ secretKey: KEY, webhookSecret: SECRET, now: () => nowMs });
  stripe = connect();
});
afterEach(async () => {
  await stripe.close();
  await fake.stop();
});

function connect(changes: Partial<Parameters<typeof createStripe>[0]> = {}): Acquirer {
  return createStripe({ secretKey: KEY, webhookSecret: SECRET, apiUrl: fake.url, now: () => nowMs, ...changes });
}

const sent = (nth: number) => Object.fromEntries(new URLSearchParams(fake.requests.at(nth)?.body));
const posts = () => fake.requests.filter(({ method }) => method === 'POST');

async function faultOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (each: unknown) => each,
  );
  expect(error).toBeInstanceOf(AcquirerError);
  const { message, stack, cause } = error as AcquirerError;
  expect(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`).not.toMatch(/canary/);
  return message;
}

it('is not asked for an amount that Stripe cannot take exactly', async () => {
  expect([stripe.supports('KWD'), stripe.supports('KWD', 5120n), stripe.supports('KWD', 5124n)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await faultOf(stripe.createSession({ ...ORDER, currency: 'KWD', amount: 5124n }))).toContain('5124');
  expect(stripe.supports('IQD')).toBe(false);
  expect(await faultOf(stripe.createSession({ ...ORDER, currency: 'IQD' }))).toContain('IQD');
  expect(fake.requests).toEqual([]);
});

describe('a session', () => {
  it('is asked for as the public library would, and gives the page of Stripe', async () => {
    const { id, url } = await stripe.createSession(ORDER);
    expect(url).toMatch(new RegExp(`^${fake.url}/c/pay/${id}#`));
    expect(stripe.hosts).toEqual([new URL(fake.url).host]);
    const { headers } = fake.requests[0]!;
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'stripe-version': Stripe.API_VERSION });
    expect(headers['idempotency-key']).toBe('pay_01jd3zk6y8f7q9x2m4n5p6r7s8-12500-8e84717e802a6bd6');

    const { port, hostname } = new URL(fake.url);
    const library = new Stripe(KEY, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
    const { paymentId, environmentId } = ORDER;
    await library.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'eur', unit_amount: 12_500, product_data: { name: ORDER.description } },
        },
      ],
      adaptive_pricing: { enabled: false },
      client_reference_id: paymentId,
      metadata: { payment: paymentId, environment: environmentId, amount: '12500', currency: 'EUR' },
      payment_intent_data: { metadata: { payment: paymentId, environment: environmentId } },
      customer_email: 'ada@example.com',
      locale: 'de',
      success_url: ORDER.returnUrl,
      cancel_url: ORDER.cancelUrl,
    });
    expect(sent(0)).toEqual(sent(1));
    expect(Object.keys(sent(0)).length).toBe(17);
  });

  it.each([
    ['long', 'ä'.repeat(400), 'ä'.repeat(250)],
    ['of pairs', '😀'.repeat(300), '😀'.repeat(250)],
    ['with control characters', 'one\r\ntwo\u0000', 'one two'],
    ['empty', ' \n ', ORDER.paymentId],
  ])('has a name of a product even when the description is %s', async (_, description, name) => {
    await stripe.createSession({ ...ORDER, description });
    expect(sent(0)['line_items[0][price_data][product_data][name]']).toBe(name);
  });

  it.each([
    ['no wish', null, null],
    ['two days', 2 * DAY_MS, null],
    ['the longest', DAY_MS - 5 * MINUTE_MS, Date.UTC(2026, 10, 22, 11, 55)],
    ['six hours', 6 * 60 * MINUTE_MS, Date.UTC(2026, 10, 21, 18)],
    ['the shortest', 31 * MINUTE_MS, Date.UTC(2026, 10, 21, 12, 31)],
    ['ten minutes', 10 * MINUTE_MS, Date.UTC(2026, 10, 21, 12, 40)],
    ['yesterday', -DAY_MS, Date.UTC(2026, 10, 21, 12, 40)],
  ])('expires within what Stripe takes: %s', async (_, wantedMs, expectedMs) => {
    await stripe.createSession({ ...ORDER, expiresAtMs: wantedMs === null ? null : START_MS + wantedMs });
    expect(sent(0)['expires_at']).toBe(expectedMs === null ? undefined : String(expectedMs / 1000));
  });

  it('is never asked for too short or too long, whatever is wished', async () => {
    for (let wished = 0; wished < 1500; wished += 13) {
      nowMs += 37_123;
      await stripe.createSession({ ...ORDER, amount: BigInt(wished + 1000), expiresAtMs: nowMs + wished * MINUTE_MS });
    }
    expect(fake.sessions.size).toBe(116);
  });

  it('leaves out an address that Stripe does not take', async () => {
    const { id } = await stripe.createSession({ ...ORDER, customerEmail: 'ada@nowhere' });
    expect(fake.sessions.get(id)?.['customer_email']).toBe(null);
    expect(posts().length).toBe(2);
  });

  it('is for environments of the mode of the key', async () => {
    expect([stripe.serves(false), stripe.serves(true)]).toEqual([true, false]);
    await faultOf(stripe.createSession({ ...ORDER, livemode: true }));
    expect(fake.requests).toEqual([]);
    const modes = ['sk_test_1a', 'rk_test_1a', 'sk_live_1a', 'rk_live_1a'].map((secretKey) =>
      connect({ secretKey }).serves(true),
    );
    expect(modes).toEqual([false, false, true, true]);
  });

  it('of a live key needs https to come back to, and the fault names the parameter', async () => {
    const live = await startFakeStripe({ secretKey: 'rk_live_canary', webhookSecret: SECRET });
    const acquirer = connect({ secretKey: 'rk_live_canary', apiUrl: live.url });
    const order = { ...ORDER, livemode: true };
    expect(await faultOf(acquirer.createSession(order))).toMatch(
      /^Stripe answered 400, invalid_request_error, success_url \(request req_[0-9a-f]{14}\)\.$/,
    );
    const https = { returnUrl: 'https://pay.example.com/a', cancelUrl: 'https://pay.example.com/b' };
    expect((await acquirer.createSession({ ...order, ...https })).id).toMatch(/^cs_live_/);
    await acquirer.close();
    await live.stop();
  });
});

describe('the same order again', () => {
  it('is the same session while it is open, and another for another amount', async () => {
    const first = await stripe.createSession(ORDER);
    nowMs += 3 * 60 * MINUTE_MS;
    expect(await stripe.createSession(ORDER)).toEqual(first);
    expect((await stripe.createSession({ ...ORDER, amount: 100_00n })).id).not.toBe(first.id);
    expect(fake.sessions.size).toBe(2);
  });

  it.each([
    ['at six', 6 * 60 * MINUTE_MS - 5_000],
    ['in ten minutes', 10 * MINUTE_MS],
  ])('is the same session though its end was worked out anew: %s', async (_, wishedMs) => {
    for (const offMs of [0, 3, -3, 999])
      await stripe.createSession({ ...ORDER, expiresAtMs: START_MS + wishedMs + offMs });
    expect(fake.sessions.size).toBe(1);
  });

  it('is another session in another language: Stripe refuses other parameters under one key', async () => {
    const first = await stripe.createSession(ORDER);
    expect((await stripe.createSession({ ...ORDER, language: 'fr' })).id).not.toBe(first.id);
  });

  it('is one session when two payers press at once', async () => {
    fake.delayMs = 150;
    const both = await Promise.all([stripe.createSession(ORDER), stripe.createSession(ORDER)]);
    expect(both[0]).toEqual(both[1]);
    expect(fake.sessions.size).toBe(1);
    expect(posts().length).toBeGreaterThan(2);
  });

  it('is a new session when those before have expired', async () => {
    const ids = new Set<string>();
    for (let day = 0; day < 4; day++) {
      ids.add((await stripe.createSession(ORDER)).id);
      nowMs += DAY_MS;
    }
    expect(ids.size).toBe(4);
  });

  it('goes back to us when it is paid already', async () => {
    const { id } = await stripe.createSession(ORDER);
    await fake.pay(id);
    expect(await stripe.createSession(ORDER)).toEqual({ id, url: ORDER.returnUrl });
    expect(fake.sessions.size).toBe(1);
  });

  it('is not another order, even if Stripe says so', async () => {
    const { id } = await stripe.createSession(ORDER);
    const payment = 'pay_01jd3zk6y8f7q9x2m4n5p6r7s0';
    Object.assign(fake.sessions.get(id)!, { client_reference_id: payment, metadata: metadata({ payment }) });
    expect(await stripe.session(id)).toMatchObject({ kind: 'open' });
    expect(await faultOf(stripe.createSession(ORDER))).toBe(`Session ${id} is not the one that was ordered.`);
  });

  it('recovers from a fault that Stripe keeps under the key, once a minute', async () => {
    fake.misbehaviour = 'server_error';
    for (let press = 0; press < 3; press++) {
      expect(await faultOf(stripe.createSession(ORDER))).toContain('500, api_error');
      expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(press === 0 ? 1 : 2);
    }
    fake.misbehaviour = 'none';
    expect(await faultOf(stripe.createSession(ORDER))).toContain('500, api_error');
    nowMs += MINUTE_MS;
    expect((await stripe.createSession(ORDER)).id).toMatch(/^cs_test_/);
  });
});

describe('what became of a session', () => {
  const paid = (sessionId: string, payerName: string | null = 'Ada Payer'): CardFact => {
    const { paymentId, environmentId, amount, currency } = ORDER;
    return { kind: 'paid', sessionId, paymentId, environmentId, amount, currency, payerName };
  };
  const failed = (sessionId: string, reason: 'expired' | 'declined'): CardFact => {
    const { paymentId, environmentId } = ORDER;
    return { kind: 'failed', sessionId, paymentId, environmentId, reason };
  };

  it('is told when asked, in ISO units', async () => {
    const { id, url } = await stripe.createSession(ORDER);
    expect(await stripe.session(id)).toEqual({ kind: 'open', sessionId: id, url });
    await fake.pay(id);
    expect(await stripe.session(id)).toEqual(paid(id));
    const krona = await stripe.createSession({ ...ORDER, amount: 700n, currency: 'ISK' });
    expect(fake.sessions.get(krona.id)?.amount_total).toBe(70_000);
    await fake.pay(krona.id, { name: null });
    expect(await stripe.session(krona.id)).toEqual({ ...paid(krona.id, null), amount: 700n, currency: 'ISK' });
    const late = await stripe.createSession({ ...ORDER, amount: 9_00n });
    await fake.expire(late.id);
    expect(await stripe.session(late.id)).toEqual(failed(late.id, 'expired'));
  });

  it('is open while a payment that takes days is under way', async () => {
    const { id } = await stripe.createSession(ORDER);
    await fake.pay(id, { later: true });
    expect(await stripe.session(id)).toEqual({ kind: 'open', sessionId: id, url: null });
    expect(fact(fake.event('checkout.session.completed', id))).toEqual({ kind: 'open', sessionId: id, url: null });
    await fake.settle(id, false);
    expect(fact(fake.event('checkout.session.async_payment_failed', id))).toEqual(failed(id, 'declined'));
    await fake.settle(id, true);
    expect(fact(fake.event('checkout.session.async_payment_succeeded', id))).toEqual(paid(id));
  });

  it.each(['../../balance', 'cs_test_1/expire', 'cs_test_1?expand[]=customer', '', 'pi_1', `cs_${'a'.repeat(300)}`])(
    'is not asked with %j for an id',
    async (id) => {
      await faultOf(stripe.session(id));
      expect(fake.requests).toEqual([]);
    },
  );

  it('is unknown for an id that Stripe does not know', async () => {
    expect(await faultOf(stripe.session('cs_test_1'))).toMatch(/404, invalid_request_error, resource_missing, session/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another amount', { amount_total: 1_25 }],
    ['an amount that is no whole number', { amount_total: 125_00.5 }],
    ['no amount', { amount_total: null }],
    ['another currency', { currency: 'usd' }],
    ['the other mode', { livemode: true }],
    ['another payment as its reference', { client_reference_id: 'pay_01jd3zk6y8f7q9x2m4n5p6r7s0' }],
    ['no metadata', { metadata: {} }],
    ['metadata of another amount', { metadata: metadata({ amount: '100' }) }],
    ['metadata of a strange amount', { metadata: metadata({ amount: '0x30d4' }) }],
    ['metadata of another currency', { metadata: metadata({ currency: 'USD' }) }],
    ['metadata of another payment', { metadata: metadata({ payment: 'pay_01jd3zk6y8f7q9x2m4n5p6r7s0' }) }],
    ['a status nobody knows', { status: 'maybe' }],
    ['a payment status nobody knows', { payment_status: 'no_payment_required' }],
    ['another id', { id: 'cs_test_2' }],
    ['another object', { object: 'payment_intent' }],
  ])('is not believed with %s', async (_, changes) => {
    const { id } = await stripe.createSession(ORDER);
    await fake.pay(id);
    Object.assign(fake.sessions.get(id)!, changes);
    await faultOf(stripe.session(id));
  });

  function fact(body: string): CardFact | null {
    return notify(fake.sign(body));
  }
});

function metadata(changes: Record<string, string>): Record<string, string> {
  const { paymentId: payment, environmentId: environment } = ORDER;
  return { payment, environment, amount: '12500', currency: 'EUR', ...changes };
}

function notify({ body, signature }: { body: string | Buffer; signature: string | undefined }, atMs = nowMs) {
  const header = (name: string) => (name.toLowerCase() === 'stripe-signature' ? signature : undefined);
  return stripe.notification(Buffer.from(body), header, atMs);
}

describe('a Stripe that misbehaves', () => {
  it.each<[Misbehaviour, RegExp]>([
    ['hang', /did not answer within 1 s/],
    ['stall', /did not answer within 1 s/],
    ['garbage', /not JSON/],
    ['html', /answered 502 with something else than JSON/],
    ['huge', /with more than is read/],
    ['reset', /could not be reached \((?:ECONNRESET|UND_ERR_SOCKET)\)/],
    ['redirect', /answered 307, a redirect/],
    ['server_error', /answered 500, api_error/],
  ])('%s is a fault in time, and the next call works', async (misbehaviour, expected) => {
    // As patient as can be where the time is not the claim.
    const isSilent = misbehaviour === 'hang' || misbehaviour === 'stall';
    const impatient = connect({ timeoutMs: isSilent ? 1_000 : 20_000 });
    const { id } = await impatient.createSession({ ...ORDER, amount: 5_00n });
    const calls = fake.requests.length;
    fake.misbehaviour = misbehaviour;
    expect(await faultOf(impatient.createSession(ORDER))).toMatch(expected);
    expect(await faultOf(impatient.session(id))).toMatch(expected);
    expect(fake.requests.length).toBe(calls + 2);
    fake.misbehaviour = 'none';
    nowMs += MINUTE_MS;
    expect((await impatient.createSession(ORDER)).id).toMatch(/^cs_test_/);
    await impatient.close();
  });

  it('cannot be reached', async () => {
    const nowhere = connect({ apiUrl: 'http://127.0.0.1:1' });
    expect(await faultOf(nowhere.createSession(ORDER))).toBe('Stripe could not be reached (ECONNREFUSED).');
    await nowhere.close();
  });

  it('repeats the key in its refusal, and we do not', async () => {
    const stranger = connect({ secretKey: 'sk_test_canaryWRONG' });
    const fault = await faultOf(stranger.createSession(ORDER));
    expect(fault).toMatch(/^Stripe answered 401, invalid_request_error \(request req_/);
    await stranger.close();
  });

  it.each([
    'https://checkout.stripe.com.evil.example/c/pay/1',
    'javascript:alert(1)',
    'http://checkout.stripe.com/c/pay/1',
    'not an address',
    null,
  ])('cannot send the payer to %s', async (url) => {
    const { id } = await stripe.createSession(ORDER);
    Object.assign(fake.sessions.get(id)!, { url });
    await faultOf(stripe.session(id));
    await faultOf(stripe.createSession(ORDER));
  });
});

describe('the settings', () => {
  it.each<[string, Partial<Parameters<typeof createStripe>[0]>]>([
    ['a publishable key', { secretKey: 'pk_test_canary' }],
    ['a key with a line break', { secretKey: 'sk_test_canary\r\nx: y' }],
    ['a key without a mode', { secretKey: 'sk_canary' }],
    ['a secret that is none', { webhookSecret: 'canary' }],
    ['http to elsewhere', { apiUrl: 'http://canary.example' }],
    ['a user in the address', { apiUrl: 'https://canary@api.stripe.com' }],
    ['a path', { apiUrl: 'https://api.stripe.com/canary' }],
    ['no address', { apiUrl: 'canary' }],
  ])('are refused: %s', (_, changes) => {
    expect(() => connect(changes)).toThrow(/Stripe/);
    expect(() => connect(changes)).not.toThrow(/canary/);
  });

  it('know the pages of Stripe itself', () => {
    expect(createStripe({ secretKey: KEY, webhookSecret: SECRET }).hosts).toEqual(['checkout.stripe.com']);
  });
});

describe('a notification', () => {
  let id: string;
  let body: string;
  beforeEach(async () => {
    ({ id } = await stripe.createSession(ORDER));
    await fake.pay(id);
    body = fake.event('checkout.session.completed', id);
  });

  const header = (options: { secret?: string; timestamp?: number; payload?: string } = {}) =>
    Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: SECRET,
      timestamp: Math.floor(nowMs / 1000),
      ...options,
    });

  it('signed by the public library is believed, and the library believes the fake', () => {
    expect(notify({ body, signature: header() })).toMatchObject({ kind: 'paid', sessionId: id, amount: 125_00n });
    const { signature } = fake.sign(body);
    expect(Stripe.webhooks.constructEvent(body, signature, SECRET, 300, undefined, nowMs).type).toBe(
      'checkout.session.completed',
    );
  });

  it('may have several signatures, schemes nobody knows and blanks', () => {
    const [time, good] = header().split(',') as [string, string];
    const other = header({ secret: 'whsec_rolled' }).split(',')[1];
    for (const signature of [
      `${time},${other},${good}`,
      `${time}, ${good}, ${other}`,
      `v0=abc,${time},v2=xyz,${good},nonsense`,
    ])
      expect(notify({ body, signature })?.kind).toBe('paid');
  });

  it.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
  ])('signed %i s from now: %s', (seconds, isTaken) => {
    nowMs = Math.floor(nowMs / 1000) * 1000;
    const signature = header({ timestamp: nowMs / 1000 + seconds });
    if (isTaken) expect(notify({ body, signature })?.kind).toBe('paid');
    else expect(() => notify({ body, signature })).toThrow(NotificationRefused);
  });

  it.each<[string, () => string | undefined]>([
    ['without a signature', () => undefined],
    ['with an empty signature', () => ''],
    ['of another secret', () => header({ secret: 'whsec_other' })],
    ['of another body', () => header({ payload: `${body} ` })],
    ['without a time', () => header().replace(/^t=\d+,/, '')],
    ['with two times', () => `${header()},t=1`],
    ['with the time twice', () => `${header()},${header().split(',')[0]}`],
    [
      'with the time moved',
      () => header({ timestamp: Math.floor(nowMs / 1000) - 400 }).replace(/^t=\d+/, `t=${Math.floor(nowMs / 1000)}`),
    ],
    ['with a time that is none', () => header().replace(/^t=\d+/, 't=NaN')],
    ['with the time in another notation', () => header().replace(/^t=/, 't=+')],
    ['with half a signature', () => header().slice(0, -32)],
    ['with a signature twice as long', () => `${header()}${'0'.repeat(64)}`],
    ['with the signature under another scheme', () => header().replace('v1=', 'v0=')],
    ['with the signature in capitals', () => header().replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`)],
    ['with an empty v1', () => header().replace(/v1=.*/, 'v1=')],
    ['with a header without end', () => `${header()},${'v1=0,'.repeat(2000)}`],
  ])('%s is refused', (_, signature) => {
    expect(() => notify({ body, signature: signature() })).toThrow(NotificationRefused);
  });

  it('is refused after a change of one bit, anywhere', () => {
    const signature = header();
    const bytes = Buffer.from(body);
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => notify({ body: changed, signature })).toThrow(NotificationRefused);
    }
    const text = Buffer.from(signature);
    for (let bit = 0; bit < text.length * 8; bit++) {
      const changed = Buffer.from(text);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => notify({ body, signature: changed.toString('latin1') })).toThrow(NotificationRefused);
    }
    expect(notify({ body, signature })?.kind).toBe('paid');
  });

  it('is refused when other bytes read as the text that was signed (control: the library takes them)', () => {
    body = body.replace('Ada', '\uFFFD');
    const signature = header();
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body)]);
    const broken = Buffer.from(Buffer.from(body).toString('latin1').replace('\u00EF\u00BF\u00BD', '\u00FF'), 'latin1');
    for (const other of [marked, broken]) {
      expect(Stripe.webhooks.signature!.verifyHeader(other, signature, SECRET, 300, undefined, nowMs)).toBe(true);
      expect(() => notify({ body: other, signature })).toThrow(NotificationRefused);
    }
  });

  it('is refused when it is sent again later', () => {
    const signature = header();
    expect(notify({ body, signature }, nowMs + 299_000)?.kind).toBe('paid');
    expect(() => notify({ body, signature }, nowMs + 302_000)).toThrow(NotificationRefused);
  });

  it.each<[string, (id: string) => string]>([
    ['another type', () => fake.event('payment_intent.succeeded', id)],
    ['a type that objects have', () => fake.event('constructor', id)],
    ['the other mode', () => fake.event('checkout.session.completed', id, { livemode: true })],
    ['no mode', () => fake.event('checkout.session.completed', id, { livemode: null })],
    ["another shop's session", () => fake.event('checkout.session.completed', id, {}, { metadata: {} })],
    [
      'a session with half our metadata',
      () => fake.event('checkout.session.completed', id, {}, { metadata: { payment: 'pay_1' } }),
    ],
    ['nothing', () => '{}'],
    ['a list', () => '[]'],
  ])('of %s is nothing to us', (_, make) => {
    expect(notify(fake.sign(make(id)))).toBe(null);
  });

  it.each<[string, () => string]>([
    ['is not JSON', () => 'payment=1'],
    ['is empty', () => ''],
    ['is JSON that ends early', () => body.slice(0, -2)],
    [
      'says the amount twice',
      () => body.replace('"amount_total": 12500', '"amount_total": 12500, "amount_total": 12500'),
    ],
    ['says the type twice', () => body.replace(/"type": "[^"]+"\n/, (all) => `${all.trim()}, ${all}`)],
    ['is nested without end', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['has another amount', () => fake.event('checkout.session.completed', id, {}, { amount_total: 100 })],
    ['has an amount in text', () => fake.event('checkout.session.completed', id, {}, { amount_total: '12500' })],
    ['has an amount with an exponent', () => body.replace('"amount_total": 12500', '"amount_total": 125e2')],
    ['has another currency', () => fake.event('checkout.session.completed', id, {}, { currency: 'jpy' })],
    [
      'has metadata of another payment',
      () =>
        fake.event(
          'checkout.session.completed',
          id,
          {},
          { metadata: metadata({ payment: 'pay_01jd3zk6y8f7q9x2m4n5p6r7s0' }) },
        ),
    ],
    ['has a session of the other mode', () => fake.event('checkout.session.completed', id, {}, { livemode: true })],
    ['says completed of an open session', () => fake.event('checkout.session.completed', id, {}, { status: 'open' })],
    ['says expired of a paid session', () => fake.event('checkout.session.expired', id)],
    ['says failed of a paid session', () => fake.event('checkout.session.async_payment_failed', id)],
    [
      'says succeeded of an unpaid session',
      () => fake.event('checkout.session.async_payment_succeeded', id, {}, { payment_status: 'unpaid' }),
    ],
  ])('that is genuine but %s is not believed', async (_, make) => {
    await faultOf(Promise.resolve().then(() => notify(fake.sign(make()))));
  });

  it('keeps the name of the payer short and plain', () => {
    const name = `Ada\u0007\n${'x'.repeat(300)}`;
    const details = { customer_details: { name } };
    const reported = notify(fake.sign(fake.event('checkout.session.completed', id, {}, details)));
    expect(reported).toMatchObject({ payerName: `Ada ${'x'.repeat(136)}` });
  });
});

describe('a payer', () => {
  const received: (CardFact | null)[] = [];
  const shop = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const header = (name: string) => request.headers[name] as string | undefined;
    received.push(stripe.notification(Buffer.concat(chunks), header, nowMs));
    response.end();
  });
  beforeEach(async () => {
    received.length = 0;
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    fake.notifyUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/pay/notifications/stripe`;
  });
  afterEach(() => new Promise<void>((resolve) => shop.close(() => resolve())));

  const visit = async (url: string) => fetch(url, { redirect: 'manual' });

  it('sees the page, is declined, pays and comes back; we hear it once', async () => {
    const { id, url } = await stripe.createSession(ORDER);
    const page = await (await visit(url)).text();
    expect(page).toContain('12500 eur');
    const [pay, , decline, cancel] = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => new URL(href!, url).href);
    expect(await (await visit(decline!)).text()).toContain('declined');
    expect((await visit(cancel!)).headers.get('location')).toBe(ORDER.cancelUrl);
    expect(received).toEqual([]);
    expect(await stripe.session(id)).toMatchObject({ kind: 'open' });
    const back = await visit(pay!);
    expect([back.status, back.headers.get('location')]).toEqual([303, ORDER.returnUrl]);
    expect(received).toEqual([await stripe.session(id)]);
    expect(received[0]).toMatchObject({ kind: 'paid', paymentId: ORDER.paymentId, payerName: 'Ada Payer' });
    expect(await (await visit(pay!)).text()).toContain('over');
    expect(received.length).toBe(1);
  });

  it('whose time runs out is told of, too', async () => {
    const { id } = await stripe.createSession(ORDER);
    await fake.expire(id);
    expect(received).toMatchObject([{ kind: 'failed', reason: 'expired', sessionId: id }]);
  });
});
