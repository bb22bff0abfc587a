/**
 * A real browser for tests: pages as a phone or a desk shows them, with and without scripts, and the questions a person
 * would ask of them. What goes wrong behind a page's back (a refusal by its policy, an error on its console, a request
 * that fails or goes elsewhere) fails the test that closes it. It never asks another host: names lead nowhere. Next:
 * `chromium.ts` for which browser, `page-server.ts` for pages without a service behind them.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type BrowserContext, type CDPSession, chromium, type JSHandle, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { NO_BROWSER, requiresBrowser } from './chromium.ts';

export interface PageOptions {
  /** Where the page is served: `http://127.0.0.1:8080`. Paths are below it, and nothing else may be asked. */
  readonly address: string;
  /** Default: phone. */
  readonly device?: keyof typeof DEVICES;
  /** In CSS pixels, instead of the device's own. */
  readonly width?: number;
  /** Default: true. */
  readonly scripts?: boolean;
  readonly dark?: boolean;
  /** What the browser asks for (Accept-Language). Default: en. */
  readonly language?: string;
  /** Of the tz database. Default: that of this machine. */
  readonly timeZone?: string;
  /** Other origins that may be asked, like an acquirer's. */
  readonly others?: readonly string[];
  /** Statuses of whole pages that are no fault, like 404. */
  readonly statuses?: readonly number[];
  /** Statuses that are no fault of what a page asks for by itself, like 403 where a role may not. */
  readonly answers?: readonly number[];
}

/** A tab with nothing remembered of any other. */
export interface OpenPage {
  readonly page: Page;
  /** What went wrong so far, in words. */
  faults(): Promise<readonly string[]>;
  /** Rejects with the faults when there were any; a second time does nothing. */
  close(): Promise<void>;
}

export interface Browser {
  openPage(options: PageOptions): Promise<OpenPage>;
  /** Rejects with the faults of pages that nobody closed. */
  stop(): Promise<void>;
}

const PICTURES = fileURLToPath(new URL('../../../docs/img', import.meta.url));
/** A page of ours is there in a tenth of this on a busy machine. */
const PATIENCE_MS = 10_000;

export const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1, isMobile: false, hasTouch: false },
} as const;

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--font-render-hinting=none',
  // Nothing leaves the machine, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** What the functions that run inside a page use of it: the compiler is not told of a browser, since the service has none. */
