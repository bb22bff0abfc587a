/**
 * The payment page in a browser: a page of each kind on each screen, in a language and a width of each sort. Every page on every screen, in
 * every language: `test/long/pages.test.ts`. What asks: `test/support/browser/payment-pages.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations, withoutBrowser } from '../../support/browser/browser.ts';
import {
  BUTTONS,
  type PageName,
  type PaymentPages,
  paymentPages,
  SAVE,
  STOPS,
} from '../../support/browser/payment-pages.ts';
import { expectReceipt } from '../../support/browser/receipt.ts';
import { readQr } from '../../support/browser/qr.ts';
import { EPC_OF_WAITING, viewNamed } from '../../support/browser/views.ts';

/** Where most lies side by side, and what is longest. */
const CROWDED: readonly PageName[] = ['waiting', 'long'];

describe.skipIf(withoutBrowser)('the payment page in a browser', () => {
  let pages: PaymentPages;
  beforeAll(async () => {
    pages = await paymentPages();
  });
  afterAll(() => pages?.end());

  describe('every state', () => {
    it.concurrent.each([
      ['phone-dark', ['waiting', 'hostile']],
      ['desktop', ['open-amount-refused', 'long']],
    ] as const)('can be used by everybody: %s', async (screen, names) => {
      const complaints = await pages.complaints(screen, names);
      expect(complaints).toEqual(Object.fromEntries(names.map((name) => [name, []])));
    });

    it.concurrent.each([
      ['fr', 320, 1],
      ['de', 390, 2], // a phone whose owner has set text twice as large
    ])('needs no scrolling sideways: %s, %i pixels, text × %i', async (language, width, times) => {
      expect(await pages.sideways(language, width, times, CROWDED)).toEqual([]);
    });
  });

  it.each([
    ['three-decimals', 'phone', 390],
    ['long', 'phone', 320],
  ] as const)('writes an amount on one line: %s, %s, %i pixels', async (name, device, width) => {
    for (const language of ['de', 'fr'])
      await pages.look({ device, width, language }, async (page) => {
        await page.goto(`/pay/${name}`);
        const tops = await page.locator('.sum').evaluate((sum) => {
          const range = sum.ownerDocument.createRange();
          range.selectNodeContents(sum);
          return [...range.getClientRects()].map(({ top }) => top);
        });
        expect([language, new Set(tops).size]).toEqual([language, 1]);
      });
  });

  describe('the QR code', () => {
    it.each([
      ['in the dark, without scripts', { dark: true, scripts: false }],
      ['on a desk', { device: 'desktop' }],
    ] as const)('says byte for byte what the transfer is: %s', async (_, options) => {
      const { bytes, version } = await pages.qrOf(options, 'waiting');
      expect(bytes).toEqual(Buffer.from(EPC_OF_WAITING));
      expect(version).toBeLessThanOrEqual(13);
    });
    it('asks only for what is missing', async () => {
      const { text } = await pages.qrOf({ device: 'desktop' }, 'partly-paid');
      expect(text).toBe(EPC_OF_WAITING.replace('EUR1234.50', 'EUR1000.00'));
    });
    it('can be read on paper and in colours of the system', async () => {
      await pages.look({ alone: true, device: 'desktop', dark: true }, async (page) => {
        await page.goto('/pay/waiting');
        for (const media of [{ media: 'print' }, { media: 'screen', forcedColors: 'active' }] as const) {
          await page.emulateMedia(media);
          expect(readQr(await page.locator('.qr').screenshot()).bytes).toEqual(Buffer.from(EPC_OF_WAITING));
        }
      });
    });
    it('is not there where banks know none', async () => {
      await pages.look({}, async (page) => {
        await page.goto('/pay/waiting-other-currency');
        expect(await page.locator('.qr').count()).toBe(0);
      });
    });
  });

  describe('the keyboard', () => {
    it.each([
      [{}, STOPS[1]],
      [{ device: 'desktop' }, STOPS[3]],
    ] as const)('leads through a page in the order it is read: %o', async (options, row) => {
      const [name, scripts, expected] = row!;
      const stops = await pages.stopsOf({ ...options, scripts }, name);
      const wide = 'device' in options;
      expect(stops.map(({ says }) => says)).toEqual(expected.filter((stop) => !wide || stop !== SAVE));
      expect(stops.filter(({ marked, seen }) => !marked || !seen)).toEqual([]);
    });

    it('pays an amount that was typed, with Enter', async () => {
      expect(await pages.typeAmount(false)).toEqual({
        path: '/pay/open-amount?lang=de',
        form: { csrf: 'proof-of-the-form', amount: '12,50', method: 'bank_transfer' },
      });
    });
  });

  describe('without scripts', () => {
    it('a button sends what it says', async () => {
      const [name, button, path, field] = BUTTONS[1];
      expect(await pages.press(name, button)).toEqual({ path, form: { csrf: 'proof-of-the-form', ...field } });
    });
    it('tells of an amount that was refused, at its field', async () => {
      await pages.look({ scripts: false }, async (page) => {
        await page.goto('/pay/open-amount-refused');
        const field = page.getByLabel('Amount');
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await page.getByRole('alert').innerText()).toBe('This amount is too small.');
        const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
        expect(await page.locator(`#${described[0]}`).innerText()).toBe('This amount is too small.');
      });
    });
    it('changes the language by its links, and keeps it', async () => {
      await pages.look({ scripts: false, language: 'de' }, async (page) => {
        await page.goto('/pay/open');
        expect(await page.locator('html').getAttribute('lang')).toBe('de');
        await page.getByRole('link', { name: 'Français' }).click();
        expect(await page.locator('html').getAttribute('lang')).toBe('fr');
        await page.getByRole('button').first().click();
        await page.waitForURL('**/pay/waiting?lang=fr');
        expect(await page.locator('html').getAttribute('lang')).toBe('fr');
      });
    });
    it('shows no button that needs one', async () => {
      await pages.look({ scripts: false }, async (page) => {
        await page.goto('/pay/waiting');
        expect(await page.locator('.copy').count()).toBeGreaterThan(0);
        expect(await page.locator('.copy:visible').count()).toBe(0);
      });
    });
  });

  describe('with scripts', () => {
    it('copies, and says so', async () => {
      await pages.look({ alone: true }, async (page) => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto('/pay/waiting');
        await page.getByRole('button', { name: 'Copy: IBAN' }).click();
        await expect.poll(() => page.locator('#live').textContent()).toBe('Copied');
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe('DE89370400440532013000');
      });
    });
    it('shows what has changed as soon as it is told, and what has not stays', async () => {
      pages.show({});
      await pages.look({}, async (page) => {
        const listening = page.waitForResponse(/live\/status/);
        await page.goto('/pay/live');
        await listening;
        await page.evaluate('void (window.stays = true)');
        pages.show({ state: 'paid', payment: { ...viewNamed('paid', 'en').payment! }, version: 'two' });
        pages.tell('event: status\ndata: {}\n\n');
        await expect.poll(() => page.locator('h1').innerText()).toMatch(/^Paid/);
        expect(await page.title()).toBe('Paid · Café Zoë');
        await expect.poll(() => page.locator('#live').textContent()).toContain('Paid');
        expect(await page.evaluate('window.stays')).toBe(true);
        expect(await violations(page)).toEqual([]);
      });
    });
    it('does not take away what is being typed', async () => {
      const open = { ...viewNamed('open-amount', 'en'), path: '/pay/live' };
      pages.show(open);
      await pages.look({}, async (page) => {
        const listening = page.waitForResponse(/live\/status/);
        await page.goto('/pay/live');
        await listening;
        await page.getByLabel('Amount').fill('17');
        const session = await page.context().newCDPSession(page);
        await session.send('Network.enable');
        const asked: string[] = [];
        page.on('request', (request) => void asked.push(request.url()));
        const tell = async () => {
          const arrived = new Promise((resolve) => void session.once('Network.eventSourceMessageReceived', resolve));
          pages.show({ ...open, description: 'Something else' });
          pages.tell('event: status\ndata: {}\n\n');
          await arrived;
          await page.evaluate('new Promise((resolve) => setTimeout(resolve))'); // by now its script has heard it too
        };
        await tell();
        expect(asked).toEqual([]);
        expect(await page.getByLabel('Amount').inputValue()).toBe('17');
        // control: with nothing typed it is taken away
        await page.getByLabel('Amount').fill('');
        await tell();
        await page.getByText('Something else').waitFor();
        expect(asked).toHaveLength(1);
        page.removeAllListeners('request');
        await session.detach();
      });
    });
    it.each([
      [true, '21 November 2026 at 20:59 GMT+9'],
      [false, '21 November 2026 at 11:59 UTC'], // the control: only a script knows where the payer is
    ])('shows when money came in the time zone of the payer; scripts: %s', async (scripts, shown) => {
      await pages.look({ alone: true, scripts, timeZone: 'Asia/Tokyo' }, async (page) => {
        await page.goto('/pay/paid');
        expect(await page.locator('time').innerText()).toBe(shown);
      });
    });
    it('counts down', async () => {
      await pages.look({}, async (page) => {
        await page.goto('/pay/open');
        const left = () => page.locator('.left').innerText();
        const first = await left();
        expect(first).toMatch(/^(?:1:00:00|0:59:5\d) left$/);
        await expect.poll(left).not.toBe(first);
      });
    });
  });

  describe('hostile text', () => {
    it('stays text', async () => {
      await pages.look({}, async (page) => {
        await page.goto('/pay/hostile');
        expect(await page.title()).not.toBe('taken');
        expect(await page.locator('img').count()).toBe(0);
        expect(await page.getByText("<script>document.title='taken'</script>").count()).toBeGreaterThan(3);
      });
    });
  });

  it('the receipt is dark on white on one sheet, and nothing to press, in the dark too', () =>
    expectReceipt(pages, true));
});
