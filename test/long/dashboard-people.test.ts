/**
 * Who comes into the dashboard and what they find there, in a real browser: somebody who was invited by somebody else, a factor that live asks
 * for and asks for again before what counts, and each role with the pages that are for it. Live is empty here, so each list says so. What a
 * session may do, without a browser: `src/tenancy/sessions`.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/roles.ts';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { invite, member } from '../support/dashboard/people.ts';
import { LISTS } from '../support/dashboard/states.ts';
import { signedIn, stranger } from '../support/dashboard/tour.ts';
import { headings } from '../support/dashboard/views.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';

/** In live, in their order. */
const ALL = [
  [
    'Overview',
    'Approvals',
    'Payouts',
    'Batches',
    'Accounts',
    'Recipients',
    'Payments',
    'Exchanges',
    'Standing orders',
    'Bank accounts',
    'Unmatched',
    'Files',
  ],
  ['Webhooks', 'Events', 'Requests', 'Keys', 'Rules and limits', 'People', 'Audit log', 'Settings'],
].flat();
/** What not every role finds, by the roles that do. */
const BESIDE: Readonly<Record<Role, readonly string[]>> = {
  viewer: [],
  developer: ['Keys'],
  operator: [],
  approver: ['People'],
  accountant: ['Audit log'],
  admin: ['Keys', 'People', 'Audit log'],
};
const KEPT = {
  Keys: ['/keys', 'keys', 'Admin, Developer'],
  People: ['/people', 'people', 'Admin, Approver'],
  'Audit log': ['/audit', 'the audit log', 'Admin, Accountant'],
} as const;

