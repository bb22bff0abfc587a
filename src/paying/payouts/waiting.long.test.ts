/** Whose the money of an account is while payouts wait for it: over HTTP, by the worker, and from two servers at once. Decisions: `waiting-decide.test.ts`. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { type SecondServer, startSecondServer } from '../../../test/support/harness/second-server.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

quickRounds();
let application: Application;
let second: SecondServer;
let client: Client;
let account: string;
let recipient: string;

beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
  ({ client } = application.sandbox);
  recipient = idIn(must(await client.post('/v1/recipients', RECIPIENT)));
});
afterAll(async () => {
  await second?.stop();
  await application?.stop();
});
beforeEach(async () => {
  account = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
});
afterEach(async () => {
  await rule('in_order');
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

const rule = async (waiting_payouts: string) =>
  must(await client.post('/v1/settings/payouts', { waiting_payouts })).json;
const order = (amount: number, body: object = {}) => ({ amount, currency: 'EUR', recipient, account, ...body });
const WAIT = { on_insufficient_funds: 'wait' };
const pay = (amount: number, body: object = {}, options: object = {}): Promise<Reply> =>
  client.post('/v1/payouts', order(amount, body), options);
const made = async (amount: number, body: object = WAIT) => idIn(must(await pay(amount, body)));
const fund = async (amount: number) => must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount }));
const balance = async () => must(await client.get(`/v1/accounts/${account}`)).json['balance'];
const statuses = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => must(await client.get(`/v1/payouts/${id}`)).json['status']));
const become = (ids: readonly string[], wanted: readonly string[]) =>
  eventually(`they are ${wanted.join()}`, async () => isDeepStrictEqual(await statuses(ids), wanted));
const american = async () => {
  const bank = { account_number: '000123456789', routing_number: '021000021' };
  const person = { name: 'Grace Hopper', type: 'individual', country: 'US', currency: 'USD' };
  return idIn(must(await client.post('/v1/recipients', { ...person, ...bank })));
};
/** By the order of commits. */
const sequenceOf = async (id: string, type: string) => {
  const { data } = must(await client.get(`/v1/events?related_object=${id}&type=${type}`)).json as { data: Json[] };
  return data[0]?.['sequence'] as number;
};

describe('in order', () => {
  it('a new payout waits behind the older one, or is refused and told why', async () => {
    await fund(50);
    const large = await made(60);
    const refused = await pay(10);
    expect(outcome(refused)).toBe('400 balance_insufficient');
    expect(refused.json['error']).toMatchObject({
      available_minor: 0,
      resource_id: account,
      message: expect.stringContaining(`1 payout waits for 60.00 EUR of it, the oldest is ${large}: 0.00 EUR is free`),
    });
    const small = await made(10);
    expect(await statuses([large, small])).toEqual(['waiting', 'waiting']);
    expect((await pay(10, { dry_run: true })).json['error']).toMatchObject({
      message: expect.stringContaining(`2 payouts wait for 70.00 EUR of it, the oldest is ${large}`),
    });
    must(await client.post(`/v1/payouts/${large}/cancel`));
    await become([small], ['pending']);
    expect(outcome(await pay(40))).toBe('200');
    expect(await balance()).toBe(0);
  });

  it('the older one gets its money first, and what is beyond goes to new ones at once', async () => {
    const large = await made(100);
    await fund(30);
    const small = await made(20);
    await fund(100);
    expect(outcome(await pay(10))).toBe('200'); // enough for all three, whether the worker has come or not
    await become([large, small], ['pending', 'pending']);
    expect(await balance()).toBe(0);
    expect(await sequenceOf(large, 'payout.funded')).toBeLessThan(await sequenceOf(small, 'payout.funded'));
  });

  it('items of a batch stand in line one by one', async () => {
    await fund(50);
    const payouts = [order(60, WAIT), order(10), order(10, WAIT)];
    const { json } = must(await client.post('/v1/payouts/batch', { payouts, mode: 'partial' }));
    const results = json['results'] as { payout?: Json; error?: Json }[];
    expect(results.map(({ payout, error }) => payout?.['status'] ?? error?.['code'])).toEqual([
      'waiting',
      'balance_insufficient',
      'waiting',
    ]);
    must(await client.post(`/v1/payout_batches/${json['id'] as string}/cancel`));
    expect(outcome(await pay(50))).toBe('200');
  });

  it('a payout from another currency is asked of the account that sells; an exchange is not', async () => {
    await fund(50);
    await made(60);
    const source = { source_account: account, source_currency: 'EUR' };
    const dollars = { currency: 'USD', recipient: await american(), account: undefined, ...source };
    const refused = await pay(10, dollars);
    expect(outcome(refused)).toBe('400 balance_insufficient');
    expect(refused.json['error']).toMatchObject({ resource_id: account, available_minor: 0 });
    const exchange = { sell_account: account, sell_currency: 'EUR', buy_currency: 'USD', amount: 10 };
    expect(outcome(await client.post('/v1/exchanges', exchange))).toBe('200');
    await rule('may_be_passed');
    expect(outcome(await pay(10, dollars))).toBe('200');
  });
});

