/** Balances at an instant over real HTTP: equal to what the account had then, whoever asks, and never of the future. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { rewriteStatements } from '../../../test/support/faults/rewrite.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
let rewrite = (text: string): string => text;
let asTheyAre: () => void;

/** What was seen, second by second of the sandbox's clock. */
const seen: { readonly at: number; readonly balances: Readonly<Record<string, number>> }[] = [];
const get = async (path: string): Promise<Json> => must(await client.get(path)).json;
const advance = async (seconds: number): Promise<number> =>
  must(await client.post('/v1/test_helpers/clock/advance', { seconds })).json['now'] as number;
const balancesIn = (json: Json, list = 'accounts', key = 'account') =>
  Object.fromEntries((json[list] as readonly Json[]).map((each) => [each[key], each['balance']]));
let now: number;

beforeAll(async () => {
  asTheyAre = rewriteStatements((statement) =>
    statement.text === undefined ? statement : { ...statement, text: rewrite(statement.text) },
  );
  application = await startApplication();
  client = application.sandbox.client;
  const accounts: string[] = [];
  for (let n = 0; n < 12; n++) {
    if (n % 3 === 0) accounts.push(idIn(await client.post('/v1/accounts', { currency: n === 9 ? 'USD' : 'EUR' })));
    const [first, last] = [accounts[0] as string, accounts.at(-1) as string];
    must(await client.post(`/v1/test_helpers/accounts/${last}/fund`, { amount: 10 + n }));
    if (n > 3 && n < 9) must(await client.post('/v1/transfers', { from: last, to: first, amount: n }));
    const listed = (await get('/v1/accounts'))['data'] as readonly Json[];
    const at = await advance(50);
    seen.push({ at: at - 5, balances: Object.fromEntries(listed.map(({ id, balance }) => [id, balance as number])) });
    now = await advance(50_000);
  }
});
afterAll(async () => {
  asTheyAre?.();
  await application?.stop();
});

/** Which of the balances seen were said otherwise later. */
async function forgotten(): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const { at, balances } of seen) {
    const said = balancesIn(await get(`/v1/balances?at=${at}`));
    if (
      JSON.stringify(said, Object.keys(said).toSorted()) !== JSON.stringify(balances, Object.keys(balances).toSorted())
    )
      wrong.push({ at, said, balances });
  }
  return wrong;
}

describe('at an instant', () => {
  it('all balances are what they were, without accounts of later', async () => {
    expect(await forgotten()).toEqual([]);
    expect(new Set(seen.map(({ balances }) => Object.keys(balances).length))).toEqual(new Set([1, 2, 3, 4]));
  });

  it('control: with one side of the ledger left out, or with the oldest transfer for the last, this is found', async () => {
    rewrite = (text) => text.replace('t.debit_balance_after IS NOT NULL\n      AND t.id < $2', 'false AND t.id < $2');
    expect((await forgotten()).length).toBeGreaterThan(0);
    rewrite = (text) => text.replace('ORDER BY s.id DESC', 'ORDER BY s.id ASC');
    expect((await forgotten()).length).toBeGreaterThan(0);
    rewrite = (text) => text;
    expect(await forgotten()).toEqual([]);
  });

  it('one account says the same; one that did not exist yet is not found', async () => {
    const [first, last] = [seen[0], seen.at(-1)] as [(typeof seen)[number], (typeof seen)[number]];
    for (const { at, balances } of seen)
      for (const [id, balance] of Object.entries(balances))
        expect(await get(`/v1/accounts/${id}?at=${at}`)).toMatchObject({ id, object: 'account', balance });
    const later = Object.keys(last.balances).find((id) => !(id in first.balances)) as string;
    expect(outcome(await client.get(`/v1/accounts/${later}?at=${first.at}`))).toBe('404 resource_missing id');
  });

  it('a day is its end, an ISO instant its second', async () => {
    const { at } = seen[5] as (typeof seen)[number];
    const iso = new Date(at * 1000).toISOString();
    expect(await get(`/v1/balances?at=${iso.slice(0, 19)}Z`)).toEqual(await get(`/v1/balances?at=${at}`));
    const day = iso.slice(0, 10);
    const end = Date.parse(`${day}T23:59:59Z`) / 1000;
    expect(await get(`/v1/balances?at=${day}`)).toEqual(await get(`/v1/balances?at=${end}`));
  });

  it('the future is refused by the clock of the environment; today is now', async () => {
    expect(outcome(await client.get(`/v1/balances?at=${now + 100}`))).toBe('400 parameter_invalid at');
    expect(outcome(await client.get(`/v1/balances?at=${now}`))).toBe('200');
    expect(outcome(await application.live.client.get(`/v1/balances?at=${now}`))).toBe('400 parameter_invalid at');
    const today = new Date(now * 1000).toISOString().slice(0, 10);
    expect(balancesIn(await get(`/v1/balances?at=${today}`))).toEqual(balancesIn(await get('/v1/balances')));
    for (const at of ['', 'now', '1.5', '2026-13-01', '-4'])
      expect(outcome(await client.get(`/v1/balances?at=${at}`))).toBe('400 parameter_invalid at');
  });
});

describe('now', () => {
  it('sums by currency', async () => {
    const json = await get('/v1/balances');
    const { balances } = seen.at(-1) as (typeof seen)[number];
    expect(balancesIn(json)).toEqual(balances);
    const sums = balancesIn(json, 'currencies', 'currency');
    expect(Object.keys(sums)).toEqual(['EUR', 'USD']);
    expect(Object.values(sums).reduce((sum: number, each) => sum + (each as number), 0)).toBe(
      Object.values(balances).reduce((sum, each) => sum + each, 0),
    );
    expect(Object.keys(balancesIn(await get('/v1/balances?currency=usd'), 'currencies', 'currency'))).toEqual(['USD']);
  });

  it('a key of some accounts sees these only, of another merchant nothing', async () => {
    const [own, other] = Object.keys(seen.at(-1)?.balances ?? {}) as [string, string];
    const { client: narrow } = await application.key({ scopes: ['accounts:read'], accounts: [own] });
    const { at } = seen.at(-1) as (typeof seen)[number];
    for (const query of ['', `?at=${at}`])
      expect(Object.keys(balancesIn(must(await narrow.get(`/v1/balances${query}`)).json))).toEqual([own]);
    expect(outcome(await narrow.get(`/v1/accounts/${other}?at=${at}`))).toBe('404 resource_missing id');
    expect(outcome(await narrow.get(`/v1/accounts/${other}/statement`))).toBe('404 resource_missing id');
    expect(balancesIn(must(await application.otherSandbox.client.get('/v1/balances')).json)).toEqual({});
  });
});
