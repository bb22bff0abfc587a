/** A payer's page that is open shows what a statement says within a second of the answer to the import. In words: `test/soak/paid-by-statement.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, withoutBrowser } from '../support/browser/browser.ts';
import { openWaitingPage } from '../support/browser/waiting-page.ts';
import { type Application, startApplication } from '../support/harness/application.ts';

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

  it(`says within ${SHOWN_WITHIN_MS} ms that a part has come, and then that it is paid`, async () => {
    const page = await openWaitingPage(application, browser);
    for (const [amount, day] of [
      ['15.00', '2026-11-23'],
      ['25.00', '2026-11-24'],
    ] as const) {
      const before = await page.title();
      await page.imported(amount, day);
      const answeredMs = performance.now();
      await page.changed(before);
      expect(performance.now() - answeredMs).toBeLessThan(SHOWN_WITHIN_MS);
    }
    expect(await page.title()).toMatch(/paid/i);
  });
});
