/** Users over HTTP: who is let in, by links that open once; what a key may give; and that no environment learns of another. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Application,
  type Holder,
  SERVER_SECRET,
  startApplication,
} from '../../../test/support/harness/application.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { payoutOrder } from '../../../test/support/harness/literals.ts';
import { asUser, join } from '../../../test/support/harness/people.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { idAs, uuidOf } from '../../core/values/ids.ts';
import type { Actor } from '../../core/actor.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { hashOfToken, linkMaker, lookAtLink, openedFrom, useLink } from './links.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

let count = 0;
const address = () => `person-${++count}@example.com`;
const invite = async ({ client }: Holder, fields: object = {}, options = {}) =>
  must(await client.post('/v1/users', { email: address(), roles: ['viewer'], ...fields }, options)).json as Json & {
    id: string;
    email: string;
    invitation_url: string;
  };
const run = ({ text, values }: Statement): Promise<readonly Row[]> => application.sql(text, values);
const tokenIn = (url: unknown) => (url as string).split('=').at(-1) as string;
const opens = async (url: unknown) => {
  const [row] = await run(lookAtLink(tokenIn(url)));
  return row === undefined ? null : openedFrom(row);
};

describe('an invitation', () => {
  it('answers the user and a link, and is listed without it', async () => {
    const made = await invite(application.live, { name: 'Ada', roles: ['approver', 'operator'] });
    const { invitation_url: url, ...user } = made;
    expect(user).toMatchObject({
      object: 'user',
      livemode: true,
      name: 'Ada',
      roles: ['operator', 'approver'],
      status: 'invited',
      second_factor: 'none',
      last_seen_at: null,
      confirmed_by: null,
      created_by: application.live.id,
    });
    expect(user.id).toMatch(/^usr_/);
    expect(url).toMatch(/^http:\/\/localhost:\d+\/dashboard#invite=[A-Za-z0-9_-]{43}$/);
    expect((await application.live.client.get(`/v1/users/${user.id}`)).json).toEqual(user);
    const listed = (await application.live.client.get('/v1/users?limit=1')).json['data'];
    expect(listed).toEqual([user]);
    expect(await opens(url)).toEqual({
      kind: 'invite',
      environmentId: application.live.environmentId,
      user: user.id,
      person: null,
    });
  });

  it('is the same again under its key while the link is unused, and nothing that opens it is stored', async () => {
    const options = { idempotencyKey: 'invited once' };
    const body = { email: address(), roles: ['viewer'] };
    const ask = () => application.sandbox.client.post('/v1/users', body, options);
    const [first, again] = [await ask(), await ask()];
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const token = tokenIn(first.json['invitation_url']);
    const stored = await application.sql(
      `SELECT (SELECT string_agg(r::text, '') FROM idempotency_records r) || (SELECT string_agg(l::text, '') FROM one_time_links l)
        || (SELECT string_agg(a::text, '') FROM audit_log a) AS all`,
    );
    expect(stored[0]?.['all']).not.toContain(token);
    expect(stored[0]?.['all']).toContain(hashOfToken(token).toString('hex')); // control: links are among it
    await run(useLink(token));
    expect((await ask()).json).not.toHaveProperty('invitation_url');
    expect(await opens(first.json['invitation_url'])).toBeNull();
  });

  it('opens once, whoever tries at once', async () => {
    const { invitation_url: url } = await invite(application.sandbox);
    const tries = await Promise.all(Array.from({ length: 50 }, () => run(useLink(tokenIn(url)))));
    expect(tries.filter((rows) => rows.length === 1)).toHaveLength(1);
  });

  it('ends, by its time and by suspension', async () => {
    const { id, invitation_url: url } = await invite(application.sandbox);
    const { client } = application.sandbox;
    must(await client.post(`/v1/users/${id}/suspend`));
    expect(await opens(url)).toBeNull();
    must(await client.post(`/v1/users/${id}/resume`));
    expect(await opens(url)).not.toBeNull();
    await application.sql('UPDATE one_time_links SET ends_at = now() WHERE user_id = $1', [uuidOf(id)]);
    expect(await opens(url)).toBeNull();
  });

  it.each([
    [{ roles: ['viewer'] }, '400 parameter_missing email'],
    [{ email: 'a@b.example', roles: [] }, '400 parameter_invalid roles'],
    [{ email: 'a@b.example', roles: ['root'] }, '400 parameter_invalid roles[0]'],
    [{ email: 'nobody', roles: ['viewer'] }, '400 parameter_invalid email'],
    [{ email: 'a@b.example', roles: ['viewer'], status: 'active' }, '400 parameter_unknown status'],
  ])('%j is %s', async (body, expected) => {
    expect(outcome(await application.sandbox.client.post('/v1/users', body))).toBe(expected);
  });
});

describe('a person who has joined', () => {
  it('goes by the own address, and by the own name where the merchant gives none', async () => {
    const made = await invite(application.sandbox);
    await join(application, application.sandbox, made);
    await application.sql("UPDATE people SET email = 'Own@example.com', second_factor = 'passkey' WHERE id = $1", [
      uuidOf(made.id),
    ]);
    const path = `/v1/users/${made.id}`;
    expect((await application.sandbox.client.get(path)).json).toMatchObject({
      status: 'active',
      email: 'Own@example.com',
      name: 'Self',
      second_factor: 'passkey',
    });
    must(await application.sandbox.client.post(path, { name: 'Ours' }));
    expect((await application.sandbox.client.get(path)).json).toMatchObject({ name: 'Ours' });
    must(await application.sandbox.client.post(path, { name: null }));
    expect((await application.sandbox.client.get(path)).json).toMatchObject({ name: 'Self' });
  });

  it('is another user in each environment, with an id of its own', async () => {
    const made = await invite(application.sandbox);
    const person = await join(application, application.sandbox, made);
    const elsewhere = await invite(application.otherLive, { email: made.email });
    // The answer is that for an address that nobody has.
    expect(elsewhere).toMatchObject({ status: 'invited', name: null, second_factor: 'none' });
    expect(elsewhere.id).not.toBe(made.id);
    await join(application, application.otherLive, elsewhere, person);
    for (const [holder, id] of [
      [application.sandbox, elsewhere.id],
      [application.otherLive, made.id],
    ] as const) {
      expect(outcome(await holder.client.get(`/v1/users/${id}`))).toBe('404 resource_missing id');
    }
    const theirs = (await application.otherLive.client.get('/v1/audit_log?limit=100')).text;
    expect(theirs).toContain(elsewhere.id);
    expect(theirs).not.toContain(made.id);
  });
});

describe('a reset link', () => {
  const reset = (holder: Holder, id: string) => holder.client.post(`/v1/users/${id}/reset_link`);

  it('takes back earlier links; before anybody has joined it is an invitation', async () => {
    const made = await invite(application.sandbox);
    const again = must(await reset(application.sandbox, made.id)).json;
    expect(await opens(made.invitation_url)).toBeNull();
    expect(await opens(again['invitation_url'])).toMatchObject({ kind: 'invite' });
    await join(application, application.sandbox, made);
    const { json } = must(await reset(application.sandbox, made.id));
    expect(json['reset_url']).toMatch(/\/dashboard#reset=/);
    expect(await opens(again['invitation_url'])).toBeNull();
    expect(await opens(json['reset_url'])).toMatchObject({ kind: 'reset', person: made.id });
  });

  it('a repeated answer of an earlier one takes nothing back, and opens nothing', async () => {
    const made = await invite(application.sandbox);
    const options = { idempotencyKey: 'the first link' };
    const path = `/v1/users/${made.id}/reset_link`;
    must(await application.sandbox.client.post(path, {}, options));
    const second = must(await reset(application.sandbox, made.id)).json;
    const repeated = must(await application.sandbox.client.post(path, {}, options)).json;
    expect(repeated).not.toHaveProperty('invitation_url');
    expect(await opens(second['invitation_url'])).not.toBeNull();
  });

  it('is for nobody who can sign in elsewhere: another merchant, or live from a sandbox; also once that comes later', async () => {
    const [inSandbox, inLive] = [await invite(application.sandbox), await invite(application.live)];
    const person = await join(application, application.live, inLive);
    const early = must(await reset(application.live, inLive.id)).json['reset_url'];
    await join(application, application.sandbox, inSandbox, person);
    expect(outcome(await reset(application.sandbox, inSandbox.id))).toBe('403 user_elsewhere');
    expect(await opens(early)).not.toBeNull(); // a live key holds the sandbox of its merchant as well
    must(await reset(application.live, inLive.id));
    const { reset_url: last } = must(await reset(application.live, inLive.id)).json;
    const other = await invite(application.otherSandbox);
    await join(application, application.otherSandbox, other, person);
    expect(outcome(await reset(application.live, inLive.id))).toBe('403 user_elsewhere');
    expect(await opens(last)).toBeNull();
  });

  it('stays the same under an earlier server secret, and opens nothing under another', () => {
    const [one, both, other] = [
      { current: SERVER_SECRET, previous: [] },
      { current: 'another-secret-of-tests-0123456789abcdef', previous: [SERVER_SECRET] },
      { current: 'another-secret-of-tests-0123456789abcdef', previous: [] },
    ].map((secrets) => linkMaker(secrets).tokensOf('00ff'));
    expect(both).toContain(one?.[0]);
    expect(other).not.toContain(one?.[0]);
  });
});

describe('what a restricted key may give', () => {
  it('only roles whose scopes it holds', async () => {
    const narrow = await application.key({ scopes: ['users:write', 'audit_log:read', 'keys:write'] });
    const ask = (roles: readonly string[]) => narrow.client.post('/v1/users', { email: address(), roles });
    expect(outcome(await ask(['operator']))).toBe('403 user_too_wide roles');
    const made = await invite(application.sandbox, { roles: ['operator'] });
    expect(outcome(await narrow.client.post(`/v1/users/${made.id}/reset_link`))).toBe('403 user_too_wide');
    expect(outcome(await narrow.client.post(`/v1/users/${made.id}`, { roles: ['admin'] }))).toBe(
      '403 user_too_wide roles',
    );
    expect(outcome(await narrow.client.post(`/v1/users/${made.id}/suspend`))).toBe('200'); // in an emergency
    expect(outcome(await narrow.client.post(`/v1/users/${made.id}/resume`))).toBe('403 user_too_wide');
  });
});

describe('a third person', () => {
  it('confirms, of another family than the key that let the user in', async () => {
    const made = await invite(application.live, { roles: ['approver'] });
    await join(application, application.live, made);
    const path = `/v1/users/${made.id}/confirm`;
    expect(outcome(await application.live.client.post(path))).toBe('403 approval_by_creator');
    const third = await application.key({ livemode: true, scopes: ['payout_approvals:write'] });
    expect(must(await third.client.post(path)).json).toMatchObject({ confirmed_by: third.id });
    expect(outcome(await third.client.post(path))).toBe('400 user_not_confirmable');
    must(await application.live.client.post(`/v1/users/${made.id}/reset_link`));
    expect((await application.live.client.get(`/v1/users/${made.id}`)).json).toMatchObject({ confirmed_by: null });
  });
});

it('a reset of the sandbox leaves its users', async () => {
  const holder = await application.key({ merchant: 'reset' });
  const made = await invite(holder);
  await join(application, holder, made);
  must(await holder.client.post('/v1/test_helpers/reset', {}));
  expect((await holder.client.get(`/v1/users/${made.id}`)).json).toMatchObject({ status: 'active', email: made.email });
});

it('every change is in the audit log, without an address or a name', async () => {
  const holder = await application.key({ merchant: 'audited' });
  const made = await invite(holder, { email: 'secret-name@example.com', name: 'Secret Name' });
  await join(application, holder, made);
  for (const verb of ['suspend', 'resume', 'end_sessions', 'reset_link'])
    must(await holder.client.post(`/v1/users/${made.id}/${verb}`));
  must(await holder.client.post(`/v1/users/${made.id}`, { roles: ['operator'], name: 'Secret Other' }));
  const { text, json } = await holder.client.get(`/v1/audit_log?subject=${made.id}&order=asc`);
  expect((json['data'] as Json[]).map(({ action }) => action)).toEqual([
    'user.invited',
    'user.joined',
    'user.suspended',
    'user.resumed',
    'user.sessions_ended',
    'user.link_made',
    'user.updated',
  ]);
  expect(text).not.toMatch(/[Ss]ecret/);
  const byUser = await holder.client.get(`/v1/audit_log?actor=${made.id}`);
  expect((byUser.json['data'] as Json[]).map(({ action }) => action)).toEqual(['user.joined']);
});

describe('GET /v1/me', () => {
  it('says who asks, of which environment and merchant', async () => {
    const narrow = await application.key({ name: 'narrow', scopes: ['payouts:write', 'accounts:read'] });
    const { json } = must(await narrow.client.get('/v1/me'));
    expect(json).toMatchObject({
      object: 'me',
      livemode: false,
      merchant: { name: 'first' },
      environment: narrow.environmentId,
      actor: { id: narrow.id, name: 'narrow', kind: 'key' },
      scopes: ['accounts:read', 'payouts:write'],
      accounts: null,
      roles: null,
      stepped_up_until: null,
    });
    const { sequence, now } = json as { sequence: number; now: number };
    must(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR' }));
    must(await application.sandbox.client.post('/v1/test_helpers/clock/advance', { seconds: 3_600 }));
    const later = (await narrow.client.get('/v1/me')).json as { sequence: number; now: number };
    expect(later.sequence).toBeGreaterThan(sequence);
    expect(later.now).toBeGreaterThanOrEqual(now + 3_600);
    expect((await application.live.client.get('/v1/me')).json).toMatchObject({ livemode: true, scopes: null });
  });
});

describe('who did something', () => {
  it('is shown by name, to whoever sees what was done: keys, users, and no part of the service', async () => {
    const holder = await application.key({ merchant: 'expanded', name: 'maker' });
    const { client, environmentId } = holder;
    const made = await invite(holder, { name: 'Ada', roles: ['operator'] });
    await join(application, holder, made);
    const { id: account } = must(await client.post('/v1/accounts', { currency: 'EUR' })).json as { id: string };
    await application.submit(environmentId, { type: 'fund_account', account, amount: '1000' });
    const { id: recipient } = must(await client.post('/v1/recipients', RECIPIENT)).json as { id: string };
    const order = { amount: 5, currency: 'EUR', recipient, account };
    const { id: byKey } = must(await client.post('/v1/payouts', order)).json as { id: string };
    const command = {
      type: 'create_payout',
      order: payoutOrder({ recipient, account }),
      settlementDelayMs: null,
    } as const;
    const byUser = JSON.parse(await application.submit(environmentId, command, asUser(made.id))) as Json;
    const narrow = await application.key({ merchant: 'expanded', scopes: ['payouts:read'] });
    const { data } = must(await narrow.client.get('/v1/payouts?expand[]=created_by&order=asc')).json as {
      data: Json[];
    };
    expect(data.map((each) => [each['id'], each['created_by'], each['expanded']])).toEqual([
      [byKey, holder.id, { created_by: { id: holder.id, name: 'maker', kind: 'key' } }],
      [byUser['id'], made.id, { created_by: { id: made.id, name: 'Ada', kind: 'user' } }],
    ]);
    const filtered = must(await narrow.client.get(`/v1/payouts?created_by=${made.id}`)).json['data'] as Json[];
    expect(filtered.map(({ id }) => id)).toEqual([byUser['id']]);
    expect(outcome(await narrow.client.get(`/v1/payouts?created_by=${idAs('key', made.id)}`))).toBe(
      '400 parameter_invalid created_by',
    );
    must(await client.post(`/v1/users/${made.id}`, { name: 'Ada Byron' }));
    const log = must(await client.get('/v1/audit_log?expand[]=actor&limit=100&order=asc')).json['data'] as Json[];
    expect(log.find(({ action }) => action === 'user.joined')).toMatchObject({
      expanded: { actor: { name: 'Ada Byron', kind: 'user' } },
    });
  });
});

describe('four eyes', () => {
  it('go by persons: down the real path, with their rows loaded', async () => {
    const holder = await application.key({ merchant: 'four eyes' });
    const { client, environmentId } = holder;
    const approver = async () => {
      const made = await invite(holder, { roles: ['approver', 'operator'] });
      await join(application, holder, made);
      const third = await application.key({ merchant: 'four eyes', scopes: ['payout_approvals:write'] });
      return { id: made.id, confirm: async () => must(await third.client.post(`/v1/users/${made.id}/confirm`)) };
    };
    const [ada, bob] = [await approver(), await approver()];
    const { id: account } = must(await client.post('/v1/accounts', { currency: 'EUR' })).json as { id: string };
    await application.submit(environmentId, { type: 'fund_account', account, amount: '1000' });
    const { id: recipient } = must(await client.post('/v1/recipients', RECIPIENT)).json as { id: string };
    must(await client.post('/v1/limits', { count: 1, action: 'hold' }));
    const command = {
      type: 'create_payout',
      order: payoutOrder({ recipient, account }),
      settlementDelayMs: null,
    } as const;
    const pays = async (by: Parameters<typeof application.submit>[2]) => {
      const { id } = JSON.parse(await application.submit(environmentId, command, by)) as { id: string };
      return must(await client.get(`/v1/payouts/${id}`)).json as Json & { id: string };
    };
    await pays(asUser(ada.id)); // what the limit lets pass
    const held = await pays(asUser(ada.id));
    expect(held['release']).toMatchObject({ status: 'held' });
    const { fingerprint } = held['release'] as { fingerprint: string };
    const says = (by: Parameters<typeof application.submit>[2]) =>
      application
        .submit(environmentId, { type: 'approve_payout', payout: held.id, fingerprint, settlementDelayMs: null }, by)
        .then(() => 'approved')
        .catch((error: unknown) => (JSON.parse((error as Error).message) as { error: { code: string } }).error.code);
    expect(await says(asUser(bob.id))).toBe('approval_key_unconfirmed');
    await ada.confirm();
    await bob.confirm();
    expect(await says(asUser(ada.id))).toBe('approval_by_creator');
    // A key that Ada made, and that a third person has confirmed.
    const key = await application.key({ merchant: 'four eyes' });
    const lineage = [ada.id, key.id];
    await application.sql('UPDATE api_keys SET lineage = $2, confirmed_by = id WHERE id = $1', [
      uuidOf(key.id),
      lineage,
    ]);
    expect(await says({ actor: key.id as Actor, lineage })).toBe('approval_by_creator');
    expect(await says(asUser(bob.id))).toBe('approved');
  });
});
