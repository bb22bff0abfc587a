/** Freeze, limits, holds and approvals over HTTP, in races, and from two servers at once. 1,000 that race: `test/long/limit-race.test.ts`. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { clearRules } from '../../../test/support/harness/clear-rules.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { type SecondServer, startSecondServer } from '../../../test/support/harness/second-server.ts';
import { raceAgainstLimit } from '../../../test/support/faults/limit-race.ts';
import { newId, uuidOf } from '../../core/values/ids.ts';

let application: Application;
let second: SecondServer;
let approver: Holder;
let account = '';
let recipient = '';
beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
  approver = await application.key({ scopes: ['payout_approvals:write', 'payouts:read'] });
  const { client, environmentId } = application.sandbox;
  account = (await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
  await application.submit(environmentId, { type: 'fund_account', account, amount: '1000000' });
  recipient = await newRecipient();
});
afterAll(async () => {
  await second?.stop();
  await application?.stop();
});

const post = (path: string, body: object = {}, holder: Holder = application.sandbox) => holder.client.post(path, body);
async function newRecipient(iban = 'DE89370400440532013000'): Promise<string> {
  const body = {
    name: 'Ada Lovelace',
    type: 'individual',
    currency: 'EUR',
    country: 'DE',
    iban,
  };
  return (await post('/v1/recipients', body)).json['id'] as string;
}
const order = (more: object = {}) => ({ amount: 10, currency: 'EUR', recipient, account, ...more });
const pay = (more: object = {}, holder?: Holder) => post('/v1/payouts', order(more), holder);
const rules = async (body: object) => expect(outcome(await post('/v1/settings/payouts', body))).toBe('200');
async function limit(body: object): Promise<string> {
  const reply = await post('/v1/limits', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json['id'] as string;
}
const balance = async () => (await application.sandbox.client.get(`/v1/accounts/${account}`)).json['balance'] as number;
const typesAbout = async (id: string) =>
  ((await application.sandbox.client.get(`/v1/events?related_object=${id}&order=asc`)).json['data'] as Json[]).map(
    ({ type }) => type,
  );

afterEach(() => clearRules(application));

describe('a freeze', () => {
  it('stops creation and every step outward; cancels, failures and what is in transit go on', async () => {
    const [pending, cancelled, moving] = await Promise.all([pay(), pay(), pay()]).then((all) =>
      all.map(({ json }) => json['id'] as string),
    );
    await post(`/v1/test_helpers/payouts/${moving}/advance`);
    await rules({ frozen: true });
    expect(outcome(await pay())).toBe('400 payouts_frozen');
    expect(outcome(await post('/v1/payouts/batch', { payouts: [order()] }))).toMatch(/^400 batch_invalid/);
    for (const step of ['advance', 'pay'])
      expect(outcome(await post(`/v1/test_helpers/payouts/${pending}/${step}`))).toBe('400 payouts_frozen');
    expect(outcome(await post(`/v1/test_helpers/payouts/${moving}/pay`))).toBe('200');
    expect(outcome(await post(`/v1/payouts/${cancelled}/cancel`))).toBe('200');
    await rules({ frozen: false });
    expect(outcome(await post(`/v1/test_helpers/payouts/${pending}/pay`))).toBe('200');
    const [entry] = (await application.sandbox.client.get('/v1/audit_log?action=payout_rules.updated&limit=1')).json[
      'data'
    ] as Json[];
    expect(entry).toMatchObject({ actor: application.sandbox.id, details: { frozen: ['true', 'false'] } });
  });

  it('once it is acknowledged nothing is made any more, whichever server is asked (control: before, it was)', async () => {
    let isFrozen = false;
    const late: string[] = [];
    let made = 0;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const payers = [application.address, second.address].flatMap((at) =>
      Array.from({ length: 4 }, async () => {
        // On and on, until it was refused a few times after the freeze.
        for (let left = 5; left > 0; ) {
          const isLate = isFrozen;
          const { status } = await application.sandbox.client.post('/v1/payouts', order({ amount: 1 }), { at });
          if (isLate) left -= 1;
          if (status !== 200) continue;
          made += 1;
          if (isLate) late.push(at);
          if (made === 50) begin();
        }
      }),
    );
    await begun;
    await application.sandbox.client.post('/v1/settings/payouts', { frozen: true }, { at: second.address });
    isFrozen = true;
    await Promise.all(payers);
    expect(late).toEqual([]);
    expect(made).toBeGreaterThanOrEqual(50);
  });
});

describe('a limit', () => {
  it('payouts that race against it, from two servers, end exactly at it (control: without it, all are made)', async () => {
    await raceAgainstLimit({ application, second, account, recipient }, { payouts: 200, without: 50 });
  });

  it('names what is used and what is left; the next day begins from zero', async () => {
    const id = await limit({ currency: 'EUR', amount: 25 });
    expect(outcome(await pay())).toBe('200');
    const refused = await pay({ amount: 20 });
    expect(outcome(refused)).toBe('400 limit_exceeded');
    expect(refused.json['error']).toMatchObject({ available_minor: 1_500, resource_id: id });
    expect(refused.text).toContain('10.00 EUR of 25.00 EUR are used today');
    expect(outcome(await pay({ amount: 15 }))).toBe('200');
    expect(outcome(await pay({ amount: 0.01 }))).toBe('400 limit_exceeded');
    await post('/v1/test_helpers/clock/advance', { seconds: 86_400 });
    expect(outcome(await pay({ amount: 25 }))).toBe('200');
  });

  it.each([
    ['on a key', (id: string) => ({ key: id })],
    ['per key', () => ({ per: 'key' })],
  ])('%s holds for what it is rolled to and for all that descends from it, together', async (_, about) => {
    const root = await application.key();
    const held = (secret: unknown): Client => new Client(application.address, secret as string);
    const child = held((await post('/v1/keys', { name: 'child' }, root)).json['secret']);
    const grandchild = held((await child.post('/v1/keys', { name: 'grandchild' })).json['secret']);
    const id = await limit({ count: 3, ...about(root.id) });
    const { id: rolledId, secret } = (await post(`/v1/keys/${root.id}/roll`, { expires_in: 3600 }, root)).json;
    const rolled = held(secret);
    const payWith = async (client: Client) => outcome(await client.post('/v1/payouts', order()));
    expect([await payWith(root.client), await payWith(grandchild), await payWith(rolled)]).toEqual([
      '200',
      '200',
      '200',
    ]);
    for (const each of [root.client, rolled, child, grandchild]) expect(await payWith(each)).toBe('400 limit_exceeded');
    const stranger = await application.key(); // control: of another root
    expect(outcome(await pay({}, stranger))).toBe('200');
    const named = await limit({ count: 0, key: rolledId }); // by a later key of the line
    expect((await application.sandbox.client.get(`/v1/limits/${named}`)).json['key']).toBe(root.id);
    expect(id).not.toBe(named);
    for (const each of [child, grandchild, rolled]) each.close();
  });

  it('per key, account, recipient or in all, of one or of each; other currencies do not count', async () => {
    const other = await application.key();
    await limit({ count: 1, per: 'key', key: other.id });
    expect([outcome(await pay({}, other)), outcome(await pay({}, other)), outcome(await pay())]).toEqual([
      '200',
      '400 limit_exceeded',
      '200',
    ]);
    await limit({ currency: 'EUR', amount: 15, per: 'recipient' });
    const [one, two] = [await newRecipient(), await newRecipient('DE02120300000000202051')];
    expect([
      outcome(await pay({ recipient: one })),
      outcome(await pay({ recipient: two })),
      outcome(await pay({ recipient: one })),
    ]).toEqual(['200', '200', '400 limit_exceeded']);
    await limit({ currency: 'USD', amount: 1, per: 'account', account });
    expect(outcome(await pay({ recipient: await newRecipient('DE75512108001245126199') }))).toBe('200');
    const [usages] = await application.sql(
      'SELECT count(*)::int4 AS rows FROM limit_usages WHERE used_count > 0 AND subject = $1',
      [account],
    );
    expect(usages?.['rows']).toBe(0);
  });

  it('counts the items of a batch; one that is refused counts nothing', async () => {
    const id = await limit({ count: 3 });
    const batch = (count: number, mode: string) =>
      post('/v1/payouts/batch', { mode, payouts: Array.from({ length: count }, () => order({ amount: 1 })) });
    expect(outcome(await batch(4, 'atomic'))).toMatch(/^400 batch_invalid/);
    expect((await batch(5, 'partial')).json['batch'] ?? (await batch(1, 'partial')).json).toMatchObject({});
    const [usage] = await application.sql('SELECT used_count FROM limit_usages WHERE limit_id = $1', [uuidOf(id)]);
    expect(usage?.['used_count']).toBe(3);
  });

  it.each([
    [{}, '400 parameter_missing amount'],
    [{ amount: 5 }, '400 parameter_missing currency'],
    [{ amount: 'x', currency: 'EUR' }, '400 amount_invalid amount'],
    [{ count: -1 }, '400 parameter_invalid count'],
    [{ count: 1, per: 'key', account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa' }, '400 parameter_conflict account'],
    [{ count: 1, per: 'account', account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa' }, '404 resource_missing account'],
    [{ count: 1, per: 'everybody' }, '400 parameter_invalid per'],
    [{ count: 1, action: 'ask' }, '400 parameter_invalid action'],
  ])('%j: %s', async (body, expected) => {
    expect(outcome(await post('/v1/limits', body))).toBe(expected);
  });

  it('is of its environment alone; there are at most 20', async () => {
    const id = await limit({ count: 0 });
    const { client } = application.otherSandbox;
    expect(outcome(await client.get(`/v1/limits/${id}`))).toMatch(/^404/);
    expect(outcome(await client.send('DELETE', `/v1/limits/${id}`, '', {}))).toMatch(/^404/);
    expect((await client.get('/v1/limits')).json['data']).toEqual([]);
    expect(outcome(await pay())).toBe('400 limit_exceeded');
    await Promise.all(Array.from({ length: 19 }, () => limit({ count: 1_000 })));
    expect(outcome(await post('/v1/limits', { count: 1 }))).toBe('400 limit_count');
  });
});

describe('a held payout', () => {
  const held = async (more: object = {}, holder?: Holder) => {
    const { json } = await pay({ amount: 100, ...more }, holder);
    expect(json).toMatchObject({ status: 'pending', release: { status: 'held' } });
    return json as Json & { id: string; release: { fingerprint: string; reasons: string[] } };
  };
  const seen = async (id: string) => {
    const { json } = await application.sandbox.client.get(`/v1/payouts/${id}`);
    return { fingerprint: (json['release'] as { fingerprint: string }).fingerprint };
  };
  const seenOfBatch = async (id: string) => {
    const { json } = await approver.client.get(`/v1/payout_batches/${id}/release`);
    return { fingerprint: json['fingerprint'] as string };
  };
  const approve = async (id: string, holder: Holder = approver, body?: object) =>
    post(`/v1/payouts/${id}/approve`, body ?? (await seen(id)), holder);
  const approveBatch = async (id: string, holder: Holder = approver, body?: object) =>
    post(`/v1/payout_batches/${id}/approve`, body ?? (await seenOfBatch(id)), holder);

  it('is debited, does not leave, and leaves once somebody else approved it', async () => {
    const limited = await limit({ currency: 'EUR', amount: 50, action: 'hold' });
    const before = await balance();
    const payout = await held();
    expect(payout.release.reasons).toEqual([limited]);
    expect(before - (await balance())).toBe(10_000);
    for (const step of ['advance', 'pay'])
      expect(outcome(await post(`/v1/test_helpers/payouts/${payout.id}/${step}`))).toBe('400 payout_held');
    expect(outcome(await approve(payout.id, application.sandbox))).toBe('403 approval_by_creator');
    const approved = await approve(payout.id, approver, { fingerprint: payout.release.fingerprint });
    expect(approved.json).toMatchObject({
      status: 'pending',
      release: { status: 'approved', approvals: [{ actor: approver.id }] },
    });
    expect(outcome(await approve(payout.id))).toBe('400 payout_not_held');
    expect(outcome(await post(`/v1/test_helpers/payouts/${payout.id}/pay`))).toBe('200');
    expect(await typesAbout(payout.id)).toEqual([
      'payout.created',
      'payout.held',
      'payout.approved',
      'payout.in_transit',
      'payout.paid',
    ]);
    const log = (await application.sandbox.client.get(`/v1/audit_log?subject=${payout.id}`)).json['data'];
    expect(log).toMatchObject([{ action: 'payout.approved', actor: approver.id }]);
  });

  it('is rejected with a reason: canceled, and the money is back', async () => {
    await limit({ count: 0, action: 'hold' });
    const before = await balance();
    const { id } = await held();
    const rejected = await post(`/v1/payouts/${id}/reject`, { reason: 'not our supplier' }, approver);
    expect(rejected.json).toMatchObject({
      status: 'canceled',
      release: { status: 'rejected', rejection: { actor: approver.id, reason: 'not our supplier' } },
    });
    expect(await balance()).toBe(before);
    expect(await typesAbout(id)).toEqual(['payout.created', 'payout.held', 'payout.rejected', 'payout.canceled']);
    expect(outcome(await approve(id))).toBe('400 payout_not_held');
  });

  it('needs two where two are asked for, and not the same one twice', async () => {
    await rules({ approvals_required: 2 });
    await limit({ count: 0, action: 'hold' });
    const second = await application.key({ scopes: ['payout_approvals:write'] });
    const { id } = await held();
    expect((await approve(id)).json).toMatchObject({
      release: { status: 'held', approvals: [{ actor: approver.id }] },
    });
    expect(outcome(await approve(id))).toBe('400 approval_repeated');
    expect(outcome(await post(`/v1/test_helpers/payouts/${id}/pay`))).toBe('400 payout_held');
    expect((await approve(id, second)).json).toMatchObject({ release: { status: 'approved' } });
  });

  it('is approved by another family only: no ancestor, descendant, sibling, aunt, nor what they are rolled to', async () => {
    await rules({ approvals_required: 2 });
    await limit({ count: 0, action: 'hold' });
    const opened: Client[] = [];
    const keyOf = (reply: { readonly json: Json }) => {
      const client = new Client(application.address, reply.json['secret'] as string);
      opened.push(client);
      return { client, id: reply.json['id'] as string };
    };
    const childOf = async ({ client }: { readonly client: Client }) =>
      keyOf(await client.post('/v1/keys', { name: 'x' }));
    const rollOf = async ({ client, id }: { readonly client: Client; readonly id: string }) =>
      keyOf(await client.post(`/v1/keys/${id}/roll`, { expires_in: 3600 }));
    const root = await application.key();
    const [mother, aunt] = [await childOf(root), await childOf(root)];
    const [own, sibling] = [await childOf(mother), await childOf(mother)];
    const id = (await own.client.post('/v1/payouts', order())).json['id'] as string;
    const path = `/v1/payouts/${id}/approve`;
    const what = await seen(id);
    const family = [root, mother, aunt, own, sibling, await childOf(own), await rollOf(own), await rollOf(root)];
    for (const { client } of family)
      expect(outcome(await client.post(path, what))).toMatch(/^403 approval_(?:by_creator|key_unconfirmed)$/);
    const other = await application.key(); // younger than the payout, and of the command line
    expect((await other.client.post(path, what)).json['release']).toMatchObject({ approvals: [{ actor: other.id }] });
    const child = await childOf(other);
    expect(outcome(await child.client.post(path, what))).toBe('403 approval_key_unconfirmed');
    expect(outcome(await root.client.post(`/v1/keys/${child.id}/confirm`))).toBe('200');
    for (const { client } of [other, child, await rollOf(other)])
      expect(outcome(await client.post(path, what))).toBe('400 approval_repeated');
    const thirdRoot = await application.key();
    const third = await childOf(thirdRoot);
    expect(outcome(await third.client.post(path, what))).toBe('403 approval_key_unconfirmed');
    const confirm = (by: { readonly client: Client }) => by.client.post(`/v1/keys/${third.id}/confirm`);
    for (const by of [thirdRoot, await childOf(thirdRoot)])
      expect(outcome(await confirm(by))).toMatch(/^403 approval_(?:by_creator|key_unconfirmed)$/);
    expect((await confirm(root)).json).toMatchObject({ id: third.id, confirmed_by: root.id });
    expect(outcome(await confirm(root))).toBe('400 key_not_confirmable');
    expect((await (await rollOf(third)).client.post(path, what)).json['release']).toMatchObject({ status: 'approved' });
    for (const client of opened) client.close();
  });

  it('what was seen is what is approved; 20 approvals at once make one', async () => {
    await limit({ count: 0, action: 'hold' });
    const { id, release } = await held();
    const { release: other } = await held({ reference: 'Another' });
    expect(outcome(await approve(id, approver, { fingerprint: other.fingerprint }))).toBe(
      '400 approval_outdated fingerprint',
    );
    expect(outcome(await approve(id, approver, {}))).toBe('400 parameter_missing fingerprint');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => approve(id, approver, { fingerprint: release.fingerprint })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('approve, reject and cancel that race: one of them wins, and the money is there once', async () => {
    await limit({ count: 0, action: 'hold' });
    for (let i = 0; i < 10; i++) {
      const before = await balance();
      const { id } = await held();
      const replies = await Promise.all([
        approve(id),
        post(`/v1/payouts/${id}/reject`, {}, approver),
        post(`/v1/payouts/${id}/cancel`),
      ]);
      const { json } = await application.sandbox.client.get(`/v1/payouts/${id}`);
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(before - (await balance())).toBe(json['status'] === 'canceled' ? 0 : 10_000);
      if (json['status'] === 'pending') await post(`/v1/payouts/${id}/cancel`);
    }
  });

  it('is held because its recipient is new, or was changed', async () => {
    await post('/v1/test_helpers/clock/advance', { seconds: 48 * 3_600 });
    await rules({ hold_new_recipients_hours: 24 });
    expect((await pay()).json['release']).toBeNull();
    const fresh = await newRecipient();
    expect((await held({ recipient: fresh })).release.reasons).toEqual(['new_recipient']);
    await post(`/v1/recipients/${recipient}`, { iban: 'DE02120300000000202051' });
    expect((await held()).release.reasons).toEqual(['changed_recipient']);
    await post('/v1/test_helpers/clock/advance', { seconds: 25 * 3_600 });
    expect((await pay({ recipient: fresh })).json['release']).toBeNull();
  });

  it('of a batch: all are approved or rejected at once', async () => {
    await limit({ count: 1, action: 'hold' });
    const batch = async () =>
      (await post('/v1/payouts/batch', { payouts: [order(), order(), order()] })).json['id'] as string;
    const [first, second] = [await batch(), await batch()];
    expect(outcome(await approveBatch(first, application.sandbox))).toBe('403 approval_by_creator');
    expect(outcome(await approveBatch(first, approver, {}))).toBe('400 parameter_missing fingerprint');
    const other = await seenOfBatch(second);
    expect(outcome(await approveBatch(first, approver, other))).toBe('400 approval_outdated fingerprint');
    expect(outcome(await approveBatch(first))).toBe('200');
    expect(outcome(await approveBatch(first))).toBe('400 payout_not_held');
    const before = await balance();
    expect((await post(`/v1/payout_batches/${second}/reject`, {}, approver)).json).toMatchObject({
      status: 'completed_with_failures',
      failed_count: 3,
    });
    expect((await balance()) - before).toBe(3_000);
  });

  it('of a batch: what was decided singly does not stop the rest, what was changed does', async () => {
    await rules({ approvals_required: 2 });
    await limit({ count: 0, action: 'hold' });
    const second = await application.key({ scopes: ['payout_approvals:write', 'payouts:write'] });
    const { json } = await post('/v1/payouts/batch', { payouts: [order(), order(), order(), order()] });
    const [batch, results] = [json['id'] as string, json['results'] as { payout: { id: string } }[]];
    const [one, two, three, four] = results.map(({ payout }) => payout.id) as [string, string, string, string];
    const read = async () => (await approver.client.get(`/v1/payout_batches/${batch}/release`)).json;
    const before = await seenOfBatch(batch);
    expect(await read()).toMatchObject({
      held_count: 4,
      totals: [{ currency: 'EUR', payouts_count: 4, total_minor: 4_000 }],
    });
    expect(outcome(await approve(one))).toBe('200');
    expect([outcome(await approve(two)), outcome(await approve(two, second))]).toEqual(['200', '200']);
    expect(outcome(await post(`/v1/payouts/${three}/reject`, {}, second))).toBe('200');
    expect(await read()).toMatchObject({ held_count: 2, fingerprint: before.fingerprint });
    expect(outcome(await approveBatch(batch, approver, before))).toBe('200');
    const statesOf = async (...ids: string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const { release } = (await application.sandbox.client.get(`/v1/payouts/${id}`)).json as Json & {
            release: { status: string; approvals: object[] };
          };
          return `${release.status} ${release.approvals.length}`;
        }),
      );
    expect(await statesOf(one, two, three, four)).toEqual(['held 1', 'approved 2', 'rejected 0', 'held 1']);
    expect(outcome(await approveBatch(batch, approver, before))).toBe('400 approval_repeated');
    expect(outcome(await post(`/v1/payouts/${four}`, { reference: 'Changed' }, application.sandbox))).toBe('200');
    expect(outcome(await approveBatch(batch, second, before))).toBe('400 approval_outdated fingerprint');
    expect(outcome(await approveBatch(batch, second))).toBe('200');
    expect(await statesOf(one, four)).toEqual(['approved 2', 'held 1']);
  });

  it.each([
    { reference: 'For another' },
    { scheduled_on: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10) },
  ])('a change of %j voids approvals, and whoever made it approves nothing', async (change) => {
    await rules({ approvals_required: 2 });
    await limit({ count: 0, action: 'hold' });
    const second = await application.key({ scopes: ['payout_approvals:write', 'payouts:write'] });
    const third = await application.key({ scopes: ['payout_approvals:write'] });
    const { id } = await held();
    const before = await seen(id);
    expect([outcome(await approve(id)), outcome(await approve(id, third))]).toEqual(['200', '200']);
    const changed = await post(`/v1/payouts/${id}`, change, second);
    expect(changed.json).toMatchObject({
      status: 'pending',
      expected_execution_on: null,
      release: { status: 'held', approvals: [], changed_by: [second.id] },
    });
    expect(outcome(await post(`/v1/test_helpers/payouts/${id}/pay`))).toBe('400 payout_held');
    expect(outcome(await approve(id, third, before))).toBe('400 approval_outdated fingerprint');
    expect(outcome(await approve(id, second))).toBe('403 approval_by_creator');
    expect([outcome(await approve(id)), outcome(await approve(id, third))]).toEqual(['200', '200']);
    expect((await typesAbout(id)).filter((type) => type === 'payout.held')).toHaveLength(2);
    expect(outcome(await post(`/v1/payouts/${id}`, { metadata: { note: 'x' } }, second))).toBe('200');
    expect(outcome(await post(`/v1/test_helpers/payouts/${id}/pay`))).toBe('200');
  });

  it.each([
    ['reference', { reference: 'For another' }],
    ['day', { scheduled_on: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10) }],
  ])('by a limit that is younger than a change of its %s, is not for whoever made that', async (_, change) => {
    const scopes = ['payout_approvals:write', 'payouts:write'];
    const [changer, bystander] = [await application.key({ scopes }), await application.key({ scopes })];
    const { json } = await post('/v1/payouts/batch', { payouts: [order(), order(), order()] });
    const ids = (json['results'] as { payout: { id: string } }[]).map(({ payout }) => payout.id);
    const [changed, noted, last] = ids as [string, string, string];
    expect((await post(`/v1/payouts/${changed}`, change, changer)).json).toMatchObject({ release: null });
    expect((await post(`/v1/payouts/${last}`, change, changer)).json).toMatchObject({ release: null });
    expect(outcome(await post(`/v1/payouts/${noted}`, { metadata: { note: 'x' } }, changer))).toBe('200');
    await limit({ count: 0, action: 'hold' });
    for (const id of ids) await post(`/v1/test_helpers/payouts/${id}/advance`);
    const releaseOf = async (id: string) => (await changer.client.get(`/v1/payouts/${id}`)).json['release'];
    expect(await releaseOf(changed)).toMatchObject({ status: 'held', changed_by: [changer.id] });
    expect(await releaseOf(noted)).toMatchObject({ status: 'held', changed_by: [] });
    expect(outcome(await approve(changed, changer))).toBe('403 approval_by_creator');
    expect(outcome(await approveBatch(json['id'] as string, changer))).toBe('403 approval_by_creator');
    expect(outcome(await approve(noted, changer))).toBe('200'); // control: metadata leaves with nothing
    expect(outcome(await approve(changed, bystander))).toBe('200');
    expect(outcome(await approveBatch(json['id'] as string, bystander))).toBe('200');
  });

  it('is held no more once it is canceled', async () => {
    await limit({ count: 0, action: 'hold' });
    const { id } = await held();
    expect((await post(`/v1/payouts/${id}/cancel`)).json).toMatchObject({
      status: 'canceled',
      release: { status: 'ended' },
    });
    expect(outcome(await approve(id))).toBe('400 payout_not_held');
  });

  it('is out of reach of others, and needs its own scope', async () => {
    await limit({ count: 0, action: 'hold' });
    const { id } = await held();
    const payer = await application.key({ scopes: ['payouts:write'] });
    expect(outcome(await approve(id, payer))).toBe('403 scope_missing');
    expect(outcome(await approve(id, application.otherSandbox))).toMatch(/^404/);
    expect((await application.otherSandbox.client.get(`/v1/payout_batches/${newId('pob')}/release`)).status).toBe(404);
    expect(outcome(await post(`/v1/payouts/${id}/reject`, {}, application.live))).toMatch(/^404/);
  });
});
