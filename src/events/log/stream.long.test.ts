/**
 * Live events over real HTTP, grouped by status; what ends a stream, and what keeps it bounded. When a comment is sent: `stream.test.ts`.
 * Gaps: `test/soak/stream-gaps.test.ts`. How soon events arrive and streams end: `test/long/live-pages.test.ts`.
 */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Application,
  type Holder,
  SERVER_SECRET,
  startApplication,
} from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { EventStream, openStream, type StreamOptions } from '../../../test/support/harness/event-stream.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { startServer } from '../../../test/support/harness/server-process.ts';

const PLACES = 4;
const HEARTBEAT_MS = 400;
const STALL_MS = 600;

let application: Application;
let client: Client;
let fixtures: Fixtures;
const logged: Json[] = [];
const opened: EventStream[] = [];

beforeAll(async () => {
  const lines = new Writable({
    write(chunk: Buffer, _, done) {
      for (const line of chunk.toString().trim().split('\n')) logged.push(JSON.parse(line) as Json);
      done();
    },
  });
  const config = { streamsPerEnvironment: PLACES, streamHeartbeatMs: HEARTBEAT_MS, streamStallMs: STALL_MS };
  application = await startApplication({ config, log: pino({ level: 'info' }, lines) });
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
});
afterEach(async () => {
  for (const stream of opened.splice(0)) {
    stream.cut();
    await stream.closed;
  }
  await openPlaces(0);
});
afterAll(() => application?.stop());

async function open(query = '', options: StreamOptions & { readonly holder?: Holder } = {}): Promise<EventStream> {
  const stream = await openStream(application.address, (options.holder ?? application.sandbox).key, query, options);
  opened.push(stream);
  return stream;
}

/** Waits until the server has that many streams open, as GET /metrics tells it. */
async function openPlaces(count: number): Promise<void> {
  let shown: string | undefined;
  const isSo = async () => {
    const metrics = (await client.get('/metrics')).text;
    [, shown = '0'] = /^bursar_http_streams_open\{[^}]*\/v1\/events\/stream[^}]*\} (\d+)$/m.exec(metrics) ?? [];
    return Number(shown) === count;
  };
  await eventually(`${count} streams are open`, isSo, { seen: () => shown });
}

const list = async (query = '') =>
  must(await client.get(`/v1/events?order=asc&limit=100&${query}`)).json['data'] as readonly Json[];
const newest = async () =>
  (must(await client.get('/v1/events?limit=1')).json['data'] as [Json])[0]['sequence'] as number;
const writeOne = async () => idIn(await client.post('/v1/accounts', { currency: 'NOK' }));
const upTo = (sequence: number) => (stream: EventStream) => (stream.sequences.at(-1) ?? 0) >= sequence;

