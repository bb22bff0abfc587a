/** Deliveries, replays and resends over real HTTP, with a receiver that really gets them; grouped by status. */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { bodyOf, type Receiver, startReceiver } from '../../../test/support/webhooks/raw-receivers.ts';

const PATH = '/v1/webhook_endpoints';
const UNKNOWN = {
  we: 'we_01jd3v9q4ne8v8k3w2m6r5t7xa',
  evt: 'evt_01jd3v9q4ne8v8k3w2m6r5t7xa',
  dlv: 'dlv_01jd3v9q4ne8v8k3w2m6r5t7xa',
  rep: 'rep_01jd3v9q4ne8v8k3w2m6r5t7xa',
};

let application: Application;
let client: Client;
let receiver: Receiver;
/** What the receiver answers. */
let answer = 204;
/** Bodies by event id, in the order they came. */
const received: { readonly id: string; readonly body: string }[] = [];

beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
  receiver = await startReceiver((request: IncomingMessage, response) => {
    void bodyOf(request).then((body) => {
      received.push({ id: String(request.headers['webhook-id']), body });
      response.writeHead(answer).end(answer >= 400 ? 'not now' : '');
    });
  });
});
afterAll(async () => {
  await application?.stop();
  await receiver?.close();
});

const dataOf = async (path: string) => must(await client.get(path)).json['data'] as readonly Json[];
const deliveries = (id: string, query = '') => dataOf(`/v1/deliveries?webhook_endpoint=${id}&${query}`);
const events = (query: string) => dataOf(`/v1/events?${query}`);
const act = (id: string, verb: string, body: object = {}) => client.post(`${PATH}/${id}/${verb}`, body);
const endpoint = async (fields: object = {}) =>
  idIn(
    await client.post(PATH, {
      url: `http://127.0.0.1:${receiver.port}/`,
      enabled_events: ['account.created'],
      ...fields,
    }),
  );
const remove = async (id: string) => must(await client.write('DELETE', `${PATH}/${id}`, ''));

/** Makes that many events; their ids, oldest first. */
async function happen(count: number): Promise<readonly string[]> {
  for (let i = 0; i < count; i++) must(await client.post('/v1/accounts', { currency: 'EUR' }));
  return (await events(`limit=${count}`)).map(({ id }) => id as string).toReversed();
}

const settled = (id: string) =>
  eventually('nothing is pending', async () => (await deliveries(id, 'status=pending')).length === 0);
const arrives = (isSo: () => boolean) => eventually('the deliveries arrive', isSo);
const times = (id: string) => received.filter((each) => each.id === id).length;

/** A replay once it is done. */
async function finished(replay: Json): Promise<Json> {
  const path = `/v1/webhook_replays/${replay['id'] as string}`;
  await eventually('the replay is done', async () => must(await client.get(path)).json['status'] === 'completed');
  return must(await client.get(path)).json;
}

/** An endpoint that was disabled while so many events happened, and their ids. */
async function missed(count: number): Promise<{ id: string; ids: readonly string[] }> {
  const id = await endpoint();
  must(await act(id, 'disable'));
  const ids = await happen(count);
  must(await act(id, 'enable'));
  return { id, ids };
}

