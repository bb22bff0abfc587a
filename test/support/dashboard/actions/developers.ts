/** Keys, webhook endpoints and events. */
import type { Action } from '../actions.ts';
import { firstOf, type Stage, type } from './stage.ts';

export async function developerActions(stage: Stage): Promise<readonly Action[]> {
  const { client, make, people } = stage;
  const key = (name: string) => make('/v1/keys', { name, scopes: ['accounts:read'] });
  const [revoked, renamed] = [await key('ended'), await key('before')];
  // May approve, since it may do everything; so somebody else than its maker confirms it.
  const confirmed = await make('/v1/keys', { name: 'approves' });
  // Nobody rolls a key of others.
  const own = await people.developer.browser.post('/v1/keys', { name: 'rolled', scopes: ['accounts:read'] });
  const endpoint = (name: string) =>
    make('/v1/webhook_endpoints', {
      url: `https://erp.example.com/${name}`,
      enabled_events: ['account.created'],
      description: name,
    });
  const [tested, edited, signing, replayed, disabled, enabled, deleted] = [
    await endpoint('tested'),
    await endpoint('edited'),
    await endpoint('signing'),
    await endpoint('replayed'),
    await endpoint('disabled'),
    await endpoint('enabled'),
    await endpoint('deleted'),
  ];
  await client.post(`/v1/webhook_endpoints/${enabled}/disable`);
  const event = await firstOf(stage, '/v1/events?limit=1&type[]=payout.created');
  return [
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
      name: 'rename a key',
      by: 'admin',
      notBy: 'operator',
      at: `/keys/${renamed}`,
      begins: ['Rename'],
      fill: type('Name', 'after'),
      sends: 'Rename',
      request: 'POST /v1/keys/{id}',
      body: { name: 'after' },
    },
    {
      name: 'roll a key',
      by: 'developer',
      notBy: 'viewer',
      at: `/keys/${own.json['id'] as string}`,
      begins: ['Roll'],
      sends: 'Roll',
      request: 'POST /v1/keys/{id}/roll',
      body: { expires_in: 86_400 },
      says: 'The new key',
      isShownOnce: true,
    },
    {
      name: 'confirm a key that may approve',
      by: 'lead',
      notBy: 'admin',
      at: `/keys/${confirmed}`,
      begins: ['Confirm'],
      sends: 'Confirm',
      request: 'POST /v1/keys/{id}/confirm',
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
      name: 'edit an endpoint',
      by: 'developer',
      notBy: 'accountant',
      at: `/webhooks/${edited}`,
      begins: ['Edit'],
      fill: type('What it is for', 'The ERP'),
      sends: 'Save',
      request: 'POST /v1/webhook_endpoints/{id}',
      body: { description: 'The ERP' },
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
      name: 'disable an endpoint',
      by: 'developer',
      notBy: 'approver',
      at: `/webhooks/${disabled}`,
      begins: ['More', 'Disable'],
      sends: 'Disable',
      request: 'POST /v1/webhook_endpoints/{id}/disable',
    },
    {
      name: 'enable an endpoint',
      by: 'developer',
      notBy: 'viewer',
      at: `/webhooks/${enabled}`,
      begins: ['Enable'],
      request: 'POST /v1/webhook_endpoints/{id}/enable',
      says: 'Send a test',
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
      at: `/events/${event['id'] as string}`,
      begins: ['Send again'],
      sends: 'Send again',
      request: 'POST /v1/events/{id}/resend',
      says: /^Sent to /,
    },
  ];
}