describe('200', () => {
  it('says what it is, and begins now', async () => {
    const stream = await open();
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'request-id': expect.stringMatching(/^req_/) as string,
    });
    const before = await newest();
    const account = await writeOne();
    expect(await stream.until(upTo(before + 1))).toBe(true);
    expect(stream.retryMs).toBe(1000);
    const [event] = stream.events as [(typeof stream.events)[number]];
    expect(stream.sequences).toEqual([before + 1]);
    expect(event).toMatchObject({ type: 'account.created', id: event.json['id'] });
    expect((event.json['data'] as { object: Json }).object['id']).toBe(account);
    expect(event.text).toBe((await client.get(`/v1/events/${event.id}`)).text);
  });

  it('goes on behind after_sequence, over many pages, then lives on', async () => {
    const items = Array.from({ length: 120 }, () => ({ amount: '1', currency: 'EUR', recipient: fixtures.rcp }));
    must(await client.post('/v1/payouts/batch', { payouts: items }));
    const last = await newest();
    expect(last).toBeGreaterThan(250);
    const stream = await open('?after_sequence=0');
    expect(await stream.until(upTo(last))).toBe(true);
    expect(stream.sequences).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    await writeOne();
    expect(await stream.until(upTo(last + 1))).toBe(true);
  });

  it('goes on behind Last-Event-ID, an id or a sequence, which wins over the query', async () => {
    const events = await list();
    const [, second, third] = events as [Json, Json, Json];
    for (const lastEventId of [second['id'] as string, '2']) {
      const stream = await open('?after_sequence=1', { headers: { 'last-event-id': lastEventId } });
      expect(await stream.until(({ events: seen }) => seen.length > 0)).toBe(true);
      expect(stream.events[0]?.json).toEqual(third);
    }
  });

  it('shows only what is about one object, and moves on over the rest', async () => {
    const account = await writeOne();
    const stream = await open(`?after_sequence=0&related_object=${account}`);
    expect(await stream.until(({ events }) => events.length === 1)).toBe(true);
    await writeOne();
    must(await client.post(`/v1/accounts/${account}`, { name: 'Renamed' }));
    expect(await stream.until(({ events }) => events.length === 2)).toBe(true);
    expect(stream.events.map(({ type }) => type)).toEqual(['account.created', 'account.updated']);
  });

  it('sends a comment when nothing happens', async () => {
    const stream = await open('?type=payout.returned');
    expect(await stream.until(({ comments }) => comments.length >= 2)).toBe(true);
    expect(stream.comments[0]).toBe('heartbeat');
  });

  it('begins at the oldest event that is kept', async () => {
    const other = application.otherSandbox;
    for (let i = 0; i < 5; i++) must(await other.client.post('/v1/accounts', { currency: 'EUR' }));
    const [first] = must(await other.client.get('/v1/events?order=asc')).json['data'] as [Json];
    await application.sql(
      `DELETE FROM events WHERE sequence <= 3 AND environment_id = (
      SELECT environment_id FROM api_keys WHERE last4 = $1)`,
      [other.key.slice(-4)],
    );
    for (const options of [{}, { headers: { 'last-event-id': first['id'] as string } }]) {
      const stream = await open('?after_sequence=0', { ...options, holder: other });
      expect(await stream.until(upTo(5))).toBe(true);
      expect(stream.sequences).toEqual([4, 5]);
    }
  });

  it('to HEAD: the head alone', async () => {
    const stream = await open('', { method: 'HEAD' });
    expect(stream.status).toBe(200);
    expect(await stream.closed).toBe('end');
  });

  it('outlives connections to the database', async () => {
    const stream = await open();
    const before = await newest();
    await application.sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await writeOne();
    expect(await stream.until(upTo(before + 1))).toBe(true);
  });
});

describe('400', () => {
  it.each([
    ['type=payout.lost', 'type'],
    ['types[]=x', 'types'],
    ['related_object=something', 'related_object'],
    ['after_sequence=-1', 'after_sequence'],
    ['after_sequence=evt_01jd3v9q4ne8v8k3w2m6r5t7xa', 'after_sequence'],
  ])('%s', async (query, param) => {
    expect(outcome(await client.get(`/v1/events/stream?${query}`))).toBe(`400 parameter_invalid ${param}`);
  });

  it('what a list takes, but no stream', async () => {
    expect(outcome(await client.get('/v1/events/stream?limit=5'))).toBe('400 parameter_unknown limit');
    expect(outcome(await client.get('/v1/events/stream?order=asc'))).toBe('400 parameter_unknown order');
  });

  it('a position beyond the newest event, which a restore may have taken back', async () => {
    const beyond = (await newest()) + 1;
    const path = '/v1/events/stream';
    expect(outcome(await client.get(`${path}?after_sequence=${beyond}`))).toBe('400 sequence_unknown after_sequence');
    const newestId = (await list()).at(-1)?.['id'] as string;
    for (const lastEventId of [String(beyond), `${newestId.slice(0, -8)}zzzzzzzz`]) {
      const refused = await client.send('GET', path, '', { 'last-event-id': lastEventId });
      expect(outcome(refused)).toBe('400 sequence_unknown Last-Event-ID');
      expect(refused.text).toContain(`read on after ${beyond - 1}.`);
    }
  });

  it('a Last-Event-ID that is none, or that of an event elsewhere', async () => {
    must(await application.otherLive.client.post('/v1/accounts', { currency: 'EUR' }));
    const [theirs] = must(await application.otherLive.client.get('/v1/events')).json['data'] as [Json];
    for (const lastEventId of ['', 'x', '-1', '1.5', '1e3', '99999999999999999', fixtures.acct, theirs['id']]) {
      const headers = { 'last-event-id': lastEventId as string };
      const reply = await client.send('GET', '/v1/events/stream', '', headers);
      expect(`${lastEventId as string} ${outcome(reply)}`).toBe(
        `${lastEventId as string} 400 parameter_invalid Last-Event-ID`,
      );
    }
  });
});

