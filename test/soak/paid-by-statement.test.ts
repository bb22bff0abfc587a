/**
 * A payer's page is open in a real browser while the bank's statement is imported: it says that the payment is paid by itself, without the
 * payer loading it again. Within a second: `test/long/paid-by-statement.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, withoutBrowser } from '../support/browser/browser.ts';
import { openWaitingPage } from '../support/browser/waiting-page.ts';
import { type Application, startApplication } from '../support/harness/application.ts';

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
    const page = await openWaitingPage(application, browser);
    const waiting = await page.title();
    await page.imported('15.00', '2026-11-23');
    await page.changed(waiting);
    const partly = await page.title();
    await page.imported('25.00', '2026-11-24');
    await page.changed(partly);
    expect(await page.title()).toMatch(/paid/i);
    expect(await page.payment()).toMatchObject({ status: 'succeeded' });
    expect(await page.faults()).toEqual([]);
  });
});