describe('200', () => {
  it('lists what was sent, newest first, each with its attempts', async () => {
    const id = await endpoint();
    const ids = await happen(3);
    await settled(id);
    const listed = await deliveries(id);
    expect(listed.map(({ event }) => event)).toEqual(ids.toReversed());
    const [newest] = listed as [Json];
    const event = must(await client.get(`/v1/events/${ids[2] as string}`)).json;
    expect(newest).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      object: 'delivery',
      created: event['created'],
      livemode: false,
      webhook_endpoint: id,
      event: ids[2],
      event_type: 'account.created',
      sequence: event['sequence'],
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [
        {
          started_at: expect.closeTo(Date.now() / 1000, -2),
          duration_ms: expect.any(Number),
          outcome: 'succeeded',
          http_status: 204,
          response: expect.toSatisfy((text) => text === '' || text === null),
          error: null,
        },
      ],
    });
    expect(must(await client.get(`/v1/deliveries/${newest['id'] as string}`)).json).toEqual(newest);
    expect(await dataOf(`/v1/events/${ids[2] as string}/deliveries`)).toEqual([newest]);
    expect((await client.get(`/v1/events/${UNKNOWN.evt}/deliveries`)).status).toBe(404);
    expect((await application.otherSandbox.client.get(`/v1/events/${ids[2] as string}/deliveries`)).status).toBe(404);
    const { client: blind } = await application.key({ scopes: ['webhook_endpoints:read'] });
    const { data: seen } = must(await blind.get(`/v1/events/${ids[2] as string}/deliveries`)).json; // it sees no accounts
    expect(seen).toMatchObject([{ id: newest['id'], attempts: [{ response: null }] }]);
    // As older builds stored it.
    await application.sql(
      `UPDATE deliveries SET attempts = replace(attempts::text, '"started_at"', '"started"')::jsonb WHERE endpoint_id = $1`,
      [uuidOf(id)],
    );
    expect(must(await client.get(`/v1/deliveries/${newest['id'] as string}`)).json).toEqual(newest);
    expect(received.find((each) => each.id === ids[2])?.body).toBe(
      (await client.get(`/v1/events/${ids[2] as string}`)).text,
    );
    await remove(id);
    expect(await deliveries(id)).toEqual(listed);
  });

  it('pages both ways, filters by state and time', async () => {
    const { id, ids } = await missed(5);
    const all = await deliveries(id);
    const of = (rows: readonly Json[]) => rows.map(({ event }) => event);
    expect(of(all)).toEqual(ids.toReversed());
    expect(of(await deliveries(id, `limit=2&starting_after=${all[1]?.['id'] as string}`))).toEqual(of(all.slice(2, 4)));
    expect(of(await deliveries(id, `limit=2&ending_before=${all[3]?.['id'] as string}`))).toEqual(of(all.slice(1, 3)));
    expect(of(await deliveries(id, 'order=asc&limit=2'))).toEqual(ids.slice(0, 2));
    const page = must(await client.get(`/v1/deliveries?webhook_endpoint=${id}&limit=2`));
    expect(page.json['has_more']).toBe(true);
    expect(page.headers['link']).toContain(`starting_after=${all[1]?.['id'] as string}>; rel="next"`);
    expect(await deliveries(id, 'status=succeeded')).toEqual([]);
    expect(of(await deliveries(id, 'status=held'))).toEqual(of(all));
    const nowS = Math.floor(Date.now() / 1000);
    expect(of(await deliveries(id, `created[gte]=${nowS - 60}`))).toEqual(of(all));
    expect(await deliveries(id, `created[gt]=${nowS + 60}`)).toEqual([]);
    expect(await deliveries(id, `created[lt]=${nowS - 60}`)).toEqual([]);
    await remove(id);
  });

  it('lists those to all endpoints that are not deleted, in one order, and those of one event', async () => {
    const [one, two, gone] = [await endpoint(), await endpoint(), await endpoint()];
    for (const id of [one, two, gone]) must(await act(id, 'disable'));
    const ids = await happen(4);
    await remove(gone);
    const mine = (rows: readonly Json[]) =>
      rows.filter((each) => [one, two, gone].includes(each['webhook_endpoint'] as string));
    const all = mine(await dataOf('/v1/deliveries?limit=100'));
    expect(all.map(({ event }) => event)).toEqual(ids.toReversed().flatMap((each) => [each, each]));
    expect(new Set(all.map((each) => each['webhook_endpoint']))).toEqual(new Set([one, two]));
    const named = `webhook_endpoint[]=${one}&webhook_endpoint[]=${two}`;
    for (const order of ['asc', 'desc']) {
      const walked: Json[] = [];
      const whole = await dataOf(`/v1/deliveries?${named}&order=${order}`);
      for (let after = ''; ; after = `&starting_after=${walked.at(-1)?.['id'] as string}`) {
        const page = await dataOf(`/v1/deliveries?${named}&order=${order}&limit=3${after}`);
        walked.push(...page);
        if (page.length === 0) break;
      }
      expect(walked, 'a page may end between two deliveries of one event').toEqual(whole);
      expect(whole).toEqual(order === 'asc' ? all.toReversed() : all);
    }
    const before = await dataOf(`/v1/deliveries?${named}&limit=3&ending_before=${all[6]?.['id'] as string}`);
    expect(before).toEqual(all.slice(3, 6));
    // By endpoint, the oldest first.
    expect(mine(await dataOf(`/v1/events/${ids[1] as string}/deliveries`))).toEqual(all.slice(4, 6).toReversed());
    expect(await deliveries(gone)).toHaveLength(4);
    for (const id of [one, two]) await remove(id);
  });

  it('a delivery outlives its event under the same id', async () => {
    const { id } = await missed(1);
    const [before] = (await deliveries(id)) as [Json];
    const kept = await application.sql('DELETE FROM events WHERE sequence = $1 RETURNING *', [before['sequence']]);
    try {
      const [after] = (await deliveries(id)) as [Json];
      expect(after).toEqual({ ...before, event: null, event_type: null });
      expect(must(await client.get(`/v1/deliveries/${before['id'] as string}`)).json).toEqual(after);
    } finally {
      const columns = Object.keys(kept[0] as object);
      const places = columns.map((_, i) =>
        columns[i] === 'created_at' ? `to_timestamp($${i + 1}::float8 / 1000)` : `$${i + 1}`,
      );
      await application.sql(
        `INSERT INTO events (${columns.join(', ')}) VALUES (${places.join(', ')})`,
        Object.values(kept[0] as object),
      );
    }
    expect(await deliveries(id)).toEqual([before]);
    await remove(id);
  });

  it('a failure is on record: when, what came back, why, and when it is tried again', async () => {
    answer = 500;
    const id = await endpoint();
    const [event] = (await happen(1)) as [string];
    await eventually('an attempt is in the books', async () =>
      (await deliveries(id)).some(({ attempts }) => (attempts as readonly Json[]).length > 0),
    );
    answer = 204;
    const [delivery] = (await deliveries(id)) as [Json];
    expect(delivery).toMatchObject({
      event,
      status: 'pending',
      next_attempt_at: expect.closeTo(Date.now() / 1000 + 5, -1),
      attempts: [{ outcome: 'status', http_status: 500, response: null, error: expect.stringContaining('500') }],
    });
    await remove(id);
  });

  it('replays what did not succeed: by default everything, with the same ids and bodies', async () => {
    const { id, ids } = await missed(3);
    const replay = must(await act(id, 'replay')).json;
    expect(replay).toMatchObject({
      id: expect.stringMatching(/^rep_[0-9a-z]{26}$/),
      object: 'webhook_replay',
      webhook_endpoint: id,
      only: 'failed',
      after_sequence: 0,
      status: 'running',
    });
    const last = (await events('limit=1'))[0]?.['sequence'];
    expect(await finished(replay)).toMatchObject({ until_sequence: last, reached_sequence: last, deliveries_count: 3 });
    await settled(id);
    expect(ids.map(times)).toEqual([1, 1, 1]);
    expect((await deliveries(id, 'status=succeeded')).length).toBe(3);
    expect(await finished(must(await act(id, 'replay')).json)).toMatchObject({ deliveries_count: 0 });
    await remove(id);
    expect((await dataOf(`/v1/webhook_replays?webhook_endpoint=${id}&order=asc`))[0]).toMatchObject({
      id: replay['id'],
      status: 'completed',
    });
  });

  it('replays a range, of sequences or of time, failed or all of it', async () => {
    const { id, ids } = await missed(4);
    const sequences = await Promise.all(
      ids.map(async (each) => must(await client.get(`/v1/events/${each}`)).json['sequence'] as number),
    );
    const replayed = async (body: object) =>
      (await finished(must(await act(id, 'replay', body)).json))['deliveries_count'];
    const [first, second, third, fourth] = sequences as [number, number, number, number];
    expect(await replayed({ after_sequence: first, until_sequence: second })).toBe(1);
    await settled(id);
    expect(ids.map(times)).toEqual([0, 1, 0, 0]);
    expect(await replayed({ after_sequence: first, until_sequence: third, only: 'all' })).toBe(2);
    await settled(id);
    expect(ids.map(times)).toEqual([0, 2, 1, 0]);
    const nowS = Math.floor(Date.now() / 1000);
    expect(await replayed({ created: { gt: nowS + 60 } })).toBe(0);
    expect(await replayed({ created: { lt: nowS - 60 } })).toBe(0);
    expect(await replayed({ created: { gte: nowS - 60 } })).toBe(2);
    await settled(id);
    expect(ids.map(times)).toEqual([1, 2, 1, 1]);
    expect(await replayed({ after_sequence: fourth })).toBe(0);
    await remove(id);
  });

  it('replays one event, whatever its type and however it fared', async () => {
    const [event] = (await happen(1)) as [string];
    const id = await endpoint({ enabled_events: ['recipient.*'] });
    const { sequence } = must(await client.get(`/v1/events/${event}`)).json as { sequence: number };
    for (const count of [1, 2]) {
      const replay = must(await act(id, 'replay', { event })).json;
      expect(replay).toMatchObject({ only: 'named', after_sequence: sequence - 1, until_sequence: sequence });
      await finished(replay);
      await arrives(() => times(event) === count);
    }
    await settled(id);
    expect(await deliveries(id)).toMatchObject([{ event, event_type: 'account.created', status: 'succeeded' }]);
    await remove(id);
  });

  it('resends an event to all that ask for its type, or to the one that is named', async () => {
    const asks = [await endpoint(), await endpoint()];
    const other = await endpoint({ enabled_events: ['recipient.*'] });
    const [event] = (await happen(1)) as [string];
    await arrives(() => times(event) === 2);
    const key = { idempotencyKey: 'resend once' };
    const all = must(await client.post(`/v1/events/${event}/resend`, {}, key));
    const replays = all.json['data'] as readonly Json[];
    expect(replays.map((each) => each['webhook_endpoint'])).toEqual(asks);
    expect(must(await client.post(`/v1/events/${event}/resend`, {}, key)).text).toBe(all.text);
    await arrives(() => times(event) === 4);
    const named = must(await client.post(`/v1/events/${event}/resend`, { webhook_endpoint: other })).json;
    expect(named['data']).toMatchObject([{ webhook_endpoint: other, only: 'named' }]);
    await arrives(() => times(event) === 5);
    await Promise.all([...asks, other].map(settled));
    expect(times(event)).toBe(5);
    for (const id of [...asks, other]) await remove(id);
  });

  it('events can be asked for by how their deliveries fared', async () => {
    const [undelivered] = (await happen(1)) as [string];
    const { id, ids } = await missed(2);
    const [held, replayed] = ids as [string, string];
    await finished(must(await act(id, 'replay', { event: replayed })).json);
    await settled(id);
    const [delivered] = (await happen(1)) as [string];
    await settled(id);
    const mine = [undelivered, held, replayed, delivered];
    const found = async (query: string) => {
      const all = (await events(`type=account.created&order=asc&limit=100&${query}`)).map((event) => event['id']);
      return mine.filter((each) => all.includes(each));
    };
    expect(await found('delivery_success=true')).toEqual([undelivered, replayed, delivered]);
    expect(await found('delivery_success=false')).toEqual([held]);
    expect(await found('')).toEqual(mine);
    await remove(id);
    expect(await found('delivery_success=false')).toEqual([]);
  });
});