interface PageElement {
  readonly outerHTML: string;
  readonly scrollWidth: number;
  contains(other: PageElement): boolean;
  getBoundingClientRect(): Readonly<Record<'left' | 'top' | 'right' | 'width' | 'height', number>>;
}
declare const document: {
  readonly activeElement: PageElement | null;
  readonly body: PageElement;
  readonly documentElement: PageElement;
  elementFromPoint(x: number, y: number): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
declare function getComputedStyle(element: PageElement): Readonly<Record<string, string>>;

const missing = inject('chromium') === '';

/** For `describe.skipIf`: what needs a browser is left out without one, unless BURSAR_REQUIRE_BROWSER=1. */
export const withoutBrowser = missing && !requiresBrowser(process.env);

/** One for a test file; pages are cheap (40 ms), it is not (1 s). */
export async function startBrowser(): Promise<Browser> {
  if (missing) throw new Error(NO_BROWSER);
  // As root there is no sandbox; what it would hold are pages of ours.
  const running = await chromium.launch({ executablePath: inject('chromium'), args: FLAGS, chromiumSandbox: false });
  const open = new Set<OpenPage>();
  return {
    async openPage(options) {
      const { device = 'phone', dark = false, language = 'en' } = options;
      const { viewport, ...screen } = DEVICES[device];
      const context = await running.newContext({
        ...screen,
        viewport: { ...viewport, ...(options.width !== undefined && { width: options.width }) },
        baseURL: options.address,
        colorScheme: dark ? 'dark' : 'light',
        locale: language,
        ...(options.timeZone !== undefined && { timezoneId: options.timeZone }),
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const tab = await watched(context, options);
      const opened: OpenPage = {
        ...tab,
        async close() {
          open.delete(opened);
          await tab.close();
        },
      };
      open.add(opened);
      return opened;
    },
    async stop() {
      const left = await Promise.allSettled([...open].map((page) => page.close()));
      await running.close();
      const why = left.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []));
      if (why.length > 0) throw new Error(why.join('\n'));
    },
  };
}

/** Says on the console what a policy refused, before any script of the page runs. */
const REPORT_REFUSALS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('refused by the policy: ' + event.effectiveDirective + ' ' + (event.blockedURI || event.sample));
});`;

/** The connection that switched the scripts off is the one that can switch them on. */
const sessions = new WeakMap<Page, { readonly session: CDPSession; readonly scripts: boolean }>();

function sessionOf(page: Page): { readonly session: CDPSession; readonly scripts: boolean } {
  const found = sessions.get(page);
  if (!found) throw new Error('This page was not opened by openPage.');
  return found;
}

/** Watches every window of the context, so that what a page opens is watched too. */
async function watched(context: BrowserContext, options: PageOptions): Promise<OpenPage> {
  const { address, others = [], statuses = [], answers = [], scripts = true } = options;
  const allowed = new Set([address, ...others].map((each) => new URL(each).origin));
  const found: { readonly fault: string; readonly answered?: string }[] = [];
  /** `404 <url>` of whole pages whose status is no fault, and of what the browser asks for by itself. */
  const expected = new Set([`404 ${address}/favicon.ico`]);
  const asked = (url: string) => {
    const { protocol, origin } = new URL(url);
    if (/^(?:https?|wss?):$/.test(protocol) && !allowed.has(origin)) found.push({ fault: `another host: ${url}` });
  };
  context.on('request', (request) => asked(request.url()));
  context.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    if ((isPage ? statuses : answers).includes(response.status()))
      expected.add(`${response.status()} ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? 'no reason given';
    // What was under way when its page was left: a stream of events always is.
    if (why === 'net::ERR_ABORTED') return;
    // Without scripts, one that a page announces is not fetched.
    if (!scripts && why === 'csp' && request.resourceType() === 'script') return;
    found.push({ fault: `failed: ${request.method()} ${request.url()} ${why}` });
  });
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(message.text())?.[1];
    found.push({ fault: `console: ${message.text()} (${url})`, answered: `${status} ${url}` });
  });
  context.on('weberror', (thrown) => void found.push({ fault: `script: ${thrown.error().message}` }));
  await context.addInitScript(REPORT_REFUSALS);
  const page = await context.newPage();
  page.on('websocket', (socket) => asked(socket.url()));
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setScriptExecutionDisabled', { value: !scripts });
  sessions.set(page, { session, scripts });

  const faults = async () => {
    // What the page has said by now has arrived when it answers.
    await page.evaluate('0');
    const counted = found.filter(({ answered }) => answered === undefined || !expected.has(answered));
    return [...new Set(counted.map(({ fault }) => fault))];
  };
  return {
    page,
    faults,
    async close() {
      if (page.isClosed()) return;
      const seen = await faults();
      await context.close();
      if (seen.length > 0) throw new Error(`Behind the page's back:\n  ${seen.join('\n  ')}`);
    },
  };
}

/** The small form: the whole one takes a browser twice as long to read, on every page again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, levels A and AA. */
const RULES = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  resultTypes: ['violations'],
};

/**
 * What axe-core finds against WCAG 2.2 AA, a line for each place. Looks at what is there now. On a page without scripts
 * they are allowed for this look; the page's own have been passed over by then.
 */
export async function violations(page: Page): Promise<string[]> {
  const { session, scripts } = sessionOf(page);
  await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  await page.evaluate(AXE);
  const { found, passes } = await page.evaluate<{ found: AxeResults['violations']; passes: number }>(
    `axe.run(document, ${JSON.stringify(RULES)}).then(({ violations, passes }) => ({ found: violations, passes: passes.length }))`,
  );
  await session.send('Emulation.setScriptExecutionDisabled', { value: !scripts });
  if (passes === 0) throw new Error('axe-core found nothing to look at.');
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const why = failureSummary.split('\n').slice(1).join(';').replaceAll(/\s+/g, ' ').trim();
      return `${id}: ${help}, at ${target.flat().join(' ')}: ${why}`;
    }),
  );
}

