/**
 * The documentation site as it is built and served: no link and no anchor leads nowhere, the policy refuses nothing, axe finds
 * nothing, on a phone and a desk, light and dark, with scripts and without. A page is there within a second, and the search finds
 * first what readers look for. The build takes minutes on a busy machine, so `npm run soak -- ci` checks the sources: `test/docs-site.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { ERRORS } from '../../src/core/values/errors.ts';
import { buildServer } from '../../src/platform/http/server.ts';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'site/dist');
const BUILD_WITHIN_MS = 240_000;
const FIRST_VIEW_MS = 1_000;

/** One of each kind. */
const LOOKED_AT = [
  '/docs/',
  '/docs/guides/first-payout',
  '/docs/reference/',
  '/docs/reference/payouts/',
  '/docs/reference/payouts/create-payout',
  '/docs/concepts',
  '/docs/glossary',
  '/docs/troubleshooting',
  '/docs/moving',
  '/docs/errors',
  '/docs/webhooks',
];

/** What is typed → the place that has to be found first. */
const SEARCHES: Readonly<Record<string, string>> = {
  refund: 'payment-links#sending-money-back',
  'failed payout': 'troubleshooting#a-payout-failed',
  glossary: 'glossary#glossary',
  webhook: 'webhooks#webhooks',
  'webhook not arriving': 'troubleshooting#a-webhook-does-not-arrive',
  'create a payout': 'reference/payouts/create-payout#create-a-payout',
  balance_insufficient: 'errors#balance_insufficient',
  idempotency: 'guides/retries#retries',
  401: 'troubleshooting#the-key-is-not-accepted-401',
  'port in use': 'troubleshooting#the-service-does-not-start',
  'stripe migration': 'moving#moving-from-stripe-or-wise',
  memory: 'sizing#sizing',
  'minor units': 'guides/integrating#amounts',
  ruby: 'webhooks#your-receiver',
  'verify signature': 'webhooks#your-receiver',
};

interface Found {
  readonly id: string;
}
interface Search {
  search(query: string): readonly Found[];
}
/** The program and the options with which a page searches, on the index that was built: of `VPLocalSearchBox.vue` and `config.mjs`. */
async function builtSearch(fields: Readonly<Record<string, number>>): Promise<Search> {
  const miniSearch = createRequire(join(ROOT, 'site/package.json'))('minisearch') as {
    loadJSON(index: string, options: unknown): Search;
  };
  const chunk = Object.keys(files).find((file) => file.includes('@localSearchIndex')) ?? '';
  const { default: index } = (await import(pathToFileURL(join(SITE, chunk)).href)) as { readonly default: string };
  return miniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text', 'keywords'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: fields },
  });
}

/** Of what is read: text, its ground, links, code of each kind; of those that the page has. */
const COLORS = `(() => {
  const places = ['body', 'main h1', 'main p', 'main a[href]', '.method.get', '.method.post', '.required', '.type', '.caption', 'pre .token-string', 'pre .token-function', 'pre .token-keyword'];
  const styleOf = (place) => getComputedStyle(document.querySelector(place));
  return Object.fromEntries([...places.filter((place) => document.querySelector(place) !== null).map((place) => [place, styleOf(place).color]), ['ground', styleOf('body').backgroundColor], ['ground of code', styleOf('div[class*=language-]').backgroundColor]]);
})()`;

let server: FastifyInstance;
let address = '';
let files: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  const built = spawnSync(process.execPath, ['scripts/run.mjs', 'docs', '--if-old'], { cwd: ROOT, encoding: 'utf8' });
  expect([built.status, built.stderr]).toEqual([0, built.stderr]);
  files = (JSON.parse(readFileSync(join(SITE, 'site.json'), 'utf8')) as { files: typeof files }).files;
  server = buildServer({
    config: { ...loadConfig({}), keylessRequestsPerSecond: 0, publicUrl: '', version: '1' },
    routes: [],
    schemas: {},
    authenticate: () => null,
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    readiness: () => null,
    docsFolder: SITE,
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}, BUILD_WITHIN_MS);
afterAll(() => server?.close());

describe('every page', () => {
  const idsIn = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string));
  const pageOf = (path: string) => (path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`);

  it('leads to pages, files and places that exist', () => {
    const pages = Object.keys(files).filter((file) => file.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(100);
    const texts = new Map(pages.map((file) => [file, readFileSync(join(SITE, file), 'utf8')]));
    const ids = new Map([...texts].map(([file, html]) => [file, idsIn(html)]));
    const dead = [...texts].flatMap(([file, html]) =>
      [...html.matchAll(/ (?:href|src)="(\/docs\/[^"]*|#[^"]*)"/g)].flatMap(([, link = '']) => {
        const [path = '', anchor] = link.split('#', 2);
        const below = decodeURIComponent(path.slice('/docs/'.length));
        const target = path === '' ? file : files[below] === undefined ? pageOf(below) : below;
        const found = files[target] !== undefined;
        const hasPlace = anchor === undefined || anchor === '' || ids.get(target)?.has(decodeURIComponent(anchor));
        return found && hasPlace === true ? [] : [`${file} → ${link}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it('asks no other host for anything', () => {
    const asked = Object.keys(files)
      .filter((file) => /\.(?:html|css)$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(SITE, file), 'utf8').matchAll(
          /(?:<(?:script|link|img)[^>]* (?:src|href)=|url\()"?(?:https?:)?\/\/[^"')]*/g,
        ),
      ]);
    expect(asked.map(([text]) => text)).toEqual([]);
  });

  it('the errors page has a place for every code', () => {
    const ids = idsIn(readFileSync(join(SITE, 'errors.html'), 'utf8'));
    expect(Object.keys(ERRORS).filter((code) => !ids.has(code))).toEqual([]);
  });
});

