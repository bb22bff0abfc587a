/**
 * Every payment page in a browser: on every screen, in every language and width, with every button and every stop of the Tab key. A page of
 * each kind: `test/long/small/pages.test.ts`. With BURSAR_SCREENSHOTS=1 it takes the pictures in `docs/img`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/collecting/checkout/html/view.ts';
import { withoutBrowser } from '../support/browser/browser.ts';
import {
  ALL_PAGES,
  BUTTONS,
  type PaymentPages,
  paymentPages,
  type Screen,
  SCREENS,
  SAVE,
  STOPS,
} from '../support/browser/payment-pages.ts';
import { expectReceipt } from '../support/browser/receipt.ts';
import { readQr } from '../support/browser/qr.ts';
import { EPC_OF_WAITING } from '../support/browser/views.ts';

describe.skipIf(withoutBrowser)('every payment page in a browser', () => {
  let pages: PaymentPages;
  beforeAll(async () => {
    pages = await paymentPages();
  });
  afterAll(() => pages?.end());

  it.each(Object.keys(SCREENS) as Screen[])('can be used by everybody: %s', async (screen) => {
    const complaints = await pages.complaints(screen, ALL_PAGES);
    expect(complaints).toEqual(Object.fromEntries(ALL_PAGES.map((name) => [name, []])));
  });

  it.each(
    LANGUAGES.flatMap((language) => [
      [language, 320, 1] as const,
      [language, 390, 2] as const, // a phone whose owner has set text twice as large
    ]),
  )('needs no scrolling sideways: %s, %i pixels, text × %i', async (language, width, times) => {
    expect(await pages.sideways(language, width, times, ALL_PAGES)).toEqual([]);
  });

  it.each([
    ['on a phone', {}],
    ['in the dark, without scripts', { dark: true, scripts: false }],
    ['on a desk', { device: 'desktop' }],
    ['in a narrow window', { width: 320 }],
  ] as const)('says byte for byte in its QR code what the transfer is: %s', async (_, options) => {
    const { bytes, version } = await pages.qrOf(options, 'waiting');
    expect(bytes).toEqual(Buffer.from(EPC_OF_WAITING));
    expect(version).toBeLessThanOrEqual(13);
  });
  it('asks in its QR code only for what is missing, on a phone', async () => {
    const { text } = await pages.qrOf({}, 'partly-paid');
    expect(text).toBe(EPC_OF_WAITING.replace('EUR1234.50', 'EUR1000.00'));
  });
  it('has a QR code that can be read on paper and in colours of the system, from a phone', async () => {
    await pages.look({ alone: true, dark: true }, async (page) => {
      for (const media of [{ media: 'print' }, { media: 'screen', forcedColors: 'active' }] as const) {
        await page.emulateMedia(media);
        await page.goto('/pay/waiting');
        expect(readQr(await page.locator('.qr').screenshot()).bytes).toEqual(Buffer.from(EPC_OF_WAITING));
      }
    });
  });

  it.each(STOPS)(
    'is led through by the Tab key in the order it is read: %s, scripts %s',
    async (name, scripts, expected) => {
      for (const options of [{}, { device: 'desktop', dark: true }] as const) {
        const stops = await pages.stopsOf({ ...options, scripts }, name);
        const wide = 'device' in options;
        expect(stops.map(({ says }) => says)).toEqual(expected.filter((stop) => !wide || stop !== SAVE));
        expect(stops.filter(({ marked, seen }) => !marked || !seen)).toEqual([]);
      }
    },
  );

  it.each([true, false])('pays an amount that was typed, with Enter; scripts: %s', async (scripts) => {
    expect(await pages.typeAmount(scripts)).toEqual({
      path: '/pay/open-amount?lang=de',
      form: { csrf: 'proof-of-the-form', amount: '12,50', method: 'bank_transfer' },
    });
  });

  it.each(BUTTONS)('without scripts, %s: the button "%s" sends what it says', async (name, button, path, field) => {
    expect(await pages.press(name, button)).toEqual({ path, form: { csrf: 'proof-of-the-form', ...field } });
  });

  it('keeps hostile text as text without scripts', async () => {
    await pages.look({ scripts: false }, async (page) => {
      await page.goto('/pay/hostile');
      expect(await page.title()).not.toBe('taken');
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.getByText("<script>document.title='taken'</script>").count()).toBeGreaterThan(3);
    });
  });

  it.each([false, true])('prints a receipt on one sheet, dark on white; in the dark: %s', (dark) =>
    expectReceipt(pages, dark),
  );
});
