/** Payouts that are paid for from another currency: exchange and payout in one commit, or neither. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
let pounds: string;
let euros: string;
let recipient: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  recipient = idIn(must(await client.post('/v1/recipients', RECIPIENT)));
  euros = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
});
beforeEach(async () => {
  pounds = idIn(must(await client.post('/v1/accounts', { currency: 'GBP' })));
  must(await client.post(`/v1/test_helpers/accounts/${pounds}/fund`, { amount: 1000 }));
});
afterAll(() => application?.stop());

const pay = (body: object, options = {}): Promise<Reply> =>
  client.post('/v1/payouts', { currency: 'EUR', recipient, source_account: pounds, ...body }, options);
const balance = async (id: string) => must(await client.get(`/v1/accounts/${id}`)).json['balance'] as number;
const exchangeOf = async (payout: Json) =>
  must(await client.get(`/v1/exchanges/${payout['exchange'] as string}`)).json as Json & {
    sell_amount_minor: number;
    buy_amount_minor: number;
  };
const newest = async () => (must(await client.get('/v1/events?limit=1')).json['data'] as Json[])[0]?.['sequence'];

describe('a dry run shows the price', () => {
  it('as the exchange that is booked afterwards, without ids of what does not exist', async () => {
    const order = { source_amount: '250.00' };
    const tried = must(await pay({ ...order, dry_run: true })).json as Json & { expanded: { exchange: Json } };
    const { exchange } = tried.expanded;
    expect([tried['exchange'], exchange['dry_run'], exchange['id']]).toEqual([null, true, null]);
    const booked: Json = await exchangeOf(must(await pay(order)).json);
    const { id: _, created: __, sell_transfer: ___, buy_transfer: ____, dry_run: _____, ...shown } = exchange;
    expect(Object.keys(shown)).toContain('rate');
    expect(booked).toMatchObject(shown);
    expect(JSON.stringify(tried)).not.toMatch(/"(?:exc|trf|po)_/);
  });

  it('for each payout of a batch that has one', async () => {
    const payouts = [
      { source_amount: '10', source_account: pounds },
      { source_amount: '20', source_account: pounds },
    ];
    const orders = payouts.map((each) => ({ currency: 'EUR', recipient, ...each }));
    const { json } = must(await client.post('/v1/payouts/batch', { payouts: orders, dry_run: true }));
    const results = json['results'] as { payout: { expanded: { exchange: Json } } }[];
    expect(results.map(({ payout }) => payout.expanded.exchange['sell_amount_minor'])).toEqual([1_000, 2_000]);
  });

  it('not where nothing is exchanged', async () => {
    must(await client.post(`/v1/test_helpers/accounts/${euros}/fund`, { amount: 1 }));
    const order = { amount: 1, currency: 'EUR', recipient, account: euros };
    expect(must(await client.post('/v1/payouts', { ...order, dry_run: true })).json).not.toHaveProperty('expanded');
    must(await client.post('/v1/payouts', order));
  });
});

describe('what is fixed', () => {
  it('is what arrives, with amount: the source pays what it takes', async () => {
    const payout = must(await pay({ amount: 100 })).json;
    const exchange = await exchangeOf(payout);
    expect(payout).toMatchObject({ amount: 100, amount_minor: 10_000, currency: 'EUR', account: euros });
    expect(exchange).toMatchObject({
      fixed_side: 'buy',
      buy_amount_minor: 10_000,
      sell_currency: 'GBP',
      sell_account: pounds,
      buy_account: euros,
    });
    expect(await balance(pounds)).toBe(100_000 - exchange.sell_amount_minor);
    expect(await balance(euros)).toBe(0);
  });

  it('is what is taken, with source_amount: the recipient gets what it comes to', async () => {
    const payout = must(await pay({ source_amount: '250.00' })).json;
    const exchange = await exchangeOf(payout);
    expect(exchange).toMatchObject({ fixed_side: 'sell', sell_amount_minor: 25_000 });
    expect(payout['amount_minor']).toBe(exchange.buy_amount_minor);
    expect(await balance(pounds)).toBe(75_000);
    expect(await balance(euros)).toBe(0);
  });

  it('is what a quote says', async () => {
    const asked = { sell_currency: 'GBP', buy_currency: 'EUR', amount: 50 };
    const quote = must(await client.post('/v1/exchanges/quote', asked)).json;
    const payout = must(await pay({ quote: quote['id'] })).json;
    expect([payout['amount_minor'], (await exchangeOf(payout))['quote']]).toEqual([
      quote['buy_amount_minor'],
      quote['id'],
    ]);
    expect(await balance(pounds)).toBe(95_000);
    expect(outcome(await pay({ quote: quote['id'] }))).toBe('400 quote_already_used quote');
  });
});

it('without source_account the oldest account of source_currency pays, and an account of the other currency is opened', async () => {
  const dollars = must(await client.post('/v1/recipients', { ...RECIPIENT, currency: 'USD', bic: 'COBADEFFXXX' }));
  const order = { amount: 5, currency: 'USD', recipient: idIn(dollars), source_currency: 'GBP' };
  const payout = must(await client.post('/v1/payouts', order)).json;
  const { sell_account: paying } = await exchangeOf(payout);
  const [oldest] = must(await client.get('/v1/accounts?currency=GBP&order=asc')).json['data'] as Json[];
  expect(paying).toBe(oldest?.['id']);
  expect(must(await client.get(`/v1/accounts/${payout['account'] as string}`)).json).toMatchObject({
    currency: 'USD',
    balance: 0,
  });
});

it('is all in one: the events follow each other, and the same key gives the same payout', async () => {
  const before = (await newest()) as number;
  const idempotencyKey = `once ${pounds}`;
  const [first, second] = [
    await pay({ amount: 10 }, { idempotencyKey }),
    await pay({ amount: 10 }, { idempotencyKey }),
  ];
  expect(must(first).text).toBe(must(second).text);
  const events = must(await client.get(`/v1/events?after_sequence=${before}&order=asc&limit=50`)).json[
    'data'
  ] as Json[];
  expect(events.map(({ type }) => type)).toEqual([
    'balance.updated',
    'balance.updated',
    'exchange.created',
    'exchange.completed',
    'balance.updated',
    'payout.created',
  ]);
  const requests = new Set(events.map(({ request }) => (request as Json)['id']));
  expect(requests.size).toBe(1);
});

it('money that comes back stays in the currency of the payout', async () => {
  const payout = must(await pay({ amount: 100 })).json;
  const left = await balance(pounds);
  must(await client.post(`/v1/test_helpers/payouts/${payout['id'] as string}/fail`, {}));
  expect([await balance(pounds), await balance(euros)]).toEqual([left, 10_000]);
  must(
    await client.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'GBP', amount: 100, buy_account: pounds }),
  );
  expect(await balance(euros)).toBe(0);
});

describe('refused, and nothing has happened', () => {
  it.each([
    ['the source has not enough', { amount: 100_000 }, '400 balance_insufficient'],
    ['the day is past', { amount: 5, scheduled_on: '2020-01-01' }, '400 scheduled_on_invalid scheduled_on'],
    [
      'the recipient is unknown',
      { amount: 5, recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa' },
      '404 resource_missing recipient',
    ],
    [
      'the source is unknown',
      { amount: 5, source_account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa' },
      '404 resource_missing source_account',
    ],
    [
      'the source is of another currency',
      { amount: 5, source_currency: 'USD' },
      '400 account_currency_mismatch source_account',
    ],
    [
      'both currencies are the same',
      { amount: 5, source_account: undefined, source_currency: 'EUR' },
      '400 currency_pair_invalid source_currency',
    ],
    ['both sides are fixed', { amount: 5, source_amount: 5 }, '400 parameter_conflict source_amount'],
    [
      'a quote and a side',
      { quote: 'quo_01jd3v9q4ne8v8k3w2m6r5t7xa', source_amount: 5 },
      '400 parameter_conflict source_amount',
    ],
    ['nothing says how much', {}, '400 parameter_missing amount'],
    ['no source is named', { source_account: undefined, source_amount: 5 }, '400 parameter_missing source_currency'],
    ['the amount has too many decimals', { source_amount: '5.001' }, '400 amount_invalid source_amount'],
    [
      'what is taken comes to nothing',
      { amount: undefined, source_amount: '0.00' },
      '400 amount_too_small source_amount',
    ],
    ['the quote is unknown', { quote: 'quo_01jd3v9q4ne8v8k3w2m6r5t7xa' }, '404 resource_missing quote'],
  ])('%s', async (_what, body, expected) => {
    const before = await newest();
    expect(outcome(await pay(body))).toBe(expected);
    expect([await newest(), await balance(pounds), await balance(euros)]).toEqual([before, 100_000, 0]);
  });

  it('a quote that says something else', async () => {
    const asked = { sell_currency: 'GBP', buy_currency: 'USD', amount: 50 };
    const quote = idIn(must(await client.post('/v1/exchanges/quote', asked)));
    expect(outcome(await pay({ quote }))).toBe('400 quote_mismatch currency');
    const other = idIn(must(await client.post('/v1/exchanges/quote', { ...asked, buy_currency: 'EUR' })));
    expect(outcome(await pay({ quote: other, amount: 1 }))).toBe('400 quote_mismatch amount');
    expect(outcome(await pay({ quote: other, source_currency: 'USD' }))).toBe('400 quote_mismatch source_currency');
    expect(await balance(pounds)).toBe(100_000);
  });

  it('a limit that it passes: the exchange is not booked either', async () => {
    const limit = must(await client.post('/v1/limits', { recipient, count: 1, action: 'refuse' }));
    const before = await newest();
    const replies = [await pay({ amount: 1 }), await pay({ amount: 1 })];
    expect(replies.map(outcome)).toEqual(['200', '400 limit_exceeded']);
    expect(await balance(euros)).toBe(0);
    expect(await newest()).toBe((before as number) + 6);
    must(await client.write('DELETE', `/v1/limits/${idIn(limit)}`, {}));
  });

  it('a key that may not exchange', async () => {
    const { client: narrow } = await application.key({ scopes: ['payouts:write'] });
    const order = { amount: 5, currency: 'EUR', recipient, source_account: pounds };
    expect(outcome(await narrow.post('/v1/payouts', order))).toBe('403 scope_missing');
    const { client: wide } = await application.key({ scopes: ['payouts:write', 'exchanges:write'] });
    expect(outcome(await wide.post('/v1/payouts', order))).toBe('200');
  });
});

describe('batches', () => {
  it('convert item by item; the source ends where it should', async () => {
    const items = [{ amount: 10 }, { source_amount: 20 }, { source_currency: 'GBP', amount: 30 }];
    const payouts = items.map((item) => ({ currency: 'EUR', recipient, source_account: pounds, ...item }));
    const { json } = must(await client.post('/v1/payouts/batch', { payouts }));
    const made = (json['results'] as Json[]).map(({ payout }) => payout as Json);
    const sold = await Promise.all(made.map(async (payout) => (await exchangeOf(payout)).sell_amount_minor));
    expect(await balance(pounds)).toBe(100_000 - sold.reduce((sum, each) => sum + each, 0));
    expect(await balance(euros)).toBe(0);
  });

  it('all or nothing: one bad item undoes the exchanges of the others; partial: the good ones stand', async () => {
    const good = { currency: 'EUR', recipient, source_account: pounds, source_amount: 10 };
    const payouts = [good, { ...good, source_amount: 100_000 }, { ...good, source_amount: '1.001' }];
    const before = await newest();
    expect(outcome(await client.post('/v1/payouts/batch', { payouts: payouts.slice(0, 2) }))).toBe(
      '400 batch_invalid payouts',
    );
    expect([await newest(), await balance(pounds)]).toEqual([before, 100_000]);
    const { json } = must(await client.post('/v1/payouts/batch', { payouts, mode: 'partial' }));
    expect((json['results'] as Json[]).map(({ status }) => status)).toEqual(['created', 'rejected', 'rejected']);
    expect([await balance(pounds), await balance(euros)]).toEqual([99_000, 0]);
  });
});

it('twenty at once spend exactly what is there', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => pay({ source_amount: 100 })));
  const made = replies.filter((reply) => outcome(reply) === '200');
  expect([made.length, await balance(pounds), await balance(euros)]).toEqual([10, 0, 0]);
});
