/** Quotes, exchanges and rates over real HTTP on a real database, sandbox and live. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../../server/app.ts';
import { loadConfig } from '../../config.ts';
import { connectPatiently } from '../../platform/db/pool.ts';
import { type Run } from '../../tenancy/keys/keys.ts';
import { insertKey } from '../../../test/support/harness/keys.ts';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { EXCHANGE_SCHEMAS } from './schema.ts';

const SECRET = 'exchange-tests-exchange-tests-exchange-tests';
const QUIET = { info: () => {}, warn: () => {}, error: () => {} };
type Json = Record<string, unknown>;

let folder: string;
let database: Database;
let app: App;
let base: string;
let sandboxKey: string;
let liveKey: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'exchanges-'));
  const ratesFile = join(folder, 'rates.json');
  const at = new Date(Date.now() - 60_000).toISOString();
  const filed = { source: 'treasury', at, base: 'EUR', rates: { USD: '1.0842' }, markup_bps: 0 };
  writeFileSync(ratesFile, JSON.stringify(filed));
  database = await createDatabase();
  const config = loadConfig({ BURSAR_RATES_FILE: ratesFile, BURSAR_LOG_LEVEL: 'silent', BURSAR_SECRET: SECRET });
  app = await startApp({
    config,
    databaseUrl: database.serverUrl,
    ownerUrl: database.url,
    serverSecret: SECRET,
    log: pino({ level: 'silent' }),
  });
  base = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const client = await connectPatiently(database.url, QUIET);
  const run: Run = async (statement) => (await client.query(statement)).rows;
  const order = { merchant: 'exchanges', name: 'test', scopes: null, expiresAt: null };
  sandboxKey = (await insertKey(run, SECRET, { ...order, livemode: false })).key;
  liveKey = (await insertKey(run, SECRET, { ...order, livemode: true })).key;
  await client.end();
});

afterAll(async () => {
  await app.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function send(method: string, path: string, body?: Json, key = sandboxKey, headers: Record<string, string> = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: JSON.parse(text) as Json };
}
const post = (path: string, body: Json = {}, key?: string, headers?: Record<string, string>) =>
  send('POST', path, body, key, headers);
const get = (path: string, key?: string) => send('GET', path, undefined, key);
const codeOf = (answer: { json: Json }) => (answer.json['error'] as Json | undefined)?.['code'];
const dataOf = (answer: { json: Json }) => answer.json['data'] as Json[];
const balances = async () =>
  Object.fromEntries(dataOf(await get('/v1/accounts')).map((each) => [each['currency'], each['balance']]));

/** Every member of the schema, no other, and no value outside its enum. */
function expectShape(json: Json, name: string): void {
  const { required, properties } = EXCHANGE_SCHEMAS[name] ?? {};
  expect(Object.keys(json).sort()).toEqual([...(required ?? [])].sort());
  for (const [member, schema] of Object.entries(properties ?? {})) {
    if (schema.enum) expect(schema.enum).toContain(json[member]);
    if (schema.pattern) expect(json[member]).toMatch(new RegExp(schema.pattern));
    if (schema.const !== undefined) expect(json[member]).toBe(schema.const);
    if (schema.type === 'integer') expect(Number.isInteger(json[member])).toBe(true);
  }
}

async function funded(currency: string, amount: string): Promise<string> {
  const { json } = await post('/v1/accounts', { currency });
  await post(`/v1/test_helpers/accounts/${json['id'] as string}/fund`, { amount });
  return json['id'] as string;
}

