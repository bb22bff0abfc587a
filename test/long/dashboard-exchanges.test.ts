/**
 * Money between own accounts in a real browser: exchanged at exactly the quote on the screen and once, whatever the reader's clock says, however
 * often somebody presses and whether or not the answer comes; moved to another account once; an account opened, and closed when it is empty.
 */
import type { Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { invite, type Member, member } from '../support/dashboard/people.ts';
import { signedIn, stranger } from '../support/dashboard/tour.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';

const HALF_AN_HOUR_S = 1_800;
/** A page says so at its next tick, or at its next look at the clock of the service. */
const PATIENCE = { timeout: 20_000 };

describe.skipIf(withoutBrowser)('money between own accounts', () => {
  let application: Application;
  let browser: Browser;
  let clerk: Member;
  let main: string;

  const post = async (path: string, body: object = {}) => must(await application.sandbox.client.post(path, body)).json;
  const rows = async (path: string) => must(await application.sandbox.client.get(path)).json['data'] as readonly Json[];
  const exchanges = () => rows('/v1/exchanges?limit=100');
  const balance = async (id: string) =>
    must(await application.sandbox.client.get(`/v1/accounts/${id}`)).json['balance'];
  /** By the clock of the sandbox. */
  const later = (seconds: number) => post('/v1/test_helpers/clock/advance', { seconds });

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    main = idIn(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
    await post(`/v1/test_helpers/accounts/${main}/fund`, { amount: 5_000 });
    await post('/v1/fee_rules', { on: 'exchange', currency: 'EUR', amount: '0.50' });
    clerk = await member(application, [application.sandbox], ['operator']);
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const timer = (page: Page) => page.getByRole('timer');
  const pick = async (page: Page, label: string, option: string | RegExp) => {
    await page.getByLabel(label, { exact: true }).first().click();
    await page.getByRole('option', { name: option }).click();
  };
  const isExchange = (request: Request) => request.method() === 'POST' && request.url().endsWith('/v1/exchanges');
  const isBooking = (request: Request) => isExchange(request) && (request.postDataJSON() as Json)['dry_run'] !== true;
  /** What is sent from now on that books, with its key. */
  const bookingsOn = (page: Page) => {
    const sent: { readonly key: string | undefined; readonly body: Json }[] = [];
    page.on('request', (request) => {
      if (isBooking(request))
        sent.push({ key: request.headers()['idempotency-key'], body: request.postDataJSON() as Json });
    });
    return sent;
  };
  /** The quotes that the service made from now on. */
  const quotesOn = (page: Page) => {
    const made: Json[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('/v1/exchanges/quote')) made.push((await response.json()) as Json);
    });
    return made;
  };
  /** The form, filled, with a quote on the screen. */
  const quoted = async (page: Page, amount: string) => {
    await pick(page, 'Sell from', /^Main/);
    await pick(page, 'Buy into', /USD/);
    await page.getByLabel('You sell in EUR').fill(amount);
    await button(page, 'Get a quote').click();
    await timer(page).waitFor();
  };
  const booked = (page: Page) => page.waitForURL(/\/exchanges\/exc_/);

  it('is tried as one types on either side, quoted, and booked once', async () => {
    const tab = await signedIn(browser, application.address, clerk.browser);
    const { page, go } = tab;
    const [sent, made] = [bookingsOn(page), quotesOn(page)];
    await go('/exchanges');
    await page.getByText('No money has been exchanged yet.').waitFor();
    await button(page, 'New exchange').click();
    await pick(page, 'Sell from', /^Main · 5,000\.00 EUR/);
    await pick(page, 'Buy into', 'A new account in USD');
    const [sell, buy] = [page.getByLabel('You sell in EUR'), page.getByLabel('You buy in USD')];
    await sell.fill('1.234');
    await page.getByText(/can be read in two ways/).waitFor();
    expect(await button(page, 'Get a quote').isDisabled()).toBe(true);
    await sell.fill('100');
    await page.getByText('4,899.50').waitFor(); // behind what is sold and the fee
    expect(await buy.inputValue()).toBe('115.51');
    await buy.fill('250,00');
    await page.getByText('It is opened.').waitFor();
    await expect.poll(() => sell.inputValue(), PATIENCE).toBe('216.44'); // rounded up, against who asks
    await sell.fill('100');
    await page.getByText('4,899.50').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(made).toEqual([]);
    await button(page, 'Get a quote').click();
    await timer(page).waitFor();
    expect(await timer(page).textContent()).toMatch(/^(?:30:00|29:5\d)$/);
    await page.getByText('1 EUR = 1.155105 USD', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    expect(sent).toEqual([]);
    expect(await exchanges()).toEqual([]);
    await button(page, 'Book').dblclick();
    await booked(page);
    await page.getByText('What moved').waitFor();
    const [exchange, ...more] = await exchanges();
    expect(more).toEqual([]);
    expect(exchange).toMatchObject({ quote: made[0]?.['id'], sell_amount_minor: 10_000, buy_amount_minor: 11_551 });
    expect(sent.map(({ body }) => body)).toEqual([{ quote: made[0]?.['id'], sell_account: main }]);
    expect(await balance(main)).toBe(489_950);
    expect(await violations(page)).toEqual([]);
    await go('/exchanges');
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await booked(page);
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it.each([3_600_000, -3_600_000])('counts the right seconds on a machine that is wrong by %d ms', async (wrongMs) => {
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser);
    await page.clock.install({ time: Date.now() + wrongMs });
    await go('/exchanges/new');
    await quoted(page, '10');
    expect(await timer(page).textContent()).toMatch(/^(?:30:00|29:\d\d)$/);
    expect(await button(page, 'Book').isEnabled()).toBe(true);
    await page.clock.fastForward(HALF_AN_HOUR_S * 1_000);
    await page.getByText('This quote has run out.').waitFor();
    expect(await button(page, 'Book').isDisabled()).toBe(true);
    await close();
  });

  it('that ran out says so; a new one comes in its place and is booked only by Book', async () => {
    const before = (await exchanges()).length;
    const { page, go, faults, close } = await signedIn(browser, application.address, clerk.browser);
    const [sent, made] = [bookingsOn(page), quotesOn(page)];
    await go(`/exchanges/new?sell=${main}`);
    await quoted(page, '20');
    await later(HALF_AN_HOUR_S + 1);
    await page.getByText('This quote has run out.').waitFor(PATIENCE);
    expect(await button(page, 'Book').isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await button(page, 'New quote').dblclick();
    await timer(page).waitFor();
    expect(await timer(page).textContent()).toMatch(/^(?:30:00|29:\d\d)$/);
    expect(sent).toEqual([]);
    expect(await exchanges()).toHaveLength(before);
    await button(page, 'Book').click();
    await booked(page);
    expect(made.length).toBeGreaterThan(1);
    expect(sent.map(({ body }) => body['quote'])).toEqual([made.at(-1)?.['id']]);
    expect(await exchanges()).toHaveLength(before + 1);
    expect(await faults()).toEqual([]);
    await close();
  });

  it('that the service refuses at the last moment is not booked at another rate', async () => {
    const before = (await exchanges()).length;
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser, { answers: [400] });
    await go('/exchanges/new');
    await quoted(page, '30');
    // The page does not come to know that the clock was moved.
    await page.route('**/v1/me', (route) => route.abort('aborted'));
    await page.route('**/v1/exchange_quotes/*', (route) => route.abort('aborted'));
    await later(HALF_AN_HOUR_S + 1);
    await button(page, 'Book').click();
    await page.getByText('This quote has run out.').waitFor(PATIENCE);
    await button(page, 'New quote').waitFor();
    expect(await page.getByLabel('You sell in EUR').inputValue()).toBe('30');
    expect(await exchanges()).toHaveLength(before);
    await close();
  });

  it('whose answer was lost is booked once: by the page itself, or by whoever presses again', async () => {
    const before = (await exchanges()).length;
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser);
    const sent = bookingsOn(page);
    let lost = 0;
    /** The service does it, and its answer is lost: the first one, or all. */
    const lose = (most: number) => async (route: Route) => {
      if (!isBooking(route.request()) || lost === most) return route.fallback();
      lost += 1;
      await route.fetch();
      await route.abort('aborted');
    };
    await page.route('**/v1/exchanges', lose(1));
    await go('/exchanges/new');
    await quoted(page, '40');
    await button(page, 'Book').click();
    await booked(page);
    expect([lost, new Set(sent.map(({ key }) => key)).size]).toEqual([1, 1]);
    expect(await exchanges()).toHaveLength(before + 1);

    // Now nothing comes through, nor does the page come to know by the quote.
    await page.unroute('**/v1/exchanges');
    await page.route('**/v1/exchanges', lose(Infinity));
    await page.route('**/v1/exchange_quotes/*', (route) => route.abort('aborted'));
    await go('/exchanges/new');
    await quoted(page, '41');
    sent.length = 0;
    await button(page, 'Book').click();
    await page.getByText('Nobody knows yet whether it was booked.').waitFor(PATIENCE);
    expect(await page.getByLabel('You sell in EUR').isDisabled()).toBe(true); // nothing else is sent before it is known
    expect(await button(page, 'New quote').count()).toBe(0);
    await later(HALF_AN_HOUR_S + 1); // though the quote is over by now
    await page.unroute('**/v1/exchanges');
    await button(page, 'Book').click();
    await booked(page);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(await exchanges()).toHaveLength(before + 2);
    await close();
  });

  it('a quote that was used without the page knowing leads to its exchange', async () => {
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser);
    const made = quotesOn(page);
    await go('/exchanges/new');
    await quoted(page, '12');
    await expect.poll(() => made.length, PATIENCE).toBe(1);
    const exchange = await post('/v1/exchanges', { quote: made[0]?.['id'] });
    await page.waitForURL(`**/exchanges/${exchange['id'] as string}`, PATIENCE);
    await close();
  });

  it('a quote that ends while the session has ended is over afterwards', async () => {
    const { token } = await invite(application.sandbox, ['operator']);
    const { page, close } = await stranger(browser, application.address, { answers: [401] });
    await page.goto(`/dashboard#invite=${token}`);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await button(page, 'Go on').click();
    await button(page, 'Make a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto('/dashboard/sandbox/exchanges/new');
    await quoted(page, '14');
    await application.sql('UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL');
    const over = page.getByRole('dialog', { name: 'Your session has ended' });
    await over.waitFor(PATIENCE);
    await later(HALF_AN_HOUR_S + 1);
    const before = (await exchanges()).length;
    await over.getByRole('button', { name: /passkey/i }).click();
    await over.waitFor({ state: 'detached' });
    await page.getByText('This quote has run out.').waitFor(PATIENCE);
    expect(await page.getByLabel('You sell in EUR').inputValue()).toBe('14'); // nothing is lost
    expect(await button(page, 'Book').isDisabled()).toBe(true);
    expect(await exchanges()).toHaveLength(before);
    await close();
    clerk = await member(application, [application.sandbox], ['operator']);
  });

  it('that nobody could book is refused in its place: no money, and more than may be open', async () => {
    await post('/v1/settings/exchanges', { position_limit: 1_000 });
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser, { answers: [400] });
    await go('/exchanges/new');
    await page.getByText('Open position').waitFor();
    await page.getByText('1,000.00').first().waitFor();
    await pick(page, 'Sell from', /^Main/);
    await pick(page, 'Buy into', /USD/);
    await page.getByLabel('You sell in EUR').fill('2000');
    await page.getByText(/and would be/).waitFor();
    expect(await button(page, 'Get a quote').isDisabled()).toBe(true);
    await post('/v1/settings/exchanges', { position_limit: '' });
    await page.getByLabel('You sell in EUR').fill('900000');
    await page.getByText(/is needed/).waitFor();
    expect(await page.getByLabel('You sell in EUR').inputValue()).toBe('900000');
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it('moves to another own account once, though the answer was lost; an empty account is closed', async () => {
    const { page, go, close } = await signedIn(browser, application.address, clerk.browser);
    await go('/accounts');
    await button(page, 'New account').click();
    await page.getByLabel('Currency', { exact: true }).fill('eur');
    await page.getByLabel('Name', { exact: true }).fill('Taxes');
    await button(page, 'Open the account').dblclick();
    await page.waitForURL(/\/accounts\/acct_/);
    await page.getByText('There is nothing on it.').waitFor();
    const taxes = page.url().slice(page.url().lastIndexOf('/') + 1);
    expect((await rows('/v1/accounts')).filter(({ name }) => name === 'Taxes')).toHaveLength(1);

    await go(`/accounts/${main}`);
    const closing = button(page, 'Close this account');
    await page.getByText(/^It holds [\d,.]+ EUR\. Move that first\.$/).waitFor();
    expect(await closing.isDisabled()).toBe(true);
    const had = Number(await balance(main));
    const keys: (string | undefined)[] = [];
    await page.route('**/v1/transfers', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 4) return route.fallback();
      await route.fetch();
      await route.abort('aborted');
    });
    await button(page, 'Transfer').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in EUR').fill('1,000');
    await dialog.getByText(/two ways/).waitFor();
    await dialog.getByLabel('Amount in EUR').fill('1000');
    await dialog.getByText('1,000.00').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Transfer' }).dblclick();
    await dialog.getByText('The service does not answer.').waitFor(PATIENCE);
    expect(await dialog.getByLabel('Amount in EUR').isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect([await balance(main), await balance(taxes)]).toEqual([had - 100_000, 100_000]);

    await go(`/accounts/${taxes}`);
    await button(page, 'Transfer').click();
    await dialog.getByLabel('Amount in EUR').fill('1000');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await closing.click();
    await dialog.getByRole('button', { name: 'Close the account' }).click();
    await page.getByText('Closed', { exact: true }).waitFor();
    expect(await button(page, 'Transfer').count()).toBe(0);
    expect(await balance(main)).toBe(had);
    await close();
  });

  it('is seen by who may only look, and not offered', async () => {
    const viewer = await member(application, [application.sandbox], ['viewer']);
    const tab = await signedIn(browser, application.address, viewer.browser, { phone: true, dark: true });
    const { page, go } = tab;
    await go('/exchanges');
    await page.getByRole('table').waitFor();
    expect(await button(page, 'New exchange').isDisabled()).toBe(true);
    await page.getByText('Your role may not exchange money.').waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByText('What moved').waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    await go('/exchanges/new');
    await page.getByText(/may not exchange money/).waitFor();
    await go('/accounts');
    await page.getByRole('table').waitFor();
    expect(await button(page, 'New account').isDisabled()).toBe(true);
    await go(`/accounts/${main}`);
    await page.getByText('Your role may not move money.').waitFor();
    await page.getByText('Your role may not close accounts.').waitFor();
    expect(await button(page, 'Exchange').isDisabled()).toBe(true);
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });
});
