/**
 * The company of `bursar demo` in a real browser: every page shows something of it, without a fault of access; and what people do on the
 * newest pages: settings with a logo, money without a place, and the tools of a sandbox. Each is tried by a role that may and by one that may
 * not. The pages before these: `dashboard-pages.test.ts`.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../client/src/bursar.ts';
import { fill } from '../../src/cli/remote/demo.ts';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { type Member, member } from '../support/dashboard/people.ts';
import { loaded, signedIn, type Tab } from '../support/dashboard/tour.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';

/** The smallest PNG: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Each page, and a text of the story that it shows. */
const PAGES = [
  ['', 'Needs attention'],
  ['/payouts', 'Feil Glaswerke GmbH'],
  ['/accounts', 'Pounds'],
  ['/recipients', 'Nguyễn Minh Anh'],
  ['/bank-accounts', 'agree with the books until'],
  ['/unmatched', 'R. Brandt'],
  ['/files', 'Imported'],
  ['/webhooks', 'Old ERP, switched off'],
  ['/events', 'payout.held'],
  ['/requests', 'balance_insufficient'],
  ['/keys', 'Bookkeeping (demo)'],
  ['/people', 'Luise Hartmann'],
  ['/audit', 'webhook endpoint'],
  ['/settings', 'Kestrel Optics GmbH'],
  ['/sandbox-tools', 'the real time'],
] as const;

