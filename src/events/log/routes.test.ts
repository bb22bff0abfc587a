/** The event log over real HTTP: order, gaps, catching up, filters; grouped by status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { API_VERSION } from '../../core/values/version.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
});
afterAll(() => application?.stop());

const list = async (query = '') => must(await client.get(`/v1/events?${query}`)).json['data'] as readonly Json[];
const sequences = (events: readonly Json[]) => events.map(({ sequence }) => sequence as number);
const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => from + i);

describe('200', () => {
  it('counts from one without a gap, in order of commit, rising in time and id', async () => {
    const events = await list('order=asc&limit=100');
    expect(sequences(events)).toEqual(upTo(events.length));
    expect(events.length).toBeGreaterThan(10);
    const created = events.map((event) => event['created'] as number);
    expect(created).toEqual(created.toSorted((a, b) => a - b));
    const ids = events.map(({ id }) => id as string);
    expect(ids).toEqual(ids.toSorted());
    expect(sequences(await list('limit=3'))).toEqual([events.length, events.length - 1, events.length - 2]);
  });

  it('tells the same bytes of an object that was stored whole, before there were shapes', async () => {
    const [event] = await list('type=payout.created&limit=1');
    const url = `/v1/events/${event?.['id'] as string}`;
    const { text } = must(await client.get(url));
    const object = /"object":(\{"id":"po_.*?"metadata":\{.*?\}\})/.exec(text)?.[1] ?? '';
    const uuid = uuidOf((JSON.parse(object) as { id: string }).id);
    const rows = (set: string) =>
      application.sql(`${set} WHERE object_id = $1 AND type = 'payout.created' RETURNING shape, object`, [uuid]);
    const [{ shape, object: encoded } = {}] = await rows('UPDATE events SET sequence = sequence');
    expect(shape).toBe(45);
    expect(String(encoded).length).toBeLessThan(object.length / 2);
    const whole = `'${object.replaceAll("'", "''")}'`;
    expect(await rows(`UPDATE events SET shape = NULL, object = ${whole}`)).toEqual([{ shape: null, object }]);
    expect(must(await client.get(`${url}?`)).text).toBe(text); // asked in another way, so not given again
    await rows(`UPDATE events SET shape = ${String(shape)}, object = '${String(encoded)}'`);
  });

  it('tells who asked, and carries the object as it was answered', async () => {
    const reply = must(
      await client.post('/v1/accounts', { currency: 'SEK', name: 'Told' }, { idempotencyKey: 'tell me' }),
    );
    const [event] = (await list('limit=1')) as [Json];
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      object: 'event',
      type: 'account.created',
      created: reply.json['created'],
      sequence: expect.any(Number),
      livemode: false,
      api_version: API_VERSION,
      data: { object: reply.json },
      request: { id: reply.headers['request-id'], idempotency_key: 'tell me', actor: application.sandbox.id },
    });
    expect(must(await client.get(`/v1/events/${event['id'] as string}`)).json).toEqual(event);
  });

  it('catches up: after a sequence, oldest first, until there is nothing more', async () => {
    const seen: number[] = [];
    for (;;) {
      const events = await list(`after_sequence=${seen.at(-1) ?? 0}&order=asc&limit=3`);
      if (events.length === 0) break;
      seen.push(...sequences(events));
    }
    const [newest] = (await list('limit=1')) as [Json];
    expect(seen).toEqual(upTo(newest['sequence'] as number));
    idIn(await client.post('/v1/accounts', { currency: 'NOK' }));
    expect(sequences(await list(`after_sequence=${seen.length}&order=asc`))).toEqual([seen.length + 1]);
    const end = seen.length + 1;
    expect(await list(`after_sequence=${end}`)).toEqual([]);
    const beyond = await client.get(`/v1/events?after_sequence=${end + 1}`);
    expect(outcome(beyond)).toBe('400 sequence_unknown after_sequence');
    expect(beyond.text).toContain(`read on after ${end}.`);
  });

  it('pages both ways by ids, also far into the log', async () => {
    const all = await list('limit=100');
    const ids = all.map(({ id }) => id);
    expect((await list(`limit=2&starting_after=${ids[2] as string}`)).map(({ id }) => id)).toEqual(ids.slice(3, 5));
    expect((await list(`limit=2&ending_before=${ids[5] as string}`)).map(({ id }) => id)).toEqual(ids.slice(3, 5));
    const page = must(await client.get('/v1/events?limit=2'));
    expect(page.json['has_more']).toBe(true);
    expect(page.headers['link']).toContain(`starting_after=${ids[1] as string}>; rel="next"`);
  });

  it('filters by type, family, several, object and time', async () => {
    const all = await list('limit=100');
    const of = (test: (event: Json) => boolean) => sequences(all.filter(test));
    expect(sequences(await list('type=payout.created&limit=100'))).toEqual(of(({ type }) => type === 'payout.created'));
    expect(sequences(await list('type=payout.*&limit=100'))).toEqual(
      of(({ type }) => (type as string).startsWith('payout.')),
    );
    expect(sequences(await list('type=*&limit=100'))).toEqual(sequences(all));
    const several = 'types[]=account.*&types[]=exchange.completed&limit=100';
    expect(sequences(await list(several))).toEqual(
      of(({ type }) => /^account\.|^exchange\.completed$/.test(type as string)),
    );
    const about = (event: Json) => ((event['data'] as Json)['object'] as Json)['id'] === fixtures.acct;
    expect(sequences(await list(`related_object=${fixtures.acct}&limit=100`))).toEqual(of(about));
    const both = `related_object=${fixtures.acct}&type=balance.updated&limit=100`;
    expect(sequences(await list(both))).toEqual(of((event) => about(event) && event['type'] === 'balance.updated'));
    const now = Math.floor(Date.now() / 1000);
    expect(sequences(await list(`created[gte]=${now - 3600}&limit=100`))).toEqual(sequences(all));
    expect(await list(`created[lt]=${now - 3600}`)).toEqual([]);
    const [first] = all.toReversed() as [Json];
    const second = first['created'] as number;
    expect(sequences(await list(`created=${second}&limit=100`))).toEqual(of(({ created }) => created === second));
  });

  it('has a type for each thing that happened, and only those that exist', async () => {
    const types = new Set((await list('limit=100')).map(({ type }) => type as string));
    expect([...types].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
    for (const type of [
      'account.created',
      'balance.updated',
      'recipient.created',
      'exchange.created',
      'exchange.completed',
      'payout.created',
      'payout_batch.created',
    ]) {
      expect(types).toContain(type);
    }
    expect([...types].some((type) => type.startsWith('quote'))).toBe(false);
  });

  it('says nothing of what was refused, replayed, tried or changed nothing', async () => {
    const [before] = (await list('limit=1')) as [Json];
    await client.post('/v1/payouts', { amount: 90_000_000, currency: 'EUR', recipient: fixtures.rcp });
    await client.post('/v1/accounts', { currency: 'XXX' });
    await client.post('/v1/payouts', { amount: 5, currency: 'EUR', recipient: fixtures.rcp, dry_run: true });
    await client.post(`/v1/accounts/${fixtures.acct}`, {});
    await client.post('/v1/exchanges/quote', { sell_currency: 'EUR', buy_currency: 'USD', amount: 5 });
    await client.post('/v1/accounts', { currency: 'SEK', name: 'Told' }, { idempotencyKey: 'tell me' });
    expect((await list('limit=1'))[0]).toEqual(before);
  });

  it('counts each environment for itself', async () => {
    const { client: other } = application.otherSandbox;
    must(await other.post('/v1/accounts', { currency: 'EUR' }));
    expect(sequences(must(await other.get('/v1/events')).json['data'] as readonly Json[])).toEqual([1]);
  });
});

describe('400', () => {
  it.each([
    ['type=payout.lost', 'parameter_invalid type'],
    ['type=quote.*', 'parameter_invalid type'],
    ['type=', 'parameter_invalid type'],
    ['types[]=payout.created&types[]=x', 'parameter_invalid types'],
    ['types=payout.created', 'parameter_invalid types'],
    ['related_object=something', 'parameter_invalid related_object'],
    ['after_sequence=-1', 'parameter_invalid after_sequence'],
    ['after_sequence=1.5', 'parameter_invalid after_sequence'],
    ['created[gte]=yesterday', 'parameter_invalid created[gte]'],
    ['created[gt]=1&created[gte]=1', 'parameter_conflict created[gt]'],
    ['sequence=5', 'parameter_unknown sequence'],
  ])('%s', async (query, what) => expect(outcome(await client.get(`/v1/events?${query}`))).toBe(`400 ${what}`));
});

describe('401, 403, 404, 405', () => {
  it('keys, ids and methods that may not', async () => {
    expect(outcome(await client.send('GET', '/v1/events', '', { authorization: '' }))).toBe('401 api_key_invalid');
    const other = await application.key({ scopes: ['accounts:read'] });
    expect(outcome(await other.client.get('/v1/events'))).toBe('403 scope_missing');
    expect(outcome(await client.get('/v1/events/evt_01jd3v9q4ne8v8k3w2m6r5t7xa'))).toBe('404 resource_missing id');
    expect(outcome(await client.get(`/v1/events/${fixtures.po}`))).toBe('404 resource_missing id');
    // An event's id carries its sequence; the rest of the id must be right as well.
    const forged = `evt_7zzzzzzzzzzzzzzzz${fixtures.evt.slice(-9)}`;
    expect(outcome(await client.get(`/v1/events/${forged}`))).toBe('404 resource_missing id');
    expect(outcome(await client.post('/v1/events', {}))).toBe('405 method_not_allowed');
  });
});
