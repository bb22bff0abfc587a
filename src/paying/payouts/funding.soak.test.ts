/** Payouts that wait for money: taken up in order soon after its coming, or ended after their last day. How soon: `test/long/prompt.test.ts`. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

const DAY_S = 86_400;

quickRounds();
let application: Application;
let client: Client;
let account: string;
let recipient: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  recipient = idIn(must(await client.post('/v1/recipients', RECIPIENT)));
});
beforeEach(async () => {
  account = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
});
afterAll(() => application?.stop());

const pay = (amount: number, body: object = {}): Promise<Reply> =>
  client.post('/v1/payouts', {
    amount,
    currency: 'EUR',
    recipient,
    account,
    on_insufficient_funds: 'wait',
    ...body,
  });
const fund = async (amount: number) => must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount }));
const read = async (id: string) => must(await client.get(`/v1/payouts/${id}`)).json;
const statuses = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await read(id))['status']));
const balance = async () => must(await client.get(`/v1/accounts/${account}`)).json['balance'];
const events = async (id: string) =>
  (must(await client.get(`/v1/events?related_object=${id}&order=asc`)).json['data'] as Json[]).map(({ type }) => type);

const become = (ids: readonly string[], wanted: readonly string[]) =>
  eventually(`they are ${wanted.join()}`, async () => isDeepStrictEqual(await statuses(ids), wanted));

/** Resolves when the worker has done a round that began after now: another account's payout has got its money by it. */
async function oneRound(): Promise<void> {
  const other = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
  const id = idIn(must(await pay(1, { account: other })));
  must(await client.post(`/v1/test_helpers/accounts/${other}/fund`, { amount: 1 }));
  await become([id], ['pending']);
}

/** The same by another sandbox, where payouts of the first are frozen. */
async function oneRoundElsewhere(): Promise<void> {
  const { client: by } = application.otherSandbox;
  const there = idIn(must(await by.post('/v1/accounts', { currency: 'EUR' })));
  const payee = idIn(must(await by.post('/v1/recipients', RECIPIENT)));
  const order = { amount: 1, currency: 'EUR', recipient: payee, account: there, on_insufficient_funds: 'wait' };
  const id = idIn(must(await by.post('/v1/payouts', order)));
  must(await by.post(`/v1/test_helpers/accounts/${there}/fund`, { amount: 1 }));
  const isFunded = async () => must(await by.get(`/v1/payouts/${id}`)).json['status'] === 'pending';
  await eventually('a round of the worker', isFunded);
}

describe('waiting', () => {
  it('debits nothing until the money comes, and then soon', async () => {
    const waiting = must(await pay(50)).json;
    expect(waiting).toMatchObject({
      status: 'waiting',
      transfer: null,
      wait_until_on: expect.stringMatching(/^\d{4}-/),
    });
    const id = waiting['id'] as string;
    await fund(49);
    await oneRound();
    expect([await statuses([id]), await balance()]).toEqual([['waiting'], 4_900]);
    await fund(2);
    await become([id], ['pending']);
    expect(await balance()).toBe(100);
    expect(await events(id)).toEqual(['payout.created', 'payout.funded']);
    expect(await read(id)).toMatchObject({
      transfer: expect.stringMatching(/^trf_/),
      created_by: waiting['created_by'],
    });
  });

  it('takes up in order of creation: one that is too large lets no younger one pass', async () => {
    const ids: string[] = [];
    for (const amount of [10, 100, 5]) ids.push(idIn(must(await pay(amount))));
    await fund(30);
    await become(ids, ['pending', 'waiting', 'waiting']);
    await oneRound();
    expect(await statuses(ids)).toEqual(['pending', 'waiting', 'waiting']);
    await fund(85);
    await become(ids, ['pending', 'pending', 'pending']);
    expect(await balance()).toBe(0);
  });

  it('has its money at once where it is there', async () => {
    await fund(50);
    expect(must(await pay(50)).json).toMatchObject({ status: 'pending', wait_until_on: null });
  });

  it('can be changed and canceled; nothing comes back, because nothing was taken', async () => {
    const id = idIn(must(await pay(50, { reference: 'Invoice 7' })));
    expect(must(await client.post(`/v1/payouts/${id}`, { reference: 'Invoice 8' })).json).toMatchObject({
      reference: 'Invoice 8',
      status: 'waiting',
    });
    expect(outcome(await client.post(`/v1/test_helpers/payouts/${id}/pay`))).toBe('400 payout_state_invalid');
    expect(must(await client.post(`/v1/payouts/${id}/cancel`)).json).toMatchObject({
      status: 'canceled',
      transfer: null,
      reversal: null,
    });
    await fund(50);
    await oneRound();
    expect([await statuses([id]), await balance()]).toEqual([['canceled'], 5_000]);
  });

  it('counts in its batch as open, and the batch completes when it ends', async () => {
    const item = { amount: 5, currency: 'EUR', recipient, account, on_insufficient_funds: 'wait' };
    const { json } = must(await client.post('/v1/payouts/batch', { payouts: [item, item] }));
    const ids = (json['results'] as { payout: { id: string } }[]).map(({ payout }) => payout.id);
    expect(json).toMatchObject({ status: 'processing', open_count: 2 });
    await fund(5);
    await become(ids, ['pending', 'waiting']);
    must(await client.post(`/v1/payouts/${ids[1]}/cancel`));
    must(await client.post(`/v1/test_helpers/payouts/${ids[0]}/pay`));
    expect(must(await client.get(`/v1/payout_batches/${json['id'] as string}`)).json).toMatchObject({
      status: 'completed_with_failures',
      open_count: 0,
      failed_count: 1,
    });
  });

  it('is stopped by a freeze, and goes on after it', async () => {
    const id = idIn(must(await pay(5)));
    must(await client.post('/v1/settings/payouts', { frozen: true }));
    await fund(5);
    await oneRoundElsewhere();
    expect(await statuses([id])).toEqual(['waiting']);
    must(await client.post('/v1/settings/payouts', { frozen: false }));
    await become([id], ['pending']);
  });
});

describe('refused', () => {
  it.each([
    [
      'wait_until_on alone',
      { on_insufficient_funds: undefined, wait_until_on: '2099-01-01' },
      '400 parameter_missing on_insufficient_funds',
    ],
    ['both', { on_insufficient_funds: 'refuse', wait_until_on: '2099-01-01' }, '400 parameter_conflict wait_until_on'],
    ['a day that is past', { wait_until_on: '2020-01-01' }, '400 wait_until_on_invalid wait_until_on'],
    ['a day too far ahead', { wait_until_on: '2099-01-01' }, '400 wait_until_on_invalid wait_until_on'],
    [
      'from another currency',
      { account: undefined, source_currency: 'GBP' },
      '400 parameter_conflict on_insufficient_funds',
    ],
    ['another word', { on_insufficient_funds: 'hope' }, '400 parameter_invalid on_insufficient_funds'],
  ])('%s', async (_what, body, expected) => {
    expect(outcome(await pay(5, body))).toBe(expected);
  });
});

// Last, because it moves the clock.
it('fails after its last day, whatever the account holds then', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const id = idIn(must(await pay(5, { wait_until_on: today })));
  must(await client.post('/v1/test_helpers/clock/advance', { seconds: 2 * DAY_S }));
  await fund(5);
  await become([id], ['failed']);
  expect(await read(id)).toMatchObject({ failure_code: 'insufficient_funds', reversal: null });
  expect([await balance(), await events(id)]).toEqual([500, ['payout.created', 'payout.failed']]);
});
