/**
 * Money from customers in a real browser: a link is made once and its code leads to its page; what came by it is shown, and goes back once and
 * never more than is left, however often it is pressed and whatever answer is lost; a transfer is expected, comes by the bank, and is shown with
 * its entry. Who may not finds the reason. Names and references of strangers stay text.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { readQr } from '../support/browser/qr.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { type Member, member } from '../support/dashboard/people.ts';
import { signedIn } from '../support/dashboard/tour.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';

const MARKUP = '<img src=x onerror=alert(1)> & Söhne';

describe.skipIf(withoutBrowser)('money from customers', () => {
  let application: Application;
  let browser: Browser;
  let clerk: Member;
  let bank: string;
  const accounts: Record<string, string> = {};

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    for (const currency of ['EUR', 'JPY', 'KWD']) accounts[currency] = await make('/v1/accounts', { currency });
    const dated = { cut_off: '14:30', time_zone: 'Europe/Berlin', bank_details: { iban: 'DE02120300000000202051' } };
    bank = await make('/v1/bank_accounts', { currency: 'EUR', country: 'DE', holder: 'Rossum GmbH', ...dated });
    clerk = await member(application, [application.sandbox], ['operator']);
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const post = async (path: string, body: object = {}) => must(await application.sandbox.client.post(path, body)).json;
  const make = async (path: string, body: object) => idIn(await application.sandbox.client.post(path, body));
  const get = async (path: string) => must(await application.sandbox.client.get(path)).json;
  const all = async (path: string) => (await get(path))['data'] as readonly Json[];
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const open = (who: Member, options: Parameters<typeof signedIn>[3] = {}) =>
    signedIn(browser, application.address, who.browser, options);
  const credit = (text: string, amount: string, others: object = {}) =>
    post(`/v1/test_helpers/bank_accounts/${bank}/credit`, { amount, text, ...others });
  /** A link that was paid by the invented payer, whose account is known. */
  const paid = async (amount: string, currency = 'EUR') => {
    const link = await make('/v1/payment_links', { amount, currency, account: accounts[currency] });
    return make(`/v1/test_helpers/payment_links/${link}/pay`, {});
  };
  const refunds = async (payment: string) =>
    (await all('/v1/payouts?limit=100')).filter(({ refund_of: of }) => of === payment);
  /** Bodies of what is sent to that path, in order. */
  const sentOn = (page: Page, path: string) => {
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(path)) sent.push(request.postDataJSON() as Json);
    });
    return sent;
  };

  it('a link is made once; its address, its code and its print lead to the page', async () => {
    const tab = await open(clerk);
    const { page, go } = tab;
    const sent = sentOn(page, '/v1/payment_links');
    await go('/payment-links');
    await button(page, 'New payment link').click();
    await page.getByLabel('What for').fill(MARKUP);
    await page.getByLabel('Your reference').fill('Invoice 4711');
    await page.getByRole('combobox', { name: 'Currency' }).click();
    await page.getByRole('option', { name: 'EUR', exact: true }).click();
    const amount = page.getByLabel('Amount in EUR');
    await amount.fill('1.250');
    await page.getByText(/can be read in two ways/).waitFor();
    expect(await button(page, 'Make the link').isDisabled()).toBe(true);
    await amount.fill('1.250,50');
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    await button(page, 'Make the link').dblclick();
    await page.getByRole('heading', { level: 1, name: '1,250.50 EUR' }).waitFor();
    expect(sent).toEqual([{ amount: '1250.50', currency: 'EUR', description: MARKUP, reference: 'Invoice 4711' }]);
    const links = await all('/v1/payment_links');
    expect(links).toMatchObject([{ amount_minor: 125_050, description: MARKUP }]);
    const url = links[0]?.['url'] as string;
    const way = page.getByRole('link', { name: 'Open the page' });
    expect(await way.getAttribute('href')).toBe(url);
    expect(await way.getAttribute('rel')).toContain('noopener');
    expect(readQr(await page.getByRole('img', { name: /^Code with/ }).screenshot()).text).toBe(url);
    await page.getByText('Nobody has begun to pay by it yet.').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.emulateMedia({ media: 'print' });
    expect((await page.locator('body').innerText()).split(/\s*\n\s*/)).toEqual(['1,250.50 EUR', 'Invoice 4711']);
    expect(readQr(await page.locator('[data-sheet] svg').screenshot()).text).toBe(url);
    await page.emulateMedia({ media: 'screen' });

    await button(page, 'Deactivate').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('Deactivated', { exact: true }).first().waitFor();
    await page
      .getByRole('main')
      .getByText(/Nobody can begin to pay by it any more/)
      .waitFor();
    expect(await page.getByRole('img', { name: /^Code with/ }).count()).toBe(0);
    expect(await page.locator('[data-sheet]').count()).toBe(0);
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it('a link whose payer chooses the amount sends bounds, and one that the service refuses keeps what was typed', async () => {
    const { page, go, close } = await open(clerk, { answers: [400] });
    const sent = sentOn(page, '/v1/payment_links');
    await go('/payment-links/new');
    await page.getByRole('combobox', { name: 'Currency' }).fill('JP');
    await page.getByRole('option', { name: 'JPY', exact: true }).click();
    await page.getByLabel('Amount in JPY').fill('77');
    await page.getByLabel('As much as the payer likes').check();
    await page.getByLabel('At least, or nothing, in JPY').fill('500');
    await page.getByLabel('At most, or nothing, in JPY').fill('100');
    await page.getByText('The most is below the least.').waitFor();
    await page.getByLabel('At most, or nothing, in JPY').fill('1.000');
    await page.getByLabel('Several people can pay it').check();
    await page.getByLabel('Where the receipt leads').fill('javascript:alert(1)');
    await button(page, 'Make the link').click();
    await page.getByText(/after_completion\[redirect\]\[url\]/).waitFor();
    expect(await page.getByLabel('At least, or nothing, in JPY').inputValue()).toBe('500');
    await page.getByLabel('Where the receipt leads').fill('https://shop.example.com/thanks');
    await button(page, 'Make the link').click();
    await page.getByRole('heading', { level: 1, name: '500 JPY to 1,000 JPY' }).waitFor();
    expect(sent.at(-1)).toEqual({
      amount_type: 'open',
      minimum_amount: '500',
      maximum_amount: '1000',
      currency: 'JPY',
      reusable: true,
      after_completion: { redirect: { url: 'https://shop.example.com/thanks' } },
    });
    await close();
  });

  it.each([
    ['EUR', '250.00', '100,5', '100.50', '100.50 EUR', '149.50 EUR', 10_050, 25_000],
    ['JPY', '2500', '1.005', '1005', '1,005 JPY', '1,495 JPY', 1005, 2500],
    ['KWD', '2.500', '0,125', '0.125', '0.125 KWD', '2.375 KWD', 125, 2500],
  ])(
    'a payment in %s goes back in part and then the rest',
    async (currency, amount, typed, plain, part, rest, minor, sum) => {
      const payment = await paid(amount, currency);
      const tab = await open(clerk);
      const { page, go } = tab;
      const sent = sentOn(page, `/v1/payments/${payment}/refund`);
      await go(`/payments/${payment}`);
      await button(page, 'Refund').click();
      await page.getByLabel('A part').check();
      const field = page.getByLabel(`Amount in ${currency}`);
      await field.fill('9999999');
      await page.getByText(/^At most .* can go back\.$/).waitFor();
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true);
      await field.fill(typed);
      await page.getByText(`Then ${rest} is left.`).waitFor();
      expect(await violations(page)).toEqual([]);
      await button(page, `Refund ${part}`).dblclick();
      await page.getByText(`${part} was sent back.`, { exact: true }).waitFor();
      expect(sent).toEqual([{ amount: plain }]);
      expect(await get(`/v1/payments/${payment}`)).toMatchObject({ amount_refunded_minor: minor });
      await button(page, 'Refund').click();
      await button(page, `Refund ${rest}`).dblclick();
      await page.getByText(/^All of it, .*, was sent back\.$/).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(await button(page, 'Refund').count()).toBe(0);
      expect((await refunds(payment)).map(({ amount_minor: each }) => each)).toEqual([sum - minor, minor]);
      await page.getByText(`${part} is sent back.`).waitFor();
      expect(await tab.faults()).toEqual([]);
      await tab.close();
    },
  );

  it('a refund whose answers are lost happens once, and the same press later finds it done', async () => {
    const payment = await paid('80.00');
    const { page, go, close } = await open(clerk, { answers: [400] });
    await go(`/payments/${payment}`);
    await button(page, 'Refund').click();
    await page.getByLabel('A part').check();
    await page.getByLabel('Amount in EUR').fill('30');
    const keys: (string | undefined)[] = [];
    let isLost = true;
    await page.route(`**/v1/payments/${payment}/refund`, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const response = await route.fetch(); // it happens
      await (isLost ? route.abort('aborted') : route.fulfill({ response }));
    });
    await button(page, 'Refund 30.00 EUR').click();
    await page.getByText('The service does not answer.').waitFor({ timeout: 60_000 });
    expect(keys).toHaveLength(4); // the client tried again by itself
    isLost = false;
    await button(page, 'Refund 30.00 EUR').click();
    await page.getByText('30.00 EUR was sent back.', { exact: true }).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await get(`/v1/payments/${payment}`)).toMatchObject({ amount_refunded_minor: 3_000 });
    expect(await refunds(payment)).toHaveLength(1);
    await page.unroute(`**/v1/payments/${payment}/refund`);
    // Meant once more it is another one.
    await button(page, 'Refund').click();
    await page.getByLabel('A part').check();
    await page.getByLabel('Amount in EUR').fill('30');
    await button(page, 'Refund 30.00 EUR').click();
    await page.getByText('60.00 EUR was sent back.', { exact: true }).waitFor();
    await close();
  });

  it('a refund of all of it whose answers are lost is sent again as it was, though the page knows by now that nothing is left', async () => {
    const payment = await paid('70.00');
    const { page, go, close } = await open(clerk, { answers: [400] });
    await go(`/payments/${payment}`);
    await button(page, 'Refund').click();
    const sent: (readonly [key: string | undefined, body: string | null])[] = [];
    let isLost = true;
    await page.route(`**/v1/payments/${payment}/refund`, async (route) => {
      sent.push([route.request().headers()['idempotency-key'], route.request().postData()]);
      const response = await route.fetch(); // it happens
      await (isLost ? route.abort('aborted') : route.fulfill({ response }));
    });
    await button(page, 'Refund 70.00 EUR').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nobody knows whether it happened.').waitFor({ timeout: 60_000 });
    await dialog.getByText('70.00 EUR was sent back already.').waitFor();
    expect(await dialog.getByLabel('A part').isDisabled()).toBe(true);
    isLost = false;
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(new Set(sent.map((each) => each.join(' '))).size).toBe(1);
    expect(await refunds(payment)).toHaveLength(1);
    await close();
  });

  it('more than is left by now is refused where it was asked for, and nothing is lost', async () => {
    const payment = await paid('50.00');
    const { page, go, close } = await open(clerk, { answers: [400] });
    await go(`/payments/${payment}`);
    await button(page, 'Refund').click();
    // Somebody else is quicker than this page knows.
    await page.route('**/dashboard/api/v1/me', (route) => route.abort('aborted'));
    await post(`/v1/payments/${payment}/refund`, { amount: '20.00' });
    await button(page, 'Refund 50.00 EUR').click();
    await page
      .getByRole('dialog')
      .getByText(/at most 30\.00 EUR/)
      .waitFor();
    expect(await refunds(payment)).toHaveLength(1);
    await page.unroute('**/dashboard/api/v1/me');
    await button(page, 'Refund 30.00 EUR').click(); // the page knows by now
    await page.getByText(/^All of it, 50\.00 EUR/).waitFor();
    await close();
  });

  it('whose payer is not known says what to do, and goes to a recipient of the same currency', async () => {
    const link = await make('/v1/payment_links', { amount: '40.00', currency: 'EUR', account: accounts['EUR'] });
    const payment = await make(`/v1/test_helpers/payment_links/${link}/pay`, { amount: '10.00' });
    const reference = (await get(`/v1/payments/${payment}`))['reference'] as string;
    await credit(`thanks ${reference}`, '30.00', { name: MARKUP });
    const payee = { name: 'Lise Meitner', type: 'individual', currency: 'EUR', country: 'DE' };
    const recipient = await make('/v1/recipients', { ...payee, bank_details: { iban: 'DE89370400440532013000' } });
    const { page, go, close, faults } = await open(clerk);
    const sent = sentOn(page, `/v1/payments/${payment}/refund`);
    await go(`/payments/${payment}`);
    await page.getByText(MARKUP).first().waitFor(); // text, and no picture
    expect(await page.locator('main img').count()).toBe(0);
    await button(page, 'Refund').click();
    await page.getByText(/The account that it came from is not known/).waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Who gets it' }).fill('lise');
    await page.getByRole('option', { name: /Lise Meitner/ }).click();
    await button(page, 'Refund 40.00 EUR').click();
    await page.getByText(/^All of it, 40\.00 EUR/).waitFor();
    expect(sent).toEqual([{ amount: '40.00', recipient }]);
    expect(await faults()).toEqual([]);
    await close();
  });

  it('an expected payment has a reference and a code, shows what the bank brought, and is canceled', async () => {
    const tab = await open(clerk);
    const { page, go } = tab;
    const sent = sentOn(page, '/v1/expected_payments');
    await go('/expected-payments');
    await button(page, 'Expect a payment').click();
    await page.getByLabel('From', { exact: true }).fill(MARKUP);
    await page.getByLabel('What for').fill('Invoice 17');
    await page.getByRole('combobox', { name: 'Currency' }).click();
    await page.getByRole('option', { name: 'EUR', exact: true }).click();
    await page.getByLabel('Amount in EUR').fill('119');
    await button(page, 'Expect it').dblclick();
    await page.getByRole('heading', { level: 1, name: '119.00 EUR' }).waitFor();
    expect(sent).toEqual([{ amount: '119.00', currency: 'EUR', payer: MARKUP, description: 'Invoice 17' }]);
    const [expected] = await all('/v1/expected_payments');
    const reference = expected?.['reference'] as string;
    const code = page.getByRole('img', { name: /^Code for banking apps/ });
    await code.waitFor();
    expect(readQr(await code.screenshot()).text).toContain('EUR119');
    expect(await violations(page)).toEqual([]);
    await credit(`for ${reference}`, '100.00', { name: 'Ada <b>Example</b>', iban: 'NL91ABNA0417164300' });
    await page.getByText('100.00 EUR came. 19.00 EUR is missing.').waitFor();
    const came = page.getByRole('table', { name: 'What came' });
    await came.getByText('Ada <b>Example</b>').waitFor();
    await came.getByText('100.00').waitFor();
    await expect.poll(async () => readQr(await code.screenshot()).text).toContain('EUR19');
    await page.emulateMedia({ media: 'print' });
    expect((await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      `19.00 EUR ${reference.replaceAll(/(.{4})(?=.)/g, '$1 ')}`,
    );
    await page.emulateMedia({ media: 'screen' });
    await button(page, 'Cancel').click();
    await button(page, 'Cancel it').click();
    await page.getByText('Canceled', { exact: true }).first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await button(page, 'Cancel').count()).toBe(0);
    expect((await all('/v1/expected_payments'))[0]).toMatchObject({
      status: 'canceled',
      amount_received_minor: 10_000,
    });
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it('one that is late is marked in the list and says since when', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const body = { amount: '5000', currency: 'JPY', payer: 'Late & Sons', due_on: yesterday };
    const id = await make('/v1/expected_payments', body);
    await expect
      .poll(async () => (await get(`/v1/expected_payments/${id}`))['status'], { timeout: 30_000 })
      .toBe('overdue');
    const { page, go, close, faults } = await open(clerk, { phone: true, dark: true });
    await go('/expected-payments?status=overdue');
    await page.getByRole('link', { name: 'Late & Sons' }).click();
    await page.getByText('5,000 JPY is overdue.').waitFor();
    await page.getByText('Codes for banking apps are for EUR and CHF.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    expect(await faults()).toEqual([]);
    await close();
  });

  it('who may not finds each button off or absent, with the reason', async () => {
    const payment = await paid('20.00');
    const link = (await get(`/v1/payments/${payment}`))['payment_link'] as string;
    const waiting = await make('/v1/payment_links', { amount: '1.00', currency: 'EUR' });
    const expected = await make('/v1/expected_payments', { amount: '1.00', currency: 'EUR' });
    const viewer = await member(application, [application.sandbox], ['viewer']);
    const { page, go, close } = await open(viewer, { answers: [403] });
    for (const [path, name, reason] of [
      [`/payments/${payment}`, 'Refund', 'Your role may not refund.'],
      [`/payment-links/${waiting}`, 'Deactivate', 'Your role may not deactivate links.'],
      [`/expected-payments/${expected}`, 'Cancel', 'Your role may not cancel.'],
    ] as const) {
      await go(path);
      await page.getByText(reason).waitFor();
      expect(await button(page, name).isDisabled()).toBe(true);
    }
    for (const path of ['/payments', '/payment-links', '/expected-payments']) {
      await go(path);
      await page.getByRole('table').waitFor();
      expect(await button(page, /^(New payment link|Expect a payment)$/).isDisabled()).toBe(true);
    }
    await go('/payment-links/new');
    await page.getByText(/may not make payment links/).waitFor();
    await go('/expected-payments/new');
    await page.getByText(/may not expect payments/).waitFor();
    await go(`/payments?payment_link=${link}`);
    await page.getByRole('table').getByText('20.00').first().waitFor();
    await close();
  });
});
