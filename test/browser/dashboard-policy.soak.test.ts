/**
 * The dashboard in a real browser under its own headers: it starts, its policy refuses nothing of it, and it does refuse what would make a text
 * of the API a script. Every page of it, and what people do there, stands in files of its own.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { invite } from '../support/dashboard/people.ts';
import { type Application, startApplication } from '../support/harness/application.ts';

describe.skipIf(withoutBrowser)('the page of the dashboard', () => {
  let application: Application;
  let browser: Browser;
  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });
  const opened = async (device: 'phone' | 'desktop', dark = false) => {
    const tab = await browser.openPage({ address: application.address, device, dark });
    await tab.page.goto('/dashboard');
    await tab.page.locator('h1').first().waitFor();
    return tab;
  };

  it.each([
    ['phone', true],
    ['desktop', false],
  ] as const)('asks a stranger to sign in, with nothing refused behind its back, on a %s', async (device, dark) => {
    const { page, close } = await opened(device, dark);
    expect(await page.locator('h1').first().textContent()).toMatch(/sign in/i);
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    await close(); // rejects with what its policy refused, and with what stands on the console
  });

  it('lets no text become markup, no script stand in the page, and nothing leave it', async () => {
    const { page, faults, close } = await opened('desktop');
    expect(await faults()).toEqual([]); // control
    const tried = await page.evaluate(`(async () => {
      const how = {};
      const attempt = (name, run) => { try { run(); how[name] = 'done'; } catch (error) { how[name] = error.name; } };
      attempt('markup', () => { document.createElement('p').innerHTML = '<img src=x onerror="window.ran = 1">'; });
      const script = document.createElement('script');
      attempt('text of a script', () => { script.textContent = 'window.ran = 2'; document.body.append(script); });
      how.elsewhere = await fetch('http://127.0.0.1:9/').then(() => 'done', (error) => error.name);
      await new Promise((done) => setTimeout(done, 100));
      how.ran = window.ran ?? 'nothing';
      return how;
    })()`);
    expect(tried).toMatchObject({ markup: 'TypeError', elsewhere: 'TypeError', ran: 'nothing' });
    await expect(close()).rejects.toThrow('refused by the policy: require-trusted-types-for');
  });

  it('control: a page that was not given its nonce has styles refused', async () => {
    const { page, close } = await browser.openPage({ address: application.address, device: 'desktop' });
    await page.route('**/dashboard', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/(name="csp-nonce" content=")[^"]+/, '$1');
      await route.fulfill({ response, body });
    });
    await page.goto('/dashboard');
    await page.locator('h1').first().waitFor();
    await expect(close()).rejects.toThrow('refused by the policy: style-src');
  });

  it('opens a link that came before it was built', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-built-'));
    const early = await startApplication({ dashboardFolder: folder, buildState: () => 'running' });
    const { token } = await invite(early.sandbox, ['viewer']);
    const tab = await browser.openPage({ address: early.address.replace('127.0.0.1', 'localhost'), device: 'desktop' });
    await tab.page.goto(`/dashboard#invite=${token}`);
    await tab.page.getByText('The dashboard is being built').waitFor();
    cpSync(DASHBOARD_DIST, folder, { recursive: true });
    await tab.page.getByLabel('Your name').waitFor();
    await tab.page.context().close();
    await early.stop();
    rmSync(folder, { recursive: true });
  });
});
