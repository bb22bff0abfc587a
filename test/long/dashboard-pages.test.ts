/**
 * Every page of the dashboard on every screen and in every state, over a company with thirty days behind it; every link; a list of thousands;
 * and how soon a first visitor sees what there is. A part of it with every change: `test/soak/dashboard-pages.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutBrowser } from '../support/browser/browser.ts';
import { type Scene, startScene } from '../support/dashboard/scene.ts';
import { emptyLists, inState, LISTS, STATES, substitute } from '../support/dashboard/states.ts';
import { deadLinks, lookAt } from '../support/dashboard/views.ts';
import { must } from '../support/harness/tenant-fixture.ts';

/** Of a first visit with an empty cache, on a machine that does nothing else; the middle one of five. */
const FIRST_VIEW_MS = 1_500;
const VISITS = 5;
/** Rows of the document for a list of any length: what is on the screen, and some on both sides. */
const ROWS_MAX = 60;
const BATCHES = 2;
const BATCH_ROWS = 1_000;

/** Forms, and what asks only who is there. */
const READS_NOTHING: ReadonlySet<string> = new Set([
  'a new payout',
  'a new batch',
  'a new recipient',
  'a new payment link',
  'a new expected payment',
  'a new standing order',
  'a new endpoint',
  'a new key',
  'an invitation',
  'the tools of the sandbox',
  'the own page',
]);
const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]));

const SCREENS = [
  ['a desktop in light', { phone: false, dark: false }],
  ['a desktop in the dark', { phone: false, dark: true }],
  ['a phone in light', { phone: true, dark: false }],
  ['a phone in the dark', { phone: true, dark: true }],
] as const;

describe.skipIf(withoutBrowser)('every page of the dashboard', () => {
  let scene: Scene;
  const links = new Set<string>();
  beforeAll(async () => {
    scene = await startScene({ days: 30 });
  });
  afterAll(() => scene?.end());

  it.each(SCREENS)('is whole on %s', async (_, options) => {
    const { complaints, links: found } = await lookAt(scene, scene.maker.browser, scene.pages, options);
    for (const link of found) links.add(link);
    expect(complaints).toEqual(none(scene.pages.map(([name]) => name)));
  });

  it('has links that lead to pages, all of them', async () => {
    expect(links.size).toBeGreaterThan(100);
    expect(await deadLinks(scene, scene.maker.browser, [...links])).toEqual([]);
  });

  it.each([
    ['refused', SCREENS[0][1]],
    ['refused', SCREENS[3][1]],
    ['forbidden', SCREENS[1][1]],
    ['missing', SCREENS[2][1]],
    ['away', SCREENS[3][1]],
    ['ended', SCREENS[3][1]],
  ] as const)('says that it is %s (%o)', async (state, options) => {
    const pages = scene.pages.filter(([name]) => !READS_NOTHING.has(name));
    const found = await inState(scene, scene.maker.browser, state, pages, { ...options, whole: true });
    expect(found).toEqual(none(pages.map(([name]) => name)));
  });

  it.each(['/keys', '/payouts'])('asks nothing more once the session is over: %s', async (path) => {
    const { page, close } = await scene.open(scene.maker.browser, { answers: [401] });
    await substitute(page, STATES.ended.answer);
    await page.goto(`/dashboard/sandbox${path}`);
    await page.getByText(STATES.ended.says[0]).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/api/') && asked.push(request.url()));
    await page.waitForTimeout(2_000);
    expect(asked).toEqual([]);
    await close();
  });

  it.each(SCREENS)('says that nothing is there, in each list, on %s', async (_, options) => {
    const found = await emptyLists(scene, scene.maker.browser, { ...options, whole: true });
    expect(found).toEqual(none(LISTS.map(({ path }) => path)));
  });

  it('keeps a list of thousands short in the document, and reads it to its end', async () => {
    const { client } = scene.application.sandbox;
    const { accounts, recipients } = scene.world;
    const row = { amount: '0.01', currency: 'EUR', account: accounts.EUR, recipient: recipients[0] };
    for (let batch = 0; batch < BATCHES; batch++)
      must(await client.post('/v1/payouts/batch', { payouts: Array.from({ length: BATCH_ROWS }, () => row) }));
    const { page, go, close } = await scene.open(scene.maker.browser);
    await go('/payouts');
    let most = 0;
    const shown = page.locator('main').getByRole('status').filter({ hasText: ' shown' });
    while (((await shown.textContent()) ?? '').includes('more')) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      most = Math.max(most, await page.locator('main tbody tr[aria-rowindex]').count());
    }
    const [count = '0'] = /[\d,]+/.exec((await shown.textContent()) ?? '') ?? [];
    expect(Number(count.replaceAll(',', ''))).toBeGreaterThan(BATCHES * BATCH_ROWS);
    expect(most).toBeGreaterThan(10); // control: rows are counted
    expect(most).toBeLessThanOrEqual(ROWS_MAX);
    await close();
  });

  it.each([
    ['the overview', '', 'Newest payouts'],
    ['payouts', '/payouts', 'Payouts'],
  ])('is there soon for a first visitor: %s', async (_, path, table) => {
    const took: number[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const { page, close } = await scene.open(scene.maker.browser); // nothing is remembered of the one before
      const startedMs = performance.now();
      await page.goto(`/dashboard/sandbox${path}`);
      await page.getByRole('table', { name: table, exact: true }).getByRole('row').nth(3).waitFor();
      took.push(performance.now() - startedMs);
      await close();
    }
    const middle = took.toSorted((one, other) => one - other)[VISITS >> 1] ?? Infinity;
    console.log(`first view of ${table}: ${took.map(Math.round).join(', ')} ms`);
    expect(middle).toBeLessThanOrEqual(FIRST_VIEW_MS);
  });
});
