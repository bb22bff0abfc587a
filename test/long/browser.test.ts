/** What the tests of pages ask of a real browser: each question finds a fault that was put there, and none where there is none. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import {
  type Browser,
  DEVICES,
  enlargeText,
  type PageOptions,
  screenshot,
  startBrowser,
  tabStops,
  tooWide,
  violations,
  withoutBrowser,
} from '../support/browser/browser.ts';
import { type PageServer, type ServedPage, servePages } from '../support/browser/page-server.ts';

const page = (body: string, head = ''): ServedPage => ({
  body: `<!doctype html><html lang="en"><head><title>A page</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/style.css">${head}</head><body><main><h1>A page</h1>${body}</main></body></html>`,
});
const file = (contentType: string, body: string): ServedPage => ({ contentType, body });
const withScript = (name: string) => page('', `<script src="/${name}.js"></script>`);
/** A policy that lets everything pass, for what ours would refuse before it goes wrong. */
const lax = (served: ServedPage): ServedPage => ({
  ...served,
  headers: { 'content-security-policy': 'default-src * data:' },
});

const STYLE = `
  html { font-size: 100% } body { font-size: 1rem } .fixed { font-size: 14px }
  a, button { display: inline-block; min-height: 24px }
  .unmarked:focus { outline: none } .unseen:focus { outline: 0 } .clear:focus { outline: 3px solid transparent }
  .pale { color: #999; background: #fff }
  .tiny { min-height: 0; width: 10px; height: 10px; padding: 0; border: 0; font-size: 4px }
  .wide { width: 700px }
  .covered { position: absolute; top: 200px; left: 0 }
  .cover { position: absolute; top: 190px; left: 0; width: 200px; height: 60px; background: #fff }
  @media (prefers-color-scheme: dark) { body { background: rgb(1, 2, 3); color: #fff } }`;

