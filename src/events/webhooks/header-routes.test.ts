/** The owner's headers over real HTTP: who gets them, when, and that nobody else ever sees a value. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { storedIn } from '../../../test/support/generators/secret-places.ts';
import { keptLog } from '../../../test/support/harness/kept-log.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { verifies } from '../../../test/support/webhooks/endpoints.ts';
import { answers, type Received, startReceiver } from '../../../test/support/webhooks/receiver.ts';
import { onScene, type Scene, settled, soon } from '../../../test/support/webhooks/webhook-scene.ts';
import { MASK } from './headers.ts';
import { headerBox } from './signature.ts';

const PATH = '/v1/webhook_endpoints';
const HOOK = { url: 'https://hooks.example.com/a', enabled_events: ['account.closed'] };
/** Each in a request somewhere below; searched for at the end. */
const SECRETS = ['first-8f3a2c91d4', 'second-71bb09ac3e', 'third-c0ffee4477', 'fourth-e19d22aa58'] as const;
const [FIRST, SECOND, THIRD, FOURTH] = SECRETS;

let application: Application;
const { log, logged } = keptLog();
beforeAll(async () => {
  application = await startApplication({ log });
});
afterAll(() => application?.stop());

const scene = (test: (scene: Scene) => Promise<void>) => onScene(() => application, test);
const sent = ({ headers }: Received, name: string) => headers[name];
const auditOf = async ({ client }: Pick<Scene, 'client'>, subject: string) =>
  (must(await client.get(`/v1/audit_log?subject=${subject}&order=asc`)).json['data'] as { details: object }[]).map(
    ({ details }) => details,
  );

describe('a delivery', () => {
  it(
    'carries them at the first attempt, a retry, a test, a resend and a replay, and its signature holds',
    scene(async ({ endpoint, events, advance, client }) => {
      const settings = { headers: { Authorization: `Bearer ${FIRST}`, 'X-Team': 'pay outs' } };
      const made = await endpoint(answers(500), settings);
      await events();
      await made.at.count(1);
      made.at.behaviour = answers(204);
      await advance(10);
      const [delivery] = await settled(made, 'succeeded', 2);
      await made.ask('test');
      await made.at.count(3);
      must(await client.post(`/v1/events/${delivery?.event}/resend`));
      await made.at.count(4);
      await made.ask('replay', { only: 'all', after_sequence: 0 });
      await made.at.count(5);
      for (const received of made.at.received) {
        expect(sent(received, 'authorization')).toBe(`Bearer ${FIRST}`);
        expect(sent(received, 'x-team')).toBe('pay outs');
        expect(sent(received, 'content-type')).toBe('application/json; charset=utf-8');
        expect(verifies(received, made.secret)).toBe(true);
        expect(received.body).not.toContain(FIRST);
      }
    }),
  );

  it(
    'carries what holds at its attempt: changed headers go with a retry, and unset ones no longer',
    scene(async ({ endpoint, events, advance, client }) => {
      const made = await endpoint(answers(500), { headers: { Authorization: `Bearer ${FIRST}`, Cookie: 'a=1' } });
      await events();
      await made.at.count(1);
      made.at.behaviour = answers(204);
      const changed = { headers: { authorization: `Bearer ${SECOND}`, Cookie: null } };
      expect(must(await client.post(made.path, changed)).json['headers']).toEqual({ authorization: MASK });
      await advance(10);
      await settled(made, 'succeeded', 2);
      const got = made.at.received.map((each) => [sent(each, 'authorization'), sent(each, 'cookie')]);
      expect(got).toEqual([
        [`Bearer ${FIRST}`, 'a=1'],
        [`Bearer ${SECOND}`, undefined],
      ]);
      must(await client.post(made.path, { headers: null }));
      await events();
      await made.at.count(3);
      expect(made.at.received[2] && sent(made.at.received[2], 'authorization')).toBeUndefined();
    }),
  );

  it(
    'is not sent on to where a receiver points',
    scene(async ({ endpoint, events }) => {
      const elsewhere = await startReceiver();
      const made = await endpoint(answers(307, { location: elsewhere.url }), {
        headers: { Authorization: `Bearer ${FIRST}` },
      });
      await events();
      await soon(async () => expect((await made.deliveries())[0]?.attempts[0]?.http_status).toBe(307));
      expect(elsewhere.received).toEqual([]);
      await elsewhere.stop();
    }),
  );

  it(
    'is not sent where a value does not open',
    scene(async ({ endpoint, events }) => {
      const made = await endpoint(answers(204), { headers: { Authorization: `Bearer ${FIRST}` } });
      // A secret that signs, where a value belongs: whoever may write the row must not have it sent to himself.
      const swap = `headers = jsonb_build_array(jsonb_build_object('name', 'x', 'sealed', secrets -> 0 ->> 'sealed'))`;
      await application.sql(`UPDATE webhook_endpoints SET ${swap} WHERE id = $1`, [uuidOf(made.id)]);
      await events();
      await soon(async () => expect((await made.deliveries())[0]?.attempts).not.toEqual([]));
      expect((await made.deliveries())[0]?.attempts[0]?.error).toContain('header');
      expect(made.at.received).toEqual([]);
    }),
  );
});

