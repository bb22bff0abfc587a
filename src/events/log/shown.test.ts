/** A restricted key sees the events whose objects its read scopes show, wherever events are read; the control is a secret key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { openStream } from '../../../test/support/harness/event-stream.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { EVENT_TYPES, isShown } from '../../core/event-types.ts';
import { sequenceOf, uuidOf } from '../../core/values/ids.ts';

let application: Application;
let all: Client;
let fixtures: Fixtures;
/** Sees recipients, and nothing else. */
let narrow: Holder;
const MARK = 'seen-by-few';

beforeAll(async () => {
  application = await startApplication();
  all = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox, MARK);
  narrow = await application.key({ scopes: ['events:read', 'webhook_endpoints:write', 'recipients:read'] });
});
afterAll(() => application?.stop());

/** Every event that `client` can list, oldest first, in pages of `limit`. */
async function whole(client: Client, { query = '', limit = 100 } = {}): Promise<{ events: Json[]; pages: number[] }> {
  const [events, pages]: [Json[], number[]] = [[], []];
  for (let after = '', more = true; more; ) {
    const { json } = must(await client.get(`/v1/events?order=asc&limit=${limit}${query}${after}`));
    const page = json['data'] as readonly Json[];
    events.push(...page);
    pages.push(page.length);
    after = `&starting_after=${events.at(-1)?.['id'] as string}`;
    more = json['has_more'] === true;
  }
  return { events, pages };
}
const ids = (events: readonly Json[]) => events.map(({ id }) => id as string);
const family = ({ type }: Json) => (type as string).split('.')[0] as string;
const BANK = ['bank_accounts', 'statement_files', 'bank_entries', 'payment_files'];
/** The families that the scopes of `narrow` show. */
const NARROW = ['recipient', 'webhook_endpoint', 'ping', 'environment'];
const isNarrow = (event: Json) => NARROW.includes(family(event));

describe('the list', () => {
  it.each([
    [['recipients:read'], ['recipient']],
    [['payouts:write'], ['payout', 'payout_batch']],
    [['accounts:read'], ['account', 'balance', 'daily_statement']],
    [['payments:read'], ['payment', 'expected_payment']],
    [
      ['payment_links:read', 'settings:read'],
      ['payment_link', 'settings'],
    ],
    [
      [...BANK.map((each) => `${each}:read`), 'exchanges:read', 'standing_orders:read'],
      ['bank_account', 'bank_entry', 'bank_statement', 'payment_file', 'exchange', 'standing_order'],
    ],
    [[], []],
  ])('with %s has %s', async (scopes, families) => {
    const { client } = await application.key({ scopes: ['events:read', ...scopes] });
    const { events } = await whole(client);
    const wanted = (await whole(all)).events.filter((event) => families.includes(family(event)));
    expect(events).toEqual(wanted);
    expect([...new Set(events.map(family))].toSorted()).toEqual(families.toSorted());
  });

  it('of a restricted key that may read everything is that of a secret key', async () => {
    const scopes = EVENT_TYPES.filter((type) => !isShown(new Set(), type)).length;
    expect(scopes).toBeGreaterThan(EVENT_TYPES.length / 2); // the control: without a scope nearly nothing is shown
    const reads = ['accounts', 'exchanges', 'payouts', 'standing_orders', 'recipients', 'settings', 'payment_links'];
    const more = ['payments', 'webhook_endpoints', 'events', 'keys', 'fee_rules', 'limits', 'payout_rules', ...BANK];
    const { client } = await application.key({ scopes: [...reads, ...more].map((each) => `${each}:read`) });
    expect(await whole(client)).toEqual(await whole(all));
  });

  it('has full pages, and goes on after a sequence that the key does not see', async () => {
    const everything = (await whole(all)).events;
    const seen = everything.filter(isNarrow);
    expect(seen.length).toBeGreaterThan(4);
    const { events, pages } = await whole(narrow.client, { limit: 2 });
    expect(ids(events)).toEqual(ids(seen));
    expect(pages.slice(0, -1).every((count) => count === 2)).toBe(true);
    const hidden = everything.find((event) => !isNarrow(event))?.['sequence'] as number;
    const after = (await whole(narrow.client, { query: `&after_sequence=${hidden}` })).events;
    expect(ids(after)).toEqual(ids(seen.filter(({ sequence }) => (sequence as number) > hidden)));
  });

  it('filters within what the key sees, and refuses a filter that it sees nothing of', async () => {
    const list = async (query: string) => narrow.client.get(`/v1/events?limit=100&${query}`);
    const types = async (query: string) =>
      [...new Set((must(await list(query)).json['data'] as readonly Json[]).map(family))].toSorted();
    expect(await types('types[]=payout.*&types[]=recipient.*')).toEqual(['recipient']);
    expect(await types('type=*')).toEqual(['recipient', 'webhook_endpoint']);
    expect(await types(`related_object=${fixtures.po}`)).toEqual([]);
    expect(await types(`related_object=${fixtures.rcp}`)).toEqual(['recipient']);
    const refused = await list('type=payout.*');
    expect(outcome(refused)).toBe('403 scope_missing');
    expect(refused.text).toContain('it lacks payouts:read.');
    expect(outcome(await narrow.client.get('/v1/events/stream?types[]=payout.paid'))).toBe('403 scope_missing');
  });

  it('takes no cursor that the key does not see', async () => {
    const hidden = (await whole(all, { query: '&type=payout.created' })).events[0]?.['id'] as string;
    for (const name of ['starting_after', 'ending_before']) {
      expect(outcome(await narrow.client.get(`/v1/events?${name}=${hidden}`))).toBe(`400 resource_missing ${name}`);
      expect(outcome(await all.get(`/v1/events?${name}=${hidden}`))).toBe('200');
    }
  });
});

