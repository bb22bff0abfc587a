/**
 * Every page of the dashboard in a real browser, over a company with a history: a person comes by a link, makes a passkey and signs in by it;
 * each page is whole on a desktop in light and on a phone in the dark; people search, approve, reject, invite and make keys; and a list says
 * what it is in each of its states. What a page does behind one's back (its console, its policy, other hosts) fails the test that closes it.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import type { BrowserClient } from '../support/dashboard/browser-client.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { invite, type Member, member } from '../support/dashboard/people.ts';
import { everyPage, loaded, signedIn, stranger, type Tab } from '../support/dashboard/tour.ts';
import { makeWorld, type World } from '../support/dashboard/world.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { isRelease } from '../support/generators/random-cases.ts';

describe.skipIf(withoutBrowser)('the dashboard in a browser', () => {
  let application: Application;
  let browser: Browser;
  let world: World;
  let maker: Member;
  let approver: Member;
  let viewer: Member;
  /** A payout of the maker, held. */
  let own: string;

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([
      startApplication({ dashboardFolder: DASHBOARD_DIST, config: { requestLogDays: 7 } }),
      startBrowser(),
    ]);
    const { sandbox } = application;
    world = await makeWorld(sandbox.client, { days: 8 });
    maker = await member(application, [sandbox], ['developer', 'operator', 'admin']);
    approver = await member(application, [sandbox], ['approver']);
    viewer = await member(application, [sandbox], ['viewer']);
    const third = await application.key();
    for (const { user } of [maker, approver]) must(await third.client.post(`/v1/users/${user}/confirm`));
    const made = await maker.browser.post('/v1/payouts', {
      amount: '4000.00',
      currency: 'EUR',
      account: world.accounts.EUR,
      recipient: world.recipients[1],
    });
    expect(made.status, made.text).toBe(200);
    own = made.json['id'] as string;
  });
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const open = (person: BrowserClient, options: Parameters<typeof signedIn>[3] = {}): Promise<Tab> =>
    signedIn(browser, application.address, person, options);
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const payoutNow = async (id: string): Promise<Json> =>
    must(await application.sandbox.client.get(`/v1/payouts/${id}`)).json;

  it('lets somebody in by a link and a passkey, and again by the passkey', async () => {
    const { token } = await invite(application.sandbox, ['developer']);
    const { page, close } = await stranger(browser, application.address);
    await page.goto(`/dashboard#invite=${token}`);
    await page.getByLabel('Your name').fill('Ada <b>Lovelace</b>');
    expect(page.url()).not.toContain(token); // in no history
    expect(await violations(page)).toEqual([]);
    await button(page, 'Go on').click();
    await button(page, 'Make a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await button(page, /Ada <b>Lovelace<\/b>/).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await button(page, 'Sign in with a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await close();
  });

  it.each([
    ['a desktop in light', { phone: false, dark: false }, 0],
    ['a phone in the dark', { phone: true, dark: true }, 4],
  ] as const)('shows pages whole on %s: every eighth, and all before a release', async (_, options, first) => {
    const { client, id: key } = application.sandbox;
    const [event] = must(await client.get('/v1/events?limit=1')).json['data'] as Json[];
    const { page, go, faults, close } = await open(maker.browser, options);
    const seen: Record<string, unknown> = {};
    const all = everyPage(world, { user: maker.user, event: event?.['id'] as string, key });
    const pages = all.filter((_page, at) => isRelease || at % 8 === first);
    expect(pages.length).toBeGreaterThan(2);
    const whole = Object.fromEntries(pages.map(([name]) => [name, []]));
    let before = 0;
    for (const [name, path] of pages) {
      await go(path);
      const said = await faults();
      const title = await page.title();
      const heading = (await page.locator('h1').allTextContents()).join('|');
      seen[name] = [
        ...(await violations(page)),
        ...(await tooWide(page)),
        ...said.slice(before),
        ...(/^(?!Nothing here).+ · Sandbox · Bursar$/.test(title) ? [] : [`title: ${title}`]),
        ...(heading === '' || heading.includes('|') ? [`h1: ${heading}`] : []),
      ];
      before = said.length;
    }
    expect(seen).toEqual(whole);
    await close();
  });

  it('finds a failed payout by a name, and a refused request by its id', async () => {
    const { page, go, close } = await open(maker.browser);
    await go('');
    const search = async (words: string, hit: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Search/ }).fill(words);
      await page.getByRole('option', { name: hit }).first().waitFor();
    };
    const { failure_code: code } = await payoutNow(world.failed);
    await search('Chien-Shiung', /Payout.*Failed/);
    const options = await page.getByRole('option').allTextContents();
    for (let down = options.findIndex((text) => /Payout.*Failed/.test(text)); down > 0; down--)
      await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/Payout.*Failed/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payouts/po_*');
    await page.locator('.notice.bad').waitFor();
    await says(page, code as string);
    await search(world.refused.requestId, /Request/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${world.refused.requestId}`);
    await says(page, world.refused.message);
    await close();
  });

  it.runIf(isRelease)('lets a second person approve and reject, and not who asked for it', async () => {
    const [first = '', second = ''] = world.held;
    const mine = await open(maker.browser);
    await mine.go(`/payouts/${own}`);
    expect(await button(mine.page, 'Approve').isDisabled()).toBe(true);
    await button(mine.page, 'Approve').locator('..').hover();
    await says(mine.page, 'You asked for it. Somebody else has to approve it.');
    const { fingerprint } = (await payoutNow(own))['release'] as Json;
    expect((await maker.browser.post(`/v1/payouts/${own}/approve`, { fingerprint })).code).toBe('approval_by_creator');
    await mine.close();

    const { page, go, close } = await open(approver.browser);
    const decide = async (id: string, verb: string, fill?: () => Promise<void>) => {
      await go(`/payouts/${id}`);
      await button(page, verb).click();
      await fill?.();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button(page, verb).waitFor({ state: 'detached' });
    };
    await decide(first, 'Approve');
    await decide(own, 'Approve');
    await decide(second, 'Reject', () => page.getByLabel('Reason').fill('Not <i>ours</i>'));
    await says(page, /Not <i>ours<\/i>/);
    await close();
    expect(await payoutNow(first)).toMatchObject({ status: 'pending' });
    expect(await payoutNow(own)).toMatchObject({ release: { approvals: [{ actor: approver.user }] } });
    expect(await payoutNow(second)).toMatchObject({ status: 'canceled' });
  });

  it.runIf(isRelease)('shows an invitation and a key once', async () => {
    const { page, go, close } = await open(maker.browser);
    const kept = async () => {
      const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
      expect(await violations(page)).toEqual([]);
      expect(await button(page, 'Done').isDisabled()).toBe(true);
      await page.getByLabel('I have kept it').check();
      await button(page, 'Done').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await loaded(page);
      expect(await page.content()).not.toContain(secret);
      await page.reload();
      await loaded(page);
      expect(await page.content()).not.toContain(secret);
      return secret;
    };
    await go('/people/new');
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByLabel('Name', { exact: true }).fill('<img src=x onerror=alert(1)>');
    await page.getByRole('checkbox', { name: 'Viewer' }).check();
    await button(page, 'Invite').click();
    expect(await kept()).toMatch(/\/dashboard#invite=[\w-]{16,}$/);
    await says(page, '<img src=x onerror=alert(1)>');

    await go('/keys/new');
    await page.getByLabel('Name', { exact: true }).fill('payroll <script>');
    await page.getByLabel('Everything that you may do').check();
    await button(page, 'Make the key').click();
    const key = await kept();
    await says(page, 'payroll <script>');
    await close();
    const answer = await fetch(`${application.address}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
  });

  it('shows names that are markup as text', async () => {
    const { page, go, close } = await open(maker.browser);
    await go('/recipients');
    await says(page, '<img src=x onerror=alert(1)> GmbH');
    expect(await page.locator('main img').count()).toBe(0);
    await close();
  });

  it('says what a list is: empty, without a hit, failed, forbidden, and over', async () => {
    const { page, go, close } = await open(viewer.browser, { answers: [400, 401, 403] });
    const answer = async (status: number, body: object) => {
      await page.unroute('**/v1/payouts?*');
      await page.route('**/v1/payouts?*', (route) => route.fulfill({ status, json: body }));
    };
    const refused = (type: string, code: string) => ({
      error: {
        type,
        code,
        message: 'It went <b>wrong</b>.',
        param: null,
        request_id: 'req_01jd3v9q4ne8v8k3w2m6r5t7xa',
      },
    });
    await answer(200, { object: 'list', data: [], has_more: false });
    await go('/payouts');
    await says(page, 'No payout has been made yet.');
    expect(await violations(page)).toEqual([]);
    await go('/payouts?state=failed');
    await says(page, 'No payout is like that.');
    expect(await violations(page)).toEqual([]);
    await answer(400, refused('invalid_request_error', 'parameter_invalid'));
    await go('/payouts');
    await says(page, 'It went <b>wrong</b>.');
    await says(page, 'req_01jd3v9q4ne8v8k3w2m6r5t7xa');
    expect(await violations(page)).toEqual([]);
    await page.unroute('**/v1/payouts?*');
    await button(page, 'Try again').click();
    await page.getByRole('table', { name: 'Payouts' }).waitFor();
    await go('/keys');
    await says(page, 'You may not see keys.');
    expect(await violations(page)).toEqual([]);
    await go('/payouts');
    must(await application.sandbox.client.post(`/v1/users/${viewer.user}/end_sessions`));
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await close();
  });
});
