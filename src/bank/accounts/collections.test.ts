/** The account that payers are shown on a page: the bank account that takes collections. What waits for a second person: `shown.test.ts`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

const [OURS, OTHER] = ['DE89370400440532013000', 'DE02120300000000202051'];

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.live.client;
});
afterAll(() => application?.stop());

const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const bank = (iban: string, uses: readonly string[] = ['payouts', 'collections']) => ({
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum GmbH',
  bank_details: { iban },
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
  uses,
});
const link = (currency = 'EUR') => client.post('/v1/payment_links', { amount: 5, currency, description: 'Cup' });
async function pageOf(currency: string): Promise<string> {
  const { id, url } = must(await link(currency)).json as unknown as { id: string; url: string };
  const payment = {
    link: id,
    method: 'bank_transfer',
    amount: null,
    token: newToken(),
    reference: newReference(),
  } as const;
  const { environmentId } = client === application.live.client ? application.live : application.sandbox;
  await application.submit(environmentId, { type: 'start_payment', ...payment });
  return (await client.get(new URL(url).pathname)).text.replaceAll(/\s|&nbsp;|<[^>]+>/g, '');
}

it('a link needs no cards where a bank account takes collections, and its page shows that account', async () => {
  expect(outcome(await link())).toBe('400 payment_method_not_configured currency');
  await post('/v1/bank_accounts', bank(OURS, ['payouts']));
  expect(outcome(await link())).toBe('400 payment_method_not_configured currency');
  const [{ id }] = must(await client.get('/v1/bank_accounts')).json['data'] as unknown as [{ id: string }];
  await post(`/v1/bank_accounts/${id}`, { uses: ['payouts', 'collections'] });
  expect(await pageOf('EUR')).toContain(OURS);
});

it('what the settings had from before is shown until a bank account collects in its currency, and then never again', async () => {
  const { environmentId } = application.live;
  await post('/v1/settings', { name: 'Rossum' });
  const old = { GBP: { account_holder: 'Rossum', sort_code: '200000', account_number: '55779911' } };
  await application.sql('UPDATE settings SET bank_accounts = $2 WHERE environment_id = $1', [
    uuidOf(environmentId),
    JSON.stringify(old),
  ]);
  expect(await pageOf('GBP')).toContain('55779911');
  const pounds = { ...bank(OURS, ['payouts']), currency: 'GBP', country: 'GB' };
  const details = { bank_details: { sort_code: '200000', account_number: '31926819' } };
  const { id } = (await post('/v1/bank_accounts', { ...pounds, ...details })) as unknown as { id: string };
  expect(await pageOf('GBP')).toContain('55779911');
  await post(`/v1/bank_accounts/${id}`, { uses: ['payouts', 'collections'] });
  expect(await pageOf('GBP')).toContain('31926819');
  await post('/v1/settings', { name: 'Rossum GmbH' }); // keeps what is left
  await post(`/v1/bank_accounts/${id}`, { uses: ['payouts'] });
  expect(outcome(await link('GBP'))).toBe('400 payment_method_not_configured currency');
});

it('a sandbox shows an invented account until a bank account of its own collects', async () => {
  client = application.sandbox.client;
  expect(await pageOf('EUR')).toContain('COBADEFFXXX');
  await post('/v1/bank_accounts', bank(OTHER));
  expect(await pageOf('EUR')).toContain(OTHER);
});
