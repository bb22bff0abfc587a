/**
 * Approvals in a real browser: on a phone in live three taps approve what waits, and the passkey has signed it; a no reaches whoever asked; keys
 * choose and approve; what changed on the screen is chosen no more; and nobody chooses what they asked for. Rules: frozen by a typed word.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { invite, member } from '../support/dashboard/people.ts';
import { loaded, signedIn, stranger, type Tab } from '../support/dashboard/tour.ts';
import { type Application, type Holder, startApplication } from '../support/harness/application.ts';
import { eventually } from '../support/harness/eventually.ts';
import type { Json } from '../support/harness/http.ts';
import { BANK_ACCOUNT, idIn, must, RECIPIENT } from '../support/harness/tenant-fixture.ts';

interface Place {
  readonly holder: Holder;
  readonly account: string;
  readonly recipient: string;
}

describe.skipIf(withoutBrowser)('approvals in a browser', () => {
  let application: Application;
  let browser: Browser;
  const places: Partial<Record<'sandbox' | 'live', Place>> = {};

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    must(await application.live.client.post('/v1/bank_accounts', BANK_ACCOUNT));
    for (const mode of ['sandbox', 'live'] as const) {
      const holder = application[mode];
      const account = idIn(await holder.client.post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
      await application.submit(holder.environmentId, { type: 'fund_account', account, amount: '9000000' });
      const recipient = idIn(await holder.client.post('/v1/recipients', RECIPIENT));
      must(await holder.client.post('/v1/settings/payouts', { hold_new_recipients_hours: 720 }));
      places[mode] = { holder, account, recipient };
    }
  });
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const at = (mode: 'sandbox' | 'live') => places[mode] as Place;
  async function held(mode: 'sandbox' | 'live', amount: string, more: object = {}): Promise<string> {
    const { holder, account, recipient } = at(mode);
    const order = { amount, currency: 'EUR', account, recipient, reference: `Invoice ${amount}`, ...more };
    return idIn(await holder.client.post('/v1/payouts', order));
  }
  const releaseOf = async (mode: 'sandbox' | 'live', id: string) =>
    must(await at(mode).holder.client.get(`/v1/payouts/${id}`)).json['release'] as {
      status: string;
      approvals: { actor: string; proof?: string }[];
      rejection: { reason: string } | null;
    };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const third = (mode: 'sandbox' | 'live') => application.key({ livemode: mode === 'live' });

  /** An approver of the sandbox who is signed in. */
  async function approverHere(): Promise<{ tab: Tab; user: string }> {
    const { browser: person, user } = await member(application, [application.sandbox], ['approver', 'operator']);
    must(await (await third('sandbox')).client.post(`/v1/users/${user}/confirm`));
    return { tab: await signedIn(browser, application.address, person), user };
  }

  it('on a phone in live: select all, approve, and the passkey has signed what was there', async () => {
    const ids = [await held('live', '10.00'), await held('live', '20.50'), await held('live', '30.00')];
    const { token, user } = await invite(application.live, ['approver']);
    const tab = await stranger(browser, application.address, { phone: true, dark: true });
    const { page } = tab;
    await page.goto(`/dashboard#invite=${token}`);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await button(page, 'Go on').tap();
    await button(page, 'Make a passkey').tap();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    must(await (await third('live')).client.post(`/v1/users/${user}/confirm`));
    await page.goto('/dashboard/live/approvals');
    await loaded(page);
    await says(page, 'First payment to this country');
    expect([await violations(page), await tooWide(page)]).toEqual([[], []]);
    await button(page, 'Select all 3').tap();
    await says(page, '60.50');
    await button(page, 'Approve 3').tap();
    await says(page, 'Approved 3.');
    await says(page, 'Nothing waits for approval.');
    const approvals = (await Promise.all(ids.map((id) => releaseOf('live', id)))).flatMap((each) => each.approvals);
    expect(approvals.map(({ actor }) => actor)).toEqual([user, user, user]);
    const [proof, ...others] = new Set(approvals.map((each) => each.proof));
    expect(others).toEqual([]);
    const [row] = await application.sql('SELECT approves FROM approval_proofs WHERE challenge = $1', [proof]);
    const signed = String(row?.['approves']);
    expect(ids.filter((id) => signed.includes(id))).toEqual(ids);
    // Nothing was refused on the way: a console would show that.
    await tab.close();
  });

  it('rejects with a reason that reaches whoever asked', async () => {
    const id = await held('sandbox', '11.00');
    const { tab } = await approverHere();
    await tab.go('/approvals');
    await button(tab.page, 'Reject').first().click();
    await tab.page.getByLabel('Reason').fill('Not our supplier');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await says(tab.page, 'Rejected.');
    expect((await releaseOf('sandbox', id)).rejection?.reason).toBe('Not our supplier');
    const { client } = application.sandbox;
    expect(must(await client.get(`/v1/payouts/${id}/history`)).text).toContain('Not our supplier');
    const [event] = must(await client.get(`/v1/events?related_object=${id}&type=payout.rejected`)).json[
      'data'
    ] as Json[];
    expect(JSON.stringify(event)).toContain('Not our supplier');
    await tab.close();
  });

  it('goes by keys: j, x, a; and g a goes elsewhere without approving', async () => {
    const ids = [await held('sandbox', '21.00'), await held('sandbox', '22.00'), await held('sandbox', '23.00')];
    const { tab } = await approverHere();
    const { page } = tab;
    await tab.go('/approvals');
    await says(page, 'Invoice 23.00');
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await says(page, '2 selected');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect((await releaseOf('sandbox', ids[0] as string)).status).toBe('held');
    await tab.go('/approvals');
    await says(page, 'Invoice 23.00');
    for (const key of ['j', 'x', 'j', 'x', 'a']) await page.keyboard.press(key);
    await says(page, 'Approved 2.');
    const states = await Promise.all(ids.map(async (id) => (await releaseOf('sandbox', id)).status));
    expect(states).toEqual(['approved', 'approved', 'held']);
    await button(page, 'Select all 1').click();
    await button(page, 'Approve 1').click();
    await says(page, 'Nothing waits for approval.');
    await tab.close();
  });

  it('chooses no more what has changed on the screen', async () => {
    const [kept, changed] = [await held('sandbox', '31.00'), await held('sandbox', '32.00')];
    const { tab } = await approverHere();
    const { page } = tab;
    await tab.go('/approvals');
    await button(page, 'Select all 2').click();
    await says(page, '2 selected');
    must(await application.sandbox.client.post(`/v1/payouts/${changed}`, { reference: 'Another account' }));
    await says(page, '1 selected');
    await button(page, 'Approve 1').click();
    await says(page, 'Approved 1.');
    expect([(await releaseOf('sandbox', kept)).status, (await releaseOf('sandbox', changed)).status]).toEqual([
      'approved',
      'held',
    ]);
    must(await application.sandbox.client.post(`/v1/payouts/${changed}/cancel`));
    await tab.close();
  });

  it('lets nobody choose what they asked for', async () => {
    const { browser: person, user } = await member(application, [application.sandbox], ['approver', 'operator']);
    must(await (await third('sandbox')).client.post(`/v1/users/${user}/confirm`));
    const { account, recipient } = at('sandbox');
    const own = await person.post('/v1/payouts', { amount: '41.00', currency: 'EUR', account, recipient });
    expect(own.status, own.text).toBe(200);
    const tab = await signedIn(browser, application.address, person);
    await tab.go('/approvals');
    await says(tab.page, 'You asked for it. Somebody else has to approve it.');
    expect(await tab.page.getByLabel(/^Select 41\.00 EUR/).isDisabled()).toBe(true);
    expect(await tab.page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await tab.go(`/payouts/${own.json['id'] as string}`);
    expect(await button(tab.page, 'Approve').isDisabled()).toBe(true);
    await tab.close();
  });

  it('shows what is used of limits today, and freezes payouts in live by a typed word', async () => {
    const { holder } = at('live');
    must(await holder.client.post('/v1/limits', { currency: 'EUR', amount: 100, action: 'hold' }));
    const { browser: person } = await member(application, [application.live], ['admin']);
    const tab = await signedIn(browser, application.address, person);
    const { page } = tab;
    await page.goto('/dashboard/live/rules');
    await loaded(page);
    await says(page, '100.00 EUR a day');
    expect([await violations(page), await tooWide(page)]).toEqual([[], []]);
    await button(page, 'Freeze all payouts').click();
    const dialog = page.getByRole('dialog');
    const freeze = dialog.getByRole('button', { name: 'Freeze' });
    expect(await freeze.isDisabled()).toBe(true);
    await dialog.getByLabel('Type freeze to confirm').fill('freeze');
    await freeze.click();
    await says(page, 'Payouts are frozen.');
    const rules = () => holder.client.get('/v1/settings/payouts');
    await eventually('payouts are frozen', async () => must(await rules()).json['frozen'] === true);
    await tab.close();
  });
});
