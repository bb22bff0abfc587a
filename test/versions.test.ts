/**
 * Versions of the API over HTTP, with two older ones that exist here only: what the header, the key and the endpoint decide, and what is
 * answered, sent and taken in each. Versions as values: `src/platform/http/version/versions.test.ts`.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION } from '../src/core/values/version.ts';
import { type Application, type Holder, startApplication } from './support/harness/application.ts';
import { openStream } from './support/harness/event-stream.ts';
import { eventually } from './support/harness/eventually.ts';
import type { Json, Reply } from './support/harness/http.ts';
import { madeUpVersions, MIDDLE, OLDEST } from './support/harness/made-up-versions.ts';
import { idIn, must, RECIPIENT } from './support/harness/tenant-fixture.ts';
import { bodyOf, type Receiver, startReceiver } from './support/webhooks/raw-receivers.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const DAY = inDays(7);
const inVersion = (date: string) => ({ 'bursar-version': date });

let application: Application;
let newest: Holder;
let middle: Holder;
let recipient: string;
let account: string;
let receiver: Receiver;
const received: { readonly endpoint: string; readonly body: string; readonly headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  application = await startApplication({ versions: madeUpVersions() });
  newest = application.sandbox;
  middle = await application.key({ version: MIDDLE });
  account = idIn(await newest.client.post('/v1/accounts', { currency: 'EUR', name: 'operations' }));
  must(await newest.client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '10000.00' }));
  recipient = idIn(await newest.client.post('/v1/recipients', RECIPIENT));
  receiver = await startReceiver((request, response) => {
    void bodyOf(request).then((body) => {
      received.push({ endpoint: request.url ?? '', body, headers: request.headers });
      response.writeHead(204).end();
    });
  });
});
afterAll(async () => {
  await application?.stop();
  await receiver?.close();
});

const get = (path: string, version?: string, headers: Record<string, string> = {}) =>
  newest.client.send('GET', path, '', { ...headers, ...(version !== undefined && inVersion(version)) });
const post = (path: string, body: object, version?: string, idempotencyKey?: string) =>
  newest.client.post(path, body, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    headers: version === undefined ? {} : inVersion(version),
  });
const order = (fields: object = {}) => ({ amount: '25.50', currency: 'EUR', recipient, account, ...fields });
const shown = ({ headers }: Reply) => headers['bursar-version'];
const errorIn = ({ json }: Reply) => json['error'] as Json;
const dataIn = (reply: Reply) => must(reply).json['data'] as readonly Json[];
const newPayout = async (fields: object = {}) => idIn(await post('/v1/payouts', order(fields)));

describe('which version', () => {
  it('is the newest, unless the key is pinned or a header says otherwise', async () => {
    expect(shown(await get('/v1/accounts'))).toBe(API_VERSION);
    expect(shown(await get('/v1/accounts', MIDDLE))).toBe(MIDDLE);
    expect(shown(await middle.client.get('/v1/accounts'))).toBe(MIDDLE);
    const other = await middle.client.send('GET', '/v1/accounts', '', inVersion(OLDEST));
    expect(shown(other)).toBe(OLDEST);
  });

  it('is named by every answer under /v1, refusals too', async () => {
    const unknownPath = await get('/v1/nothing', MIDDLE);
    const wrongMethod = await newest.client.send('PUT', '/v1/accounts', '', inVersion(MIDDLE));
    const noKey = await newest.client.send('GET', '/v1/accounts', '', { authorization: '', ...inVersion(MIDDLE) });
    const refused = await post('/v1/payouts', { amount: '1' }, MIDDLE);
    const missing = await get(`/v1/payouts/po_01jd3v9q4ne8v8k3w2m6r5t7xa`, MIDDLE);
    const tooLarge = await post('/v1/payouts', { amount: 'x'.repeat(1_100_000) }, MIDDLE);
    const all = [unknownPath, wrongMethod, noKey, refused, missing, tooLarge];
    expect(all.map(({ status }) => status)).toEqual([404, 405, 401, 400, 404, 413]);
    expect(all.map(shown)).toEqual(all.map(() => MIDDLE));
  });

  it('of an older one is said with the day from which it may be gone', async () => {
    const { headers } = await get('/v1/accounts', MIDDLE);
    expect(headers).toMatchObject({ deprecation: '@1796083200', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' });
    expect(Object.keys((await get('/v1/accounts')).headers)).not.toContain('sunset');
  });

  it('is no matter of paths without a key: the header does nothing there', async () => {
    for (const path of ['/', '/livez', '/openapi.json']) {
      const reply = await get(path, '1999-01-01');
      expect([reply.status, shown(reply)]).toEqual([200, undefined]);
    }
  });

  it('is refused if there is none of that date, before anything happens', async () => {
    for (const date of ['2026-12-02', 'latest', '', `${MIDDLE}, ${MIDDLE}`]) {
      const read = await get('/v1/accounts', date);
      expect([read.status, errorIn(read)['code']]).toEqual([400, 'version_unknown']);
      expect(errorIn(read)['allowed']).toEqual([API_VERSION, MIDDLE, OLDEST]);
      expect(shown(read)).toBe(API_VERSION);
    }
    const refused = await post('/v1/payouts', order(), '2026-12-02', 'unknown-version');
    expect(errorIn(refused)['code']).toBe('version_unknown');
    const paid = must(await post('/v1/payouts', order(), undefined, 'unknown-version'));
    expect(paid.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a key', () => {
  const make = async (holder: Holder, fields: object = {}) =>
    must(await holder.client.post('/v1/keys', { name: 'versions', ...fields })).json;

  it('has the newest when it is made, whoever makes it, or the one that is asked for', async () => {
    expect((await make(newest))['version']).toBe(API_VERSION);
    expect((await make(middle))['version']).toBe(API_VERSION);
    expect((await make(newest, { version: OLDEST }))['version']).toBe(OLDEST);
    const refused = await newest.client.post('/v1/keys', { name: 'x', version: '2026-12-02' });
    expect(errorIn(refused)).toMatchObject({
      code: 'version_unknown',
      param: 'version',
      allowed: madeUpVersions().dates,
    });
  });

  it('keeps it when it is rolled', async () => {
    const { id } = await make(newest, { version: MIDDLE });
    expect(must(await post(`/v1/keys/${id as string}/roll`, {})).json['version']).toBe(MIDDLE);
  });

  it('is moved to another, with an event and an entry in the audit log', async () => {
    const { id } = await make(newest, { version: MIDDLE });
    const path = `/v1/keys/${id as string}`;
    const moved = must(await post(path, { version: API_VERSION, name: 'moved' })).json;
    expect(moved).toMatchObject({ version: API_VERSION, name: 'moved' });
    expect(must(await post(path, { version: API_VERSION })).json).toEqual(moved);
    const events = dataIn(await get(`/v1/events?related_object=${id as string}&type=key.updated`));
    expect(events.map(({ data }) => data)).toEqual([
      { object: moved, previous_attributes: { name: 'versions', version: MIDDLE } },
    ]);
    const [entry] = dataIn(await get('/v1/audit_log?action=key.updated'));
    expect(entry).toMatchObject({ details: { changed: ['name', 'version'], name: 'moved', version: API_VERSION } });
    expect(errorIn(await post(path, { version: 'x' }))['code']).toBe('version_unknown');
    const narrow = await application.key({ scopes: ['keys:write'] });
    expect(errorIn(await narrow.client.post(path, { version: MIDDLE }))['code']).toBe('key_too_wide');
    must(await post(`${path}/revoke`, {}));
    expect(errorIn(await post(path, { version: MIDDLE }))['code']).toBe('key_ended');
  });

  it('that is moved is answered in its new version within a second', async () => {
    const { id, secret } = await make(newest, { version: MIDDLE });
    const ask = async () =>
      shown(await newest.client.send('GET', '/v1/accounts', '', { authorization: `Bearer ${secret as string}` }));
    expect(await ask()).toBe(MIDDLE);
    must(await post(`/v1/keys/${id as string}`, { version: API_VERSION }));
    await eventually('the new version', async () => (await ask()) === API_VERSION || undefined);
  });

  it('of a version that this build does not know is answered in the nearest', async () => {
    const later = await application.key({ version: '2030-01-01' });
    const earlier = await application.key({ version: '2020-01-01' });
    expect(shown(await later.client.get('/v1/accounts'))).toBe(API_VERSION);
    expect(shown(await earlier.client.get('/v1/accounts'))).toBe(OLDEST);
  });
});

describe('an answer', () => {
  it('of an object, in each version', async () => {
    const id = await newPayout({ scheduled_on: DAY });
    const path = `/v1/payouts/${id}`;
    expect((await get(path)).json).toMatchObject({ amount_minor: 2550, scheduled_on: DAY });
    const old = await get(path, MIDDLE);
    expect(old.json).toMatchObject({ amount_minor: 2550, scheduled_for: DAY });
    expect(old.json).not.toHaveProperty('scheduled_on');
    expect(old.text).toContain('"amount":25.50');
    const oldest = await get(path, OLDEST);
    expect(oldest.json).toMatchObject({ day: DAY, money: { amount: 25.5, amount_minor: 2550 } });
    expect(oldest.text).toContain('"money":{"amount":25.50,');
    expect(Object.keys(oldest.json)).not.toEqual(expect.arrayContaining(['amount']));
  });

  it('of a list, and of expanded objects', async () => {
    const id = await newPayout({ scheduled_on: DAY });
    const [listed] = dataIn(await get(`/v1/payouts?limit=1&expand[]=account`, OLDEST));
    expect(listed).toMatchObject({ id, day: DAY, expanded: { account: { label: 'operations' } } });
    const [now] = dataIn(await get(`/v1/payouts?limit=1&expand[]=account`));
    expect(now).toMatchObject({ id, scheduled_on: DAY, expanded: { account: { name: 'operations' } } });
  });

  it.each(['', '&limit=1'])('as CSV%s, head and rows', async (limit) => {
    const id = await newPayout({ scheduled_on: DAY });
    const csv = async (version?: string) =>
      must(await get(`/v1/payouts?status=pending${limit}`, version, { accept: 'text/csv' })).text.split('\r\n');
    const [head = '', first = ''] = await csv();
    const [oldHead = '', oldFirst = ''] = await csv(MIDDLE);
    expect(oldHead).toBe(head.replace('scheduled_on', 'scheduled_for'));
    expect(oldFirst).toBe(first);
    expect(first.split(',')[head.split(',').indexOf('scheduled_on')]).toBe(DAY);
    const [oldestHead = '', oldestFirst = ''] = await csv(OLDEST);
    expect(oldestHead.split(',')).toEqual(expect.arrayContaining(['id', 'day', 'money']));
    expect(oldestHead).not.toContain('amount_minor');
    expect(oldestFirst).toContain(id);
  });

  it('of a batch: its items and their faults; and of a dry run', async () => {
    const payouts = [order({ scheduled_for: DAY }), order({ scheduled_for: '2020-01-01' })];
    const { json } = must(await post('/v1/payouts/batch', { payouts, mode: 'partial' }, MIDDLE));
    expect(json['results']).toMatchObject([
      { payout: { scheduled_for: DAY } },
      { error: { code: 'scheduled_on_invalid', param: 'scheduled_for' } },
    ]);
    const tried = must(await post('/v1/payouts', order({ day: DAY, dry_run: true }), OLDEST)).json;
    expect(tried).toMatchObject({ dry_run: true, id: null, day: DAY, money: { amount_minor: 2550 } });
  });

  it('that is kept and given again is never that of another version', async () => {
    const path = `/v1/payouts/${await newPayout({ scheduled_on: DAY })}`;
    const named = { [API_VERSION]: 'scheduled_on', [MIDDLE]: 'scheduled_for', [OLDEST]: 'day' };
    for (let round = 0; round < 4; round++) {
      for (const [version, member] of Object.entries(named)) {
        const replies = await Promise.all([get(path, version), get(path, version)]);
        for (const { json } of replies) expect(json).toHaveProperty(member, DAY);
      }
    }
  });
});

describe('a request', () => {
  it('in an older form is taken, as JSON and as a form', async () => {
    for (const form of [false, true]) {
      const made = await newest.client.post('/v1/payouts', order({ day: DAY }), { form, headers: inVersion(OLDEST) });
      expect((await get(`/v1/payouts/${idIn(made)}`)).json['scheduled_on']).toBe(DAY);
      expect(made.json['day']).toBe(DAY);
      const payouts = [order({ scheduled_for: DAY, metadata: { a: '1' } })];
      const batch = await newest.client.post('/v1/payouts/batch', { payouts }, { form, headers: inVersion(MIDDLE) });
      const [item] = dataIn(await get(`/v1/payouts?batch=${idIn(batch)}`));
      expect(item).toMatchObject({ scheduled_on: DAY, metadata: { a: '1' } });
    }
  });

  it('in the newest form has no older names', async () => {
    const refused = await post('/v1/payouts', order({ scheduled_for: DAY }));
    expect(errorIn(refused)).toMatchObject({ code: 'parameter_unknown', param: 'scheduled_for' });
  });

  it('that is refused names the parameter as it was sent', async () => {
    const refused = await post('/v1/payouts', order({ scheduled_for: '2020-01-01' }), MIDDLE);
    expect(errorIn(refused)).toMatchObject({ code: 'scheduled_on_invalid', param: 'scheduled_for' });
  });

  it('that is repeated in another version happens once, and is answered in that version', async () => {
    const first = must(await post('/v1/payouts', order({ scheduled_on: DAY }), undefined, 'one payout'));
    const again = must(await post('/v1/payouts', order({ scheduled_for: DAY }), MIDDLE, 'one payout'));
    const same = must(await post('/v1/payouts', order({ scheduled_on: DAY }), undefined, 'one payout'));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json).toMatchObject({ id: first.json['id'], scheduled_for: DAY });
    expect(same.text).toBe(first.text);
    const older = must(await post('/v1/payouts', order({ day: DAY }), OLDEST, 'another payout'));
    const newer = must(await post('/v1/payouts', order({ scheduled_on: DAY }), undefined, 'another payout'));
    expect(newer.json).toMatchObject({ id: older.json['id'], scheduled_on: DAY });
    const other = await post('/v1/payouts', order({ scheduled_for: inDays(8) }), MIDDLE, 'one payout');
    expect(errorIn(other)).toMatchObject({ code: 'idempotency_key_reused', param: 'scheduled_for' });
  });
});

describe('an event', () => {
  const sent = async (id: string) => must(await post(`/v1/test_helpers/payouts/${id}/advance`, {}));
  const deliveries = (endpoint: string) => received.filter((each) => each.endpoint === `/${endpoint}`);
  const events = (text: string) => JSON.parse(text) as Json & { data: { object: Json } };

  it('in lists and alone is in the version of the request, and says which that is', async () => {
    const id = await newPayout({ scheduled_on: DAY });
    await sent(id);
    const [now] = dataIn(await get(`/v1/events?related_object=${id}&type=payout.in_transit`));
    expect(now).toMatchObject({
      type: 'payout.in_transit',
      api_version: API_VERSION,
      data: { object: { scheduled_on: DAY } },
    });
    const [then] = dataIn(await get(`/v1/events?related_object=${id}&type=payout.sent`, MIDDLE));
    const older = { type: 'payout.sent', api_version: MIDDLE, data: { object: { scheduled_for: DAY } } };
    expect(then).toMatchObject({ ...older, id: now?.['id'], sequence: now?.['sequence'] });
    expect((await get(`/v1/events/${now?.['id'] as string}`, MIDDLE)).json).toEqual(then);
  });

  it('on a stream, its name too', async () => {
    const from = dataIn(await get('/v1/events?limit=1'))[0]?.['sequence'] as number;
    const open = (key: string, headers: Record<string, string> = {}) =>
      openStream(application.address, key, `?after_sequence=${from}&types[]=payout.*`, { headers });
    const streams = await Promise.all([open(newest.key), open(newest.key, inVersion(MIDDLE)), open(middle.key)]);
    await sent(await newPayout({ scheduled_on: DAY }));
    for (const stream of streams) await stream.until((each) => each.events.length >= 2);
    const seen = streams.map(({ headers, events: sentTo }) => [
      headers['bursar-version'],
      ...sentTo.map(({ type, json }) => `${type} ${json['type'] as string} ${json['api_version'] as string}`),
    ]);
    const old = [MIDDLE, `payout.created payout.created ${MIDDLE}`, `payout.sent payout.sent ${MIDDLE}`];
    const now = [
      API_VERSION,
      `payout.created payout.created ${API_VERSION}`,
      `payout.in_transit payout.in_transit ${API_VERSION}`,
    ];
    expect(seen).toEqual([now, old, old]);
    for (const stream of streams) stream.cut();
  });

  it('is delivered in the version of the endpoint, signed as it is sent, and moves with the endpoint', async () => {
    const endpoint = async (path: string, fields: object) => {
      const url = `http://127.0.0.1:${receiver.port}/${path}`;
      return must(await post('/v1/webhook_endpoints', { url, enabled_events: ['payout.in_transit'], ...fields })).json;
    };
    const now = await endpoint('now', {});
    const old = await endpoint('old', { version: MIDDLE });
    expect([now['version'], old['version']]).toEqual([API_VERSION, MIDDLE]);
    await sent(await newPayout({ scheduled_on: DAY }));
    const first = await eventually('both deliveries', async () => {
      const [one, other] = [deliveries('now')[0], deliveries('old')[0]];
      return one && other ? { one, other } : undefined;
    });
    expect(events(first.one.body)).toMatchObject({ type: 'payout.in_transit', api_version: API_VERSION });
    expect(events(first.other.body)).toMatchObject({
      type: 'payout.sent',
      api_version: MIDDLE,
      data: { object: { scheduled_for: DAY } },
    });
    const { headers, body } = first.other;
    const at = String(headers['webhook-timestamp']);
    const signed = createHmac('sha256', old['secret'] as string)
      .update(`${at}.${body}`)
      .digest('hex');
    expect(headers['bursar-signature']).toBe(`t=${at},v1=${signed}`);

    const path = `/v1/webhook_endpoints/${old['id'] as string}`;
    expect(errorIn(await post(path, { version: '2026-12-02' }))).toMatchObject({
      code: 'version_unknown',
      param: 'version',
    });
    expect(must(await post(path, { version: API_VERSION })).json['version']).toBe(API_VERSION);
    const [updated] = dataIn(
      await get(`/v1/events?related_object=${old['id'] as string}&type=webhook_endpoint.updated`),
    );
    expect(updated).toMatchObject({ data: { previous_attributes: { version: MIDDLE } } });
    must(await post(`/v1/events/${events(body)['id'] as string}/resend`, { webhook_endpoint: old['id'] as string }));
    const again = await eventually('the same event once more', async () => deliveries('old')[1]);
    expect(again.body).toBe(first.one.body);
  });
});
