/** Deliveries verified by the client: signed by the service itself and by the library of Standard Webhooks. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { signatureHeaders } from '../../src/events/webhooks/signature.ts';
import { webhooks } from '../src/bursar.ts';

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
