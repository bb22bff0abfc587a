/**
 * One payout in a real browser: what would happen is said as one types, by dry runs; only *Pay* pays, once. An amount that can be read in two ways
 * is asked about. What failed is paid again as it was. Who may not pay finds no way to it.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { type Member, member } from '../support/dashboard/people.ts';
import { signedIn } from '../support/dashboard/tour.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';

const IBAN = 'DE89370400440532013000';
/** How often a page begins to wait for the end of typing within a second and a half. */
const WAITS = `new Promise((resolve) => {
  const real = window.setTimeout;
  let count = 0;
  window.setTimeout = (run, ms, ...more) => ((count += ms === 400 ? 1 : 0), real(run, ms, ...more));
  real(() => ((window.setTimeout = real), resolve(count)), 1500);
})`;

describe.skipIf(withoutBrowser)('a payout', () => {
  let application: Application;
  let browser: Browser;
  let clerk: Member;
  let account: string;
  let recipient: string;

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    const { client } = application.sandbox;
    account = idIn(await client.post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 2_000 }));
    must(await client.post('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: '0.50' }));
    const known = { name: 'Grace Hopper', type: 'individual', currency: 'EUR', country: 'DE' };
    recipient = idIn(await client.post('/v1/recipients', { ...known, bank_details: { iban: IBAN } }));
    clerk = await member(application, [application.sandbox], ['operator']);
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const payouts = async () => must(await application.sandbox.client.get('/v1/payouts')).json['data'] as readonly Json[];
  const sentOn = (page: Page) => {
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/payouts'))
        sent.push(request.postDataJSON() as Json);
    });
    return sent;
  };

  it('is tried as one types, and paid once', async () => {
    const tab = await signedIn(browser, application.address, clerk.browser);
    const { page, go } = tab;
    const sent = sentOn(page);
    await go('/payouts');
    await button(page, 'New payout').click();
    const to = page.getByRole('combobox', { name: 'To' });
    await to.fill('grace');
    await page.getByRole('option', { name: /Grace Hopper · DE ···3000 · EUR/ }).click();
    expect(new URL(page.url()).search).toBe(''); // no name in an address
    const amount = page.getByLabel('Amount in EUR');
    await amount.fill('1.234');
    await page.getByText(/can be read in two ways/).waitFor();
    expect(await button(page, 'Pay').isDisabled()).toBe(true);
    expect(sent).toEqual([]);
    await amount.fill('1.234,50');
    await page.getByLabel('Reference').fill('Invoice 7');
    await page.getByText('2,000.00').waitFor();
    await page.getByText('765.00').waitFor(); // behind amount and fee
    await page.getByText('Arrives by').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    expect(await page.evaluate(WAITS)).toBe(0); // nobody types
    expect(sent.every((body) => body['dry_run'] === true)).toBe(true);
    expect(await payouts()).toEqual([]);
    await button(page, 'Pay').dblclick();
    await page.getByRole('heading', { level: 1, name: '1,234.50 EUR' }).waitFor();
    expect(sent.filter((body) => body['dry_run'] === undefined)).toEqual([
      { recipient, currency: 'EUR', amount: '1234.50', reference: 'Invoice 7' },
    ]);
    expect(await payouts()).toMatchObject([{ amount_minor: 123_450, account, recipient, reference: 'Invoice 7' }]);
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it('that nobody could pay is refused beside the field, and nothing is lost', async () => {
    const tab = await signedIn(browser, application.address, clerk.browser, { answers: [400] });
    const { page, go } = tab;
    await go(`/payouts/new?recipient=${recipient}`);
    await page.getByLabel('Amount in EUR').fill('5000');
    await page
      .getByText(/holds? 765\.00 EUR|765/)
      .first()
      .waitFor();
    expect(await button(page, 'Pay').isDisabled()).toBe(true);
    expect(await page.getByLabel('Amount in EUR').inputValue()).toBe('5000');
    await page.getByLabel('Amount in EUR').fill('1');
    await page.getByText('763.50').waitFor();
    expect(await button(page, 'Pay').isEnabled()).toBe(true);
    await tab.close();
  });

  it('that failed is paid again as it was', async () => {
    const [payout] = await payouts();
    must(await application.sandbox.client.post(`/v1/test_helpers/payouts/${payout?.['id'] as string}/fail`));
    const tab = await signedIn(browser, application.address, clerk.browser);
    const { page, go } = tab;
    await go(`/payouts/${payout?.['id'] as string}`);
    await button(page, 'Pay again').click();
    await page.getByRole('heading', { level: 1, name: 'New payout' }).waitFor();
    expect(await page.getByLabel('Amount in EUR').inputValue()).toBe('1234.50');
    await button(page, 'Pay').click();
    await page.getByRole('heading', { level: 1, name: '1,234.50 EUR' }).waitFor();
    const [again] = await payouts();
    expect(again).toMatchObject({ amount_minor: 123_450, account, recipient, reference: 'Invoice 7' });
    expect(again?.['id']).not.toBe(payout?.['id']);
    await tab.close();
  });

  it('whose answers are lost cannot be made another one, and is paid once by whoever presses again', async () => {
    const before = (await payouts()).length;
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser);
    const sent: { readonly key: string | undefined; readonly amount: unknown }[] = [];
    await page.route('**/v1/payouts', async (route) => {
      const request = route.request();
      const body = request.method() === 'POST' ? (request.postDataJSON() as Json) : { dry_run: true };
      if (body['dry_run'] === true) return route.fallback();
      sent.push({ key: request.headers()['idempotency-key'], amount: body['amount'] });
      // The service does it, and its answer is lost.
      await route.fetch();
      await route.abort('aborted');
    });
    await go(`/payouts/new?recipient=${recipient}`);
    await page.getByLabel('Amount in EUR').fill('7');
    await page.getByText('Arrives by').waitFor();
    await button(page, 'Pay').click();
    await page.getByText('Nobody knows whether it happened.').waitFor({ timeout: 30_000 });
    expect(await page.getByLabel('Amount in EUR').isDisabled()).toBe(true);
    expect(await page.getByLabel('Reference').isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.unroute('**/v1/payouts');
    const again = sentOn(page);
    await button(page, 'Pay').click();
    await page.getByRole('heading', { level: 1, name: '7.00 EUR' }).waitFor();
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(again.map(({ amount }) => amount)).toEqual(['7.00']);
    expect(await payouts()).toHaveLength(before + 1);
    await close();
  });

  it('to somebody new: what is asked for follows country and currency, and a wrong number is refused beside its field', async () => {
    const { page, go, close, faults } = await signedIn(browser, application.address, clerk.browser, { answers: [400] });
    const pick = async (label: string, typed: string, option: string) => {
      await page.getByRole('combobox', { name: label }).fill(typed);
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await go('/recipients');
    await button(page, 'New recipient').click();
    await page.getByLabel('Name', { exact: true }).fill('Łukasz <b>Żółć</b>');
    await pick('Country of the bank account', 'united st', 'United States');
    await page.getByLabel('Currency').fill('usd');
    await page.getByLabel('Routing number').waitFor();
    await pick('Country of the bank account', 'germ', 'Germany');
    await page.getByLabel('Currency').fill('EUR');
    const iban = page.getByLabel('IBAN', { exact: true });
    await iban.fill('DE00');
    await page.getByText(/^That is no /).waitFor();
    expect(await button(page, 'Add the recipient').isDisabled()).toBe(true);
    await iban.fill('DE88 3704 0044 0532 0130 00');
    await button(page, 'Add the recipient').click();
    await page.getByText(/check digits/i).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Łukasz <b>Żółć</b>');
    expect(await violations(page)).toEqual([]);
    await iban.fill('DE02 1203 0000 0000 2020 51');
    await button(page, 'Add the recipient').dblclick();
    await page.getByRole('heading', { level: 1, name: 'Łukasz <b>Żółć</b>' }).waitFor();
    const { json } = must(await application.sandbox.client.get('/v1/recipients'));
    expect((json['data'] as readonly Json[]).map(({ name }) => name)).toEqual(['Łukasz <b>Żółć</b>', 'Grace Hopper']);
    await button(page, 'Pay').click();
    await page.getByLabel('Amount in EUR').fill('1');
    await page.getByText('Arrives by').waitFor();
    expect(await faults()).toEqual([]);
    await close();
  });

  it('is not offered to who may not pay', async () => {
    const viewer = await member(application, [application.sandbox], ['viewer']);
    const { page, go, close } = await signedIn(browser, application.address, viewer.browser, { answers: [403] });
    await go('/payouts');
    await page.getByRole('table').waitFor();
    expect(await button(page, 'New payout').isDisabled()).toBe(true);
    await page.getByText('Your role may not pay.').waitFor();
    await go('/payouts/new');
    await page.getByText(/may not pay/).waitFor();
    await close();
  });
});
