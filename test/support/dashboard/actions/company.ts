/** People and settings; and, in the order in which they stand, rules and limits: what is changed there is what the next one sees. */
import { must } from '../../harness/tenant-fixture.ts';
import type { Action } from '../actions.ts';
import { type Stage, type, typeAll } from './stage.ts';

export async function companyActions({ client, person, unconfirmed }: Stage): Promise<readonly Action[]> {
  const viewer = () => person(['viewer']);
  const [suspended, resumed, signedOut] = [await viewer(), await viewer(), await viewer()];
  const [linked, changed, waiting] = [await viewer(), await viewer(), await unconfirmed()];
  must(await client.post(`/v1/users/${resumed.user}/suspend`));
  return [
    {
      name: 'invite a person',
      by: 'admin',
      notBy: 'approver',
      at: '/people',
      begins: ['Invite a person'],
      async fill(page) {
        await type('E-mail', 'grace@example.com')(page);
        await page.getByRole('checkbox', { name: 'Viewer' }).check();
      },
      sends: 'Invite',
      request: 'POST /v1/users',
      body: { email: 'grace@example.com', roles: ['viewer'] },
      says: 'The invitation',
      isShownOnce: true,
    },
    {
      name: 'change the roles of a person',
      by: 'admin',
      notBy: 'approver',
      at: `/people/${changed.user}`,
      begins: ['Change'],
      fill: (page) => page.getByRole('checkbox', { name: 'Admin' }).check(),
      sends: 'Save',
      request: 'POST /v1/users/{id}',
      body: { roles: ['viewer', 'admin'] },
    },
    {
      name: 'suspend a person',
      by: 'admin',
      notBy: 'approver',
      at: `/people/${suspended.user}`,
      begins: ['Suspend'],
      sends: 'Suspend',
      request: 'POST /v1/users/{id}/suspend',
      says: 'Suspended',
    },
    {
      name: 'let a person in again',
      by: 'admin',
      notBy: 'operator',
      at: `/people/${resumed.user}`,
      begins: ['Resume'],
      request: 'POST /v1/users/{id}/resume',
      says: 'Suspend',
    },
    {
      name: 'end the sessions of a person',
      by: 'admin',
      notBy: 'approver',
      at: `/people/${signedOut.user}`,
      begins: ['More', 'End all sessions'],
      sends: 'End sessions',
      request: 'POST /v1/users/{id}/end_sessions',
    },
    {
      name: 'make a link to sign in anew',
      by: 'admin',
      notBy: 'accountant',
      at: `/people/${linked.user}`,
      begins: ['More', 'Make a link to sign in anew'],
      sends: 'Make the link',
      request: 'POST /v1/users/{id}/reset_link',
      says: 'The link',
      isShownOnce: true,
    },
    {
      name: 'confirm a person',
      by: 'approver',
      notBy: 'admin',
      at: `/people/${waiting.user}`,
      begins: ['Confirm'],
      sends: 'Confirm',
      request: 'POST /v1/users/{id}/confirm',
    },
    {
      name: 'change the settings',
      by: 'admin',
      notBy: 'operator',
      at: '/settings',
      first: type('E-mail for payers', 'pay@example.com'),
      begins: ['Save'],
      request: 'POST /v1/settings',
      body: { contact_email: 'pay@example.com' },
      says: 'Saved.',
    },
  ];
}

export async function ruleActions({ client, make }: Stage): Promise<readonly Action[]> {
  const limit = (count: number) => make('/v1/limits', { count, action: 'hold' });
  await limit(501);
  // Deletions of these are asked for, and wait.
  for (const count of [502, 503]) await client.send('DELETE', `/v1/limits/${await limit(count)}`, '', {});
  const rules = async (changes: object) => void must(await client.post('/v1/settings/payouts', changes));
  await rules({ hold_bank_accounts: true });
  await rules({ hold_bank_accounts: false });
  const asked = 'Somebody asked for looser rules.';
  return [
    {
      name: 'change the rules of payouts',
      by: 'admin',
      notBy: 'operator',
      at: '/rules',
      begins: ['Change'],
      fill: type('Hours for which a recipient is new', '24'),
      sends: 'Change',
      request: 'POST /v1/settings/payouts',
      body: { hold_new_recipients_hours: 24, approvals_required: 1 },
      says: /^Payouts to a recipient whose name/,
    },
    {
      name: 'approve looser rules',
      by: 'approver',
      notBy: 'admin',
      at: '/rules',
      within: asked,
      begins: ['Approve'],
      request: 'POST /v1/settings/payouts/approve',
      body: { fingerprint: '?' },
    },
    {
      name: 'reject looser rules',
      by: 'approver',
      notBy: 'operator',
      at: '/rules',
      // Those before are approved by now.
      first: () => rules({ hold_new_recipients_hours: 0 }),
      within: asked,
      begins: ['Reject'],
      request: 'POST /v1/settings/payouts/reject',
    },
    {
      name: 'freeze payouts',
      by: 'admin',
      notBy: 'approver',
      at: '/rules',
      begins: ['Freeze all payouts'],
      sends: 'Freeze',
      request: 'POST /v1/settings/payouts',
      body: { frozen: true },
      says: 'Payouts are frozen.',
    },
    {
      name: 'add a limit',
      by: 'admin',
      notBy: 'operator',
      at: '/rules',
      begins: ['Add a limit'],
      fill: typeAll({ 'Payouts of a day': '504' }),
      sends: 'Add',
      request: 'POST /v1/limits',
      body: { count: 504, per: 'environment', action: 'hold' },
      says: '504 payouts a day',
    },
    {
      name: 'ask to delete a limit',
      by: 'admin',
      notBy: 'viewer',
      at: '/rules',
      within: '501 payouts a day',
      begins: ['Delete'],
      sends: 'Delete',
      request: 'DELETE /v1/limits/{id}',
    },
    {
      name: 'approve that a limit is deleted',
      by: 'approver',
      notBy: 'admin',
      at: '/rules',
      within: '502 payouts a day',
      begins: ['Approve'],
      request: 'POST /v1/limits/{id}/approve',
      body: { fingerprint: '?' },
    },
    {
      name: 'reject that a limit is deleted',
      by: 'approver',
      notBy: 'operator',
      at: '/rules',
      within: '503 payouts a day',
      begins: ['Reject'],
      request: 'POST /v1/limits/{id}/reject',
    },
  ];
}
