/**
 * A payroll of a thousand rows in a real browser: a file with twenty kinds of fault is dropped, mended and paid. Nothing is sent before *Create*
 * but dry runs; a second upload under the same name creates nothing, and under another it is said who was paid before.
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

/** The German account with this number. */
function ibanOf(n: number): string {
  const bban = `37040044${String(n).padStart(10, '0')}`;
  const rest = BigInt(`${bban}131400`) % 97n;
  return `DE${String(98n - rest).padStart(2, '0')}${bban}`;
}
const GOOD = 975;
const row = (n: number) =>
  `Person ${n} Müller;${ibanOf(n)};${1000 + n},${String(n % 100).padStart(2, '0')};Lohn November`;
const KNOWN = ibanOf(1);
/** Twenty kinds of fault, and a row that stands twice. */
const BAD = [
  `;${KNOWN};1,50;`,
  `12;${KNOWN};1,50;`,
  `${'a'.repeat(141)};${KNOWN};1,50;`,
  `=A1;${KNOWN};1,50;`,
  `#BEZUG!;${KNOWN};1,50;`,
  'Ada;;1,50;',
  'Ada;12345678;1,50;',
  'Ada;3,70E+17;1,50;',
  'Ada;DE89************3000;1,50;',
  `Ada;${KNOWN};;`,
  `Ada;${KNOWN};viel;`,
  `Ada;${KNOWN};1e3;`,
  `Ada;${KNOWN};-1,50;`,
  `Ada;${KNOWN};0,00;`,
  `Ada;${KNOWN};1,505;`,
  `Ada;${KNOWN};99999999999999,00;`,
  `Ada;${KNOWN};£1,50;`,
  `Ada;${KNOWN};1,50;${'x'.repeat(141)}`,
  `Ada;${KNOWN};1,50;a;b`,
  `Ada;${KNOWN};1,50`,
  'Summe;;1.999,00;',
  row(7),
];
/** Its check digits are wrong; the right ones are typed. */
const MENDED = `Rosa Luxemburg;${ibanOf(5000).replace(/^DE../, 'DE00')};980,00;Lohn November`;
const FILE = Buffer.from(
  `\uFEFFEmpfänger;IBAN;Betrag;Text\r\n${[...Array.from({ length: GOOD }, (_, n) => row(n + 1)), MENDED, ...BAD].join('\r\n')}\r\n`,
);
const MENDED_LINE = GOOD + 2;

describe.skipIf(withoutBrowser)('a batch from a file', () => {
  let application: Application;
  let browser: Browser;
  let clerk: Member;

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    const { sandbox } = application;
    const account = idIn(await sandbox.client.post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
    for (let n = 0; n < 4; n++)
      must(await sandbox.client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000_000 }));
    const known = { name: 'PERSON 1 MUELLER', type: 'individual', currency: 'EUR', country: 'DE', iban: KNOWN };
    must(await sandbox.client.post('/v1/recipients', known));
    must(await sandbox.client.post('/v1/recipients', { ...known, name: 'Bob King', iban: ibanOf(2) }));
    clerk = await member(application, [sandbox], ['operator']);
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const drop = (page: Page, name: string) =>
    page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: FILE });
  const leaveOutAll = async (page: Page) => {
    await page.getByText(/rows? (?:is|are) open/).waitFor();
    for (let left = await button(page, 'Leave out').count(); left > 0; left = await button(page, 'Leave out').count())
      await button(page, 'Leave out').first().click();
  };
  const mend = async (page: Page) => {
    const field = page.getByLabel(`IBAN of line ${MENDED_LINE}`);
    await field.fill(ibanOf(5000));
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
  };
  const paid = async () => {
    const rows = await application.sql('SELECT count(*)::int AS n, coalesce(sum(amount), 0)::text AS sum FROM payouts');
    const [{ n: recipients }] = (await application.sql('SELECT count(*)::int AS n FROM recipients')) as [{ n: number }];
    return { ...rows[0], recipients };
  };
  const SUM = Array.from({ length: GOOD }, (_, at) => BigInt((1001 + at) * 100 + ((at + 1) % 100)));
  const TOTAL = SUM.reduce((sum, each) => sum + each, 98_000n);

  it('is mended, checked and paid, and not a second time', { timeout: 600_000 }, async () => {
    const tab = await signedIn(browser, application.address, clerk.browser, { answers: [400] });
    const { page, go } = tab;
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/payouts/batch')) sent.push(request.postDataJSON() as Json);
    });
    await go('/batches');
    expect(await violations(page)).toEqual([]);
    await button(page, 'New batch').click();
    await button(page, 'Choose a file').waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    await drop(page, 'payroll-2026-11.csv');
    await button(page, 'Another file').waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    await page.getByText('23 rows are open').waitFor();
    await page.getByText('The check digits of the IBAN are wrong.').waitFor();
    await mend(page);
    await leaveOutAll(page);

    await button(page, `Check ${(GOOD + 1).toLocaleString('en')} rows`).click();
    await page.getByText('One row would be refused.').waitFor();
    await button(page, 'Bob King is meant').click();
    await button(page, /^Check /).click();
    await button(page, /^Create 976 payouts/).waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    // Dry runs alone have left the browser, and nothing was written.
    expect(sent.map(({ dry_run }) => dry_run)).toEqual([true, true]);
    expect(await paid()).toEqual({ n: 0, sum: '0', recipients: 2 });

    await button(page, /^Create 976 payouts/).click();
    await page.waitForURL('**/batches/pob_*');
    await page.getByRole('heading', { level: 1, name: 'payroll-2026-11' }).waitFor();
    await page.getByRole('table', { name: 'Payouts of the batch' }).waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    const made = { n: GOOD + 1, sum: String(TOTAL), recipients: GOOD + 1 };
    expect(await paid()).toEqual(made);

    await go('/batches/new');
    await drop(page, 'payroll-2026-11.csv');
    await mend(page);
    await leaveOutAll(page);
    await button(page, /^Check /).click();
    await page.getByText('A batch has this name already.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('payroll-2026-11 again');
    await button(page, /^Check /).click();
    await page.getByText('975: look at them, or leave them out').waitFor();
    expect(await paid()).toEqual(made);
    expect(sent.filter(({ dry_run }) => dry_run !== true)).toHaveLength(1);
    await tab.close();
  });

  it('is whole on a phone in the dark', async () => {
    const tab = await signedIn(browser, application.address, clerk.browser, { phone: true, dark: true });
    const { page, go } = tab;
    for (const path of ['/batches', '/batches/new']) {
      await go(path);
      expect([path, ...(await violations(page)), ...(await tooWide(page))]).toEqual([path]);
    }
    await drop(page, 'payroll.csv');
    await page.getByText('23 rows are open').waitFor();
    expect([...(await violations(page)), ...(await tooWide(page))]).toEqual([]);
    await tab.close();
  });
});