describe('an endpoint', () => {
  it(
    'shows names and masks in every answer, also under its idempotency key, and its events the same',
    scene(async ({ client }) => {
      const body = { ...HOOK, headers: { Authorization: `Bearer ${FIRST}`, Cookie: `s=${SECOND}` } };
      const made = must(await client.post(PATH, body, { idempotencyKey: 'once' }));
      const shown = { Authorization: MASK, Cookie: MASK };
      expect(made.json['headers']).toEqual(shown);
      expect(made.json['secret']).toMatch(/^whsec_/);
      expect(must(await client.post(PATH, body, { idempotencyKey: 'once' })).text).toBe(made.text);
      const other = { ...body, headers: { ...body.headers, Cookie: `s=${THIRD}` } };
      const reused = await client.post(PATH, other, { idempotencyKey: 'once' });
      expect(outcome(reused)).toBe('400 idempotency_key_reused headers');
      const path = `${PATH}/${made.json['id'] as string}`;
      expect(must(await client.get(path)).json['headers']).toEqual(shown);
      expect((must(await client.get(PATH)).json['data'] as object[])[0]).toMatchObject({ headers: shown });
      must(await client.post(path, { headers: { 'X-New': THIRD, cookie: '' } }));
      const rolled = must(await client.post(`${path}/roll_secret`, { expires_in: 0 }));
      expect(rolled.json).toMatchObject({ headers: { Authorization: MASK, 'X-New': MASK } });
      expect(rolled.json['secret']).toMatch(/^whsec_/);
      const [updated] = must(await client.get('/v1/events?type=webhook_endpoint.updated&order=asc')).json['data'] as {
        data: object;
      }[];
      expect(updated?.data).toMatchObject({
        object: { headers: { Authorization: MASK, 'X-New': MASK } },
        previous_attributes: { headers: { 'X-New': null, Cookie: MASK } },
      });
      expect(await auditOf({ client }, made.json['id'] as string)).toEqual([
        expect.objectContaining({ headers: ['Authorization', 'Cookie'] }),
        expect.objectContaining({ changed: ['headers'], headers: { set: ['X-New'], unset: ['Cookie'] } }),
        { overlap_seconds: 0 },
      ]);
    }),
  );

  it(
    'takes them from a form, with null and an empty value as metadata does',
    scene(async ({ client }) => {
      const made = must(await client.post(PATH, { ...HOOK, headers: null })).json;
      expect(made['headers']).toEqual({});
      const path = `${PATH}/${made['id'] as string}`;
      const set = async (headers: object | string | null, form = false) =>
        must(await client.post(path, { headers }, { form })).json['headers'];
      expect(await set({ A: '1', B: '2', secret: '3', metadata: '4', __proto__: null })).toEqual({
        A: MASK,
        B: MASK,
        secret: MASK,
        metadata: MASK,
      });
      expect(await set({ a: '' }, true)).toEqual({ B: MASK, secret: MASK, metadata: MASK });
      expect(await set({ b: null })).toEqual({ secret: MASK, metadata: MASK });
      expect(must(await client.post(`${path}/roll_secret`)).json['secret']).toMatch(/^whsec_/);
      expect(await set('', true)).toEqual({});
      expect(await set({ Authorization: 'Basic dTpw+w==' }, true)).toEqual({ Authorization: MASK });
      expect(await set(null)).toEqual({});
    }),
  );

  it(
    'has at most ten',
    scene(async ({ client }) => {
      const some = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'x']));
      expect(outcome(await client.post(PATH, { ...HOOK, headers: some(11) }))).toBe('400 webhook_header_limit headers');
      const { id } = must(await client.post(PATH, { ...HOOK, headers: some(10) })).json;
      const path = `${PATH}/${id as string}`;
      const refused = await client.post(path, { headers: { more: 'x' }, description: 'half' });
      expect(outcome(refused)).toBe('400 webhook_header_limit headers');
      expect(must(await client.get(path)).json).toMatchObject({ description: null });
      must(await client.post(path, { headers: { more: 'x', 'X-0': '' } }));
    }),
  );

  it(
    'does not take their values to another host',
    scene(async ({ client }) => {
      const headers = { Authorization: `Bearer ${FIRST}`, 'X-Team': SECOND };
      const { id } = must(await client.post(PATH, { ...HOOK, headers })).json;
      const path = `${PATH}/${id as string}`;
      const url = 'https://thief.example.com/a';
      for (const given of [{}, { headers: { 'x-team': SECOND } }, { headers: { authorization: '' } }]) {
        const refused = await client.post(path, { url, ...given });
        expect(outcome(refused)).toBe('400 parameter_missing headers');
      }
      must(await client.post(path, { url: 'https://hooks.example.com/other' }));
      const moved = must(await client.post(path, { url, headers: { authorization: `Bearer ${THIRD}`, 'X-Team': '' } }));
      expect(moved.json).toMatchObject({ url, headers: { authorization: MASK } });
      must(await client.post(path, { url: 'https://third.example.com/', headers: null }));
    }),
  );

  it(
    'forgets them when it is deleted',
    scene(async ({ client }) => {
      const { id } = must(await client.post(PATH, { ...HOOK, headers: { Authorization: FIRST } })).json;
      must(await client.write('DELETE', `${PATH}/${id as string}`, ''));
      const [row] = await application.sql('SELECT headers FROM webhook_endpoints WHERE id = $1', [
        uuidOf(id as string),
      ]);
      expect(row).toEqual({ headers: '[]' });
    }),
  );
});

