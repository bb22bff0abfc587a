/** The filters of payouts over real HTTP: each finds exactly what the payouts themselves say, with every other, on every kind of page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const PAGE_COUNT_MAX = 50;

let application: Application;
let maker: Holder;
let restricted: Holder;
let successor: Client;
let successorId = '';
let payouts: readonly Json[] = [];
/** Ids by what they are, for queries. */
const ids = { first: '', second: '', recipient: '', batch: '', order: '' };

const post = async (path: string, body: object = {}, by: Client = application.sandbox.client) =>
  must(await by.post(path, body)).json;
const made = async (path: string, body: object, by?: Client) => (await post(path, body, by))['id'] as string;
const listed = async (query: string, by: Client = application.sandbox.client) =>
  must(await by.get(`/v1/payouts?${query}`)).json['data'] as readonly Json[];
const idsOf = (of: readonly Json[]) => of.map(({ id }) => id as string);
const found = async (query: string, by?: Client) => idsOf(await listed(`limit=100&${query}`, by));
const whose = (holds: (payout: Json) => boolean) => idsOf(payouts.filter(holds));

beforeAll(async () => {
  application = await startApplication();
  const { client, environmentId } = application.sandbox;
  ids.first = await made('/v1/accounts', { currency: 'EUR' });
  ids.second = await made('/v1/accounts', { currency: 'EUR' });
  const dollars = await made('/v1/accounts', { currency: 'USD' });
  for (const account of [ids.first, ids.second, dollars])
    await application.submit(environmentId, { type: 'fund_account', account, amount: '100000' });
  ids.recipient = await made('/v1/recipients', RECIPIENT);
  const bank = { country: 'US', currency: 'USD', routing_number: '021000021', account_number: '1234567' };
  const american = await made('/v1/recipients', { name: 'Grace', type: 'individual', ...bank });
  const order = (more: object) => ({ currency: 'EUR', recipient: ids.recipient, account: ids.first, ...more });
  const pay = (more: object, by?: Client) => made('/v1/payouts', order(more), by);

  maker = await application.key();
  const rolled = await post(`/v1/keys/${maker.id}/roll`, { expires_in: 3600 }, maker.client);
  successor = new Client(application.address, rolled['secret'] as string);
  successorId = rolled['id'] as string;
  restricted = await application.key({ scopes: ['payouts:read'], accounts: [ids.second] });

  await pay({ amount: 10, reference: 'Invoice 1', external_id: 'mine', category_purpose: 'SALA' });
  await pay({ amount: 10, reference: 'Invoice 1', account: ids.second }, maker.client);
  await pay({ amount: 10.5, reference: 'invoice 1', account: ids.second }, successor);
  await pay({ amount: 10, currency: 'USD', recipient: american, account: dollars, category_purpose: 'SUPP' });
  for (const [amount, account, code] of [
    [20, ids.first, 'no_account'],
    [20, ids.second, 'account_closed'],
    [30, ids.second, 'no_account'],
  ] as const) {
    const failed = await pay({ amount, account }, account === ids.first ? client : maker.client);
    await post(`/v1/test_helpers/payouts/${failed}/fail`, { failure_code: code });
  }
  const items = [order({ amount: 10 }), order({ amount: 40, account: ids.second, reference: 'Invoice 1' })];
  ids.batch = await made('/v1/payouts/batch', { payouts: items }, maker.client);
  const rhythm = { interval: 'day', starts_on: TODAY, count: 1, amount: 20 };
  ids.order = await made('/v1/standing_orders', order({ ...rhythm, account: ids.second }), successor);
  await eventually('the order has run', async () => (await found(`standing_order=${ids.order}`)).length === 1);

  await post('/v1/limits', { count: 0, action: 'hold' });
  const approver = await application.key();
  const held = async (more: object) => post('/v1/payouts', order({ amount: 50, ...more }), maker.client);
  await held({});
  const [approved, rejected, canceled] = [await held({}), await held({}), await held({})] as const;
  await held({ account: ids.second, reference: 'Invoice 1' });
  const { fingerprint } = approved['release'] as { fingerprint: string };
  await post(`/v1/payouts/${approved['id'] as string}/approve`, { fingerprint }, approver.client);
  await post(`/v1/payouts/${rejected['id'] as string}/reject`, {}, approver.client);
  await post(`/v1/payouts/${canceled['id'] as string}/cancel`);
  payouts = await listed('limit=100');
}, 60_000);
afterAll(async () => {
  successor?.close();
  await application?.stop();
});

