/**
 * A month of a small company, done with clicks by three people with a role each, in a real browser: salaries from a file, approved on a phone,
 * brought to the bank and back; one that comes back and is paid again; invoices; money without a reference; the month closed and signed. What a
 * bank sends is made by a bank that counts by itself, and the end is compared with its numbers. All days are those of the sandbox clock.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handedIn } from '../support/bank/hand-in.ts';
import { type Browser, startBrowser, withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard, DASHBOARD_DIST } from '../support/dashboard/build.ts';
import { Colleague } from '../support/dashboard/clicks.ts';
import {
  type Booking,
  CompanyBank,
  dayAfter,
  firstDayBefore,
  majorOf,
  monthAfter,
  type Order,
  payrollCsv,
  SALARIES,
  sumOf,
} from '../support/dashboard/company.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';
import { auditDatabase } from '../support/model/audit.ts';

const IBAN = 'DE02600501010002034304';
const BANK = { name: 'Nordbank', currency: 'EUR', country: 'DE', holder: 'Kestrel Optics GmbH' };
const OPENING = 6_000_000n;
const PAYROLL = sumOf(SALARIES.map(({ minor }) => minor));
/** Whose account is closed, and where the money goes then. */
const MOVED = SALARIES.find(({ name }) => name === 'Hanne Sørensen') as (typeof SALARIES)[number];
const NEW_IBAN = 'DE12370400440819645188';
const INVOICES = [
  { payer: 'Sternwarte Potsdam e.V.', what: 'Invoice K-1001', minor: 595_000n },
  { payer: 'Optik Brandt GmbH', what: 'Invoice K-1002', minor: 119_000n },
] as const;
const CHARGE: Booking = { minor: -1_290n, details: [{ text: 'Kontofuehrung' }] };
const CLOSING = OPENING - PAYROLL + MOVED.minor - MOVED.minor + sumOf(INVOICES.map(({ minor }) => minor)) - 2n * 1_290n;
const shown = (minor: bigint) => majorOf(minor, ',');

/** At nine in UTC it is before each cut-off in Berlin, in summer and in winter. */
const BEGINS = 'T09:00:00Z';
const FIRST = firstDayBefore(Date.now());
const MONTH = FIRST.slice(0, 7);
const MONTH_WORD = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
  Date.parse(FIRST),
);
const BATCH = `Salaries ${MONTH}`;

it('begins so that it lies behind the present on every day of eight years, and its events are kept', () => {
  const DAY_MS = 86_400_000;
  const odd = Array.from({ length: 8 * 366 }, (_, day) => Date.UTC(2024, 0, 1, 23, 59) + day * DAY_MS).filter((now) => {
    const first = firstDayBefore(now);
    const behind = (day: string) => (now - Date.parse(day)) / DAY_MS;
    return !first.endsWith('-01') || behind(dayAfter(monthAfter(first), 6)) < 1 || behind(first) > 80;
  });
  expect(odd.map((now) => new Date(now).toISOString())).toEqual([]);
});