describe('a value', () => {
  it(
    'is in no answer, log line or row, wherever it was sent',
    scene(async ({ client, environmentId }) => {
      const wrong = [
        { headers: { Host: FOURTH } },
        { headers: { Authorization: `${FOURTH}\n` } },
        { headers: { Authorization: [FOURTH] } },
        { headers: FOURTH },
        { headers: { Authorization: FOURTH, authorization: FOURTH } },
      ];
      for (const body of wrong) {
        const refused = await client.post(PATH, { ...HOOK, ...body });
        expect(refused.status).toBe(400);
        expect(refused.text).not.toContain(FOURTH);
      }
      const headers = { Authorization: `Bearer ${FOURTH}` };
      const { id } = must(await client.post(PATH, { ...HOOK, headers })).json;
      for (const path of [
        PATH,
        `${PATH}/${id as string}`,
        '/v1/events?limit=100',
        '/v1/audit_log?limit=100',
        '/metrics',
      ]) {
        expect((await client.get(path)).text).not.toContain(FOURTH);
      }
      const stored = await storedIn(application);
      for (const secret of SECRETS) {
        for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
          expect([secret, stored.includes(form), logged().includes(form)]).toEqual([secret, false, false]);
        }
      }
      // Control: the log has these requests.
      expect(logged().includes('"route":"/v1/webhook_endpoints","status":400,"code":"parameter_invalid"')).toBe(true);
      // Control: the rows hold them, sealed, each for its endpoint.
      const rows = await application.sql('SELECT id, headers FROM webhook_endpoints WHERE environment_id = $1', [
        uuidOf(environmentId),
      ]);
      const box = headerBox({ current: SERVER_SECRET, previous: [] });
      const opened = rows.flatMap(({ id: row, headers: kept }) =>
        (JSON.parse(kept as string) as { name: string; sealed: string }[]).map(({ name, sealed }) => [
          name,
          box.open(sealed, idOf('we', row as string)),
        ]),
      );
      expect(opened).toEqual([['Authorization', `Bearer ${FOURTH}`]]);
    }),
  );
});