type Filter = readonly [query: () => string, holds: (payout: Json) => boolean];
const releaseOf = (payout: Json) => (payout['release'] as { status: string } | null)?.status;
/** Each filter, and the same said of a payout as it is shown. */
const FILTERS: Readonly<Record<string, Filter>> = {
  status: [() => 'status=pending', ({ status }) => status === 'pending'],
  held: [() => 'release=held', (payout) => releaseOf(payout) === 'held'],
  approved: [() => 'release=approved', (payout) => releaseOf(payout) === 'approved'],
  rejected: [() => 'release=rejected', (payout) => releaseOf(payout) === 'rejected'],
  ended: [() => 'release=ended', (payout) => releaseOf(payout) === 'ended'],
  'several of release': [
    () => 'release[]=ended&release[]=held',
    (payout) => ['ended', 'held'].includes(releaseOf(payout) ?? ''),
  ],
  account: [() => `account=${ids.second}`, ({ account }) => account === ids.second],
  'several accounts': [
    () => `account[]=${ids.first}&account[]=${ids.second}`,
    ({ account }) => account === ids.first || account === ids.second,
  ],
  recipient: [() => `recipient=${ids.recipient}`, ({ recipient }) => recipient === ids.recipient],
  batch: [() => `batch=${ids.batch}`, ({ batch }) => batch === ids.batch],
  'standing order': [() => `standing_order=${ids.order}`, (payout) => payout['standing_order'] === ids.order],
  'created by': [() => `created_by=${maker.id}`, (payout) => payout['created_by'] === maker.id],
  'created by another': [
    () => `created_by=${application.sandbox.id}`,
    (payout) => payout['created_by'] === application.sandbox.id,
  ],
  amount: [
    () => 'amount=10.00&currency=EUR',
    ({ amount_minor, currency }) => amount_minor === 1000 && currency === 'EUR',
  ],
  'several amounts': [
    () => 'amount[]=10.5&amount[]=20&currency=eur',
    ({ amount, currency }) => (amount === 10.5 || amount === 20) && currency === 'EUR',
  ],
  category: [() => 'category_purpose=SALA', (payout) => payout['category_purpose'] === 'SALA'],
  'several categories': [
    () => 'category_purpose[]=SALA&category_purpose[]=SUPP',
    (payout) => payout['category_purpose'] !== null,
  ],
  'failure code': [() => 'failure_code=no_account', (payout) => payout['failure_code'] === 'no_account'],
  'several failure codes': [
    () => 'failure_code[]=no_account&failure_code[]=account_closed',
    (payout) => payout['failure_code'] !== null,
  ],
  reference: [() => 'reference=Invoice%201', ({ reference }) => reference === 'Invoice 1'],
};
const cases = Object.entries(FILTERS);

it.each(cases)('%s: exactly those', async (_, [query, holds]) => {
  const wanted = whose(holds);
  expect(wanted.length).toBeGreaterThan(0);
  expect(payouts.length).toBeGreaterThan(wanted.length);
  expect(await found(query())).toEqual(wanted);
  expect(await found(`${query()}&order=asc`)).toEqual(wanted.toReversed());
});

it('each with each other', async () => {
  let met = 0;
  for (const [one, [queryOfOne, holdsOne]] of cases) {
    for (const [other, [queryOfOther, holdsOther]] of cases) {
      const query = `${queryOfOne()}&${queryOfOther()}`;
      const names = query.split('&').map((pair) => pair.replace(/(?:\[\])?=.*/, ''));
      if (one >= other || new Set(names).size < names.length) continue; // one parameter is sent once
      const wanted = whose((payout) => holdsOne(payout) && holdsOther(payout));
      expect(await found(query), query).toEqual(wanted);
      if (wanted.length > 0) met += 1;
    }
  }
  expect(met).toBeGreaterThan(20);
}, 60_000);