export interface TabStop {
  /** Role and name as a screen reader says them: `button "Pay"`. */
  readonly says: string;
  /** Whether it looks different while it has the focus. */
  readonly marked: boolean;
  /** Whether some of it is inside the window, with nothing on top of it. */
  readonly seen: boolean;
}

/** More than a page of ours has, so that a trap ends. */
const STOPS_MAX = 40;

/** The first line of a snapshot, `- button "Pay"` or `- 'button "Copy: IBAN"': Copy`, without what is inside. */
const SAID = /^- '?([a-z]+(?: "(?:[^"\\]|\\.)*")?)/;

type Handle = JSHandle<PageElement>;

/** What tells an element with the focus from one without. An outline that nobody can see is none. */
function look(element: PageElement): string {
  const style = getComputedStyle(element);
  const { outlineStyle, outlineWidth, outlineColor } = style;
  const outlined = outlineStyle !== 'none' && outlineWidth !== '0px' && outlineColor !== 'rgba(0, 0, 0, 0)';
  const rest = ['boxShadow', 'border', 'background', 'textDecoration'].map((name) => style[name]);
  return [outlined && style['outline'], ...rest].join('|');
}

function isSeen(element: PageElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return width > 0 && height > 0 && found !== null && (element.contains(found) || found.contains(element));
}

/** Where the Tab key leads, from the top of the page until it leaves it. Throws where it never does. */
export async function tabStops(page: Page): Promise<TabStop[]> {
  await page.evaluate('void (document.activeElement?.blur(), scrollTo(0, 0))');
  const stops: { readonly says: string; readonly seen: boolean; readonly focused: string; readonly element: Handle }[] =
    [];
  for (;;) {
    await page.keyboard.press('Tab');
    const element: Handle = await page.evaluateHandle(() => document.activeElement ?? document.body);
    if (await element.evaluate((one) => one === document.body)) break;
    const first = stops[0]?.element ?? null;
    const around = await page.evaluate(([one, other]) => one === other, [element, first] as const);
    if (around || stops.length === STOPS_MAX) {
      throw new Error(`The Tab key does not leave the page: ${stops.map(({ says }) => says).join(', ')}`);
    }
    const [, says = ''] = SAID.exec(await page.locator(':focus').ariaSnapshot()) ?? [];
    const seen = await element.evaluate(isSeen);
    stops.push({ says: says.replaceAll("''", "'"), seen, focused: await element.evaluate(look), element });
  }
  const marked = await Promise.all(stops.map(async (stop) => (await stop.element.evaluate(look)) !== stop.focused));
  return stops.map(({ says, seen }, index) => ({ says, seen, marked: marked[index] as boolean }));
}

/** Whether the page must be scrolled sideways, as what sticks out; empty when all of it fits. */
export async function tooWide(page: Page): Promise<string[]> {
  // A phone zooms out for a page that is too wide: its own measure of the window is no measure.
  const window = page.viewportSize()?.width ?? 0;
  return page.evaluate((width) => {
    if (document.documentElement.scrollWidth <= width) return [];
    const out = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right, height } = element.getBoundingClientRect();
      return height > 0 && (right > width + 1 || left < -1);
    });
    return [`${document.documentElement.scrollWidth} px wide`, ...out.map(({ outerHTML }) => outerHTML.slice(0, 100))];
  }, window);
}

/** Text at a multiple of the size that the visitor's browser is set to, as people with weak eyes set it. */
export async function enlargeText(page: Page, times: number): Promise<void> {
  await sessionOf(page).session.send('Page.setFontSizes', { fontSizes: { standard: 16 * times, fixed: 13 * times } });
}

/** Keeps the page as it looks in `docs/img/<name>.png`, only when BURSAR_SCREENSHOTS=1: a picture is for people. */
export async function screenshot(page: Page, name: string, folder: string = PICTURES): Promise<void> {
  if (process.env['BURSAR_SCREENSHOTS'] !== '1') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, scale: 'css', animations: 'disabled' });
}
