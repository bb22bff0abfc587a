/** The account that payers are shown, over HTTP: that of the settings, else the bank account that takes collections; never two that differ. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';
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
const shown = (iban: string) => ({ bank_accounts: { EUR: { account_holder: 'Rossum', iban } } });
const link = () => client.post('/v1/payment_links', { amount: 5, currency: 'EUR', description: 'Cup' });
async function pageOf(): Promise<string> {
  const { id, url } = must(await link()).json as unknown as { id: string; url: string };
  const payment = {
    link: id,
    method: 'bank_transfer',
    amount: null,
    token: newToken(),
    reference: newReference(),
  } as const;
  await application.submit(application.live.environmentId, { type: 'start_payment', ...payment });
  return (await client.get(new URL(url).pathname)).text;
}

it('a link needs neither settings nor cards where a bank account takes collections, and its page shows that account', async () => {
  expect(outcome(await link())).toBe('400 payment_method_not_configured currency');
  await post('/v1/bank_accounts', bank(OURS, ['payouts']));
  expect(outcome(await link())).toBe('400 payment_method_not_configured currency');
  const [{ id }] = must(await client.get('/v1/bank_accounts')).json['data'] as unknown as [{ id: string }];
  await post(`/v1/bank_accounts/${id}`, { uses: ['payouts', 'collections'] });
  expect((await pageOf()).replaceAll(/\s|&nbsp;|<[^>]+>/g, '')).toContain(OURS);
});

it('settings cannot show another one, and a bank account cannot come beside settings that do', async () => {
  expect(outcome(await client.post('/v1/settings', shown(OTHER)))).toBe('400 bank_account_conflict bank_accounts[EUR]');
  must(await client.post('/v1/settings', shown(OURS)));
  must(await client.post('/v1/bank_accounts', bank(OTHER))); // one of two is shown
  const [, { id }] = must(await client.get('/v1/bank_accounts')).json['data'] as unknown as [unknown, { id: string }];
  must(await client.post(`/v1/bank_accounts/${id}`, { uses: ['payouts'] }));
  const dollars = {
    bank_accounts: { USD: { account_holder: 'Rossum', routing_number: '021000021', account_number: '123456789' } },
  };
  must(await client.post('/v1/settings', dollars));
  const american = {
    ...bank(OURS),
    currency: 'USD',
    country: 'US',
    bank_details: { routing_number: '021000021', account_number: '987654321' },
  };
  expect(outcome(await client.post('/v1/bank_accounts', american))).toBe('400 bank_account_conflict uses');
  must(await client.post('/v1/bank_accounts', { ...american, uses: ['payouts'] }));
});

it('where changes of the shown account are held for a second person, a bank account alone is not shown', async () => {
  await post('/v1/payout_rules', { hold_bank_accounts: true });
  const pounds = {
    ...bank(OURS),
    currency: 'GBP',
    country: 'GB',
    bank_details: { sort_code: '200000', account_number: '55779911' },
  };
  await post('/v1/bank_accounts', pounds);
  const asked = await client.post('/v1/payment_links', { amount: 5, currency: 'GBP', description: 'Cup' });
  expect(outcome(asked)).toBe('400 payment_method_not_configured currency');
});
