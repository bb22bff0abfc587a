/**
 * What is asked of every page, whoever it is for: that nothing stands in the way of anybody (axe), that a phone need not be scrolled sideways,
 * that it has one heading and a title that names the mode, that the browser has nothing to say behind its back, and that each link leads to a
 * page. Pages are shared out among tabs.
 */
import type { Page } from 'playwright-core';
import { tooWide, violations } from '../browser/browser.ts';
import type { BrowserClient } from './browser-client.ts';
import type { Scene } from './scene.ts';
import type { NamedPage, TabOptions } from './tour.ts';

/** More than two cores keep busy gains nothing. */
const TABS = 3;

/** Does `work` for each of `items`, in tabs of that person beside each other; in no order. Rejects with the first failure. */
export async function inTabs<T>(
  scene: Scene,
  person: BrowserClient,
  options: TabOptions,
  items: readonly T[],
  work: (tab: Awaited<ReturnType<Scene['open']>>, item: T) => Promise<void>,
  tabs = TABS,
): Promise<void> {
  const left = [...items];
  const one = async () => {
    const tab = await scene.open(person, options);
    try {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(tab, item);
    } catch (error) {
      // A tab that stays goes on asking, and makes what follows slow.
      await tab.close().catch(() => undefined);
      throw error;
    }
    await tab.close();
  };
  await Promise.all(Array.from({ length: Math.min(tabs, items.length) }, one));
}

export interface Look {
  /** By the names of pages; empty where all is well. */
  readonly complaints: Readonly<Record<string, readonly string[]>>;
  /** Every address below `/dashboard` that a link of these pages has. */
  readonly links: ReadonlySet<string>;
}

/** `turns`: pages follow each other as by links, in place of a load each. */
export async function lookAt(
  scene: Scene,
  person: BrowserClient,
  pages: readonly NamedPage[],
  options: TabOptions & { readonly turns?: boolean } = {},
): Promise<Look> {
  const { turns = false, ...tabOptions } = options;
  const complaints: Record<string, readonly string[]> = {};
  const links = new Set<string>();
  const started = new WeakSet<Page>();
  const seen = new WeakMap<Page, number>();
  await inTabs(scene, person, tabOptions, pages, async ({ page, go, turn, faults }, [name, path]) => {
    await (turns && started.has(page) ? turn(path) : go(path));
    started.add(page);
    const found = [...(await violations(page)), ...(await tooWide(page)), ...(await headings(page, options.mode))];
    const said = await faults();
    complaints[name] = [...found, ...said.slice(seen.get(page) ?? 0)];
    seen.set(page, said.length);
    for (const link of await linksOf(page)) links.add(link);
  });
  return { complaints, links };
}

/** What is wrong with the heading of a page, and with the title of its tab. */
export async function headings(page: Page, mode: TabOptions['mode'] = 'sandbox'): Promise<string[]> {
  const title = await page.title();
  const heading = await page.locator('h1').allTextContents();
  const ends = ` · ${mode === 'live' ? 'Live' : 'Sandbox'} · Bursar`;
  return [
    ...(title.endsWith(ends) && title.length > ends.length && !title.startsWith('Nothing here')
      ? []
      : [`title: ${title}`]),
    ...(heading.length === 1 && heading[0] !== '' ? [] : [`headings: ${JSON.stringify(heading)}`]),
  ];
}

const linksOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('a[href^="/dashboard/"]')].map((link) => link.getAttribute('href'))`);

/** The links that lead to no page, with what stands there in its place. */
export async function deadLinks(scene: Scene, person: BrowserClient, links: readonly string[]): Promise<string[]> {
  const dead: string[] = [];
  await inTabs(scene, person, { answers: [404] }, links, async ({ page, go, turn }, link) => {
    const path = link.replace(/^\/dashboard\/sandbox/, '');
    await (page.url() === 'about:blank' ? go(path) : turn(path));
    const wrong = await headings(page);
    const nothing = await page.getByText('There is nothing under this address.').count();
    if (wrong.length > 0 || nothing > 0) dead.push(`${link}: ${wrong.join(', ')}`);
  });
  return dead;
}
