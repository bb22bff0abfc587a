/** The client against the real service: operations, pages, refusals, and retries over answers that get lost. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { type Bursar, BursarError, ConnectionError, createClient, toMinor } from '../src/bursar.ts';

let app: Application;
let bursar: Bursar;
let recipient: string;
let account: string;

const withFetch = (fetch: typeof globalThis.fetch) =>
  createClient({ url: app.address, apiKey: app.sandbox.key, fetch });

beforeAll(async () => {
  app = await startApplication();
  bursar = createClient({ url: `${app.address}/`, apiKey: app.sandbox.key });
  const iban = 'DE89370400440532013000';
  const details = { currency: 'EUR', country: 'DE', bank_details: { iban } };
  recipient = (await bursar.recipients.create({ name: 'Grace Hopper', type: 'individual', ...details })).id;
  account = (await bursar.accounts.create({ currency: 'EUR' })).id;
  await bursar.testHelpers.accounts.fund(account, { amount: '100000.00' });
});
afterAll(() => app.stop());

const pay = (client: Bursar, amount: `${number}` = '0.10') =>
  client.payouts.create({ amount, currency: 'EUR', recipient });
const balance = async () => (await bursar.accounts.retrieve(account)).balance;

it('takes amounts as text and gives them as text', async () => {
  const payout = await pay(bursar, '250.00');
  expect(payout).toMatchObject({ amount: '250.00', amount_minor: 25_000, currency: 'EUR' });
  expect(toMinor(payout.amount, 'EUR')).toBe(25_000n);
  expect(await bursar.payouts.cancel(payout.id)).toMatchObject({ status: 'canceled' });
});

it('tells a dry run from a payout', async () => {
  const before = await balance();
  const planned = await bursar.payouts.create({ amount: '5', currency: 'EUR', recipient, dry_run: true });
  expect([planned.id, await balance()]).toEqual([null, before]);
});

it('reads lists whole, page by page, and with filters', async () => {
  for (let count = 0; count < 5; count += 1) await pay(bursar);
  const read: string[] = [];
  for await (const { id } of bursar.payouts.list({ limit: 2, status: ['pending', 'canceled'] })) read.push(id);
  expect([read.length, new Set(read).size]).toEqual([6, 6]);
  const first = await bursar.payouts.list({ limit: 4 }).page();
  expect([first.data.length, first.hasMore]).toEqual([4, true]);
  const second = await first.next();
  expect([second?.data.length, second?.hasMore, await second?.next()]).toEqual([2, false, null]);
  expect([...first.data, ...(second?.data ?? [])].map(({ id }) => id)).toEqual(read);
  const lines: number[] = [];
  for await (const line of bursar.accounts.listTransfers(account, { limit: 3 })) lines.push(line.amount_minor);
  expect(lines).toHaveLength(8); // objects without an id of their own
});

it('sends a file, and what is said of it', async () => {
  const xml = '<?xml version="1.0" encoding="x-bank"?><Document><a>\u00fc</a></Document>';
  await expect(bursar.statementFiles.import(xml)).rejects.toMatchObject({ code: 'statement_file_invalid' });
  await expect(bursar.statementFiles.import(xml)).rejects.toThrow('encoding that is not read');
  await expect(bursar.statementFiles.import(xml, { encoding: 'utf-8' })).rejects.toThrow('This is another message');
  const wrong = bursar.statementFiles.import(xml, { encoding: 'x-bank' as 'utf-8' });
  await expect(wrong).rejects.toMatchObject({ code: 'parameter_invalid', param: 'encoding' });
});

it('reads lists that come in one answer, and downloads with filters', async () => {
  for await (const { currency } of bursar.limits.list({}, { timeout: 5_000 })) expect(currency).toBe('EUR');
  const rates: string[] = [];
  for await (const { buy_currency: to } of bursar.rates.list({ sell_currency: 'EUR' })) rates.push(to);
  expect(rates).toContain('USD');
  const wrong = bursar.expectedPayments.code('xp_01jd3v9q4ne8v8k3w2m6r5t7xa', { format: 'gif' as 'png' });
  await expect(wrong).rejects.toMatchObject({ param: 'format' });
});

it('refuses with the code, and with all faults', async () => {
  const poor = pay(bursar, '99999999.00');
  await expect(poor).rejects.toBeInstanceOf(BursarError);
  const error = await poor.catch((fault: unknown) => fault);
  if (!BursarError.is(error, 'balance_insufficient')) throw error;
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: 'balance_insufficient' });
  expect(error.detail.available_minor).toBe(await balance());
  expect(error.requestId).toMatch(/^req_/);
  expect(BursarError.is(error, 'recipient_archived')).toBe(false);
  const many = { amount: '1' as const, currency: 'EU', recipient: 'rcp_x', reference: '' };
  const faults = await bursar.payouts
    .create(many)
    .catch((fault: BursarError) => fault.errors.map(({ param }) => param));
  expect(faults).toEqual(expect.arrayContaining(['currency', 'recipient']));
});

it('asks for what is not JSON', async () => {
  const csv = await bursar.request('GET', '/v1/payouts?limit=1', { headers: { Accept: 'text/csv' } });
  expect((await csv.text()).split('\n')[0]).toContain('amount');
  await expect(bursar.request('GET', '/v1/nothing')).rejects.toMatchObject({ status: 404 });
});

describe('retries', () => {
  it('pay once although the answer was lost twice', async () => {
    const keys: (string | null)[] = [];
    const losing: typeof fetch = async (input, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'));
      const response = await fetch(input, init);
      if (keys.length <= 2) throw new TypeError('fetch failed');
      return response;
    };
    const before = await balance();
    await pay(withFetch(losing), '0.01');
    expect(await balance()).toBe(before - 1);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it('control: with a key for each try it would be paid three times', async () => {
    let calls = 0;
    const careless: typeof fetch = async (input, init) => {
      calls += 1;
      const headers = new Headers(init?.headers);
      headers.set('Idempotency-Key', `careless-${calls}`);
      const response = await fetch(input, { ...init, headers });
      if (calls <= 2) throw new TypeError('fetch failed');
      return response;
    };
    const before = await balance();
    await pay(withFetch(careless), '0.01');
    expect(await balance()).toBe(before - 3);
  });

  const answering = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) => {
    const tries: unknown[] = [];
    const client = withFetch(async (input, init) => {
      tries.push(input);
      const error = { type: 'api_error', code, message: code, doc_url: '', request_id: 'req_1' };
      return tries.length === 1 ? Response.json({ error }, { status, headers }) : fetch(input, init);
    });
    return { client, tries };
  };

  it.concurrent.each([
    [409, 'idempotency_key_in_use'],
    [500, 'internal_error'],
    [503, 'database_unavailable'],
  ])('after %i %s', async (status, code) => {
    const { client, tries } = answering(status, code);
    await client.accounts.list().page();
    expect(tries).toHaveLength(2);
  });

  it('after 429, when the server says so', async () => {
    const { client, tries } = answering(429, 'rate_limited', { 'Retry-After': '1' });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await client.accounts.list().page();
    expect(tries).toHaveLength(2);
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1_000);
    timers.mockRestore();
  });

  it.concurrent('not after a refusal', async () => {
    const { client, tries } = answering(400, 'parameter_invalid');
    await expect(client.accounts.list().page()).rejects.toMatchObject({ code: 'parameter_invalid' });
    expect(tries).toHaveLength(1);
  });

  it.concurrent('not for ever, and the error says how to go on', async () => {
    let tries = 0;
    const client = withFetch(async () => {
      tries += 1;
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    });
    const gone = client.payouts.create(
      { amount: '1', currency: 'EUR', recipient },
      { maxRetries: 1, idempotencyKey: 'k' },
    );
    await expect(gone).rejects.toThrow(/ECONNREFUSED/);
    await expect(gone).rejects.toMatchObject({ name: 'ConnectionError', status: 0, idempotencyKey: 'k' });
    expect(tries).toBe(2);
  });

  it.concurrent('a proxy’s page is no answer of Bursar', async () => {
    const client = withFetch(async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const broken = client.accounts.list({}, { maxRetries: 1 }).page();
    await expect(broken).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe('time-outs and signals', () => {
  const silent: typeof fetch = (_input, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });

  it('a try ends in time', async () => {
    const waiting = withFetch(silent).payouts.retrieve('po_1', {}, { timeout: 50, maxRetries: 0 });
    await expect(waiting).rejects.toThrow('nothing came within 50 ms');
  });

  it('a signal ends a call with its reason, also between two tries', async () => {
    const reason = new Error('the user went away');
    const waiting = new AbortController();
    const call = withFetch(silent).accounts.list({}, { signal: waiting.signal }).page();
    setTimeout(() => waiting.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
    const between = new AbortController();
    const failing = withFetch(() => Promise.reject(new TypeError('fetch failed')));
    // No pause between two tries ends by itself.
    const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never);
    const isPausing = () => timers.mock.calls.some(([, ms = 0]) => ms >= 250 && ms <= 500);
    const paused = failing.balances.retrieve({}, { signal: between.signal });
    while (!isPausing()) await turn();
    timers.mockRestore();
    between.abort(reason);
    await expect(paused).rejects.toBe(reason);
  });
});
