/** Events about keys, rules of payouts, limits and fees: told with the change, in its order, to whom their scope shows them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Json } from '../../../test/support/harness/http.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

type EventJson = Json & { readonly data: { readonly object: Json; readonly previous_attributes?: Json } };

const eventsAfter = async (sequence: number) => {
  const path = `/v1/events?order=asc&limit=100&after_sequence=${sequence}`;
  return must(await application.sandbox.client.get(path)).json['data'] as readonly EventJson[];
};
const newest = async () => {
  const reply = must(await application.sandbox.client.get('/v1/events?limit=1'));
  return ((reply.json['data'] as readonly EventJson[])[0]?.['sequence'] ?? 0) as number;
};
const post = async (path: string, body: object = {}) => must(await application.sandbox.client.post(path, body)).json;
const remove = async (path: string) => must(await application.sandbox.client.send('DELETE', path, '', {})).json;

describe('each change is one event, with the object as it is answered', () => {
  it('keys: made, rolled, revoked, and never their secret', async () => {
    const before = await newest();
    const { secret, ...made } = await post('/v1/keys', { name: 'payroll', scopes: ['payouts:write'] });
    const { secret: next, ...successor } = await post(`/v1/keys/${made['id'] as string}/roll`, { expires_in: 3600 });
    const last = await post(`/v1/keys/${successor['id'] as string}/roll`, { expires_in: 0 });
    const revoked = await post(`/v1/keys/${last['id'] as string}/revoke`);
    const events = await eventsAfter(before);
    expect(events.map(({ type }) => type)).toEqual(['key.created', 'key.rolled', 'key.rolled', 'key.revoked']);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4].map((n) => before + n));
    const [created, rolled, ended, gone] = events.map(({ data }) => data);
    expect(created).toEqual({ object: made });
    expect(rolled).toMatchObject({
      object: { id: made['id'], status: 'active', rolled_to: successor['id'], expires_at: expect.any(Number) },
      previous_attributes: { expires_at: null, rolled_to: null },
    });
    expect(ended).toMatchObject({
      object: { id: successor['id'], status: 'revoked', revoked_at: expect.any(Number) },
      previous_attributes: { status: 'active', revoked_at: null, rolled_to: null },
    });
    expect(gone).toEqual({ object: revoked, previous_attributes: { status: 'active', revoked_at: null } });
    for (const text of [secret, next, last['secret'], 'v1.']) expect(JSON.stringify(events)).not.toContain(text);
    const stored = await application.sql("SELECT object FROM events WHERE type LIKE 'key.%'");
    expect(JSON.stringify(stored)).not.toMatch(/secret|hash/);
  });

  it('rules of payouts: what changed and what it was; no event where nothing changed', async () => {
    const before = await newest();
    const rules = await post('/v1/settings/payouts', { frozen: true, time_zone: 'Europe/Berlin' });
    await post('/v1/settings/payouts', { frozen: true });
    expect(await eventsAfter(before)).toMatchObject([
      {
        type: 'payout_rules.updated',
        data: { object: rules, previous_attributes: { frozen: false, time_zone: 'UTC' } },
      },
    ]);
  });

  it('limits and fees', async () => {
    const before = await newest();
    const limit = await post('/v1/limits', { currency: 'EUR', amount: 100 });
    await remove(`/v1/limits/${limit['id'] as string}`);
    const fee = await post('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: 0.25 });
    await remove(`/v1/fee_rules/${fee['id'] as string}`);
    const gone = { ...limit, used: null, used_minor: null, used_count: null };
    expect((await eventsAfter(before)).map(({ type, data }) => [type, data])).toEqual([
      ['limit.created', { object: limit }],
      ['limit.deleted', { object: { ...gone, interval_ends_at: expect.any(Number) } }],
      ['fee_rule.created', { object: fee }],
      ['fee_rule.deleted', { object: fee }],
    ]);
    const about = must(await application.sandbox.client.get(`/v1/events?related_object=${limit['id'] as string}`));
    expect(about.json['data']).toHaveLength(2);
  });
});

it('an event and its change are written together or not at all', async () => {
  const { client } = application.otherSandbox;
  const limit = must(await client.post('/v1/limits', { count: 1 })).json['id'] as string;
  const fee = must(await client.post('/v1/fee_rules', { on: 'payout', basis_points: 1 })).json['id'] as string;
  const key = must(await client.post('/v1/keys', { name: 'old' })).json['id'] as string;
  const state = async () =>
    (
      await Promise.all(['keys', 'limits', 'fee_rules', 'settings/payouts'].map((path) => client.get(`/v1/${path}`)))
    ).map(({ text }) => text);
  const before = await state();
  const families = "type LIKE 'key.%' OR type LIKE 'limit.%' OR type LIKE 'fee_rule.%' OR type LIKE 'payout_rules.%'";
  await application.sql(`ALTER TABLE events ADD CONSTRAINT broken CHECK (NOT (${families})) NOT VALID`);
  const statuses = [
    await client.post('/v1/keys', { name: 'new' }),
    await client.post(`/v1/keys/${key}/roll`, { expires_in: 60 }),
    await client.post(`/v1/keys/${key}/revoke`, {}),
    await client.post('/v1/settings/payouts', { frozen: true }),
    await client.post('/v1/limits', { count: 2 }),
    await client.send('DELETE', `/v1/limits/${limit}`, '', {}),
    await client.post('/v1/fee_rules', { on: 'exchange', basis_points: 1 }),
    await client.send('DELETE', `/v1/fee_rules/${fee}`, '', {}),
  ].map(({ status }) => status);
  expect(statuses).toEqual(Array(8).fill(500));
  expect(await state()).toEqual(before);
  await application.sql('ALTER TABLE events DROP CONSTRAINT broken');
});

it('an endpoint that asks for them needs the scope that shows them', async () => {
  const holder = await application.key({ scopes: ['webhook_endpoints:write', 'fee_rules:read'] });
  const endpoint = (type: string) =>
    holder.client.post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/x', enabled_events: [type] });
  for (const [type, scope] of [
    ['key.*', 'keys:read'],
    ['limit.*', 'limits:read'],
    ['payout_rules.updated', 'payout_rules:read'],
  ] as const) {
    const reply = await endpoint(type);
    expect([reply.status, reply.text.includes(scope)]).toEqual([403, true]);
  }
  must(await endpoint('fee_rule.*'));
});