describe.skipIf(withoutBrowser)('the company of the demo in a browser', () => {
  let application: Application;
  let browser: Browser;
  let all: Member;
  let viewer: Member;

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([
      startApplication({ dashboardFolder: DASHBOARD_DIST, config: { requestLogDays: 7 } }),
      startBrowser(),
    ]);
    const { sandbox, address } = { ...application };
    await fill(createClient({ url: address, apiKey: sandbox.key }));
    all = await member(application, [sandbox], ['developer', 'operator', 'admin', 'accountant']);
    viewer = await member(application, [sandbox], ['viewer']);
  }, 240_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const open = (who: Member, options: Parameters<typeof signedIn>[3] = {}): Promise<Tab> =>
    signedIn(browser, application.address, who.browser, options);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const get = async (path: string): Promise<Json> => must(await application.sandbox.client.get(path)).json;
  const unmatched = async () => (await get('/v1/bank_entries?status=unmatched'))['data'] as readonly Json[];

  it.each([
    ['a desktop in light', { phone: false, dark: false }],
    ['a phone in the dark', { phone: true, dark: true }],
  ])('shows it on every page, on %s', async (_, options) => {
    const { page, go, close } = await open(all, options);
    const seen: Record<string, unknown> = {};
    for (const [path, text] of PAGES) {
      await go(path);
      await page.getByText(text).first().waitFor({ state: 'attached' });
      seen[path] = [...(await violations(page)), ...(await tooWide(page))];
    }
    expect(seen).toEqual(Object.fromEntries(PAGES.map(([path]) => [path, []])));
    await close();
  });

  it('changes the name, the colour and the logo, and shows them before they are saved', async () => {
    const { page, go, close } = await open(all);
    await go('/settings');
    await page.getByLabel('Name', { exact: true }).fill('Kestrel <b>Optics</b>');
    await page.getByLabel('Colour of buttons').fill('#7a1f5c');
    const logo = (name: string, buffer: Buffer) =>
      page.getByLabel('Logo', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer });
    await logo('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByText('A logo is a PNG or JPEG picture. This file is neither.').waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await logo('logo.png', PNG);
    await page.locator('figure img').first().waitFor();
    const sheet = page.locator('figure').first();
    expect(await sheet.textContent()).toContain('Kestrel <b>Optics</b>');
    expect(await sheet.evaluate((node) => node.style.getPropertyValue('--p-fill'))).toBe('#7a1f5c');
    expect(await get('/v1/settings')).toMatchObject({ name: 'Kestrel Optics GmbH', has_logo: false });
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    expect(await get('/v1/settings')).toMatchObject({
      name: 'Kestrel <b>Optics</b>',
      accent_color: '#7a1f5c',
      has_logo: true,
      contact_email: 'accounts@kestrel-optics.example', // what was not touched stays
    });
    await close();
  });

  it('gives money a place: by a suggestion, split by hand, and by a rule that is tried first', async () => {
    const before = await unmatched();
    expect(before).toHaveLength(3);
    const { page, go, close } = await open(all);
    await go('/unmatched');
    const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text }).first();
    await entry('Your invoice').getByRole('button', { name: 'Assign' }).first().click();
    await page.getByText('It has its place.').waitFor();

    await entry('RG 4711').getByRole('button', { name: 'Always do this' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What the rule is for').fill('Old invoices');
    await dialog.getByLabel('Where to').click();
    await page.getByRole('option', { name: 'Account Main' }).click();
    await dialog.getByRole('button', { name: 'Try it on the past' }).click();
    await dialog.getByText(/^Of the newest \d+ entries it fits 1, and would have placed 1\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make the rule' }).click();
    await dialog.waitFor({ state: 'detached' });

    await entry('RG 4711').getByRole('button', { name: 'To an account, or split it' }).click();
    await dialog.getByRole('button', { name: 'Split it once more' }).click();
    await dialog.getByLabel('Where to').click();
    await page.getByRole('option', { name: 'Account Main' }).click();
    await dialog.getByLabel('Amount').first().fill('900.00');
    await dialog.getByLabel('Part 2').click();
    await page.getByRole('option', { name: 'Fees' }).click();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await dialog.waitFor({ state: 'detached' });
    await close();

    expect(await unmatched()).toHaveLength(1);
    const [split] = before.filter(({ remittance }) => (remittance as Json)['text'] === 'RG 4711');
    const { assignments } = await get(`/v1/bank_entries/${split?.['id'] as string}`);
    expect((assignments as readonly Json[]).map(({ amount }) => amount)).toEqual([900, 40]);
    expect((await get('/v1/bank_rules'))['data']).toMatchObject([{ name: 'Old invoices', text: '*RG 4711*' }]);
  });

  it('lets a viewer see all of it and change nothing', async () => {
    const { page, go, close } = await open(viewer);
    await go('/settings');
    await page.getByText('Your role may see settings, and not change them.').waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await go('/unmatched');
    await page.getByText('Your role may see entries of banks').first().waitFor();
    for (const each of await page.getByRole('listitem').getByRole('button').all())
      expect(await each.isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Sandbox tools' }).count()).toBe(0);
    await close();
    const [entry] = await unmatched();
    const refused = [
      await viewer.browser.post('/v1/settings', { name: 'Mine' }),
      await viewer.browser.post(`/v1/bank_entries/${entry?.['id'] as string}/assign`, {
        assignments: [{ to: 'fees' }],
      }),
      await viewer.browser.post('/v1/test_helpers/reset', {}),
    ];
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'scope_missing'));
  });

  it('makes money, moves the clock on, takes a step, and starts over once a word is typed', async () => {
    const { page, go, close } = await open(all);
    await go('/sandbox-tools');
    const main = async () => ((await get('/v1/accounts?currency=EUR'))['data'] as readonly Json[])[0] as Json;
    const before = (await main())['balance'] as number;
    await page.getByRole('combobox', { name: 'Account', exact: true }).click();
    await page.getByRole('option', { name: 'Main (EUR)' }).click();
    await page.getByLabel('Amount in EUR').fill('12.5');
    await button(page, 'Add it').click();
    await page.getByText('The money is in the account.').waitFor();
    expect((await main())['balance']).toBe(before + 1_250);

    const id = ((await get('/v1/payouts?status=pending'))['data'] as readonly Json[]).find(
      ({ release }) => release === null,
    )?.['id'];
    if (id !== undefined) {
      await page.getByLabel('Payout', { exact: true }).fill(id as string);
      await button(page, 'Next step').click();
      await page.getByText('The payout is in transit now.').waitFor();
    }
    await button(page, 'A day on').click();
    await page.getByText('ahead of the real time').waitFor();

    await button(page, 'Empty the sandbox').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Empty it' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type reset to confirm').fill('reset');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Empty it' }).click();
    await page.getByText('The sandbox is empty again.').waitFor();
    await loaded(page);
    expect((await get('/v1/payouts'))['data']).toEqual([]);
    expect((await get('/v1/recipients'))['data']).toMatchObject([{ name: 'Ada Lovelace' }]);
    await close();
  });
});