const PAGES: Readonly<Record<string, ServedPage>> = {
  '/style.css': file('text/css', STYLE),
  '/good': page(
    '<p>Nothing is wrong here.</p><a href="/good">Again</a> <button>Pay</button>',
    '<script src="/good.js"></script>',
  ),
  '/good.js': file('text/javascript', 'document.documentElement.title = "ran"; console.log("all is well");'),
  // What axe-core is to find.
  '/no-alt': page('<img src="/dot.svg">'),
  '/dot.svg': file('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  '/pale': page('<p class="pale">Hard to read</p>'),
  '/unnamed': page('<button></button><input name="amount">'),
  '/no-language': { body: '<!doctype html><title>A page</title><h1>A page</h1>' },
  '/tiny': page('<button class="tiny">a</button><button class="tiny">b</button>'),
  // What happens behind a page's back.
  '/inline-script': page('<script>document.title = "ran"</script>'),
  '/inline-style': page('<p style="color: red">Red</p>'),
  '/data-image': page('<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'),
  '/says-error': withScript('says-error'),
  '/says-error.js': file('text/javascript', 'console.error("this is bad")'),
  '/warns': withScript('warns'),
  '/warns.js': file('text/javascript', 'console.warn("this is odd")'),
  '/throws': withScript('throws'),
  '/throws.js': file('text/javascript', 'throw new Error("out of paper")'),
  '/rejects': withScript('rejects'),
  '/rejects.js': file('text/javascript', 'void Promise.reject(new Error("out of ink"))'),
  '/missing-image': page('<img alt="" src="/gone.png">'),
  '/elsewhere': lax(page('<img alt="" src="http://tracker.example/dot.gif">')),
  '/socket': lax(withScript('socket')),
  '/socket.js': file('text/javascript', 'new WebSocket("ws://tracker.example/")'),
  '/cut': page('<img alt="" src="/cut-off">'),
  '/opens': page('<a href="/says-error" target="_blank">More</a>'),
  '/posts-elsewhere': page('<form method="post" action="http://thief.example/"><button>Pay</button></form>'),
  '/listens': withScript('listens'),
  '/listens.js': file('text/javascript', 'new EventSource("/stream")'),
  // For the other questions.
  '/tab': page(
    '<a href="/good">First</a><button>Second</button><p>text</p><button tabindex="-1">Never</button>' +
      '<button disabled>Nor this</button><label>Amount <input></label><button class="unmarked" aria-label="Last: it&#39;s">Text</button>',
  ),
  '/unmarked': page(['unmarked', 'unseen', 'clear'].map((name) => `<button class="${name}">Pay</button>`).join('')),
  '/covered': page('<button class="covered">Under</button><div class="cover"></div><button>Beside</button>'),
  '/trap': page('<button>In</button><button>Out</button>', '<script src="/trap.js"></script>'),
  '/trap.js': file(
    'text/javascript',
    'addEventListener("keydown", (event) => { event.preventDefault(); document.querySelector("button:not(:focus)").focus(); })',
  ),
  '/wide': page('<div class="wide">Too wide for a phone</div>'),
  '/text': page('<p>Grows</p><p class="fixed">Does not</p>'),
};

describe.skipIf(withoutBrowser).concurrent('a real browser', () => {
  let browser: Browser;
  let server: PageServer;

  beforeAll(async () => {
    server = await servePages(({ pathname }, request) => {
      if (pathname === '/cut-off') request.socket.destroy();
      if (pathname === '/stream') return { ...file('text/event-stream', ': hello\n\n'), goesOn: () => {} };
      return PAGES[pathname] ?? null;
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  /** Opens a page for this case; what the case has not closed is closed behind it. */
  const see = async (
    path: string,
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    options: Partial<PageOptions> = {},
  ) => {
    const opened = await browser.openPage({ address: server.address, ...options });
    onTestFinished(() => opened.close().catch(() => {}));
    await opened.page.goto(path);
    return opened;
  };

  describe('without and with scripts', () => {
    it.for([true, false])('finds nothing on a page without faults; scripts: %s', async (scripts, here) => {
      const { page, faults, close } = await see('/good', here, { scripts });
      expect(await violations(page)).toEqual([]);
      expect(await tooWide(page)).toEqual([]);
      expect(await page.locator('html').getAttribute('title')).toBe(scripts ? 'ran' : null);
      expect(await faults()).toEqual([]);
      await close();
    });
    it('leaves scripts off after axe-core has run', async (here) => {
      const { page } = await see('/good', here, { scripts: false });
      await violations(page);
      await page.goto('/good');
      expect(await page.locator('html').getAttribute('title')).toBeNull();
    });
  });

  describe('axe-core', () => {
    it.for<[string, RegExp]>([
      ['/no-alt', /^image-alt: .* at img/],
      ['/pale', /^color-contrast: .* at p/],
      ['/unnamed', /^button-name: .* at button/],
      ['/unnamed', /^label: .* at input/],
      ['/no-language', /^html-has-lang: /],
      ['/tiny', /^target-size: /],
    ])('finds the fault of %s: %s', async ([path, complaint], here) => {
      const { page } = await see(path, here);
      expect(await violations(page)).toContainEqual(expect.stringMatching(complaint));
    });
    it('finds a fault on a page without scripts', async (here) => {
      const { page } = await see('/no-alt', here, { scripts: false });
      expect(await violations(page)).toEqual([expect.stringMatching(/^image-alt/)]);
    });
    it('looks at what is there at the moment', async (here) => {
      const { page } = await see('/good', here);
      expect(await violations(page)).toEqual([]);
      await page.evaluate('document.querySelector("button").textContent = ""');
      expect(await violations(page)).toEqual([expect.stringMatching(/^button-name/)]);
    });
  });

  describe('fails a page behind whose back', () => {
    it.for<[string, string, RegExp]>([
      ['a script was refused', '/inline-script', /refused by the policy: script-src-elem inline/],
      ['a style was refused', '/inline-style', /refused by the policy: style-src-attr inline/],
      ['a picture was refused', '/data-image', /refused by the policy: img-src data/],
      ['an error was said', '/says-error', /console: this is bad/],
      ['a warning was said', '/warns', /console: this is odd/],
      ['a script threw', '/throws', /script: out of paper/],
      ['a promise was rejected', '/rejects', /script: out of ink/],
      ['something was missing', '/missing-image', /status of 404 .*gone\.png/],
      ['another host was asked', '/elsewhere', /another host: http:\/\/tracker\.example/],
      ['another host was called', '/socket', /another host: ws:\/\/tracker\.example/],
      ['an answer was cut', '/cut', /failed: GET .*cut-off net::ERR_EMPTY_RESPONSE/],
    ])('%s', async ([, path, fault], here) => {
      const { faults, close } = await see(path, here);
      await here.expect.poll(async () => (await faults()).join('\n')).toMatch(fault);
      await expect(close()).rejects.toThrow(fault);
    });
    it('without scripts, a style was refused', async (here) => {
      const { close } = await see('/inline-style', here, { scripts: false });
      await expect(close()).rejects.toThrow(/violates the following Content Security Policy/);
    });
    it('a window was opened that says an error', async (here) => {
      const { page, close } = await see('/opens', here);
      const [other] = await Promise.all([page.context().waitForEvent('page'), page.getByText('More').click()]);
      await other.waitForLoadState();
      await expect(close()).rejects.toThrow('this is bad');
    });
    it('a form would have gone elsewhere', async (here) => {
      const { page, faults, close } = await see('/posts-elsewhere', here);
      await page.getByRole('button').click({ noWaitAfter: true });
      await here.expect.poll(async () => (await faults()).length).toBeGreaterThan(0);
      await expect(close()).rejects.toThrow(/refused by the policy: form-action http:\/\/thief\.example/);
    });
    it('the same, when nobody closes it', async () => {
      const second = await startBrowser();
      const { page } = await second.openPage({ address: server.address });
      await page.goto('/says-error');
      await expect(second.stop()).rejects.toThrow('this is bad');
    });
  });

  describe('takes for no fault', () => {
    it('a page of a status that was expected, and only that page', async (here) => {
      const expecting = await see('/nowhere', here, { statuses: [404] });
      await expecting.close();
      const other = await see('/missing-image', here, { statuses: [404] });
      await expect(other.close()).rejects.toThrow('gone.png');
      const plain = await see('/nowhere', here);
      await expect(plain.close()).rejects.toThrow('status of 404');
    });
    it('a host that is named', async (here) => {
      const { faults } = await see('/elsewhere', here, { others: ['http://tracker.example'] });
      await here.expect.poll(async () => (await faults()).join()).toContain('failed: GET http://tracker.example');
      expect((await faults()).filter((fault) => fault.startsWith('another host'))).toEqual([]);
    });
    it('a stream of events that is cut when its page goes', async (here) => {
      const { page, close } = await see('/good', here);
      const listening = page.waitForResponse(/stream/);
      await page.goto('/listens');
      await listening;
      await page.goto('/good');
      await close();
    });
  });

  describe('the Tab key', () => {
    it.for([true, false])('leads through what can be used, in order; scripts: %s', async (scripts, here) => {
      const { page } = await see('/tab', here, { scripts });
      expect(await tabStops(page)).toEqual([
        { says: 'link "First"', seen: true, marked: true },
        { says: 'button "Second"', seen: true, marked: true },
        { says: 'textbox "Amount"', seen: true, marked: true },
        { says: 'button "Last: it\'s"', seen: true, marked: false },
      ]);
    });
    it('is seen to leave no mark', async (here) => {
      const { page } = await see('/unmarked', here);
      expect((await tabStops(page)).map(({ marked }) => marked)).toEqual([false, false, false]);
    });
    it('is seen to lead under something', async (here) => {
      const { page } = await see('/covered', here);
      expect((await tabStops(page)).map(({ seen }) => seen)).toEqual([false, true]);
    });
    it('is told to be caught', async (here) => {
      const { page } = await see('/trap', here);
      await expect(tabStops(page)).rejects.toThrow('The Tab key does not leave the page');
    });
  });

  it('shows what is too wide, on a phone and in a narrow window', async (here) => {
    for (const options of [{}, { width: 320 }, { device: 'desktop', width: 600 }] as const) {
      const { page } = await see('/wide', here, options);
      expect((await tooWide(page)).join()).toContain('class="wide"');
    }
    const { page } = await see('/wide', here, { device: 'desktop' });
    expect(await tooWide(page)).toEqual([]);
  });

  it('enlarges text that is measured in the size of the visitor, and no other', async (here) => {
    const { page } = await see('/text', here);
    await enlargeText(page, 2);
    const sizes = await page.evaluate('[...document.querySelectorAll("p")].map((p) => getComputedStyle(p).fontSize)');
    expect(sizes).toEqual(['32px', '14px']);
  });

  it('is the device, the language and the colour scheme that was asked for', async () => {
    let asked: string | undefined;
    const listening = await servePages((_, { headers }) => {
      asked = headers['accept-language'];
      return page('');
    });
    const { page: phone, close } = await browser.openPage({ address: listening.address, language: 'de', dark: true });
    await phone.goto('/');
    expect(asked).toMatch(/^de/);
    const seen = await phone.evaluate(
      '[innerWidth, devicePixelRatio, matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(hover: none)").matches]',
    );
    expect(seen).toEqual([DEVICES.phone.viewport.width, 2, true, true]);
    await close().catch(() => {}); // its style sheet is the page itself
    await listening.stop();
  });

  it('keeps a picture only when it is told to', async (here) => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-pictures-'));
    const { page } = await see('/good', here);
    vi.stubEnv('BURSAR_SCREENSHOTS', '');
    await screenshot(page, 'good', folder);
    expect(existsSync(join(folder, 'good.png'))).toBe(false);
    vi.stubEnv('BURSAR_SCREENSHOTS', '1');
    await screenshot(page, 'good', folder);
    vi.unstubAllEnvs();
    expect(readFileSync(join(folder, 'good.png')).subarray(1, 4).toString()).toBe('PNG');
    rmSync(folder, { recursive: true });
  });
});
