/** Limits in all currencies over HTTP, at the rates of the sandbox. Decisions: `limits-currencies-decide.test.ts`. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { clearRules } from '../../../test/support/harness/clear-rules.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

let application: Application;
let client: Client;
const recipients = new Map<string, string>();
beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
  for (const currency of ['EUR', 'GBP', 'USD']) {
    const id = idIn(must(await client.post('/v1/accounts', { currency })));
    must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 10_000 }));
    const payee = { ...RECIPIENT, currency, bic: 'COBADEFFXXX' };
    recipients.set(currency, idIn(must(await client.post('/v1/recipients', payee))));
  }
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application?.stop();
});
afterEach(() => clearRules(application));

const limit = async (body: object) => must(await client.post('/v1/limits', { all_currencies: true, ...body })).json;
const pay = (amount: number, currency: string, more: object = {}) =>
  client.post('/v1/payouts', { amount, currency, recipient: recipients.get(currency), ...more });
const usedOf = async ({ id }: Json) => must(await client.get(`/v1/limits/${id as string}`)).json['used'];

it('counts values, tells both in its message, and gives back what it counted', async () => {
  const made = await limit({ currency: 'EUR', amount: 100 });
  expect(made).toMatchObject({ currency: 'EUR', all_currencies: true, used: 0 });
  const pounds = idIn(must(await pay(50, 'GBP'))); // 0.8790 GBP are a euro, so 56.8828…
  expect(await usedOf(made)).toBe(56.89);
  const refused = await pay(50, 'USD'); // 43.1778…
  expect(outcome(refused)).toBe('400 limit_exceeded');
  expect(refused.json['error']).toMatchObject({ available_minor: 4_311, resource_id: made['id'] });
  expect((refused.json['error'] as Json)['message']).toContain('56.89 EUR of 100.00 EUR');
  expect((refused.json['error'] as Json)['message']).toContain('43.18 EUR (50.00 USD)');
  expect(outcome(await pay(43.11, 'EUR'))).toBe('200');
  expect(await usedOf(made)).toBe(100);
  must(await client.post(`/v1/payouts/${pounds}/cancel`));
  expect(await usedOf(made)).toBe(43.11);
});

it('counts a converted payout once, and no exchange', async () => {
  const made = await limit({ currency: 'EUR', amount: 100 });
  must(await client.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'GBP', amount: 500 }));
  expect(await usedOf(made)).toBe(0);
  const converted = must(await pay(50, 'GBP', { source_currency: 'EUR' }));
  expect(await usedOf(made)).toBe(56.89);
  must(await client.post(`/v1/payouts/${idIn(converted)}/cancel`));
  expect(await usedOf(made)).toBe(0);
});

it('refuses without a rate and keeps nothing: the same request goes through once the limit is gone', async () => {
  const { id } = await limit({ currency: 'XPF', amount: 1_000_000, action: 'hold' }); // not in the table of the sandbox
  const once = { idempotencyKey: 'no rate of XPF' };
  const body = { amount: 1, currency: 'EUR', recipient: recipients.get('EUR') };
  const refused = await client.post('/v1/payouts', body, once);
  expect(outcome(refused)).toBe('503 rate_unavailable');
  expect(refused.json['error']).toMatchObject({ resource_id: id });
  expect((refused.json['error'] as Json)['message']).toContain('no rate from EUR to XPF');
  const batch = { payouts: [{ ...body }], mode: 'partial' };
  expect(must(await client.post('/v1/payouts/batch', batch)).json['results']).toMatchObject([
    { status: 'rejected', error: { code: 'rate_unavailable' } },
  ]);
  await clearRules(application);
  expect(outcome(await client.post('/v1/payouts', body, once))).toBe('200');
});

it('is told by events and by the audit log', async () => {
  const { id } = await limit({ currency: 'EUR', amount: 100 });
  const { data } = must(await client.get('/v1/events?type=limit.created&limit=1')).json as { data: Json[] };
  expect(data).toMatchObject([{ data: { object: { id, all_currencies: true } } }]);
  const log = must(await client.get('/v1/audit_log?limit=1')).json as { data: Json[] };
  expect(log.data).toMatchObject([{ action: 'limit.created', details: { currency: 'EUR', all_currencies: true } }]);
});

it.each([
  ['400 parameter_missing currency', { all_currencies: true, amount: 1 }],
  ['400 parameter_missing amount', { all_currencies: true, currency: 'EUR' }],
  ['400 parameter_conflict currency', { all_currencies: true, currency: 'EUR', count: 1 }],
  ['400 parameter_conflict all_currencies', { all_currencies: false, count: 1 }],
  ['400 parameter_invalid all_currencies', { all_currencies: 'maybe', currency: 'EUR', amount: 1 }],
])('answers %s', async (expected, body) => {
  expect(outcome(await client.post('/v1/limits', body))).toBe(expected);
});

it('says of other limits what they count', async () => {
  const said = async (body: object) => must(await client.post('/v1/limits', body)).json['all_currencies'];
  expect(await said({ currency: 'EUR', amount: 1_000 })).toBe(false);
  expect(await said({ currency: 'EUR', count: 100 })).toBe(false);
  expect(await said({ count: 100 })).toBe(true);
  expect(await said({ count: 100, all_currencies: true })).toBe(true);
});
