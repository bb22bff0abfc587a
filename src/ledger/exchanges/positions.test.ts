/** Settings and positions of foreign exchange over HTTP: markups, what exchanges leave open, the limit, also when all come at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

let application: Application;
let client: Client;
let recipient: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
beforeEach(async () => {
  must(await client.post('/v1/test_helpers/reset', {}));
  await post('/v1/settings/exchanges', {
    base_currency: 'EUR',
    position_limit: '',
    markups: { EUR_USD: '', USD_EUR: '' },
  });
  for (const currency of ['EUR', 'GBP']) {
    const account = idIn(must(await client.post('/v1/accounts', { currency })));
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10_000 }));
  }
  recipient = idIn(must(await client.post('/v1/recipients', { ...RECIPIENT, currency: 'EUR' })));
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application.stop();
});

const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const positions = () => get('/v1/exchange_positions');
const EUR_USD = { sell_currency: 'EUR', buy_currency: 'USD' };
const exchange = (amount: number, pair: object = EUR_USD) => client.post('/v1/exchanges', { ...pair, amount });

describe('positions', () => {
  it('are what exchanges left open, valued at the mid-market rate', async () => {
    expect(await positions()).toMatchObject({ positions: [], open_position: 0, realised: 0, unrealised: 0 });
    must(await exchange(100));
    expect(await positions()).toEqual({
      object: 'exchange_positions',
      livemode: false,
      base_currency: 'EUR',
      rate_at: expect.any(Number),
      positions: [
        {
          currency: 'EUR',
          amount: 100,
          amount_minor: 10_000,
          rate: '1',
          value: 100,
          value_minor: 10_000,
          book_value: 100,
          book_value_minor: 10_000,
        },
        {
          currency: 'USD',
          amount: -115.51,
          amount_minor: -11_551,
          rate: '0.8635578583',
          value: -99.74,
          value_minor: -9_974,
          book_value: -100,
          book_value_minor: -10_000,
        },
      ],
      open_position: 99.75,
      open_position_minor: 9_975,
      position_limit: null,
      position_limit_minor: null,
      realised: 0,
      realised_minor: 0,
      unrealised: 0.26,
      unrealised_minor: 26,
    });
  });

  it('of a payout from another currency, a dry run and a quote that was refused', async () => {
    const order = { amount: 50, currency: 'EUR', recipient, source_currency: 'GBP' };
    must(await client.post('/v1/payouts', { ...order, dry_run: true }));
    await post('/v1/exchanges/quote', { ...EUR_USD, amount: 7 });
    expect((await positions())['positions']).toEqual([]);
    must(await client.post('/v1/payouts', order));
    expect((await positions())['positions']).toMatchObject([
      { currency: 'EUR', amount: -50 },
      { currency: 'GBP', amount: 44.07, book_value: 50 },
    ]);
  });

  it('need the scope, and a key for all accounts', async () => {
    const other = await application.key({ scopes: ['payouts:read'] });
    expect(outcome(await other.client.get('/v1/exchange_positions'))).toBe('403 scope_missing');
    const reader = await application.key({ scopes: ['exchanges:read'] });
    expect(outcome(await reader.client.get('/v1/exchange_positions'))).toBe('200');
    expect(outcome(await reader.client.post('/v1/settings/exchanges', { position_limit: 1 }))).toBe(
      '403 scope_missing',
    );
    const account = ((await get('/v1/accounts'))['data'] as Json[])[0]?.['id'] as string;
    const restricted = await application.key({ scopes: ['exchanges:read'], accounts: [account] });
    expect(outcome(await restricted.client.get('/v1/exchange_positions'))).toBe('403 account_not_allowed');
  });
});

describe('the limit', () => {
  it('refuses what would pass it, by exchange, quote, payout and batch, and says by how much', async () => {
    await post('/v1/settings/exchanges', { position_limit: 100 });
    const quote = await post('/v1/exchanges/quote', { ...EUR_USD, amount: 60 });
    must(await exchange(60));
    const refused = await client.post('/v1/exchanges', { quote: quote['id'] });
    expect(outcome(refused)).toBe('400 position_limit_exceeded');
    expect((refused.json['error'] as Json)['message']).toBe(
      'The open position is 59.85 EUR and would be 119.69 EUR; position_limit is 100.00 EUR. Exchange less, or raise position_limit with POST /v1/settings/exchanges.',
    );
    expect(outcome(await client.post('/v1/exchanges', { ...EUR_USD, amount: 41, dry_run: true }))).toBe(
      '400 position_limit_exceeded',
    );
    // GBP would be held: what is held and what is owed are not added.
    const order = { currency: 'EUR', recipient, source_currency: 'GBP' };
    expect(outcome(await client.post('/v1/payouts', { ...order, amount: 101 }))).toBe('400 position_limit_exceeded');
    const batch = await client.post('/v1/payouts/batch', {
      payouts: [
        { ...order, amount: 60 },
        { ...order, amount: 60 },
      ],
    });
    expect((batch.json['error'] as Json)['errors']).toMatchObject([{ index: 1, code: 'position_limit_exceeded' }]);
    must(await client.post('/v1/payouts', { ...order, amount: 99 }));
    expect((await positions())['open_position']).toBeLessThanOrEqual(100);
  });

  it('refuses nothing that makes the position smaller', async () => {
    must(await exchange(100));
    await post('/v1/settings/exchanges', { position_limit: 10 });
    expect(outcome(await exchange(1))).toBe('400 position_limit_exceeded');
    must(await exchange(50, { sell_currency: 'USD', buy_currency: 'EUR' }));
    await post('/v1/settings/exchanges', { position_limit: '' });
    must(await exchange(1));
  });

  it('holds when all come at once; control: without it all are booked', async () => {
    await post('/v1/settings/exchanges', { position_limit: 100 });
    const all = async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => exchange(10)));
      return answers.filter(({ status }) => status === 200).length;
    };
    expect(await all()).toBe(10);
    expect((await positions())['open_position']).toBe(99.75);
    await post('/v1/settings/exchanges', { position_limit: '' });
    expect(await all()).toBe(40);
  });
});

describe('settings', () => {
  it('are kept, one by one, and the audit log says what changed', async () => {
    const shown = await post('/v1/settings/exchanges', {
      position_limit: '2500.50',
      markups: { usd_eur: 10, EUR_USD: 40 },
    });
    expect(shown).toEqual({
      object: 'exchange_settings',
      livemode: false,
      base_currency: 'EUR',
      position_limit: 2500.5,
      position_limit_minor: 250_050,
      markups: { EUR_USD: 40, USD_EUR: 10 },
    });
    await post('/v1/settings/exchanges', { markups: { USD_EUR: '' } });
    expect(await get('/v1/settings/exchanges')).toEqual({ ...shown, markups: { EUR_USD: 40 } });
    expect(
      ((await get('/v1/audit_log?limit=2'))['data'] as Json[]).map(({ action, details }) => [action, details]),
    ).toEqual([
      ['exchange_settings.updated', { markups: ['EUR_USD 40, USD_EUR 10', 'EUR_USD 40'] }],
      [
        'exchange_settings.updated',
        { position_limit: ['none', '2500.50 EUR'], markups: ['', 'EUR_USD 40, USD_EUR 10'] },
      ],
    ]);
    expect(outcome(await application.live.client.get('/v1/settings/exchanges'))).toBe('200');
    expect((await application.live.client.get('/v1/settings/exchanges')).json).toMatchObject({ markups: {} });
    await post('/v1/settings/exchanges', { markups: { EUR_USD: null, GBP_USD: 5 }, position_limit: null });
    expect(await get('/v1/settings/exchanges')).toMatchObject({ position_limit: null, markups: { GBP_USD: 5 } });
    expect(await post('/v1/settings/exchanges', { markups: null })).toMatchObject({ markups: {} });
  });

  it.each([
    [{ position_limit: '1.001' }, '400 amount_invalid position_limit'],
    [{ position_limit: 0 }, '400 amount_too_small position_limit'],
    [{ base_currency: 'EUX' }, '400 currency_unsupported base_currency'],
    [{ base_currency: 'ARS' }, '503 rate_unavailable base_currency'],
    [{ markups: { EURUSD: 1 } }, '400 currency_pair_invalid markups[EURUSD]'],
    [{ markups: { EUR_EUR: 1 } }, '400 currency_pair_invalid markups[EUR_EUR]'],
    [{ markups: { EUR_USD: 5_001 } }, '400 parameter_invalid markups[EUR_USD]'],
    [{ markup: 1 }, '400 parameter_unknown markup'],
  ])('%j is refused: %s', async (body, refused) => {
    expect(outcome(await client.post('/v1/settings/exchanges', body))).toBe(refused);
  });

  it('a markup of a pair counts for that direction alone, in rates, quotes and exchanges', async () => {
    await post('/v1/settings/exchanges', { markups: { EUR_USD: 100 } });
    const order = { ...EUR_USD, amount: 100 };
    expect(await post('/v1/exchanges/quote', order)).toMatchObject({ markup_bps: 100, rate: '1.14642' });
    expect(must(await exchange(100)).json).toMatchObject({ markup_bps: 100, buy_amount: 114.64 });
    const bps = async (query: string) => ((await get(`/v1/rates?${query}`))['data'] as Json[])[0]?.['markup_bps'];
    expect(await bps('sell_currency=EUR&buy_currency=USD')).toBe(100);
    expect(await bps('sell_currency=USD&buy_currency=EUR')).toBe(25);
  });

  it('another base currency values anew, and a limit has to be given in it', async () => {
    must(await exchange(100));
    await post('/v1/settings/exchanges', { position_limit: 1_000 });
    const bare = await client.post('/v1/settings/exchanges', { base_currency: 'USD' });
    expect(outcome(bare)).toBe('400 parameter_missing position_limit');
    await post('/v1/settings/exchanges', { base_currency: 'USD', position_limit: 500 });
    expect(await positions()).toMatchObject({
      base_currency: 'USD',
      position_limit_minor: 50_000,
      positions: [
        { currency: 'EUR', amount: 100, value: 115.8, book_value: 115.8 },
        { currency: 'USD', amount: -115.51, value: -115.51 },
      ],
      realised: 0.29,
      unrealised: 0,
    });
  });
});