it('as pages, forth and back, within times, and as CSV', async () => {
  const several = 'status[]=pending&status[]=failed&status[]=canceled';
  for (const query of ['reference=Invoice%201', several, `account=${ids.second}&created_by=${successorId}`]) {
    const wanted = await found(query);
    expect(wanted.length).toBeGreaterThan(2);
    for (const name of ['starting_after', 'ending_before'] as const) {
      const forth = name === 'starting_after';
      const seen: string[] = [];
      let at = wanted.at(forth ? 0 : -1);
      for (let pages = 0; at !== undefined && pages < PAGE_COUNT_MAX; pages += 1) {
        [at] = idsOf(await listed(`limit=1&${name}=${at}&${query}`));
        if (at !== undefined) seen.push(at);
      }
      expect(seen).toEqual(forth ? wanted.slice(1) : wanted.toReversed().slice(1));
    }
    expect(await found(`${query}&created[gte]=4000000000`)).toEqual([]);
    expect(await found(`${query}&created[lt]=4000000000`)).toEqual(wanted);
    const csv = await application.sandbox.client.send('GET', `/v1/payouts?${query}`, '', { accept: 'text/csv' });
    const [, ...lines] = must(csv).text.trim().split('\r\n');
    expect(lines.map((line) => /po_\w+/.exec(line)?.[0])).toEqual(wanted);
  }
});

it('a key that is restricted to accounts finds what is of them, and nothing else', async () => {
  const own = ({ account }: Json) => account === ids.second;
  for (const [name, [query, holds]] of cases)
    expect(await found(query(), restricted.client), name).toEqual(whose((payout) => own(payout) && holds(payout)));
  expect(await found(`account=${ids.first}`, restricted.client)).toEqual([]);
});

describe('the key that made them', () => {
  it('is found by every key of its line, which are one', async () => {
    const byMaker = await found(`created_by=${maker.id}`);
    expect(byMaker.length).toBeGreaterThan(4);
    expect(await found(`created_by=${successorId}`)).toEqual(byMaker);
    const both = `created_by[]=${successorId}&created_by[]=${application.sandbox.id}`;
    expect(await found(both)).toEqual(whose((payout) => payout['created_by'] !== null));
    expect(await found(`created_by=${application.otherSandbox.id}`)).toEqual([]);
  });

  it('is found where a payout from before lines names the very key', async () => {
    const [newest = ''] = await found(`created_by=${maker.id}`);
    const setMaker = (key: string) =>
      application.sql('UPDATE payouts SET created_by = $1 WHERE id = $2', [uuidOf(key), uuidOf(newest)]);
    await setMaker(successorId);
    for (const key of [maker.id, successorId]) expect(await found(`created_by[]=${key}`)).toContain(newest);
    await setMaker(maker.id);
  });
});

it.each([
  ['release=free', '400 parameter_invalid release'],
  ['release[]=held&release[]=free', '400 parameter_invalid release[1]'],
  ['account=mine', '400 parameter_invalid account'],
  ['standing_order=po_01jd3v9q4ne8v8k3w2m6r5t7xa', '400 parameter_invalid standing_order'],
  ['created_by=worker', '400 parameter_invalid created_by'],
  ['category_purpose=salary', '400 parameter_invalid category_purpose'],
  ['failure_code=mood', '400 parameter_invalid failure_code'],
  ['reference=', '400 parameter_invalid reference'],
  [`reference=${'x'.repeat(141)}`, '400 text_too_long reference'],
  ['amount=10', '400 parameter_missing currency'],
  ['amount=10&currency[]=EUR&currency[]=USD', '400 parameter_conflict currency'],
  ['amount=-10&currency=EUR', '400 amount_invalid amount'],
  ['amount=10.005&currency=EUR', '400 amount_invalid amount'],
  ['amount[]=10&amount[]=10.5&currency=JPY', '400 amount_invalid amount[1]'],
  ['amount=0&currency=EUR', '400 amount_too_small amount'],
  ['amount=9999999999999999&currency=EUR', '400 amount_too_large amount'],
])('refuses %s', async (query, expected) => {
  expect(outcome(await application.sandbox.client.get(`/v1/payouts?${query}`))).toBe(expected);
});