it('one event: 404 as for an unknown id, to read, resend and replay, where the key does not see it', async () => {
  const { id: we } = must(
    await all.post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/', enabled_events: ['*'] }),
  ).json as { id: string };
  const { events } = await whole(all);
  const [hidden, seen] = [events.find((event) => !isNarrow(event)), events.find(isNarrow)].map(
    (event) => event?.['id'] as string,
  ) as [string, string];
  const unknown = 'evt_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const asked = async ({ client }: Pick<Holder, 'client'>, event: string) => {
    const replies = [
      await client.get(`/v1/events/${event}`),
      await client.post(`/v1/events/${event}/resend`, { webhook_endpoint: we }),
      await client.post(`/v1/webhook_endpoints/${we}/replay`, { event }),
    ];
    return replies.map((reply) => [outcome(reply), (reply.json['error'] as Json | undefined)?.['message']]);
  };
  const known = (text: string) => JSON.parse(text.replaceAll(unknown, hidden)) as unknown;
  expect(await asked(narrow, hidden)).toEqual(known(JSON.stringify(await asked(narrow, unknown))));
  expect((await asked(narrow, hidden)).map(([what]) => what)).toEqual([
    '404 resource_missing id',
    '404 resource_missing id',
    '404 resource_missing event',
  ]);
  const fine = [0, 1, 2].map(() => ['200', undefined]);
  expect(await asked(narrow, seen)).toEqual(fine);
  expect(await asked({ client: all }, hidden)).toEqual(fine);
});