describe.skipIf(withoutBrowser)('a month of a small company', () => {
  let application: Application;
  let browser: Browser;
  let account: string;
  let bankAccount: string;
  /** A developer: no other role moves the clock of a sandbox, and to the company the time only passes. */
  let time: Colleague;
  let operator: Colleague;
  let approver: Colleague;
  let accountant: Colleague;
  let today = FIRST;
  let order: Order;
  const bank = new CompanyBank(IBAN, dayAfter(FIRST, -1), OPENING);

  const get = async (path: string) => must(await application.sandbox.client.get(path)).json;
  const list = async (path: string) => (await get(path))['data'] as readonly Json[];
  const everybody = () => [time, operator, approver, accountant];

  beforeAll(async () => {
    buildDashboard();
    [application, browser] = await Promise.all([startApplication({ dashboardFolder: DASHBOARD_DIST }), startBrowser()]);
    const { client } = application.sandbox;
    const post = async (path: string, body: object) => must(await client.post(path, body)).json;
    const eve = dayAfter(FIRST, -1);
    const offset = Math.round((Date.parse(`${eve}${BEGINS}`) - Date.now()) / 1_000);
    await post('/v1/test_helpers/reset', { offset_seconds: offset });
    await post('/v1/settings', { name: BANK.holder });
    account = idIn(await client.post('/v1/accounts', { currency: 'EUR', name: 'Main' }));
    const at = { bank_details: { iban: IBAN }, cut_off: '14:30', time_zone: 'Europe/Berlin' };
    bankAccount = idIn(await client.post('/v1/bank_accounts', { ...BANK, ...at }));
    bank.day = dayAfter(eve, -1);
    must(await handedIn(client, bank.statement(eve, [])));
    const [opening] = await list('/v1/bank_entries?status=unmatched');
    await post(`/v1/bank_entries/${opening?.['id'] as string}/assign`, { assignments: [{ to: account }] });
    await post('/v1/limits', { currency: 'EUR', amount: '0.01', action: 'hold' });
    await post('/v1/test_helpers/clock/advance', { seconds: 86_400 });

    const join = (role: string, name: string, phone = false) =>
      Colleague.join(browser, { address: application.address, holder: application.sandbox, role, name, phone });
    time = await join('developer', 'Jonas Weber');
    operator = await join('operator', 'Samuel Okafor');
    approver = await join('approver', 'Luise Hartmann', true);
    accountant = await join('accountant', 'Marta Lindqvist');
    // Who was let in by one is confirmed by another.
    const other = await application.key();
    must(await other.client.post(`/v1/users/${approver.user}/confirm`));
  }, 600_000);
  afterAll(async () => {
    await browser?.stop();
    await application?.stop();
  });

  /** The clock is moved on to that day, a week or a day a click. */
  async function passes(day: string): Promise<void> {
    await time.visit('Sandbox tools');
    const clock = time.page.locator('section', { hasText: 'Quotes end, planned payouts leave' }).locator('time');
    while (today < day) {
      const isFar = dayAfter(today, 7) <= day;
      await time.press(isFar ? 'A week on' : 'A day on');
      today = dayAfter(today, isFar ? 7 : 1);
      await expect.poll(async () => (await clock.getAttribute('datetime'))?.slice(0, 10)).toBe(today);
    }
  }

  /** A file of the bank is dropped onto the page of files, and imported. */
  async function brings(file: string, name: string): Promise<void> {
    await operator.visit('Files');
    const imported = operator.page
      .getByRole('table', { name: 'Files of banks' })
      .getByText('Imported', { exact: true });
    const before = await imported.count();
    await operator.drops(operator.page.getByLabel('A file of your bank'), name, file);
    await operator.press('Import', operator.page, 2);
    await operator.says(/^The file is (?:imported|being read)\.$/);
    await expect.poll(() => imported.count()).toBe(before + 1);
  }

  /** A statement comes on its day, and the operator brings it in. */
  async function reports(day: string, bookings: readonly Booking[]): Promise<void> {
    await passes(day);
    await brings(bank.statement(day, bookings), `statement-${day}.xml`);
  }

  /** What is ready leaves in a file, which the operator downloads and hands to the bank. The bank accepts it. */
  async function exports(sum: bigint): Promise<Order> {
    await operator.visit('Bank accounts');
    await operator.press('Export now');
    const dialog = operator.page.getByRole('dialog');
    await operator.says(shown(sum), dialog);
    await operator.press('Export', dialog, 2);
    await operator.says('A file is made.');
    await operator.visit('Files');
    const file = operator.page.getByRole('row').filter({ hasText: 'No answer yet' });
    const taken = bank.orderIn((await operator.downloads(/^Download /, file)).toString());
    await brings(bank.accepted(taken), `report-${taken.messageId}.xml`);
    await operator.says('Answered');
    return taken;
  }

  /** The day of execution, or the one behind the newest statement. */
  const dayOf = ({ day }: Order): string => (day > bank.day ? day : dayAfter(bank.day));

  async function dropsPayroll(): Promise<void> {
    await operator.visit('Batches');
    await operator.press('New batch');
    await operator.stands('New batch');
    const place = operator.page.getByText('Drop a CSV file with a name');
    await operator.drops(place, `payroll-${MONTH}.csv`, payrollCsv(`Gehalt ${MONTH}`));
    await operator.page.getByLabel('Name', { exact: true }).fill(BATCH);
    await operator.press(`Check ${SALARIES.length} rows`);
  }

  it('the operator drops the payroll, checks it, and creates it once', async () => {
    await dropsPayroll();
    await operator.says(shown(PAYROLL));
    await operator.says('Main · EUR');
    await operator.looks();
    expect(await list('/v1/payouts')).toEqual([]); // nothing before Create
    await operator.press(`Create ${SALARIES.length} payouts`, operator.page, 2);
    await operator.stands(BATCH);
    const payouts = operator.page.getByRole('table', { name: 'Payouts of the batch' });
    await expect.poll(() => payouts.getByText('Needs approval', { exact: true }).count()).toBe(SALARIES.length);
    // Who makes salaries sees whom they pay.
    for (const { name } of SALARIES) await operator.says(name, payouts);

    await dropsPayroll();
    await operator.says('A batch has this name already. Nothing was made.');
    await operator.looks();
    expect(await list('/v1/payout_batches')).toHaveLength(1);
    expect((await list('/v1/payouts?order=asc')).map(({ amount_minor: minor }) => minor)).toEqual(
      SALARIES.map(({ minor }) => Number(minor)),
    );
  });

  it('the operator cannot approve it; the approver does, on a phone, in three taps with a passkey', async () => {
    await operator.visit('Approvals');
    await operator.says('Your role may not approve.');
    expect(await operator.page.getByRole('checkbox', { disabled: true }).count()).toBe(SALARIES.length);
    await operator.follow(MOVED.name);
    expect(await operator.button('Approve').isDisabled()).toBe(true);

    await approver.press('You: Luise Hartmann');
    await approver.page.getByRole('menuitem', { name: 'Sign out' }).tap();
    await approver.button('Sign in with a passkey').waitFor();
    await approver.page.goto('/dashboard/sandbox/approvals'); // a link that the operator has sent
    const before = approver.taps;
    await approver.press('Sign in with a passkey');
    await approver.stands('Approvals');
    await approver.says(shown(PAYROLL));
    await approver.press(`Select all ${SALARIES.length}`);
    await approver.says(`${SALARIES.length} selected`);
    await approver.press(`Approve ${SALARIES.length}`);
    await approver.says(`Approved ${SALARIES.length}.`);
    await approver.says('Nothing waits for approval.');
    expect(approver.taps - before).toBe(3);
    await approver.looks();
  });

  it('the file goes to the bank, and its statement says that all are paid', async () => {
    order = await exports(PAYROLL);
    expect(order.payments.map(({ minor }) => minor)).toHaveLength(SALARIES.length);
    await reports(dayOf(order), bank.debitsOf(order));
    await operator.visit('Batches');
    await operator.follow(BATCH);
    const payouts = operator.page.getByRole('table', { name: 'Payouts of the batch' });
    await expect.poll(() => payouts.getByText('Paid', { exact: true }).count()).toBe(SALARIES.length);
  });

  it('one comes back; the operator sees why, mends the recipient and pays again, and the approver agrees', async () => {
    await reports(dayAfter(bank.day), [bank.returnOf(order, MOVED.minor, 'AC04')]);
    await operator.visit('Payouts');
    await operator.follow(MOVED.name);
    await operator.says('Returned');
    await operator.says('Samuel Okafor', operator.page.locator('.facts'));
    await operator.says(/The bank account has been closed.*Correct the recipient, and pay again/);
    await operator.follow(MOVED.name);
    await operator.press('Change');
    const dialog = operator.page.getByRole('dialog');
    await dialog.getByRole('switch', { name: /^Other bank details than/ }).check();
    await dialog.getByLabel('IBAN', { exact: true }).fill(NEW_IBAN);
    await operator.press('Change', dialog, 2);
    await operator.says('Changed.');
    await dialog.waitFor({ state: 'detached' });
    await operator.follow(new RegExp(`Gehalt ${MONTH}`));
    await operator.press('Pay again');
    await operator.stands('New payout');
    await operator.says('Salaries'); // and so nobody else sees whom it pays
    await operator.press('Pay', operator.page, 2);
    await operator.stands(`${shown(MOVED.minor)} EUR`);
    await operator.says('Needs approval');
    expect((await list('/v1/payouts'))[0]).toMatchObject({
      amount_minor: Number(MOVED.minor),
      category_purpose: 'SALA',
      reference: `Gehalt ${MONTH}`,
      destination: { last4: NEW_IBAN.slice(-4) },
    });

    await approver.visit('Overview');
    await approver.visit('Approvals');
    await approver.press('Select all 1');
    await approver.press('Approve 1');
    await approver.says('Nothing waits for approval.');
    const again = await exports(MOVED.minor);
    await reports(dayOf(again), bank.debitsOf(again));
    await operator.visit('Payouts');
    await operator.follow(MOVED.name);
    await operator.says('Paid');
  });

  it('an invoice is paid by its reference; what comes without one is placed by hand, and a charge by a rule', async () => {
    const references: string[] = [];
    for (const { payer, what, minor } of INVOICES) {
      await operator.visit('Payments');
      await operator.follow('Expected', operator.page.getByRole('navigation', { name: 'Kinds of payments' }));
      await operator.press('Expect a payment');
      await operator.stands('Expect a payment');
      await operator.page.getByLabel('From', { exact: true }).fill(payer);
      await operator.page.getByLabel('What for').fill(what);
      await operator.page.getByLabel('Amount in EUR').fill(majorOf(minor).replace('.', ','));
      await operator.press('Expect it', operator.page, 2);
      await operator.stands(`${shown(minor)} EUR`);
      const printed = await operator.page.locator('.mono').first().innerText();
      references.push(printed.replaceAll(' ', ''));
    }
    const [first, second] = INVOICES;
    await reports(dayAfter(today, 7), [
      { minor: first.minor, details: [{ name: first.payer, text: `K-1001 ${references[0]}` }] },
      { minor: second.minor, details: [{ name: second.payer, text: 'Ihre Rechnung' }] },
      CHARGE,
    ]);
    await operator.visit('Payments');
    await operator.follow('Expected', operator.page.getByRole('navigation', { name: 'Kinds of payments' }));
    await operator.follow(first.payer);
    await operator.says('Paid');

    await operator.visit('Unmatched');
    const entryOf = (text: string) => operator.page.getByRole('listitem').filter({ hasText: text }).first();
    await operator.says(/the amount fits/, entryOf('Ihre Rechnung'));
    await operator.press('Assign', entryOf('Ihre Rechnung'), 2);
    await operator.says('It has its place.');
    await operator.press('Always do this', entryOf('Kontofuehrung'));
    const dialog = operator.page.getByRole('dialog');
    await dialog.getByLabel('What the rule is for').fill('Charges of the bank');
    expect(await dialog.getByLabel('Name or text').inputValue()).toBe('*Kontofuehrung*');
    await operator.picks('Where to', 'Account Main', dialog);
    await operator.press('Try it on the past', dialog);
    await operator.says(/it fits 1, and would have placed 1/, dialog);
    await operator.looks();
    await operator.press('Make the rule', dialog, 2);
    await dialog.waitFor({ state: 'detached' });
    await operator.press('To an account, or split it', entryOf('Kontofuehrung'));
    await operator.picks('Where to', 'Account Main', dialog);
    await operator.looks();
    await operator.press('Assign', dialog, 2);
    await operator.says('All money has its place.');
    // The next one goes there by itself.
    await reports(dayAfter(monthAfter(FIRST), -1), [CHARGE]);
    await operator.visit('Unmatched');
    await operator.says('All money has its place.');
  });

  it('the accountant finds everything done, signs the month and keeps the report; who may not is refused in words', async () => {
    await reports(dayAfter(monthAfter(FIRST)), []);
    await accountant.visit('Accounts');
    await accountant.follow('Main');
    await accountant.stands(`${shown(CLOSING)} EUR`);
    await accountant.press('Statement');
    const dialog = accountant.page.getByRole('dialog');
    await accountant.picks('Month (UTC)', MONTH_WORD, dialog);
    await accountant.picks('Format', 'CSV, for spreadsheets', dialog);
    await accountant.looks();
    const statement = (await accountant.downloads('Download', dialog)).toString();
    expect(/^closing,.*?,,,(\d+),/m.exec(statement)?.[1]).toBe(String(CLOSING));
    await accountant.press('Close', dialog.locator('form'));

    await accountant.visit('Bank accounts');
    await accountant.follow('Nordbank');
    await accountant.press('Close a month');
    await accountant.stands(`Close ${MONTH_WORD}`);
    await accountant.says('Ready to be signed');
    const card = accountant.page.locator('section', { hasText: 'What closes it' });
    expect(await card.getByText('Done', { exact: true }).count()).toBe(6);
    await accountant.press('Sign', card);
    const sign = accountant.page.getByRole('dialog');
    await accountant.says(shown(CLOSING), sign);
    await accountant.looks();
    await accountant.press('Sign', sign, 2);
    await accountant.says('You have signed this report.');
    await accountant.looks();
    const text = (await accountant.downloads('The signed report')).toString();
    const report = JSON.parse(text) as Json;
    const hashed = createHash('sha256').update(`${text.slice(0, text.indexOf(',"sha256"'))}}`);
    expect(hashed.digest('hex')).toBe(report['sha256']);
    expect(report).toMatchObject({
      month: MONTH,
      status: 'closed',
      opening_balance: Number(OPENING),
      closing_balance: Number(CLOSING),
      proof: { status: 'ok' },
      signature: { signed_by: accountant.user, is_current: true, sha256: report['sha256'] },
    });

    await accountant.visit('Payouts');
    await accountant.page.getByRole('table').waitFor();
    expect(await accountant.button('New payout').isDisabled()).toBe(true);
    await operator.visit('Bank accounts');
    await operator.follow('Nordbank');
    await operator.press('Close a month');
    await operator.stands(`Close ${MONTH_WORD}`);
    await operator.says('Your role may not sign months.');
    expect(await operator.button('Sign again').isDisabled()).toBe(true);
  });

  it('the books are those of the bank to the cent, and whatever was pressed once or twice was done once', async () => {
    expect(bank.balance).toBe(CLOSING);
    expect(await get(`/v1/accounts/${account}`)).toMatchObject({ balance: Number(CLOSING) });
    expect(await get(`/v1/bank_accounts/${bankAccount}`)).toMatchObject({ balance: Number(bank.balance) });
    const sums = await application.sql(
      'SELECT status, count(*)::int AS n, sum(amount)::text AS sum FROM payouts GROUP BY status ORDER BY status',
    );
    expect(sums).toEqual([
      { status: 'paid', n: SALARIES.length, sum: String(PAYROLL) },
      { status: 'returned', n: 1, sum: String(MOVED.minor) },
    ]);
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);

    const sent = everybody().flatMap((each) => each.sent);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
    const counts: Record<string, number> = {};
    for (const { path } of sent) {
      const operation = path.replaceAll(/[a-z]+_[0-9a-z]{20,}/g, ':id');
      counts[operation] = (counts[operation] ?? 0) + 1;
    }
    const { 'test_helpers/clock/advance': moves = 0, ...done } = counts;
    expect(moves).toBe(time.sent.length);
    expect(done).toEqual({
      'recipients/match/batch': 1, // a question, which writes nothing
      'payouts/batch': 1,
      'payouts/approve': 2,
      payment_files: 2,
      statement_files: 8,
      'recipients/:id': 1,
      payouts: 1,
      expected_payments: 2,
      'bank_entries/:id/assign': 2,
      bank_rules: 1,
      'bank_accounts/:id/reconciliation/sign': 1,
    });
    expect(await list('/v1/payment_files')).toHaveLength(2);
    expect(await list('/v1/expected_payments')).toHaveLength(2);
    expect(await list('/v1/bank_rules')).toHaveLength(1);

    expect(everybody().flatMap((each) => each.faults)).toEqual([]);
    for (const each of everybody()) await each.leaves();
  });
});
