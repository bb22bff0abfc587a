/**
 * Every payment page in a browser, without a service behind it: what `test/long/small/pages.test.ts` asks of a few pages on a few screens, and
 * `test/long/pages.test.ts` of all of them on all. It takes the pictures for `docs/img`, when it is told to. Next: `views.ts` for what
 * the pages show, `questions.ts` and `browser.ts` for what is asked.
 */
import type { Page } from 'playwright-core';
import { ASSETS, accentSheet } from '../../../src/collecting/checkout/html/assets.ts';
import { languageOf } from '../../../src/collecting/checkout/html/languages.ts';
import { renderFault, renderPage } from '../../../src/collecting/checkout/html/render.ts';
import type { PageView } from '../../../src/collecting/checkout/html/view.ts';
import {
  enlargeText,
  type OpenPage,
  type PageOptions,
  screenshot,
  startBrowser,
  type TabStop,
  tabStops,
  tooWide,
  violations,
} from './browser.ts';
import { type ServedPage, servePages } from './page-server.ts';
import { type ReadQr, readQr } from './qr.ts';
import { coveredText, smallTargets } from './questions.ts';
import { VIEWS, type ViewName, viewNamed } from './views.ts';

const NAMES = Object.keys(VIEWS) as ViewName[];
const FAULTS = ['not_found', 'too_many', 'unavailable'] as const;
export type PageName = ViewName | (typeof FAULTS)[number];
export const ALL_PAGES: readonly PageName[] = [...NAMES, ...FAULTS];

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" rx="8" fill="#0b6e4f"/>
  <circle cx="30" cy="20" r="11" fill="#f4d35e"/></svg>`;

type Look = Omit<PageOptions, 'address'>;

export const SCREENS = {
  phone: { device: 'phone' },
  'phone-dark': { device: 'phone', dark: true, scripts: false, language: 'de' },
  desktop: { device: 'desktop', scripts: false, language: 'fr' },
  'desktop-dark': { device: 'desktop', dark: true, language: 'es' },
} as const satisfies Readonly<Record<string, Look>>;
export type Screen = keyof typeof SCREENS;

/** Looked at, and no picture for the documentation. */
const ODD: readonly PageName[] = ['long', 'hostile', 'no-decimals', 'three-decimals', 'right-to-left'];
/** Pages whose pictures are kept, by the screen they are seen on */
const KEPT: Readonly<Record<Screen, readonly PageName[]>> = {
  phone: NAMES.filter((name) => !ODD.includes(name)),
  'phone-dark': ['open', 'waiting', 'paid'],
  desktop: ['waiting'],
  'desktop-dark': ['waiting-sandbox', 'partly-paid', 'paid'],
};

const COMPANY_LINKS = ['hello@zoe.example', '+49 30 901820', 'Legal notice', 'Privacy'].map((name) => `link "${name}"`);
const LANGUAGE_LINKS = [...COMPANY_LINKS, 'link "English"', 'link "Deutsch"', 'link "Français"', 'link "Español"'];
/** On a screen that is wide nobody saves the picture: a phone scans it. */
export const SAVE = 'link "Save picture"';
const WAITING = ['link "Check again"', SAVE, 'button "Pay by card instead"', ...LANGUAGE_LINKS];
const COPY = ['Account holder', 'IBAN', 'BIC', 'Bank', 'Amount', 'Payment reference'];
const WAYS = ['button "Pay by bank transfer"', 'button "Pay by card"', ...LANGUAGE_LINKS];

/** Where the Tab key leads: the page, whether scripts run, what is said at each stop. */
export const STOPS: readonly (readonly [ViewName, boolean, readonly string[]])[] = [
  ['open', true, WAYS],
  ['open-amount', false, ['textbox "Amount"', ...WAYS]],
  ['waiting', false, WAITING],
  ['waiting', true, [WAITING[0] ?? '', ...COPY.map((label) => `button "Copy: ${label}"`), ...WAITING.slice(1)]],
  ['paid', false, ['link "Continue to shop.example"', 'link "Download receipt (PDF)"', ...LANGUAGE_LINKS]],
  ['expired', true, LANGUAGE_LINKS],
];

/** Buttons that work without scripts: the page, the button, and where it sends which field. */
export const BUTTONS = [
  ['open', 'Pay by card', '/pay/open?lang=en', { method: 'card' }],
  ['waiting-sandbox', 'Pay partly', '/pay/waiting-sandbox/simulate?lang=en', { outcome: 'partial' }],
  ['paid-too-much', 'Pay once more', '/pay/paid-too-much/simulate?lang=en', { outcome: 'twice' }],
] as const;

interface Sent {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

export interface PaymentPages {
  /** What forms have sent. */
  readonly sent: readonly Sent[];
  /** What is wrong with each of these pages on a screen: against WCAG, too wide, covered, too small to be hit. */
  complaints(screen: Screen, pages: readonly PageName[]): Promise<Record<string, readonly string[]>>;
  /** Where pages must be scrolled sideways, or lie over themselves, with text at a multiple of its size. */
  sideways(language: string, width: number, times: number, pages: readonly PageName[]): Promise<readonly string[]>;
  /** The code that a page shows. */
  qrOf(options: Look, name: ViewName): Promise<ReadQr>;
  stopsOf(options: Look, name: ViewName): Promise<readonly TabStop[]>;
  /** Presses a button of a page without scripts; resolves with what was sent. */
  press(name: ViewName, button: string): Promise<Sent | undefined>;
  /** Types an amount and sends it with Enter; resolves with what was sent. */
  typeAmount(scripts: boolean): Promise<Sent | undefined>;
  /** What `/pay/live` shows from now on, beside what a waiting page shows. */
  show(view: Partial<PageView>): void;
  /** Writes this to whoever follows `/pay/live`. */
  tell(text: string): void;
  /**
   * Looks at pages through a window, and fails when anything went wrong behind their backs. Looks with the same options share
   * one, since a new one takes longer than most looks; `alone` is for a look that changes the window itself.
   */
  look<Result>(options: Look & { readonly alone?: boolean }, at: (page: Page) => Promise<Result>): Promise<Result>;
  /** Rejects with the faults of pages that nobody closed. */
  end(): Promise<void>;
}

/** One browser and one server of pages, for a file. */
export async function paymentPages(): Promise<PaymentPages> {
  const sent: Sent[] = [];
  let live: Partial<PageView> = {};
  let tell: (text: string) => void = () => {};
  const windows = new Map<string, OpenPage>();

  function answer({ pathname, searchParams, search }: URL, language: string | undefined): ServedPage | null {
    const [, , name = '', below] = pathname.split('/');
    const wanted = languageOf(searchParams.get('lang') ?? undefined, language);
    if (name === 'assets') return asset(below ?? '');
    if (below === 'code.png' || below === 'receipt.pdf')
      return { contentType: 'application/octet-stream', body: 'a file' };
    if (name === 'logo.svg') return { contentType: 'image/svg+xml', body: LOGO };
    const stream = { contentType: 'text/event-stream', body: ': hello\n\n' };
    if (below === 'status') return { ...stream, goesOn: (write) => void (tell = name === 'live' ? write : tell) };
    const fault = FAULTS.find((each) => each === name);
    if (fault !== undefined) return { body: renderFault(wanted, fault) };
    if (name === 'live') return { body: renderPage({ ...viewNamed('waiting', wanted), path: '/pay/live', ...live }) };
    if (!Object.hasOwn(VIEWS, name)) return null;
    if (!/^(?:\?lang=[a-z]{2}(?:&method=bank_transfer)?)?$/.test(search)) return null;
    return { body: renderPage(viewNamed(name as ViewName, wanted)) };
  }

  const server = await servePages((url, request, form) => {
    if (request.method !== 'POST') return answer(url, request.headers['accept-language']);
    sent.push({ path: url.pathname + url.search, form: Object.fromEntries(form) });
    return { status: 303, headers: { location: `/pay/waiting${url.search}` }, body: '' };
  });
  const browser = await startBrowser();

  const look: PaymentPages['look'] = async ({ alone = false, ...options }, at) => {
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
  };

  return {
    sent,
    look,
    show: (view) => void (live = view),
    tell: (text) => tell(text),
    complaints: (screen, pages) =>
      look(SCREENS[screen], async (page) => {
        const found: Record<string, readonly string[]> = {};
        for (const name of pages) {
          const isKept = KEPT[screen].includes(name);
          if (screen === 'desktop' && isKept) {
            await page.goto(`/pay/${name}?lang=en`); // the README's picture is in its language
            await screenshot(page, `${name}-${screen}`);
          }
          await page.goto(`/pay/${name}`);
          if (screen !== 'desktop' && isKept) await screenshot(page, `${name}-${screen}`);
          const questions = [violations, tooWide, coveredText, smallTargets];
          const answers: string[] = [];
          for (const question of questions) answers.push(...(await question(page)));
          found[name] = answers;
        }
        return found;
      }),
    sideways: (language, width, times, pages) =>
      look({ alone: true, width, language, scripts: width === 390 }, async (page) => {
        const found: string[] = [];
        await enlargeText(page, times);
        for (const name of pages) {
          await page.goto(`/pay/${name}`);
          const size = await page.evaluate('getComputedStyle(document.body).fontSize');
          const complaints = [...(await tooWide(page)), ...(await coveredText(page))];
          if (size !== `${16 * times}px`) complaints.push(`text stays at ${String(size)}`);
          found.push(...complaints.map((complaint) => `${name}: ${complaint}`));
        }
        return found;
      }),
    qrOf: (options, name) =>
      look(options, async (page) => {
        await page.goto(`/pay/${name}`);
        return readQr(await page.locator('.qr').screenshot());
      }),
    stopsOf: (options, name) =>
      look(options, async (page) => {
        await page.goto(`/pay/${name}`);
        return tabStops(page);
      }),
    press: (name, button) =>
      look({ scripts: false }, async (page) => {
        await page.goto(`/pay/${name}`);
        await page.getByRole('button', { name: button, exact: true }).click();
        await page.waitForURL('**/pay/waiting?lang=en');
        return sent.at(-1);
      }),
    typeAmount: (scripts) =>
      look({ scripts, language: 'de' }, async (page) => {
        await page.goto('/pay/open-amount');
        await page.getByLabel('Betrag').fill('12,50');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/pay/waiting?lang=de');
        return sent.at(-1);
      }),
    async end() {
      await browser.stop();
      await server.stop();
    },
  };
}

function asset(name: string): ServedPage | null {
  const colour = /^accent-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  return colour === undefined ? (ASSETS.get(name) ?? null) : { contentType: 'text/css', body: accentSheet(colour) };
}
