/** Over HTTP: nobody switches off alone what holds payouts for a second person. Every order of it: `loosening-decide.test.ts`. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { clearRules } from '../../../test/support/harness/clear-rules.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let approver: Holder;
let ruler: Holder;
beforeAll(async () => {
  application = await startApplication();
  approver = await application.key({ scopes: ['payout_approvals:write', 'payout_rules:read', 'limits:read'] });
  ruler = await application.key({
    scopes: ['payout_rules:write', 'limits:write', 'payout_approvals:write', 'keys:write'],
  });
});
afterEach(() => clearRules(application));
afterAll(() => application?.stop());

type Rules = Json & { readonly pending_changes: (Json & { readonly fingerprint: string }) | null };

const post = (path: string, body: object = {}, holder: Holder = ruler) => holder.client.post(path, body);
const rules = async (body: object, holder?: Holder) =>
  must(await post('/v1/settings/payouts', body, holder)).json as Rules;
const shown = async () => must(await ruler.client.get('/v1/settings/payouts')).json as Rules;
const limit = async (id: string) => must(await ruler.client.get(`/v1/limits/${id}`)).json;
const remove = (id: string, holder: Holder = ruler) => holder.client.send('DELETE', `/v1/limits/${id}`, '', {});
const approve = (fingerprint: unknown, holder: Holder = approver) =>
  post('/v1/settings/payouts/approve', { fingerprint }, holder);
const newEvents = async (after: number) => {
  const path = `/v1/events?order=asc&limit=100&after_sequence=${after}`;
  return must(await application.sandbox.client.get(path)).json['data'] as readonly Json[];
};
const newest = async () => {
  const { data } = must(await application.sandbox.client.get('/v1/events?limit=1')).json as { data: Json[] };
  return (data[0]?.['sequence'] ?? 0) as number;
};

it('a looser rule waits, is shown with who asked, and takes effect when another family agrees', async () => {
  await rules({ hold_new_recipients_hours: 24 });
  const before = await newest();
  const asked = await rules({ hold_new_recipients_hours: 0, frozen: true });
  expect(asked).toMatchObject({
    frozen: true,
    hold_new_recipients_hours: 24,
    pending_changes: {
      changes: { hold_new_recipients_hours: 0 },
      actors: [ruler.id],
      approvals_required: 1,
      approvals: [],
    },
  });
  expect(await shown()).toEqual(asked);
  const fingerprint = asked.pending_changes?.fingerprint;
  expect(outcome(await approve(fingerprint, ruler))).toBe('403 approval_by_creator');
  expect(outcome(await approve('another'))).toBe('400 approval_outdated fingerprint');
  const child = must(await post('/v1/keys', { scopes: ['payout_approvals:write'], name: 'child' })).json;
  const made = { ...approver, client: new Client(application.address, child['secret'] as string) };
  expect(outcome(await approve(fingerprint, made))).toBe('403 approval_key_unconfirmed');
  must(await post(`/v1/keys/${child['id'] as string}/confirm`, {}, approver));
  expect(outcome(await approve(fingerprint, made))).toBe('403 approval_by_creator');
  made.client.close();
  const agreed = must(await approve(fingerprint)).json;
  expect(agreed).toEqual({ ...asked, hold_new_recipients_hours: 0, pending_changes: null });
  expect(outcome(await approve(fingerprint))).toBe('400 change_not_held');
  const changed = (await newEvents(before)).filter(({ type }) => type === 'payout_rules.updated');
  expect(changed.map(({ data }) => data)).toMatchObject([
    { object: asked, previous_attributes: { frozen: false, pending_changes: null } },
    {
      object: agreed,
      previous_attributes: { hold_new_recipients_hours: 24, pending_changes: asked.pending_changes },
    },
  ]);
  const log = must(await application.sandbox.client.get('/v1/audit_log?limit=2&order=desc')).json['data'];
  expect(log).toMatchObject([
    { action: 'payout_rules.updated', actor: approver.id, details: { hold_new_recipients_hours: ['24', '0'] } },
    { action: 'payout_rules.change_approved', actor: approver.id },
  ]);
});

it('a limit that is deleted stays until another family agrees', async () => {
  const id = idIn(await post('/v1/limits', { count: 0, action: 'hold' }));
  const before = await newest();
  expect(must(await remove(id)).json).toEqual({ id, object: 'limit', deleted: false });
  const { pending_deletion: asked } = (await limit(id)) as { pending_deletion: { fingerprint: string } };
  expect(asked).toMatchObject({ actors: [ruler.id], approvals_required: 1, approvals: [] });
  const { fingerprint } = asked;
  expect(outcome(await post(`/v1/limits/${id}/approve`, { fingerprint }))).toBe('403 approval_by_creator');
  expect(must(await post(`/v1/limits/${id}/reject`, {}, approver)).json['deleted']).toBe(false);
  expect((await limit(id))['pending_deletion']).toBeNull();
  must(await remove(id, application.sandbox));
  expect(outcome(await post(`/v1/limits/${id}/approve`, { fingerprint }, approver))).toBe(
    '400 approval_outdated fingerprint',
  );
  const seen = ((await limit(id))['pending_deletion'] as Json)['fingerprint'];
  const done = await post(`/v1/limits/${id}/approve`, { fingerprint: seen });
  expect(must(done).json).toEqual({ id, object: 'limit', deleted: true });
  expect(outcome(await ruler.client.get(`/v1/limits/${id}`))).toBe('404 resource_missing id');
  expect((await newEvents(before)).map(({ type, data }) => [type, data])).toMatchObject([
    ['limit.updated', { object: { id, pending_deletion: asked }, previous_attributes: { pending_deletion: null } }],
    ['limit.updated', { object: { pending_deletion: null }, previous_attributes: { pending_deletion: asked } }],
    ['limit.updated', { object: { pending_deletion: { actors: [application.sandbox.id] } } }],
    ['limit.deleted', { object: { id } }],
  ]);
});

it('whoever made the key that asked is of its family: neither a looser rule nor a deletion waits for them', async () => {
  const id = idIn(await post('/v1/limits', { count: 0, action: 'hold' }));
  const child = must(await post('/v1/keys', { scopes: ['payout_rules:write', 'limits:write'], name: 'child' })).json;
  const made = { ...ruler, client: new Client(application.address, child['secret'] as string) };
  await rules({ frozen: true });
  const { pending_changes: asked } = await rules({ frozen: false }, made);
  must(await remove(id, made));
  made.client.close();
  expect(asked?.['actors']).toEqual([child['id']]);
  expect(outcome(await approve(asked?.fingerprint, ruler))).toBe('403 approval_by_creator');
  const { fingerprint } = (await limit(id))['pending_deletion'] as Json;
  expect(outcome(await post(`/v1/limits/${id}/approve`, { fingerprint }))).toBe('403 approval_by_creator');
});

it('two approvals are of two families', async () => {
  const parent = await application.key({ scopes: ['payout_approvals:write', 'keys:write'] });
  const child = must(await post('/v1/keys', { scopes: ['payout_approvals:write'], name: 'child' }, parent)).json;
  must(await post(`/v1/keys/${child['id'] as string}/confirm`, {}, approver));
  const made = { ...parent, client: new Client(application.address, child['secret'] as string) };
  await rules({ approvals_required: 2, hold_bank_accounts: true });
  const fingerprint = (await rules({ hold_bank_accounts: false })).pending_changes?.fingerprint;
  must(await approve(fingerprint, made));
  made.client.close();
  expect(outcome(await approve(fingerprint, parent))).toBe('400 approval_repeated');
});

it('requests that race: each is whole, and an approval counts only for what was seen', async () => {
  const id = idIn(await post('/v1/limits', { count: 0, action: 'hold' }));
  await rules({ approvals_required: 2, hold_bank_accounts: true });
  const other = await application.key({ scopes: ['payout_rules:write', 'limits:write'] });
  const asked = await Promise.all([
    rules({ approvals_required: 1 }, ruler),
    rules({ hold_bank_accounts: false }, other),
    ...Array.from({ length: 10 }, () => remove(id, ruler)),
  ]);
  expect(asked).toHaveLength(12);
  const waits = await shown();
  const { changes, actors: by } = waits.pending_changes as unknown as { changes: Json; actors: string[] };
  expect([
    [[ruler.id], { approvals_required: 1 }],
    [[other.id], { hold_bank_accounts: false }],
  ]).toContainEqual([by, changes]);
  expect(waits).toMatchObject({ approvals_required: 2, hold_bank_accounts: true });
  // 20 approvals of one family, while the rules change under them: at most one counts, and none is enough.
  const fingerprint = waits.pending_changes?.fingerprint;
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => approve(fingerprint)),
    post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }),
  ]);
  const approved = answers.slice(0, -1).filter(({ status }) => status === 200);
  expect([0, 1]).toContain(approved.length);
  expect((await shown()).pending_changes).toMatchObject({ changes, approvals: [] });
  expect(outcome(await approve(fingerprint))).toBe('400 approval_outdated fingerprint');
  expect(await limit(id)).toMatchObject({ count: 0, pending_deletion: { actors: [ruler.id] } });
});

it('in a sandbox a helper stands for the second person; in live there is none', async () => {
  const { sandbox, live } = application;
  const id = idIn(await post('/v1/limits', { count: 0, action: 'hold' }, sandbox));
  await rules({ frozen: true }, sandbox);
  await rules({ frozen: false }, sandbox);
  must(await remove(id, sandbox));
  const helped = must(await post('/v1/test_helpers/settings/payouts/approve', {}, sandbox)).json;
  expect(helped).toMatchObject({ frozen: false, pending_changes: null });
  expect(must(await post(`/v1/test_helpers/limits/${id}/approve`, {}, sandbox)).json['deleted']).toBe(true);
  for (const path of ['settings/payouts', `limits/${id}`]) {
    expect(outcome(await post(`/v1/test_helpers/${path}/approve`, {}, live))).toBe('403 sandbox_only');
  }
});

it('the scopes are apart: who approves changes no rule, and who sets rules approves none', async () => {
  await rules({ hold_bank_accounts: true });
  await rules({ hold_bank_accounts: false });
  const setter = await application.key({ scopes: ['payout_rules:write', 'limits:write'] });
  expect(outcome(await approve('any', setter))).toBe('403 scope_missing');
  expect(outcome(await post('/v1/settings/payouts', { frozen: true }, approver))).toBe('403 scope_missing');
  expect(must(await post('/v1/settings/payouts/reject', {}, approver)).json).toMatchObject({
    hold_bank_accounts: true,
    pending_changes: null,
  });
});