describe.skipIf(withoutBrowser)('people in the dashboard', () => {
  let application: Application;
  let browser: Browser;
  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([
      startApplication({ dashboardFolder: DASHBOARD_DIST, config: { requestLogDays: 7 } }),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const join = async (page: Page, link: string, name: string) => {
    await page.goto(link.slice(link.indexOf('/dashboard')));
    await page.getByLabel('Your name').fill(name);
    await button(page, 'Go on').click();
    await heading(page, 'How do you want to sign in?');
  };

  it('a second person comes by the link that the first one was shown', async () => {
    const first = await member(application, [application.sandbox], ['admin']);
    const tab = await signedIn(browser, application.address, first.browser);
    await tab.go('/people/new');
    await tab.page.getByLabel('E-mail').fill('second@example.com');
    await tab.page.getByRole('checkbox', { name: 'Viewer' }).check();
    await button(tab.page, 'Invite').click();
    const link = (await tab.page.getByRole('dialog').locator('pre').textContent()) ?? '';
    await tab.close();

    const other = await stranger(browser, application.address);
    await join(other.page, link, 'Grace Hopper');
    await button(other.page, 'Make a passkey').click();
    await heading(other.page, 'Overview');
    expect(await other.page.title()).toBe('Overview · Sandbox · Bursar');
    await other.close();
    const third = await stranger(browser, application.address, { answers: [400] });
    await third.page.goto(link.slice(link.indexOf('/dashboard')));
    await heading(third.page, 'This link does not work');
    await third.close();
    const users = (await application.sandbox.client.get('/v1/users')).json['data'] as Json[];
    const joined = users.filter(({ email }) => email === 'second@example.com');
    expect(joined).toMatchObject([{ name: 'Grace Hopper', status: 'active', created_by: first.user }]);
  });

  it('live wants a second factor, wants it again before what counts, and then goes on with what was begun', async () => {
    const { token } = await invite(application.live, ['admin']);
    // A question that is under way while a factor gives the session another token is answered 401, and asked again.
    const { page, close } = await stranger(browser, application.address, { answers: [401, 403] });
    await join(page, `/dashboard#invite=${token}`, 'Ada Lovelace');
    expect(await page.getByRole('button', { name: /^Later/ }).count()).toBe(0);
    await page.goto('/dashboard/live/payouts'); // no address leads around it
    await page.getByLabel('Your name').waitFor();
    await button(page, 'Go on').click();
    await button(page, 'Make a passkey').click();
    await heading(page, 'Payouts');
    expect(await page.title()).toBe('Payouts · Live · Bursar');

    await application.sql('UPDATE sessions SET stepped_up_at = NULL WHERE ended_at IS NULL');
    const isAged = `fetch('/dashboard/api/session').then((each) => each.json()).then((each) => each.stepped_up_until === null)`;
    await expect.poll(() => page.evaluate(isAged)).toBe(true);
    const sent: { readonly key: string | undefined; readonly status: number }[] = [];
    page.on('response', (response) => {
      const request = response.request();
      if (request.method() === 'POST' && request.url().endsWith('/v1/keys'))
        sent.push({ key: request.headers()['idempotency-key'], status: response.status() });
    });
    await page.goto('/dashboard/live/keys/new');
    await page.getByLabel('Name', { exact: true }).fill('payroll');
    await page.getByLabel('Everything that you may do').check();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await button(page, 'Make the key').click();
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Not now').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('payroll'); // nothing is lost
    await button(page, 'Make the key').click();
    await button(page, 'Use your passkey').click();
    await page.getByRole('dialog', { name: 'The key' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Your session has ended' }).count()).toBe(0);
    await close();
    expect(sent.map(({ status }) => status)).toEqual([403, 403, 200]);
    expect(sent[2]?.key).toBeDefined();
    expect(sent[2]?.key).toBe(sent[1]?.key); // the same request, so however often it is sent, there is one key
    const keys = (await application.live.client.get('/v1/keys')).json['data'] as Json[];
    expect(keys.filter(({ name }) => name === 'payroll')).toHaveLength(1);
  });

  it('an answer 401 to the token of a moment ago ends nothing, and a session that has ended says so', async () => {
    const { browser: person } = await member(application, [application.sandbox], ['viewer']);
    const { page, go, close } = await signedIn(browser, application.address, person, { answers: [401] });
    const over = page.getByRole('dialog', { name: 'Your session has ended' });
    await go('');
    const body = JSON.stringify({
      error: { type: 'authentication_error', code: 'session_required', message: 'Over.' },
    });
    await page.route('**/dashboard/api/v1/me', (route) => route.fulfill({ status: 401, body }), { times: 1 });
    await page.waitForResponse((answer) => answer.url().endsWith('/v1/me') && answer.status() === 401);
    await page.waitForResponse((answer) => answer.url().endsWith('/v1/me') && answer.status() === 200);
    expect(await over.count()).toBe(0);
    await application.sql('UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL');
    await over.waitFor();
    await close();
  });

  it.concurrent.each(Object.entries(BESIDE) as [Role, readonly string[]][])(
    'the role %s finds in live the pages that it may read, and no others',
    async (role, beside) => {
      const { browser: person } = await member(application, [application.live], [role]);
      const { page, go, turn, faults, close } = await signedIn(browser, application.address, person, {
        answers: [403],
        mode: 'live',
        phone: true,
        dark: true,
      });
      await go('');
      await button(page, 'Pages').click();
      const found = await page.getByRole('dialog').getByRole('link').allTextContents();
      expect(found.map((each) => each.trim())).toEqual(ALL.filter((word) => !(word in KEPT) || beside.includes(word)));
      const said: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      const filled = new Set(['/requests', '/keys', '/people', '/audit', '/events']); // the test itself has left something there
      const closed = Object.entries(KEPT).filter(([word]) => !beside.includes(word));
      for (const { path, empty } of LISTS.filter((each) => !closed.some(([, [at]]) => at === each.path))) {
        await turn(path);
        const wrong = [...(await headings(page, 'live')), ...(await tooWide(page))];
        if (!filled.has(path) && (await page.getByText(empty).count()) === 0)
          wrong.push('does not say that it is empty');
        said[path] = wrong;
        expected[path] = [];
      }
      for (const [, [path, what, roles]] of closed) {
        await turn(path);
        said[path] = (await page.locator('main .condition').allTextContents()).join();
        expected[path] =
          `You may not see ${what}.These roles may: ${roles}. ${beside.includes('People') ? 'Ask for one: Ada Lovelace.' : 'An administrator of your company can give you one.'}`;
      }
      expect(said).toEqual(expected);
      expect(await page.getByText('nothing here is real money').count()).toBe(0);
      expect(await faults()).toEqual([]);
      await close();
    },
  );
});
