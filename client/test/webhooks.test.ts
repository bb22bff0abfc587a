/** Deliveries verified by the client: signed by the service itself and by the library of Standard Webhooks. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../src/events/webhooks/signature.ts';
import { type WebhookHeaders, webhooks } from '../src/bursar.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, other] = [newSecret(), newSecret()];
const body =
  '{"id":"evt_1","object":"event","type":"payout.paid","data":{"object":{"amount":250.00,"reference":"Zoë"}}}';
const now = () => Math.floor(Date.now() / 1_000);
const signed = (secrets: readonly string[], at = now()) => signatureHeaders(secrets, 'evt_1', at, body);

it('gives the typed event, its amounts exact', async () => {
  const event = await webhooks.verify(body, signed([secret]), secret);
  expect(event.type === 'payout.paid' && event.data.object.amount).toBe('250.00');
});

it('takes bytes, headers of the Fetch API, and headers of Node', async () => {
  const bytes = new TextEncoder().encode(body);
  await expect(webhooks.verify(bytes, new Headers(signed([secret])), secret)).resolves.toMatchObject({ id: 'evt_1' });
});

it.each<[string, (headers: Record<string, string>) => WebhookHeaders]>([
  ['in capitals', (headers) => mapped(headers, (name) => name.toUpperCase())],
  ['as words', (headers) => mapped(headers, (name) => name.replaceAll(/\b\w/g, (letter) => letter.toUpperCase()))],
  [
    'with lists of values',
    (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  ],
  ['of a Map-like class', (headers) => new (class Bag extends Headers {})(headers)],
  ['of another realm', (headers) => ({ get: (name: string) => headers[name] ?? null })],
])('takes headers %s', async (_, form) => {
  await expect(webhooks.verify(body, form(signed([secret])), secret)).resolves.toMatchObject({ id: 'evt_1' });
  await expect(webhooks.verify(body, form(signed([other])), secret)).rejects.toMatchObject({ code: 'signature_wrong' });
  await expect(webhooks.verify(body, form({}), secret)).rejects.toMatchObject({ code: 'header_missing' });
});

const mapped = (headers: Record<string, string>, named: (name: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [named(name), value]));

it('takes signatures that came as several headers', async () => {
  const [one, two] = [signed([other]), signed([secret])].map((headers) => headers['webhook-signature'] ?? '');
  const headers = signed([secret]);
  const listed = { ...headers, 'webhook-signature': [one, two] as string[] };
  await expect(webhooks.verify(body, listed, secret)).resolves.toBeDefined();
  const joined = new Headers({ ...headers, 'webhook-signature': `${one}, ${two}` });
  await expect(webhooks.verify(body, joined, secret)).resolves.toBeDefined();
});

it('takes a signature that begins as a version does, alone and beside others', async () => {
  const id = (n: number) => `evt_${n}`;
  const of = (n: number) => webhooks.generateTestHeaders({ payload: body, secret, id: id(n) });
  const found: string[] = [];
  for (let n = 0; found.length < 3; n += 1) {
    const headers = await of(n);
    if (!/^v1,v\d/.test(headers['webhook-signature'])) continue; // one in four hundred
    found.push(headers['webhook-id']);
    expect(await webhooks.verify(body, headers, secret)).toMatchObject({ object: 'event' });
    const [another] = (await webhooks.generateTestHeaders({ payload: body, secret: other, id: id(n) }))[
      'webhook-signature'
    ].split(' ');
    for (const between of [' ', ',', ', ']) {
      const several = { ...headers, 'webhook-signature': `${another}${between}${headers['webhook-signature']}` };
      expect(await webhooks.verify(body, several, secret)).toMatchObject({ object: 'event' });
    }
  }
}, 60_000);

describe('deliveries for tests', () => {
  it('are signed as the service signs', async () => {
    const at = now();
    const headers = await webhooks.generateTestHeaders({ payload: body, secret, timestamp: at });
    expect(signed([secret], at)).toMatchObject(headers);
    const rolled = await webhooks.generateTestHeaders({
      payload: new TextEncoder().encode(body),
      secret: [other, secret],
    });
    expect(signed([other, secret], Number(rolled['webhook-timestamp']))).toMatchObject(rolled);
    await expect(webhooks.verify(body, rolled, secret)).resolves.toMatchObject({ id: 'evt_1' });
  });

  it('are as old, and of the id, that the test says', async () => {
    const old = await webhooks.generateTestHeaders({ payload: '{}', secret, id: 'evt_9', timestamp: now() - 400 });
    expect(old['webhook-id']).toBe('evt_9');
    const outside = { code: 'timestamp_outside_tolerance' };
    await expect(webhooks.verify('{}', old, secret)).rejects.toMatchObject(outside);
    const broken = await webhooks.generateTestHeaders({ payload: 'no JSON', secret });
    expect(broken['webhook-id']).toBe('evt_test');
    expect(() => new Webhook(secret).verify('no JSON', broken)).toThrow(SyntaxError); // signed right, and not JSON
    expect(
      new Webhook(secret).verify(body, await webhooks.generateTestHeaders({ payload: body, secret })),
    ).toMatchObject({
      id: 'evt_1',
    });
  });
});

it('takes what the library of the standard signs', async () => {
  const at = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
  await expect(webhooks.verify(body, headers, secret)).resolves.toMatchObject({ type: 'payout.paid' });
});

it('takes any of several signatures with any of several secrets, while one is rolled', async () => {
  await expect(webhooks.verify(body, signed([other, secret]), secret)).resolves.toBeDefined();
  await expect(webhooks.verify(body, signed([secret]), [other, secret])).resolves.toBeDefined();
});

it('refuses another body, another secret, another id, no signature', async () => {
  const wrong = { code: 'signature_wrong' };
  const headers = signed([secret]);
  await expect(webhooks.verify(body.replace('250', '999'), headers, secret)).rejects.toMatchObject(wrong);
  await expect(webhooks.verify(body, headers, other)).rejects.toMatchObject(wrong);
  await expect(webhooks.verify(body, { ...headers, 'webhook-id': 'evt_2' }, secret)).rejects.toMatchObject(wrong);
  await expect(webhooks.verify(body, { ...headers, 'webhook-signature': 'v1,' }, secret)).rejects.toMatchObject(wrong);
  await expect(webhooks.verify(body, { ...headers, 'webhook-signature': 'v1,§' }, secret)).rejects.toMatchObject(wrong);
  await expect(webhooks.verify(body, headers, [])).rejects.toMatchObject(wrong);
});

it('refuses what is old, from the future, or without a time', async () => {
  const outside = { code: 'timestamp_outside_tolerance' };
  for (const at of [now() - 400, now() + 400]) {
    await expect(webhooks.verify(body, signed([secret], at), secret)).rejects.toMatchObject(outside);
    await expect(webhooks.verify(body, signed([secret], at), secret, { toleranceSeconds: 500 })).resolves.toBeDefined();
  }
  const headers = { ...signed([secret]), 'webhook-timestamp': 'soon' };
  await expect(webhooks.verify(body, headers, secret)).rejects.toMatchObject(outside);
  await expect(webhooks.verify(body, {}, secret)).rejects.toMatchObject({ code: 'header_missing' });
});
