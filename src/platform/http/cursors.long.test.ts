/** Cursors that are none, for every list over real HTTP: an empty page must never stand for a mistake in an id. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { newId, type Prefix } from '../../core/values/ids.ts';
import { listedBy } from './route.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;
let others: Fixtures;
let otherClient: Client;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  otherClient = application.otherSandbox.client;
  fixtures = await furnish(application, application.sandbox);
  others = await furnish(application, application.otherSandbox);
});
afterAll(() => application?.stop());

const ownerOf = (path: string, of: Fixtures) =>
  path.includes('webhook_endpoints') ? of.we : path.includes('standing_orders') ? of.so : of.acct;
const lists = ROUTES.filter(
  (route) => listedBy(route) !== undefined && route.query?.fields['starting_after'] !== undefined,
);
const prefixOf = (pattern: string | undefined) => /^\^([a-z]+)_/.exec(pattern ?? '')?.[1] as Prefix;
const idsIn = async (of: Client, address: string) =>
  (must(await of.get(address)).json['data'] as readonly Json[]).map(({ id }) => id as string);

describe('every list', () => {
  it.each(lists.map((route) => [route.path, route] as const))('%s', async (path, route) => {
    const address = path.replace(':id', ownerOf(path, fixtures));
    const prefix = prefixOf(route.query?.fields['starting_after']?.schema.pattern);
    const ids = await idsIn(client, `${address}?limit=100`);
    const strangers = await idsIn(otherClient, `${path.replace(':id', ownerOf(path, others))}?limit=100&order=asc`);
    // Above and below everything there is: with the newest bits, a whole page would follow it.
    const unknown = [newId(prefix), `${prefix}_${'0'.repeat(26)}`, `${prefix}_7${'z'.repeat(25)}`, ...strangers];
    for (const id of unknown.filter((each) => !ids.includes(each))) {
      for (const name of ['starting_after', 'ending_before']) {
        for (const order of ['asc', 'desc']) {
          const reply = await client.get(`${address}?${name}=${id}&order=${order}`);
          expect(outcome(reply), `${name}=${id} ${order}`).toBe(`400 resource_missing ${name}`);
        }
      }
      const csv = await client.send('GET', `${address}?starting_after=${id}`, '', { accept: 'text/csv' });
      expect(outcome(csv)).toBe('400 resource_missing starting_after');
    }
    // The ends of a list are empty pages, and no mistakes.
    for (const id of ids) {
      const [after, before] = await Promise.all(
        ['starting_after', 'ending_before'].map((name) => idsIn(client, `${address}?limit=100&${name}=${id}`)),
      );
      expect([...(before ?? []), id, ...(after ?? [])]).toEqual(ids);
    }
    // A list that has rows was looked at, but for replays and runs, of which there may be one or none.
    if (!/replays|runs/.test(path)) expect(ids.length).toBeGreaterThan(0);
    if (!/replays|runs/.test(path)) expect(strangers.length).toBeGreaterThan(0);
  });
});

it('a row that a filter leaves out is a cursor still', async () => {
  const [account] = await idsIn(client, '/v1/accounts?limit=1');
  expect(await idsIn(client, `/v1/accounts?status=closed&starting_after=${account}`)).toEqual([]);
  expect(await idsIn(client, `/v1/payouts?currency=CHF&ending_before=${fixtures.po}`)).toEqual([]);
  const deleted = must(await client.post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/deleted' })).json[
    'id'
  ];
  must(await client.write('DELETE', `/v1/webhook_endpoints/${deleted as string}`, ''));
  expect(await idsIn(client, `/v1/webhook_endpoints?starting_after=${deleted as string}`)).toContain(fixtures.we);
});

it('an event of another environment is none, though its sequence is known here', async () => {
  const here = await idsIn(client, '/v1/events?limit=5&order=asc');
  const there = await idsIn(otherClient, '/v1/events?limit=5&order=asc');
  for (const id of there) {
    expect(here).not.toContain(id);
    expect(outcome(await client.get(`/v1/events?order=asc&starting_after=${id}`))).toBe(
      '400 resource_missing starting_after',
    );
  }
});

it('a key restricted to accounts learns nothing of others from a cursor', async () => {
  const restricted = await application.key({ accounts: [fixtures.otherAccount] });
  const all = await idsIn(client, '/v1/transfers?limit=100');
  const seen = await idsIn(restricted.client, '/v1/transfers?limit=100');
  const hidden = all.filter((id) => !seen.includes(id));
  expect([seen.length > 0, hidden.length > 0]).toEqual([true, true]);
  for (const id of hidden) {
    expect(outcome(await restricted.client.get(`/v1/transfers?starting_after=${id}`))).toBe(
      '400 resource_missing starting_after',
    );
  }
  for (const id of seen) must(await restricted.client.get(`/v1/transfers?starting_after=${id}`));
});

it('a page that was erased or reset is said to be gone', async () => {
  const { client: fresh } = application.otherSandbox;
  const [account] = await idsIn(fresh, '/v1/accounts?limit=1');
  must(await fresh.post('/v1/test_helpers/reset'));
  expect(outcome(await fresh.get(`/v1/accounts?starting_after=${account}`))).toBe(
    '400 resource_missing starting_after',
  );
});
