/** `POST /v1/payouts/approve` over HTTP: what it answers, what it refuses by row, and races. As one by one: `approve-many-decide.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raceOfApprovals } from '../../../test/support/faults/approval-race.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { type SecondServer, startSecondServer } from '../../../test/support/harness/second-server.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let second: SecondServer;
let approver: Holder;
let account = '';
let recipient = '';
beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
  approver = await application.key({ scopes: ['payout_approvals:write'] });
  const { client, environmentId } = application.sandbox;
  account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  await application.submit(environmentId, { type: 'fund_account', account, amount: '1000000' });
  recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
});
afterAll(async () => {
  await second?.stop();
  await application?.stop();
});

async function held() {
  const order = { amount: 10, currency: 'EUR', recipient, account };
  const { json } = must(await application.sandbox.client.post('/v1/payouts', order));
  return { id: json['id'] as string, fingerprint: (json['release'] as Json)['fingerprint'] as string };
}
const approve = (payouts: unknown, holder: Holder = approver) => holder.client.post('/v1/payouts/approve', { payouts });
const statusOf = async (id: string) =>
  (must(await application.sandbox.client.get(`/v1/payouts/${id}`)).json['release'] as Json)['status'];

describe('approving many', () => {
  it('frees all of them, and says so; repeated with its key it is the same answer', async () => {
    const payouts = [await held(), await held()];
    const reply = must(
      await approver.client.post('/v1/payouts/approve', { payouts }, { idempotencyKey: 'two of today' }),
    );
    expect(reply.json).toEqual({ object: 'payout_approval', livemode: false, approved_count: 2, held_count: 0 });
    const again = await approver.client.post('/v1/payouts/approve', { payouts }, { idempotencyKey: 'two of today' });
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, reply.text, 'true']);
    expect(await Promise.all(payouts.map(({ id }) => statusOf(id)))).toEqual(['approved', 'approved']);
  });

  it.each([
    ['changed', 'approval_outdated', 'fingerprint'],
    ['approved before', 'payout_not_held', 'id'],
    ['of another merchant', 'resource_missing', 'id'],
  ])('none, if one was %s: the row is named', async (what, code, member) => {
    const payouts = [await held(), await held(), await held()] as const;
    const [one, two, three] = payouts;
    const wrong = { ...two };
    if (what === 'changed') {
      must(await application.sandbox.client.post(`/v1/payouts/${two.id}`, { reference: 'another' }));
    } else if (what === 'approved before') must(await approve([two]));
    const holder = what === 'of another merchant' ? application.otherSandbox : approver;
    const rows = what === 'of another merchant' ? [wrong] : [one, wrong, three];
    const reply = await approve(rows, holder);
    const row = rows.indexOf(wrong);
    expect(reply.json['error']).toMatchObject({ code, param: `payouts[${row}][${member}]` });
    expect([await statusOf(one.id), await statusOf(three.id)]).toEqual(['held', 'held']);
    must(await approve([one, three])); // control
  });

  it('not by whoever asked for one of them', async () => {
    const reply = await approve([await held()], application.sandbox);
    expect(outcome(reply)).toBe('403 approval_by_creator payouts[0][id]');
  });

  it('names what is wrong with a request', async () => {
    const one = await held();
    const said = async (payouts: unknown) => {
      const reply = await approve(payouts);
      const { code, param, message } = reply.json['error'] as { code: string; param: string; message: string };
      return { outcome: `${reply.status} ${code} ${param}`, message };
    };
    expect((await said([])).outcome).toBe('400 parameter_invalid payouts');
    expect((await said(Array.from({ length: 1_001 }, () => one))).outcome).toBe('400 parameter_invalid payouts');
    expect((await said([one, await held(), one])).message).toBe(
      `payouts[2][id] is ${one.id}, as is payouts[0]. Send it once.`,
    );
    expect((await said([{ id: one.id }])).outcome).toMatch(/^400 parameter_missing payouts\[0\]/);
    expect((await said([{ ...one, id: account }])).outcome).toMatch(/^400 parameter_invalid payouts\[0\]/);
    expect((await said([{ ...one, extra: 1 }])).outcome).toMatch(/^400 parameter_unknown payouts\[0\]/);
    expect(await statusOf(one.id)).toBe('held');
  });

  it('needs the scope of approvals', async () => {
    const weak = await application.key({ scopes: ['payouts:write', 'payout_approvals:read'] });
    expect(outcome(await approve([await held()], weak))).toBe('403 scope_missing');
  });

  it('by many at once approves each payout once, and each request is whole', async () => {
    await raceOfApprovals({ application, second, account, recipient }, { payouts: 12, requests: 40 });
  });
});