describe('400', () => {
  it.each<[what: string, body: object]>([
    ['parameter_conflict only', { event: UNKNOWN.evt, only: 'failed' }],
    ['parameter_conflict after_sequence', { event: UNKNOWN.evt, after_sequence: 1 }],
    ['parameter_conflict created', { event: UNKNOWN.evt, created: { gte: 1 } }],
    ['parameter_conflict until_sequence', { until_sequence: 5, created: { gte: 1 } }],
    ['parameter_invalid until_sequence', { after_sequence: 6, until_sequence: 5 }],
    ['parameter_missing after_sequence', { only: 'all' }],
    ['parameter_invalid only', { only: 'some' }],
    ['parameter_invalid event', { event: UNKNOWN.we }],
    ['parameter_invalid after_sequence', { after_sequence: -1 }],
    ['parameter_unknown from', { from: 1 }],
  ])('replay: %s', async (what, body) => {
    const id = await endpoint();
    expect(outcome(await act(id, 'replay', body))).toBe(`400 ${what}`);
    expect(await dataOf(`/v1/webhook_replays?webhook_endpoint=${id}`)).toEqual([]);
    await remove(id);
  });

  it('nothing is replayed or resent to a disabled endpoint', async () => {
    const id = await endpoint();
    const [event] = (await happen(1)) as [string];
    must(await act(id, 'disable'));
    expect(outcome(await act(id, 'replay'))).toBe('400 webhook_endpoint_disabled id');
    const resend = (body: object) => client.post(`/v1/events/${event}/resend`, body);
    expect(outcome(await resend({ webhook_endpoint: id }))).toBe('400 webhook_endpoint_disabled webhook_endpoint');
    expect(outcome(await resend({}))).toBe('400 webhook_endpoint_none webhook_endpoint');
    await remove(id);
  });

  it('filters that are none', async () => {
    const id = await endpoint();
    expect(outcome(await client.get('/v1/deliveries?status=lost'))).toBe('400 parameter_invalid status');
    expect(outcome(await client.get(`/v1/deliveries?starting_after=${UNKNOWN.evt}`))).toBe(
      '400 parameter_invalid starting_after',
    );
    expect(outcome(await client.get('/v1/events?delivery_success=maybe'))).toBe(
      '400 parameter_invalid delivery_success',
    );
    await remove(id);
  });
});

