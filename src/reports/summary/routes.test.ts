/** `GET /v1/summary`: right after each write, to the cent, within one tenant, with few blocks however long the history is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { camt } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { BANK_ACCOUNT, idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { aroundOf, banksOf, MOST_TAIL, movedOf, openOf, sumsFrom } from './figures.ts';

let application: Application;
let merchants = 0;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const fresh = () => application.key({ merchant: `merchant ${merchants++}` });
const summary = async ({ client }: { readonly client: Client }, query = '') =>
  must(await client.get(`/v1/summary${query}`)).json as Json & { readonly currencies: Json[] };
const inEur = async (holder: Holder, query = '') =>
  (await summary(holder, query)).currencies.find(({ currency }) => currency === 'EUR') as Json;
const post = async ({ client }: Holder, path: string, body: object = {}) => must(await client.post(path, body)).json;
const funded = async (holder: Holder, currency: string, amount: number) => {
  const { id } = await post(holder, '/v1/accounts', { currency });
  await post(holder, `/v1/test_helpers/accounts/${id as string}/fund`, { amount });
  return id as string;
};

const NOTHING = { count: 0, amount: 0, amount_minor: 0 };

describe('what it says', () => {
  it('of an environment in which nothing has happened', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { as_of, from, rates_at, ...rest } = await summary(await fresh());
    expect(rest).toEqual({
      object: 'summary',
      livemode: false,
      lag_seconds: 0,
      to: today,
      complete: true,
      currencies: [],
      payouts: { held: 0, waiting: 0, failed: 0, returned: 0 },
      webhooks: { failing: 0, first_failed_at: null, oldest_undelivered_at: null },
      bank: [],
      verification: { status: 'none', finished_at: null, damages_count: 0 },
      backup_at: null,
    });
    expect(Date.parse(from as string)).toBe(Date.parse(today) - 29 * 86_400_000);
    expect(as_of).toEqual(expect.any(Number));
    expect(rates_at).toEqual(expect.any(Number));
  });

  it('of an account that was opened a moment ago: its currency, with nothing', async () => {
    const holder = await fresh();
    await post(holder, '/v1/accounts', { currency: 'CHF' });
    await post(holder, '/v1/accounts', { currency: 'EUR' });
    const none = { balance: 0, balance_minor: 0, in_flight: NOTHING, fees: 0, fees_minor: 0, days: [] };
    expect((await summary(holder)).currencies).toMatchObject([
      { currency: 'CHF', ...none },
      { currency: 'EUR', ...none },
    ]);
  });

  it('of payouts in every state, after each step at once', async () => {
    const holder = await fresh();
    await funded(holder, 'EUR', 1_000);
    const recipient = idIn(await holder.client.post('/v1/recipients', RECIPIENT));
    const pay = async (amount: number, more: object = {}) =>
      (await post(holder, '/v1/payouts', { amount, currency: 'EUR', recipient, ...more }))['id'] as string;
    const step = (id: string, verb: string) => post(holder, `/v1/test_helpers/payouts/${id}/${verb}`);
    const day = async () => ((await inEur(holder))['days'] as Json[])[0];
    expect(await day()).toMatchObject({ in: 1000, in_minor: 100_000, in_count: 1, out: 0, out_count: 0 });

    const [paid, failed, returned, canceled] = [
      await pay(100.5),
      await pay(20),
      await pay(30),
      await pay(40),
      await pay(5),
    ];
    expect(await inEur(holder)).toMatchObject({
      balance: 80_450,
      in_flight: { count: 5, amount: 195.5, amount_minor: 19_550 },
    });
    await step(paid, 'pay');
    expect(await inEur(holder)).toMatchObject({ balance: 80_450, in_flight: { count: 4, amount: 95 } });
    expect(await day()).toMatchObject({ out: 100.5, out_minor: 10_050, out_count: 1 });
    await step(failed, 'fail');
    await step(returned, 'pay');
    await step(returned, 'return');
    await post(holder, `/v1/payouts/${canceled}/cancel`);
    expect(await inEur(holder)).toMatchObject({
      balance: 89_450,
      in_flight: { count: 1, amount: 5 },
      held: NOTHING,
      waiting: NOTHING,
    });
    expect(await day()).toMatchObject({ in: 1030, in_count: 2, out: 130.5, out_count: 2 });

    const { id: poor } = await post(holder, '/v1/accounts', { currency: 'EUR' });
    const late = await pay(5_000, { account: poor, on_insufficient_funds: 'wait' });
    await post(holder, '/v1/limits', { count: 0, action: 'hold' });
    const stopped = await pay(7);
    const createdOf = async (id: string) => must(await holder.client.get(`/v1/payouts/${id}`)).json['created'];
    const all = await summary(holder);
    expect(all).toMatchObject({ complete: true, payouts: { held: 1, waiting: 1, failed: 1, returned: 1 } });
    const [{ held, waiting }] = all.currencies as [Json];
    expect([held, waiting]).toMatchObject([
      { count: 1, amount: 7, amount_minor: 700, oldest_at: await createdOf(stopped) },
      { count: 1, amount: 5_000, oldest_at: await createdOf(late) },
    ]);
  });

  it('is what the balances say, in every currency, with the digits that it has', async () => {
    const holder = await fresh();
    await funded(holder, 'JPY', 1_500);
    await funded(holder, 'KWD', 1.125);
    await funded(holder, 'EUR', 10);
    await funded(holder, 'USD', 1);
    await post(holder, '/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: 4 });
    const { currencies } = await summary(holder);
    const { currencies: balances } = must(await holder.client.get('/v1/balances')).json as { currencies: Json[] };
    expect(currencies.map(({ currency, balance }) => ({ currency, balance }))).toEqual(balances);
    const text = must(await holder.client.get('/v1/summary')).text;
    expect(text).toContain('"in":1500,"in_minor":1500');
    expect(text).toContain('"in":1.125,"in_minor":1125');
    expect(text).toContain('"in":10.00,"in_minor":1000');
  });

  it('fees, less those that were given back', async () => {
    const holder = await fresh();
    await funded(holder, 'EUR', 100);
    await post(holder, '/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: '1' });
    const recipient = idIn(await holder.client.post('/v1/recipients', RECIPIENT));
    const [, lost] = [
      await post(holder, '/v1/payouts', { amount: 10, currency: 'EUR', recipient }),
      await post(holder, '/v1/payouts', { amount: 10, currency: 'EUR', recipient }),
    ];
    expect(await inEur(holder)).toMatchObject({ fees: 2, fees_minor: 200 });
    await post(holder, `/v1/test_helpers/payouts/${lost['id'] as string}/fail`);
    expect(await inEur(holder)).toMatchObject({ fees: 1, fees_minor: 100 });
    expect(await inEur(holder, '?from=2020-01-01&to=2020-01-02')).toMatchObject({ fees: 0, days: [], balance: 8_900 });
  });

  it('what a bank reported, what has no place, and what is proved', async () => {
    const holder = await fresh();
    const bank = idIn(await holder.client.post('/v1/bank_accounts', { ...BANK_ACCOUNT, name: 'Nordbank' }));
    const account = idIn(await holder.client.post('/v1/accounts', { currency: 'EUR' }));
    const { iban } = BANK_ACCOUNT.bank_details;
    expect(await summary(holder)).toMatchObject({
      bank: [
        { bank_account: bank, name: 'Nordbank', proved_until_on: null, proof: null, drift: null, unanswered_files: 0 },
      ],
    });
    const entries = [
      { amount: '80.00', reference: 'A1' },
      { amount: '20.00', reference: 'A2' },
      { amount: '-5.00', reference: 'A3' },
    ];
    must(
      await handedIn(holder.client, camt([{ iban, day: '2026-11-20', opening: '0.00', closing: '95.00', entries }])),
    );
    const { bank: banks, currencies } = await summary(holder);
    expect(banks).toMatchObject([{ proved_until_on: '2026-11-20', proof: 'ok', drift: 0, drift_minor: 0 }]);
    expect(currencies).toMatchObject([
      {
        balance: 0,
        unmatched: { count: 3, amount: 105, amount_minor: 10_500, oldest_on: '2026-11-20' },
        days: [{ in: 100, in_count: 2, out: 5, out_count: 1 }],
      },
    ]);
    const waiting = must(await holder.client.get('/v1/bank_entries?status=unmatched')).json['data'] as Json[];
    const large = waiting.find(({ amount }) => amount === 80)?.['id'] as string;
    await post(holder, `/v1/bank_entries/${large}/assign`, { assignments: [{ to: account, amount: 30 }] });
    expect(await inEur(holder)).toMatchObject({ balance: 3_000, unmatched: { count: 3, amount: 75 } });
  });

  it('endpoints that fail, and events that they have not had', async () => {
    const holder = await fresh();
    const url = 'https://127.0.0.1:1/';
    const endpoint = idIn(
      await holder.client.post('/v1/webhook_endpoints', { url, enabled_events: ['account.created'] }),
    );
    await application.sql(
      "INSERT INTO webhook_health (environment_id, endpoint_id, unsuccessful_since) VALUES ($1, $2, '2026-11-20T10:00:00Z') ON CONFLICT (environment_id, endpoint_id) DO UPDATE SET unsuccessful_since = excluded.unsuccessful_since",
      [uuidOf(holder.environmentId), uuidOf(endpoint)],
    );
    await post(holder, '/v1/accounts', { currency: 'EUR' });
    const { webhooks } = await summary(holder);
    expect(webhooks).toEqual({
      failing: 1,
      first_failed_at: Date.parse('2026-11-20T10:00:00Z') / 1000,
      oldest_undelivered_at: expect.any(Number) as number,
    });
  });
});

it('counts what ended in the last day, however many newer payouts ended before', async () => {
  const holder = await fresh();
  const bad = (id: string, ended: string, many: number) =>
    application.sql(
      `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status, transfer_id, reversal_id, failure_code, created_at, in_transit_at, ended_at)
       SELECT $1, ('${id}' || lpad(to_hex(n), 12, '0'))::uuid, $1, $1, 1, 100, 'EUR', s.status, $1, $1, 'account_closed', now() - interval '9 days', CASE s.status WHEN 'returned' THEN now() - interval '9 days' END, now() - interval '${ended}'
       FROM generate_series(1, ${many}) AS n, unnest(ARRAY['failed', 'returned']) WITH ORDINALITY AS s (status, nth) WHERE n % 2 = nth - 1`,
      [uuidOf(holder.environmentId)],
    );
  await bad('01900000-0000-7000-8000-', '1 hour', 6);
  await bad('01910000-0000-7000-8000-', '2 days', 2_010);
  const counted = { failed: 3, returned: 3 };
  expect(await summary(holder)).toMatchObject({ complete: true, payouts: counted });
  await bad('01920000-0000-7000-8000-', '2 hours', 2_010);
  expect(await summary(holder)).toMatchObject({ complete: false, payouts: { failed: 1_000, returned: 1_000 } });
});

describe('days', () => {
  it('are those that are named, both included', async () => {
    const holder = await fresh();
    await funded(holder, 'EUR', 10);
    const today = new Date().toISOString().slice(0, 10);
    expect(await summary(holder, `?from=${today}&to=${today}`)).toMatchObject({
      from: today,
      to: today,
      currencies: [{ days: [{ day: today }] }],
    });
    expect(await inEur(holder, '?from=2026-01-01&to=2026-01-31')).toMatchObject({ balance: 1000, days: [] });
    expect(await summary(holder, '?to=2026-01-31')).toMatchObject({ from: '2026-01-02', to: '2026-01-31' });
  });

  it.each([
    ['?from=2026-02-01&to=2026-01-31', '400 parameter_invalid', 'to'],
    ['?from=2999-01-01', '400 parameter_invalid', 'from'],
    ['?from=2025-01-01&to=2026-02-05', '400 parameter_invalid', 'from'],
    ['?from=yesterday', '400 parameter_invalid', 'from'],
    ['?to=2026-02-30', '400 parameter_invalid', 'to'],
    ['?currency=EUR', '400 parameter_unknown', 'currency'],
  ])('%s is refused: %s of %s', async (query, expected, param) => {
    const reply = await application.sandbox.client.get(`/v1/summary${query}`);
    expect(outcome(reply)).toBe(`${expected} ${param}`);
  });
  it('400 days are not too many', async () => {
    expect(await summary(application.sandbox, '?from=2025-01-01&to=2026-02-04')).toMatchObject({ from: '2025-01-01' });
  });
});

describe('who may read it', () => {
  const asks = async (order: Parameters<Application['key']>[0]) =>
    outcome(await (await application.key(order)).client.get('/v1/summary'));

  it('a key with its scope, and no other restricted one', async () => {
    expect(await asks({ scopes: ['summary:read'] })).toBe('200');
    expect(await asks({ scopes: ['accounts:read', 'payouts:read', 'verification:read'] })).toBe('403 scope_missing');
  });
  it('no key that sees some accounts only: it is about all', async () => {
    const account = await funded(application.sandbox, 'EUR', 10);
    expect(await asks({ accounts: [account] })).toBe('403 account_not_allowed');
  });
  it('and each of its own environment only', async () => {
    const [mine, other] = [await fresh(), await fresh()];
    await funded(mine, 'EUR', 10);
    expect([await inEur(mine), await inEur(other)]).toMatchObject([{ balance: 1_000 }, undefined]);
  });
});

const ROW = {
  currency: 'EUR',
  days: '',
  fees_amount: '0',
  balance_amount: '5',
  transit_count: 0n,
  transit_amount: '0',
};
const ALL = { tail: 0, tail_until: null };

it('a tail that is too long is cut, and the answer says until when it counts', () => {
  expect(sumsFrom([{ ...ROW, tail: MOST_TAIL, tail_until: 1_000 }]).untilMs).toBe(1_000);
  expect(sumsFrom([{ ...ROW, tail: MOST_TAIL - 1, tail_until: 1_000 }]).untilMs).toBe(null);
  expect(sumsFrom([{ ...ROW, ...ALL }]).currencies.get('EUR')?.days).toEqual([]);
});

it('a day of which a part is summed is one day', () => {
  const days = '2026-01-01 1 10 2 20\n2026-01-01 4 40 0 0\n2026-01-03 0 0 1 99999999999999999999';
  expect(sumsFrom([{ ...ROW, ...ALL, days }]).currencies.get('EUR')?.days).toEqual([
    { day: '2026-01-01', in: { count: 5n, amount: 50n }, out: { count: 2n, amount: 20n } },
    { day: '2026-01-03', in: { count: 0n, amount: 0n }, out: { count: 1n, amount: 99_999_999_999_999_999_999n } },
  ]);
});

it('a day on which only fees moved is none, and all days together are no day', async () => {
  const { environmentId } = await fresh();
  await application.sql(
    `INSERT INTO daily_sums (environment_id, day, currency, count, in_count, in_amount, out_count, out_amount, fees_amount, balance_amount, transit_count, transit_amount)
      SELECT $1, day::date, 'EUR', 1, came, came * 10, 0, 0, 3, 7, 1, 9 FROM (VALUES ('-infinity', 6), ('2026-01-01', 2), ('2026-01-02', 0), ('2026-01-03', 4)) AS v (day, came)`,
    [uuidOf(environmentId)],
  );
  const { text, values } = movedOf(environmentId, { from: '2026-01-01', to: '2026-01-02' });
  const day = { day: '2026-01-01', in: { count: 2n, amount: 20n }, out: { count: 0n, amount: 0n } };
  expect(sumsFrom(await application.sql(text, values)).currencies).toEqual(
    new Map([['EUR', { balance: 7n, inFlight: { count: 1n, amount: 9n }, fees: 6n, days: [day] }]]),
  );
});

describe('with a long history', () => {
  const PAYOUTS = 30_000;
  const BLOCKS_MAX = 400; // the table has more than a thousand
  let environment: string;
  beforeAll(async () => {
    const holder = await fresh();
    environment = holder.environmentId;
    const uuid = uuidOf(environment);
    await application.sql(
      `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status, transfer_id, created_at, in_transit_at, ended_at, release)
       SELECT $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $1, 1, 100, 'EUR', 'paid', $1, now(), now(), now(), '{"status":"approved"}'
       FROM generate_series(1, ${PAYOUTS}) AS n`,
      [uuid],
    );
    await application.sql(
      `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, created_at)
       SELECT $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '00000000-0000-8000-8000-000001455552', '00000000-0000-8000-8000-000002455552', 1, 'EUR', 'funding', now() - n * interval '1 hour'
       FROM generate_series(1, ${PAYOUTS}) AS n`,
      [uuid],
    );
    await application.sql(
      `INSERT INTO daily_sums (environment_id, day, currency, count, in_count, in_amount, out_count, out_amount, fees_amount, balance_amount, transit_count, transit_amount)
       SELECT $1, '2024-11-01'::date + n, c, 1, 1, 1, 0, 0, 0, 1, 0, 0 FROM generate_series(1, 2000) AS n, unnest(ARRAY['EUR', 'GBP', 'USD']) AS c ON CONFLICT DO NOTHING`,
      [uuid],
    );
    await application.sql('VACUUM ANALYZE payouts, transfers, daily_sums');
  });

  const blocksOf = async ({ text, values }: Statement) => {
    const [row] = await application.sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = JSON.parse(row?.['QUERY PLAN'] as string) as [{ Plan: Record<string, number> }];
    return (plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number);
  };

  it.each([
    ['what moved', () => movedOf(environment, { from: '2026-11-01', to: '2026-11-30' })],
    ['what moved in 400 days', () => movedOf(environment, { from: '2025-11-01', to: '2026-12-05' })],
    ['what is open', () => openOf(environment, 0)],
    ['what is around', () => aroundOf(environment)],
    ['the bank accounts', () => banksOf(environment)],
  ])('%s costs a few blocks', async (_, statement) => {
    expect(await blocksOf(statement())).toBeLessThanOrEqual(BLOCKS_MAX);
  });
  it('control: what is asked without sums reads the table', async () => {
    const text = 'SELECT sum(amount) FROM transfers WHERE environment_id = $1 AND metadata IS NULL';
    expect(await blocksOf({ text, values: [uuidOf(environment)] })).toBeGreaterThan(BLOCKS_MAX);
  });
});
