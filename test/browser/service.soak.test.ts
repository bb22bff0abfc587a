/** A payer with a real browser at the running service: from the link to the receipt, and what the account has then. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../support/harness/application.ts';
import { type Browser, type OpenPage, startBrowser, violations, withoutBrowser } from '../support/browser/browser.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import type { Json } from '../support/harness/http.ts';

describe.skipIf(withoutBrowser)('a payer in a browser', () => {
  let application: Application;
  let browser: Browser;

  beforeAll(async () => {
    application = await startApplication();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const make = async (fields: object): Promise<Json> =>
    must(await application.sandbox.client.post('/v1/payment_links', { currency: 'EUR', ...fields })).json;
  const linkNow = async (link: Json) =>
    must(await application.sandbox.client.get(`/v1/payment_links/${link['id'] as string}`)).json;
  const open = async (url: unknown, scripts: boolean): Promise<OpenPage> => {
    const { address } = application;
    const opened = await browser.openPage({ address, scripts, statuses: [400] });
    await opened.page.goto(address + new URL(url as string).pathname);
    return opened;
  };
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it.each([true, false])('pays a link, scripts: %s', async (scripts) => {
    const link = await make({ amount: '250', description: 'Garden table', after_completion: { message: 'See you' } });
    const opened = await open(link['url'], scripts);
    const { page } = opened;
    await press(page, 'Pay by bank transfer');
    await says(page, 'DE89 3704 0044 0532 0130 00');
    await press(page, 'Pay partly');
    await says(page, /€125\.00/);
    await press(page, 'Pay exactly');
    await says(page, 'See you');
    expect(await violations(page)).toEqual([]);
    await opened.close();
    expect(await linkNow(link)).toMatchObject({
      status: 'completed',
      payments_count: 1,
      amount_received_minor: 25_000,
    });
  });

  it('chooses an amount by keyboard alone, and is told at once what another window did', async () => {
    const link = await make({ amount_type: 'open', minimum_amount: '5', maximum_amount: '500' });
    const [one, other] = [await open(link['url'], true), await open(link['url'], true)];
    await one.page.getByLabel('Amount').focus();
    await one.page.keyboard.type('12.50');
    await one.page.keyboard.press('Enter');
    await says(one.page, '€12.50');
    await press(one.page, 'Pay exactly');
    await says(one.page, 'Receipt');
    await says(other.page, 'Receipt'); // nobody pressed anything here
    await one.close();
    await other.close();
    expect(await linkNow(link)).toMatchObject({ status: 'completed', amount_received_minor: 1_250 });
  });

  it('is told when somebody else has paid first', async () => {
    const link = await make({ amount: '10', reusable: true, max_payments: 1 });
    const [first, second] = [await open(link['url'], true), await open(link['url'], true)];
    const late = await open(link['url'], false);
    for (const { page } of [first, second]) {
      await press(page, 'Pay by bank transfer');
      await says(page, 'Bank details');
    }
    await press(first.page, 'Pay exactly');
    await says(second.page, 'Please send no money'); // nobody pressed anything here
    const answered = late.page.waitForResponse((response) => response.request().method() === 'POST');
    await press(late.page, 'Pay by bank transfer');
    expect((await answered).status()).toBe(400);
    await late.page.getByRole('alert').waitFor();
    expect(await linkNow(link)).toMatchObject({ status: 'completed', open_payments_count: 1 });
    await first.close();
    await second.close();
    await late.close();
  });
});
