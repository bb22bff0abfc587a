/** Transfers and statements over real HTTP, grouped by status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';

const UNKNOWN = 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa';
const NOBODY = 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa';

let application: Application;
let client: Client;
let fixtures: Fixtures;
let from: string;
let to: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
  [from, to] = [fixtures.acct, fixtures.otherAccount];
});
afterAll(() => application?.stop());

const move = (body: object, options = {}) => client.post('/v1/transfers', { from, to, amount: 5, ...body }, options);
const listed = async (path: string) => must(await client.get(path)).json['data'] as readonly Json[];
const balanceOf = async (id: string) => must(await client.get(`/v1/accounts/${id}`)).json['balance'] as number;

describe('200', () => {
  it('moves money at once, both balances and two events', async () => {
    const [before, beforeTo] = [await balanceOf(from), await balanceOf(to)];
    const { json, text } = must(await move({ amount: '25.5', description: 'Rent', metadata: { a: 'b' } }));
    expect(json).toEqual({
      id: expect.stringMatching(/^trf_[0-9a-z]{26}$/),
      object: 'transfer',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      from,
      to,
      amount: 25.5,
      amount_minor: 2_550,
      currency: 'EUR',
      cause: 'transfer',
      cause_id: null,
      description: 'Rent',
      created_by: application.sandbox.id,
      metadata: { a: 'b' },
    });
    expect(text).toContain('"amount":25.50,');
    expect([await balanceOf(from), await balanceOf(to)]).toEqual([before - 2_550, beforeTo + 2_550]);
    expect(must(await client.get(`/v1/transfers/${json['id'] as string}`)).text).toBe(text);
    const events = await listed('/v1/events?limit=2');
    expect(events.map(({ type, data }) => [type, (data as Json)['transfer']])).toEqual(
      [0, 1].map(() => ['balance.updated', json['id']]),
    );
  });

  it('lists every movement, by cause and currency', async () => {
    const all = await listed('/v1/transfers?limit=100');
    const causes = new Set(all.map(({ cause }) => cause));
    for (const cause of ['funding', 'transfer', 'exchange', 'payout']) {
      expect(causes).toContain(cause);
      const some = await listed(`/v1/transfers?cause=${cause}&limit=100`);
      expect(some.length).toBe(all.filter((each) => each['cause'] === cause).length);
    }
    expect((await listed('/v1/transfers?currency=usd')).every(({ currency }) => currency === 'USD')).toBe(true);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id as string)
        .toSorted()
        .toReversed(),
    );
    const [exchange] = await listed('/v1/transfers?cause=exchange&currency=EUR');
    expect(exchange).toMatchObject({ from, to: 'house:fx', cause_id: fixtures.exc });
  });

  it('shows one account its statement: signed, with the balance after each, oldest to newest adding up', async () => {
    const lines = await listed(`/v1/accounts/${from}/transfers?order=asc&limit=100`);
    let balance = 0;
    for (const line of lines) {
      balance += line['amount_minor'] as number;
      expect(line).toMatchObject({ account: from, balance_after: balance });
      expect(line['counterparty']).not.toBe(from);
    }
    expect(balance).toBe(await balanceOf(from));
    expect(lines.some(({ amount_minor: minor }) => (minor as number) < 0)).toBe(true);
    const paged: unknown[] = [];
    for (let query = 'limit=2'; ; query = `limit=2&starting_after=${paged.at(-1) as string}`) {
      const page = must(await client.get(`/v1/accounts/${from}/transfers?${query}`)).json;
      paged.push(...(page['data'] as readonly Json[]).map(({ id }) => id));
      if (page['has_more'] !== true) break;
    }
    expect(paged).toEqual(lines.map(({ id }) => id).toReversed());
    expect((await listed(`/v1/accounts/${from}/transfers?cause=payout`)).every(({ cause }) => cause === 'payout')).toBe(
      true,
    );
  });

  it('replays under a key, whatever the form', async () => {
    const options = { idempotencyKey: 'move once' };
    const first = await move({ amount: '1.0' }, options);
    const again = await client.post('/v1/transfers', { from, to, amount: 1 }, { ...options, form: true });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });
});

describe('400', () => {
  it.each<[string, () => object]>([
    ['400 parameter_missing from', () => ({ from: undefined })],
    ['400 parameter_missing amount', () => ({ amount: undefined })],
    ['400 parameter_invalid to', () => ({ to: 'acct_x' })],
    ['400 amount_invalid amount', () => ({ amount: '5.001' })],
    ['400 amount_too_small amount', () => ({ amount: '0.00' })],
    ['400 amount_too_large amount', () => ({ amount: '99999999999999.99' })],
    ['400 account_same to', () => ({ to: from })],
    ['400 text_too_long description', () => ({ description: 'x'.repeat(141) })],
    ['400 card_number_refused description', () => ({ description: '4111 1111 1111 1111' })],
    ['400 parameter_unknown currency', () => ({ currency: 'EUR' })],
  ])('%s', async (what, change) => {
    const before = await balanceOf(from);
    expect(outcome(await move(change()))).toBe(what);
    expect(await balanceOf(from)).toBe(before);
  });

  it('accounts that cannot: empty, closed, of another currency, full', async () => {
    const short = await move({ amount: '5000000' });
    expect(outcome(short)).toMatch(/^400 balance_insufficient/);
    expect(short.json['error']).toMatchObject({ available_minor: await balanceOf(from) });
    const usd = idIn(await client.post('/v1/accounts', { currency: 'USD' }));
    expect(outcome(await move({ to: usd }))).toBe('400 account_currency_mismatch to');
    const closed = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await client.post(`/v1/accounts/${closed}/close`));
    expect(outcome(await move({ to: closed }))).toBe('400 account_closed to');
    expect(outcome(await move({ from: closed }))).toBe('400 account_closed from');
  });

  it('filters that are not', async () => {
    expect(outcome(await client.get('/v1/transfers?cause=gift'))).toBe('400 parameter_invalid cause');
    expect(outcome(await client.get('/v1/transfers?currency=XXX'))).toBe('400 currency_unsupported currency');
    expect(outcome(await client.get('/v1/transfers?account=x'))).toBe('400 parameter_unknown account');
  });
});

describe('401, 403, 404, 405', () => {
  it('keys that may not', async () => {
    expect(outcome(await client.send('GET', '/v1/transfers', '', { authorization: 'Bearer x' }))).toBe(
      '401 api_key_invalid',
    );
    const reader = await application.key({ scopes: ['transfers:read'] });
    expect(outcome(await reader.client.get('/v1/transfers'))).toBe('200');
    expect(outcome(await reader.client.post('/v1/transfers', { from, to, amount: 5 }))).toBe('403 scope_missing');
    expect(outcome(await reader.client.get(`/v1/accounts/${from}/transfers`))).toBe('403 scope_missing');
  });

  it('what does not exist', async () => {
    expect(outcome(await client.get(`/v1/transfers/${UNKNOWN}`))).toBe('404 resource_missing id');
    expect(outcome(await client.get(`/v1/accounts/${NOBODY}/transfers`))).toBe('404 resource_missing id');
    expect(outcome(await move({ from: NOBODY }))).toBe('404 resource_missing from');
    expect(outcome(await move({ to: NOBODY }))).toBe('404 resource_missing to');
  });

  it('a transfer is never changed or deleted', async () => {
    for (const method of ['POST', 'DELETE', 'PATCH', 'PUT']) {
      expect(outcome(await client.send(method, `/v1/transfers/${fixtures.trf}`, '', {}))).toBe(
        '405 method_not_allowed',
      );
    }
  });
});
