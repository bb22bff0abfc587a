import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS, accentSheet } from '../../src/collecting/checkout/html/assets.ts';
import { languageOf } from '../../src/collecting/checkout/html/languages.ts';
import { renderFault, renderPage } from '../../src/collecting/checkout/html/render.ts';
import { LANGUAGES, type PageView } from '../../src/collecting/checkout/html/view.ts';
import {
  type Browser,
  enlargeText,
  type OpenPage,
  type PageOptions,
  screenshot,
  startBrowser,
  tabStops,
  tooWide,
  violations,
  withoutBrowser,
} from '../support/browser/browser.ts';
import { type PageServer, type ServedPage, servePages } from '../support/browser/page-server.ts';
import { readQr } from '../support/browser/qr.ts';
import { coveredText, smallTargets } from '../support/browser/questions.ts';
import { EPC_OF_WAITING, VIEWS, type ViewName, viewNamed } from '../support/browser/views.ts';

const NAMES = Object.keys(VIEWS) as ViewName[];
const FAULTS = ['not_found', 'too_many', 'unavailable'] as const;
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" rx="8" fill="#0b6e4f"/>
  <circle cx="30" cy="20" r="11" fill="#f4d35e"/></svg>`;

/** Pages whose pictures are kept, by the screen they are seen on */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  phone: NAMES.filter((name) => name !== 'long' && name !== 'hostile'),
  'phone-dark': ['open', 'waiting', 'paid'],
  desktop: ['waiting'],
  'desktop-dark': ['waiting-sandbox', 'partly-paid', 'paid'],
};

describe.skipIf(withoutBrowser)('the payment page in a browser', () => {
  let browser: Browser;
  let server: PageServer;
  const sent: { readonly path: string; readonly form: Readonly<Record<string, string>> }[] = [];
  /** What `/pay/live` shows now, and how its visitors are told. */
  let live: Partial<PageView> = {};
  let tell: (text: string) => void = () => {};

  function answer({ pathname, searchParams, search }: URL, language: string | undefined): ServedPage | null {
    const [, , name = '', below] = pathname.split('/');
    const wanted = languageOf(searchParams.get('lang') ?? undefined, language);
    if (name === 'assets') return asset(below ?? '');
    if (name === 'logo.svg') return { contentType: 'image/svg+xml', body: LOGO };
    const stream = { contentType: 'text/event-stream', body: ': hello\n\n' };
    if (below === 'status') return { ...stream, goesOn: (write) => void (tell = name === 'live' ? write : tell) };
    const fault = FAULTS.find((each) => each === name);
    if (fault !== undefined) return { body: renderFault(wanted, fault) };
    if (name === 'live') return { body: renderPage({ ...viewNamed('waiting', wanted), path: '/pay/live', ...live }) };
    if (!Object.hasOwn(VIEWS, name)) return null;
    expect(search).toMatch(/^(?:\?lang=[a-z]{2}(?:&method=bank_transfer)?)?$/);
    return { body: renderPage(viewNamed(name as ViewName, wanted)) };
  }

  function asset(name: string): ServedPage | null {
    const colour = /^accent-([0-9a-f]{6})\.css$/.exec(name)?.[1];
    return colour === undefined ? (ASSETS.get(name) ?? null) : { contentType: 'text/css', body: accentSheet(colour) };
  }

  beforeAll(async () => {
    server = await servePages((url, request, form) => {
      if (request.method === 'POST') {
        sent.push({ path: url.pathname + url.search, form: Object.fromEntries(form) });
        return { status: 303, headers: { location: `/pay/waiting${url.search}` }, body: '' };
      }
      return answer(url, request.headers['accept-language']);
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.stop();
    await server?.stop();
  });

  const windows = new Map<string, OpenPage>();

  /**
   * Looks at pages through a window, and fails when anything went wrong behind their backs. Looks with the same options share
   * one, since a new one takes longer than most looks; `alone` is for a look that changes the window itself.
   */
  async function look<Result>(
    { alone = false, ...options }: Partial<PageOptions> & { readonly alone?: boolean },
    at: (page: Page) => Promise<Result>,
  ): Promise<Result> {
    const name = JSON.stringify(options);
    const opened = (!alone && windows.get(name)) || (await browser.openPage({ address: server.address, ...options }));
    windows.delete(name);
    const result = await at(opened.page).catch(async (error: unknown) => {
      await opened.close().catch(() => undefined);
      throw error;
    });
    if (alone || (await opened.faults()).length > 0) await opened.close();
    else windows.set(name, opened);
    return result;
  }

  describe('every state', () => {
    it.each([
      ['phone', { device: 'phone' }],
      ['phone-dark', { device: 'phone', dark: true, scripts: false, language: 'de' }],
      ['desktop', { device: 'desktop', scripts: false, language: 'fr' }],
      ['desktop-dark', { device: 'desktop', dark: true, language: 'es' }],
    ] as const)('can be used by everybody: %s', async (screen, options) => {
      const complaints = await look(options, async (page) => {
        const found: Record<string, readonly string[]> = {};
        for (const name of [...NAMES, ...FAULTS]) {
          if (screen === 'desktop' && KEPT[screen]?.includes(name)) {
            await page.goto(`/pay/${name}?lang=en`); // the README's picture is in its language
            await screenshot(page, `${name}-${screen}`);
          }
          await page.goto(`/pay/${name}`);
          if (screen !== 'desktop') await screenshotOf(page, screen, name);
          found[name] = [
            ...(await violations(page)),
            ...(await tooWide(page)),
            ...(await coveredText(page)),
            ...(await smallTargets(page)),
          ];
        }
        return found;
      });
      expect(complaints).toEqual(Object.fromEntries([...NAMES, ...FAULTS].map((name) => [name, []])));
    });

    it.each(
      LANGUAGES.flatMap((language) => [
        [language, 320, 1] as const,
        [language, 390, 2] as const, // a phone whose owner has set text twice as large
      ]),
    )('needs no scrolling sideways: %s, %i pixels, text × %i', async (language, width, times) => {
      const complaints = await look({ alone: true, width, language, scripts: width === 390 }, async (page) => {
        const found: string[] = [];
        await enlargeText(page, times);
        for (const name of [...NAMES, ...FAULTS]) {
          await page.goto(`/pay/${name}`);
          const size = await page.evaluate('getComputedStyle(document.body).fontSize');
          const complaints = [...(await tooWide(page)), ...(await coveredText(page))];
          if (size !== `${16 * times}px`) complaints.push(`text stays at ${String(size)}`);
          found.push(...complaints.map((complaint) => `${name}: ${complaint}`));
        }
        return found;
      });
      expect(complaints).toEqual([]);
    });
  });

  async function screenshotOf(page: Page, screen: string, name: string): Promise<void> {
    if (KEPT[screen]?.includes(name)) await screenshot(page, `${name}-${screen}`);
  }

  describe('the QR code', () => {
    it.each([
      ['on a phone', {}],
      ['in the dark, without scripts', { dark: true, scripts: false }],
      ['on a desk', { device: 'desktop' }],
      ['in a narrow window', { width: 320 }],
    ] as const)('says byte for byte what the transfer is: %s', async (_, options) => {
      await look(options, async (page) => {
        await page.goto('/pay/waiting');
        const { bytes, version } = readQr(await page.locator('.qr').screenshot());
        expect(bytes).toEqual(Buffer.from(EPC_OF_WAITING));
        expect(version).toBeLessThanOrEqual(13);
      });
    });
    it('asks only for what is missing', async () => {
      await look({}, async (page) => {
        await page.goto('/pay/partly-paid');
        const { text } = readQr(await page.locator('.qr').screenshot());
        expect(text).toBe(EPC_OF_WAITING.replace('EUR1234.50', 'EUR1000.00'));
      });
    });
    it('can be read on paper and in colours of the system', async () => {
      await look({ alone: true, dark: true }, async (page) => {
        for (const media of [{ media: 'print' }, { media: 'screen', forcedColors: 'active' }] as const) {
          await page.emulateMedia(media);
          await page.goto('/pay/waiting');
          expect(readQr(await page.locator('.qr').screenshot()).bytes).toEqual(Buffer.from(EPC_OF_WAITING));
        }
      });
    });
    it('is not there where banks know none', async () => {
      await look({}, async (page) => {
        await page.goto('/pay/waiting-other-currency');
        expect(await page.locator('.qr').count()).toBe(0);
      });
    });
  });

  describe('the keyboard', () => {
    const LANGUAGE_LINKS = ['link "English"', 'link "Deutsch"', 'link "Français"', 'link "Español"'];
    const WAITING = ['link "Check again"', 'button "Pay by card instead"', ...LANGUAGE_LINKS];
    const COPY = ['Account holder', 'IBAN', 'BIC', 'Bank', 'Amount', 'Payment reference'];
    it.each<[ViewName, boolean, readonly string[]]>([
      ['open', true, ['button "Pay by bank transfer"', 'button "Pay by card"', ...LANGUAGE_LINKS]],
      [
        'open-amount',
        false,
        ['textbox "Amount"', 'button "Pay by bank transfer"', 'button "Pay by card"', ...LANGUAGE_LINKS],
      ],
      ['waiting', false, WAITING],
      ['waiting', true, [WAITING[0] ?? '', ...COPY.map((label) => `button "Copy: ${label}"`), ...WAITING.slice(1)]],
      ['paid', false, ['link "Continue to shop.example"', ...LANGUAGE_LINKS]],
      ['expired', true, LANGUAGE_LINKS],
    ])('leads through %s in the order it is read; scripts: %s', async (name, scripts, expected) => {
      for (const options of [{}, { device: 'desktop', dark: true }] as const) {
        const stops = await look({ ...options, scripts }, async (page) => {
          await page.goto(`/pay/${name}`);
          return tabStops(page);
        });
        expect(stops.map(({ says }) => says)).toEqual(expected);
        expect(stops.filter(({ marked, seen }) => !marked || !seen)).toEqual([]);
      }
    });

    it.each([true, false])('pays an amount that was typed, with Enter; scripts: %s', async (scripts) => {
      await look({ scripts, language: 'de' }, async (page) => {
        await page.goto('/pay/open-amount');
        await page.getByLabel('Betrag').fill('12,50');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/pay/waiting?lang=de');
        expect(sent.at(-1)).toEqual({
          path: '/pay/open-amount?lang=de',
          form: { csrf: 'proof-of-the-form', amount: '12,50', method: 'bank_transfer' },
        });
      });
    });
  });

  describe('without scripts', () => {
    it.each([
      ['open', 'Pay by card', '/pay/open?lang=en', { method: 'card' }],
      ['waiting-sandbox', 'Pay partly', '/pay/waiting-sandbox/simulate?lang=en', { outcome: 'partial' }],
      ['paid-too-much', 'Pay once more', '/pay/paid-too-much/simulate?lang=en', { outcome: 'twice' }],
    ] as const)('%s: the button "%s" sends what it says', async (name, button, path, field) => {
      await look({ scripts: false }, async (page) => {
        await page.goto(`/pay/${name}`);
        await page.getByRole('button', { name: button, exact: true }).click();
        await page.waitForURL('**/pay/waiting?lang=en');
        expect(sent.at(-1)).toEqual({ path, form: { csrf: 'proof-of-the-form', ...field } });
      });
    });
    it('tells of an amount that was refused, at its field', async () => {
      await look({ scripts: false }, async (page) => {
        await page.goto('/pay/open-amount-refused');
        const field = page.getByLabel('Amount');
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await page.getByRole('alert').innerText()).toBe('This amount is too small.');
        const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
        expect(await page.locator(`#${described[0]}`).innerText()).toBe('This amount is too small.');
      });
    });
    it('changes the language by its links, and keeps it', async () => {
      await look({ scripts: false, language: 'de' }, async (page) => {
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
      await look({ scripts: false }, async (page) => {
        await page.goto('/pay/waiting');
        expect(await page.locator('.copy').count()).toBeGreaterThan(0);
        expect(await page.locator('.copy:visible').count()).toBe(0);
      });
    });
  });

  describe('with scripts', () => {
    it('copies, and says so', async () => {
      await look({ alone: true }, async (page) => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto('/pay/waiting');
        await page.getByRole('button', { name: 'Copy: IBAN' }).click();
        await expect.poll(() => page.locator('#live').textContent()).toBe('Copied');
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe('DE89370400440532013000');
      });
    });
    it('shows what has changed as soon as it is told, and what has not stays', async () => {
      live = {};
      await look({}, async (page) => {
        const listening = page.waitForResponse(/live\/status/);
        await page.goto('/pay/live');
        await listening;
        await page.evaluate('void (window.stays = true)');
        live = { state: 'paid', payment: { ...viewNamed('paid', 'en').payment! }, version: 'two' };
        tell('event: status\ndata: {}\n\n');
        await expect.poll(() => page.locator('h1').innerText()).toMatch(/^Paid/);
        expect(await page.title()).toBe('Paid · Café Zoë');
        await expect.poll(() => page.locator('#live').textContent()).toContain('Paid');
        expect(await page.evaluate('window.stays')).toBe(true);
        expect(await violations(page)).toEqual([]);
      });
    });
    it('does not take away what is being typed', async () => {
      live = { ...viewNamed('open-amount', 'en'), path: '/pay/live' };
      await look({}, async (page) => {
        const listening = page.waitForResponse(/live\/status/);
        await page.goto('/pay/live');
        await listening;
        await page.getByLabel('Amount').fill('17');
        live = { ...live, description: 'Something else' };
        tell('event: status\ndata: {}\n\n');
        await page.waitForTimeout(500);
        expect(await page.getByLabel('Amount').inputValue()).toBe('17');
      });
    });
    it('counts down', async () => {
      await look({}, async (page) => {
        await page.goto('/pay/open');
        const left = () => page.locator('.left').innerText();
        const first = await left();
        expect(first).toMatch(/^(?:1:00:00|0:59:5\d) left$/);
        await expect.poll(left).not.toBe(first);
      });
    });
  });

  describe('hostile text', () => {
    it.each([true, false])('stays text; scripts: %s', async (scripts) => {
      await look({ scripts }, async (page) => {
        await page.goto('/pay/hostile');
        expect(await page.title()).not.toBe('taken');
        expect(await page.locator('img').count()).toBe(0);
        expect(await page.getByText("<script>document.title='taken'</script>").count()).toBeGreaterThan(3);
      });
    });
  });

  describe('the receipt on paper', () => {
    it.each([false, true])('is dark on white on one sheet, and nothing to press; in the dark: %s', async (dark) => {
      await look({ alone: true, device: 'desktop', dark }, async (page) => {
        await page.goto('/pay/paid-too-much');
        await page.emulateMedia({ media: 'print' });
        const shown = await page.locator('body').innerText();
        for (const part of [
          'Paid',
          '€1,234.50',
          'Café Zoë',
          'Invoice 4711',
          'RF18 5390 0754 7034',
          '21 November 2026',
        ]) {
          expect(shown).toContain(part);
        }
        expect(await page.locator('button:visible, a:visible, input:visible').count()).toBe(0);
        const [ink, paper] = await page.evaluate<[string, string]>(
          '[getComputedStyle(document.querySelector("h1")).color, getComputedStyle(document.body).backgroundColor]',
        );
        expect(Math.max(...channels(ink))).toBeLessThan(64);
        expect(channels(paper)[3] ?? 1).toBe(0);
        const pdf = await page.pdf({ format: 'A4' });
        expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
        if (!dark) await screenshot(page, 'paid-print');
      });
    });
  });
});

function channels(colour: string): number[] {
  return [...colour.matchAll(/[\d.]+/g)].map(([number]) => Number(number));
}