it('a stream has what the list has, and goes on behind what the key sees alone', async () => {
  const stream = await openStream(application.address, narrow.key, '?after_sequence=0');
  const other = await openStream(application.address, application.sandbox.key, '?after_sequence=0');
  try {
    must(await all.post('/v1/accounts', { currency: 'EUR' }));
    must(await all.post(`/v1/recipients/${fixtures.rcp}`, { metadata: { now: 'last' } }));
    const { events } = await whole(all);
    const seen = events.filter(isNarrow);
    const last = seen.at(-1)?.['sequence'] as number;
    expect(await stream.until(({ sequences }) => sequences.includes(last))).toBe(true);
    expect(await other.until(({ sequences }) => sequences.includes(last))).toBe(true);
    expect(stream.sequences).toEqual(seen.map(({ sequence }) => sequence));
    expect(other.sequences).toEqual(events.map(({ sequence }) => sequence));
    const hidden = events.find((event) => !isNarrow(event))?.['id'] as string;
    const from = async (id: string) => {
      const opened = await openStream(application.address, narrow.key, '', { headers: { 'Last-Event-ID': id } });
      opened.cut();
      return opened.status;
    };
    expect([await from(hidden), await from(ids(seen)[0] as string)]).toEqual([400, 200]);
  } finally {
    for (const each of [stream, other]) {
      each.cut();
      await each.closed;
    }
  }
});

it('an event of a type that only an older copy told is shown to whoever sees all types, and to nobody else', async () => {
  const { client: blind } = await application.key({ scopes: ['events:read'] });
  const [event] = must(await all.get('/v1/events?type=bank_entry.*&limit=1')).json['data'] as readonly [Json];
  const path = `/v1/events/${event['id'] as string}`;
  const changed = 'UPDATE events SET type = $3 WHERE environment_id = $1 AND sequence = $2';
  const place = [uuidOf(application.sandbox.environmentId), sequenceOf(event['id'] as string)];
  await application.sql(changed, [...place, 'bank.entry_assigned']);
  const seen = async (client: Client) => [
    outcome(await client.get(path)),
    (await whole(client)).events.some(({ id }) => id === event['id']),
  ];
  expect(await seen(all)).toEqual(['200', true]);
  expect(await seen(blind)).toEqual(['404 resource_missing id', false]);
  expect(await seen(narrow.client)).toEqual(['404 resource_missing id', false]);
  await application.sql(changed, [...place, event['type']]);
});

it('deliveries: what a receiver answered to an event that the key does not see is left out', async () => {
  const attempt = { started_at: 1, duration_ms: 2, outcome: 'status', http_status: 500, response: MARK, error: null };
  const path = `/v1/deliveries?webhook_endpoint=${fixtures.we}`;
  await application.sql('UPDATE deliveries SET attempts = $1 WHERE endpoint_id = $2', [
    JSON.stringify([attempt]),
    uuidOf(fixtures.we),
  ]);
  const { client: blind } = await application.key({ scopes: ['webhook_endpoints:read'] });
  const answers = async (client: Client) => {
    const listed = must(await client.get(path)).json['data'] as readonly Json[];
    const one = must(await client.get(`/v1/deliveries/${fixtures.dlv}`)).json;
    return [...listed, one].flatMap(({ attempts }) => (attempts as readonly Json[]).map(({ response }) => response));
  };
  expect(await answers(all)).toEqual([MARK, MARK]);
  expect(await answers(narrow.client)).toEqual([MARK, MARK]);
  expect(await answers(blind)).toEqual([null, null]);
  // Which type it was is not known any more: nobody but who sees all types may see the answer.
  await application.sql('DELETE FROM events WHERE environment_id = $1 AND sequence = $2', [
    uuidOf(application.sandbox.environmentId),
    sequenceOf(fixtures.dlv),
  ]);
  expect(await answers(narrow.client)).toEqual([null, null]);
  expect(await answers(all)).toEqual([MARK, MARK]);
});

it('a key that is restricted to accounts has neither events nor endpoints', async () => {
  for (const scope of ['events:read', 'webhook_endpoints:read']) {
    const wanted = { name: 'x', accounts: [fixtures.acct], scopes: ['accounts:read', scope] };
    expect(outcome(await all.post('/v1/keys', wanted))).toBe('400 parameter_invalid scopes');
  }
});