describe('401, 403, 404, 405', () => {
  it('keys and methods that may not', async () => {
    expect(outcome(await client.send('GET', '/v1/events/stream', '', { authorization: '' }))).toBe(
      '401 api_key_invalid',
    );
    const other = await application.key({ scopes: ['accounts:read'] });
    expect(outcome(await other.client.get('/v1/events/stream'))).toBe('403 scope_missing');
    expect(outcome(await client.post('/v1/events/stream', {}))).toBe('405 method_not_allowed');
    const narrow = await application.key({ scopes: ['events:read'] });
    expect((await open('', { holder: narrow })).status).toBe(200);
  });
});

describe('429', () => {
  it('beyond the places of an environment; a place is free again when its receiver leaves', async () => {
    const streams = await Promise.all(Array.from({ length: PLACES * 3 }, () => open()));
    const taken = streams.filter(({ status }) => status === 200);
    expect(taken.length).toBe(PLACES);
    const refused = await client.get('/v1/events/stream');
    expect(outcome(refused)).toBe('429 rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.text).toContain(`${PLACES} event streams are open already`);
    expect((await open('', { holder: application.otherSandbox })).status).toBe(200);
    taken[0]?.cut();
    await openPlaces(PLACES); // one of them is the other merchant's
    expect((await open()).status).toBe(200);
  });
});

describe('a stream ends', () => {
  const endings = () => logged.filter(({ ended }) => ended !== undefined);
  const endingOf = async (stream: EventStream): Promise<unknown> => {
    const ofStream = () => endings().filter(({ request_id: id }) => id === stream.headers['request-id']);
    await eventually('the end of a stream is logged', () => ofStream().length > 0);
    const [line, ...more] = ofStream();
    expect(more).toEqual([]);
    expect(line).toMatchObject({ route: '/v1/events/stream', status: 200, key_id: expect.any(String) as string });
    return line?.['ended'];
  };

  it('when its receiver leaves', async () => {
    const stream = await open();
    stream.cut();
    expect(await endingOf(stream)).toBe('receiver_left');
  });

  it('when its key is revoked, in order; others go on', async () => {
    const holder = await application.key();
    const stream = await open('', { holder });
    const other = await open();
    await application.revoke(holder);
    expect(await stream.closed).toBe('end');
    expect(await endingOf(stream)).toBe('key_ended');
    const before = await newest();
    await writeOne();
    expect(await other.until(upTo(before + 1))).toBe(true);
    expect(stream.events).toEqual([]);
  });

  it('when its receiver takes nothing, and goes on where it was', async () => {
    // More than the kernel keeps for a connection (up to some 10 MB), in events of 27 kB.
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, 'x'.repeat(500)]));
    const from = await newest();
    const count = 500;
    const bodies = Array.from({ length: count }, () => ({ currency: 'SEK', metadata }));
    await Promise.all(bodies.map(async (body) => must(await client.post('/v1/accounts', body))));
    const stream = await open(`?after_sequence=${from}`);
    stream.pause();
    await openPlaces(1);
    await openPlaces(0); // it was cut off
    expect(await endingOf(stream)).toBe('receiver_stalled');
    stream.resume();
    expect(await stream.closed).toBe('cut');
    expect(stream.events.length).toBeLessThan(count);
    const headers = stream.lastId === undefined ? {} : { 'last-event-id': stream.lastId };
    const again = await open(`?after_sequence=${from}`, { headers });
    expect(await again.until(upTo(from + count))).toBe(true);
    expect([...stream.sequences, ...again.sequences]).toEqual(Array.from({ length: count }, (_, i) => from + i + 1));
  });
});

describe('several processes', () => {
  it('what the other one writes arrives; a stop does not wait for streams', async () => {
    const env = { BURSAR_SECRET: SERVER_SECRET };
    const here = await startServer({ databaseUrl: application.databaseUrl, env });
    try {
      const there = await application.key({ merchant: 'several processes' });
      const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(here.address, there.key)));
      for (let i = 1; i <= 3; i++) {
        must(await there.client.post('/v1/accounts', { currency: 'EUR' }));
        for (const stream of streams) expect(await stream.until(({ events }) => events.length === i)).toBe(true);
      }
      streams[0]?.pause();
      expect(await here.stop()).toBe(0);
      streams[0]?.resume();
      expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual(streams.map(() => 'end'));
    } finally {
      await here.kill();
    }
  });
});