describe('in the sandbox', () => {
  let eur: string;
  beforeAll(async () => {
    eur = await funded('EUR', '1000.00');
  });

  it('quotes, books the quote once, and opens the account to buy into', async () => {
    const quoted = await post('/v1/exchanges/quote', { sell_currency: 'eur', buy_currency: 'USD', amount: 100 });
    expect(quoted.status).toBe(200);
    expectShape(quoted.json, 'ExchangeQuote');
    expect(quoted.json).toMatchObject({
      status: 'active',
      sell_amount_minor: 10_000,
      buy_amount_minor: 11_551,
      rate: '1.155105',
      mid_market_rate: '1.158',
      markup_bps: 25,
      rate_source: 'sandbox',
      exchange: null,
    });
    expect(quoted.text).toContain('"sell_amount":100.00,');
    expect((quoted.json['expires_at'] as number) - (quoted.json['created'] as number)).toBe(1_800);
    expect(await balances()).toEqual({ EUR: 100_000 });

    const booking = { quote: quoted.json['id'] };
    const key = { 'idempotency-key': 'book once' };
    const booked = await post('/v1/exchanges', booking, sandboxKey, key);
    expect(booked.status).toBe(200);
    expectShape(booked.json, 'Exchange');
    expect(booked.json).toMatchObject({ quote: quoted.json['id'], sell_account: eur, rate: '1.155105' });
    expect(await balances()).toEqual({ EUR: 90_000, USD: 11_551 });
    expect((await post('/v1/exchanges', booking, sandboxKey, key)).text).toBe(booked.text);

    const again = await post('/v1/exchanges', booking);
    expect(again.status).toBe(400);
    expect(again.json['error']).toMatchObject({ code: 'quote_already_used', resource_id: booked.json['id'] });
    expect((await get(`/v1/exchange_quotes/${quoted.json['id'] as string}`)).json).toEqual({
      ...quoted.json,
      status: 'used',
      exchange: booked.json['id'],
    });
    expect((await get(`/v1/exchanges/${booked.json['id'] as string}`)).text).toBe(booked.text);
    expect(await balances()).toEqual({ EUR: 90_000, USD: 11_551 });

    const events = dataOf(await get('/v1/events?limit=5&order=desc'));
    expect(events.map((event) => event['type'])).toEqual([
      'exchange.completed',
      'exchange.created',
      'balance.updated',
      'balance.updated',
      'account.created',
    ]);
    expect(events[0]).toMatchObject({ data: { object: booked.json } });
  });

  it('books at the current rate, in form text, with either side fixed', async () => {
    const answer = await fetch(`${base}/v1/exchanges`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'sell_currency=EUR&buy_currency=JPY&amount=10000&fixed_side=buy&metadata[order]=7',
    });
    expect(answer.status).toBe(200);
    const json = (await answer.json()) as Json;
    // 10000 ÷ (178.2 × 0.9975 = 177.7545) = 56.257…
    expect(json).toMatchObject({
      sell_amount_minor: 5_626,
      buy_amount_minor: 10_000,
      buy_amount: 10_000,
      fixed_side: 'buy',
      quote: null,
      metadata: { order: '7' },
    });
    const id = json['id'] as string;
    const updated = await post(`/v1/exchanges/${id}`, { metadata: { order: '', ref: 'x' } });
    expect(updated.json).toEqual({ ...json, metadata: { ref: 'x' } });
    expect((await get(`/v1/exchanges/${id}`)).json).toEqual(updated.json);
  });

  it('a dry run answers and writes nothing', async () => {
    const before = [await balances(), (await get('/v1/exchanges')).text, (await get('/v1/events?limit=1')).text];
    const order = { sell_currency: 'EUR', buy_currency: 'GBP', amount: '10', dry_run: true };
    const dry = await post('/v1/exchanges', order);
    expect(dry.status).toBe(200);
    expectShape(dry.json, 'ExchangeDryRun');
    expect(dry.json).toMatchObject({ dry_run: true, id: null, sell_transfer: null, buy_transfer: null });
    expect([await balances(), (await get('/v1/exchanges')).text, (await get('/v1/events?limit=1')).text]).toEqual(
      before,
    );
    expect(codeOf(await post('/v1/exchanges', { ...order, amount: '100000' }))).toBe('balance_insufficient');
  });

  it('lists exchanges, newest first, by currency and quote', async () => {
    const all = dataOf(await get('/v1/exchanges'));
    expect(all.map((each) => each['buy_currency'])).toEqual(['JPY', 'USD']);
    const by = async (query: string) => dataOf(await get(`/v1/exchanges?${query}`)).map((each) => each['buy_currency']);
    expect(await by('buy_currency=usd')).toEqual(['USD']);
    expect(await by('sell_currency=EUR')).toEqual(['JPY', 'USD']);
    expect(await by('sell_currency=USD')).toEqual([]);
    expect(await by(`quote=${all[1]?.['quote'] as string}`)).toEqual(['USD']);
    expect(codeOf(await get('/v1/exchanges?currency=EUR'))).toBe('parameter_unknown');
  });

  it('two bookings of one quote at once move the money once', async () => {
    const { json } = await post('/v1/exchanges/quote', { sell_currency: 'EUR', buy_currency: 'USD', amount: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/exchanges', { quote: json['id'] })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => codeOf(answer) === 'quote_already_used')).toHaveLength(19);
  });

  it('answers what is wrong with a request', async () => {
    const pair = { sell_currency: 'EUR', buy_currency: 'USD' };
    const refusals: [string, Json, string, string | undefined][] = [
      ['/v1/exchanges', {}, 'parameter_missing', 'sell_currency'],
      ['/v1/exchanges', { sell_currency: 'EUR', amount: 1 }, 'parameter_missing', 'buy_currency'],
      ['/v1/exchanges', pair, 'parameter_missing', 'amount'],
      ['/v1/exchanges', { ...pair, amount: '1.001' }, 'amount_invalid', 'amount'],
      ['/v1/exchanges', { ...pair, amount: 0 }, 'amount_too_small', 'amount'],
      ['/v1/exchanges', { ...pair, amount: 1, fixed_side: 'both' }, 'parameter_invalid', 'fixed_side'],
      ['/v1/exchanges', { ...pair, amount: 1, quote: 'quo_1' }, 'parameter_invalid', 'quote'],
      ['/v1/exchanges/quote', { ...pair, amount: 1, expires_in: 29 }, 'parameter_invalid', 'expires_in'],
      ['/v1/exchanges/quote', { ...pair, amount: 1, expires_in: 86_401 }, 'parameter_invalid', 'expires_in'],
      ['/v1/exchanges/quote', { ...pair, buy_currency: 'EUR', amount: 1 }, 'currency_pair_invalid', 'buy_currency'],
      ['/v1/exchanges/quote', { ...pair, buy_currency: 'EUX', amount: 1 }, 'currency_unsupported', 'buy_currency'],
      ['/v1/exchanges/quote', { ...pair, buy_currency: 'ARS', amount: 1 }, 'rate_unavailable', undefined],
    ];
    for (const [path, body, code, param] of refusals) {
      const { json } = await post(path, body);
      expect([body, (json['error'] as Json)['code'], (json['error'] as Json)['param']]).toEqual([body, code, param]);
    }
    expect((await post('/v1/exchanges/quote', { ...pair, buy_currency: 'ARS', amount: 1 })).status).toBe(503);
    expect((await get('/v1/exchanges/exc_1')).status).toBe(404);
    expect((await get('/v1/exchange_quotes/quo_1')).status).toBe(404);
  });

  it('lists the rates that quotes are made at', async () => {
    const [rate] = dataOf(await get('/v1/rates?sell_currency=EUR&buy_currency=USD'));
    expectShape(rate ?? {}, 'Rate');
    expect(rate).toMatchObject({ id: 'EUR_USD', rate: '1.155105', inverse_rate: '0.8657221638', livemode: false });
    expect(dataOf(await get('/v1/rates')).length).toBeGreaterThan(30);
    expect(dataOf(await get('/v1/rates?sell_currency=EUR&buy_currency=ARS'))).toEqual([]);
  });

  // Last, for the clock never goes back.
  it('lets a quote expire by the environment’s clock', async () => {
    const order = { sell_currency: 'EUR', buy_currency: 'USD', amount: 1, expires_in: 60 };
    const { json } = await post('/v1/exchanges/quote', order);
    const path = `/v1/exchange_quotes/${json['id'] as string}`;
    await post('/v1/test_helpers/clock/advance', { seconds: 50 });
    expect((await get(path)).json['status']).toBe('active');
    await post('/v1/test_helpers/clock/advance', { seconds: 11 });
    expect((await get(path)).json['status']).toBe('expired');
    expect(codeOf(await post('/v1/exchanges', { quote: json['id'] }))).toBe('quote_expired');
  });
});

describe('live', () => {
  it('prices from the file, and sees nothing of the sandbox', async () => {
    const order = { sell_currency: 'EUR', buy_currency: 'USD', amount: 100 };
    const quoted = await post('/v1/exchanges/quote', order, liveKey);
    expect(quoted.json).toMatchObject({
      livemode: true,
      rate: '1.0842',
      rate_source: 'treasury',
      buy_amount_minor: 10_842,
    });
    expect(codeOf(await post('/v1/exchanges', order, liveKey))).toBe('account_missing');
    expect(codeOf(await post('/v1/exchanges/quote', { ...order, buy_currency: 'GBP' }, liveKey))).toBe(
      'rate_unavailable',
    );
    expect(dataOf(await get('/v1/rates', liveKey)).map((rate) => rate['id'])).toEqual(['EUR_USD']);
    expect((await get(`/v1/exchange_quotes/${quoted.json['id'] as string}`)).status).toBe(404);
    expect(codeOf(await post('/v1/exchanges', { quote: quoted.json['id'] }))).toBe('resource_missing');
  });
});