describe('waiting_payouts=may_be_passed', () => {
  it('is shown, told and in the audit log', async () => {
    expect(must(await client.get('/v1/settings/payouts')).json).toMatchObject({ waiting_payouts: 'in_order' });
    expect(await rule('may_be_passed')).toMatchObject({ waiting_payouts: 'may_be_passed' });
    const newest = async (path: string) => (must(await client.get(`${path}?limit=1`)).json['data'] as Json[])[0];
    expect(await newest('/v1/events')).toMatchObject({
      type: 'payout_rules.updated',
      data: {
        object: { waiting_payouts: 'may_be_passed' },
        previous_attributes: { waiting_payouts: 'in_order' },
      },
    });
    expect(await newest('/v1/audit_log')).toMatchObject({
      action: 'payout_rules.updated',
      details: { waiting_payouts: ['in_order', 'may_be_passed'] },
    });
    expect(outcome(await client.post('/v1/settings/payouts', { waiting_payouts: 'never' }))).toBe(
      '400 parameter_invalid waiting_payouts',
    );
  });

  it('lets new and waiting payouts pass one that is too large', async () => {
    await rule('may_be_passed');
    await fund(50);
    const large = await made(100);
    expect(outcome(await pay(20))).toBe('200');
    const [first, next, third] = [await made(40), await made(60), await made(5)];
    expect(await statuses([large, first, next, third])).toEqual(['waiting', 'waiting', 'waiting', 'pending']);
    await fund(45); // 70.00: the large one and 60.00 after 40.00 do not fit
    await become([large, first, next], ['waiting', 'pending', 'waiting']);
    const fourth = await made(50);
    await fund(70); // 100.00
    await become([large, next, fourth], ['pending', 'waiting', 'waiting']);
    await rule('in_order');
    await fund(55);
    expect(outcome(await pay(1))).toBe('400 balance_insufficient');
    expect(await statuses([next, fourth])).toEqual(['waiting', 'waiting']);
  });
});

it('what waited before the column was there is counted by its migration', async () => {
  await made(60);
  await made(7);
  await application.sql('UPDATE accounts SET waiting = NULL');
  expect(await auditDatabase(application.databaseUrl)).toHaveLength(1);
  const file = readFileSync(new URL('../../../migrations/0121_waiting_payouts.sql', import.meta.url), 'utf8');
  await application.sql(file.slice(file.indexOf('UPDATE')));
  const [row] = await application.sql('SELECT waiting FROM accounts WHERE id = $1', [uuidOf(account)]);
  expect(JSON.parse(row?.['waiting'] as string)).toEqual({ count: 2, amount: '6700' });
});

describe('from two servers at once', () => {
  const at = (index: number) => ({ at: index % 2 === 0 ? application.address : second.address });
  const accepted = (replies: readonly Reply[]) =>
    replies.filter(({ status, json }) => status === 200 && json['status'] === 'pending').map(idIn);
  /** For 100.00 waits one that needs 150.00. Then 40 more want 5.00 each. */
  async function race() {
    await fund(100);
    const large = await made(150);
    return { large, small: Array.from({ length: 40 }, (_, i) => pay(5, i % 4 < 2 ? WAIT : {}, at(i))) };
  }

  it('nobody takes what an older one waits for (control: where it may be passed, many do)', async () => {
    const { large, small } = await race();
    await fund(50); // while they race
    const replies = await Promise.all(small);
    await become([large], ['pending']);
    expect([accepted(replies), await balance()]).toEqual([[], 0]);
    expect(replies.filter(({ status }) => status === 400).map(outcome)).toEqual(
      Array.from({ length: 20 }, () => '400 balance_insufficient'),
    );
    account = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
    await rule('may_be_passed');
    const control = await race();
    expect(accepted(await Promise.all(control.small))).toHaveLength(20);
    expect(await statuses([control.large])).toEqual(['waiting']);
  });

  it('none is made after the one that waits, although money is left', async () => {
    await fund(100);
    const replies = await Promise.all(
      Array.from({ length: 41 }, (_, i) => (i === 10 ? pay(150, WAIT, at(i)) : pay(5, {}, at(i)))),
    );
    const since = await sequenceOf(idIn(replies[10] as Reply), 'payout.created');
    const before = accepted(replies);
    for (const id of before) expect(await sequenceOf(id, 'payout.created')).toBeLessThan(since);
    expect(await balance()).toBe(10_000 - 500 * before.length);
    await fund(50 + 5 * before.length);
    await become([idIn(replies[10] as Reply)], ['pending']);
    expect(await balance()).toBe(0);
  });
});
