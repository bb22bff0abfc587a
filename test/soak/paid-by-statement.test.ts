/**
 * A payer's page is open in a real browser while the bank's statement is imported: it says that the payment is paid by itself, without the
 * payer loading it again. With a live key: no sandbox has a hand in it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, withoutBrowser } from '../support/browser/browser.ts';
import { camt } from '../support/bank/camt.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';

const IBAN = 'DE89370400440532013000';
/** From the answer of the import to the words on the page. The page looks at most every half a second. */
const SHOWN_WITHIN_MS = 1_000;

describe.skipIf(withoutBrowser)('a page that is open', () => {
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

  it('says by itself that a part has come, and then that it is paid', async () => {
    const { client } = application.live;
    const post = async (path: string, body: object) => must(await client.post(path, body)).json;
    await post('/v1/settings', { bank_accounts: { EUR: { account_holder: 'Rossum', iban: IBAN } } });
    const bank = {
      currency: 'EUR',
      country: 'DE',
      holder: 'Rossum',
      bank_details: { iban: IBAN },
      booked_by: 'camt.054',
    };
    await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin' });
    await post('/v1/accounts', { currency: 'EUR' });
    const link = await post('/v1/payment_links', { amount: 40, currency: 'EUR' });

    const { page, faults } = await browser.openPage({ address: application.address });
    await page.goto(link['url'] as string);
    await page.click('button[value="bank_transfer"]');
    await page.waitForURL(/\/pay\/.+/);
    const [payment] = must(await client.get('/v1/payments')).json['data'] as Json[];
    const reference = payment?.['reference'] as string;
    const title = () => page.title();
    const waiting = await title();

    const imported = async (amount: string, day: string) => {
      const text = `Thanks ${reference.replaceAll(/(.{4})/g, '$1 ')}`;
      const entries = [{ amount, details: [{ text, name: 'Eva', iban: 'NL91ABNA0417164300' }] }];
      const file = camt([{ iban: IBAN, day, entries }], 'camt.054');
      must(await client.send('POST', '/v1/bank/documents', file, { 'content-type': 'application/xml' }));
    };
    const changed = async (from: string) => {
      const answeredAt = performance.now();
      await expect.poll(title, { timeout: 10_000, interval: 20 }).not.toBe(from);
      return performance.now() - answeredAt;
    };
    await imported('15.00', '2026-11-23');
    expect(await changed(waiting)).toBeLessThan(SHOWN_WITHIN_MS);
    const partly = await title();
    await imported('25.00', '2026-11-24');
    expect(await changed(partly)).toBeLessThan(SHOWN_WITHIN_MS);
    expect(await title()).toMatch(/paid/i);
    expect(must(await client.get(`/v1/payments/${payment?.['id'] as string}`)).json).toMatchObject({
      status: 'succeeded',
    });
    expect(await faults()).toEqual([]);
  });
});