describe('401, 403, 404', () => {
  /** With what exists in the sandbox; `event` in a body as well as in a path. */
  async function operations(): Promise<readonly (readonly [method: string, path: string, body: string])[]> {
    const { id } = await missed(1);
    const [delivery] = (await deliveries(id)) as [Json];
    const replay = idIn(await act(id, 'replay', { after_sequence: Number.MAX_SAFE_INTEGER }));
    return [
      ['GET', `/v1/deliveries/${delivery['id'] as string}`, ''],
      ['POST', `${PATH}/${id}/replay`, ''],
      ['GET', `/v1/webhook_replays/${replay}`, ''],
      ['POST', `/v1/events/${delivery['event'] as string}/resend`, ''],
    ];
  }

  it('need a key with the scope; nothing is there for another environment', async () => {
    for (const [method, path, body] of await operations()) {
      expect(outcome(await client.send(method, path, body, { authorization: '' }))).toBe('401 api_key_invalid');
      const scope = method === 'GET' ? 'settings:write' : 'webhook_endpoints:read';
      const { client: half } = await application.key({ scopes: [scope, 'events:write'] });
      expect(outcome(await half.send(method, path, body, {}))).toBe('403 scope_missing');
      for (const { client: stranger } of [application.live, application.otherSandbox]) {
        expect(outcome(await stranger.send(method, path, body, {})), path).toMatch(/^404 resource_missing/);
      }
    }
  });

  it('lists show nothing of another environment, and nothing that is not there', async () => {
    const { id } = await missed(1);
    must(await act(id, 'replay', { after_sequence: Number.MAX_SAFE_INTEGER }));
    for (const list of ['deliveries', 'webhook_replays']) {
      const path = `/v1/${list}?webhook_endpoint=${id}`;
      expect(await dataOf(path)).not.toEqual([]);
      expect(await dataOf(`/v1/${list}?webhook_endpoint=${UNKNOWN.we}`)).toEqual([]);
      expect(outcome(await client.send('GET', path, '', { authorization: '' }))).toBe('401 api_key_invalid');
      const { client: half } = await application.key({ scopes: ['settings:write', 'events:write'] });
      expect(outcome(await half.get(path))).toBe('403 scope_missing');
      for (const { client: stranger } of [application.live, application.otherSandbox]) {
        expect(must(await stranger.get(path)).json).toEqual({ data: [] });
        expect(must(await stranger.get(`/v1/${list}`)).json).toEqual({ data: [] });
      }
    }
    await remove(id);
  });

  it('unknown ids', async () => {
    const { id } = await missed(1);
    const [delivery] = (await deliveries(id)) as [Json];
    const said = async (path: string) => outcome(await client.get(path));
    expect(await said(`/v1/deliveries/${UNKNOWN.dlv}`)).toBe('404 resource_missing id');
    expect(await said('/v1/deliveries/x')).toBe('404 resource_missing id');
    expect(await said(`/v1/webhook_replays/${UNKNOWN.rep}`)).toBe('404 resource_missing id');
    expect(await said(`/v1/deliveries?starting_after=${UNKNOWN.dlv}`)).toBe('400 resource_missing starting_after');
    expect(outcome(await act(id, 'replay', { event: UNKNOWN.evt }))).toBe('404 resource_missing event');
    expect(outcome(await client.post(`/v1/events/${UNKNOWN.evt}/resend`))).toBe('404 resource_missing id');
    const event = `/v1/events/${delivery['event'] as string}/resend`;
    expect(outcome(await client.post(event, { webhook_endpoint: UNKNOWN.we }))).toBe(
      '404 resource_missing webhook_endpoint',
    );
  });
});
