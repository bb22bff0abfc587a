/** Payouts: made, from a file too, approved, rejected and canceled. */
import type { Action } from '../actions.ts';
import { payout, type Stage, type, typeAll } from './stage.ts';

const IBAN = 'DE02120300000000202051';
const FILE = {
  name: 'payroll.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`Name;IBAN;Amount;Currency;Text\nEmmy & Partner mbH;${IBAN};1.012,34;EUR;Wages\n`),
};

export async function payoutActions(stage: Stage): Promise<readonly Action[]> {
  const { client, make, world } = stage;
  const [approved, rejected, canceled] = world.held;
  // Both are held, since what was paid before is beyond the limit.
  const chosen = await payout(stage, 'EUR', '1234.56', 'Chosen');
  await payout(stage, 'EUR', '2345.67', 'Not chosen');
  const rows = [{ amount: '1.00', currency: 'USD', account: world.accounts.USD, recipient: world.recipients[9] }];
  const batch = await make('/v1/payouts/batch', { payouts: rows, external_id: 'canceled' });
  const kept = await make('/v1/payouts/batch', { payouts: rows, external_id: 'read' });
  await client.post(`/v1/payout_batches/${kept}/cancel`);
  return [
    {
      name: 'make a payout',
      by: 'operator',
      notBy: 'viewer',
      at: `/payouts/new?recipient=${world.recipients[9]}`,
      first: typeAll({ 'Amount in USD': '12.5', Reference: 'Invoice 9' }),
      begins: ['Pay'],
      request: 'POST /v1/payouts',
      body: { recipient: world.recipients[9], currency: 'USD', amount: '12.50', reference: 'Invoice 9' },
      says: 'What happened',
    },
    {
      name: 'approve a payout',
      by: 'approver',
      notBy: 'operator',
      at: `/payouts/${approved}`,
      begins: ['Approve'],
      sends: 'Approve',
      request: 'POST /v1/payouts/{id}/approve',
      body: { fingerprint: '?' },
      says: 'Approved.',
    },
    {
      name: 'reject a payout',
      by: 'approver',
      notBy: 'viewer',
      at: `/payouts/${rejected}`,
      begins: ['Reject'],
      fill: type('Reason', 'Not <i>ours</i>'),
      sends: 'Reject',
      request: 'POST /v1/payouts/{id}/reject',
      body: { reason: 'Not <i>ours</i>' },
      says: 'Rejected.',
    },
    {
      name: 'approve what was chosen',
      by: 'approver',
      notBy: 'operator',
      isKeptBack: false,
      at: '/approvals',
      first: (page) => page.getByLabel(/^Select 1,234\.56 EUR/).check(),
      begins: ['Approve 1'],
      request: 'POST /v1/payouts/approve',
      body: { payouts: [{ id: chosen, fingerprint: '?' }] },
      says: 'Approved 1.',
    },
    {
      name: 'reject what waits',
      by: 'approver',
      notBy: 'operator',
      at: '/approvals',
      within: 'Not chosen',
      begins: ['Reject'],
      fill: type('Reason', 'Twice'),
      sends: 'Reject',
      request: 'POST /v1/payouts/{id}/reject',
      body: { reason: 'Twice' },
      says: 'Rejected.',
    },
    {
      name: 'cancel a payout',
      by: 'operator',
      notBy: 'approver',
      at: `/payouts/${canceled}`,
      begins: ['More', 'Cancel the payout'],
      sends: 'Cancel the payout',
      request: 'POST /v1/payouts/{id}/cancel',
      says: 'Canceled.',
    },
    {
      name: 'pay from a file',
      by: 'operator',
      notBy: 'viewer',
      at: '/batches/new',
      first: (page) => page.setInputFiles('input[type=file]', FILE),
      begins: ['Check 1 rows', 'Create 1 payout'],
      request: 'POST /v1/payouts/batch',
      body: {
        payouts: [{ name: 'Emmy & Partner mbH', iban: IBAN, reference: 'Wages', amount: '1012.34', currency: 'EUR' }],
        create_recipients: true,
        external_id: 'payroll',
        category_purpose: 'SALA',
      },
      says: 'Cancel what has not left',
    },
    {
      name: 'cancel a batch',
      by: 'operator',
      notBy: 'viewer',
      at: `/batches/${batch}`,
      begins: ['Cancel what has not left'],
      sends: 'Cancel them',
      request: 'POST /v1/payout_batches/{id}/cancel',
    },
    {
      name: 'download the results of a batch',
      by: 'viewer',
      notBy: 'nobody',
      isKeptBack: false,
      refusal: 'You have no role in sandbox.',
      at: `/batches/${kept}`,
      begins: ['Results'],
      request: 'GET /v1/payout_batches/{id}/results',
      downloads: /\.csv$/,
    },
  ];
}
