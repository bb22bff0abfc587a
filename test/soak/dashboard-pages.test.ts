/**
 * Every page of the dashboard in a real browser, over a company with a history: a person comes by a link, makes a passkey and signs in by it;
 * each page is whole; people search, approve, reject, invite and make keys; and a page says what it is in each of its states. What a page does
 * behind one's back (its console, its policy, other hosts) fails the test that closes it. What else people do: `dashboard-actions.test.ts`.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations, withoutBrowser } from '../support/browser/browser.ts';
import { invite, type Member } from '../support/dashboard/people.ts';
import { type Scene, startScene } from '../support/dashboard/scene.ts';
import { emptyLists, inState, LISTS } from '../support/dashboard/states.ts';
import { loaded } from '../support/dashboard/tour.ts';
import { deadLinks, kindsOf, lookAt } from '../support/dashboard/views.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';

/** A list, one object, and a list with an object beside it. */
const IN_STATES: ReadonlySet<string> = new Set(['payouts', 'a failed payout', 'an event']);

/** With nothing to complain about. */
const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]));

describe.skipIf(withoutBrowser)('the dashboard in a browser', () => {
  let scene: Scene;
  let maker: Member;
  let approver: Member;
  /** A payout of the maker, held. */
  let own: string;

  beforeAll(async () => {
    scene = await startScene({ days: 8 });
    ({ maker } = scene);
    approver = await scene.person(['approver']);
    must(await (await scene.application.key()).client.post(`/v1/users/${maker.user}/confirm`));
    const made = await maker.browser.post('/v1/payouts', {
      amount: '4000.00',
      currency: 'EUR',
      account: scene.world.accounts.EUR,
      recipient: scene.world.recipients[1],
    });
    expect(made.status, made.text).toBe(200);
    own = made.json['id'] as string;
  });
  afterAll(() => scene?.end());

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const payoutNow = (id: string): Promise<Json> => scene.read(`/v1/payouts/${id}`);

  it('lets somebody in by a link and a passkey, and again by the passkey', async () => {
    const { token } = await invite(scene.application.sandbox, ['developer']);
    const { page, close } = await scene.stranger();
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

  // Every page on every screen: test/long/dashboard-pages.test.ts.
  it('shows every page whole, by turns on a desktop in light and on a phone in the dark, and each link leads to a page', async () => {
    const { pages } = scene;
    const [wide, narrow] = [pages.filter((_, nth) => nth % 2 === 0), pages.filter((_, nth) => nth % 2 === 1)];
    const desktop = await lookAt(scene, maker.browser, wide, { turns: true });
    const phone = await lookAt(scene, maker.browser, narrow, { turns: true, phone: true, dark: true });
    expect({ ...desktop.complaints, ...phone.complaints }).toEqual(none(pages.map(([name]) => name)));
    const kinds = kindsOf(new Set([...desktop.links, ...phone.links]));
    expect(kinds.length).toBeGreaterThan(20);
    expect(await deadLinks(scene, maker.browser, kinds)).toEqual([]);
  });

  it('finds a failed payout by a name, and a refused request by its id', async () => {
    const { page, go, close } = await scene.open(maker.browser);
    await go('');
    const search = async (words: string, hit: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Search/ }).fill(words);
      await page.getByRole('option', { name: hit }).first().waitFor();
    };
    const { failure_code: code } = await payoutNow(scene.world.failed);
    await search('Chien-Shiung', /Payout.*Failed/);
    const options = await page.getByRole('option').allTextContents();
    for (let down = options.findIndex((text) => /Payout.*Failed/.test(text)); down > 0; down--)
      await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/Payout.*Failed/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payouts/po_*');
    await page.locator('.notice.bad').waitFor();
    await says(page, code as string);
    await search(scene.world.refused.requestId, /Request/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${scene.world.refused.requestId}`);
    await says(page, scene.world.refused.message);
    await close();
  });

  it('lets a second person approve and reject, and not who asked for it', async () => {
    const [first = '', second = ''] = scene.world.held;
    const mine = await scene.open(maker.browser);
    await mine.go(`/payouts/${own}`);
    expect(await button(mine.page, 'Approve').isDisabled()).toBe(true);
    await button(mine.page, 'Approve').locator('..').hover();
    await says(mine.page, 'You asked for it. Somebody else has to approve it.');
    const { fingerprint } = (await payoutNow(own))['release'] as Json;
    expect((await maker.browser.post(`/v1/payouts/${own}/approve`, { fingerprint })).code).toBe('approval_by_creator');
    await mine.close();

    const { page, go, close } = await scene.open(approver.browser);
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

  it('shows an invitation and a key once', async () => {
    const { page, go, close } = await scene.open(maker.browser);
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
    const answer = await fetch(`${scene.application.address}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
  });

  it('shows names that are markup as text', async () => {
    const { page, go, close } = await scene.open(maker.browser);
    await go('/recipients');
    await says(page, '<img src=x onerror=alert(1)> GmbH');
    expect(await page.locator('main img').count()).toBe(0);
    await close();
  });

  it('says when there is nothing, in each list, and when nothing is like the filters', async () =>
    expect(await emptyLists(scene, maker.browser)).toEqual(none(LISTS.map(({ path }) => path))));

  it.each(['refused', 'forbidden', 'missing', 'away', 'ended'] as const)(
    'says what it is when it is %s',
    async (state) => {
      const pages = scene.pages.filter(([name]) => IN_STATES.has(name));
      const found = await inState(scene, maker.browser, state, pages, { whole: true });
      expect(found).toEqual(none([...IN_STATES]));
    },
  );

  it('control: a page that is as usual says none of this', async () => {
    const { page, go, close } = await scene.open(maker.browser);
    await go('/payouts');
    expect(await page.getByRole('table', { name: 'Payouts' }).count()).toBe(1);
    expect(await page.locator('.condition').count()).toBe(0);
    await close();
  });

  it('asks who was signed out to sign in again, over the page', async () => {
    const viewer = await scene.person(['viewer']);
    const { page, go, close } = await scene.open(viewer.browser, { answers: [401] });
    await go('/payouts');
    must(await scene.application.sandbox.client.post(`/v1/users/${viewer.user}/end_sessions`));
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await close();
  });
});
