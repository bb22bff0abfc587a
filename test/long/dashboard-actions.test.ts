/**
 * Everything that people do in the dashboard, in a real browser: each action once refused and once allowed, by the roles that it is for, with
 * the request that it sends and the sentence that it says (`test/support/dashboard/actions.ts`). What who approves may not: `dashboard-pages`.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/roles.ts';
import { withoutBrowser } from '../support/browser/browser.ts';
import { type Action, isKeptFrom, perform } from '../support/dashboard/actions.ts';
import type { Member } from '../support/dashboard/people.ts';
import { type Scene, startScene } from '../support/dashboard/scene.ts';
import { idIn } from '../support/harness/tenant-fixture.ts';

const ROLES: readonly Role[] = ['approver', 'operator', 'admin', 'developer', 'viewer'];

describe.skipIf(withoutBrowser)('what people do in the dashboard', () => {
  let scene: Scene;
  let people: Readonly<Record<Role | 'nobody', Member>>;
  let actions: readonly Action[];
  beforeAll(async () => {
    scene = await startScene({ days: 1 });
    const made = await Promise.all(ROLES.map(async (role) => [role, await scene.person([role])] as const));
    people = { ...Object.fromEntries(made), nobody: await scene.person(['viewer'], 'live') } as typeof people;
    actions = await actionsOf(scene, people);
  });
  afterAll(() => scene?.end());

  // Before they are done: what is done is not offered again.
  it('is kept back from who may not, before it is tried', async () => {
    const shown: string[] = [];
    await Promise.all(
      ROLES.map(async (role) => {
        const tab = await scene.open(people[role].browser, { answers: [403] });
        for (const action of actions.filter(({ notBy, isKeptBack }) => notBy === role && isKeptBack !== false))
          if (!(await isKeptFrom(tab, action))) shown.push(action.name);
        await tab.close();
      }),
    );
    expect(shown).toEqual([]);
  });

  it('is refused to who may not, and done for who may', async () => {
    const wrong: Record<string, readonly string[]> = {};
    await Promise.all(
      ROLES.map(async (role) => {
        const tab = await scene.open(people[role].browser, { answers: [403] });
        for (const action of actions.filter(({ by }) => by === role)) {
          const { name, notBy } = action;
          wrong[name] = await perform(tab, action, people[notBy].browser).catch((error: Error) => [error.message]);
        }
        await tab.close();
      }),
    );
    expect(wrong).toEqual(Object.fromEntries(actions.map(({ name }) => [name, []])));
  });
});

/** What they are about is made by the API, each by itself. */
async function actionsOf(
  { application: { sandbox }, world, person }: Scene,
  people: Readonly<Record<Role, Member>>,
): Promise<readonly Action[]> {
  const make = async (path: string, body: object) => idIn(await sandbox.client.post(path, body));
  const [approved, rejected, canceled] = world.held;
  const [suspended, signedOut] = [await person(['viewer']), await person(['viewer'])];
  const revoked = await make('/v1/keys', { name: 'ended' });
  // Nobody rolls a key of others.
  const rolled = idIn(await people.developer.browser.post('/v1/keys', { name: 'rolled', scopes: ['accounts:read'] }));
  const endpoint = (name: string) =>
    make('/v1/webhook_endpoints', {
      url: `https://erp.example.com/${name}`,
      enabled_events: ['account.created'],
      description: name,
    });
  const [tested, signing, replayed, deleted] = [
    await endpoint('tested'),
    await endpoint('signing'),
    await endpoint('replayed'),
    await endpoint('deleted'),
  ];
  const listed = await sandbox.client.get('/v1/events?limit=1&type[]=payout.created');
  const [event] = listed.json['data'] as readonly { readonly id: string }[];
  const type = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).fill(text);
  return [
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
      name: 'end the sessions of a person',
      by: 'admin',
      notBy: 'approver',
      at: `/people/${signedOut.user}`,
      begins: ['More', 'End all sessions'],
      sends: 'End sessions',
      request: 'POST /v1/users/{id}/end_sessions',
    },
    {
      name: 'make a key',
      by: 'admin',
      notBy: 'viewer',
      at: '/keys',
      begins: ['Make a key'],
      async fill(page) {
        await type('Name', 'payroll')(page);
        await page.getByLabel('Everything that you may do').check();
      },
      sends: 'Make the key',
      request: 'POST /v1/keys',
      body: { name: 'payroll' },
      says: 'The key',
      isShownOnce: true,
    },
    {
      name: 'roll a key',
      by: 'developer',
      notBy: 'viewer',
      at: `/keys/${rolled}`,
      begins: ['Roll'],
      sends: 'Roll',
      request: 'POST /v1/keys/{id}/roll',
      body: { expires_in: 86_400 },
      says: 'The new key',
      isShownOnce: true,
    },
    {
      name: 'revoke a key',
      by: 'admin',
      notBy: 'operator',
      at: `/keys/${revoked}`,
      begins: ['Revoke'],
      sends: 'Revoke',
      request: 'POST /v1/keys/{id}/revoke',
      says: 'Revoked',
    },
    {
      name: 'add an endpoint',
      by: 'developer',
      notBy: 'viewer',
      at: '/webhooks',
      begins: ['Add an endpoint'],
      fill: type('Address', 'https://erp.example.com/added'),
      sends: 'Add',
      request: 'POST /v1/webhook_endpoints',
      body: { url: 'https://erp.example.com/added', description: null, enabled_events: ['*'], ordered: false },
      says: 'The signing secret',
      isShownOnce: true,
    },
    {
      name: 'test an endpoint',
      by: 'developer',
      notBy: 'viewer',
      at: `/webhooks/${tested}`,
      begins: ['Send a test'],
      request: 'POST /v1/webhook_endpoints/{id}/test',
      says: 'A test is on its way: see the deliveries.',
    },
    {
      name: 'roll a signing secret',
      by: 'developer',
      notBy: 'operator',
      at: `/webhooks/${signing}`,
      begins: ['More', 'Roll the signing secret'],
      sends: 'Roll',
      request: 'POST /v1/webhook_endpoints/{id}/roll_secret',
      body: { expires_in: 86_400 },
      says: 'The new signing secret',
      isShownOnce: true,
    },
    {
      name: 'send again what did not arrive',
      by: 'developer',
      notBy: 'admin',
      at: `/webhooks/${replayed}`,
      begins: ['Send again'],
      sends: 'Send again',
      request: 'POST /v1/webhook_endpoints/{id}/replay',
      body: { only: 'failed' },
      says: 'What did not arrive',
    },
    {
      name: 'delete an endpoint',
      by: 'developer',
      notBy: 'viewer',
      at: `/webhooks/${deleted}`,
      begins: ['More', 'Delete'],
      sends: 'Delete',
      request: 'DELETE /v1/webhook_endpoints/{id}',
    },
    {
      name: 'send an event again',
      by: 'developer',
      notBy: 'viewer',
      at: `/events/${event?.id}`,
      begins: ['Send again'],
      sends: 'Send again',
      request: 'POST /v1/events/{id}/resend',
      says: /^Sent to /,
    },
    {
      name: 'download a statement',
      by: 'viewer',
      notBy: 'nobody',
      isKeptBack: false,
      refusal: 'You have no role in sandbox.',
      at: `/accounts/${world.accounts.EUR}`,
      begins: ['Statement'],
      sends: 'Download',
      request: 'GET /v1/accounts/{id}/statement',
      downloads: /^[\w-]+\.pdf$/,
    },
  ];
}
