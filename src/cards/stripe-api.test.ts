/** Stripe over the wire: a fake that hangs, drips, resets, says too much or the wrong thing; what the package tells of us. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeStripe, startFakeStripe } from '../../test/support/harness/fake-stripe.ts';
import type { Misbehaviour } from '../../test/support/harness/stripe-misbehaviour.ts';
import { type Acquirer, AcquirerError, type CardOrder } from './acquirer.ts';
import { createStripe } from './stripe.ts';

const KEY = 'sk_test_canaryKEY51HxyzABCDEF';
const SECRET = 'whsec_canarySECRETabcdef0123456789';
const START_MS = Date.UTC(2026, 10, 21, 12, 0, 5);
const MINUTE_MS = 60_000;

const ORDER: CardOrder = {
  paymentId: 'pay_01jd3zk6y8f7q9x2m4n5p6r7s8',
  environmentId: 'env_01jd3zk6y8f7q9x2m4n5p6r7s9',
  livemode: false,
  amount: 125_00n,
  currency: 'EUR',
  description: 'Invoice 4711',
  customerEmail: 'ada@example.com',
  language: 'en',
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

describe('a Stripe that misbehaves', () => {
  it.each<[Misbehaviour, RegExp]>([
    ['hang', /did not answer within 0\.3 s/],
    ['stall', /did not answer within 0\.3 s/],
    ['garbage', /not JSON/],
    ['html', /answered 502 with something else than JSON/],
    ['huge', /with more than is read/],
    ['redirect', /answered 307 \(request without an id\)/],
    ['server_error', /answered 500, api_error/],
  ])('%s is a fault in time, and the next call works', async (misbehaviour, expected) => {
    const impatient = connect({ timeoutMs: 300 });
    const { id } = await impatient.createSession({ ...ORDER, amount: 5_00n });
    const calls = fake.requests.length;
    fake.misbehaviour = misbehaviour;
    const began = performance.now();
    expect(await faultOf(impatient.createSession(ORDER))).toMatch(expected);
    expect(await faultOf(impatient.session(id))).toMatch(expected);
    expect(performance.now() - began).toBeLessThan(2000);
    expect(fake.requests.length).toBe(calls + 2);
    fake.misbehaviour = 'none';
    nowMs += MINUTE_MS;
    expect((await impatient.createSession(ORDER)).id).toMatch(/^cs_test_/);
    await impatient.close();
  });

  it('closes connections: the call is repeated once, under the same key', async () => {
    const { id } = await stripe.createSession({ ...ORDER, amount: 5_00n });
    const calls = fake.requests.length;
    fake.misbehaviour = 'reset';
    expect(await faultOf(stripe.createSession(ORDER))).toBe('Stripe could not be reached (ECONNRESET).');
    expect(await faultOf(stripe.session(id))).toBe('Stripe could not be reached (ECONNRESET).');
    expect(fake.requests.length).toBe(calls + 4);
    const retried = stripe.createSession(ORDER);
    await expect.poll(() => fake.requests.length).toBe(calls + 5);
    fake.misbehaviour = 'none';
    expect((await retried).id).toMatch(/^cs_test_/);
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('drips is cut by one clock for the whole call', async () => {
    const impatient = connect({ timeoutMs: 300 });
    fake.misbehaviour = 'drip';
    const began = performance.now();
    expect(await faultOf(impatient.createSession(ORDER))).toMatch(/did not answer within 0\.3 s/);
    expect(performance.now() - began).toBeLessThan(1000);
    await expect.poll(() => fake.connections).toBe(0);
    await impatient.close();
  });

  it('refuses at length is not read to the end either', async () => {
    fake.misbehaviour = 'huge_refusal';
    expect(await faultOf(stripe.createSession(ORDER))).toBe('Stripe answered 400 with more than is read.');
  });

  it('refuses without a word is still a refusal', async () => {
    fake.misbehaviour = 'mute';
    expect(await faultOf(stripe.createSession(ORDER))).toBe('Stripe answered 500 (request without an id).');
  });

  it('says a thing twice is not believed', async () => {
    fake.misbehaviour = 'twice';
    expect(await faultOf(stripe.createSession(ORDER))).toMatch(/says a thing twice/);
  });

  it.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'https://127.0.0.1:1'])(
    'cannot be reached at %s',
    async (apiUrl) => {
      const nowhere = connect({ apiUrl });
      expect(await faultOf(nowhere.createSession(ORDER))).toBe('Stripe could not be reached (ECONNREFUSED).');
      await nowhere.close();
    },
  );

  it('repeats the key in its refusal, and we do not', async () => {
    const stranger = connect({ secretKey: 'sk_test_canaryWRONG' });
    const fault = await faultOf(stranger.createSession(ORDER));
    expect(fault).toMatch(/^Stripe answered 401, invalid_request_error \(request req_/);
    await stranger.close();
  });
});

it('hears of us no more than the calls', async () => {
  const { id } = await stripe.createSession(ORDER);
  await stripe.session(id);
  for (const { headers } of fake.requests) {
    expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
    expect(headers['user-agent']).toMatch(/^Stripe\/v1 NodeBindings\/\S+ Bursar\/\S+/);
    const told = JSON.parse(String(headers['x-stripe-client-user-agent'])) as object;
    expect(told).not.toHaveProperty('platform');
    expect(told).not.toHaveProperty('telemetry_id');
  }
});

it('is asked over one connection, which is closed with the rest', async () => {
  await stripe.createSession(ORDER);
  await stripe.createSession({ ...ORDER, amount: 5_00n });
  expect(fake.connections).toBe(1);
  await stripe.close();
  await expect.poll(() => fake.connections).toBe(0);
});

it('is not asked again for what was under way when all was closed', async () => {
  fake.delayMs = 100;
  const call = faultOf(stripe.createSession(ORDER));
  await expect.poll(() => fake.requests.length).toBe(1);
  await stripe.close();
  expect(await call).toBe('Stripe was no longer asked: the server stops.');
  expect(fake.requests.length).toBe(1);
});