describe('the search', () => {
  const first = ({ search }: { readonly search: Search }) =>
    Object.keys(SEARCHES).map((query) => [query, search.search(query)[0]?.id.replace('/docs/', '')]);

  it('finds first what readers look for', async () => {
    const search = await builtSearch({ keywords: 8, title: 4, text: 2, titles: 1 });
    expect(Object.fromEntries(first({ search }))).toEqual(SEARCHES);
  });
  it('control: without the words of readers it does not', async () => {
    const search = await builtSearch({ keywords: 0, title: 4, text: 2, titles: 1 });
    const found = first({ search }).filter(([query, place]) => SEARCHES[query as string] !== place);
    expect(found.map(([query]) => query)).toEqual(expect.arrayContaining(['refund', 'idempotency', 'memory']));
  });
  it('asks as a page asks', () => {
    const config = readFileSync(join(ROOT, 'site/.vitepress/config.mjs'), 'utf8');
    expect(config).toContain('fuzzy: 0.2, prefix: true, boost: { keywords: 8, title: 4, text: 2, titles: 1 }');
    expect(config).toContain("fields: ['title', 'titles', 'text', 'keywords']");
  });
});

describe.skipIf(withoutBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.stop());

  it.each([
    ['phone', { device: 'phone' }],
    ['phone, dark', { device: 'phone', dark: true }],
    ['desk, no scripts', { device: 'desktop', scripts: false }],
    ['desk, dark', { device: 'desktop', dark: true }],
  ] as const)('can be read by everybody: %s', async (_, options) => {
    const opened = await browser.openPage({ address, ...options });
    const complaints: Record<string, readonly string[]> = {};
    for (const path of LOOKED_AT) {
      await opened.page.goto(path);
      complaints[path] = [...(await violations(opened.page)), ...(await tooWide(opened.page))];
    }
    await opened.close(); // fails on what the policy refused
    expect(complaints).toEqual(Object.fromEntries(LOOKED_AT.map((path) => [path, []])));
  });

  it('has the same colours without scripts, in the light and in the dark', async () => {
    const colors = async (options: { readonly dark: boolean; readonly scripts: boolean }) => {
      const opened = await browser.openPage({ address, ...options });
      const found: Record<string, string> = {};
      for (const path of ['/docs/reference/payouts/retrieve-payout', '/docs/reference/payouts/create-payout']) {
        await opened.page.goto(path);
        Object.assign(found, await opened.page.evaluate<Record<string, string>>(COLORS));
      }
      await opened.close();
      return found;
    };
    const light = await colors({ dark: false, scripts: true });
    const dark = await colors({ dark: true, scripts: true });
    expect(await colors({ dark: false, scripts: false })).toEqual(light);
    expect(await colors({ dark: true, scripts: false })).toEqual(dark);
    expect(Object.keys(light).length).toBe(14);
    for (const [name, color] of Object.entries(light)) expect([name, dark[name]]).not.toEqual([name, color]);
  });

  it('without scripts a phone has text and menu', async () => {
    const opened = await browser.openPage({ address, scripts: false });
    await opened.page.goto('/docs/guides/retries');
    expect(await opened.page.locator('main h1').innerText()).toContain('Retries');
    await opened.page.getByRole('link', { name: 'Webhooks' }).first().click();
    await opened.page.waitForURL('**/docs/webhooks');
    await opened.close();
  });

  it('is seen within a second, with nothing kept', async () => {
    const took: number[] = [];
    const paths = ['/docs/', '/docs/errors#balance_insufficient', '/docs/reference/payouts/create-payout'];
    for (const path of [...paths, ...paths]) {
      const opened = await browser.openPage({ address, device: 'desktop' });
      await opened.page.goto(path);
      const paint = `new Promise((tell) => new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').forEach((each) => tell(each.startTime))).observe({ type: 'paint', buffered: true }))`;
      took.push(await opened.page.evaluate<number>(paint));
      await opened.close();
    }
    console.log(
      `first view of home, errors, an operation, twice: ${took.map((each) => Math.round(each)).join(', ')} ms`,
    );
    const best = paths.map((_, at) => Math.min(took[at] ?? 0, took[at + paths.length] ?? 0)); // the machine may be busy
    expect(Math.max(...best)).toBeLessThan(FIRST_VIEW_MS);
  });

  it.each(Object.entries(SEARCHES).slice(0, 3))('finds %s first, and goes there', async (query, place) => {
    const opened = await browser.openPage({ address, device: 'desktop' });
    await opened.page.goto('/docs/guides/statements');
    await opened.page.getByRole('button', { name: 'Search' }).click();
    await opened.page.locator('#localsearch-input').fill(query);
    await opened.page.locator('#localsearch-list a').first().click();
    await opened.page.waitForURL(`**/docs/${place}`);
    await opened.close(); // fails on what the policy refused
  });

  it('leads from the place that an operation had on the page of its tag to the operation', async () => {
    const opened = await browser.openPage({ address, device: 'desktop' });
    await opened.page.goto('/docs/reference/payouts#createPayout');
    await opened.page.locator('#createPayout a').click();
    await opened.page.waitForURL('**/docs/reference/payouts/create-payout');
    await opened.close();
  });
});
