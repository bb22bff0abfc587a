/** Filters with several values over real HTTP: every filter of every list that takes one value exactly takes several, and finds all of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { newId } from '../../core/values/ids.ts';
import { MAX_NAMED_PAGES } from '../db/wire/page.ts';
import type { Param } from './request/param.ts';
import { listedBy } from './route.ts';
import { readContract } from '../../../test/support/generators/contract.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
  const usd = must(
    await client.post('/v1/recipients', {
      name: 'Grace',
      type: 'individual',
      country: 'US',
      currency: 'USD',
      routing_number: '021000021',
      account_number: '1234567',
    }),
  );
  must(await client.send('DELETE', `/v1/recipients/${usd.json['id'] as string}`, '', {}));
}, 60_000);
afterAll(() => application?.stop());

const ownerOf = (path: string) =>
  path.includes('webhook_endpoints') ? fixtures.we : path.includes('standing_orders') ? fixtures.so : fixtures.acct;

/** Two values or more that a filter takes, of which furniture has some. */
function valuesFor(name: string, { schema }: Param<unknown>): readonly string[] {
  if (schema.enum !== undefined) return schema.enum as readonly string[];
  const prefix = /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1];
  if (prefix !== undefined)
    return [(fixtures as Readonly<Record<string, string>>)[prefix] ?? newId('key'), newId(prefix as 'po')];
  if (name.endsWith('currency')) return ['EUR', 'usd', 'CHF'];
  if (name === 'amount') return ['5', '10.00'];
  if (name === 'country') return ['DE', 'us', 'FR'];
  if (name === 'type') return ['payout.*', 'account.created'];
  return ['worker', 'cli', 'visitor'];
}

/** Rates are no stored objects: the two currencies name what is priced. */
const LISTS = ROUTES.filter((route) => listedBy(route) !== undefined && route.path !== '/v1/rates');
const cases = LISTS.flatMap(({ path, query }) =>
  Object.entries(query?.fields ?? {})
    .filter(([, field]) => field.mostValues !== undefined)
    .map(([name, field]) => ({ path, name, field })),
);

describe('every filter with exact values', () => {
  it('are those with a set of words, a currency, a country or an id, and the type of events', () => {
    const exact = LISTS.flatMap(
      ({ path, query }) =>
        Object.entries(query?.fields ?? {})
          .filter(
            ([name, { schema }]) =>
              !['order', 'starting_after', 'ending_before'].includes(name) &&
              (schema.enum !== undefined || schema.pattern !== undefined),
          )
          .map(([name]) => `${path} ${name}`)
          .filter((each) => each !== '/v1/deliveries event'), // the deliveries of several events would need a merge of their own
    );
    const several = cases.map(({ path, name }) => `${path} ${name}`);
    expect(several).toEqual(expect.arrayContaining(exact));
    expect(several).toContain('/v1/events type');
    expect(several).toContain('/v1/audit_log actor');
    expect(several.length).toBeGreaterThan(25);
  });

  it.each(cases)('$path $name', async ({ path, name, field }) => {
    const address = path.replace(':id', ownerOf(path));
    const idsOf = async (query: string) => {
      const beside = name === 'amount' ? '&currency=EUR' : ''; // an amount is one of a currency
      const { json } = must(await client.get(`${address}?limit=100&${query}${beside}`));
      return (json['data'] as readonly Json[]).map(({ id }) => id as string);
    };
    const values = valuesFor(name, field);
    const singles = await Promise.all(values.map((value) => idsOf(`${name}=${value}`)));
    const union = [...new Set(singles.flat())].toSorted();
    const all = values.map((value) => `${name}[]=${value}`).join('&');
    const found = await idsOf(all);
    expect(found.toSorted()).toEqual(union);
    expect(new Set(found).size).toBe(found.length);
    expect(await idsOf(`${all}&${name}[]=${values[0]}`)).toEqual(found);
    expect(await idsOf(`${name}[]=${values[0]}`)).toEqual(singles[0]);
    expect(await idsOf(values.map((value, index) => `${name}[${index}]=${value}`).join('&'))).toEqual(found);
  });
});

it('finds something with two values that neither has alone, page by page', async () => {
  const query = 'currency[]=EUR&currency[]=USD&status[]=active&status[]=archived&order=asc';
  const whole = must(await client.get(`/v1/recipients?${query}&limit=100`)).json['data'] as readonly Json[];
  expect(new Set(whole.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'USD']));
  const paged: unknown[] = [];
  for (let next: string | undefined = `/v1/recipients?${query}&limit=1`; next !== undefined; ) {
    const { json, headers } = must(await client.get(next));
    paged.push(...(json['data'] as readonly Json[]));
    next = /<[^>]*?(\/v1\/[^>]*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
  }
  expect(paged).toEqual(whole);
});

it('an answer of the cache is of the values that were asked for', async () => {
  const count = async (query: string) => {
    const ask = async () =>
      (must(await client.get(`/v1/payouts?limit=100&${query}`)).json['data'] as readonly Json[]).length;
    const first = await ask();
    expect([await ask(), await ask()]).toEqual([first, first]);
    return first;
  };
  const live = await count('currency[]=EUR&currency[]=USD');
  expect(live).toBeGreaterThan(0);
  expect(await count('currency[]=CHF&currency[]=USD')).toBe(0);
  expect(await count('currency[]=EUR')).toBe(live);
  expect(await count('currency=CHF')).toBe(0);
});

it('more different lists than PostgreSQL keeps plans for are answered all the same', async () => {
  const orders = ['asc', 'desc'];
  const filters = ['', 'currency=EUR&', 'status=paid&', 'status[]=paid&status[]=failed&'];
  const queries = orders.flatMap((order) =>
    filters.flatMap((filter) => Array.from({ length: 75 }, (_, n) => `${filter}order=${order}&limit=${n + 1}`)),
  );
  expect(queries.length).toBeGreaterThan(MAX_NAMED_PAGES);
  const answers = await Promise.all(queries.map((query) => client.get(`/v1/payouts?${query}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const query of queries.slice(-3)) must(await client.get(`/v1/payouts?${query}`));
}, 30_000);

it('a wrong value among right ones is named by its place', async () => {
  const { status, json } = await client.get('/v1/payouts?status[]=paid&status[]=payed');
  expect([status, json['error']]).toMatchObject([400, { code: 'parameter_invalid', param: 'status[1]' }]);
  const stream = await client.get('/v1/events/stream?type[]=payout.*&type[]=nothing.*');
  expect([stream.status, stream.json['error']]).toMatchObject([400, { code: 'parameter_invalid' }]);
});

it('the document names the form of several', async () => {
  const { json } = await client.get('/openapi.json');
  const { operations } = readContract(json);
  const named = (path: string, name: string) =>
    operations
      .find((each) => each.method === 'GET' && each.path === path)
      ?.parameters.find((each) => each.name === name);
  expect(named('/v1/payouts', 'status')).toBeUndefined(); // one name for generators of clients
  expect(named('/v1/payouts', 'status[]')).toMatchObject({
    schema: { type: 'array', items: { enum: expect.arrayContaining(['paid']) } },
    'x-single': 'status',
  });
  expect(named('/v1/payouts', 'external_id[]')).toBeUndefined();
  // Look-ups by one value take one.
  expect(named('/v1/rates', 'sell_currency[]')).toBeUndefined();
  expect(named('/v1/events/stream', 'type[]')).toBeDefined();
});
