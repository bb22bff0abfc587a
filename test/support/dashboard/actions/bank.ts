/** Banks: payouts that leave in files, files that come, what of them is new, where money belongs, and a month that is signed. */
import type { Page } from 'playwright-core';
import { must } from '../../harness/tenant-fixture.ts';
import { camt, type Written } from '../../bank/camt.ts';
import { handedIn } from '../../bank/hand-in.ts';
import { eventually } from '../../harness/eventually.ts';
import type { Action } from '../actions.ts';
import { firstOf, payout, pick, type Stage, type, typeAll } from './stage.ts';

/** Of bank accounts beside that of the world. */
const [CLOSED_MONTH, IN_DOUBT, STOPPED] = [
  'DE02701500000000594937',
  'DE02700100800030876808',
  'DE02300606010002474689',
] as const;
const BANK = { currency: 'EUR', country: 'DE', holder: 'Analytical Engines', cut_off: '14:30', time_zone: 'UTC' };
const [MONTH, DAY] = ['2026-10', '2026-10-06'];
const why = type('Why', 'Look & see');

export async function bankActions(stage: Stage): Promise<readonly Action[]> {
  const { client, make, world } = stage;
  const bank = (name: string, iban: string, more: object = {}) =>
    make('/v1/bank_accounts', { ...BANK, name, bank_details: { iban }, uses: ['collections'], ...more });
  const state = async (iban: string, id: string, amounts: readonly string[]) => {
    const entries = amounts.map((amount) => ({ amount, reference: amount, details: [{ name: 'Ada' }] }));
    const closing = amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(2);
    const currency = iban === STOPPED ? 'GBP' : 'EUR';
    must(await handedIn(client, camt([{ iban, currency, id, day: DAY, opening: '0.00', closing, entries }])));
  };
  const notice = async (id: string, entry: Written) =>
    must(await handedIn(client, camt([{ iban: IN_DOUBT, id, day: DAY, entries: [entry] }], 'camt.054')));

  const closing = await bank('Month', CLOSED_MONTH);
  await state(CLOSED_MONTH, 'M1', ['5.00']);
  const doubtful = await bank('Notices', IN_DOUBT, { booked_by: 'camt.054' });
  for (const reference of ['R1', 'P9'])
    await notice(reference, { amount: '10.00', reference, details: [{ name: 'Ada' }] });
  const waiting = await firstOf(stage, `/v1/bank_statements?bank_account=${doubtful}&status=needs_review`);
  const stopped = await bank('Stopped', STOPPED, {
    currency: 'GBP',
    bank_details: { iban: STOPPED, bic: 'DAAEDEDDXXX' },
    uses: ['collections', 'payouts'],
    on_drift: 'stop_exports',
  });
  // Issued again without an entry that was booked.
  await state(STOPPED, 'D1', ['40.00', '100.00']);
  await state(STOPPED, 'D1', ['40.00']);

  // One payout has left in a file, and one can. What goes beyond the limit needs a second person.
  const leaving = async (reference: string) => {
    const id = await payout(stage, 'EUR', '3.00', reference);
    await client.post(`/v1/test_helpers/payouts/${id}/approve`);
  };
  await leaving('In a file');
  const made = must(await client.post('/v1/payment_files', { bank_account: world.bankAccount })).json;
  const [{ id: file }] = made['files'] as [{ readonly id: string }];
  const fileNow = async () => must(await client.get(`/v1/payment_files/${file}`)).json;
  await eventually('the file is sealed', async () => (await fileNow())['status'] === 'sealed');
  await leaving('In no file yet');

  const entry = async (text: string) =>
    make(`/v1/test_helpers/bank_accounts/${world.bankAccount}/credit`, {
      amount: '4.00',
      text,
      name: 'Ada <b>',
      iban: 'NL91ABNA0417164300',
    });
  const assigned = await entry('Taken back');
  const assignment = { assignments: [{ to: world.accounts.EUR }] };
  must(await client.post(`/v1/bank_entries/${assigned}/assign`, assignment));
  const [wrong, restored, agreed, refused] = [
    await entry('To be voided'),
    await entry('To be restored'),
    await entry('Agreed to'),
    await entry('Not agreed to'),
  ];
  for (const id of [restored, agreed, refused])
    must(await client.post(`/v1/bank_entries/${id}/void`, { reason: 'Twice' }));
  must(await client.post(`/v1/test_helpers/bank_entries/${restored}/approve`));
  await entry('Goes to an account');
  await entry('Goes back');
  const rule = { direction: 'credit', text: '*nothing like it*', to: 'fees' };
  await make('/v1/bank_rules', { ...rule, name: 'Deleted' });
  const chooseFile = (page: Page) =>
    page.getByLabel('A file of your bank').setInputFiles({
      name: 'statement.xml',
      mimeType: 'application/xml',
      buffer: Buffer.from(
        camt([{ iban: CLOSED_MONTH, id: 'M2', day: '2026-10-07', opening: '5.00', closing: '5.00', entries: [] }]),
      ),
    });
  return [
    {
      name: 'export payouts in a file',
      by: 'operator',
      notBy: 'accountant',
      at: `/bank-accounts/${world.bankAccount}`,
      begins: ['Export now'],
      sends: 'Export',
      request: 'POST /v1/payment_files',
      body: { bank_account: world.bankAccount },
      says: 'A file is made.',
    },
    {
      name: 'download a payment file',
      by: 'viewer',
      notBy: 'nobody',
      isKeptBack: false,
      refusal: 'You have no role in sandbox.',
      at: '/files',
      begins: [`Download ${(await fileNow())['message_id'] as string}`],
      request: 'GET /v1/payment_files/{id}/content',
      downloads: /\.xml$/,
    },
    {
      name: 'give up a payment file',
      by: 'lead',
      notBy: 'operator',
      at: `/payment-files/${world.paymentFile}`,
      begins: ['Give it up'],
      fill: why,
      sends: 'Give it up',
      request: 'POST /v1/payment_files/{id}/abandon',
      body: { reason: 'Look & see' },
      says: 'Given up. Its payouts leave with the next file.',
    },
    {
      name: 'import a file of the bank',
      by: 'operator',
      notBy: 'viewer',
      at: '/files',
      first: chooseFile,
      begins: ['Import'],
      request: 'POST /v1/statement_files',
      says: /^The file is (?:imported|being read)\.$/,
    },
    {
      name: 'go on with exports that a difference stopped',
      by: 'admin',
      notBy: 'operator',
      at: `/bank-accounts/${stopped}`,
      begins: ['Resume exports'],
      fill: why,
      sends: 'Resume exports',
      request: 'POST /v1/bank_accounts/{id}/resume_exports',
      body: { reason: 'Look & see' },
    },
    {
      name: 'sign a month',
      by: 'accountant',
      notBy: 'operator',
      at: `/bank-accounts/${closing}/month?month=${MONTH}`,
      begins: ['Sign'],
      fill: (page) => page.getByLabel('I sign it although this is missing').check(),
      sends: 'Sign',
      request: 'POST /v1/bank_accounts/{id}/reconciliation/sign',
      body: { month: MONTH, sha256: '?' },
      says: 'You have signed this report.',
    },
    {
      name: 'download the report of a month',
      by: 'viewer',
      notBy: 'nobody',
      isKeptBack: false,
      refusal: 'You have no role in sandbox.',
      at: `/bank-accounts/${closing}/month?month=${MONTH}`,
      begins: ['Report as CSV'],
      request: 'GET /v1/bank_accounts/{id}/reconciliation',
      query: 'format=csv',
      downloads: /\.csv$/,
    },
    {
      name: 'decide what of a statement is new',
      by: 'operator',
      notBy: 'accountant',
      at: `/bank-statements/${waiting['id'] as string}`,
      first: (page) => page.getByRole('radio', { name: 'Reading 1', exact: true }).check(),
      begins: ['Book what is new'],
      fill: why,
      sends: 'Book',
      request: 'POST /v1/bank_statements/{id}/review',
      body: { new_entries: '1', reason: 'Look & see' },
      says: 'It is decided.',
    },
    {
      name: 'give money of a bank its place',
      by: 'operator',
      notBy: 'viewer',
      at: '/unmatched',
      within: 'Goes to an account',
      begins: ['To an account, or split it'],
      fill: (page) => pick(page, 'Where to', 'Account Main EUR'),
      sends: 'Assign',
      request: 'POST /v1/bank_entries/{id}/assign',
      body: assignment,
    },
    {
      name: 'send money of a bank back',
      by: 'operator',
      notBy: 'accountant',
      at: '/unmatched',
      within: 'Goes back',
      begins: ['Send it back'],
      sends: 'Send it back',
      request: 'POST /v1/bank_entries/{id}/return',
    },
    {
      name: 'take the place of an entry back',
      by: 'operator',
      notBy: 'approver',
      at: `/bank-entries/${assigned}`,
      begins: ['Take back the last one'],
      fill: why,
      sends: 'Take it back',
      request: 'POST /v1/bank_entries/{id}/unassign',
      body: { reason: 'Look & see', transfer: '?' },
    },
    {
      name: 'ask to void an entry',
      by: 'operator',
      notBy: 'viewer',
      at: `/bank-entries/${wrong}`,
      begins: ['Void it'],
      fill: why,
      sends: 'Ask to void it',
      request: 'POST /v1/bank_entries/{id}/void',
      body: { reason: 'Look & see' },
      says: 'Somebody asks to void it',
    },
    {
      name: 'ask to restore an entry',
      by: 'operator',
      notBy: 'admin',
      at: `/bank-entries/${restored}`,
      begins: ['Restore it'],
      fill: why,
      sends: 'Ask to restore it',
      request: 'POST /v1/bank_entries/{id}/unvoid',
      body: { reason: 'Look & see' },
      says: 'Somebody asks to restore it',
    },
    {
      name: 'approve a change of an entry',
      by: 'lead',
      notBy: 'operator',
      at: `/bank-entries/${agreed}`,
      begins: ['Approve'],
      request: 'POST /v1/bank_entries/{id}/approve',
      body: { fingerprint: '?' },
      says: 'Nowhere: it counts as never booked.',
    },
    {
      name: 'reject a change of an entry',
      by: 'operator',
      notBy: 'approver',
      at: `/bank-entries/${refused}`,
      begins: ['Reject'],
      request: 'POST /v1/bank_entries/{id}/reject',
    },
    {
      name: 'make a rule for entries of banks',
      by: 'operator',
      notBy: 'accountant',
      at: '/bank-rules',
      begins: ['New rule'],
      async fill(page) {
        await typeAll({ 'What the rule is for': 'Made', 'Name or text': '*like nothing*' })(page);
        await pick(page, 'Bank account', /^Nordbank/);
        await pick(page, 'Where to', 'Fees');
      },
      sends: 'Make the rule',
      request: 'POST /v1/bank_rules',
      body: {
        name: 'Made',
        to: 'fees',
        text: '*like nothing*',
        bank_account: world.bankAccount,
        direction: 'debit',
        dry_run: false,
      },
    },
    {
      name: 'delete a rule for entries of banks',
      by: 'operator',
      notBy: 'viewer',
      at: '/bank-rules',
      begins: ['Delete Deleted'],
      sends: 'Delete',
      request: 'DELETE /v1/bank_rules/{id}',
    },
  ];
}
