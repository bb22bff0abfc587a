/**
 * Standing orders in a real browser: made once, with an end that was meant, and run on the days that the page showed; what failed says why. A
 * recipient is changed and erased. Who may not do something sees why. What is printed is whole.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { type Member, member } from '../support/dashboard/people.ts';
import { signedIn } from '../support/dashboard/tour.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE02 1203 0000 0000 2020 51';
const DAY_S = 86_400;

describe.skipIf(withoutBrowser)('standing orders and recipients', () => {
  let application: Application;
  let browser: Browser;
  let clerk: Member;
  let account: string;
  let recipient: string;

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    const { client } = application.sandbox;
    account = idIn(await client.post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 2_000 }));
    const known = { name: 'Grace Hopper', type: 'individual', currency: 'EUR', country: 'DE' };
    const address = { line1: 'Main St 1', line2: 'Back', city: 'Berlin', country: 'DE' };
    recipient = idIn(await client.post('/v1/recipients', { ...known, address, bank_details: { iban: IBAN } }));
    clerk = await member(application, [application.sandbox], ['operator']);
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const read = async (path: string) => must(await application.sandbox.client.get(path)).json;
  const rows = async (path: string) => (await read(path))['data'] as readonly Json[];
  const order = async (more: object = {}) =>
    idIn(
      await application.sandbox.client.post('/v1/standing_orders', {
        amount: 10,
        currency: 'EUR',
        account,
        recipient,
        interval: 'day',
        starts_on: await today(),
        ...more,
      }),
    );
  const today = async () => new Date(((await read('/v1/me'))['now'] as number) * 1_000).toISOString().slice(0, 10);
  const advance = async (days: number) =>
    must(await application.sandbox.client.post('/v1/test_helpers/clock/advance', { seconds: days * DAY_S }));
  /** Its runs once there are so many of them. */
  const runsOf = async (id: string, count: number): Promise<readonly Json[]> => {
    const runs = await rows(`/v1/standing_order_runs?standing_order=${id}&limit=100`);
    return runs.length >= count ? runs : runsOf(id, count);
  };
  /** The days that stand in the calendar of the page. */
  const daysOn = (page: Page) =>
    page
      .locator('main ol li > time')
      .evaluateAll((all) => all.map((each) => (each as unknown as { dateTime: string }).dateTime));

  it('are made once, with the end that was meant, and run on the days that were shown', async () => {
    const tab = await signedIn(browser, application.address, clerk.browser);
    const { page, go } = tab;
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/standing_orders'))
        sent.push(request.postDataJSON() as Json);
    });
    const first = `${Number((await today()).slice(0, 4)) + 1}-01-31`;
    await go('/standing-orders');
    await button(page, 'New standing order').click();
    await page.getByRole('combobox', { name: 'To' }).fill('grace');
    await page.getByRole('option', { name: /Grace Hopper/ }).click();
    await page.getByLabel('Amount in EUR').fill('1.234');
    await page.getByText(/can be read in two ways/).waitFor();
    await page.getByLabel('Amount in EUR').fill('100,50');
    await page.getByLabel('Reference').fill('Rent');
    await page.getByLabel('First day').fill(first);
    await page.getByText(/Every month on the 31st, or on the last day of a shorter month/).waitFor();
    // An end that was begun is no order without one.
    await page.getByRole('combobox', { name: 'How long' }).click();
    await page.getByRole('option', { name: 'Until a last day' }).click();
    await page.getByLabel('Last day').press('3');
    await page.getByText('A whole day, or nothing.').waitFor();
    expect(await button(page, 'Create the standing order').isDisabled()).toBe(true);
    await page.getByLabel('Last day').fill(`${first.slice(0, 4)}-03-31`);
    await page.getByText('Then it is over').waitFor();
    const shown = await daysOn(page);
    expect(shown).toHaveLength(3);
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    expect(sent.every((body) => body['dry_run'] === true)).toBe(true);
    expect(await rows('/v1/standing_orders')).toEqual([]);
    await button(page, 'Create the standing order').dblclick();
    await page.getByRole('heading', { level: 1, name: '100.50 EUR' }).waitFor();
    expect(await daysOn(page)).toEqual(shown);
    const made = sent.filter((body) => body['dry_run'] === undefined);
    expect(made).toEqual([
      {
        recipient,
        currency: 'EUR',
        amount: '100.50',
        interval: 'month',
        interval_count: 1,
        starts_on: first,
        ends_on: `${first.slice(0, 4)}-03-31`,
        reference: 'Rent',
      },
    ]);
    const [only, ...others] = await rows('/v1/standing_orders');
    expect(others).toEqual([]);
    const until = (Date.parse(`${first.slice(0, 4)}-04-01`) - Date.parse(await today())) / 1_000 / DAY_S;
    await advance(until);
    const runs = await runsOf(only?.['id'] as string, 3);
    expect(runs.map((run) => run['planned_on'])).toEqual(shown.toReversed());
    await page.getByText('Completed').waitFor();
    await page.getByText('Payout made').first().waitFor();
    expect(await daysOn(page)).toEqual([]);
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it('say why a day made no payout, are paused, changed, resumed and ended', async () => {
    const id = await order({ amount: 5_000 });
    await advance(3);
    await runsOf(id, 3);
    const tab = await signedIn(browser, application.address, clerk.browser, { phone: true });
    const { page, go } = tab;
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(`/v1/standing_orders/${id}`))
        sent.push(request.postDataJSON() as Json);
    });
    await go(`/standing-orders/${id}`);
    await page.getByText('It was paused, because three days in a row made no payout.').waitFor();
    expect(await page.getByText(/No payout: .*5,?000/).count()).toBe(3);
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    await button(page, 'Change').click();
    const dialog = page.getByRole('dialog');
    expect(await button(page, 'Change').last().isDisabled()).toBe(true);
    await dialog.getByLabel('Amount in EUR').fill('5');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '5.00 EUR' }).waitFor();
    expect(sent).toEqual([{ amount: '5.00' }]);
    expect(await read(`/v1/standing_orders/${id}`)).toMatchObject({ amount_minor: 500, ordered_by: clerk.user });
    await button(page, 'Resume').click();
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await button(page, 'Pause').click();
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('It is paused.').waitFor();
    await button(page, 'End').click();
    await dialog.getByRole('button', { name: 'End it', exact: true }).click();
    await page.getByText('Ended', { exact: true }).first().waitFor();
    expect(await button(page, 'Resume').count()).toBe(0);
    expect(await read(`/v1/standing_orders/${id}`)).toMatchObject({ status: 'canceled', canceled_reason: 'requested' });
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it('are not made or changed by who may not', async () => {
    const id = await order();
    const viewer = await member(application, [application.sandbox], ['viewer']);
    const { page, go, close } = await signedIn(browser, application.address, viewer.browser, { answers: [403] });
    await go('/standing-orders');
    await page.getByRole('table').waitFor();
    expect(await button(page, 'New standing order').isDisabled()).toBe(true);
    await go(`/standing-orders/${id}`);
    await page.getByText('Your role may not change standing orders.').waitFor();
    for (const name of ['Change', 'Pause', 'End']) expect(await button(page, name).isDisabled()).toBe(true);
    await go('/standing-orders/new');
    await page.getByText(/may not make standing orders/).waitFor();
    await go(`/recipients/${recipient}`);
    await page.getByText('Your role may not change recipients.').waitFor();
    expect(await button(page, 'Change').isDisabled()).toBe(true);
    await close();
  });

  it('go to other bank details once these are changed, as a whole, and to nobody who was erased', async () => {
    const tab = await signedIn(browser, application.address, clerk.browser, { answers: [400] });
    const { page, go } = tab;
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(`/v1/recipients/${recipient}`))
        sent.push(request.postDataJSON() as Json);
    });
    await go(`/recipients/${recipient}`);
    await button(page, 'Change').click();
    const dialog = page.getByRole('dialog');
    const change = dialog.getByRole('button', { name: 'Change', exact: true });
    expect(await change.isDisabled()).toBe(true);
    await dialog.getByLabel('Name', { exact: true }).fill('Grace B. Hopper');
    await dialog.getByRole('switch', { name: /Other bank details than/ }).click();
    const iban = dialog.getByLabel('IBAN', { exact: true });
    await iban.waitFor();
    expect(await change.isDisabled()).toBe(true);
    await iban.fill(`${OTHER_IBAN.slice(0, -1)}2`);
    await change.click();
    await dialog
      .getByText(/check digits/i)
      .first()
      .waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Grace B. Hopper');
    expect(await violations(page)).toEqual([]);
    await iban.fill(OTHER_IBAN);
    await change.dblclick();
    await page.getByRole('heading', { level: 1, name: 'Grace B. Hopper' }).waitFor();
    expect(sent.at(-1)).toEqual({ name: 'Grace B. Hopper', bank_details: { iban: OTHER_IBAN } });
    await page.getByText('Who was paid, and where').waitFor();
    expect(await page.getByText(/DE ···3000/).count()).toBeGreaterThan(0);
    expect(await rows(`/v1/recipients/${recipient}/versions`)).toHaveLength(2);
    // The address was not touched, with what the form does not ask for.
    expect((await read(`/v1/recipients/${recipient}`))['address']).toMatchObject({ line2: 'Back', city: 'Berlin' });
    expect(await tab.faults()).toEqual([]);

    const body = { name: 'Mary', type: 'individual', currency: 'EUR', country: 'DE', bank_details: { iban: IBAN } };
    const mary = idIn(await application.sandbox.client.post('/v1/recipients', body));
    await go(`/recipients/${mary}`);
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Erase the person' }).click();
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('Erased', { exact: true }).first().waitFor();
    expect(await read(`/v1/recipients/${mary}`)).toMatchObject({ status: 'redacted', name: 'Redacted' });
    await tab.close();
  });

  it('a key of others is not rolled, and says why; one of their own is', async () => {
    const maker = await member(application, [application.sandbox], ['developer']);
    const { page, go, close } = await signedIn(browser, application.address, maker.browser);
    await go(`/keys/${application.sandbox.id}`);
    await page.getByText(/Others made it, so you cannot roll it/).waitFor();
    expect(await button(page, 'Roll').isDisabled()).toBe(true);
    expect(await button(page, 'Revoke').isEnabled()).toBe(true);
    const own = await maker.browser.post('/v1/keys', { name: 'Own' }, { idempotencyKey: 'own' });
    await go(`/keys/${own.json['id'] as string}`);
    await page.getByRole('heading', { level: 1, name: 'Own' }).waitFor();
    expect(await button(page, 'Roll').isEnabled()).toBe(true);
    await close();
  });

  it('a batch is printed whole, black on white, without what can only be pressed', async () => {
    const row = { amount: '0.01', currency: 'EUR', account, recipient };
    const made = must(
      await application.sandbox.client.post('/v1/payouts/batch', { payouts: Array.from({ length: 120 }, () => row) }),
    ).json;
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser, { dark: true });
    await go(`/batches/${made['id'] as string}`);
    const shown = () => page.locator('main tbody tr[aria-rowindex]').count();
    const status = page.locator('main').getByRole('status').filter({ hasText: ' shown' });
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await status.filter({ hasText: '120 shown' }).waitFor();
    expect(await shown()).toBeLessThan(60); // control: on the screen it is not whole
    await page.emulateMedia({ media: 'print' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await shown()).toBe(120);
    for (const gone of ['nav', 'main .actions', 'main button'])
      expect(await page.locator(gone).filter({ visible: true }).count()).toBe(0);
    expect(await page.getByText('Sandbox', { exact: true }).filter({ visible: true }).count()).toBeGreaterThan(0);
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))`;
    expect(await page.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await close();
  });
});
