/**
 * A month of a bank account, closed in a real browser by two roles: an operator imports and decides what of a statement is new, an accountant
 * signs. A statement that waits keeps the month open although the report proves; who signs signs what stood there; a later change is said.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type WrittenStatement } from '../support/bank/camt.ts';
import { handedIn } from '../support/bank/hand-in.ts';
import { type Browser, startBrowser, tooWide, violations, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { type Member, member } from '../support/dashboard/people.ts';
import { signedIn } from '../support/dashboard/tour.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';

const IBAN = 'DE89370400440532013000';
const OTHER = 'DE02120300000000202051';
const BANK = { currency: 'EUR', country: 'DE', holder: 'Rossum GmbH', cut_off: '14:30', time_zone: 'UTC' };
const MONTH = '2026-10';

describe.skipIf(withoutBrowser)('a month of a bank account', () => {
  let application: Application;
  let browser: Browser;
  let operator: Member;
  let accountant: Member;
  let account: string;
  let bank: string;
  let notices: string;

  const client = () => application.sandbox.client;
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const file = (statement: Omit<WrittenStatement, 'iban'>, iban = IBAN, message?: Parameters<typeof camt>[1]) =>
    camt([{ iban, ...statement }], message);
  const handIn = async (...of: Parameters<typeof file>) => must(await handedIn(client(), file(...of)));
  const list = async (path: string) => must(await client().get(path)).json['data'] as readonly Json[];
  const report = async () => must(await client().get(`/v1/bank_accounts/${bank}/reconciliation?month=${MONTH}`)).json;
  const change = async (zone: string) => must(await client().post(`/v1/bank_accounts/${bank}`, { time_zone: zone }));
  const month = () => `/bank-accounts/${bank}/month?month=${MONTH}`;
  const standing = (page: Page) => page.locator('.card-head .state').first().innerText();

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    account = idIn(await client().post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
    bank = idIn(await client().post('/v1/bank_accounts', { ...BANK, name: 'Nordbank', bank_details: { iban: IBAN } }));
    const noticed = { ...BANK, name: 'Notices', booked_by: 'camt.054', uses: ['collections'] };
    notices = idIn(await client().post('/v1/bank_accounts', { ...noticed, bank_details: { iban: OTHER } }));
    await handIn({ id: 'S0', day: '2026-09-30', opening: '1000.00', closing: '1000.00', entries: [] });
    const entries = [
      { amount: '40.00', details: [{ name: 'Ada', text: 'Thank you' }] },
      { amount: '-3.00', code: 'PMNT-MDOP-CHRG' },
    ];
    await handIn({ id: 'S1', day: '2026-10-05', opening: '1000.00', closing: '1037.00', entries });
    operator = await member(application, [application.sandbox], ['operator']);
    accountant = await member(application, [application.sandbox, application.live], ['accountant']);
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  it('with a statement that waits is open, although its report proves', async () => {
    const tab = await signedIn(browser, application.address, operator.browser);
    const { page, go } = tab;
    await go('/bank-accounts');
    await page.getByRole('link', { name: 'Nordbank' }).click();
    const unclear = file({
      id: 'S2',
      day: '2026-10-30',
      opening: '1037.00',
      closing: '1037.00',
      entries: [{ amount: '1.00', reference: 'W1' }],
    });
    await page.getByLabel('A file of your bank').setInputFiles({
      name: 'october.xml',
      mimeType: 'application/xml',
      buffer: Buffer.from(unclear),
    });
    expect(await list(`/v1/bank_statements?bank_account=${bank}&status=needs_review`)).toEqual([]); // nothing before Import
    await button(page, 'Import').click();
    await page.getByText('a statement waits for somebody').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tab.faults()).toEqual([]);
    await tab.close();
    expect(await report()).toMatchObject({ status: 'closed', proof: { status: 'ok' } });

    const other = await signedIn(browser, application.address, accountant.browser);
    await other.go(month());
    await other.page.getByText(/waits for somebody: of 1 entry/).waitFor();
    expect(await standing(other.page)).toBe('3 things are missing'); // reach, review, places
    expect(await violations(other.page)).toEqual([]);
    await other.page.getByRole('link', { name: 'Look at it' }).click();
    await other.page.getByText('Your role may not decide what of a statement is new.').waitFor();
    expect(await button(other.page, 'Book what is new').isDisabled()).toBe(true);
    expect(await violations(other.page)).toEqual([]);
    await other.close();
  });

  it('is signed only knowingly while something is missing, and not at all by who may not', async () => {
    const tab = await signedIn(browser, application.address, accountant.browser);
    await tab.go(month());
    await button(tab.page, 'Sign').click();
    const dialog = tab.page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Sign' }).isDisabled()).toBe(true);
    await dialog.getByLabel('I sign it although this is missing').check();
    expect(await dialog.getByRole('button', { name: 'Sign' }).isEnabled()).toBe(true);
    expect(await violations(tab.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await tab.close();
    const other = await signedIn(browser, application.address, operator.browser);
    await other.go(month());
    await other.page.getByText('Your role may not sign months.').waitFor();
    expect(await button(other.page, 'Sign').isDisabled()).toBe(true);
    await other.close();
    expect((await report())['signature']).toBeNull();
  });

  it('two people who decide about one statement at once: it is booked once', async () => {
    const [ada, bob] = ['R1', 'P9'].map((reference) => [{ amount: '10.00', reference, details: [{ name: 'Ada' }] }]);
    await handIn({ id: 'N1', day: '2026-10-06', entries: ada ?? [] }, OTHER, 'camt.054');
    await handIn({ id: 'N2', day: '2026-10-06', entries: bob ?? [] }, OTHER, 'camt.054');
    const [waiting] = await list(`/v1/bank_statements?bank_account=${notices}&status=needs_review`);
    const id = waiting?.['id'] as string;
    const second = await member(application, [application.sandbox], ['operator']);
    const tabs = await Promise.all(
      [operator, second].map((who) => signedIn(browser, application.address, who.browser, { answers: [400, 409] })),
    );
    for (const { page, go } of tabs) {
      await go(`/bank-statements/${id}`);
      await page.getByRole('columnheader', { name: 'Reading 1' }).waitFor();
      expect(await page.getByRole('cell', { name: 'differs' }).count()).toBe(1);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('radio', { name: 'Reading 1', exact: true }).check();
      await button(page, 'Book what is new').click();
      await page.getByLabel('Why').fill('Two payments');
    }
    await Promise.all(tabs.map(({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Book' }).click()));
    const refused = await Promise.all(
      tabs.map(async ({ page }) => {
        const refusal = page.getByText(/does not wait for anybody/);
        const done = page.getByText('It is decided.');
        await refusal.or(done).first().waitFor();
        return (await refusal.count()) > 0;
      }),
    );
    // Who comes while it is being booked joins in; who comes later is refused. It is booked once in any case.
    expect(refused.filter((each) => each).length).toBeLessThanOrEqual(1);
    expect(await list(`/v1/bank_entries?bank_account=${notices}`)).toHaveLength(2);
    const [reviewed] = await list(`/v1/audit_log?action=bank_statement.reviewed&subject=${id}`);
    expect(reviewed?.['details']).toMatchObject({ new_entries: '1', reason: 'Two payments' });
    for (const { close } of tabs) await close();
  });

  it('is ready once all is there; the report that stood there is signed, and no other', async () => {
    // The bank issues it again, as it should have been; then the first one of the next month.
    await handIn({
      id: 'S2',
      day: '2026-10-30',
      opening: '1037.00',
      closing: '1038.00',
      entries: [{ amount: '1.00', reference: 'W1' }],
    });
    await handIn({
      id: 'S3',
      day: '2026-11-02',
      opening: '1038.00',
      closing: '1031.00',
      entries: [{ amount: '-7.00', code: 'PMNT-MDOP-CHRG' }],
    });
    for (const entry of await list(`/v1/bank_entries?bank_account=${bank}&status=unmatched`))
      must(await client().post(`/v1/bank_entries/${entry['id'] as string}/assign`, { assignments: [{ to: account }] }));
    const tab = await signedIn(browser, application.address, accountant.browser, { answers: [400, 409] });
    const { page, go } = tab;
    await go(month());
    await page.getByText('Ready to be signed').waitFor();
    await page.getByText('By now all have one').waitFor();
    await button(page, 'Sign').click();
    await change('Europe/Berlin');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Sign' }).click();
    await dialog.getByText(/the report now has/).waitFor();
    expect((await report())['signature']).toBeNull();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Ready to be signed').waitFor();
    await button(page, 'Sign').click();
    await dialog.getByRole('button', { name: 'Sign' }).dblclick();
    await page.getByText('You have signed this report.').waitFor();
    expect(await standing(page)).toBe('Signed');
    const { sha256, signature } = await report();
    expect(signature).toMatchObject({ sha256, is_current: true, signed_by: accountant.user });
    expect(await list(`/v1/audit_log?action=bank_account.reconciled&subject=${bank}`)).toHaveLength(1);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'The signed report').click()]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(
      createHash('sha256')
        .update(`${text.slice(0, text.indexOf(',"sha256"'))}}`)
        .digest('hex'),
    ).toBe(sha256);
    expect(await violations(page)).toEqual([]);
    await tab.close();
  });

  it('that changes after its signature says so, on a phone too, and both signatures stay', async () => {
    await change('UTC');
    const tab = await signedIn(browser, application.address, accountant.browser, { phone: true, dark: true });
    const { page, go } = tab;
    await go(month());
    await page.getByText('Changed since it was signed').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    await button(page, 'Sign again').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign' }).click();
    await page.getByText('the report as it is now').waitFor(); // the other one stood there before
    await page.getByText('a report that was another one').waitFor();
    expect(await page.locator('.timeline li').count()).toBe(2);
    expect(await standing(page)).toBe('Signed');
    expect(await tab.faults()).toEqual([]);
    await tab.close();
  });

  it('of the sandbox is none of live, and what is no month is refused in words', async () => {
    const live = await signedIn(browser, application.address, accountant.browser, { mode: 'live', answers: [404] });
    await live.go(month());
    await live.page.getByText('There is nothing under this address.').waitFor();
    await live.close();
    const tab = await signedIn(browser, application.address, accountant.browser, { answers: [400] });
    await tab.go(`/bank-accounts/${bank}/month?month=2026-13`);
    await tab.page.getByText(/a month such as 2026-11/).waitFor();
    await tab.close();
  });

  it('a rule is tried on the past, made and deleted; a booking is voided by two people only', async () => {
    const tab = await signedIn(browser, application.address, operator.browser);
    const { page, go } = tab;
    await go('/bank-rules');
    await button(page, 'New rule').click();
    await page.getByLabel('What the rule is for').fill('Thanks');
    const pick = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await pick('Bank account', 'Nordbank EUR');
    await pick('Money that', 'comes in');
    await page.getByLabel('Name or text').fill('*thank*');
    await pick('Where to', 'Account Main');
    await button(page, 'Try it on the past').click();
    await page.getByText(/it fits 1, and would have placed 1/).waitFor();
    expect(await list('/v1/bank_rules')).toEqual([]); // tried, and not made
    expect(await violations(page)).toEqual([]);
    await button(page, 'Make the rule').dblclick();
    await page.getByText('Money that comes in at Nordbank EUR, with a name or text like “*thank*”').waitFor();
    expect(await list('/v1/bank_rules')).toHaveLength(1);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Delete Thanks').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is placed by a rule yet.').waitFor();

    const [entry] = (await list(`/v1/bank_entries?bank_account=${bank}`)).filter(
      ({ amount_minor: minor }) => minor === 4_000,
    );
    await go(`/bank-entries/${entry?.['id'] as string}`);
    await button(page, 'Void it').click();
    await page.getByLabel('Why').fill('Booked twice');
    await button(page, 'Ask to void it').click();
    await page.getByText('Somebody asks to void it').waitFor();
    expect(await button(page, 'Approve').isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(await list('/v1/bank_entries?status=voided')).toEqual([]);
    must(await client().post(`/v1/test_helpers/bank_entries/${entry?.['id'] as string}/approve`));
    await page.getByText('Nowhere: it counts as never booked.').waitFor();
    expect(await tab.faults()).toEqual([]);
    await tab.close();
    const other = await signedIn(browser, application.address, accountant.browser);
    await other.go(month());
    await other.page.getByText('Changed since it was signed').waitFor();
    await other.close();
  });
});
